/// A JSON value, for reading what the programs print and what captures describe.
///
/// Objects keep the order of their members.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: JSON
  }

  /// Nil for what is not exactly one JSON value.
  package init?(_ text: String) {
    var parser = JSONParser(text)
    guard let value = parser.document() else { return nil }
    self = value
  }

  /// A member of an object; nil where there is none.
  package subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var int: Int? { if case .number(let value) = self { Int(exactly: value) } else { nil } }
  package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// The names of an object's members in order.
  package var names: [String] {
    if case .object(let members) = self { members.map(\.name) } else { [] }
  }
}

private struct JSONParser {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func document() -> JSON? {
    guard let value = value() else { return nil }
    skipBlanks()
    return offset == bytes.count ? value : nil
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let byte = next, [9, 10, 13, 32].contains(byte) { offset += 1 }
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[offset...].starts(with: text.utf8) else { return false }
    offset += text.utf8.count
    return true
  }

  private mutating func value() -> JSON? {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return array()
    case UInt8(ascii: "\""): return string().map { .string($0) }
    default: break
    }
    if take("null") { return .null }
    if take("true") { return .bool(true) }
    if take("false") { return .bool(false) }
    let start = offset
    while let byte = next, "+-.eE0123456789".utf8.contains(byte) { offset += 1 }
    return Double(text(Array(bytes[start..<offset]))).map { .number($0) }
  }

  private mutating func array() -> JSON? {
    var values: [JSON] = []
    offset += 1
    skipBlanks()
    if take("]") { return .array([]) }
    while let value = value() {
      values.append(value)
      skipBlanks()
      if take("]") { return .array(values) }
      guard take(",") else { return nil }
    }
    return nil
  }

  private mutating func object() -> JSON? {
    var members: [JSON.Member] = []
    offset += 1
    skipBlanks()
    if take("}") { return .object([]) }
    while let name = string() {
      skipBlanks()
      guard take(":"), let value = value() else { return nil }
      members.append(JSON.Member(name: name, value: value))
      skipBlanks()
      if take("}") { return .object(members) }
      guard take(",") else { return nil }
      skipBlanks()
    }
    return nil
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var units: [UInt8] = []
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
      case 0..<32: return nil
      case UInt8(ascii: "\\"):
        guard let escaped = escape() else { return nil }
        units += escaped
      default: units.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> [UInt8]? {
    guard let byte = next else { return nil }
    offset += 1
    let simple: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9,
    ]
    if let plain = simple[byte] { return [plain] }
    guard byte == UInt8(ascii: "u"), var units = codeUnit().map({ [$0] }) else { return nil }
    if units[0] & 0xFC00 == 0xD800 {
      guard take("\\u"), let second = codeUnit() else { return nil }
      units.append(second)
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  private mutating func codeUnit() -> UInt16? {
    guard offset + 4 <= bytes.count else { return nil }
    defer { offset += 4 }
    return UInt16(text(Array(bytes[offset..<offset + 4])), radix: 16)
  }
}
