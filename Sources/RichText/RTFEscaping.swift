extension [UInt8] {
  /// Appends a control word that has a number behind it; no blank ends it.
  mutating func append(_ word: StaticString, _ number: Int) {
    append(word)
    append(decimal: number)
  }

  /// Appends text as RTF: ASCII, and escapes in place of what is not.
  ///
  /// Line feeds are line breaks. Control characters, which RTF has no place for, are left out.
  mutating func appendRTF(escaping text: ArraySlice<UInt8>) {
    var start = text.startIndex
    var offset = start
    let end = text.endIndex
    while offset < end {
      let byte = text[offset]
      if byte.standsForItselfInRTF {
        offset += 1
        continue
      }
      append(contentsOf: text[start..<offset])
      if byte < 0x80 {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"):
          append(UInt8(ascii: "\\"))
          append(byte)
        case 0x09: append("\\tab " as StaticString)
        case .lineFeed: append("\\line " as StaticString)
        default: break
        }
        offset += 1
      } else {
        var scalar = UInt32(byte)
        var length = 1
        switch byte {
        case 0xF0...: (scalar, length) = (scalar & 0x07, 4)
        case 0xE0...: (scalar, length) = (scalar & 0x0F, 3)
        default: (scalar, length) = (scalar & 0x1F, 2)
        }
        for next in text[offset...].prefix(length).dropFirst() {
          scalar = scalar << 6 | UInt32(next & 0x3F)
        }
        appendRTF(scalar: scalar)
        offset = Swift.min(offset + length, end)
      }
      start = offset
    }
    append(contentsOf: text[start..<end])
  }

  /// Appends a character that is not ASCII, with a question mark for readers that know no Unicode.
  private mutating func appendRTF(scalar: UInt32) {
    switch scalar {
    case 0xA0: append("\\~" as StaticString)
    case 0xAD: append("\\-" as StaticString)
    case 0x2011: append("\\_" as StaticString)
    case 0x2028, 0x2029: append("\\line " as StaticString)
    case 0..<0x1_0000: appendRTF(unit: UInt16(truncatingIfNeeded: scalar))
    default:
      appendRTF(unit: UInt16(truncatingIfNeeded: 0xD800 + (scalar - 0x1_0000) >> 10))
      appendRTF(unit: UInt16(truncatingIfNeeded: 0xDC00 + (scalar - 0x1_0000) & 0x3FF))
    }
  }

  /// The number is signed, 16 bits wide.
  private mutating func appendRTF(unit: UInt16) {
    append("\\u", Int(Int16(bitPattern: unit)))
    append(UInt8(ascii: "?"))
  }

  /// Appends a URL in a field: escaped by percent signs wherever a field or RTF could take offence.
  mutating func appendRTF(url: String) {
    for byte in url.utf8 {
      switch byte {
      case 0x21, 0x23...0x5B, 0x5D...0x7A, UInt8(ascii: "|"), UInt8(ascii: "~"): append(byte)
      default:
        append(UInt8(ascii: "%"))
        append(UInt8.hexadecimalDigit(byte >> 4))
        append(UInt8.hexadecimalDigit(byte & 0x0F))
      }
    }
  }
}

extension UInt8 {
  @inline(__always)
  fileprivate var standsForItselfInRTF: Bool {
    self >= 0x20 && self < 0x7F && self != UInt8(ascii: "\\") && self != UInt8(ascii: "{")
      && self != UInt8(ascii: "}")
  }
}
