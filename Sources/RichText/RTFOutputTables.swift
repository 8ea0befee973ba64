/// The fonts that RTF under way has asked for.
struct RTFOutputFonts {
  private var names: [String] = []
  private var numbers: [String: Int] = [:]

  /// The number of running text's font, and of code's.
  static let base = 0
  static let monospaced = 1

  init(_ styleSheet: StyleSheet) {
    // What Windows and macOS have, and Linux has of the same widths.
    names = [
      styleSheet.base.fontFamily.map(Self.safe) ?? "Arial",
      styleSheet.code.fontFamily.map(Self.safe) ?? "Courier New",
    ]
    numbers = [names[1]: Self.monospaced, names[0]: Self.base]
  }

  mutating func number(of style: TextStyle) -> Int {
    guard let family = style.fontFamily.map(Self.safe), !family.isEmpty else {
      return style.isMonospaced == true ? Self.monospaced : Self.base
    }
    if let number = numbers[family] { return number }
    names.append(family)
    numbers[family] = names.count - 1
    return names.count - 1
  }

  /// The name without what could end it.
  private static func safe(_ family: String) -> String {
    String(
      String.UnicodeScalarView(
        family.unicodeScalars.filter { $0.value >= 0x20 && $0 != ";" }.prefix(64)))
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append("{\\fonttbl" as StaticString)
    for (number, name) in names.enumerated() {
      bytes.append("{\\f", number)
      switch number {
      case Self.base: bytes.append("\\fswiss" as StaticString)
      case Self.monospaced: bytes.append("\\fmodern" as StaticString)
      default: bytes.append("\\fnil" as StaticString)
      }
      bytes.append("\\fcharset0 " as StaticString)
      bytes.appendRTF(escaping: Array(name.utf8)[...])
      bytes.append(";}" as StaticString)
    }
    bytes.append("}\n" as StaticString)
  }
}

/// The colours that RTF under way has asked for; number 0 is the reader's own.
struct RTFOutputColors {
  private var colors: [TextColor] = []
  private var numbers: [TextColor: Int] = [:]

  mutating func number(of color: TextColor) -> Int {
    if let number = numbers[color] { return number }
    colors.append(color)
    numbers[color] = colors.count
    return colors.count
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append("{\\colortbl;" as StaticString)
    for color in colors {
      bytes.append("\\red", Int(color.red))
      bytes.append("\\green", Int(color.green))
      bytes.append("\\blue", Int(color.blue))
      bytes.append(UInt8(ascii: ";"))
    }
    bytes.append("}\n" as StaticString)
  }
}
