import Pasteboard
import TestSupport
import Testing

@testable import X11Backend

@Suite("Content that comes in pieces")
struct GatheredContentTests {
  private func pieces(of sizes: [Int]) -> [[UInt8]] {
    var numbers = SeededGenerator(seed: 11)
    return sizes.map { size in
      let first = UInt8.random(in: .min ... .max, using: &numbers)
      return (0..<size).map { first &+ UInt8(truncatingIfNeeded: $0 &* 7) }
    }
  }

  @Test(
    "What is taken is what came, byte for byte",
    arguments: [
      [], [0], [1], [1 << 20], [1 << 20, 1], [(1 << 20) + 1], [3, 0, 5],
      [1 << 19, 1 << 19, 1, 0, 7],
      // Beyond one block, and pieces over the edge of one.
      [1 << 20, 16 << 20, 3], [5 << 20, 5 << 20, 5 << 20, 5 << 20],
    ])
  func bytesStay(sizes: [Int]) {
    var content = GatheredContent()
    let pieces = pieces(of: sizes)
    for piece in pieces { content.append(Payload(piece)) }
    #expect(content.count == sizes.reduce(0, +))
    #expect(content.isEmpty == (content.count == 0))
    let taken = content.take()
    #expect(taken == Payload(Array(pieces.joined())))
    #expect(content.isEmpty)
    #expect(content.take().isEmpty)
  }

  @Test("A small value stays where it came, a long one ends in few large pieces")
  func piecesAreFew() {
    var content = GatheredContent()
    let small = ByteChunk([1, 2, 3])
    content.append(Payload(chunks: [small]))
    #expect(content.take().chunks.first === small)
    for piece in pieces(of: Array(repeating: 1 << 16, count: 320)) {
      content.append(Payload(piece))
    }
    // Sixteen of the first mebibyte, and what 19 MiB fill of blocks.
    #expect(content.take().chunks.count == 18)
  }
}
