/// A value of a property list, with the line where it begins.
struct PropertyListValue {
  indirect enum Content {
    case string(String)
    case array([PropertyListValue])
    case dictionary([(key: String, value: PropertyListValue)])
    /// A number, date, Boolean or data: nothing that declarations of types are made of.
    case other
  }

  var content: Content
  var line: Int

  /// The strings of a list, where a string by itself is a list of one; nil for anything else.
  var strings: [String]? {
    switch content {
    case .string(let string): return [string]
    case .array(let values):
      var strings: [String] = []
      for value in values {
        guard case .string(let string) = value.content else { return nil }
        strings.append(string)
      }
      return strings
    case .dictionary, .other: return nil
    }
  }

  /// The value of a key; the first one, should there be several.
  subscript(key: String) -> PropertyListValue? {
    guard case .dictionary(let pairs) = content else { return nil }
    return pairs.first { $0.key == key }?.value
  }
}

/// Reads property lists in XML, strictly, and nothing else of XML: no entities but the five that
/// everybody has, no internal subset, no namespaces.
///
/// An explicit stack with a bound takes the place of recursion.
struct PropertyListReader {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  /// A list or dictionary whose end is not reached yet.
  private struct Container {
    var isDictionary: Bool
    var line: Int
    var values: [PropertyListValue] = []
    var pairs: [(key: String, value: PropertyListValue)] = []
    var key: String?
  }
  private static let depthLimit = 64

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value of the whole list.
  static func read(_ bytes: [UInt8]) throws(TypeDeclarationError) -> PropertyListValue {
    if bytes.starts(with: Array("bplist".utf8)) {
      throw TypeDeclarationError(line: 1, .binaryPropertyList)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw TypeDeclarationError(line: 1, .notUTF8)
    }
    var reader = PropertyListReader(bytes)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.position = 3 }
    return try reader.readDocument()
  }

  private var fault: TypeDeclarationError { TypeDeclarationError(line: line, .invalidPropertyList) }

  // MARK: The document

  private mutating func readDocument() throws(TypeDeclarationError) -> PropertyListValue {
    guard case .opening("plist", isEmpty: false) = try nextTag() else { throw fault }
    let value = try readValue()
    guard case .closing("plist") = try nextTag() else { throw fault }
    try skipBetween()
    guard position == bytes.count else { throw fault }
    return value
  }

  private mutating func readValue() throws(TypeDeclarationError) -> PropertyListValue {
    var stack: [Container] = []
    while true {
      let tag = try nextTag()
      let start = line
      var value: PropertyListValue?
      switch tag {
      case .opening(let name, let isEmpty) where name == "array" || name == "dict":
        guard stack.count < Self.depthLimit else { throw fault }
        let container = Container(isDictionary: name == "dict", line: start)
        if isEmpty { value = finished(container) } else { stack.append(container) }
      case .opening("key", let isEmpty):
        guard let last = stack.last, last.isDictionary, last.key == nil else { throw fault }
        stack[stack.count - 1].key = isEmpty ? "" : try readText(upTo: "key")
      case .opening("string", let isEmpty):
        let text = isEmpty ? "" : try readText(upTo: "string")
        value = PropertyListValue(content: .string(text), line: start)
      case .opening(let name, let isEmpty):
        guard ["integer", "real", "true", "false", "date", "data"].contains(name) else {
          throw fault
        }
        if !isEmpty { _ = try readText(upTo: name) }
        value = PropertyListValue(content: .other, line: start)
      case .closing(let name):
        guard let last = stack.popLast(), name == (last.isDictionary ? "dict" : "array"),
          last.key == nil
        else { throw fault }
        value = finished(last)
      }
      guard let value else { continue }
      guard var last = stack.popLast() else { return value }
      if last.isDictionary {
        guard let key = last.key else { throw fault }
        last.pairs.append((key, value))
        last.key = nil
      } else {
        last.values.append(value)
      }
      stack.append(last)
    }
  }

  private func finished(_ container: Container) -> PropertyListValue {
    PropertyListValue(
      content: container.isDictionary
        ? .dictionary(container.pairs) : .array(container.values),
      line: container.line)
  }

  // MARK: Tags

  private enum Tag {
    case opening(String, isEmpty: Bool)
    case closing(String)
  }

  /// The next tag; only blanks, comments and declarations may stand in front of it.
  private mutating func nextTag() throws(TypeDeclarationError) -> Tag {
    try skipBetween()
    guard take("<") else { throw fault }
    let isClosing = take("/")
    let name = try readName()
    if isClosing {
      skipBlanks()
      guard take(">") else { throw fault }
      return .closing(name)
    }
    // Attributes, of which `version` is the only one met, mean nothing here.
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      guard bytes[position] != UInt8(ascii: "<") else { throw fault }
      if bytes[position] == UInt8(ascii: "\"") {
        advance()
        try skip(past: "\"")
      } else if bytes[position] == UInt8(ascii: "/") {
        advance()
        guard take(">") else { throw fault }
        return .opening(name, isEmpty: true)
      } else {
        advance()
      }
    }
    guard take(">") else { throw fault }
    return .opening(name, isEmpty: false)
  }

  private mutating func readName() throws(TypeDeclarationError) -> String {
    let start = position
    while position < bytes.count, case let byte = bytes[position],
      byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
    {
      position += 1
    }
    guard position > start else { throw fault }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Blanks, comments, processing instructions and a document type without declarations of its own.
  private mutating func skipBetween() throws(TypeDeclarationError) {
    while true {
      skipBlanks()
      if take("<!--") {
        try skip(past: "-->")
      } else if take("<?") {
        try skip(past: "?>")
      } else if take("<!DOCTYPE") {
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
          guard bytes[position] != UInt8(ascii: "[") else { throw fault }
          advance()
        }
        guard take(">") else { throw fault }
      } else {
        return
      }
    }
  }

  // MARK: Text

  /// The text of an element that holds nothing else, past its closing tag.
  private mutating func readText(upTo name: String) throws(TypeDeclarationError) -> String {
    var text: [UInt8] = []
    while true {
      if take("</\(name)") {
        skipBlanks()
        guard take(">") else { throw fault }
        return String(decoding: text, as: UTF8.self)
      } else if take("<![CDATA[") {
        let start = position
        try skip(past: "]]>")
        text += bytes[start..<position - 3]
      } else if take("<!--") {
        try skip(past: "-->")
      } else if take("&") {
        text += try readReference()
      } else {
        guard position < bytes.count, bytes[position] != UInt8(ascii: "<") else { throw fault }
        text.append(bytes[position])
        advance()
      }
    }
  }

  /// What stands behind an ampersand, up to the semicolon.
  private mutating func readReference() throws(TypeDeclarationError) -> [UInt8] {
    for (name, character) in [
      ("lt;", "<"), ("gt;", ">"), ("amp;", "&"), ("quot;", "\""), ("apos;", "'"),
    ] where take(name) {
      return Array(character.utf8)
    }
    guard take("#") else { throw fault }
    let radix = take("x") ? 16 : 10
    var value: UInt32 = 0
    var digits = 0
    while !take(";") {
      guard position < bytes.count, digits < 8,
        let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue, digit < radix
      else { throw fault }
      value = value * UInt32(radix) + UInt32(digit)
      digits += 1
      advance()
    }
    guard digits > 0, value > 0, let scalar = Unicode.Scalar(value) else { throw fault }
    return Array(String(Character(scalar)).utf8)
  }

  // MARK: Bytes

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  private mutating func skipBlanks() {
    while position < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) { advance() }
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    for _ in text.utf8 { advance() }
    return true
  }

  private mutating func skip(past text: String) throws(TypeDeclarationError) {
    while !take(text) {
      guard position < bytes.count else { throw fault }
      advance()
    }
  }
}
