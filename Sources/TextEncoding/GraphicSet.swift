/// A set of graphic characters that COMPOUND_TEXT designates to its left or right half, and how its
/// bytes become characters.
///
/// A set has 94 or 96 characters, or 94 in each of several dimensions. In the left half (GL) the
/// bytes are 0x21–0x7E, in the right (GR) the same with the high bit set; the 96 sets, which go
/// right only, have 0xA0 and 0xFF besides.
enum GraphicSet: Equatable {
  /// ISO 646, perhaps with its national signs for backslash, tilde and dollar.
  case ascii(Variant)
  /// The Katakana half of JIS X 0201.
  case katakana
  /// The right half of ISO 8859-1.
  case latin1
  /// The right half of a charset that iconv knows.
  case rightHalf(Charset)
  /// Two bytes each, as in an EUC charset, where `prefix` chooses the plane.
  case doubleByte(Charset, prefix: [UInt8])
  /// Not known here: characters of so many bytes each.
  case unknown(width: Int)

  enum Variant {
    case international
    /// JIS X 0201 Roman and GB 1988 have yen and overline; GB 1988 keeps the backslash.
    case japanese
    case chinese
  }

  /// Bytes of one character.
  var width: Int {
    switch self {
    case .ascii, .katakana, .latin1, .rightHalf: 1
    case .doubleByte: 2
    case .unknown(let width): width
    }
  }

  /// Whether 0xA0 and 0xFF are characters of it.
  var has96Characters: Bool {
    switch self {
    case .latin1, .rightHalf: true
    case .ascii, .katakana, .doubleByte, .unknown: false
    }
  }

  /// The 94-character set with this final byte (Compound Text, section 4; ISO-IR numbers).
  static func set94(_ final: UInt8) -> GraphicSet {
    switch final {
    case UInt8(ascii: "B"), UInt8(ascii: "@"): .ascii(.international)
    case UInt8(ascii: "J"): .ascii(.japanese)
    case UInt8(ascii: "T"): .ascii(.chinese)
    case UInt8(ascii: "I"): .katakana
    default: .unknown(width: 1)
    }
  }

  /// The 96-character set with this final byte: the parts of ISO 8859 and their successors.
  static func set96(_ final: UInt8) -> GraphicSet {
    switch final {
    case UInt8(ascii: "A"): .latin1
    case UInt8(ascii: "B"): .rightHalf(.iso8859(2))
    case UInt8(ascii: "C"): .rightHalf(.iso8859(3))
    case UInt8(ascii: "D"): .rightHalf(.iso8859(4))
    case UInt8(ascii: "L"): .rightHalf(.iso8859(5))
    case UInt8(ascii: "G"): .rightHalf(.iso8859(6))
    case UInt8(ascii: "F"): .rightHalf(.iso8859(7))
    case UInt8(ascii: "H"): .rightHalf(.iso8859(8))
    case UInt8(ascii: "M"): .rightHalf(.iso8859(9))
    case UInt8(ascii: "V"): .rightHalf(.iso8859(10))
    case UInt8(ascii: "T"): .rightHalf(.iso8859(11))
    case UInt8(ascii: "Y"): .rightHalf(.iso8859(13))
    case UInt8(ascii: "_"): .rightHalf(.iso8859(14))
    case UInt8(ascii: "b"): .rightHalf(.iso8859(15))
    case UInt8(ascii: "f"): .rightHalf(.iso8859(16))
    default: .unknown(width: 1)
    }
  }

  /// The set of several bytes a character with this final byte.
  static func multiByte(_ final: UInt8) -> GraphicSet {
    switch final {
    case UInt8(ascii: "A"):
      return .doubleByte(.eucCN, prefix: [])
    case UInt8(ascii: "@"), UInt8(ascii: "B"):
      // JIS C 6226-1978 and JIS X 0208-1983 differ in the shapes of some characters only.
      return .doubleByte(.eucJP, prefix: [])
    case UInt8(ascii: "C"):
      return .doubleByte(.eucKR, prefix: [])
    case UInt8(ascii: "D"):
      // JIS X 0212 is what EUC-JP has behind single shift three.
      return .doubleByte(.eucJP, prefix: [0x8F])
    case UInt8(ascii: "G")...UInt8(ascii: "M"):
      // The planes 1 to 7 of CNS 11643; EUC-TW names them behind single shift two.
      return .doubleByte(.eucTW, prefix: [0x8E, 0xA1 + (final - UInt8(ascii: "G"))])
    case UInt8(ascii: "O"), UInt8(ascii: "Q"):
      return .doubleByte(.eucJISX0213, prefix: [])
    case UInt8(ascii: "P"):
      return .doubleByte(.eucJISX0213, prefix: [0x8F])
    // ISO 2022: the final byte tells the width.
    case 0x60..<0x70:
      return .unknown(width: 3)
    case 0x70...0x7E:
      return .unknown(width: 4)
    default:
      return .unknown(width: 2)
    }
  }
}

extension GraphicSet.Variant {
  /// The character of a byte 0x21–0x7E.
  func scalar(_ byte: UInt8) -> UInt16 {
    switch (self, byte) {
    case (.japanese, 0x5C), (.chinese, 0x24): 0xA5
    case (.japanese, 0x7E), (.chinese, 0x7E): 0x203E
    default: UInt16(byte)
    }
  }
}

extension Charset {
  fileprivate static func iso8859(_ part: Int) -> Charset { Charset(.other("ISO-8859-\(part)")) }
  fileprivate static let eucCN = Charset(.other("EUC-CN"))
  fileprivate static let eucJP = Charset(.other("EUC-JP"))
  fileprivate static let eucKR = Charset(.other("EUC-KR"))
  fileprivate static let eucTW = Charset(.other("EUC-TW"))
  fileprivate static let eucJISX0213 = Charset(.other("EUC-JISX0213"))
}
