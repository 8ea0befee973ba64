import TestSupport
import Testing

private let binary = "application/octet-stream"

/// From nothing over what a pipe is made of and holds to 64 MiB, and what lies beside.
private let sizes = [
  0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 262_143, 1 << 20, (1 << 20) + 1, 5_000_000,
  64 << 20,
]

extension InSway {
  @Suite("Contents of all sizes, both ways")
  struct TransferTests {
    let desk: SwayDesk

    init() throws { desk = try SwayDesk() }

    @Test("clipview copies, wl-paste pastes", arguments: sizes)
    func copyToWlPaste(_ size: Int) throws {
      let bytes = scrambledBytes(size)
      try desk.copy(bytes, "-t", binary)
      let read = try desk.wlPaste("-n", "-t", binary)
      #expect(read.status == 0)
      #expect(difference(read.output, bytes) == nil)
    }

    @Test("wl-copy copies, clipview pastes", arguments: sizes)
    func wlCopyToPaste(_ size: Int) throws {
      let bytes = scrambledBytes(size)
      try desk.wlCopy(bytes, ["-t", binary])
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
    }

    @Test("clipview copies and pastes", arguments: sizes)
    func copyToPaste(_ size: Int) throws {
      let bytes = scrambledBytes(size)
      try desk.copy(bytes, "-t", binary)
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
    }

    @Test("Text is text both ways, and no line end is added or taken")
    func textBothWays() throws {
      for text in [difficultText, "a", "a\n", "a\n\n", "\n", "a\0b"] {
        let bytes = Array(text.utf8)
        try desk.copy(bytes)
        #expect(try desk.wlPaste("-n").output == bytes)
        try desk.wlCopy(bytes, ["-t", "text/plain"])
        #expect(try desk.paste() == bytes)
      }
    }

    @Test("Text is offered under all the names that programs ask for, and given under each")
    func textSpellings() throws {
      try desk.copy(Array("é".utf8))
      let types = try desk.wlPaste("-l").text.split(separator: "\n").map(String.init)
      let expected: [(String, [UInt8])] = [
        ("UTF8_STRING", [0xC3, 0xA9]), ("text/plain;charset=utf-8", [0xC3, 0xA9]),
        ("text/plain", [0xC3, 0xA9]), ("TEXT", [0xC3, 0xA9]), ("STRING", [0xE9]),
      ]
      for (type, bytes) in expected {
        #expect(types.contains(type))
        #expect(try desk.wlPaste("-n", "-t", type).output == bytes, "\(type)")
      }
    }

    @Test("The primary selection is another one")
    func primarySelection() throws {
      try desk.copy(Array("one".utf8))
      try desk.copy(Array("two".utf8), "-p")
      #expect(try desk.wlPaste("-n").text == "one")
      #expect(try desk.wlPaste("-n", "-p").text == "two")
      try desk.wlCopy(Array("three".utf8), ["-p"])
      #expect(text(try desk.paste("-p")) == "three")
      #expect(text(try desk.paste()) == "one")
    }

    @Test("A hundred readers at once all get the whole of it")
    func manyReaders() throws {
      let bytes = scrambledBytes(300_000)
      try desk.copy(bytes, "-t", binary)
      let program = try #require(Programs.installed("wl-paste"))
      let readers = try (0..<100).map { _ in
        try ChildProcess(
          program, ["-n", "-t", binary], environment: desk.compositor.environment())
      }
      for reader in readers {
        #expect(difference(reader.finish(within: 60).output, bytes) == nil)
      }
    }

    @Test("A hundred readers that are killed cost nobody anything, and leave nothing behind")
    func killedReaders() throws {
      let bytes = scrambledBytes(8_000_000)
      try desk.copy(bytes, "-t", binary)
      let serving = try desk.servingProcess()
      let before = OpenDescriptors(of: serving).targets.count
      let program = try #require(Programs.installed("wl-paste"))
      for _ in 0..<100 {
        // Nobody reads what it writes, so it is in the middle of it.
        let reader = try ChildProcess(
          program, ["-n", "-t", binary], environment: desk.compositor.environment())
        reader.settle(within: 10) { _ in
          OpenDescriptors(of: serving).targets.count > before
        }
        reader.send(signal: 9)
        _ = reader.finish(within: 10)
      }
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
      // What wl-paste left behind, a cat, ends with its pipe.
      #expect(eventually { OpenDescriptors(of: serving).targets.count <= before })
      let time = try #require(Processes.processorTime(of: serving))
      _ = eventually(within: 0.5) { false }
      #expect(try #require(Processes.processorTime(of: serving)) - time < 5)
    }

    @Test("A pipe that nobody reads holds up nobody else")
    func stalledReader() throws {
      let bytes = scrambledBytes(8_000_000)
      try desk.copy(bytes, "-t", binary)
      let program = try #require(Programs.installed("wl-paste"))
      var options = SpawnOptions()
      options.startsGroup = true
      let stalled = try ChildProcess(
        "sh", ["-c", "\(program) -n -t \(binary) | sleep 60"],
        environment: desk.compositor.environment(), options: options)
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
      #expect(difference(try desk.wlPaste("-n", "-t", binary).output, bytes) == nil)
      Processes.send(signal: 9, to: -stalled.pid)
    }

    @Test("What serves a large file does not hold it in memory, though the file changes")
    func memoryOfServer() throws {
      let directory = TemporaryDirectory()
      let path = "\(directory.path)/large.bin"
      let bytes = scrambledBytes(100_000_000)
      try Files.write(bytes, to: try Files.open(path, 0o1101))
      try desk.copy(nil, "-t", binary, path)
      try Files.write([1, 2, 3], to: try Files.open(path, 0o1001))
      #expect(difference(try desk.wlPaste("-n", "-t", binary).output, bytes) == nil)
      let serving = try desk.servingProcess()
      let memory = try #require(Processes.peakMemory(of: serving))
      #expect(memory < 40_000_000 || Programs.areSanitized, "\(memory)")
    }
  }
}
