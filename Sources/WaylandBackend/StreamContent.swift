internal import Pasteboard
internal import SelectionCore
internal import SystemIO

/// Content that comes in pieces of any size: few bytes in an array, many in large blocks, read
/// straight to where they stay, or handed on from there to a sink.
struct StreamContent {
  /// The number of bytes that have come.
  private(set) var count = 0
  /// Whether the sink wants nothing more of it.
  private(set) var isUnwanted = false
  private let target: String
  private var handover: ContentHandover?
  private var head: [UInt8] = []
  private var chunks: [ByteChunk] = []
  private var block: MemoryBlock?

  /// As much as a pipe holds at first.
  static let headSize = IncomingStream.pipeSize
  private static let blockSize = 16 << 20

  init(of target: String, into sink: (any ContentSink)? = nil) {
    self.target = target
    handover = sink.map { ContentHandover(to: $0) }
  }

  /// Reads once; 0 at the end.
  mutating func read(from file: borrowing OwnedFD) throws(Errno) -> IOResult<Int> {
    if count < Self.headSize {
      let result = try readHead(from: file)
      if case .done(let more) = result { count += more }
      return result
    }
    let result = try readBlock(from: file)
    guard case .done(let more) = result else { return result }
    count += more
    handOn()
    return result
  }

  private mutating func readHead(from file: borrowing OwnedFD) throws(Errno) -> IOResult<Int> {
    let room = Self.headSize - count
    let descriptor = file.rawValue
    var failure: Errno?
    var result = IOResult<Int>.wouldBlock
    let more = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      do throws(Errno) {
        result = try unsafe readAvailable(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
        if case .done(let count) = result { filled = count }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    if head.isEmpty { head = more } else { head += more }
    return result
  }

  private mutating func readBlock(from file: borrowing OwnedFD) throws(Errno) -> IOResult<Int> {
    if block == nil || block?.isFull == true {
      seal()
      block = try MemoryBlock(size: Self.blockSize)
    }
    guard let block else { return .wouldBlock }
    let descriptor = file.rawValue
    var result = IOResult<Int>.wouldBlock
    _ = try unsafe block.fill { room throws(Errno) in
      result = try unsafe readAvailable(descriptor, into: room)
      if case .done(let count) = result { return count }
      return 0
    }
    return result
  }

  /// Gives the sink what has come, if there is one that takes it.
  ///
  /// The block is filled again from its beginning then: all goes through memory that the processor has
  /// at hand.
  private mutating func handOn() {
    if handover?.isDue(at: count) == true {
      seal()
      let whole = Payload(chunks: [ByteChunk(head)] + chunks)
      if handover?.begin(ReceivedRepresentation(target, whole)) == true {
        head = []
        chunks = []
      }
      return
    }
    guard let block, handover?.isUnderWay == true else { return }
    switch unsafe handover?.take(block.bytes) {
    case .taken: block.removeAll()
    case .brokenOff: isUnwanted = true
    case .declined, nil: break
    }
  }

  private mutating func seal() {
    guard let sealed = block else { return }
    block = nil
    chunks.append(unsafe ByteChunk(unowned: sealed.bytes) { withExtendedLifetime(sealed) {} })
  }

  /// All that has come and was not handed on.
  mutating func take() -> Payload {
    seal()
    defer { self = StreamContent(of: target) }
    return chunks.isEmpty ? Payload(head) : Payload(chunks: [ByteChunk(head)] + chunks)
  }
}

extension ReceivedRepresentation {
  /// As it comes through a pipe, where what is asked for is what is given.
  init(_ target: String, _ payload: Payload) {
    self.init(target: target, typeName: target, format: 8, payload: payload)
  }
}
