internal import Glibc

/// Immutable bytes that are never copied when handed on: a list of chunks, mostly of one.
///
/// ```swift
/// let payload = Payload("# Title\n")
/// payload[2..<7]                                    // shares the memory
/// unsafe payload.withUnsafeBytes { unsafe $0.count }  // 8
/// ```
///
/// What arrives in pieces stays in pieces; whoever needs bytes in a row asks for them with
/// ``withUnsafeBytes(in:_:)``, which gathers only what crosses the border of two chunks. Finding a
/// position takes logarithmic time in the number of chunks.
public struct Payload: Sendable {
  // One chunk is the common case and needs no list; several carry the offset at which each ends.
  private enum Storage {
    case one(ByteChunk)
    case several([ByteChunk], ends: [Int])
  }

  private static let nothing = ByteChunk([])

  private let storage: Storage

  /// A payload of the bytes of an array, which it shares.
  public init(_ bytes: [UInt8]) {
    storage = .one(bytes.isEmpty ? Self.nothing : ByteChunk(bytes))
  }

  /// A payload of the text in UTF-8.
  public init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// A payload of chunks in a row; empty ones are left out.
  public init(chunks: [ByteChunk]) {
    let chunks = chunks.filter { !$0.isEmpty }
    guard chunks.count > 1 else {
      storage = .one(chunks.first ?? Self.nothing)
      return
    }
    var end = 0
    let ends = chunks.map { chunk in
      end += chunk.count
      return end
    }
    storage = .several(chunks, ends: ends)
  }

  /// The number of bytes.
  public var count: Int {
    switch storage {
    case .one(let chunk): chunk.count
    case .several(_, let ends): ends[ends.count - 1]
    }
  }

  /// Whether there are no bytes, which is content all the same.
  public var isEmpty: Bool { count == 0 }

  /// The chunks in a row; none is empty, and an empty payload has none.
  public var chunks: [ByteChunk] {
    switch storage {
    case .one(let chunk): chunk.isEmpty ? [] : [chunk]
    case .several(let chunks, _): chunks
    }
  }

  /// All bytes in an array: the one that it was made of, else a copy.
  public var bytes: [UInt8] {
    if case .one(let chunk) = storage, let array = chunk.array { return array }
    return gathered(0..<count)
  }

  /// The bytes of `range` as a payload that shares the memory of this one.
  public subscript(range: Range<Int>) -> Payload {
    check(range)
    guard range.count < count else { return self }
    var parts: [ByteChunk] = []
    forEachPart(of: range) { chunk, part in parts.append(chunk.part(part)) }
    return Payload(chunks: parts)
  }

  /// Calls `body` with all bytes in a row.
  ///
  /// Costs nothing with one chunk; several are gathered into a temporary copy. The pointer must not
  /// leave `body`.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe withUnsafeBytes(in: 0..<count, body)
  }

  /// Calls `body` with the bytes of `range` in a row.
  ///
  /// They come straight from their chunk where the range lies in one, else gathered into a
  /// temporary copy of the range. The pointer must not leave `body`.
  public func withUnsafeBytes<R, E: Error>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    check(range)
    let (chunk, start) = chunk(at: range.lowerBound)
    let part = range.lowerBound - start..<range.upperBound - start
    guard part.upperBound <= chunk.count else {
      return try unsafe ByteChunk(gathered(range)).withUnsafeBytes(body)
    }
    return try unsafe chunk.withUnsafeBytes { (bytes) throws(E) -> R in
      try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[part]))
    }
  }

  /// Calls `body` with the bytes of each chunk, in order.
  ///
  /// No pointer may leave `body`.
  public func forEachChunk<E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    switch storage {
    case .one(let chunk):
      guard !chunk.isEmpty else { return }
      try unsafe chunk.withUnsafeBytes(body)
    case .several(let chunks, _):
      for chunk in chunks { try unsafe chunk.withUnsafeBytes(body) }
    }
  }

  private func check(_ range: Range<Int>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "range outside of the payload")
  }

  /// The chunk that holds `position` and where it starts; at the very end the last one.
  private func chunk(at position: Int) -> (ByteChunk, start: Int) {
    switch storage {
    case .one(let chunk):
      return (chunk, 0)
    case .several(let chunks, let ends):
      let index = Self.index(of: position, in: ends)
      return (chunks[index], index == 0 ? 0 : ends[index - 1])
    }
  }

  /// The first chunk that ends behind `position`; at the very end the last one.
  private static func index(of position: Int, in ends: [Int]) -> Int {
    var low = 0
    var high = ends.count - 1
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > position { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Calls `body` with every chunk that `range` touches and the part of it that lies in `range`.
  private func forEachPart(of range: Range<Int>, _ body: (ByteChunk, Range<Int>) -> Void) {
    switch storage {
    case .one(let chunk):
      body(chunk, range)
    case .several(let chunks, let ends):
      var position = range.lowerBound
      var index = Self.index(of: position, in: ends)
      while position < range.upperBound {
        let start = ends[index] - chunks[index].count
        let end = min(range.upperBound, ends[index])
        body(chunks[index], position - start..<end - start)
        position = end
        index += 1
      }
    }
  }

  private func gathered(_ range: Range<Int>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      let target = UnsafeMutableRawBufferPointer(buffer)
      forEachPart(of: range) { chunk, part in
        unsafe chunk.withUnsafeBytes { bytes in
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[initialized...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[part]))
        }
        initialized += part.count
      }
    }
  }
}

extension Payload: Equatable {
  /// Whether both hold the same bytes, however these are cut into chunks.
  public static func == (one: Payload, other: Payload) -> Bool {
    guard one.count == other.count else { return false }
    if case .one(let chunk) = one.storage, case .one(let same) = other.storage, chunk === same {
      return true
    }
    var position = 0
    for chunk in one.chunks {
      let equal = unsafe chunk.withUnsafeBytes { bytes in
        unsafe other.matches(bytes, at: position)
      }
      guard equal else { return false }
      position += chunk.count
    }
    return true
  }

  private func matches(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    var equal = true
    var offset = 0
    forEachPart(of: position..<position + bytes.count) { chunk, part in
      guard equal else { return }
      equal = unsafe chunk.withUnsafeBytes { own in
        guard let one = own.baseAddress, let other = bytes.baseAddress else {
          return part.isEmpty
        }
        return unsafe memcmp(one + part.lowerBound, other + offset, part.count) == 0
      }
      offset += part.count
    }
    return equal
  }
}

// Content of a clipboard never shows in logs, traps or test output; its size may.
extension Payload: CustomStringConvertible, CustomReflectable {
  /// The size; never the bytes.
  public var description: String { "Payload(\(count) bytes)" }

  /// A mirror that shows the size only.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
