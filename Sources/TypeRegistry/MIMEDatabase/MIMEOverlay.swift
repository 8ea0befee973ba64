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
          if let name = caches[index].typeName(at: offset) { all.insert(name.asciiLowercased) }
        }
      }
      return above
    }
  }

  // MARK: Names

  /// The types that a name may have, the best first.
  ///
  /// Whole names come before suffixes and those before other patterns, heavy rules before light
  /// ones, long before short, capitals that count before those that do not. What is still equal
  /// stands in the order of the directories and of their caches.
  func types(forFileName name: some Sequence<UInt8>) -> [String] {
    let name = MIMEFileName(name)
    var budget = WorkBudget(1_000_000)
    var all: [(match: MIMENameMatch, type: String)] = []
    for (index, cache) in caches.enumerated() {
      var matches: [MIMENameMatch] = []
      cache.addMatches(of: name, to: &matches, budget: &budget)
      for match in matches {
        guard let type = cache.typeName(at: match.type),
          deletedGlobs[index].isEmpty || !deletedGlobs[index].contains(type.asciiLowercased)
        else { continue }
        all.append((match, graph.canonicalName(of: type)))
      }
    }
    func precedes(_ left: MIMENameMatch, _ right: MIMENameMatch) -> Bool {
      if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
      if left.weight != right.weight { return left.weight > right.weight }
      if left.length != right.length { return left.length > right.length }
      return !left.isFolded && right.isFolded
    }
    return Self.unique(Self.sorted(all) { precedes($0.match, $1.match) }.map(\.type))
  }

  /// The elements in order, those that are equal as they were.
  private static func sorted<Element>(
    _ elements: [Element], by precedes: (Element, Element) -> Bool
  ) -> [Element] {
    guard elements.count > 1 else { return elements }
    return elements.enumerated()
      .sorted { one, other in
        if precedes(one.element, other.element) { return true }
        return !precedes(other.element, one.element) && one.offset < other.offset
      }
      .map(\.element)
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
    var all: [(priority: Int, type: String)] = []
    for (index, cache) in caches.enumerated() {
      for match in unsafe cache.matches(ofContent: head, budget: &budget) {
        guard let type = cache.typeName(at: match.type),
          !deletedMagic[index].contains(type.asciiLowercased)
        else { continue }
        all.append((match.priority, graph.canonicalName(of: type)))
      }
    }
    return Self.unique(Self.sorted(all) { $0.priority > $1.priority }.map(\.type))
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
