internal import Pasteboard
internal import SelectionCore
internal import SystemIO

/// Content that comes property by property.
///
/// What is small stays where Xlib put it. Beyond, it is copied together: memory that Xlib allocates
/// anew for each property comes to the process page by page, which for long contents takes more time
/// than all the rest; so it is given back at once and the next property lands in the same place. So it
/// does where a sink takes the content as it comes.
struct GatheredContent {
  /// The number of bytes that have come.
  private(set) var count = 0
  /// Whether the sink wants nothing more of it.
  private(set) var isUnwanted = false
  private var handover: ContentHandover?
  private var chunks: [ByteChunk] = []
  private var block: MemoryBlock?

  private static let directSize = 1 << 20
  private static let blockSize = 16 << 20

  init(into sink: (any ContentSink)? = nil) { handover = sink.map { ContentHandover(to: $0) } }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ payload: Payload) {
    count += payload.count
    for chunk in payload.chunks where !handOn(chunk) {
      let isLong = count > Self.directSize
      let copied = isLong ? unsafe chunk.withUnsafeBytes { unsafe copy($0) } : 0
      guard copied < chunk.count else { continue }
      seal()
      chunks += Payload(chunks: [chunk])[copied..<chunk.count].chunks
    }
  }

  /// Gives the sink what has come and will come, if it is long and there is one that takes it.
  ///
  /// - Parameter representation: What has come so far is the beginning of.
  mutating func handOn(_ representation: (Payload) -> ReceivedRepresentation) {
    guard handover?.isDue(at: count) == true else { return }
    seal()
    let head = Payload(chunks: chunks)
    guard handover?.begin(representation(head)) == true else { return }
    expectLargeBuffers()
    chunks = []
  }

  /// Whether the sink has the chunk now.
  private mutating func handOn(_ chunk: ByteChunk) -> Bool {
    guard handover?.isUnderWay == true else { return false }
    switch unsafe chunk.withUnsafeBytes({ unsafe handover?.take($0) }) {
    case .taken: return true
    case .brokenOff:
      isUnwanted = true
      return true
    case .declined, nil: return false
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

  /// All that has come and was not handed on.
  mutating func take() -> Payload {
    seal()
    defer { self = GatheredContent() }
    return Payload(chunks: chunks)
  }
}
