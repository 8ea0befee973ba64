/// A JSON document (RFC 8259), members in order.
///
/// For the small documents that this project writes and reads itself; Foundation's coder would cost
/// every program its start-up time.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of a member; nil where there is none or this is no object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var arrayValue: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The document in one line.
  package var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  /// Control characters are escaped, and so are those that a terminal or a script might act on: a
  /// document that is looked at must not move the cursor or turn text around.
  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if scalar.isInvisibleControl {
          for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          }
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}

extension Unicode.Scalar {
  /// Whether a terminal would act on it, or a reader not see it: control characters, direction
  /// overrides and isolates, line and paragraph separators, other invisible formatting.
  package var isInvisibleControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0xAD, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    case 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: false
    }
  }
}

// MARK: - Reading

extension JSONValue {
  /// Reads a document; nil when it is none, is nested deeper than 32 levels, or is longer than a
  /// megabyte.
  ///
  /// Fractions and exponents are not read: none of our documents has them.
  package init?(parsing bytes: [UInt8]) {
    guard bytes.count <= 1 << 20 else { return nil }
    var parser = JSONParser(bytes: bytes)
    guard let value = parser.document() else { return nil }
    self = value
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  var position = 0
  var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ byte: Character) -> Bool {
    skipBlanks()
    guard next == byte.asciiValue else { return false }
    position += 1
    return true
  }

  mutating func document() -> JSONValue? {
    guard let value = value() else { return nil }
    skipBlanks()
    return position == bytes.count ? value : nil
  }

  private mutating func value() -> JSONValue? {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return nested { $0.object() }
    case UInt8(ascii: "["): return nested { $0.array() }
    case UInt8(ascii: "\""): return string().map(JSONValue.string)
    case UInt8(ascii: "t"): return word("true", .boolean(true))
    case UInt8(ascii: "f"): return word("false", .boolean(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return integer()
    }
  }

  private mutating func nested(_ read: (inout JSONParser) -> JSONValue?) -> JSONValue? {
    depth += 1
    defer { depth -= 1 }
    return depth <= 32 ? read(&self) : nil
  }

  private mutating func word(_ spelling: String, _ value: JSONValue) -> JSONValue? {
    guard bytes[position...].starts(with: spelling.utf8) else { return nil }
    position += spelling.utf8.count
    return value
  }

  private mutating func integer() -> JSONValue? {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let isZero = next == UInt8(ascii: "0")
    let firstDigit = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if isZero, position > firstDigit + 1 { return nil }
    return Int(String(decoding: bytes[start..<position], as: UTF8.self)).map(JSONValue.integer)
  }

  private mutating func array() -> JSONValue? {
    guard take("[") else { return nil }
    var values: [JSONValue] = []
    if take("]") { return .array(values) }
    repeat {
      guard let value = value() else { return nil }
      values.append(value)
    } while take(",")
    return take("]") ? .array(values) : nil
  }

  private mutating func object() -> JSONValue? {
    guard take("{") else { return nil }
    var members: [JSONValue.Member] = []
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard let name = string(), take(":"), let value = value() else { return nil }
      members.append(JSONValue.Member(name, value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var units: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        units.append(contentsOf: String(scalar).utf8)
      case 0..<0x20: return nil
      default: units.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"):
      guard let high = codeUnit() else { return nil }
      guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
      guard bytes[position...].starts(with: "\\u".utf8) else { return nil }
      position += 2
      guard let low = codeUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
      return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    default: return nil
    }
  }

  private mutating func codeUnit() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    let digits = bytes[position..<position + 4]
    position += 4
    // The standard library takes a sign for a digit.
    guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
      return nil
    }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
