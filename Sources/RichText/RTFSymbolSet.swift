/// A font of pictures and signs in place of letters, which no code page describes.
enum RTFSymbolSet: Hashable {
  case symbol
  case wingdings
  case other

  /// The set of the font with this name.
  init(fontName: String) {
    let name = fontName.lowercased()
    if name.hasPrefix("symbol") || name.hasPrefix("standard symbols") {
      self = .symbol
    } else if name.hasPrefix("wingdings"), !name.hasSuffix("2"), !name.hasSuffix("3") {
      self = .wingdings
    } else {
      self = .other
    }
  }

  /// What shows the glyph that the font has for `byte`.
  ///
  /// Without a counterpart in Unicode it is U+F000 and up, the private area where the fonts
  /// themselves have their glyphs. ASCII in a font that is not known is most often just ASCII.
  func scalar(for byte: UInt8) -> UInt32 {
    if byte <= 0x20 { return UInt32(byte) }
    switch self {
    case .symbol:
      let scalar = RTFSymbolSet.symbolScalars[Int(byte) - 0x20]
      if scalar != 0 { return scalar }
    case .wingdings:
      if let scalar = RTFSymbolSet.wingdingsScalars[byte] { return scalar }
    case .other:
      if byte < 0x7F { return UInt32(byte) }
      // The bullets of Symbol and of Wingdings.
      if byte == 0xB7 || byte == 0xA7 { return 0x2022 }
    }
    return 0xF000 | UInt32(byte)
  }

  /// Adobe's Symbol encoding from 0x20 on.
  private static let symbolScalars = RTFCodePageTables.scalars(
    in:
      """
      0020 0021 2200 0023 2203 0025 0026 220D 0028 0029 2217 002B 002C 2212 002E 002F
      0030 0031 0032 0033 0034 0035 0036 0037 0038 0039 003A 003B 003C 003D 003E 003F
      2245 0391 0392 03A7 0394 0395 03A6 0393 0397 0399 03D1 039A 039B 039C 039D 039F
      03A0 0398 03A1 03A3 03A4 03A5 03C2 03A9 039E 03A8 0396 005B 2234 005D 22A5 005F
      203E 03B1 03B2 03C7 03B4 03B5 03C6 03B3 03B7 03B9 03D5 03BA 03BB 03BC 03BD 03BF
      03C0 03B8 03C1 03C3 03C4 03C5 03D6 03C9 03BE 03C8 03B6 007B 007C 007D 223C 0000
      0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000
      0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000
      20AC 03D2 2032 2264 2044 221E 0192 2663 2666 2665 2660 2194 2190 2191 2192 2193
      00B0 00B1 2033 2265 00D7 221D 2202 2022 00F7 2260 2261 2248 2026 23D0 23AF 21B5
      2135 2111 211C 2118 2297 2295 2205 2229 222A 2283 2287 2284 2282 2286 2208 2209
      2220 2207 00AE 00A9 2122 220F 221A 22C5 00AC 2227 2228 21D4 21D0 21D1 21D2 21D3
      22C4 27E8 00AE 00A9 2122 2211 239B 239C 239D 23A1 23A2 23A3 23A7 23A8 23A9 23AA
      0000 27E9 222B 2320 23AE 2321 239E 239F 23A0 23A4 23A5 23A6 23AB 23AC 23AD 0000
      """)

  /// What is met of Wingdings: bullets, arrows, marks, numbers and the faces of Outlook.
  private static let wingdingsScalars: [UInt8: UInt32] = [
    0x21: 0x270F, 0x22: 0x2702, 0x23: 0x2701, 0x28: 0x260E, 0x29: 0x2706, 0x2A: 0x2709,
    0x36: 0x231B, 0x37: 0x2328, 0x3F: 0x270D, 0x41: 0x270C, 0x43: 0x1F44D, 0x44: 0x1F44E,
    0x45: 0x261C, 0x46: 0x261E, 0x47: 0x261D, 0x48: 0x261F, 0x4A: 0x263A, 0x4B: 0x1F610,
    0x4C: 0x2639, 0x4D: 0x1F4A3, 0x4E: 0x2620, 0x51: 0x2708, 0x52: 0x263C, 0x54: 0x2744,
    0x56: 0x271E, 0x58: 0x2720, 0x59: 0x2721, 0x5A: 0x262A, 0x6C: 0x25CF, 0x6D: 0x274D,
    0x6E: 0x25A0, 0x6F: 0x25A1, 0x71: 0x2751, 0x72: 0x2752, 0x73: 0x2B27, 0x74: 0x29EB,
    0x75: 0x25C6, 0x76: 0x2756, 0x77: 0x2B25, 0x78: 0x2327, 0x80: 0x24EA, 0x81: 0x2460,
    0x82: 0x2461, 0x83: 0x2462, 0x84: 0x2463, 0x85: 0x2464, 0x86: 0x2465, 0x87: 0x2466,
    0x88: 0x2467, 0x89: 0x2468, 0x8A: 0x2469, 0x8B: 0x24FF, 0x8C: 0x2776, 0x8D: 0x2777,
    0x8E: 0x2778, 0x8F: 0x2779, 0x90: 0x277A, 0x91: 0x277B, 0x92: 0x277C, 0x93: 0x277D,
    0x94: 0x277E, 0x95: 0x277F, 0x9F: 0x2022, 0xA1: 0x25CB, 0xA7: 0x25AA, 0xA8: 0x25FB,
    0xAB: 0x2605, 0xD8: 0x27A2, 0xDC: 0x27B2, 0xDF: 0x2190, 0xE0: 0x2192, 0xE1: 0x2191,
    0xE2: 0x2193, 0xE3: 0x2196, 0xE4: 0x2197, 0xE5: 0x2199, 0xE6: 0x2198, 0xE8: 0x2794,
    0xEF: 0x21E6, 0xF0: 0x21E8, 0xF1: 0x21E7, 0xF2: 0x21E9, 0xF3: 0x21D4, 0xFB: 0x2717,
    0xFC: 0x2713, 0xFD: 0x2612, 0xFE: 0x2611,
  ]
}
