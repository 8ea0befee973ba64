package import Pasteboard
package import SelectionCore
internal import TextEncoding
package import TypeRegistry

/// One thing that was given to be copied.
package struct CopySource: Sendable {
  package var payload: Payload
  /// TYPE as the user said it; nil where it is to be found out.
  package var type: String?
  /// The extension of the file it came from, without the dot.
  package var filenameExtension: String?

  package init(_ payload: Payload, type: String? = nil, filenameExtension: String? = nil) {
    self.payload = payload
    self.type = type
    self.filenameExtension = filenameExtension
  }
}

/// Why something cannot be copied as asked.
package enum CopyProblem: Error, Hashable, Sendable {
  /// Said to be text of that type, and is no UTF-8; the position of the first byte that is not.
  case notText(type: TypeIdentifier, offset: Int)
  /// `image` without an image; `files` without `--files`.
  case needsExactType(String)
  case notInCharset(String)
  /// Said to be text in a charset of that name, which nobody knows.
  case unknownCharset(String)
}

/// Puts together what a copy publishes: what was given, in that order, then what can be made of it.
package struct CopyAssembly {
  /// Whether only what was given is published.
  package var publishesOnlyGiven = false
  /// What is done to the lines of the first source.
  package var shaping = LineShaping()
  private let table: ConversionTable
  let registry: TypeRegistry

  package init(table: ConversionTable = .offered, registry: TypeRegistry = .current) {
    self.table = table
    self.registry = registry
  }

  /// - Parameter sources: The main content, then what stands beside it.
  package func offer(of sources: [CopySource]) throws(CopyProblem) -> Offer {
    var item = PasteboardItem()
    var spellings: [PublishedTextSpelling]?
    var main: Content?
    var isGuess = false
    for source in sources {
      var content = Content(source.payload)
      // Lines are a matter of text: bytes of a picture that look like one stay.
      if main == nil, shaping != LineShaping(), content.isText {
        content = Content(shaping.apply(to: source.payload))
      }
      let recognised = try recognise(source, content)
      if main == nil { (main, isGuess) = (content, recognised.isGuess) }
      if let given = recognised.spellings {
        // A spelling that is none of the usual ones was named because somebody asks for it.
        spellings = publishesOnlyGiven ? given : (spellings ?? PublishedTextSpelling.all) + given
      }
      try add(content, recognised, to: &item)
    }
    if !publishesOnlyGiven, let main { addWhatCanBeMade(of: main, isGuess, to: &item) }
    return Offer(item, textSpellings: spellings ?? PublishedTextSpelling.all, in: registry)
  }

  // MARK: What was given

  /// Content, and whether it is text, which is looked at once.
  private final class Content {
    let payload: Payload
    /// Where it stops being UTF-8; nil where it is UTF-8 throughout.
    private(set) lazy var invalidOffset = unsafe payload.withUnsafeBytes {
      unsafe UTF8Validation.firstInvalidOffset(in: $0)
    }
    var isText: Bool { invalidOffset == nil }

    init(_ payload: Payload) { self.payload = payload }
  }

  private struct Recognised {
    var type: TypeIdentifier
    /// The target to publish under, where the type's own will not do.
    var target: String?
    /// Another target for the same bytes.
    var alias: String?
    /// For text: the spellings that were named by the user.
    var spellings: [PublishedTextSpelling]?
    /// For text in a charset of its own.
    var charset: Charset?
    /// Whether the type is a guess from the first bytes.
    var isGuess = false
  }

  private func recognise(
    _ source: CopySource, _ content: Content
  ) throws(CopyProblem) -> Recognised {
    if let type = source.type { return try recognise(type, content.payload) }
    if let ending = source.filenameExtension,
      let type = registry.type(for: ending, in: .filenameExtension, conformingTo: .data)
        ?? registry.type(for: ending, in: .filenameExtension)
    {
      // The ending of a text file says what the text is for; that it is text, its bytes say.
      guard type == .plainText, content.isText else { return Recognised(type: type) }
      return Recognised(type: .utf8PlainText, spellings: PublishedTextSpelling.utf8)
    }
    if let sniffed = sniffedType(of: content.payload) {
      return Recognised(type: sniffed, isGuess: true)
    }
    return content.isText
      ? Recognised(type: .utf8PlainText, spellings: PublishedTextSpelling.utf8)
      : Recognised(type: .data, target: "application/octet-stream")
  }

  private func recognise(
    _ text: String, _ payload: Payload
  ) throws(CopyProblem) -> Recognised {
    // A spelling of plain text stands for the text, whatever the charset it names.
    if let spelling = TextSpelling(text) { return recognise(spelling) }
    if let label = unknownCharset(of: text) { throw .unknownCharset(label) }
    let essence = MIMEType(text)?.essence
    let text = Self.misnomers.first { $0.name == essence }?.meaning ?? text
    switch TypeQuery(text, in: registry) {
    case .target(let name):
      return Recognised(type: registry.type(forTarget: name), target: name)
    case .types(let types):
      let type = types[0]
      switch type {
      case .plainText, .text, .utf8PlainText:
        return Recognised(type: .utf8PlainText, spellings: PublishedTextSpelling.utf8)
      case .image:
        guard let sniffed = sniffedType(of: payload), sniffed.conforms(to: .image, in: registry)
        else {
          throw .needsExactType(text)
        }
        return Recognised(type: sniffed)
      case .fileURL where text == "files":
        // Files are not their content. Who has a list of URLs names that.
        throw .needsExactType(text)
      default:
        if !publishesOnlyGiven, isUsualWithCharset(text, of: type) {
          return Recognised(type: type, alias: text)
        }
        return Recognised(type: type, target: publishedTarget(text, of: type))
      }
    }
  }

  /// Names that are understood and never written, even where they are said: nobody registered them, and
  /// whoever reads one of them reads the right name.
  private static let misnomers: [(name: String, meaning: String)] = [("image/jpg", "image/jpeg")]

  /// The target for a TYPE as it was said; nil where the type's own name does.
  ///
  /// MIME types are folded, except one that is known in just this spelling (`image/x-MS-bmp`) and
  /// one that nothing is known of: whoever asks for that asks by the letter. A target stays as it is.
  private func publishedTarget(_ text: String, of type: TypeIdentifier) -> String? {
    if isNamedOtherwise(text) { return nil }
    if !registry.isDeclared(type) { return text }
    let tags = registry.tags(of: type, in: .mimeType)
    var target = text
    if !tags.contains(text), let folded = MIMEType(text)?.description, tags.contains(folded) {
      target = folded
    }
    // Unless just this is wanted, one of the names that the type goes by anyway stands for all.
    let isUsual =
      registry.preferredMIMEType(of: type) == target
      || type == .rtf && Offer.rtfTargets.contains(target)
    return isUsual && !publishesOnlyGiven ? nil : target
  }

  /// Whether the TYPE is a MIME type with nothing but the charset that everybody takes for granted:
  /// programs ask for it without.
  private func isUsualWithCharset(_ text: String, of type: TypeIdentifier) -> Bool {
    guard let parsed = MIMEType(text), parsed.charset == "utf-8", parsed.parameters.count == 1
    else {
      return false
    }
    return registry.isDeclared(type) && registry.preferredMIMEType(of: type) == parsed.essence
  }

  private func isNamedOtherwise(_ text: String) -> Bool {
    TypeQuery.shortNames.contains { $0.name == text } || text.utf8.first == UInt8(ascii: ".")
      || TypeIdentifier(text).map { registry.isDeclared($0) } ?? false
  }

  /// The charset that a TYPE names for plain text, where nobody knows it: bytes that nobody can read
  /// must not go out as text.
  private func unknownCharset(of text: String) -> String? {
    guard let type = MIMEType(text), type.essence == "text/plain", let label = type.charset,
      !label.isEmpty, Charset(label: label) == nil
    else { return nil }
    return label
  }

  private func recognise(_ spelling: TextSpelling) -> Recognised {
    if let published = PublishedTextSpelling.all.first(where: { $0.target == spelling.target }) {
      return Recognised(type: .utf8PlainText, spellings: [published])
    }
    if spelling.charset == nil || spelling.charset == .utf8 {
      let published = PublishedTextSpelling(
        target: spelling.target, replyType: spelling.target, charset: .utf8)
      return Recognised(type: .utf8PlainText, spellings: [published])
    }
    return Recognised(
      type: registry.type(forTarget: spelling.target), target: spelling.target,
      charset: spelling.charset)
  }

  private func add(
    _ content: Content, _ recognised: Recognised, to item: inout PasteboardItem
  ) throws(CopyProblem) {
    if let charset = recognised.charset {
      // Text in a charset of its own goes out as it is, and as UTF-8 for everybody else.
      guard let text = decodeText(content.payload, charset: charset) else {
        throw .notInCharset(recognised.target ?? charset.name)
      }
      item.set(content.payload, for: recognised.type, target: recognised.target)
      guard !publishesOnlyGiven else { return }
      item.set(text.payload, for: .utf8PlainText, origin: .made(from: recognised.type))
      return
    }
    if recognised.type == .utf8PlainText, let offset = content.invalidOffset {
      throw .notText(type: .utf8PlainText, offset: offset)
    }
    item.set(content.payload, for: recognised.type, target: recognised.target)
    if let alias = recognised.alias {
      item.set(content.payload, for: recognised.type, target: alias)
    }
  }

  // MARK: What can be made

  /// From Markdown HTML, RTF and its own text; from RTF HTML, Markdown and text; from HTML Markdown and
  /// text.
  private func addWhatCanBeMade(of main: Content, _ isGuess: Bool, to item: inout PasteboardItem) {
    guard let first = item.representations.first else { return }
    // The commonest copy asks no question about types.
    if item.representations.allSatisfy({ $0.type == .utf8PlainText }) { return }
    // That something is markup must have been said: a guess adds and takes nothing away.
    if !isGuess { item.addConversions(from: table, to: [.html, .rtf, .markdown], in: registry) }
    guard item.representation(for: .utf8PlainText) == nil else { return }
    // Markup is not what it says: its text is made by taking the marks away, or not offered.
    let isMarkup =
      !isGuess
      && [.html, .xhtml, .rtf].contains { first.type.conforms(to: $0, in: registry) }
    if !isMarkup, main.isText,
      !main.payload.isEmpty || first.type.conforms(to: .text, in: registry)
    {
      // Text is text, whatever it was taken for (bytes that look like a PDF and are a note).
      item.set(main.payload, for: .utf8PlainText, origin: .made(from: first.type))
    } else {
      item.addConversions(from: table, to: [.utf8PlainText], in: registry)
    }
  }
}
