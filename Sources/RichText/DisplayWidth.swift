/// How many columns of a terminal text takes.
enum DisplayWidth {
  /// Two for East Asian wide characters and emoji, none for marks and joiners.
  static func of(_ utf8: ArraySlice<UInt8>) -> Int {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return utf8.count }
    var width = 0
    var last = 0
    var isJoined = false
    var isHalfFlag = false
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      var own = of(scalar)
      switch scalar.value {
      case 0x200D:
        isJoined = last == 2
        continue
      case 0xFE0F:
        // The emoji form of a character is wide.
        own = last == 1 ? 1 : 0
        width += own
        last += own
        continue
      case 0x1F1E6...0x1F1FF:
        // Two letters make a flag.
        own = isHalfFlag ? 0 : 2
        isHalfFlag.toggle()
      case 0x1F3FB...0x1F3FF where last == 2:
        own = 0
      default: isHalfFlag = false
      }
      if isJoined, own > 0 {
        isJoined = false
        continue
      }
      width += own
      if own > 0 { last = own }
    }
    return width
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: return 0
    case 0x20..<0x300: return scalar.value == 0xAD ? 0 : 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF,
      0x20000...0x3FFFD:
      return scalar.properties.generalCategory == .nonspacingMark ? 0 : 2
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
