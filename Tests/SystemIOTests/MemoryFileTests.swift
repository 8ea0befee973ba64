import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Memory file")
struct MemoryFileTests {
  func append(_ bytes: [UInt8], to file: MemoryFile, room: Int? = nil) throws {
    let added = try unsafe file.append(upTo: room ?? bytes.count) { buffer throws(Errno) in
      unsafe buffer.copyBytes(from: bytes)
      return bytes.count
    }
    #expect(added == bytes.count)
  }

  private func contents(_ file: MemoryFile) -> [UInt8] { unsafe Array(file.bytes) }

  @Test("A new file is empty")
  func startsEmpty() throws {
    let file = try MemoryFile(name: "test")
    #expect(file.count == 0)
    #expect(contents(file) == [])
  }

  @Test("What is put in is what is there, however it grows")
  func growthKeepsContents() throws {
    let file = try MemoryFile(name: "test")
    let bytes = scrambledBytes(3_000_017)
    var offset = 0
    // Pieces that fit, that just fill the room, and that are larger than all that was there.
    let sizes = [1, 65_535, 1, 65_536, 100, 900_000, 3, 2_000_000]
    var piece = 0
    while offset < bytes.count {
      let end = min(bytes.count, offset + sizes[piece % sizes.count])
      try append(Array(bytes[offset..<end]), to: file)
      offset = end
      piece += 1
      #expect(file.count == offset)
    }
    #expect(difference(contents(file), bytes) == nil)
  }

  @Test("Room that is not filled does not count")
  func unusedRoomDoesNotCount() throws {
    let file = try MemoryFile(name: "test")
    try append(Array("ab".utf8), to: file, room: 1 << 20)
    try append([], to: file, room: 1 << 20)
    try append(Array("cd".utf8), to: file, room: 10)
    #expect(file.count == 4)
    #expect(contents(file) == Array("abcd".utf8))
  }

  @Test("Where filling fails, what was there stays")
  func failureKeepsContents() throws {
    let file = try MemoryFile(name: "test")
    try append(Array("ab".utf8), to: file)
    #expect(throws: Errno(EIO)) {
      _ = try unsafe file.append(upTo: 1 << 20) { _ throws(Errno) in throw Errno(EIO) }
    }
    #expect(contents(file) == Array("ab".utf8))
  }

  @Test("The bytes can be read through the descriptor, which is closed on exec")
  func descriptorHasContents() throws {
    let file = try MemoryFile(name: "test")
    let bytes = scrambledBytes(100_000)
    try append(bytes, to: file)
    #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    var read = [UInt8](repeating: 0, count: bytes.count)
    let count = unsafe read.withUnsafeMutableBytes { buffer in
      unsafe pread(file.descriptor, buffer.baseAddress, buffer.count, 0)
    }
    #expect(count == bytes.count)
    #expect(difference(read, bytes) == nil)
  }

  @Test("More bytes than there was room for are a fault of ours")
  func overfillingTraps() async {
    await #expect(processExitsWith: .failure) {
      let file = try MemoryFile(name: "test")
      _ = try unsafe file.append(upTo: 1) { _ throws(Errno) in 2 }
    }
  }

  @Test("Descriptor and memory go with the file")
  func nothingStays() async {
    // In a process of its own, where nobody else opens anything.
    await #expect(processExitsWith: .success) {
      let tests = MemoryFileTests()
      try expectNothingLeftOpen {
        try tests.append(scrambledBytes(200_000), to: try MemoryFile(name: "clipview-test-leak"))
      }
      let maps = text(try Files.read("/proc/self/maps"))
      #expect(!maps.contains("clipview-test-leak"))
    }
  }
}
