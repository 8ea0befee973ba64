import Pasteboard
import Synchronization
import Testing
import TypeRegistry

@Suite("Payload")
struct PayloadTests {
  /// Chunks of 3, 0, 1 and 4 bytes that hold 0 to 7.
  private let chunked = Payload(chunks: [
    ByteChunk([0, 1, 2]), ByteChunk([]), ByteChunk([3]), ByteChunk([4, 5, 6, 7]),
  ])

  private func address(of payload: Payload, in range: Range<Int>) -> UInt {
    unsafe payload.withUnsafeBytes(in: range) { bytes in
      unsafe bytes.baseAddress.map { UInt(bitPattern: $0) } ?? 0
    }
  }

  @Test("Text becomes its UTF-8")
  func textBecomesUTF8() {
    #expect(Payload("é").bytes == [0xC3, 0xA9])
    #expect(Payload("").isEmpty)
  }

  @Test("An array comes back as it was")
  func arrayComesBack() {
    let payload = Payload([1, 2, 3])
    #expect(payload.bytes == [1, 2, 3])
    #expect(payload.count == 3)
    #expect(payload.chunks.count == 1)
  }

  @Test("Empty chunks are left out")
  func emptyChunksAreLeftOut() {
    #expect(chunked.chunks.map(\.count) == [3, 1, 4])
    #expect(chunked.count == 8)
    #expect(Payload(chunks: []).isEmpty)
    #expect(Payload(chunks: [ByteChunk([])]).chunks.isEmpty)
  }

  @Test("Every range reads as the same range of the array")
  func everyRangeReadsTheSame() {
    let all = Array<UInt8>(0..<8)
    for lower in 0...8 {
      for upper in lower...8 {
        let range = lower..<upper
        let read = unsafe chunked.withUnsafeBytes(in: range) { unsafe Array($0) }
        #expect(read == Array(all[range]))
        #expect(chunked[range].bytes == Array(all[range]))
        #expect(chunked[range].count == range.count)
      }
    }
    #expect(unsafe chunked.withUnsafeBytes { unsafe Array($0) } == all)
    #expect(chunked.bytes == all)
  }

  @Test("Every range of every range reads the same")
  func slicesOfSlices() {
    for lower in 0...8 {
      for upper in lower...8 {
        let part = chunked[lower..<upper]
        for start in 0...part.count {
          let expected = Array<UInt8>(UInt8(lower + start)..<UInt8(upper))
          #expect(part[start..<part.count].bytes == expected)
        }
      }
    }
  }

  @Test("A range within one chunk is read where it lies")
  func rangeWithinAChunkIsNotCopied() {
    let whole = address(of: chunked, in: 4..<8)
    #expect(address(of: chunked, in: 5..<7) == whole + 1)
    #expect(address(of: chunked, in: 4..<5) == whole)
  }

  @Test("A part shares the memory of the whole")
  func partsShareMemory() {
    let payload = Payload(Array(repeating: 7, count: 100))
    let start = address(of: payload, in: 0..<100)
    let part = payload[10..<90]
    #expect(address(of: part, in: 0..<80) == start + 10)
    #expect(address(of: part[5..<10], in: 0..<5) == start + 15)
    #expect(chunked[1..<6].chunks.map(\.count) == [2, 1, 2])
  }

  @Test("The chunks are handed out in order")
  func chunksInOrder() {
    var seen: [[UInt8]] = []
    unsafe chunked.forEachChunk { unsafe seen.append(Array($0)) }
    #expect(seen == [[0, 1, 2], [3], [4, 5, 6, 7]])
    unsafe Payload([]).forEachChunk { _ in Issue.record("an empty payload has no chunk") }
  }

  @Test("An error of the reader comes out with its type")
  func errorsComeOutTyped() {
    struct Stop: Error, Equatable {}
    func read() throws(Stop) {
      try unsafe chunked.withUnsafeBytes(in: 2..<5) { _ throws(Stop) in throw Stop() }
    }
    func walk() throws(Stop) {
      try unsafe chunked.forEachChunk { _ throws(Stop) in throw Stop() }
    }
    #expect(throws: Stop()) { try read() }
    #expect(throws: Stop()) { try walk() }
  }

  @Test("Payloads are equal by their bytes, however these are cut")
  func equalityIgnoresChunks() {
    #expect(chunked == Payload(Array(0..<8)))
    #expect(Payload(Array(0..<8)) == chunked)
    #expect(chunked[0..<7] != chunked[1..<8])
    #expect(chunked != chunked[0..<7])
    #expect(Payload([]) == Payload(chunks: []))
    let recut = Payload(chunks: [ByteChunk([0]), ByteChunk([1, 2, 3, 4]), ByteChunk([5, 6, 7])])
    #expect(chunked == recut)
  }

  @Test("Foreign memory is released once, by the last user")
  func foreignMemoryIsReleasedOnce() {
    let released = Counter()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
    unsafe memory.copyBytes(from: [9, 8, 7, 6] as [UInt8])
    var payload: Payload? = unsafe Payload(chunks: [
      ByteChunk(unowned: UnsafeRawBufferPointer(memory)) { released.increment() }
    ])
    var part = payload?[1..<3]
    var partOfPart = part?[1..<2]
    let start = UInt(bitPattern: memory.baseAddress)
    #expect(payload.map { address(of: $0, in: 0..<4) } == start)
    payload = nil
    #expect(part?.bytes == [8, 7])
    part = nil
    #expect(released.value == 0)
    #expect(partOfPart?.bytes == [7])
    partOfPart = nil
    #expect(released.value == 1)
    unsafe memory.deallocate()
  }

  @Test("Printing shows the size and never the bytes")
  func printingHidesTheBytes() {
    let payload = Payload("secret")
    var dumped = ""
    dump(payload, to: &dumped)
    dump(payload.chunks, to: &dumped)
    var item = PasteboardItem()
    item.set(payload, for: .utf8PlainText)
    dump(item, to: &dumped)
    let printed = "\(payload) \(payload.chunks) \(item) \(String(reflecting: item)) \(dumped)"
    #expect("\(payload)" == "Payload(6 bytes)")
    #expect(!printed.contains("secret"))
    #expect(!printed.contains("115"))  // the s
  }

  @Test("A range outside of the payload is a mistake of ours and traps")
  func rangeOutsideTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Payload([1, 2, 3])[2..<4]
    }
    await #expect(processExitsWith: .failure) {
      unsafe Payload([1, 2, 3]).withUnsafeBytes(in: -1..<2) { _ in }
    }
  }
}

/// Counts across threads.
final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func increment() { count.withLock { $0 += 1 } }
}
