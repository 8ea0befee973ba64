/// The content of a dynamic type identifier: a type that nobody declared, described by a tag.
///
/// The identifier is an encoded description. The extension `bls` of a type that conforms to
/// `public.data` is described by
///
///     ?0=6:1=bls
///
/// that is, `0` (conforms to) `6` (`public.data`), `1` (has the filename extension) `bls`. Without
/// a demanded supertype the description begins with the tag, and the question mark is left out. The
/// bits of these bytes are cut into groups of five, the last one filled with zeros, and each group
/// becomes a character of an alphabet of 32: `dyn.ah62d4rv4ge80e5dx`. The `a` stands in front of
/// all identifiers of this kind.
struct DynamicIdentifier: Hashable {
  /// Identifiers of the supertypes, none or one in all identifiers that macOS is known to make.
  var supertypes: [String]
  /// Identifiers of tag classes and the tags of that class.
  var tags: [(tagClass: String, values: [String])]

  init(tag: String, tagClass: String, supertypes: [String]) {
    self.supertypes = supertypes
    tags = [(tagClass, [tag])]
  }

  static func == (left: DynamicIdentifier, right: DynamicIdentifier) -> Bool {
    left.supertypes == right.supertypes
      && left.tags.elementsEqual(right.tags) {
        $0.tagClass == $1.tagClass && $0.values == $1.values
      }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(supertypes)
    for tag in tags {
      hasher.combine(tag.tagClass)
      hasher.combine(tag.values)
    }
  }

  private static let conformsTo = "UTTypeConformsTo"

  /// The names that shrink to one character.
  private static let abbreviations: [(character: Character, name: String)] = [
    ("0", conformsTo), ("1", "public.filename-extension"), ("2", "com.apple.ostype"),
    ("3", "public.mime-type"), ("4", "com.apple.nspboard-type"), ("5", "public.url-scheme"),
    ("6", "public.data"), ("7", "public.text"), ("8", "public.plain-text"),
    ("9", "public.utf16-plain-text"), ("A", "com.apple.traditional-mac-plain-text"),
    ("B", "public.image"), ("C", "public.video"), ("D", "public.audio"),
    ("E", "public.directory"), ("F", "public.folder"),
  ]

  private static func abbreviated(_ name: String) -> String {
    abbreviations.first { $0.name == name }.map { String($0.character) } ?? name
  }

  private static func expanded(_ name: String) -> String {
    guard name.utf8.count == 1 else { return name }
    return abbreviations.first { String($0.character) == name }?.name ?? name
  }

  // MARK: Writing

  /// The identifier.
  var identifier: String {
    "dyn.a" + Self.encoded(description.utf8)
  }

  private var description: String {
    var pairs: [String] = []
    if !supertypes.isEmpty {
      let names = supertypes.map { Self.escaped(Self.abbreviated($0)) }
      pairs.append("0=" + names.joined(separator: ","))
    }
    for (tagClass, values) in tags {
      let names = values.map(Self.escaped).joined(separator: ",")
      pairs.append(Self.escaped(Self.abbreviated(tagClass)) + "=" + names)
    }
    return (supertypes.isEmpty ? "" : "?") + pairs.joined(separator: ":")
  }

  /// A backslash in front of what would else divide the description.
  private static func escaped(_ text: String) -> String {
    let special: (UInt8) -> Bool = { $0 == 0x3a || $0 == 0x3d || $0 == 0x2c || $0 == 0x5c }
    guard text.utf8.contains(where: special) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if special(byte) { bytes.append(0x5c) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Reading

  /// Decodes an identifier; nil when it is cut off or was never made by the scheme.
  init?(identifier: String) {
    let folded = identifier.asciiLowercased.utf8
    guard folded.starts(with: "dyn.a".utf8),
      let bytes = Self.decoded(folded.dropFirst(5)),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    supertypes = []
    tags = []
    var rest = text.utf8[...]
    let hasSupertype = rest.first == UInt8(ascii: "?")
    if hasSupertype { rest = rest.dropFirst() }
    for pair in Self.split(rest, at: UInt8(ascii: ":")) {
      let sides = Self.split(pair, at: UInt8(ascii: "="))
      guard sides.count == 2 else { return nil }
      let name = Self.expanded(Self.unescaped(sides[0]))
      let values = Self.split(sides[1], at: UInt8(ascii: ",")).map(Self.unescaped)
      if name == Self.conformsTo {
        guard hasSupertype, supertypes.isEmpty else { return nil }
        supertypes = values.map(Self.expanded)
        guard supertypes.allSatisfy({ $0.withTextSlice(IdentifierSyntax.isValid) }) else {
          return nil
        }
      } else {
        guard name.withTextSlice(IdentifierSyntax.isValid) else { return nil }
        tags.append((name, values))
      }
    }
    guard !tags.isEmpty, hasSupertype != supertypes.isEmpty else { return nil }
  }

  /// The parts between separators that no backslash precedes.
  private static func split(
    _ text: Substring.UTF8View, at separator: UInt8
  ) -> [Substring.UTF8View] {
    var parts: [Substring.UTF8View] = []
    var start = text.startIndex
    var index = start
    while index < text.endIndex {
      let byte = text[index]
      if byte == separator {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
      index = text.index(after: index)
      if byte == 0x5c, index < text.endIndex { index = text.index(after: index) }
    }
    parts.append(text[start...])
    return parts
  }

  private static func unescaped(_ text: Substring.UTF8View) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text {
      if byte == 0x5c && !isEscaped {
        isEscaped = true
      } else {
        bytes.append(byte)
        isEscaped = false
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Base 32

  /// The alphabet: small letters without i, j, l and o, then the digits.
  private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)

  private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    var pending: UInt16 = 0
    var pendingBits: UInt16 = 0
    for byte in bytes {
      pending = pending << 8 | UInt16(byte)
      pendingBits += 8
      while pendingBits >= 5 {
        pendingBits -= 5
        result.append(alphabet[Int(pending >> pendingBits & 0x1f)])
      }
      pending &= 1 << pendingBits - 1
    }
    if pendingBits > 0 {
      result.append(alphabet[Int(pending << (5 - pendingBits) & 0x1f)])
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes; nil for a foreign character and for bits left over, which a cut-off identifier has.
  private static func decoded(_ characters: some Sequence<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var pending: UInt16 = 0
    var pendingBits: UInt16 = 0
    for character in characters {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      pending = pending << 5 | UInt16(value)
      pendingBits += 5
      if pendingBits >= 8 {
        pendingBits -= 8
        result.append(UInt8(truncatingIfNeeded: pending >> pendingBits))
      }
      pending &= 1 << pendingBits - 1
    }
    guard pendingBits < 5, pending == 0 else { return nil }
    return result
  }
}
