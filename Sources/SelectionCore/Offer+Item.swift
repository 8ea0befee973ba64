package import Pasteboard
internal import TextEncoding
package import TypeRegistry

extension Offer {
  /// The targets under which an item goes over the wire, in the order of its representations.
  ///
  /// Plain text gets all of its spellings and RTF its three names: receivers know one or the other.
  /// Everything else has one name: its own spelling where it has one, else its preferred MIME type,
  /// else its identifier.
  ///
  /// - Parameter textSpellings: The spellings that plain text gets.
  package init(
    _ item: PasteboardItem, textSpellings: [PublishedTextSpelling] = PublishedTextSpelling.all,
    in registry: TypeRegistry = .builtin
  ) {
    self.init(in: registry)
    var made: [TypeIdentifier: TypeIdentifier] = [:]
    for representation in item.representations {
      if case .made(let source) = representation.origin { made[representation.type] = source }
      for target in Self.targets(for: representation, textSpellings, in: registry) { add(target) }
    }
    defer { setRecipe(Recipe(item: item, textSpellings: textSpellings)) }
    guard !made.isEmpty else { return }
    let native = item.representations.filter { $0.origin == .native }.map(\.type)
    let marker = Payload(OriginMarker(native: native, made: made).bytes)
    add(OfferedTarget(name: OriginMarker.target, marker))
  }

  /// The names that RTF goes by: receivers know one or the other.
  package static let rtfTargets = ["text/rtf", "text/richtext", "application/rtf"]

  private static func targets(
    for representation: Representation, _ textSpellings: [PublishedTextSpelling],
    in registry: TypeRegistry
  ) -> [OfferedTarget] {
    if let target = representation.target {
      return [OfferedTarget(name: target, content: ContentSource(representation))]
    }
    switch representation.type {
    case .utf8PlainText:
      return textSpellings.map { spelling in
        OfferedTarget(
          name: spelling.target, typeName: spelling.replyType,
          content: content(of: representation, in: spelling.charset))
      }
    case .rtf:
      return rtfTargets.map { name in
        OfferedTarget(name: name, content: ContentSource(representation))
      }
    default:
      let name =
        registry.preferredMIMEType(of: representation.type) ?? representation.type.description
      return [OfferedTarget(name: name, content: ContentSource(representation))]
    }
  }

  /// Text up to this size is encoded in no time.
  private static let quickTextSize = 1 << 16

  /// The text in a charset, encoded once, however many ask.
  private static func content(
    of text: Representation, in charset: Charset
  ) -> ContentSource {
    guard charset != .utf8 else { return ContentSource(text) }
    var item = PasteboardItem()
    item.promise(.plainText, from: text.type) {
      let text = try text.payload()
      return try unsafe text.withUnsafeBytes { bytes in
        // ASCII is the same in all of them, but for the escapes of COMPOUND_TEXT.
        let isASCII = unsafe UTF8Validation.asciiPrefixLength(of: bytes) == bytes.count
        if isASCII, unsafe charset != .compoundText || !bytes.contains(0x1B) { return text }
        return Payload(try unsafe TextEncoder.encode(bytes, to: charset).bytes)
      }
    }
    let size = text.availablePayload?.count ?? .max
    return ContentSource(item.representations[0], isQuick: size <= quickTextSize)
  }
}
