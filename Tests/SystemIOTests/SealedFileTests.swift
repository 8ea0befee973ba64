import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Sealed memory files")
struct SealedFileTests {
  private func sealed(_ bytes: [UInt8]) throws -> SealedFile {
    try unsafe SealedFile(name: "test", size: bytes.count) { write throws(Errno) in
      try unsafe bytes.withUnsafeBufferPointer { buffer throws(Errno) in
        try unsafe write(UnsafeRawBufferPointer(buffer))
      }
    }
  }

  private func duplicate(_ descriptor: Int32) -> OwnedFD { OwnedFD(adopting: dup(descriptor)) }

  @Test(
    "It holds what was put in, and so does the one that it is handed to",
    arguments: [0, 1, 4096, 1_000_003])
  func contents(count: Int) throws {
    let bytes = scrambledBytes(count)
    let file = try sealed(bytes)
    #expect(unsafe difference(Array(file.bytes), bytes) == nil)
    let other = try SealedFile(adopting: duplicate(file.descriptor), limit: count)
    #expect(other.count == count)
    #expect(unsafe difference(Array(other.bytes), bytes) == nil)
  }

  @Test("Nobody can write to it or change its size")
  func isSealed() throws {
    let file = try sealed([1, 2, 3])
    var byte: UInt8 = 9
    #expect(unsafe pwrite(file.descriptor, &byte, 1, 0) == -1)
    #expect(ftruncate(file.descriptor, 1) == -1)
    #expect(ftruncate(file.descriptor, 100) == -1)
    #expect(unsafe Array(file.bytes) == [1, 2, 3])
  }

  @Test("What could be changed behind our back, or is too large, is refused")
  func refusals() throws {
    let open = try MemoryFile(name: "open")
    _ = try unsafe open.append(upTo: 4) { _ in 4 }
    #expect(throws: SealedFile.Refusal.notSealed) {
      try SealedFile(adopting: duplicate(open.descriptor), limit: 100)
    }
    let pipe = try Pipe()
    let (readEnd, writeEnd) = pipe.ends()
    #expect(throws: SealedFile.Refusal.notSealed) {
      try SealedFile(adopting: OwnedFD(adopting: readEnd), limit: 100)
    }
    _ = close(writeEnd)
    let file = try sealed([1, 2, 3])
    #expect(throws: SealedFile.Refusal.tooLarge) {
      try SealedFile(adopting: duplicate(file.descriptor), limit: 2)
    }
  }
}
