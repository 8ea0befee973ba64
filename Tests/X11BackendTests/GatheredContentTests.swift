import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

@Suite("Content that comes in pieces")
struct GatheredContentTests {
  private func pieces(of sizes: [Int]) -> [[UInt8]] {
    let all = scrambledBytes(sizes.reduce(0, +))
    var start = 0
    return sizes.map { size in
      defer { start += size }
      return Array(all[start..<start + size])
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
    #expect(taken == Payload(scrambledBytes(sizes.reduce(0, +))))
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

  /// A sink that takes so many pieces behind the head.
  private final class CountingSink: ContentSink {
    var taken: [UInt8] = []
    let minimumHead: Int
    private var left: Int
    private let last: ContentSinkAnswer

    init(minimumHead: Int, takes left: Int, then last: ContentSinkAnswer = .declined) {
      self.minimumHead = minimumHead
      self.left = left
      self.last = last
    }

    func begin(_ head: ReceivedRepresentation) -> Bool {
      if left < 0 { return false }
      taken = head.payload.bytes
      return true
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> ContentSinkAnswer {
      if left == 0 { return last }
      left -= 1
      unsafe taken += [UInt8](bytes)
      return .taken
    }
  }

  @Test(
    "What a sink takes is not held, what it declines is, and nothing comes twice",
    arguments: [0, 1 << 16, 1 << 20], [-1, 0, 1, 5, 1000])
  func sinks(minimumHead: Int, takes: Int) {
    let sink = CountingSink(minimumHead: minimumHead, takes: takes)
    var content = GatheredContent(into: sink)
    let all = scrambledBytes(3_000_000)
    var start = 0
    for size in [3, 0, 60_000, 5532, 1] + Array(repeating: 300_001, count: 10) {
      let piece = Array(all[start..<min(start + size, all.count)])
      start += piece.count
      content.append(Payload(piece))
      content.handOn { head in
        ReceivedRepresentation(target: "a", typeName: "b", format: 8, payload: head)
      }
    }
    #expect(content.count == all.count)
    let held = content.take()
    #expect(difference(sink.taken + held.bytes, all) == nil)
    #expect(held.isEmpty == (takes == 1000))
    #expect(sink.taken.isEmpty == (takes < 0))
    // What comes before it is asked for is at least as much as it wants to see.
    if takes == 0 {
      #expect((max(minimumHead, 1 << 16)...(minimumHead + 400_000)).contains(sink.taken.count))
    }
  }

  @Test("A sink that wants no more is heard")
  func unwanted() {
    var content = GatheredContent(
      into: CountingSink(minimumHead: 0, takes: 1, then: .brokenOff))
    for (count, isUnwanted) in [(65_537, false), (10, false), (10, true)] {
      content.append(Payload([UInt8](repeating: 1, count: count)))
      content.handOn { head in
        ReceivedRepresentation(target: "a", typeName: "b", format: 8, payload: head)
      }
      #expect(content.isUnwanted == isUnwanted)
    }
  }
}
