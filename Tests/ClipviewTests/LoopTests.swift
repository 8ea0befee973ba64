import TestSupport
import Testing

extension OnDisplay {
  @Suite("Loops")
  struct LoopTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("C13: 500 times copied with clipview and read at once with xclip")
    func c13CopyThenXclip() throws {
      let xclip = try #require(Programs.installed("xclip"))
      let environment = desk.server.environment()
      for number in 1...500 {
        let copied = try run(
          Programs.clipview, ["copy", "--text", "\(number)"], environment: environment)
        let read = try run(xclip, ["-selection", "clipboard", "-o"], environment: environment)
        guard copied.isSilentSuccess, read.text == "\(number)" else {
          Issue.record("\(number): \(copied), \(read)")
          return
        }
      }
      #expect(eventually { desk.servers.count == 1 })
    }

    @Test("C13: 500 times copied with xclip and pasted with clipview")
    func c13XclipThenPaste() throws {
      for number in 1...500 {
        try desk.xclipIn(Array("\(number)".utf8))
        let read = try desk.clipview("paste")
        guard read.text == "\(number)", read.status == 0 else {
          Issue.record("\(number): \(read)")
          return
        }
      }
    }

    @Test("C13: 100 times copied and pasted with clipview")
    func c13CopyThenPaste() throws {
      for number in 1...100 {
        try desk.copy("\(number)")
        let read = try desk.clipview("paste")
        guard read.text == "\(number)", read.status == 0 else {
          Issue.record("\(number): \(read)")
          return
        }
      }
    }

    @Test("C13: an owner that goes away without an answer gives way to the next one")
    func c13OwnerVanishesWithoutAnswer() throws {
      var script = OwnerScript("UTF8_STRING", "old")
      script.silent = ["TARGETS", "UTF8_STRING"]
      script.list = .silent
      let child: ChildProcess
      let next: BackgroundPeer
      do {
        let owner = try desk.owner(script)
        child = try ChildProcess(
          Programs.clipview, ["paste", "--timeout", "20"], environment: desk.server.environment())
        child.settle { _ in !owner.requests.isEmpty }
        next = try desk.owner(RawTarget("UTF8_STRING", "new"))
      }
      let result = child.finish(within: 30)
      #expect(result.status == 0, "\(result)")
      #expect(result.text == "new")
      withExtendedLifetime(next) {}
    }
  }
}
