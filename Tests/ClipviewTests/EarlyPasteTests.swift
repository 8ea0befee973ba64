import SystemIO
import TestSupport
import Testing

private let large = "x/large"

extension OnDisplay {
  /// Long content that is written while it comes.
  @Suite("Pasting long content")
  struct EarlyPasteTests {
    let desk: Desk
    let directory = TemporaryDirectory()

    init() throws { desk = try Desk() }

    private var file: String { directory.path + "/file" }

    /// Content that comes in pieces of an odd size, all of them or so many.
    private func script(
      _ targets: RawTarget..., stopsAfter count: Int? = nil, chunk: Int = 100_001
    ) -> OwnerScript {
      var script = OwnerScript(targets)
      script.increments = .init(chunk: chunk, stopsAfter: count)
      return script
    }

    /// Has a shell run `clipview paste` with this behind it.
    private func shell(_ rest: String, before: String = "") throws -> ProcessResult {
      try run("/bin/sh", ["-c", command(rest, before)], environment: desk.server.environment())
    }

    private func command(_ rest: String, _ before: String = "") -> String {
      "\(before)'\(Programs.clipview)' paste \(rest)".replacing("FILE", with: "'\(file)'")
    }

    private func contents() throws -> [UInt8] { try Files.read(file) }

    /// How standard output or `-o` leads to the file.
    private static let ways = ["> FILE", ">> FILE", "1<> FILE", "-o FILE"]

    @Test("A file gets all of it, whichever way", arguments: ways)
    func whole(_ way: String) throws {
      let bytes = scrambledBytes(3_000_000)
      let owner = try desk.owner(script(RawTarget(large, bytes)))
      let result = try shell("-t \(large) \(way)")
      #expect(result.isSilentSuccess, "\(result)")
      #expect(difference(try contents(), bytes) == nil)
      #expect(directory.names == ["file"])
      withExtendedLifetime(owner) {}
    }

    @Test("A file is as it was where the rest does not come", arguments: ways)
    func stalled(_ way: String) throws {
      let owner = try desk.owner(
        script(RawTarget(large, scrambledBytes(3_000_000)), stopsAfter: 12))
      let before = scrambledBytes(10_000)
      try directory.write(before, to: "file")
      let result = try shell("-t \(large) --timeout 0.5 \(way)")
      #expect(result.status == 4, "\(result)")
      // The shell has emptied it before.
      #expect(try contents() == (way == "> FILE" ? [] : before))
      #expect(directory.names == ["file"])
      withExtendedLifetime(owner) {}
    }

    @Test("Ctrl-C in the middle leaves nothing of it", arguments: ways.filter { $0 != "1<> FILE" })
    func interrupted(_ way: String) throws {
      let owner = try desk.owner(
        script(RawTarget(large, scrambledBytes(3_000_000)), stopsAfter: 12))
      let before = scrambledBytes(1000)
      try directory.write(before, to: "file")
      let paste = try ChildProcess(
        "/bin/sh", ["-c", "exec " + command("-t \(large) --timeout 20 \(way)")],
        environment: desk.server.environment())
      #expect(eventually { owner.chunksSent >= 12 })
      // What has no place yet nobody sees.
      if way != "-o FILE" { #expect(eventually { (try? contents().count) ?? 0 > 1_000_000 }) }
      paste.send(signal: 2)
      let result = paste.finish(within: 10)
      #expect(result.ending == .signalled(2), "\(result)")
      #expect(try contents() == (way == "> FILE" ? [] : before))
      #expect(directory.names == ["file"])
    }

    @Test(
      "Where another program owns it after a break, the file gets what that one has",
      arguments: ways)
    func otherOwner(_ way: String) throws {
      var first: BackgroundPeer? = try desk.owner(
        script(RawTarget(large, scrambledBytes(3_000_000)), stopsAfter: 12))
      let paste = try ChildProcess(
        "/bin/sh", ["-c", "exec " + command("-t \(large) \(way)")],
        environment: desk.server.environment())
      #expect(eventually { first?.chunksSent ?? 0 >= 12 })
      let bytes = scrambledBytes(500_000, seed: 2)
      try desk.copy(bytes, "-t", large)
      first = nil
      let result = paste.finish(within: 20)
      #expect(result.isSilentSuccess, "\(result)")
      #expect(difference(try contents(), bytes) == nil)
    }

    @Test("No space for it is said, and the file is as it was", arguments: ways)
    func limitedFile(_ way: String) throws {
      let owner = try desk.owner(script(RawTarget(large, scrambledBytes(3_000_000))))
      try directory.write([1, 2, 3], to: "file")
      let result = try shell("-t \(large) \(way)", before: "ulimit -f 2000; ")
      #expect(result.status == 6, "\(result)")
      #expect(result.errors.contains("cannot write"))
      if way != "1<> FILE" { #expect(try contents() == (way == "> FILE" ? [] : [1, 2, 3])) }
      #expect(directory.names == ["file"])
      withExtendedLifetime(owner) {}
    }

    @Test("What others write to the same file is theirs, and that a part remains is said")
    func sharedFile() throws {
      let bytes = scrambledBytes(3_000_000)
      let owner = try desk.owner(script(RawTarget(large, bytes), stopsAfter: 12))
      let paste = try ChildProcess(
        "/bin/sh", ["-c", "exec " + command("-t \(large) --timeout 2 >> FILE")],
        environment: desk.server.environment())
      #expect(eventually { (try? contents().count) ?? 0 == 12 * 100_001 })
      _ = try run("/bin/sh", ["-c", "echo mine >> '\(file)'"], environment: [:])
      let result = paste.finish(within: 10)
      #expect(result.status == 4 && result.errors.contains("a part of it is written"), "\(result)")
      #expect(difference(try contents(), bytes[..<(12 * 100_001)] + Array("mine\n".utf8)) == nil)
      withExtendedLifetime(owner) {}
    }

    @Test("A file that is emptied meanwhile is not cut off anywhere")
    func emptiedFile() throws {
      let owner = try desk.owner(
        script(RawTarget(large, scrambledBytes(3_000_000)), stopsAfter: 12))
      try directory.write(scrambledBytes(10_000), to: "file")
      let paste = try ChildProcess(
        "/bin/sh", ["-c", "exec " + command("-t \(large) --timeout 2 >> FILE")],
        environment: desk.server.environment())
      #expect(eventually { (try? contents().count) ?? 0 == 10_000 + 12 * 100_001 })
      _ = try run("/bin/sh", ["-c", "echo mine > '\(file)'"], environment: [:])
      let result = paste.finish(within: 10)
      #expect(result.status == 4 && result.errors.contains("a part of it is written"), "\(result)")
      #expect(try text(contents()) == "mine\n")
      withExtendedLifetime(owner) {}
    }

    @Test("What has nowhere to go is an error, however long it is")
    func closedOutput() throws {
      let owner = try desk.owner(script(RawTarget(large, scrambledBytes(3_000_000))))
      for way in [">&-", "1</dev/null"] {
        let result = try shell("-t \(large) \(way)")
        #expect(result.status == 6 && result.errors.contains("cannot write"), "\(result)")
      }
      #expect(try shell("-t \(large) > /dev/null").isSilentSuccess)
      withExtendedLifetime(owner) {}
    }

    // MARK: Text

    private static let line = Array("Zeile – 日本語 🎉\n".utf8)
    private static let longText = Array(repeatElement(line, count: 60_000).joined())

    @Test("A byte order mark, closing NULs and what is cut in the middle do not show in a file")
    func wrappedText() throws {
      let wrapped = [0xEF, 0xBB, 0xBF] + Self.longText + [UInt8](repeating: 0, count: 300_000)
      let owner = try desk.owner(script(RawTarget("UTF8_STRING", wrapped)))
      for way in Self.ways {
        #expect(try shell(way).isSilentSuccess)
        #expect(difference(try contents(), Self.longText) == nil)
        try Files.remove(file)
      }
      withExtendedLifetime(owner) {}
    }

    @Test("Text that breaks late is repaired as text that is held, and that is said")
    func damagedText() throws {
      let damaged = Self.longText + [0xFF, 0xE2, 0x82] + Self.line
      let owner = try desk.owner(script(RawTarget("UTF8_STRING", damaged)))
      let held = try desk.clipview("paste")
      let result = try shell("> FILE")
      #expect(result.status == 0)
      #expect(result.errors == held.errors && held.errors.contains("not valid text"))
      #expect(difference(try contents(), held.output) == nil)
      #expect(
        difference(held.output, Self.longText + Array("\u{FFFD}\u{FFFD}".utf8) + Self.line) == nil)
      withExtendedLifetime(owner) {}
    }

    @Test("Text that breaks late gives way to a spelling that is whole")
    func otherSpelling() throws {
      let owner = try desk.owner(
        script(
          RawTarget("UTF8_STRING", Self.longText + [0xFF]),
          RawTarget("text/plain;charset=utf-8", Self.longText)))
      #expect(try shell("> FILE").isSilentSuccess)
      #expect(difference(try contents(), Self.longText) == nil)
      withExtendedLifetime(owner) {}
    }

    @Test("Of several spellings that break, the output is one of them, whatever was begun")
    func severalDamagedSpellings() throws {
      let short = Array("short ".utf8) + [0xFF]
      let long = Self.longText + [0xFF]
      let pairs: [[RawTarget]] = [
        [.init("UTF8_STRING", short), .init("text/plain;charset=utf-8", long)],
        [
          .init("UTF8_STRING", short), .init("text/plain;charset=utf-8", long),
          .init("STRING", [0x61, 0xE9]),
        ],
        [.init("UTF8_STRING", long), .init("text/plain;charset=utf-8", long + [0xFF])],
      ]
      for targets in pairs {
        var offered = OwnerScript(targets)
        offered.increments = .init(chunk: 100_001)
        let owner = try desk.owner(offered)
        let held = try desk.clipview("paste")
        let result = try shell("> FILE")
        #expect(result.status == 0 && result.errors == held.errors, "\(result)")
        #expect(difference(try contents(), held.output) == nil)
        withExtendedLifetime(owner) {}
      }
    }

    @Test("A target that is listed twice is read once, and a message stands behind the content")
    func repeatedTarget() throws {
      var offered = script(RawTarget("UTF8_STRING", Self.longText + [0xFF] + Self.line))
      offered.list = .repeated
      let owner = try desk.owner(offered)
      #expect(try shell("> FILE 2>&1").status == 0)
      let all = try contents()
      let expected = Self.longText + Array("\u{FFFD}".utf8) + Self.line
      #expect(difference(Array(all.prefix(expected.count)), expected) == nil)
      #expect(text(Array(all.dropFirst(expected.count))).hasPrefix("clipview: some of UTF8_STRING"))
      withExtendedLifetime(owner) {}
    }

    // MARK: Pipes

    @Test(
      "A reader who reads nothing does not hold the owner up, whatever the size of its pieces",
      arguments: [4000, 65_537])
    func stoppedReader(_ chunk: Int) throws {
      let bytes = scrambledBytes(18 << 20)
      let owner = try desk.owner(script(RawTarget(large, bytes), chunk: chunk))
      let paste = try ChildProcess(
        Programs.clipview, ["paste", "-t", large], environment: desk.server.environment())
      let last = (bytes.count + chunk - 1) / chunk
      #expect(eventually(within: 60) { owner.chunksSent > last })
      #expect(paste.isRunning)
      let result = paste.finish(within: 30)
      #expect(result.status == 0)
      #expect(difference(result.output, bytes) == nil)
    }

    @Test("Two spellings that break through a pipe do not mix")
    func damagedInPipe() throws {
      let owner = try desk.owner(
        script(
          RawTarget("UTF8_STRING", [0x61, 0xFF]),
          RawTarget("text/plain;charset=utf-8", Self.much + [0xFF]), RawTarget("STRING", [0xE9]),
          chunk: 1 << 20))
      let result = try desk.clipview("paste", timeout: 60)
      #expect(result.status == 0)
      #expect(difference(result.output, Self.much + Array("\u{FFFD}".utf8)) == nil)
      withExtendedLifetime(owner) {}
    }

    // Mostly ASCII, which the tests' program is quicker with.
    private static let much =
      longText + [UInt8](repeating: UInt8(ascii: "a"), count: 20_000_000) + line

    @Test("A pipe gets all of it")
    func throughPipe() throws {
      let owner = try desk.owner(script(RawTarget("UTF8_STRING", Self.much), chunk: 1 << 20))
      let result = try desk.clipview("paste", timeout: 60)
      #expect(result.status == 0 && result.errors == "")
      #expect(difference(result.output, Self.much) == nil)
      withExtendedLifetime(owner) {}
    }

    @Test("Of content that a pipe may get whole nothing is written where the rest does not come")
    func brokenOffBeforePipe() throws {
      let owner = try desk.owner(
        script(RawTarget(large, scrambledBytes(8_000_000)), stopsAfter: 7, chunk: 1 << 20))
      let result = try desk.clipview("paste", "-t", large, "--timeout", "0.5")
      #expect(result.status == 4 && result.output.isEmpty, "\(result)")
      #expect(!result.errors.contains("a part of it"))
      withExtendedLifetime(owner) {}
    }

    @Test("What went through a pipe before the owner broke off is told of")
    func brokenOffInPipe() throws {
      let bytes = scrambledBytes(24 << 20)
      let owner = try desk.owner(script(RawTarget(large, bytes), stopsAfter: 20, chunk: 1 << 20))
      let result = try desk.clipview("paste", "-t", large, "--timeout", "0.5")
      #expect(result.status == 4, "\(result)")
      #expect(result.errors.contains("a part of it is written"))
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(result.output.count >= 8 << 20)
      #expect(difference(result.output, Array(bytes[..<result.output.count])) == nil)
      withExtendedLifetime(owner) {}
    }

    @Test("A reader that has enough ends a paste without an end")
    func endlessContent() throws {
      var endless = OwnerScript([RawTarget(large, scrambledBytes(1 << 20))])
      endless.increments = .init(chunk: 1 << 20, isEndless: true)
      let owner = try desk.owner(endless)
      let result = try shell("-t \(large) | head -c 10")
      #expect(result.status == 0 && result.output.count == 10 && result.errors == "", "\(result)")
      withExtendedLifetime(owner) {}
    }
  }
}
