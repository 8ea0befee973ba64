import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Reading to the end")
struct FileReadingTests {
  private func bytes(_ contents: ReadContents) -> [UInt8] {
    switch contents {
    case .bytes(let bytes): bytes
    case .file(let file): unsafe Array(file.bytes)
    }
  }

  private func isInMemoryFile(_ contents: ReadContents) -> Bool {
    if case .file = contents { true } else { false }
  }

  /// A pipe that a thread fills and closes.
  private func withPipe<Value>(
    holding bytes: [UInt8], nonBlocking: Bool = false, pieces: Int = 1 << 20,
    _ body: (Int32) throws -> Value
  ) throws -> Value {
    let ends = try Pipe().ends()
    let number = ends.write
    let writing = Background {
      let writer = OwnedFD(adopting: number)
      var offset = 0
      while offset < bytes.count {
        let end = min(bytes.count, offset + pieces)
        // A reader that has had enough breaks the pipe.
        guard (try? Files.write(Array(bytes[offset..<end]), to: writer)) != nil else { return }
        offset = end
      }
    }
    defer { writing.wait() }
    let reader = OwnedFD(adopting: ends.read)
    if nonBlocking { try reader.setNonBlocking() }
    return try body(reader.rawValue)
  }

  @Test(
    "A file is read whole, large ones into a memory file",
    arguments: [0, 1, 65_535, 65_536, 65_537, 1_114_112, 3_000_001])
  func filesAreReadWhole(size: Int) throws {
    let directory = TemporaryDirectory()
    let expected = scrambledBytes(size)
    let file = try openForReading(try directory.make("file", expected))
    let contents = try readToEnd(of: file.rawValue, limit: .max)
    #expect(contents.count == size)
    #expect(difference(bytes(contents), expected) == nil)
    #expect(isInMemoryFile(contents) == (size >= 65_536))
  }

  @Test("A pipe is read until its writer closes it", arguments: [0, 5, 65_536, 1_000_003])
  func pipesAreReadWhole(size: Int) throws {
    let expected = scrambledBytes(size)
    let contents = try withPipe(holding: expected) { try readToEnd(of: $0, limit: .max) }
    #expect(difference(bytes(contents), expected) == nil)
  }

  @Test("A non-blocking descriptor is waited for", arguments: [5, 300_007])
  func nonBlockingIsWaitedFor(size: Int) throws {
    let expected = scrambledBytes(size)
    let contents = try withPipe(holding: expected, nonBlocking: true, pieces: 1021) {
      try readToEnd(of: $0, limit: .max)
    }
    #expect(difference(bytes(contents), expected) == nil)
  }

  @Test(
    "Exactly the limit is read, a byte more is refused", arguments: [0, 10, 65_536, 2_000_000])
  func limitIsExact(limit: Int) throws {
    let directory = TemporaryDirectory()
    let fitting = try openForReading(try directory.make("fits", scrambledBytes(limit)))
    #expect(try readToEnd(of: fitting.rawValue, limit: limit).count == limit)
    let large = try openForReading(try directory.make("large", scrambledBytes(limit + 1)))
    #expect(throws: ReadContentsError.tooLarge(limit: limit)) {
      try readToEnd(of: large.rawValue, limit: limit)
    }
  }

  @Test("A stream without an end is refused at the limit", arguments: [0, 100, 1_000_000])
  func endlessStreamIsRefused(limit: Int) throws {
    let zeros = try openForReading("/dev/zero")
    #expect(throws: ReadContentsError.tooLarge(limit: limit)) {
      try readToEnd(of: zeros.rawValue, limit: limit)
    }
  }

  @Test("A stream that rests behind what is too much is refused all the same", arguments: [0, 10])
  func restingStreamIsRefused(limit: Int) throws {
    let pipe = try Pipe()
    let (readEnd, writeEnd) = pipe.ends()
    let reading = OwnedFD(adopting: readEnd)
    let writing = OwnedFD(adopting: writeEnd)
    try Files.write(scrambledBytes(limit + 1), to: writing)
    #expect(throws: ReadContentsError.tooLarge(limit: limit)) {
      try readToEnd(of: reading.rawValue, limit: limit)
    }
  }

  @Test(
    "A file that is too large is refused before it is read; what was read of it before is not counted"
  )
  func largeFileIsRefused() throws {
    let directory = TemporaryDirectory()
    let path = try directory.make("file", scrambledBytes(100))
    // Nobody could read so much in the time of a test.
    #expect(unsafe path.withCString { unsafe truncate($0, 1 << 42) } == 0)
    let file = try openForReading(path)
    #expect(throws: ReadContentsError.tooLarge(limit: 1 << 40)) {
      try readToEnd(of: file.rawValue, limit: 1 << 40)
    }
    #expect(unsafe path.withCString { unsafe truncate($0, 100) } == 0)
    #expect(lseek(file.rawValue, 90, SEEK_SET) == 90)
    #expect(try readToEnd(of: file.rawValue, limit: 10).count == 10)
  }

  @Test("What was read does not change with the file")
  func contentsAreCaptured() throws {
    let directory = TemporaryDirectory()
    for size in [100, 200_000] {
      let expected = scrambledBytes(size)
      let path = try directory.make("file", expected)
      let file = try openForReading(path)
      let contents = try readToEnd(of: file.rawValue, limit: .max)
      _ = try directory.make("file", scrambledBytes(size, seed: 2))
      #expect(difference(bytes(contents), expected) == nil)
    }
  }

  @Test("A descriptor of a directory is an error, not content")
  func directoryDescriptorFails() throws {
    let directory = TemporaryDirectory()
    let descriptor = try Files.open(directory.path, O_RDONLY | O_CLOEXEC)
    #expect(throws: ReadContentsError.system(.isDirectory)) {
      try readToEnd(of: descriptor.rawValue, limit: .max)
    }
  }

  @Test("A standard input that is not open for reading is an error, not a fault of ours")
  func writeOnlyDescriptorFails() throws {
    let directory = TemporaryDirectory()
    let descriptor = try Files.open("\(directory.path)/f", O_WRONLY | O_CREAT | O_CLOEXEC)
    #expect(throws: ReadContentsError.system(.badDescriptor)) {
      try readToEnd(of: descriptor.rawValue, limit: .max)
    }
  }

  @Test("A directory is refused when it is opened")
  func directoryIsRefused() throws {
    let directory = TemporaryDirectory()
    #expect(throws: Errno.isDirectory) { _ = try openForReading(FilePath(directory.path)) }
  }

  @Test("A file that is not there is not found")
  func missingFile() throws {
    let directory = TemporaryDirectory()
    #expect(throws: Errno.notFound) { _ = try openForReading(directory.path("none")) }
    #expect(throws: Errno.notFound) { _ = try openForReading("") }
  }

  @Test("A file is opened closed on exec, by its bytes, through links")
  func opening() throws {
    let directory = TemporaryDirectory()
    _ = try directory.make("file", Array("x".utf8))
    let link = try directory.link("link", to: "file")
    let file = try openForReading(link)
    #expect(fcntl(file.rawValue, F_GETFD) & FD_CLOEXEC != 0)

    // Removed here: the directory knows its files by names that are text.
    let odd = FilePath(bytes: Array(directory.path.utf8) + [0x2F, 0xFF, 0xFE])
    try unsafe replaceFile(at: odd) { write throws(Errno) in
      try unsafe [UInt8(1)].withUnsafeBufferPointer { bytes throws(Errno) in
        try unsafe write(UnsafeRawBufferPointer(bytes))
      }
    }
    defer { unsafe odd.withCString { _ = unsafe unlink($0) } }
    let oddFile = try openForReading(odd)
    #expect(bytes(try readToEnd(of: oddFile.rawValue, limit: 10)) == [1])
  }

  @Test("Nothing stays open, whether reading succeeds or fails")
  func nothingStaysOpen() async {
    // In a process of its own, where nobody else opens anything.
    await #expect(processExitsWith: .success) {
      let directory = TemporaryDirectory()
      let path = try directory.make("file", scrambledBytes(200_000))
      try expectNothingLeftOpen {
        for limit in [10, 100_000, 1_000_000] {
          let file = try openForReading(path)
          _ = try? readToEnd(of: file.rawValue, limit: limit)
        }
        _ = try? openForReading(FilePath(directory.path))
      }
    }
  }
}
