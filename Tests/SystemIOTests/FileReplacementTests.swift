import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Replacing a file")
struct FileReplacementTests {
  func replace(_ path: FilePath, _ pieces: [[UInt8]]) throws(Errno) {
    try unsafe replaceFile(at: path) { write throws(Errno) in
      for piece in pieces {
        try unsafe piece.withUnsafeBufferPointer { bytes throws(Errno) in
          try unsafe write(UnsafeRawBufferPointer(bytes))
        }
      }
    }
  }

  func replace(_ path: FilePath, _ text: String) throws(Errno) {
    try replace(path, [Array(text.utf8)])
  }

  /// Writes something, then fails.
  func replaceAndFail(_ path: FilePath) throws(Errno) {
    try unsafe replaceFile(at: path) { write throws(Errno) in
      try unsafe [UInt8](repeating: 1, count: 1000).withUnsafeBufferPointer {
        bytes throws(Errno) in
        try unsafe write(UnsafeRawBufferPointer(bytes))
      }
      throw Errno(EIO)
    }
  }

  private func contents(_ path: FilePath) throws -> String {
    text(try Files.read(path.description))
  }

  @Test("A new file holds what was written, in order")
  func newFile() throws {
    let directory = TemporaryDirectory()
    let pieces = [[], scrambledBytes(100_000), [1, 2, 3], [], scrambledBytes(1_000_000, seed: 2)]
    try replace(directory.path("new"), pieces)
    #expect(difference(try Files.read("\(directory.path)/new"), Array(pieces.joined())) == nil)
    #expect(directory.names == ["new"])
  }

  @Test("An empty file is a file")
  func emptyFile() throws {
    let directory = TemporaryDirectory()
    try replace(directory.path("new"), [])
    #expect(try contents(directory.path("new")) == "")
  }

  @Test("An empty name is an error and leaves nothing in the current directory")
  func emptyName() throws {
    #expect(throws: Errno.notFound) { try replace("", "x") }
    #expect(Files.names(in: ".").allSatisfy { !$0.hasPrefix(".clipview-") })
  }

  @Test("A new file has the permissions that any new file gets")
  func newFilePermissions() throws {
    let directory = TemporaryDirectory()
    let other = try blockingSystemCall { unsafe creat("\(directory.path)/other", 0o666) }
    try OwnedFD(adopting: other).close()
    try replace(directory.path("new"), "x")
    #expect(try directory.path("new").mode() == directory.path("other").mode())
  }

  @Test(
    "An existing file keeps its permissions", arguments: [0o600, 0o644, 0o640, 0o755, 0o666, 0o444])
  func permissionsAreKept(mode: Int) throws {
    let directory = TemporaryDirectory()
    let path = try directory.make("file", Array("old".utf8), mode: mode_t(mode))
    try replace(path, "new")
    #expect(try contents(path) == "new")
    #expect(try path.mode() == mode_t(mode))
    #expect(directory.names == ["file"])
  }

  @Test("A reader sees the old file until the new one is whole")
  func readersSeeOldFile() throws {
    let directory = TemporaryDirectory()
    let path = try directory.make("file", Array("old".utf8))
    let opened = try openForReading(path)
    var seen: [String] = []
    try unsafe replaceFile(at: path) { write throws(Errno) in
      for piece in ["one", "two"] {
        try unsafe Array(piece.utf8).withUnsafeBufferPointer { bytes throws(Errno) in
          try unsafe write(UnsafeRawBufferPointer(bytes))
        }
        seen.append((try? contents(path)) ?? "")
      }
    }
    #expect(seen == ["old", "old"])
    #expect(try contents(path) == "onetwo")
    let old = try readToEnd(of: opened.rawValue, limit: 100)
    #expect(old.count == 3)
  }

  @Test("Where writing fails, an existing file is as it was and nothing lies beside it")
  func failureKeepsExistingFile() throws {
    let directory = TemporaryDirectory()
    let path = try directory.make("file", Array("old".utf8), mode: 0o640)
    let before = try path.status()
    #expect(throws: Errno(EIO)) { try replaceAndFail(path) }
    #expect(try contents(path) == "old")
    #expect(try path.status().st_ino == before.st_ino)
    #expect(try path.mode() == 0o640)
    #expect(directory.names == ["file"])
  }

  @Test("Where writing fails, a new file does not come to be")
  func failureLeavesNothing() throws {
    let directory = TemporaryDirectory()
    #expect(throws: Errno(EIO)) { try replaceAndFail(directory.path("new")) }
    #expect(directory.names == [])
  }

  @Test("Where the new file cannot take its place, nothing lies beside it")
  func failedRenameLeavesNothing() throws {
    let directory = TemporaryDirectory()
    // A trailing slash asks for a directory.
    #expect(throws: Errno.self) { try replace(directory.path("new/"), "x") }
    #expect(directory.names == [])
  }

  @Test("A directory is refused")
  func directoryIsRefused() throws {
    let directory = TemporaryDirectory()
    #expect(throws: Errno.isDirectory) { try replace(FilePath(directory.path), "x") }
  }

  @Test("A directory that is not there is an error")
  func missingDirectory() throws {
    let directory = TemporaryDirectory()
    #expect(throws: Errno.notFound) { try replace(directory.path("none/file"), "x") }
  }

  @Test("A symbolic link stays and what it points to is replaced")
  func linksAreFollowed() throws {
    let directory = TemporaryDirectory()
    let elsewhere = TemporaryDirectory()
    let target = try elsewhere.make("file", Array("old".utf8), mode: 0o600)
    _ = try elsewhere.link("second", to: "file")
    let link = try directory.link("link", to: "\(elsewhere.path)/second")
    try replace(link, "new")
    #expect(try contents(target) == "new")
    #expect(try target.mode() == 0o600)
    #expect(try link.isKind(Glibc.S_IFLNK))
    #expect(try elsewhere.path("second").isKind(Glibc.S_IFLNK))
    #expect(elsewhere.names == ["file", "second"])
    #expect(directory.names == ["link"])
  }

  @Test("A symbolic link to a file that is not there yet makes that file")
  func danglingLink() throws {
    let directory = TemporaryDirectory()
    #expect(unsafe symlink("\(directory.path)/target", "\(directory.path)/link") == 0)
    try replace(directory.path("link"), "new")
    #expect(try contents(directory.path("target")) == "new")
    #expect(Files.destination(ofLink: "\(directory.path)/link") == "\(directory.path)/target")
  }

  @Test("A named pipe is written into and stays one")
  func fifoIsWrittenInPlace() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("fifo")
    try blockingSystemCall { unsafe mkfifo(path.description, 0o600) }
    let reader = try Files.open(path.description, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try replace(path, "through the pipe")
    #expect(try readToEnd(of: reader.rawValue, limit: 100).count == 16)
    #expect(try path.isKind(Glibc.S_IFIFO))
    #expect(directory.names == ["fifo"])
  }

  @Test("A device is written into and stays one")
  func deviceIsWrittenInPlace() throws {
    // posix_openpt and its kind are not in the Glibc module.
    let control = try Files.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number) = (Int32(0), UInt32(0))
    let (unlock, ask) = (UInt(0x4004_5431), UInt(0x8004_5430))  // TIOCSPTLCK, TIOCGPTN
    try blockingSystemCall { unsafe ioctl(control.rawValue, unlock, &locked) }
    try blockingSystemCall { unsafe ioctl(control.rawValue, ask, &number) }
    let path = FilePath("/dev/pts/\(number)")
    // Held open, so that the terminal does not hang up before it is read.
    let held = try Files.open(path.description, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try replace(path, "to the terminal")
    var buffer = [UInt8](repeating: 0, count: 100)
    let result = try unsafe buffer.withUnsafeMutableBytes { buffer in
      try unsafe control.read(into: buffer)
    }
    guard case .done(let count) = result else {
      Issue.record("nothing came through the terminal")
      return
    }
    #expect(text(Array(buffer[..<count])) == "to the terminal")
    #expect(try path.isKind(SystemIO.S_IFCHR))
    try held.close()
  }

  @Test("A file that has no name any more is written in place")
  func unlinkedFileIsWrittenInPlace() throws {
    let directory = TemporaryDirectory()
    let path = try directory.make("file", Array("older".utf8))
    let file = try Files.open(path.description, O_RDWR | O_CLOEXEC)
    try blockingSystemCall { unsafe unlink(path.description) }
    let name = "/proc/self/fd/\(file.rawValue)"
    try replace(FilePath(name), "new")
    #expect(text(try Files.read(name)) == "new")
    #expect(directory.names == [])
  }

  @Test("Nothing stays open, whether writing succeeds or fails")
  func nothingStaysOpen() async {
    // In a process of its own, where nobody else opens anything.
    await #expect(processExitsWith: .success) {
      let tests = FileReplacementTests()
      let directory = TemporaryDirectory()
      let path = try directory.make("file", [])
      try expectNothingLeftOpen {
        try tests.replace(path, "x")
        try? tests.replaceAndFail(path)
        try? tests.replace(directory.path("none/file"), "x")
        try? tests.replace(FilePath(directory.path), "x")
        try? tests.replace(directory.path("new/"), "x")
      }
    }
  }
}

@Suite("Writing fully")
struct FullWriteTests {
  @Test("A non-blocking descriptor that is full is waited for")
  func nonBlockingIsWaitedFor() throws {
    let ends = try Pipe().ends()
    let number = ends.read
    let expected = scrambledBytes(1_000_003)
    let reading = Background {
      let reader = OwnedFD(adopting: number)
      let contents = try? readToEnd(of: reader.rawValue, limit: .max)
      guard case .file(let file)? = contents else {
        Issue.record("not all of it came")
        return
      }
      #expect(difference(unsafe Array(file.bytes), expected) == nil)
    }
    do {
      let writer = OwnedFD(adopting: ends.write)
      try writer.setNonBlocking()
      try unsafe expected.withUnsafeBytes { bytes in
        try unsafe writeFully(bytes, to: writer.rawValue)
      }
    }
    reading.wait()
  }

  @Test("A descriptor that is not open for writing is an error, not a fault of ours")
  func readOnlyDescriptorFails() throws {
    let directory = TemporaryDirectory()
    let file = try openForReading(try directory.make("file", []))
    #expect(throws: Errno.badDescriptor) {
      try unsafe [UInt8(1)].withUnsafeBytes { bytes in
        try unsafe writeFully(bytes, to: file.rawValue)
      }
    }
  }

  @Test("Nothing to write is nothing done")
  func nothingToWrite() throws {
    try unsafe writeFully(UnsafeRawBufferPointer(start: nil, count: 0), to: -1)
  }
}

@Suite("Environment")
struct EnvironmentTests {
  @Test("A variable has its value; one that is not set has none")
  func variables() {
    #expect(environmentVariable("PATH") != nil)
    #expect(environmentVariable("CLIPVIEW_NO_SUCH_VARIABLE") == nil)
  }
}
