/// Memory owned by whoever allocated it, given back when the last user lets go.
///
/// A chunk is what arrives in one piece: an array, a property that Xlib allocated, a mapped memory
/// file. It is never copied and never changes, so that it may be read on any thread.
@safe
public final class ByteChunk: @unchecked Sendable {
  // Unchecked: the bytes never change while the chunk lives (whoever calls `init(unowned:release:)`
  // promises it), every stored property is constant, and the release closure is Sendable.

  @safe
  private enum Storage {
    case array([UInt8])
    case unowned(UnsafeRawBufferPointer, release: @Sendable () -> Void)
    case part(of: ByteChunk, Range<Int>)
  }

  /// Where the bytes lie in a file as well, which stays open and unchanged as long as the chunk lives.
  package struct FilePlace: Hashable, Sendable {
    package let descriptor: Int32
    package let offset: Int
  }

  private let storage: Storage

  /// The number of bytes.
  public let count: Int

  /// For whoever can send from a file what needs not be looked at.
  package let filePlace: FilePlace?

  /// A chunk of the bytes of an array, which it shares.
  public init(_ bytes: [UInt8]) {
    storage = .array(bytes)
    count = bytes.count
    filePlace = nil
  }

  /// A chunk of memory that somebody else allocated.
  ///
  /// The memory must stay as it is until `release` is called. That happens once, on the thread that
  /// lets go of the last reference.
  public init(unowned base: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
    storage = unsafe .unowned(base, release: release)
    count = base.count
    filePlace = nil
  }

  /// A chunk of a mapped file, from its beginning.
  package init(
    mapped base: UnsafeRawBufferPointer, of descriptor: Int32,
    release: @escaping @Sendable () -> Void
  ) {
    storage = unsafe .unowned(base, release: release)
    count = base.count
    filePlace = FilePlace(descriptor: descriptor, offset: 0)
  }

  /// Part of another chunk, which it keeps alive.
  ///
  /// Parts of parts go back to the whole at once, so that cutting again and again builds no chain.
  private init(part range: Range<Int>, of chunk: ByteChunk) {
    if case .part(let whole, let part) = chunk.storage {
      let start = part.lowerBound + range.lowerBound
      storage = .part(of: whole, start..<start + range.count)
    } else {
      storage = .part(of: chunk, range)
    }
    count = range.count
    filePlace = chunk.filePlace.map {
      FilePlace(descriptor: $0.descriptor, offset: $0.offset + range.lowerBound)
    }
  }

  deinit {
    if case .unowned(_, let release) = storage { release() }
  }

  /// Whether there are no bytes.
  public var isEmpty: Bool { count == 0 }

  /// Calls `body` with the bytes.
  ///
  /// The pointer must not leave `body`.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    switch storage {
    case .array(let bytes):
      return try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(E) -> R in
        try unsafe body(UnsafeRawBufferPointer(bytes))
      }
    case .unowned(let base, _):
      return try unsafe body(base)
    case .part(let whole, let range):
      return try unsafe whole.withUnsafeBytes { (bytes) throws(E) -> R in
        try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[range]))
      }
    }
  }

  /// The array that this chunk shares, if it is one.
  var array: [UInt8]? {
    guard case .array(let bytes) = storage else { return nil }
    return bytes
  }

  /// The bytes of `range` as a chunk of their own that shares this memory.
  func part(_ range: Range<Int>) -> ByteChunk {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "range outside of the chunk")
    return range.count == count ? self : ByteChunk(part: range, of: self)
  }
}

// Content of a clipboard never shows in logs, traps or test output; its size may.
extension ByteChunk: CustomStringConvertible, CustomReflectable {
  /// The size; never the bytes.
  public var description: String { "ByteChunk(\(count) bytes)" }

  /// A mirror that shows the size only.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
