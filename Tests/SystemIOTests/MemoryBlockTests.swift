import Glibc
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

  @Test("Room is given piece by piece, up to the end")
  func fillsUp() throws {
    let size = 5 << 20
    let block = try MemoryBlock(size: size + 3)
    var value: UInt8 = 0
    while !block.isFull {
      let added = try unsafe block.fill { room throws(Errno) in
        #expect(unsafe !room.isEmpty)
        value += 1
        unsafe room.initializeMemory(as: UInt8.self, repeating: value)
        return room.count
      }
      #expect(added > 0)
    }
    #expect(block.count == size + 3)
    let last = try unsafe block.fill { room throws(Errno) in room.count }
    #expect(last == 0)
    let bytes = unsafe Array(block.bytes)
    #expect(bytes.first == 1)
    #expect(bytes.last == value)
    // Each piece lies behind the one before.
    #expect(zip(bytes, bytes.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("What was left unfilled is filled next")
  func fillsWhatWasLeft() throws {
    let block = try MemoryBlock(size: 3 << 20)
    for number in 1...5 {
      let added = try unsafe block.fill { room throws(Errno) in
        unsafe room[0] = UInt8(number)
        return 1
      }
      #expect(added == 1)
    }
    #expect(unsafe Array(block.bytes) == [1, 2, 3, 4, 5])
  }

  @Test(
    "The first 2 MiB are small pages, and no more are there than the content takes",
    arguments: [(300_000, 1 << 19), (2 << 20, 2 << 20), (4 << 20, 4 << 20), (16 << 20, 16 << 20)])
  func smallPages(size: Int, most: Int) throws {
    let capacity = 16 << 20
    let block = try MemoryBlock(size: capacity)
    #expect(append([UInt8](repeating: 7, count: size), to: block) == size)
    let address = unsafe UInt(bitPattern: block.bytes.baseAddress)
    let flags = try #require(try flags(at: address))
    #expect(flags.contains("rd") && !flags.contains("hg"))
    let pageSize = Int(getpagesize())
    var pages = [UInt8](repeating: 0, count: capacity / pageSize)
    let result = unsafe mincore(UnsafeMutableRawPointer(bitPattern: address), capacity, &pages)
    try #require(result == 0)
    #expect(pages.reduce(0) { $0 + Int($1 & 1) } * pageSize <= most)
    withExtendedLifetime(block) {}
  }

  /// What the system says of the mapping that an address lies in (`VmFlags`).
  private func flags(at address: UInt) throws -> [Substring]? {
    let maps = String(decoding: try Files.read("/proc/self/smaps"), as: UTF8.self)
    var isInside = false
    for line in maps.split(separator: "\n") {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      if ends.count == 2 {
        isInside = (ends[0]..<ends[1]).contains(address)
      } else if isInside, line.hasPrefix("VmFlags:") {
        return line.split(separator: " ")
      }
    }
    return nil
  }
}
