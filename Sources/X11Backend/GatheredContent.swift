internal import Pasteboard
internal import SystemIO

/// Content that comes property by property.
///
/// What is small stays where Xlib put it. Beyond, it is copied together: memory that Xlib allocates
/// anew for each property comes to the process page by page, which for long contents takes more time
/// than all the rest; so it is given back at once and the next property lands in the same place.
struct GatheredContent {
  private(set) var count = 0
  private var chunks: [ByteChunk] = []
  private var block: MemoryBlock?

  private static let directSize = 1 << 20
  private static let blockSize = 16 << 20

  var isEmpty: Bool { count == 0 }

  mutating func append(_ payload: Payload) {
    count += payload.count
    for chunk in payload.chunks {
      let copied = count > Self.directSize ? unsafe chunk.withUnsafeBytes { unsafe copy($0) } : 0
      guard copied < chunk.count else { continue }
      seal()
      chunks += Payload(chunks: [chunk])[copied..<chunk.count].chunks
    }
  }

  /// Copies bytes behind what is there; how many, which is less than all where no memory for another
  /// block can be had.
  private mutating func copy(_ bytes: UnsafeRawBufferPointer) -> Int {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      if block == nil || block?.isFull == true {
        seal()
        // What Xlib and its lower half put a property into is as large as the property.
        expectLargeBuffers()
        block = try? MemoryBlock(size: Self.blockSize)
      }
      guard let block else { break }
      unsafe rest = rest.dropFirst(block.append(UnsafeRawBufferPointer(rebasing: rest)))
    }
    return unsafe bytes.count - rest.count
  }

  private mutating func seal() {
    guard let sealed = block else { return }
    block = nil
    chunks.append(unsafe ByteChunk(unowned: sealed.bytes) { withExtendedLifetime(sealed) {} })
  }

  /// All that has come.
  mutating func take() -> Payload {
    seal()
    defer { self = GatheredContent() }
    return Payload(chunks: chunks)
  }
}
