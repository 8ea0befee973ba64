internal import Pasteboard
internal import SystemIO
internal import TextEncoding

/// UTF-8 text that is passed on while it comes, without its byte order mark and its closing NULs, as far
/// as it is UTF-8.
struct TextRelay {
  private var validator = UTF8ChunkValidator()
  /// How many NULs were held back, since they may be closing ones.
  private var heldNULs = 0
  private var isAtStart = true

  private static let zeros = ByteChunk([UInt8](repeating: 0, count: 1 << 16))

  /// The beginning of a character whose rest has not come.
  var pending: [UInt8] { validator.pending }

  /// Passes on what came next; false, with nothing of it passed on, where it is not UTF-8.
  ///
  /// - Parameter piece: The first one is long enough for a byte order mark.
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
    if isAtStart, unsafe text.starts(with: [0xEF, 0xBB, 0xBF]) { unsafe text = text.dropFirst(3) }
    isAtStart = false
    let closing = unsafe validator.isComplete ? closingNULs(of: text) : 0
    unsafe text = text.dropLast(closing)
    if unsafe !text.isEmpty {
      try unsafe release(to: write)
      if !before.isComplete { try unsafe ByteChunk(before.pending).withUnsafeBytes(write) }
      try unsafe write(UnsafeRawBufferPointer(rebasing: text))
    }
    heldNULs += closing
    return true
  }

  /// Passes on the NULs that were held back, which something follows.
  mutating func release(
    to write: (UnsafeRawBufferPointer) throws(Errno) -> Void
  ) throws(Errno) {
    while heldNULs > 0 {
      let count = min(heldNULs, Self.zeros.count)
      try unsafe Self.zeros.withUnsafeBytes { zeros throws(Errno) in
        try unsafe write(UnsafeRawBufferPointer(rebasing: zeros[..<count]))
      }
      heldNULs -= count
    }
  }
}

/// How many NULs it ends with.
private func closingNULs(of bytes: Slice<UnsafeRawBufferPointer>) -> Int {
  var count = 0
  while unsafe count < bytes.count, unsafe bytes[bytes.endIndex - 1 - count] == 0 { count += 1 }
  return count
}
