/// Names as they stand in a saved clipboard: in quotes, in one line, so that every byte string has
/// one spelling that no terminal acts on.
///
/// `"` and `\` have a backslash before them, line ends and tabs are `\n`, `\r` and `\t`; every byte
/// of what is not UTF-8, or would not be seen, is `\x` and two digits. All else stands for itself.
enum QuotedName {
  static func encode(_ name: String) -> String {
    var text = "\""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if scalar.escapedWireByte != nil || scalar.isInvisibleControl {
          for byte in String(scalar).wireBytes { text += escape(byte) }
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.utf8.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
  }

  /// Takes a quoted name off the beginning.
  ///
  /// - Returns: The bytes that it stands for; nil where there is no whole one.
  static func decode(_ text: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard text.popFirst() == UInt8(ascii: "\"") else { return nil }
    var bytes: [UInt8] = []
    while let byte = text.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return bytes
      case UInt8(ascii: "\\"):
        guard let escaped = decodeEscape(&text) else { return nil }
        bytes.append(escaped)
      case 0..<0x20, 0x7F: return nil
      default: bytes.append(byte)
      }
    }
    return nil
  }

  private static func decodeEscape(_ text: inout ArraySlice<UInt8>) -> UInt8? {
    switch text.popFirst() {
    case UInt8(ascii: "\""): return UInt8(ascii: "\"")
    case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
    case UInt8(ascii: "n"): return UInt8(ascii: "\n")
    case UInt8(ascii: "r"): return UInt8(ascii: "\r")
    case UInt8(ascii: "t"): return UInt8(ascii: "\t")
    case UInt8(ascii: "x"):
      guard let high = hexadecimalDigit(text.popFirst()),
        let low = hexadecimalDigit(text.popFirst())
      else { return nil }
      return high << 4 | low
    default: return nil
    }
  }

  /// The value of a lower-case digit.
  static func hexadecimalDigit(_ byte: UInt8?) -> UInt8? {
    switch byte {
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")): byte.map { $0 - UInt8(ascii: "0") }
    case .some(UInt8(ascii: "a")...UInt8(ascii: "f")): byte.map { $0 - UInt8(ascii: "a") + 10 }
    default: nil
    }
  }
}
