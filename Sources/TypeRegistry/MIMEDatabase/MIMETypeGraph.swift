/// How the types of a database are called and what they are kinds of: aliases and parents of all
/// caches, in one table.
///
/// Names are found whatever the case of their letters, and stay where they are in the caches. This
/// is the graph of the database, which tells formats and serves detection; what a type conforms to
/// is another question, with another graph.
struct MIMETypeGraph: Sendable {
  /// The caches, that of the highest precedence first: of two things that an alias may mean, the
  /// first counts, parents add up.
  private let caches: [MIMECache]
  private var types: [Entry] = []
  private var edges: [Edge] = []
  /// An open hash table over the types, at most half full.
  private var slots: [Int32]

  private static let none: Int32 = -1

  /// A type that has an alias, is one, has a parent or is one.
  private struct Entry: Sendable {
    var name: MIMETypeName
    var hash: UInt32
    /// Whether the name is known in the spelling that the database gives the type.
    var isSpelled: Bool
    var aliasOf = MIMETypeGraph.none
    /// The first and the last of its parents among the edges.
    var firstParent = MIMETypeGraph.none
    var lastParent = MIMETypeGraph.none
  }

  private struct Edge: Sendable {
    var parent: Int32
    var next = MIMETypeGraph.none
  }

  /// How many types and edges are remembered at most; a database has some 1000 of either.
  private static let limit = 1 << 17

  init(_ caches: [MIMECache]) {
    self.caches = caches
    slots = Array(repeating: Self.none, count: 4096)
    types.reserveCapacity(1024)
    edges.reserveCapacity(1024)
    for cache in caches.indices { addParents(of: cache) }
    for cache in caches.indices { addAliases(of: cache) }
  }

  private mutating func addParents(of number: Int) {
    let cache = caches[number]
    let entries = cache[.parents]
    for index in entries.indices {
      guard let name = self.name(in: number, at: entries.offset(index)),
        let list = cache.word(at: entries.offset(index) + 4),
        let child = self.number(adding: name, isSpelling: true),
        let count = cache.word(at: list),
        let parents = cache.entries(at: list + 4, count: count, size: 4)
      else { continue }
      for index in parents.indices {
        guard edges.count < Self.limit, let name = self.name(in: number, at: parents.offset(index)),
          let parent = self.number(adding: name, isSpelling: false)
        else { break }
        add(parent, to: child)
      }
    }
  }

  private mutating func addAliases(of number: Int) {
    let entries = caches[number][.aliases]
    for index in entries.indices {
      guard let alias = name(in: number, at: entries.offset(index)),
        let name = name(in: number, at: entries.offset(index) + 4),
        let type = self.number(adding: name, isSpelling: true),
        let other = self.number(adding: alias, isSpelling: false), other != type
      else { continue }
      if types[Int(other)].aliasOf == Self.none { types[Int(other)].aliasOf = type }
    }
  }

  /// The name whose offset stands at `place`.
  private func name(in cache: Int, at place: Int) -> MIMETypeName? {
    caches[cache].word(at: place).flatMap {
      MIMETypeName(cache: cache, offset: $0, in: caches[cache])
    }
  }

  private mutating func number(adding name: MIMETypeName, isSpelling: Bool) -> Int32? {
    let (hash, slot) = caches[name.cache].withSlice(of: name) { slice in
      let hash = Self.hash(slice)
      return (hash, self.slot(of: slice, hash))
    }
    if slots[slot] != Self.none {
      let number = slots[slot]
      if isSpelling && !types[Int(number)].isSpelled {
        types[Int(number)].name = name
        types[Int(number)].isSpelled = true
      }
      return number
    }
    guard types.count < Self.limit else { return nil }
    let number = Int32(truncatingIfNeeded: types.count)
    slots[slot] = number
    types.append(Entry(name: name, hash: hash, isSpelled: isSpelling))
    if 2 * types.count > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    slots = Array(repeating: Self.none, count: 2 * slots.count)
    for (number, type) in types.enumerated() {
      var slot = Int(type.hash) & (slots.count - 1)
      while slots[slot] != Self.none { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: number)
    }
  }

  private mutating func add(_ parent: Int32, to child: Int32) {
    var edge = types[Int(child)].firstParent
    while edge != Self.none {
      if edges[Int(edge)].parent == parent { return }
      edge = edges[Int(edge)].next
    }
    let new = Int32(truncatingIfNeeded: edges.count)
    edges.append(Edge(parent: parent))
    let last = types[Int(child)].lastParent
    if last == Self.none {
      types[Int(child)].firstParent = new
    } else {
      edges[Int(last)].next = new
    }
    types[Int(child)].lastParent = new
  }

  // MARK: Names

  private static func hash(_ name: TextSlice) -> UInt32 { name.hash(seed: 0, folding: true) }

  /// The slot of a name, or the free one where it belongs.
  private func slot(of name: TextSlice, _ hash: UInt32) -> Int {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != Self.none {
      let type = types[Int(slots[slot])]
      if type.hash == hash,
        caches[type.name.cache].withSlice(
          of: type.name, { $0.isEqual(to: name, folding: true) })
      {
        break
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// The number of the type that a name means, aliases followed; nil for one without relations.
  private func number(of name: TextSlice) -> Int32? {
    let number = slots[slot(of: name, Self.hash(name))]
    return number == Self.none ? nil : resolved(number)
  }

  private func resolved(_ number: Int32) -> Int32 {
    var number = number
    // An alias of an alias is a mistake that happens; one that leads back to itself ends here.
    for _ in 0..<8 {
      let next = types[Int(number)].aliasOf
      if next == Self.none { break }
      number = next
    }
    return number
  }

  private func string(_ number: Int32) -> String { string(types[Int(number)].name) }

  func string(_ name: MIMETypeName) -> String {
    caches[name.cache].withSlice(of: name) { $0.string }
  }

  /// The name that the database prefers for one of its types.
  func canonicalName(of name: MIMETypeName) -> MIMETypeName {
    let number = caches[name.cache].withSlice(of: name) { self.number(of: $0) }
    return number.map { types[Int($0)].name } ?? name
  }

  /// The name that the database prefers, in its spelling; one that it does not know stays as it is.
  func canonicalName(of name: String) -> String {
    if let number = name.withTextSlice({ self.number(of: $0) }) { return string(number) }
    return spelling(of: name) ?? name
  }

  /// The spelling of a type that has neither aliases nor parents nor kinds.
  private func spelling(of name: String) -> String? {
    name.withTextSlice { name in
      for (number, cache) in caches.enumerated() {
        for (section, place) in [(MIMECache.Section.genericIcons, 0), (.magic, 4)] {
          let entries = cache[section]
          for index in entries.indices {
            guard let offset = cache.word(at: entries.offset(index) + place),
              // Nearly all others end elsewhere.
              cache.isEnd(at: offset + name.count)
            else { continue }
            if let other = MIMETypeName(cache: number, offset: offset, in: cache),
              cache.withSlice(of: other, { $0.isEqual(to: name, folding: true) })
            {
              return string(other)
            }
          }
        }
      }
      return nil
    }
  }

  /// Whether both are one type, by their preferred names.
  func areSame(_ name: MIMETypeName, _ other: MIMETypeName) -> Bool {
    caches[name.cache].withSlice(of: name) { name in
      caches[other.cache].withSlice(of: other) { $0.isEqual(to: name, folding: true) }
    }
  }

  /// All names that mean the same type as `name`, that one excluded, in alphabetic order.
  func aliases(of name: String) -> [String] {
    guard let number = name.withTextSlice({ self.number(of: $0) }) else { return [] }
    var found: [String] = []
    for index in types.indices where types[index].aliasOf != Self.none {
      let alias = Int32(truncatingIfNeeded: index)
      if alias != number, resolved(alias) == number { found.append(string(alias)) }
    }
    return found.sorted()
  }

  // MARK: Parents

  /// The types that `name` is declared a kind of, in their canonical names.
  func parents(of name: String) -> [String] {
    guard let number = name.withTextSlice({ self.number(of: $0) }) else { return [] }
    return parentNumbers(of: number).map(string)
  }

  private func parentNumbers(of number: Int32) -> [Int32] {
    var result: [Int32] = []
    var edge = types[Int(number)].firstParent
    while edge != Self.none {
      let parent = resolved(edges[Int(edge)].parent)
      if parent != number && !result.contains(parent) { result.append(parent) }
      edge = edges[Int(edge)].next
    }
    return result
  }

  /// Whether `name` is `other` or a kind of it.
  ///
  /// What no cache needs to say is true as well: each text is `text/plain`, and everything is
  /// `application/octet-stream` but what an inode may be other than a file.
  func isKind(_ name: String, of other: String) -> Bool {
    let start = name.withTextSlice { self.number(of: $0) }
    let goal = other.withTextSlice { self.number(of: $0) }
    let name = (start.map(string) ?? name).asciiLowercased
    let other = (goal.map(string) ?? other).asciiLowercased
    if name == other || Self.isImplied(other, by: name) { return true }
    guard let start else { return false }
    // What everything or every text is a kind of may be so by way of a parent.
    let isImplied = other == "text/plain"
    if goal == nil && !isImplied { return false }
    var seen: Set<Int32> = [start]
    var stack = [start]
    while let number = stack.popLast() {
      for parent in parentNumbers(of: number) where seen.insert(parent).inserted {
        if parent == goal { return true }
        if isImplied, Self.isImplied(other, by: string(parent).asciiLowercased) { return true }
        stack.append(parent)
      }
    }
    return false
  }

  /// Whether a type is a parent of another one by its name alone.
  ///
  /// Both names are in small letters.
  static func isImplied(_ parent: String, by name: String) -> Bool {
    switch parent {
    case "text/plain": name.hasPrefix("text/")
    case "application/octet-stream": !name.hasPrefix("inode/")
    default: false
    }
  }
}

/// The name of a type where it stands in a cache.
struct MIMETypeName: Sendable {
  /// The position of the cache.
  let cache: Int
  let offset: Int
  let count: Int

  /// Nil for what cannot be the name of a type.
  init?(cache number: Int, offset: Int, in cache: MIMECache) {
    guard let count = cache.typeNameCount(at: offset) else { return nil }
    self.cache = number
    self.offset = offset
    self.count = count
  }
}
