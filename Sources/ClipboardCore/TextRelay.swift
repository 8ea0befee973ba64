internal import Pasteboard
internal import SystemIO

/// UTF-8 text that is passed on while it comes, without its closing NULs, as far as it is UTF-8.
struct TextRelay {
  /// What has come so far, as far as it is UTF-8.
  private(set) var validator = UTF8ChunkValidator()
  /// How many NULs were held back, since they may be closing ones.
  private var heldNULs = 0

  private static let zeros = ByteChunk([UInt8](repeating: 0, count: 1 << 12))

  /// What came and was not passed on: NULs, and the beginning of a character whose rest has not come.
  var heldBack: [ByteChunk] { nulChunks + [ByteChunk(validator.pending)] }

  private var nulChunks: [ByteChunk] {
    let size = Self.zeros.count
    let whole = [ByteChunk](repeating: Self.zeros, count: heldNULs / size)
    return whole + Payload(chunks: [Self.zeros])[0..<heldNULs % size].chunks
  }

  /// Passes on what came next; false, with nothing of it passed on, where it is not UTF-8.
  mutating func pass(
    _ piece: UnsafeRawBufferPointer, to write: (UnsafeRawBufferPointer) throws(Errno) -> Void
  ) throws(Errno) -> Bool {
    let before = validator
    guard unsafe validator.accept(piece) else {
      validator = before
      return false
    }
    // No character has ended in it.
    guard piece.count > validator.pending.count else { return true }
    var text = unsafe piece.dropLast(validator.pending.count)
    let closing = unsafe validator.isComplete ? closingNULs(of: text) : 0
    unsafe text = text.dropLast(closing)
    if unsafe !text.isEmpty {
      for chunk in nulChunks { try unsafe chunk.withUnsafeBytes(write) }
      heldNULs = 0
      if !before.isComplete { try unsafe ByteChunk(before.pending).withUnsafeBytes(write) }
      try unsafe write(UnsafeRawBufferPointer(rebasing: text))
    }
    heldNULs += closing
    return true
  }
}

/// How many NULs it ends with.
private func closingNULs(of bytes: Slice<UnsafeRawBufferPointer>) -> Int {
  var count = 0
  while unsafe count < bytes.count, unsafe bytes[bytes.endIndex - 1 - count] == 0 { count += 1 }
  return count
}
