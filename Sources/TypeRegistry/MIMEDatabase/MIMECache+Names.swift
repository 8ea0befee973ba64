/// A rule for names that a name has met.
struct MIMENameMatch {
  /// The order of the kinds is their order of precedence.
  enum Kind: Int {
    case literal, suffix, pattern
  }

  /// Where the name of the type stands in the cache.
  var type: Int
  var kind: Kind
  var weight: Int
  /// How much of the name the rule names, in characters or bytes: more is more exact.
  var length: Int
  /// Whether the rule met the name in small letters only.
  var isFolded: Bool
}

extension MIMECache {
  /// Stands for a type's order to forget the rules for names of directories behind this one.
  private static var deleteAll: TextSlice { "__NOGLOBS__" }

  /// The most rules of one cache that a single name can meet.
  private static let matchLimit = 256

  /// Calls `body` with the rules that a name meets, in the order of the cache within each kind.
  func forEachMatch(
    of name: MIMEFileName, budget: inout WorkBudget, _ body: (MIMENameMatch) -> Void
  ) {
    guard !name.bytes.isEmpty else { return }
    unsafe withBytes { bytes in
      let rules = unsafe NameRules(file: MIMECacheBytes(borrowing: bytes), cache: self)
      var room = Self.matchLimit
      for isFolded in [false, true] {
        guard let name = isFolded ? name.folded : name.bytes else { continue }
        func add(_ entry: Int, _ kind: MIMENameMatch.Kind, _ length: Int) -> Bool {
          guard room > 0 else { return false }
          if let match = rules.match(entry, kind, length, isFolded) {
            room -= 1
            body(match)
          }
          return true
        }
        // Stands in place of a name and is none.
        if !name.isEqual(to: Self.deleteAll, folding: false) {
          rules.forEachLiteral(name) { add($0, .literal, name.count) }
        }
        rules.forEachSuffix(of: name) { add($0, .suffix, $1) }
        rules.forEachPattern(name, budget: &budget) { add($0, .pattern, $1) }
      }
    }
  }

  /// The offsets of the names of types whose rules in directories behind this one do not count.
  var typesWithoutInheritedGlobs: [Int] {
    unsafe withBytes { bytes in
      let rules = unsafe NameRules(file: MIMECacheBytes(borrowing: bytes), cache: self)
      var found: [Int] = []
      rules.forEachLiteral(Self.deleteAll) { entry in
        if let type = rules.file.word(at: entry + 4) { found.append(type) }
        return found.count < Self.matchLimit
      }
      return found
    }
  }
}

/// The sections of a cache that are about names, for the length of one question.
private struct NameRules {
  let file: MIMECacheBytes
  let literals: MIMECache.Entries
  let suffixTree: MIMECache.Entries
  let patterns: [MIMECache.Pattern]

  init(file: MIMECacheBytes, cache: MIMECache) {
    self.file = file
    literals = cache[.literals]
    suffixTree = cache[.suffixTree]
    patterns = cache.patterns
  }

  /// The rule of an entry, with its weight and flags, which one number has; nil where it does not
  /// count.
  func match(
    _ entry: Int, _ kind: MIMENameMatch.Kind, _ length: Int, _ isFolded: Bool
  ) -> MIMENameMatch? {
    guard let type = file.word(at: entry + 4), let word = file.word(at: entry + 8) else {
      return nil
    }
    let isCaseSensitive = word & 0x100 != 0
    if isFolded && isCaseSensitive { return nil }
    return MIMENameMatch(
      type: type, kind: kind, weight: word & 0xff, length: length, isFolded: isFolded)
  }

  // MARK: Whole names

  /// Calls `body` with the entries of one whole name, which stand together, as long as it likes.
  func forEachLiteral(_ name: TextSlice, _ body: (Int) -> Bool) {
    func order(_ index: Int) -> Int? {
      file.word(at: literals.offset(index)).flatMap { file.compare(stringAt: $0, with: name) }
    }
    var low = 0
    var high = literals.count
    while low < high {
      let middle = (low + high) / 2
      guard let order = order(middle) else { return }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    while low < literals.count, order(low) == 0, body(literals.offset(low)) { low += 1 }
  }

  // MARK: The tree of suffixes

  /// Calls `body` with the entries of all suffixes of the name, and with their lengths.
  ///
  /// Walks the tree from the last character of the name towards the first; each node passed on the
  /// way ends a suffix.
  func forEachSuffix(of name: TextSlice, _ body: (_ leaf: Int, _ length: Int) -> Bool) {
    var siblings = suffixTree
    var end = name.count
    // What does not decode as UTF-8 is in no tree.
    while let (character, start) = Self.lastCharacter(of: name, before: end),
      let node = child(character, among: siblings)
    {
      end = start
      guard let count = file.word(at: node + 4), let first = file.word(at: node + 8),
        let nodes = file.entries(at: first, count: count, size: 12)
      else { return }
      siblings = nodes
      // Leaves have the character 0 and come first.
      for index in nodes.indices {
        let leaf = nodes.offset(index)
        guard file.word(at: leaf) == 0, body(leaf, name.count - end) else { break }
      }
    }
  }

  /// The node of a character among siblings, which are sorted.
  private func child(_ character: Int, among siblings: MIMECache.Entries) -> Int? {
    guard character != 0 else { return nil }
    var low = 0
    var high = siblings.count
    while low < high {
      let middle = (low + high) / 2
      guard let other = file.word(at: siblings.offset(middle)) else { return nil }
      if other == character { return siblings.offset(middle) }
      if other < character { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The last character of UTF-8 and where it starts; nil at the start and for anything else.
  private static func lastCharacter(
    of name: TextSlice, before end: Int
  ) -> (character: Int, start: Int)? {
    guard end > 0 else { return nil }
    let last = name[end - 1]
    if last < 0x80 { return (Int(last), end - 1) }
    var start = end - 1
    while start > 0, end - start < 4, name[start] & 0xc0 == 0x80 { start -= 1 }
    guard name[start..<end].isValidUTF8 else { return nil }
    let scalars = name[start..<end].string.unicodeScalars
    guard let scalar = scalars.first, scalars.count == 1 else { return nil }
    return (Int(scalar.value), start)
  }

  // MARK: Patterns

  /// Calls `body` with the entries of all patterns that the name meets, and with their lengths.
  ///
  /// - Parameter name: Not empty.
  func forEachPattern(
    _ name: TextSlice, budget: inout WorkBudget, _ body: (_ entry: Int, _ length: Int) -> Bool
  ) {
    let (first, last) = (name[0], name[name.count - 1])
    for pattern in patterns where pattern.first.contains(first) && pattern.last.contains(last) {
      guard budget.take() else { return }
      guard GlobPattern(file.slice(pattern.text)).matches(name, budget: &budget) else { continue }
      guard body(pattern.entry, pattern.text.count) else { return }
    }
  }
}
