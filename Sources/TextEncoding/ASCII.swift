extension UInt8 {
  /// What the HTML standard calls ASCII white space.
  @inlinable
  package var isHTMLSpace: Bool {
    switch self {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: true
    default: false
    }
  }

  @inlinable
  package var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  @inlinable
  package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

  /// The value of a hexadecimal digit.
  @inlinable
  package var hexadecimalValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self) - 0x30
    case 0x41...0x46: UInt32(self) - 0x41 + 10
    case 0x61...0x66: UInt32(self) - 0x61 + 10
    default: nil
    }
  }

  /// Capitals made small.
  @inlinable
  package var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension [UInt8] {
  /// Whether `word`, which has no capitals, stands at `offset` in capitals or small letters.
  @inlinable
  package func hasWord(_ word: StaticString, at offset: Int) -> Bool {
    let length = word.utf8CodeUnitCount
    guard offset >= 0, offset <= count, count - offset >= length else { return false }
    return word.withUTF8Buffer { letters in
      for index in 0..<length
      where self[offset + index].lowercasedASCII != (unsafe letters[index]) {
        return false
      }
      return true
    }
  }

  /// Whether the bytes of `range` are `word`, which has no capitals, in capitals or small letters.
  @inlinable
  package func isWord(_ word: StaticString, in range: Range<Int>) -> Bool {
    range.count == word.utf8CodeUnitCount && hasWord(word, at: range.lowerBound)
  }

  /// The range without the white space at its ends.
  @inlinable
  package func trimmingSpace(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, self[start].isHTMLSpace { start += 1 }
    while start < end, self[end - 1].isHTMLSpace { end -= 1 }
    return start..<end
  }

  /// Appends a scalar value as UTF-8.
  @inlinable
  package mutating func appendUTF8(_ value: UInt32) {
    switch value {
    case 0..<0x80:
      append(UInt8(truncatingIfNeeded: value))
    case 0x80..<0x800:
      append(0xC0 | UInt8(truncatingIfNeeded: value >> 6))
      append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    case 0x800..<0x10000:
      append(0xE0 | UInt8(truncatingIfNeeded: value >> 12))
      append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
      append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    default:
      append(0xF0 | UInt8(truncatingIfNeeded: value >> 18))
      append(0x80 | UInt8(truncatingIfNeeded: value >> 12 & 0x3F))
      append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
      append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    }
  }
}
