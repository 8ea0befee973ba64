internal import TypeRegistry

/// Types that a receiver takes without distinction, and what it gets from an offer for that.
struct Demand {
  private let registry: TypeRegistry
  private let accepts: (TypeIdentifier) -> Bool

  /// The conversions that lead to an acceptable type: mostly few, and the rest is looked at once
  /// instead of for each representation.
  private let ways: ConversionTable

  init(
    _ registry: TypeRegistry, _ table: ConversionTable = ConversionTable(),
    accepts: @escaping (TypeIdentifier) -> Bool
  ) {
    self.registry = registry
    self.accepts = accepts
    ways = table.leading(to: accepts)
  }

  /// The best of the native representations, taken as they are or in another encoding.
  func native(in sources: [Source]) -> Candidate? {
    let candidates = sources.filter { $0.origin == .native }.flatMap { source in
      accepts(source.type)
        ? [Candidate(source)]
        : converted(source).filter { $0.cost == ConversionCost.characterSet }
    }
    // The family that the owner offers first wins. Outside of text that is the answer already.
    guard let first = candidates.first, richness(first) != nil else { return candidates.first }
    return best(of: candidates.filter { richness($0) != nil }) { richness($0)?.rawValue ?? .max }
  }

  /// The cheapest of what one conversion makes of a native representation and of what the owner
  /// offers as made, which is taken as it is; at the same cost what `isNamed` says is meant first.
  func made(
    in sources: [Source], preferring isNamed: (TypeIdentifier) -> Bool = { _ in true }
  ) -> Candidate? {
    let candidates = sources.flatMap { source in
      guard case .made(let original) = source.origin else { return converted(source) }
      guard accepts(source.type) else { return [] }
      // It has lost what our own conversion would have lost. Of a way that is not in the table
      // nothing is known, and the owner, who knows the content, went it.
      let way = ways.conversion(from: original, to: source.type, in: registry)
      return [Candidate(source, cost: way?.cost ?? ConversionCost.identity)]
    }
    return best(of: candidates) { 2 * $0.cost + (isNamed($0.type) ? 0 : 1) }
  }

  /// The cheapest way to an acceptable type by exactly one conversion.
  func conversion(in sources: [Source]) -> Candidate? {
    best(of: sources.flatMap(converted)) { $0.cost }
  }

  /// Only a native representation is ever converted: no conversion follows another.
  private func converted(_ source: Source) -> [Candidate] {
    precondition(source.origin == .native, "a made representation is never converted")
    return ways.conversions(from: source.type, in: registry).map {
      Candidate(source, conversion: $0)
    }
  }

  private func richness(_ candidate: Candidate) -> TextRichness? {
    TextRichness(of: candidate.type, in: registry)
  }

  /// The candidate with the least demerit; then what is taken as it is; then the owner's order;
  /// then, among results of one source, the richest.
  private func best(of candidates: [Candidate], by demerit: (Candidate) -> Int) -> Candidate? {
    // The forms of plain text are one text, which stands where its first spelling stands.
    func firstText(converted: Bool) -> Int? {
      candidates.first { $0.source.form != nil && $0.isConverted == converted }?.source.index
    }
    let firstTextAsItIs = firstText(converted: false)
    let firstTextConverted = firstText(converted: true)
    func key(_ candidate: Candidate) -> (Int, Int, Int, Int, Int, Int) {
      let source = candidate.source
      let first = candidate.isConverted ? firstTextConverted : firstTextAsItIs
      return (
        demerit(candidate), candidate.isConverted ? 1 : 0,
        source.form == nil ? source.index : first ?? source.index, source.form?.rawValue ?? 0,
        richness(candidate)?.rawValue ?? .max, PlainTextForm(of: candidate.type)?.rawValue ?? 0
      )
    }
    // The first of equals, which is the first in the owner's order and then in the table's.
    return candidates.map { ($0, key($0)) }.min { $0.1 < $1.1 }?.0
  }
}
