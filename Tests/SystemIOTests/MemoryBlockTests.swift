import SystemIO
import TestSupport
import Testing

@Suite("Memory block")
struct MemoryBlockTests {
  private func append(_ bytes: [UInt8], to block: MemoryBlock) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe block.append($0) }
  }

  @Test("What was put in is there, piece behind piece")
  func holdsBytes() throws {
    let block = try MemoryBlock(size: 5)
    #expect(block.count == 0)
    #expect(!block.isFull)
    #expect(append([1, 2, 3], to: block) == 3)
    #expect(append([], to: block) == 0)
    #expect(append([4], to: block) == 1)
    #expect(unsafe Array(block.bytes) == [1, 2, 3, 4])
  }

  @Test("It takes as much as there is room for and says how much that was")
  func isFull() throws {
    let block = try MemoryBlock(size: 4 << 20)
    let piece = [UInt8](repeating: 7, count: 3 << 20)
    #expect(append(piece, to: block) == 3 << 20)
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

  @Test("It asks for no large pages: each would wait until the system has 2 MiB in a row")
  func smallPages() throws {
    let block = try MemoryBlock(size: 4 << 20)
    #expect(append([UInt8](repeating: 7, count: 4 << 20), to: block) == 4 << 20)
    let address = unsafe UInt(bitPattern: block.bytes.baseAddress)
    let maps = String(decoding: try Files.read("/proc/self/smaps"), as: UTF8.self)
    var flags: [Substring] = []
    var isInside = false
    for line in maps.split(separator: "\n") {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      if ends.count == 2 {
        isInside = (ends[0]..<ends[1]).contains(address)
      } else if isInside, line.hasPrefix("VmFlags:") {
        flags = line.split(separator: " ")
      }
    }
    #expect(flags.contains("rd") && !flags.contains("hg"))
    withExtendedLifetime(block) {}
  }
}
