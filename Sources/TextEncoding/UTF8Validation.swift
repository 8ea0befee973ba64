/// Whether bytes are UTF-8, at the speed of memory where they are ASCII.
///
/// Well-formed means Table 3-7 of the Unicode Standard: no overlong forms, no surrogates, nothing
/// over U+10FFFF.
package enum UTF8Validation {
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe firstInvalidOffset(in: bytes) == nil
  }

  /// Where the first byte stands that starts no well-formed sequence, or nil for valid UTF-8.
  package static func firstInvalidOffset(in bytes: UnsafeRawBufferPointer) -> Int? {
    unsafe firstInvalidOffset(in: bytes, from: 0)
  }

  /// Where the first byte of 0x80 or more stands, or the number of bytes if there is none.
  package static func asciiPrefixLength(of bytes: UnsafeRawBufferPointer) -> Int {
    unsafe endOfASCII(in: bytes, from: 0)
  }

  static func firstInvalidOffset(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var offset = start
    let end = bytes.count
    while true {
      offset = unsafe endOfASCII(in: bytes, from: offset)
      // Text beyond ASCII comes in runs: stay here until ASCII comes back.
      repeat {
        guard offset < end else { return nil }
        let length = unsafe UTF8Sequence.length(in: bytes, at: offset)
        guard length > 0 else { return offset }
        offset += length
      } while unsafe offset < end && bytes[offset] >= 0x80
    }
  }

  static func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let highBits: UInt64 = 0x8080_8080_8080_8080
    let end = bytes.count
    var offset = start
    // The compiler makes four loads of these.
    while end - offset >= 64 {
      let first = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let second = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
      let third = unsafe bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self)
      let fourth = unsafe bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self)
      let fifth = unsafe bytes.loadUnaligned(fromByteOffset: offset + 32, as: UInt64.self)
      let sixth = unsafe bytes.loadUnaligned(fromByteOffset: offset + 40, as: UInt64.self)
      let seventh = unsafe bytes.loadUnaligned(fromByteOffset: offset + 48, as: UInt64.self)
      let eighth = unsafe bytes.loadUnaligned(fromByteOffset: offset + 56, as: UInt64.self)
      let one = first | second | third | fourth
      let other = fifth | sixth | seventh | eighth
      guard (one | other) & highBits == 0 else { break }
      offset += 64
    }
    while end - offset >= 8 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let high = UInt64(littleEndian: word) & highBits
      guard high == 0 else { return offset + high.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < end, unsafe bytes[offset] < 0x80 {
      offset += 1
    }
    return offset
  }
}

/// One sequence of UTF-8 in foreign bytes.
enum UTF8Sequence {
  /// The length of the sequence that starts at `offset`; negative where it is ill-formed, and then
  /// the length of its maximal subpart, which one U+FFFD stands for (Unicode, section 3.9).
  @inline(__always)
  static func length(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    // Two and three bytes, which nearly all text beyond ASCII is made of, by one load and masks.
    if bytes.count - offset >= 4 {
      let word = unsafe UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      if word & 0x00C0_C0F0 == 0x0080_80E0 {
        // Under E0 0x20 of the second byte rules out overlong forms, under ED surrogates.
        let critical = word & 0x200F
        if critical != 0, critical != 0x200D { return 3 }
      } else if word & 0xC0E0 == 0x80C0, word & 0x1E != 0 {
        return 2
      }
    }
    return unsafe exactLength(in: bytes, at: offset)
  }

  @inline(never)
  private static func exactLength(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    let available = bytes.count - offset
    // The second byte's range keeps out overlong forms, surrogates and what lies over U+10FFFF.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    let length: Int
    switch unsafe bytes[offset] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xE1...0xEC, 0xEE...0xEF: length = 3
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    default: return -1
    }
    guard available > 1, unsafe second.contains(bytes[offset + 1]) else { return -1 }
    if length == 2 { return 2 }
    guard available > 2, unsafe bytes[offset + 2] & 0xC0 == 0x80 else { return -2 }
    if length == 3 { return 3 }
    guard available > 3, unsafe bytes[offset + 3] & 0xC0 == 0x80 else { return -3 }
    return 4
  }

  /// The length that the first byte of a sequence states, in text known to be valid.
  @inline(__always)
  static func validLength(lead: UInt8) -> Int {
    lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  }

  /// The scalar of a well-formed sequence of `length` bytes.
  @inline(__always)
  static func scalar(in bytes: UnsafeRawBufferPointer, at offset: Int, length: Int) -> UInt32 {
    let lead = unsafe UInt32(bytes[offset])
    switch length {
    case 1:
      return lead
    case 2:
      return unsafe (lead & 0x1F) << 6 | UInt32(bytes[offset + 1] & 0x3F)
    case 3:
      return unsafe (lead & 0x0F) << 12 | UInt32(bytes[offset + 1] & 0x3F) << 6
        | UInt32(bytes[offset + 2] & 0x3F)
    default:
      return unsafe (lead & 0x07) << 18 | UInt32(bytes[offset + 1] & 0x3F) << 12
        | UInt32(bytes[offset + 2] & 0x3F) << 6 | UInt32(bytes[offset + 3] & 0x3F)
    }
  }
}

extension [UInt8] {
  /// Appends foreign bytes that ought to be UTF-8, with U+FFFD for what is not.
  ///
  /// - Returns: whether anything had to be replaced.
  mutating func appendRepairingUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    var isLossy = false
    while let invalid = unsafe UTF8Validation.firstInvalidOffset(in: bytes, from: offset) {
      unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[offset..<invalid]))
      appendReplacementCharacter()
      offset = unsafe invalid - UTF8Sequence.length(in: bytes, at: invalid)
      isLossy = true
    }
    unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
    return isLossy
  }

  /// Appends U+FFFD, which stands for what cannot be decoded.
  mutating func appendReplacementCharacter() {
    append(0xEF)
    append(0xBF)
    append(0xBD)
  }

  /// Appends a scalar of the Basic Multilingual Plane as UTF-8.
  mutating func appendUTF8(_ value: UInt16) {
    if value >= 0x800 {
      append(0xE0 | UInt8(truncatingIfNeeded: value >> 12))
      append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
      append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    } else if value >= 0x80 {
      append(0xC0 | UInt8(truncatingIfNeeded: value >> 6))
      append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    } else {
      append(UInt8(truncatingIfNeeded: value))
    }
  }
}
