/// Valid UTF-8 to COMPOUND_TEXT: ASCII and Latin-1 as they are, all else in UTF-8 segments.
///
/// The halves stay as they are at the beginning of every text, ASCII and ISO 8859-1, so no set is
/// ever designated. Like the programs on the other side, this leaves the segment as soon as it can,
/// so that a reader too old to know it loses no more than the characters inside.
enum CompoundTextEncoder {
  static func encode(_ utf8: UnsafeRawBufferPointer) -> EncodedText {
    var output: [UInt8] = []
    output.reserveCapacity(utf8.count + utf8.count / 4)
    var substitutions = 0
    var offset = 0
    while offset < utf8.count {
      let asciiEnd = unsafe UTF8Validation.endOfASCII(in: utf8, from: offset)
      let start = output.count
      unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[offset..<asciiEnd]))
      substitutions += output.replaceEscapes(from: start)
      offset = asciiEnd

      while offset < utf8.count, let byte = unsafe latin1(in: utf8, at: offset) {
        output.append(byte)
        offset += 2
      }

      var end = offset
      while end < utf8.count, unsafe utf8[end] >= 0x80, unsafe latin1(in: utf8, at: end) == nil {
        end += unsafe UTF8Sequence.validLength(lead: utf8[end])
      }
      if end > offset {
        output.appendEscape("%", "G")
        unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[offset..<end]))
        output.appendEscape("%", "@")
        offset = end
      }
    }
    return EncodedText(bytes: output, substitutions: substitutions)
  }

  /// The byte in ISO 8859-1's right half, if the character at `offset` is there.
  ///
  /// The controls U+0080 to U+009F are not: of those COMPOUND_TEXT allows CSI alone, and means something by it.
  @inline(__always)
  private static func latin1(in utf8: UnsafeRawBufferPointer, at offset: Int) -> UInt8? {
    guard utf8.count - offset >= 2 else { return nil }
    switch unsafe (utf8[offset], utf8[offset + 1]) {
    case (0xC2, let low) where low >= 0xA0: return low
    case (0xC3, let low): return low | 0x40
    default: return nil
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendEscape(_ intermediate: Unicode.Scalar, _ final: Unicode.Scalar) {
    append(0x1B)
    append(UInt8(ascii: intermediate))
    append(UInt8(ascii: final))
  }

  /// Puts `?` for every ESC: text that holds one would otherwise command the reader.
  fileprivate mutating func replaceEscapes(from start: Int) -> Int {
    var replaced = 0
    for index in start..<count where self[index] == 0x1B {
      self[index] = UInt8(ascii: "?")
      replaced += 1
    }
    return replaced
  }
}
