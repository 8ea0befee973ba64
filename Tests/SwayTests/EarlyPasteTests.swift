import Glibc
import SystemIO
import TestSupport
import Testing

private let binary = "application/octet-stream"

extension InSway {
  /// Long content that is written while it comes.
  @Suite("Pasting long content from Wayland programs")
  struct EarlyPasteTests {
    let desk: SwayDesk
    let directory = TemporaryDirectory()

    init() throws { desk = try SwayDesk() }

    private var file: String { directory.path + "/file" }

    private func start(_ rest: String) throws -> ChildProcess {
      let command = "exec '\(Programs.clipview)' paste \(rest)"
      return try ChildProcess(
        "/bin/sh", ["-c", command.replacing("FILE", with: "'\(file)'")],
        environment: desk.compositor.environment())
    }

    private static let text = Array(
      repeatElement(Array("Zeile – 日本語 🎉\n".utf8), count: 100_000).joined())

    @Test("A file gets all of what wl-copy has", arguments: ["> FILE", ">> FILE", "-o FILE"])
    func whole(_ way: String) throws {
      for (bytes, type) in [(Self.text, "text/plain"), (scrambledBytes(5_000_001), binary)] {
        try desk.wlCopy(bytes, ["-t", type])
        let result = try start("-t \(type) \(way)").finish(within: 30)
        #expect(result.isSilentSuccess, "\(result)")
        #expect(difference(try Files.read(file), bytes) == nil)
        try Files.remove(file)
      }
      try desk.wlCopy(Self.text + [0, 0], ["-t", "text/plain"])
      #expect(try start(way).finish(within: 30).isSilentSuccess)
      #expect(difference(try Files.read(file), Self.text) == nil)
    }

    /// What becomes of pastes under whose hands the owner gets a signal.
    private func pasteWhileOwner(gets signal: Int32) throws -> ProcessResult? {
      let bytes = [UInt8](repeating: 7, count: 200 << 20)
      for _ in 0..<10 {
        try desk.copy(bytes, "-t", binary)
        let server = try desk.servingProcess()
        let paste = try start("-t \(binary) --timeout 0.5 > FILE")
        let path = FilePath(file)
        #expect(eventually { (try? fileSize(at: path)) ?? 0 > 1 << 20 })
        kill(server, signal)
        defer { kill(server, SIGCONT) }
        let result = paste.finish(within: 30)
        if result.status != 0 { return result }
        let size = try fileSize(at: path)
        #expect(size == bytes.count, "\(size), \(size % 4096) over whole pages")
      }
      return nil
    }

    @Test("Where the owner stops in the middle, the file is as it was")
    func stoppedOwner() throws {
      let result = try #require(try pasteWhileOwner(gets: SIGSTOP))
      #expect(result.status == 4, "\(result)")
      #expect(try Files.read(file) == [])
    }

    @Test("Where the owner is killed in the middle, the file is as it was")
    func killedOwner() throws {
      let result = try #require(try pasteWhileOwner(gets: SIGKILL))
      #expect([1, 6].contains(result.status), "\(result)")
      #expect(try Files.read(file) == [])
    }
  }
}
