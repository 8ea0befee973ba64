import TestSupport
import Testing

/// Around every limit that a transfer has: xsel's chunks, 16 bits, common INCR thresholds, the chunk
/// of xclip, and more than any request holds.
private let sizes = [
  0, 1, 3999, 4000, 4001, 7999, 8000, 8001, 65535, 65536, 262_143, 262_144, 262_145, 1_048_575,
  1_048_576, 1_048_577,
  67_108_864,
]

private let binary = "application/octet-stream"

extension OnDisplay {
  @Suite("Sizes")
  struct SizeTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("C01: bytes of any size go from clipview to xclip", arguments: sizes)
    func c01ClipviewToXclip(size: Int) throws {
      let bytes = scrambledBytes(size)
      try desk.copy(bytes, "-t", binary)
      let result = try desk.xclipOut(target: binary)
      #expect(result.status == 0)
      #expect(difference(result.output, bytes) == nil)
    }

    @Test("C01: bytes of any size go from xclip to clipview", arguments: sizes)
    func c01XclipToClipview(size: Int) throws {
      let bytes = scrambledBytes(size)
      try desk.xclipIn(bytes, target: binary)
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
    }

    @Test("C01: bytes of any size go from clipview to clipview", arguments: sizes)
    func c01ClipviewToClipview(size: Int) throws {
      let bytes = scrambledBytes(size)
      try desk.copy(bytes, "-t", binary)
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
    }

    @Test("C01: text of any size goes from clipview to xsel", arguments: sizes)
    func c01ClipviewToXsel(size: Int) throws {
      let bytes = numberedText(size)
      try desk.copy(bytes, "-t", "plain")
      let result = try desk.xselOut()
      #expect(result.status == 0)
      #expect(difference(result.output, bytes) == nil)
    }

    @Test("C01: text of any size goes from xsel to clipview", arguments: sizes.dropFirst())
    func c01XselToClipview(size: Int) throws {
      // xsel takes no ownership for empty input.
      let bytes = numberedText(size)
      try desk.xselIn(bytes)
      #expect(difference(try desk.paste(), bytes) == nil)
    }

    @Test("The limits of this server's requests are no limits")
    func requestLimits() throws {
      let limit = desk.peer.maximumRequestLength
      for size in [limit - 64, limit - 25, limit - 24, limit - 23, limit, limit + 1] {
        let bytes = scrambledBytes(size)
        try desk.copy(bytes, "-t", binary)
        let value = try #require(try desk.peer.ask(binary).value)
        #expect(value.type == binary)
        #expect(difference(value.bytes, bytes) == nil)
        let owner = try desk.owner(RawTarget(binary, bytes))
        #expect(difference(try desk.paste("-t", binary), bytes) == nil)
        withExtendedLifetime(owner) {}
      }
    }
  }

  @Suite("INCR")
  struct IncrementalTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("One owner, two readers of 5 MB: one stalls for good, the other finishes")
    func stalledReaderBlocksNobody() throws {
      let bytes = scrambledBytes(5_000_000)
      try desk.copy(bytes, "-t", binary)
      let stalled = try RawPeer(desk.server)
      guard case .stalled = try stalled.ask(binary, timeout: 5, chunkLimit: 1) else {
        Issue.record("no INCR transfer to stall")
        return
      }
      let value = try #require(try desk.peer.ask(binary).value)
      #expect(value.isIncremental)
      #expect(difference(value.bytes, bytes) == nil)
      #expect(difference(try desk.xclipOut(target: binary).output, bytes) == nil)
      withExtendedLifetime(stalled) {}
    }

    @Test("C09: a reader that never takes its announcement blocks nobody")
    func c09SlowReaderBlocksNobody() throws {
      let bytes = scrambledBytes(3_000_000)
      try desk.copy(bytes, "-t", binary)
      let readers = try (0..<10).map { _ in try RawPeer(desk.server) }
      for reader in readers {
        guard case .stalled = try reader.ask(binary, timeout: 5, chunkLimit: 0) else {
          Issue.record("no INCR transfer to stall")
          return
        }
      }
      #expect(difference(try desk.xclipOut(target: binary).output, bytes) == nil)
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
      withExtendedLifetime(readers) {}
    }

    @Test("C06: readers that go away in the middle cost nobody anything")
    func c06VanishingReader() throws {
      let bytes = scrambledBytes(8_000_000)
      try desk.copy(bytes, "-t", binary)
      let window = try desk.peer.owner(of: "CLIPBOARD")
      for chunks in 0..<20 {
        let reader = try RawPeer(desk.server)
        _ = try reader.ask(binary, timeout: 5, chunkLimit: chunks % 5)
      }
      var killed = 0
      for attempt in 0..<200 where killed < 20 {
        if try killXclipInTheMiddle(after: Double(attempt % 20) * 0.001) { killed += 1 }
      }
      #expect(killed == 20)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == window)
      #expect(difference(try desk.xclipOut(target: binary).output, bytes) == nil)
    }

    /// Starts xclip as a reader and kills it; whether it was in the middle of its transfer.
    private func killXclipInTheMiddle(after delay: Double) throws -> Bool {
      let xclip = try #require(Programs.installed("xclip"))
      let before = Set(try desk.peer.topLevelWindows())
      let child = try ChildProcess(
        xclip, ["-selection", "clipboard", "-o", "-t", binary],
        environment: desk.server.environment())
      child.settle(within: delay) { _ in false }
      // Stopped, it takes nothing more: a value that lies in its property is one that it has not got.
      child.send(signal: 19)
      defer {
        child.send(signal: 9)
        _ = child.finish(within: 10)
      }
      let windows = try desk.peer.topLevelWindows().filter { !before.contains($0) }
      return try eventually(within: 0.02) {
        try windows.contains { try desk.peer.hasProperty("XCLIP_OUT", of: $0) }
      }
    }

    @Test("A request that comes while another one is being answered is answered too")
    func closeRequests() throws {
      try desk.copy("text")
      for number in 1...4000 {
        // The second one meets the owner at another point of its turn each time: also where it has
        // looked at what came and not yet gone to sleep.
        try desk.peer.convert("UTF8_STRING", property: "CLIPVIEW_FIRST", time: .current)
        let moment = Deadline(after: Double(number % 100) * 1e-6)
        while !moment.isOver {}
        let answer = try desk.peer.ask("TIMESTAMP", time: .current, timeout: 3)
        guard answer.value?.type == "INTEGER" else {
          Issue.record("\(number): \(answer)")
          return
        }
      }
    }

    @Test("A window may ask again and again, also in the middle of a transfer")
    func sameWindowAsksAgain() throws {
      let bytes = scrambledBytes(3_000_000)
      try desk.copy(bytes, "-t", binary)
      for chunks in [0, 1, 2] {
        guard case .stalled = try desk.peer.ask(binary, timeout: 5, chunkLimit: chunks) else {
          Issue.record("no INCR transfer to interrupt")
          return
        }
        let value = try #require(try desk.peer.ask(binary).value)
        #expect(difference(value.bytes, bytes) == nil)
      }
    }

    @Test("C04: chunks with pauses between them arrive whole, also beyond the timeout")
    func c04PausingOwner() throws {
      let bytes = scrambledBytes(50_000)
      var script = OwnerScript([RawTarget(binary, bytes)])
      script.increments = .init(chunk: 10_000, pause: 0.05)
      let owner = try desk.owner(script)
      // Five pauses and the end: more than the timeout in all, each one less.
      #expect(difference(try desk.paste("-t", binary, "--timeout", "0.2"), bytes) == nil)
      withExtendedLifetime(owner) {}
    }

    @Test(
      "C02: the announcement is never content, whatever it says",
      arguments: [
        OwnerScript.Increments.SizeWord.exact, .empty, .number(0), .number(1), .number(.max),
      ])
    func c02SizeWordIsNotContent(word: OwnerScript.Increments.SizeWord) throws {
      for size in [0, 1, 4001, 100_000] {
        let bytes = numberedText(size)
        var script = OwnerScript([RawTarget("UTF8_STRING", bytes)])
        script.increments = .init(sizeWord: word, chunk: 4000)
        let owner = try desk.owner(script)
        #expect(difference(try desk.paste(), bytes) == nil)
        withExtendedLifetime(owner) {}
      }
    }

    @Test("A transfer that stops is exit 4", arguments: [0, 1, 3])
    func stoppedTransfer(after chunks: Int) throws {
      var script = OwnerScript([RawTarget("UTF8_STRING", numberedText(100_000))])
      script.increments = .init(chunk: 10_000, stopsAfter: chunks)
      let owner = try desk.owner(script)
      let result = try desk.clipview("paste", "--timeout", "0.3")
      #expect(result.status == 4, "\(result)")
      #expect(result.isOneMessage, "\(result)")
      withExtendedLifetime(owner) {}
    }

    @Test("An owner that goes away in the middle of a transfer is no success")
    func ownerVanishes() throws {
      var script = OwnerScript([RawTarget("UTF8_STRING", numberedText(100_000))])
      script.increments = .init(chunk: 10_000, stopsAfter: 3)
      let child: ChildProcess
      do {
        let owner = try desk.owner(script)
        child = try ChildProcess(
          Programs.clipview, ["paste", "--timeout", "1"], environment: desk.server.environment())
        child.settle { _ in owner.requests.contains("UTF8_STRING") }
      }
      let result = child.finish(within: 20)
      #expect(result.status == 1 || result.status == 4, "\(result)")
      #expect(result.isOneMessage, "\(result)")
    }
  }
}
