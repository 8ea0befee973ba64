/// Puts the fields of a body together: little-endian numbers, texts and lists behind their counts.
struct ControlWriter {
  private(set) var bytes: [UInt8] = []

  mutating func raw(_ more: [UInt8]) { bytes += more }
  mutating func uint8(_ value: UInt8) { bytes.append(value) }
  mutating func uint16(_ value: UInt16) { integer(value) }
  mutating func uint32(_ value: UInt32) { integer(value) }
  mutating func uint64(_ value: UInt64) { integer(value) }
  mutating func boolean(_ value: Bool) { bytes.append(value ? 1 : 0) }

  private mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
    var rest = value
    for _ in 0..<Value.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func text(_ value: String) {
    uint32(UInt32(clamping: value.utf8.count))
    bytes += value.utf8
  }

  mutating func optional<Value>(_ value: Value?, _ write: (inout ControlWriter, Value) -> Void) {
    boolean(value != nil)
    if let value { write(&self, value) }
  }

  mutating func list<Element>(
    _ elements: [Element], _ write: (inout ControlWriter, Element) -> Void
  ) {
    uint32(UInt32(clamping: elements.count))
    for element in elements { write(&self, element) }
  }
}

/// Takes the fields of a body apart; nil from the first one on that is not there.
///
/// Bytes from outside are data: no count is believed before as many bytes are there.
struct ControlReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }
  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func uint8() -> UInt8? { rest.popFirst() }
  mutating func uint16() -> UInt16? { integer() }
  mutating func uint32() -> UInt32? { integer() }
  mutating func uint64() -> UInt64? { integer() }

  /// A number that an `Int` holds.
  mutating func count() -> Int? { uint64().flatMap { Int(exactly: $0) } }

  mutating func boolean() -> Bool? {
    switch uint8() {
    case 0: false
    case 1: true
    default: nil
    }
  }

  private mutating func integer<Value: FixedWidthInteger>() -> Value? {
    let size = Value.bitWidth / 8
    guard rest.count >= size else { return nil }
    var value: Value = 0
    for byte in rest.prefix(size).reversed() {
      value = value << 8 | Value(truncatingIfNeeded: byte)
    }
    rest = rest.dropFirst(size)
    return value
  }

  mutating func text() -> String? {
    guard let count = uint32(), Int(count) <= rest.count else { return nil }
    let bytes = rest.prefix(Int(count))
    rest = rest.dropFirst(Int(count))
    return String(validating: bytes, as: UTF8.self)
  }

  /// An optional value: the outer nil means that it could not be read.
  mutating func optional<Value>(_ read: (inout ControlReader) -> Value?) -> Value?? {
    switch boolean() {
    case nil: return nil
    case false: return .some(nil)
    case true:
      guard let value = read(&self) else { return nil }
      return .some(value)
    }
  }

  mutating func list<Element>(
    atMost limit: Int, _ read: (inout ControlReader) -> Element?
  ) -> [Element]? {
    // Each element takes a byte at least, so no more is ever reserved than has come.
    guard let count = uint32(), count <= limit, Int(count) <= rest.count else { return nil }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let element = read(&self) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

/// A value that stands in a body.
protocol ControlCodable {
  func write(to writer: inout ControlWriter)
  init?(from reader: inout ControlReader)
}

extension ControlWriter {
  mutating func value(_ value: some ControlCodable) { value.write(to: &self) }
  mutating func values<Element: ControlCodable>(_ values: [Element]) {
    list(values) { $0.value($1) }
  }
}

extension ControlReader {
  mutating func value<Value: ControlCodable>() -> Value? { Value(from: &self) }
  mutating func values<Element: ControlCodable>(atMost limit: Int) -> [Element]? {
    list(atMost: limit) { $0.value() }
  }
}
