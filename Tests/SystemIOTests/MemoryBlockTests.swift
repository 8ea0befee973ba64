import SystemIO
import Testing

@Suite("Memory block")
struct MemoryBlockTests {
  private func append(_ bytes: [UInt8], to block: MemoryBlock) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe block.append($0) }
  }

  @Test("What was put in is there, and begins where a large page does")
  func holdsBytes() throws {
    let block = try MemoryBlock(size: 1)
    #expect(block.count == 0)
    #expect(!block.isFull)
    #expect(append([1, 2, 3], to: block) == 3)
    #expect(append([], to: block) == 0)
    #expect(append([4], to: block) == 1)
    #expect(unsafe Array(block.bytes) == [1, 2, 3, 4])
    #expect(unsafe UInt(bitPattern: block.bytes.baseAddress) % (2 << 20) == 0)
  }

  @Test("It takes as much as there is room for and says how much that was")
  func isFull() throws {
    let block = try MemoryBlock(size: 3 << 20)
    let piece = [UInt8](repeating: 7, count: 3 << 20)
    #expect(append(piece, to: block) == 3 << 20)
    // Whole large pages.
    #expect(append(piece, to: block) == 1 << 20)
    #expect(block.isFull)
    #expect(block.count == 4 << 20)
    #expect(append(piece, to: block) == 0)
    #expect(unsafe block.bytes.allSatisfy { $0 == 7 })
  }

  @Test("A size that no memory has is an error")
  func tooLarge() {
    #expect(throws: Errno.noMemory) { try MemoryBlock(size: 1 << 60) }
  }
}
