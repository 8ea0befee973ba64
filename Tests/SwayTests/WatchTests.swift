import TestSupport
import Testing

extension InSway {
  @Suite("Watching in sway")
  struct WatchTests {
    let desk: SwayDesk

    init() throws { desk = try SwayDesk() }

    @Test("A line for each change, of wl-copy, of clipview, and of nothing")
    func watchLines() throws {
      let watching = try SwayWatching(desk)
      try desk.wlCopy(Array("a".utf8), ["-t", "text/html"])
      #expect(watching.hasLines(1))
      try desk.copy(Array("b".utf8))
      #expect(watching.hasLines(2))
      #expect(try desk.clipview("clear").isSilentSuccess)
      #expect(watching.hasLines(3))
      let lines = watching.lines
      #expect(lines.count == 3)
      #expect(lines[0].contains("html"))
      #expect(lines[1].contains("text"))
      #expect(lines[2].contains("empty"))
      watching.child.send(signal: 2)
      #expect(watching.child.finish(within: 10).status == 130)
    }

    @Test("As JSON: the object of show --no-read, without an owner")
    func watchJSON() throws {
      try desk.wlCopy(Array("a".utf8), ["-t", "text/plain"])
      let watching = try SwayWatching(desk, "--json", "--initial", "-p")
      #expect(watching.hasLines(1))
      try desk.wlCopy(Array("a".utf8), ["-p", "-t", "text/plain"])
      #expect(watching.hasLines(2))
      let object = try #require(JSON(watching.lines[1]))
      #expect(object["owner"] == .null)
      #expect(object["selection"]?.string == "primary")
      let first = object["items"]?.array?.first?["representations"]?.array?.first
      #expect(first?["target"]?.string == "text/plain")
      #expect(first?["bytes"] == .null)
    }

    @Test("A command runs with the content, and the latest change is the last", arguments: [20])
    func watchCommands(_ count: Int) throws {
      let watching = try SwayWatching(desk, "--exec", "cat; echo \" $CLIPBOARD_STATE\"")
      for number in 1...count { try desk.wlCopy(nil, ["change \(number)"]) }
      let isDone = watching.child.settle(within: 20) { child in
        text(child.received).contains("change \(count) data\n")
      }
      #expect(isDone)
      #expect(try desk.clipview("clear").isSilentSuccess)
      #expect(
        watching.child.settle(within: 20) { text($0.received).hasSuffix(" nil\n") })
    }
  }
}
