public import TypeRegistry

/// Decides what a receiver gets: what it accepts × what the owner offers × what can be made = one
/// answer, always the same.
///
/// ```swift
/// let offer = [OfferedRepresentation(type: .png), OfferedRepresentation(type: .markdown)]
/// negotiator.choose(.ordered([.html, .png]), from: offer)    // Markdown, converted to HTML
/// negotiator.choose(.unordered([.html, .png]), from: offer)  // the PNG as it is
/// ```
///
/// - Ordered: the first preference that gets anything wins. For one preference native
///   representations come first, among them those of exactly the preferred type; where it is
///   abstract, the rules of an unordered request choose among what conforms to it.
/// - Unordered: native before made. The family (text, or not) that the owner offers first wins; in
///   the text family the richest, Markdown before RTF before HTML before plain text; else, and on
///   ties, the owner's order.
/// - Made: the least cost; then exactly the preferred type; then what is offered ready-made; then the
///   owner's order.
/// - Never more than one conversion, and only from a native representation. One that the owner
///   offers as made may be taken as it is. Markers never count.
/// - Another encoding of plain text is no other text: where several are offered the best is read,
///   and a change that costs nothing counts as native.
///
/// An empty table makes a negotiator that never converts.
public struct Negotiator: Sendable {
  /// The conversions that the receiver's side can make.
  public let table: ConversionTable

  /// Where the types are declared.
  public let registry: TypeRegistry

  /// A negotiator for these conversions.
  public init(table: ConversionTable, registry: TypeRegistry = .builtin) {
    self.table = table
    self.registry = registry
  }

  /// What a receiver with this request gets from an offer; nil if nothing in it will do.
  public func choose(
    _ request: TypeRequest, from offer: [OfferedRepresentation]
  ) -> NegotiatedChoice? {
    let sources = Source.all(in: offer)
    switch request {
    case .any:
      return choice(in: sources, Demand(registry) { _ in true })
    case .exactly(let type):
      return choice(in: sources, Demand(registry) { $0 == type })
    case .unordered(let types):
      let demand = Demand(registry, table) { type in
        types.contains { type.conforms(to: $0, in: registry) }
      }
      return choice(in: sources, demand)
    case .ordered(let preferences):
      for preference in preferences {
        let demand = Demand(registry, table) { $0.conforms(to: preference, in: registry) }
        // Who names plain text means plain text if there is any, not a kind of it like Markdown.
        let isPlainText = PlainTextForm(of: preference) != nil
        func isNamed(_ type: TypeIdentifier) -> Bool {
          type == preference || isPlainText && PlainTextForm(of: type) != nil
        }
        let named = sources.filter { isNamed($0.type) }
        if let candidate = demand.native(in: named) ?? demand.native(in: sources)
          ?? demand.made(in: sources, preferring: isNamed)
        {
          return NegotiatedChoice(candidate)
        }
      }
      return nil
    }
  }

  /// What a receiver with this request gets from an item; the index is that of the item's
  /// representations.
  public func choose(_ request: TypeRequest, from item: PasteboardItem) -> NegotiatedChoice? {
    choose(request, from: item.offer(in: registry))
  }

  /// The bytes that a receiver gets from an item by a choice made for it.
  ///
  /// Returns nil if the choice does not fit the item or the table; rethrows what a promise or a
  /// conversion throws.
  public func payload(for choice: NegotiatedChoice, of item: PasteboardItem) throws -> Payload? {
    guard item.representations.indices.contains(choice.index) else { return nil }
    let representation = item.representations[choice.index]
    guard let target = choice.conversion else {
      return representation.type == choice.type ? try representation.payload() : nil
    }
    guard
      representation.origin == .native,
      let conversion = table.conversion(from: representation.type, to: target, in: registry)
    else { return nil }
    return try conversion.convert(representation.payload(), target: representation.target)
  }

  private func choice(in sources: [Source], _ demand: Demand) -> NegotiatedChoice? {
    (demand.native(in: sources) ?? demand.made(in: sources)).map(NegotiatedChoice.init)
  }
}

extension NegotiatedChoice {
  fileprivate init(_ candidate: Candidate) {
    self.init(
      index: candidate.source.index, conversion: candidate.conversion?.to, cost: candidate.cost,
      type: candidate.type)
  }
}
