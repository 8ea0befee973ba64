internal import Glibc

/// Borrowed bytes of an identifier or a tag, with the hash and the comparison that look-ups need.
///
/// A slice does not own its bytes. It is made either from a string, for the length of one closure
/// (`String.withTextSlice`), or from the declarations of a registry, which outlive it. Every access
/// is checked against `count`, so bytes from outside cannot lead out of the slice.
///
/// Hash and comparison go eight bytes at a time. The last, incomplete word is read so that it
/// overlaps bytes already seen (or, in slices shorter than a word, itself): any rule will do as
/// long as it depends on the bytes and the length alone.
@safe struct TextSlice {
  private let bytes: UnsafeRawBufferPointer

  /// `bytes` must stay valid and unchanged as long as the slice is used.
  init(borrowing bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
  }

  var count: Int { unsafe bytes.count }
  var isEmpty: Bool { count == 0 }

  @inline(__always)
  subscript(_ index: Int) -> UInt8 {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "byte outside the slice")
    return unsafe bytes[index]
  }

  /// The part of the slice that `range` names.
  subscript(_ range: Range<Int>) -> TextSlice {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the slice")
    return unsafe TextSlice(borrowing: UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  /// The bytes as a string; what is not UTF-8 is replaced.
  var string: String {
    unsafe String(decoding: bytes, as: UTF8.self)
  }

  var isValidUTF8: Bool {
    unsafe String(validating: bytes, as: UTF8.self) != nil
  }

  /// The first position of `byte` in `range`.
  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the slice")
    guard let base = unsafe bytes.baseAddress,
      let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - base
  }

  /// The first position from `start` on of a byte below the hyphen, `count` when there is none.
  ///
  /// All that divides declarations lies there (tab, line end, quotes, comma), and hardly anything
  /// of names does, so this finds the next divider eight bytes at a time.
  func firstIndexBelowHyphen(from start: Int) -> Int {
    var index = start
    while index &+ 8 <= count {
      let word = word(at: index).littleEndian
      // Marks the high bit of bytes below 0x2d; a borrow can only disturb bytes behind the first.
      let marks = (word &- 0x2d2d_2d2d_2d2d_2d2d) & ~word & 0x8080_8080_8080_8080
      if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, self[index] >= 0x2d { index &+= 1 }
    return index
  }

  func contains(_ byte: UInt8) -> Bool {
    unsafe bytes.contains(byte)
  }

  func hasPrefix(_ prefix: TextSlice) -> Bool {
    count >= prefix.count && self[0..<prefix.count].isEqual(to: prefix, folding: false)
  }

  // MARK: Words

  @inline(__always)
  private func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset &+ 8 <= count, "word outside the slice")
    return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private func halfWord(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset &+ 4 <= count, "word outside the slice")
    return unsafe UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The word that closes the slice.
  @inline(__always)
  private var lastWord: UInt64 {
    if count >= 8 { return word(at: count &- 8) }
    if count >= 4 { return halfWord(at: 0) | halfWord(at: count &- 4) << 32 }
    if count == 0 { return 0 }
    return UInt64(self[0]) | UInt64(self[count >> 1]) << 8 | UInt64(self[count &- 1]) << 16
  }

  /// The word with its ASCII capitals made small, all eight bytes at once.
  @inline(__always)
  private static func folded(_ word: UInt64) -> UInt64 {
    let low = word & 0x7f7f_7f7f_7f7f_7f7f
    // The high bit of a byte is set in the first sum from 'A' on, in the second from 'Z' + 1 on.
    let fromA = low &+ 0x3f3f_3f3f_3f3f_3f3f
    let afterZ = low &+ 0x2525_2525_2525_2525
    let capitals = (fromA ^ afterZ) & ~word & 0x8080_8080_8080_8080
    return word | capitals >> 2
  }

  /// A hash of the bytes, with ASCII capitals made small where `folding` says so.
  func hash(seed: UInt64, folding: Bool) -> UInt32 {
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    func mix(_ word: UInt64) {
      hash = (hash ^ (folding ? Self.folded(word) : word)) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 29
    }
    var offset = 0
    while offset &+ 8 < count {
      mix(word(at: offset))
      offset &+= 8
    }
    mix(lastWord)
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// Whether both have the same bytes, apart from the case of ASCII letters where `folding` says
  /// so.
  func isEqual(to other: TextSlice, folding: Bool) -> Bool {
    guard count == other.count else { return false }
    func differ(_ left: UInt64, _ right: UInt64) -> Bool {
      left != right && (!folding || Self.folded(left) != Self.folded(right))
    }
    var offset = 0
    while offset &+ 8 < count {
      if differ(word(at: offset), other.word(at: offset)) { return false }
      offset &+= 8
    }
    return !differ(lastWord, other.lastWord)
  }
}

extension TextSlice: ExpressibleByStringLiteral {
  /// A slice over a literal, whose bytes live as long as the program.
  init(stringLiteral literal: StaticString) {
    unsafe self.init(
      borrowing: UnsafeRawBufferPointer(
        start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }
}

extension String {
  /// Calls `body` with the UTF-8 of the string, which must not leave it.
  func withTextSlice<Result>(_ body: (TextSlice) -> Result) -> Result {
    let direct = unsafe utf8.withContiguousStorageIfAvailable { buffer in
      unsafe body(TextSlice(borrowing: UnsafeRawBufferPointer(buffer)))
    }
    if let direct { return direct }
    // Not contiguous (bridged or lazily built): a native copy is.
    var copy = self
    return copy.withUTF8 { buffer in
      unsafe body(TextSlice(borrowing: UnsafeRawBufferPointer(buffer)))
    }
  }

  /// The string with its ASCII capitals made small; other letters keep their case.
  var asciiLowercased: String {
    guard utf8.contains(where: { $0 >= 0x41 && $0 <= 0x5a }) else { return self }
    return String(decoding: utf8.map { $0.asciiLowercased }, as: UTF8.self)
  }
}

extension UInt8 {
  /// The byte, made small where it is an ASCII capital.
  var asciiLowercased: UInt8 {
    self >= 0x41 && self <= 0x5a ? self | 0x20 : self
  }
}
