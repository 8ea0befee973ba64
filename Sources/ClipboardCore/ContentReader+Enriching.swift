internal import Pasteboard
package import SelectionCore
internal import TextEncoding
internal import TypeRegistry

extension ContentReader {
  /// What a selection becomes that is enriched.
  package struct Enrichment: Sendable {
    package let offer: Offer
    package let isSecret: Bool
  }

  /// All that the owner offers, in its order and byte for byte, and behind it what can be made of it,
  /// RTF from HTML included; plain text is read as Markdown.
  ///
  /// Nil where nothing can be added.
  package func enriched() throws(ReadProblem) -> Enrichment? {
    let names = try listedNames()
    let content = try offeredContent(names)
    let plan = EnrichmentPlan(content)
    guard plan.isText else { throw .notOffered(offered: names) }
    guard plan.addsSomething else { return nil }
    let left = plan.remade.flatMap(\.targets) + [OriginMarker.target]
    guard let saved = try everything(acceptsSecrets: true, leavingOut: Set(left)) else {
      return nil
    }
    var offer = saved.offer(on: session)
    plan.complete(&offer) { target in
      guard let found = saved.representations.first(where: { $0.target == target }),
        case .bytes(let form, let payload) = found.content
      else { return nil }
      return ReceivedRepresentation(
        target: target, typeName: form.type, format: form.format, payload: payload)
    }
    let isSecret = saved.representations.contains {
      SensitivityMarker.isSecret($0.target, value: $0.content.payload)
    }
    return Enrichment(offer: offer, isSecret: isSecret)
  }
}

extension Offer {
  /// What a living owner has, byte for byte, and behind it what can be made of what it says is Markdown.
  ///
  /// Nil where it says so of nothing, or nothing can be added.
  ///
  /// - Parameter answers: All that it has, in its order.
  package init?(
    enrichingMarkdownAmong answers: [ReceivedRepresentation], on wire: TextSpelling.Wire
  ) {
    func answer(_ target: String) -> ReceivedRepresentation? {
      answers.first { $0.target == target }
    }
    // What nobody declared is not converted, and is not named here: any program may own the clipboard,
    // and whoever enriches runs for weeks.
    let registry = TypeRegistry.current
    let names = answers.map(\.target).filter { registry.declaredType(forTarget: $0) != nil }
    let marker = answer(OriginMarker.target)
      .flatMap { OriginMarker(parsing: $0.payload.bytes, of: registry) }
    let content = OfferedContent(names, marker: marker, on: wire)
    let plan = EnrichmentPlan(content)
    guard plan.isText, plan.hasMarkdown, plan.addsSomething else { return nil }
    let left = Set(plan.remade.flatMap(\.targets) + [OriginMarker.target])
    self.init(in: .current)
    for answer in answers where !left.contains(answer.target) {
      add(
        OfferedTarget(
          name: answer.target, typeName: answer.typeName, format: answer.format, answer.payload))
    }
    plan.complete(&self, answer)
  }
}

/// What is added to what an owner offers, and from what it is made.
private struct EnrichmentPlan {
  private let entries: [OfferedContent.Entry]
  private let sources: [OfferedContent.Entry]
  /// What the owner made itself and is made anew, from the same original.
  let remade: [OfferedContent.Entry]
  /// Whether the plain text is all there is, and is read as Markdown.
  private let readsTextAsMarkdown: Bool

  private static let targets: [TypeIdentifier] = [.html, .rtf, .markdown, .utf8PlainText]

  init(_ content: OfferedContent) {
    let entries = content.entries.filter { !$0.isMarker }
    let sources = entries.filter { $0.origin == .native && TextFormat($0.type) != nil }
    self.entries = entries
    self.sources = sources
    remade = entries.filter { entry in
      guard case .made(let original) = entry.origin else { return false }
      return sources.contains { $0.type == original }
        && ConversionTable.enriching.conversion(from: original, to: entry.type, in: .current) != nil
    }
    let hasMarkup = sources.contains { source in
      [TypeIdentifier.markdown, .html, .xhtml, .rtf].contains {
        source.type.conforms(to: $0, in: .current)
      }
    }
    readsTextAsMarkdown = !hasMarkup
  }

  /// Whether it is text; files that were copied are none, though their paths are offered as one.
  var isText: Bool {
    !sources.isEmpty && !entries.contains { $0.type.conforms(to: .fileURL, in: .current) }
  }

  /// Whether something is Markdown by its own word.
  var hasMarkdown: Bool {
    sources.contains { $0.type.conforms(to: .markdown, in: .current) }
  }

  /// Adds to an offer of all that the owner has.
  ///
  /// - Parameter answer: What the owner answered for a target.
  func complete(
    _ offer: inout Offer, _ answer: (String) -> ReceivedRepresentation?
  ) {
    let item = item(of: answer)
    offer.append(item, in: .current)
    offer.set(marker(item))
  }

  /// Whether anything comes of it that is not there.
  var addsSomething: Bool {
    var item = PasteboardItem()
    for source in sources { item.set([], for: source.type) }
    complete(&item, text: item.representation(for: .utf8PlainText).map { _ in Payload([]) })
    return item.representations.contains { made in
      !entries.contains { $0.type == made.type }
    }
  }

  /// The originals among what was read, as UTF-8, and what is made of them.
  private func item(of answer: (String) -> ReceivedRepresentation?) -> PasteboardItem {
    var item = PasteboardItem()
    var text: Payload?
    for source in sources where item.representation(for: source.type) == nil {
      guard let payload = payload(of: source, answer) else { continue }
      item.set(payload, for: source.type)
      if source.type == .utf8PlainText { text = payload }
    }
    complete(&item, text: text)
    return item
  }

  private func complete(_ item: inout PasteboardItem, text: Payload?) {
    if readsTextAsMarkdown, let text { item.set(text, for: .markdown) }
    item.addConversions(from: .enriching, to: Self.targets, in: .current)
  }

  private func payload(
    of source: OfferedContent.Entry, _ answer: (String) -> ReceivedRepresentation?
  ) -> Payload? {
    for target in source.targets {
      guard let answer = answer(target) else { continue }
      // RTF says itself, inside, in what charset it is.
      if source.type.conforms(to: .rtf, in: .current) { return answer.payload }
      let text =
        decodeText(answer.payload, charset: answer.charset)
        ?? decodeText(answer.payload, charset: answer.charset, repairing: true)
      guard let text else { continue }
      let isHTML = TextFormat(source.type) == .html && answer.charset != nil
      return isHTML ? text.payload.markedAsUTF8 : text.payload
    }
    return nil
  }

  /// What is native and what was made, that of the owner included.
  private func marker(_ item: PasteboardItem) -> OfferedTarget {
    var made: [TypeIdentifier: TypeIdentifier] = [:]
    for entry in entries {
      if case .made(let original) = entry.origin { made[entry.type] = original }
    }
    for representation in item.representations {
      if case .made(let original) = representation.origin { made[representation.type] = original }
    }
    var native: [TypeIdentifier] = []
    let all =
      entries.map { ($0.type, $0.origin) } + item.representations.map { ($0.type, $0.origin) }
    for (type, origin) in all where origin == .native && !native.contains(type) {
      native.append(type)
    }
    let marker = OriginMarker(native: native, made: made)
    return OfferedTarget(name: OriginMarker.target, Payload(marker.bytes))
  }
}
