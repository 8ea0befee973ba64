import TestSupport
import Testing

extension InSway {
  @Suite("Loops in sway")
  struct LoopTests {
    let desk: SwayDesk

    init() throws { desk = try SwayDesk() }

    @Test("C13: 500 times copied with clipview and read at once with wl-paste")
    func c13CopyThenWlPaste() throws {
      for number in 1...500 {
        let copied = try desk.clipview("copy", "--text", "\(number)")
        let read = try desk.wlPaste("-n")
        guard copied.isSilentSuccess, read.text == "\(number)" else {
          Issue.record("\(number): \(copied), \(read)")
          return
        }
      }
      #expect(eventually { desk.servers.count == 1 })
    }

    @Test("C13: 500 times copied with wl-copy and pasted with clipview")
    func c13WlCopyThenPaste() throws {
      for number in 1...500 {
        try desk.wlCopy(nil, ["\(number)"])
        let read = try desk.clipview("paste")
        guard read.text == "\(number)", read.status == 0 else {
          Issue.record("\(number): \(read)")
          return
        }
      }
    }

    @Test(
      "What wl-copy serves once and goes is pasted, each time, whole pages of it too",
      arguments: [1, 55, 4096, 8192, 50_000, 500_001])
    func servedOnceByWlCopy(_ size: Int) throws {
      let bytes = scrambledBytes(size)
      for number in 1...20 {
        try desk.wlCopy(bytes, ["--paste-once", "-t", "a/b"])
        let read = try desk.clipview("paste", "-t", "a/b")
        guard read.output == bytes, read.status == 0 else {
          Issue.record("\(number): \(read)")
          return
        }
      }
    }

    @Test("C13: 100 times copied and pasted with clipview in sway")
    func c13CopyThenPasteInSway() throws {
      for number in 1...100 {
        try desk.copy(Array("\(number)".utf8))
        let read = try desk.clipview("paste")
        guard read.text == "\(number)", read.status == 0 else {
          Issue.record("\(number): \(read)")
          return
        }
      }
    }
  }
}
