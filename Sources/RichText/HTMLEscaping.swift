// What stands for itself in HTML, and what is written in its place where it does not.

extension [UInt8] {
  /// Appends text as the content of an element.
  ///
  /// A carriage return would be read as a line end (WHATWG HTML, 13.2.3.5), so it is written by its
  /// number; NUL cannot be written at all.
  mutating func appendHTML(escaping text: ArraySlice<UInt8>) {
    var start = text.startIndex
    var offset = start
    let end = text.endIndex
    while offset < end {
      let replacement: StaticString
      switch text[offset] {
      case UInt8(ascii: "&"): replacement = "&amp;"
      case UInt8(ascii: "<"): replacement = "&lt;"
      case UInt8(ascii: ">"): replacement = "&gt;"
      case UInt8(ascii: "\""): replacement = "&quot;"
      case 0x0D: replacement = "&#13;"
      case 0: replacement = "\u{FFFD}"
      default:
        offset += 1
        continue
      }
      append(contentsOf: text[start..<offset])
      append(replacement)
      offset += 1
      start = offset
    }
    append(contentsOf: text[start..<end])
  }

  /// Appends the value of an attribute, which stands between double quotes.
  mutating func appendHTML(escaping text: String) {
    appendHTML(escaping: Array(text.utf8)[...])
  }

  /// Appends a URL as the value of an attribute, with escapes in place of what a URL may not have.
  ///
  /// Escapes that are there stay. The rest is what CommonMark's examples show: brackets and
  /// backslashes are escaped, although browsers do not insist.
  mutating func appendHTML(url: String) {
    for byte in url.utf8 {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;" as StaticString)
      case UInt8(ascii: "'"): append("&#x27;" as StaticString)
      case _ where byte.standsForItselfInURL: append(byte)
      default:
        append(UInt8(ascii: "%"))
        append(UInt8.hexadecimalDigit(byte >> 4))
        append(UInt8.hexadecimalDigit(byte & 0x0F))
      }
    }
  }

  /// Appends ASCII that is known beforehand.
  mutating func append(_ string: StaticString) {
    string.withUTF8Buffer { bytes in unsafe append(contentsOf: bytes) }
  }

  /// Appends a number in decimal digits.
  mutating func append(decimal number: Int) {
    append(contentsOf: String(number).utf8)
  }
}

extension UInt8 {
  fileprivate var standsForItselfInURL: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"),
      UInt8(ascii: "+"), UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "%"), UInt8(ascii: "#"),
      UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: ";"),
      UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "$"):
      true
    default:
      false
    }
  }

  /// The capital hexadecimal digit of a value below 16.
  static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
