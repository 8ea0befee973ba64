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
}

/// Puts together what a copy publishes: what was given, in that order, then what can be made of it.
package struct CopyAssembly {
  /// Whether only what was given is published.
  package var publishesOnlyGiven = false
  /// What is done to the lines of the first source.
  package var shaping = LineShaping()
  private let table: ConversionTable
  private let registry: TypeRegistry

  package init(table: ConversionTable = .standard, registry: TypeRegistry = .builtin) {
    self.table = table
    self.registry = registry
  }

  /// - Parameter sources: The main content, then what stands beside it.
  package func offer(of sources: [CopySource]) throws(CopyProblem) -> Offer {
    var item = PasteboardItem()
    var spellings: [PublishedTextSpelling]?
    var main: Content?
    for source in sources {
      let payload = main == nil ? shaping.apply(to: source.payload) : source.payload
      let content = Content(payload)
      if main == nil { main = content }
      let recognised = try recognise(source, content)
      if publishesOnlyGiven, let given = recognised.spellings { spellings = given }
      try add(content, recognised, to: &item)
    }
    if !publishesOnlyGiven, let main { addWhatCanBeMade(of: main, to: &item) }
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
    /// For text: the spellings that were named by the user.
    var spellings: [PublishedTextSpelling]?
    /// For text in a charset of its own.
    var charset: Charset?
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
      return Recognised(type: type == .plainText && content.isText ? .utf8PlainText : type)
    }
    if let sniffed = sniffedType(of: content.payload) { return Recognised(type: sniffed) }
    return content.isText
      ? Recognised(type: .utf8PlainText, spellings: PublishedTextSpelling.utf8)
      : Recognised(type: .data, target: "application/octet-stream")
  }

  private func recognise(
    _ text: String, _ payload: Payload
  ) throws(CopyProblem) -> Recognised {
    // A spelling of plain text stands for the text, whatever the charset it names.
    if let spelling = TextSpelling(text) { return recognise(spelling) }
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
      case .fileURL:
        throw .needsExactType(text)
      default:
        // A MIME type or a target is published as it was spelled; other names by their MIME type.
        let isSpelled = text.utf8.contains(UInt8(ascii: "/")) || !isNamedOtherwise(text)
        let isPreferred = registry.preferredMIMEType(of: type) == text
        return Recognised(type: type, target: isSpelled && !isPreferred ? text : nil)
      }
    }
  }

  private func isNamedOtherwise(_ text: String) -> Bool {
    TypeQuery.shortNames.contains { $0.name == text } || text.utf8.first == UInt8(ascii: ".")
      || TypeIdentifier(text).map { registry.isDeclared($0) } ?? false
  }

  private func recognise(_ spelling: TextSpelling) -> Recognised {
    if let published = PublishedTextSpelling.all.first(where: { $0.target == spelling.target }) {
      let isBare = spelling.target == "text/plain"
      return Recognised(
        type: .utf8PlainText, spellings: isBare ? PublishedTextSpelling.utf8 : [published])
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
  }

  // MARK: What can be made

  private func addWhatCanBeMade(of main: Content, to item: inout PasteboardItem) {
    guard let first = item.representations.first else { return }
    let hasPlainText = item.representation(for: .utf8PlainText) != nil
    // Markup is not what it says: its text is made by taking the marks away, or not offered.
    let isMarkup =
      first.type.conforms(to: .html, in: registry) || first.type.conforms(to: .rtf, in: registry)
    if isMarkup || item.representations.contains(where: { $0.type == .html }) {
      item.addConversions(from: table, to: [.utf8PlainText], in: registry)
    } else if !hasPlainText, main.isText,
      !main.payload.isEmpty || first.type.conforms(to: .text, in: registry)
    {
      // Text is text, whatever it was taken for (bytes that look like a PDF and are a note).
      item.set(main.payload, for: .utf8PlainText, origin: .made(from: first.type))
    }
  }
}
