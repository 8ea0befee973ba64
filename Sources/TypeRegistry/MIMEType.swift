/// A MIME type, taken apart once.
///
/// `text/plain; charset="UTF-8"` and `text/plain;charset=utf-8` are equal: type, subtype and the
/// names of parameters are compared without case, values without their quotes, charsets without
/// case. Blanks do not matter, nor does the order of the parameters. What programs put on the wire
/// is often not quite RFC 2045, so values that ought to be quoted are accepted without, parameters
/// that have no value are dropped, and the first of two parameters with one name wins.
public struct MIMEType: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  /// One parameter of a MIME type.
  public struct Parameter: Hashable, Sendable {
    /// The name, in small letters.
    public let name: String
    /// The value without quotes; in small letters for `charset`.
    public let value: String
  }

  /// Type and subtype in small letters, such as `text/plain`.
  public internal(set) var essence: String
  /// The parameters in the order of the string.
  public let parameters: [Parameter]

  /// The most parameters that are looked at; LibreOffice writes 10.
  private static let parameterLimit = 32

  /// Takes `string` apart; nil when it has no type and subtype.
  public init?(_ string: String) {
    var reader = Reader(bytes: Array(string.utf8))
    guard let essence = reader.readEssence() else { return nil }
    var parameters: [Parameter] = []
    while parameters.count < Self.parameterLimit, let parameter = reader.readParameter() {
      guard let parameter, !parameters.contains(where: { $0.name == parameter.name }) else {
        continue
      }
      parameters.append(parameter)
    }
    self.essence = essence
    self.parameters = parameters
  }

  /// The charset in small letters, if the string names one.
  public var charset: String? {
    parameters.first { $0.name == "charset" }?.value
  }

  /// The canonical spelling: no blanks, and quotes only around values that need them.
  public var description: String {
    Self.spelling(essence, parameters)
  }

  /// The canonical spelling with the parameters in alphabetic order, which is how tags are found.
  var lookupKey: String {
    guard parameters.count > 1 else { return description }
    return Self.spelling(essence, sortedParameters)
  }

  /// The spellings under which a tag is looked for, the most exact first.
  ///
  /// Office programs quote values that need no quotes, and their names are declared that way.
  var lookupKeys: [String] {
    guard !parameters.isEmpty else { return [essence] }
    var keys = [lookupKey, quotedLookupKey]
    if let charset, parameters.count > 1 {
      keys.append(Self.spelling(essence, [Parameter(name: "charset", value: charset)]))
    }
    keys.append(essence)
    return keys
  }

  /// The look-up key with quotes around all values but the charset.
  var quotedLookupKey: String {
    Self.spelling(essence, sortedParameters, quotesAll: true)
  }

  private var sortedParameters: [Parameter] {
    parameters.sorted { $0.name < $1.name }
  }

  private static func spelling(
    _ essence: String, _ parameters: [Parameter], quotesAll: Bool = false
  ) -> String {
    var result = essence
    for parameter in parameters {
      result += ";" + parameter.name + "="
      if !(quotesAll && parameter.name != "charset") && !parameter.value.isEmpty
        && parameter.value.utf8.allSatisfy({ $0.isMIMEToken })
      {
        result += parameter.value
      } else {
        result += "\""
        for character in parameter.value.unicodeScalars {
          if character == "\"" || character == "\\" { result += "\\" }
          result.unicodeScalars.append(character)
        }
        result += "\""
      }
    }
    return result
  }

  /// Whether both mean the same, whatever the order of their parameters.
  public static func == (left: MIMEType, right: MIMEType) -> Bool {
    left.essence == right.essence
      && (left.parameters == right.parameters || left.sortedParameters == right.sortedParameters)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(essence)
    hasher.combine(sortedParameters)
  }
}

extension MIMEType {
  /// Reads a MIME type from left to right.
  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    mutating func skipBlanks() {
      while position < bytes.count, bytes[position].isBlank { position += 1 }
    }

    /// The longest run of token characters, in small letters; nil when there is none.
    mutating func readToken() -> String? {
      let start = position
      while position < bytes.count, bytes[position].isMIMEToken { position += 1 }
      guard position > start else { return nil }
      return String(decoding: bytes[start..<position].map(\.asciiLowercased), as: UTF8.self)
    }

    /// `type/subtype` up to the end or the first semicolon.
    mutating func readEssence() -> String? {
      skipBlanks()
      guard let type = readToken(), position < bytes.count, bytes[position] == UInt8(ascii: "/")
      else { return nil }
      position += 1
      guard let subtype = readToken() else { return nil }
      skipBlanks()
      guard position == bytes.count || bytes[position] == UInt8(ascii: ";") else { return nil }
      return type + "/" + subtype
    }

    /// The next parameter, `.some(nil)` for one without name or value, nil at the end.
    mutating func readParameter() -> Parameter?? {
      guard position < bytes.count else { return nil }
      position += 1  // the semicolon
      skipBlanks()
      let name = readToken()
      skipBlanks()
      guard let name, position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
        skipToSemicolon()
        return .some(nil)
      }
      position += 1
      skipBlanks()
      let value = readValue()
      return Parameter(name: name, value: name == "charset" ? value.asciiLowercased : value)
    }

    mutating func skipToSemicolon() {
      while position < bytes.count, bytes[position] != UInt8(ascii: ";") { position += 1 }
    }

    mutating func readValue() -> String {
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return readQuoted() }
      let start = position
      skipToSemicolon()
      var end = position
      while end > start, bytes[end - 1].isBlank { end -= 1 }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// A quoted value; one that is never closed goes to the end.
    mutating func readQuoted() -> String {
      position += 1
      var value: [UInt8] = []
      while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
        // RFC 2045 by way of RFC 822: a backslash takes away the meaning of what follows.
        if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
        value.append(bytes[position])
        position += 1
      }
      skipToSemicolon()
      return String(decoding: value, as: UTF8.self)
    }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// Whether the byte may stand in a token (RFC 2045, section 5.1): ASCII without control
  /// characters, blanks and `()<>@,;:\"/[]?=`.
  var isMIMEToken: Bool {
    let bits: UInt64 = self < 0x40 ? 0x03ff_6cfa_0000_0000 : 0x7fff_ffff_c7ff_fffe
    return self < 0x80 && bits >> UInt64(self & 0x3f) & 1 != 0
  }
}
