/// How the types of a database are called and what they are kinds of: aliases and parents of all
/// caches, in one table.
///
/// Names are found whatever the case of their letters. This is the graph of the database, which
/// tells formats and serves detection; what a type conforms to is another question, with another
/// graph.
struct MIMETypeGraph: Sendable {
  /// The numbers of the types by their names in small letters.
  private var numbers: [String: Int32] = [:]
  private var types: [Entry] = []
  private var edges: [Edge] = []

  private static let none: Int32 = -1

  private struct Entry: Sendable {
    var name: String
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

  /// Reads the caches, the one of the highest precedence first: of two things that an alias may
  /// mean, the first counts, parents add up.
  init(_ caches: [MIMECache]) {
    let expected = caches.reduce(0) { $0 + $1[.parents].count + $1[.aliases].count }
    numbers.reserveCapacity(min(2 * expected, Self.limit))
    for cache in caches { addParents(of: cache) }
    for cache in caches { addSpellings(of: cache) }
    for cache in caches { addAliases(of: cache) }
  }

  private mutating func addParents(of cache: MIMECache) {
    let entries = cache[.parents]
    for index in entries.indices {
      guard let (name, list) = pair(cache, entries.offset(index)),
        let child = number(adding: name, isSpelling: true), let count = cache.word(at: list),
        let parents = cache.entries(at: list + 4, count: count, size: 4)
      else { continue }
      for index in parents.indices {
        guard edges.count < Self.limit, let offset = cache.word(at: parents.offset(index)),
          let name = cache.typeName(at: offset),
          let parent = number(adding: name, isSpelling: false)
        else { break }
        add(parent, to: child)
      }
    }
  }

  /// Types that have an icon of their own kind are most of those without a parent.
  private mutating func addSpellings(of cache: MIMECache) {
    for section in [MIMECache.Section.genericIcons, .magic] {
      let entries = cache[section]
      let place = section == .magic ? 4 : 0
      for index in entries.indices {
        guard let offset = cache.word(at: entries.offset(index) + place),
          let name = cache.typeName(at: offset)
        else { continue }
        _ = number(adding: name, isSpelling: true)
      }
    }
  }

  private mutating func addAliases(of cache: MIMECache) {
    let entries = cache[.aliases]
    for index in entries.indices {
      guard let (alias, target) = pair(cache, entries.offset(index)),
        let name = cache.typeName(at: target), let type = number(adding: name, isSpelling: true),
        let number = number(adding: alias, isSpelling: false), number != type
      else { continue }
      if types[Int(number)].aliasOf == Self.none { types[Int(number)].aliasOf = type }
    }
  }

  /// The name and the number in an entry.
  private func pair(_ cache: MIMECache, _ entry: Int) -> (String, Int)? {
    guard let offset = cache.word(at: entry), let name = cache.typeName(at: offset),
      let second = cache.word(at: entry + 4)
    else { return nil }
    return (name, second)
  }

  private mutating func number(adding name: String, isSpelling: Bool) -> Int32? {
    let folded = name.asciiLowercased
    if let number = numbers[folded] {
      if isSpelling && !types[Int(number)].isSpelled {
        types[Int(number)].name = name
        types[Int(number)].isSpelled = true
      }
      return number
    }
    guard types.count < Self.limit else { return nil }
    let number = Int32(types.count)
    numbers[folded] = number
    types.append(Entry(name: name, isSpelled: isSpelling))
    return number
  }

  private mutating func add(_ parent: Int32, to child: Int32) {
    var edge = types[Int(child)].firstParent
    while edge != Self.none {
      if edges[Int(edge)].parent == parent { return }
      edge = edges[Int(edge)].next
    }
    let new = Int32(edges.count)
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

  /// The name that the database prefers, in its spelling; any other name stays as it is.
  func canonicalName(of name: String) -> String {
    number(of: name).map { types[Int($0)].name } ?? name
  }

  /// The number of the type that a name means, aliases followed.
  private func number(of name: String) -> Int32? {
    guard var number = numbers[name] ?? numbers[name.asciiLowercased] else { return nil }
    // An alias of an alias is a mistake that happens; one that leads back to itself ends here.
    for _ in 0..<8 {
      let next = types[Int(number)].aliasOf
      if next == Self.none { break }
      number = next
    }
    return number
  }

  /// All names that mean the same type as `name`, that one excluded, in alphabetic order.
  func aliases(of name: String) -> [String] {
    guard let number = number(of: name) else { return [] }
    return types.indices.lazy
      .filter { $0 != Int(number) && types[$0].aliasOf != Self.none }
      .map { types[$0].name }
      .filter { self.number(of: $0) == number }
      .sorted()
  }

  // MARK: Parents

  /// The types that `name` is declared a kind of, in their canonical names.
  func parents(of name: String) -> [String] {
    guard let number = number(of: name) else { return [] }
    return parentNumbers(of: number).map { types[Int($0)].name }
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

  private func resolved(_ number: Int32) -> Int32 {
    types[Int(number)].aliasOf == Self.none
      ? number : self.number(of: types[Int(number)].name) ?? number
  }

  /// Whether `name` is `other` or a kind of it.
  ///
  /// What no cache needs to say is true as well: each text is `text/plain`, and everything is
  /// `application/octet-stream` but what an inode may be other than a file.
  func isKind(_ name: String, of other: String) -> Bool {
    let name = canonicalName(of: name).asciiLowercased
    let other = canonicalName(of: other).asciiLowercased
    if name == other || Self.isImplied(other, by: name) { return true }
    guard let start = numbers[name] else { return false }
    let goal = numbers[other]
    var seen: Set<Int32> = [start]
    var stack = [start]
    while let number = stack.popLast() {
      for parent in parentNumbers(of: number) where seen.insert(parent).inserted {
        if parent == goal || Self.isImplied(other, by: types[Int(parent)].name.asciiLowercased) {
          return true
        }
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
