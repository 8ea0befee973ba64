import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing

@testable import WaylandBackend

@Suite("Content that comes through a pipe")
struct StreamContentTests {
  /// A sink that takes so many pieces behind the head.
  private final class CountingSink: ContentSink {
    var taken: [UInt8] = []
    var target: String?
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
      target = head.target
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

  /// Reads what a pipe holds, after each of these has been written to it.
  private func read(_ pieces: [[UInt8]], into content: inout StreamContent) throws {
    let pipe = try Pipe()
    for piece in pieces {
      try Files.write(piece, to: pipe.writeEnd)
      var left = piece.count
      while left > 0 {
        guard case .done(let count) = try content.read(from: pipe.readEnd) else { continue }
        left -= count
      }
    }
  }

  private static let sizes = [1, 65_535, 1, 65_536] + Array(repeating: 60_001, count: 40)

  @Test(
    "What a sink takes is not held, what it declines is, and nothing comes twice",
    arguments: [0, 1 << 16, 1 << 20], [-1, 0, 1, 5, 1000])
  func sinks(minimumHead: Int, takes: Int) throws {
    let sink = CountingSink(minimumHead: minimumHead, takes: takes)
    var content = StreamContent(of: "a/b", into: sink)
    let all = scrambledBytes(Self.sizes.reduce(0, +))
    var start = 0
    let pieces = Self.sizes.map { size in
      defer { start += size }
      return Array(all[start..<start + size])
    }
    try read(pieces, into: &content)
    #expect(content.count == all.count)
    let held = content.take()
    #expect(difference(sink.taken + held.bytes, all) == nil)
    #expect(held.isEmpty == (takes == 1000))
    #expect(sink.target == (takes < 0 ? nil : "a/b"))
  }

  @Test("Nothing is handed on of what a pipe holds at first")
  func short() throws {
    let sink = CountingSink(minimumHead: 0, takes: 1000)
    var content = StreamContent(of: "a/b", into: sink)
    let bytes = scrambledBytes(65_536)
    try read([bytes], into: &content)
    #expect(sink.target == nil)
    #expect(content.take().bytes == bytes)
  }

  @Test("A sink that wants no more is heard")
  func unwanted() throws {
    var content = StreamContent(
      of: "a/b", into: CountingSink(minimumHead: 0, takes: 1, then: .brokenOff))
    for (count, isUnwanted) in [(65_536, false), (10, false), (10, false), (10, true)] {
      try read([[UInt8](repeating: 1, count: count)], into: &content)
      #expect(content.isUnwanted == isUnwanted)
    }
  }
}
