internal import Glibc

/// The bytes of a cache in place, for the length of one question.
///
/// What leads outside of them is not there.
@safe struct MIMECacheBytes {
  private let bytes: UnsafeRawBufferPointer

  /// `bytes` must stay valid and unchanged as long as this is used.
  init(borrowing bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// The number at an offset, nil outside of the file.
  @inline(__always)
  func word(at offset: Int) -> Int? {
    guard offset >= 0, unsafe offset <= bytes.count &- 4 else { return nil }
    let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return Int(UInt32(bigEndian: word))
  }

  /// `count` entries of `size` bytes each, nil where they are not inside of the file.
  @inline(__always)
  func entries(at offset: Int, count: Int, size: Int) -> MIMECache.Entries? {
    // Numbers of the file have 32 bits, so neither sum nor product can overflow.
    guard offset >= 0, count >= 0, unsafe offset + count * size <= bytes.count else { return nil }
    return MIMECache.Entries(start: offset, count: count, stride: size)
  }

  /// The string at an offset without the NUL; nil where none ends in time.
  func string(at offset: Int) -> TextSlice? {
    guard offset >= 0, unsafe offset < bytes.count else { return nil }
    let limit = unsafe min(bytes.count - offset, MIMECache.stringLimit)
    guard let base = unsafe bytes.baseAddress,
      let end = unsafe memchr(base + offset, 0, limit)
    else { return nil }
    let count = unsafe UnsafeRawPointer(end) - (base + offset)
    return unsafe TextSlice(
      borrowing: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
  }

  /// The part of the file that a range names, which must be inside.
  func slice(_ range: Range<Int>) -> TextSlice { unsafe TextSlice(borrowing: bytes)[range] }

  /// How the string at an offset compares with `other`, byte for byte; nil where there is none.
  func compare(stringAt offset: Int, with other: TextSlice) -> Int? {
    guard offset >= 0 else { return nil }
    for index in 0..<other.count {
      guard unsafe offset &+ index < bytes.count else { return nil }
      let byte = unsafe bytes[offset &+ index]
      if byte != other[index] { return byte < other[index] ? -1 : 1 }
    }
    guard unsafe offset &+ other.count < bytes.count else { return nil }
    return unsafe bytes[offset &+ other.count] == 0 ? 0 : 1
  }
}
