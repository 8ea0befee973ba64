/// What the caches of all directories say together; never changed once made.
///
/// The rules are those of the shared-mime-info specification; where it leaves several answers, the
/// one of GLib and Qt.
final class MIMEOverlay: Sendable {
  /// The caches, that of the highest precedence first.
  private let caches: [MIMECache]
  let graph: MIMETypeGraph
  /// For each cache, the types whose rules for names and for content it must not add, since a cache
  /// of higher precedence says so; in small letters.
  private let deletedGlobs: [Set<String>]
  private let deletedMagic: [Set<String>]

  /// No content is looked at behind this, whatever a cache demands.
  static let contentLimit = 1 << 18

  /// How much of content matters, in bytes from its start.
  let contentExtent: Int

  init(_ caches: [MIMECache]) {
    self.caches = caches
    graph = MIMETypeGraph(caches)
    let extent = caches.reduce(Self.textExtent) { max($0, $1.magicExtent) }
    contentExtent = min(extent, Self.contentLimit)
    deletedGlobs = Self.deletions(caches) { $0.typesWithoutInheritedGlobs }
    deletedMagic = Self.deletions(caches) { $0.typesWithoutInheritedMagic }
  }

  var isEmpty: Bool { caches.isEmpty }

  private static func deletions(
    _ caches: [MIMECache], _ offsets: (MIMECache) -> [Int]
  ) -> [Set<String>] {
    var all: Set<String> = []
    return caches.indices.map { index in
      let above = all
      // Nothing comes after the last one.
      if index + 1 < caches.count {
        for offset in offsets(caches[index]) {
          guard let name = MIMETypeName(cache: index, offset: offset, in: caches[index]) else {
            continue
          }
          all.insert(caches[index].withSlice(of: name) { $0.string }.asciiLowercased)
        }
      }
      return above
    }
  }

  /// The preferred name of the type whose name stands at an offset, nil when it is not to be told.
  private func typeName(
    at offset: Int, in cache: Int, without deleted: [Set<String>]
  ) -> MIMETypeName? {
    guard let name = MIMETypeName(cache: cache, offset: offset, in: caches[cache]) else {
      return nil
    }
    if !deleted[cache].isEmpty, deleted[cache].contains(graph.string(name).asciiLowercased) {
      return nil
    }
    return graph.canonicalName(of: name)
  }

  // MARK: Names

  /// The types that a name may have, the best first.
  ///
  /// Whole names come before suffixes and those before other patterns, heavy rules before light
  /// ones, long before short, capitals that count before those that do not. What is still equal
  /// stands in the order of the directories and of their caches.
  func types(forFileName name: some Sequence<UInt8>) -> [String] {
    var budget = WorkBudget(1_000_000)
    var found = Ranking<MIMENameMatch>()
    MIMEFileName.withForms(of: name) { name in
      for (index, cache) in caches.enumerated() {
        cache.forEachMatch(of: name, budget: &budget) { match in
          if let type = typeName(at: match.type, in: index, without: deletedGlobs) {
            found.add(match, type)
          }
        }
      }
    }
    return names(found)
  }

  /// The names, each of them once.
  private func names<Rule: MIMERule>(_ found: Ranking<Rule>) -> [String] {
    let rows = found.rows
    var result: [String] = []
    result.reserveCapacity(rows.count)
    for (index, row) in rows.enumerated()
    where !rows[..<index].contains(where: { graph.areSame($0.type, row.type) }) {
      result.append(graph.string(row.type))
    }
    return result
  }

  /// Types in the order of the rules that name them; those of equal rules in the order in which they
  /// were added.
  private struct Ranking<Rule: MIMERule> {
    private(set) var rows: [(rule: Rule, type: MIMETypeName)] = []

    /// By insertion: rules mostly come in their order, and few at a time.
    mutating func add(_ rule: Rule, _ type: MIMETypeName) {
      var place = rows.count
      while place > 0, rule.precedes(rows[place - 1].rule) { place -= 1 }
      if place == rows.count {
        rows.append((rule, type))
      } else {
        rows.insert((rule, type), at: place)
      }
    }
  }

  private static func unique(_ types: [String]) -> [String] {
    guard types.count > 1 else { return types }
    var seen: Set<String> = []
    return types.filter { seen.insert($0.asciiLowercased).inserted }
  }

  // MARK: Content

  /// Content is taken for text when there are no control characters among that many first bytes.
  private static let textExtent = 128

  /// The types that content may have, the best first; empty when no rule knows it.
  func types(forContent content: UnsafeRawBufferPointer) -> [String] {
    let head = unsafe UnsafeRawBufferPointer(rebasing: content.prefix(contentExtent))
    var budget = WorkBudget(2_000_000)
    var found = Ranking<MIMEMagicMatch>()
    for (index, cache) in caches.enumerated() {
      for match in unsafe cache.matches(ofContent: head, budget: &budget) {
        if let type = typeName(at: match.type, in: index, without: deletedMagic) {
          found.add(match, type)
        }
      }
    }
    return names(found)
  }

  /// What content is that no rule knows.
  static func fallbackType(forContent content: UnsafeRawBufferPointer) -> String {
    if unsafe content.isEmpty { return "application/x-zerosize" }
    let isText = unsafe content.prefix(textExtent).allSatisfy { byte in
      // Backspace, tab, line ends and form feed stand in texts; DEL and all others do not.
      (byte >= 0x20 && byte != 0x7f) || (0x08...0x0a).contains(byte) || byte == 0x0c
        || byte == 0x0d
    }
    return isText ? "text/plain" : "application/octet-stream"
  }

  // MARK: Both

  /// The types that a file of that name and content may have, the best first.
  ///
  /// One type by name alone is the answer. Of several, the first that is the type of the content or
  /// a kind of it: so a document that is a zip archive inside is told from an archive. Types by
  /// content that no name speaks for follow.
  func types(
    forFileName name: some Sequence<UInt8>, content: UnsafeRawBufferPointer
  ) -> [String] {
    var named = types(forFileName: name)
    let found = unsafe types(forContent: content)
    let best = unsafe found.first ?? Self.fallbackType(forContent: content)
    if named.count > 1, let choice = choice(among: named, best, isRule: !found.isEmpty) {
      named.insert(named.remove(at: choice), at: 0)
    }
    return Self.unique(named + (found.isEmpty ? [best] : found))
  }

  private func choice(among named: [String], _ best: String, isRule: Bool) -> Int? {
    if isRule || best == "text/plain" {
      return named.firstIndex { graph.isKind($0, of: best) }
    }
    // Everything is a stream of bytes; that it is no text is what is known.
    return named.firstIndex { !graph.isKind($0, of: "text/plain") }
  }
}

/// A rule that several types are put in order by.
private protocol MIMERule {
  /// Whether its type stands before that of the other; neither does where both are equal.
  func precedes(_ other: Self) -> Bool
}

extension MIMENameMatch: MIMERule {
  fileprivate func precedes(_ other: Self) -> Bool {
    if kind != other.kind { return kind.rawValue < other.kind.rawValue }
    if weight != other.weight { return weight > other.weight }
    if length != other.length { return length > other.length }
    return !isFolded && other.isFolded
  }
}

extension MIMEMagicMatch: MIMERule {
  fileprivate func precedes(_ other: Self) -> Bool { priority > other.priority }
}
