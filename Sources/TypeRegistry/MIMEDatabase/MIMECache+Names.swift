/// A name of a file in the forms that rules are compared with.
struct MIMEFileName {
  /// What stands behind the last slash, cut to the longest name that file systems have, from its
  /// end.
  let bytes: ArraySlice<UInt8>
  /// The same with ASCII capitals made small, nil where there are none.
  let folded: ArraySlice<UInt8>?

  static let lengthLimit = 1024

  init(_ name: some Sequence<UInt8>) {
    let all = Array(name)
    let start = all.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    bytes = all[start...].suffix(Self.lengthLimit)
    folded =
      bytes.contains { $0 >= 0x41 && $0 <= 0x5a } ? bytes.map(\.asciiLowercased)[...] : nil
  }
}

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
  private static let deleteAll = Array("__NOGLOBS__".utf8)[...]

  /// The most rules of one cache that a single name can meet.
  private static let matchLimit = 256

  /// The rules that a name meets, in the order of the cache within each kind.
  func matches(of name: MIMEFileName, budget: inout WorkBudget) -> [MIMENameMatch] {
    var matches: [MIMENameMatch] = []
    guard !name.bytes.isEmpty else { return matches }
    let limit = Self.matchLimit
    for isFolded in [false, true] {
      guard let bytes = isFolded ? name.folded : name.bytes else { continue }
      addLiterals(bytes, isFolded, &matches, limit)
      addSuffixes(bytes, isFolded, &matches, limit)
      addPatterns(bytes, isFolded, &matches, limit, &budget)
    }
    return matches
  }

  /// The offsets of the names of types whose rules in directories behind this one do not count.
  var typesWithoutInheritedGlobs: [Int] {
    literalEntries(of: Self.deleteAll).compactMap { word(at: $0 + 4) }
  }

  // MARK: The weight

  /// Weight and flags of a rule as one number has them.
  private struct Weight {
    let value: Int
    let isCaseSensitive: Bool

    init(_ word: Int) {
      value = word & 0xff
      isCaseSensitive = word & 0x100 != 0
    }
  }

  private func add(
    _ entry: Int, _ kind: MIMENameMatch.Kind, length: Int, _ isFolded: Bool,
    _ matches: inout [MIMENameMatch], _ limit: Int
  ) {
    guard matches.count < limit, let type = word(at: entry + 4), let word = word(at: entry + 8)
    else { return }
    let weight = Weight(word)
    if isFolded && weight.isCaseSensitive { return }
    matches.append(
      MIMENameMatch(
        type: type, kind: kind, weight: weight.value, length: length, isFolded: isFolded))
  }

  // MARK: Whole names

  private func addLiterals(
    _ name: ArraySlice<UInt8>, _ isFolded: Bool, _ matches: inout [MIMENameMatch], _ limit: Int
  ) {
    guard name != Self.deleteAll else { return }
    for entry in literalEntries(of: name) {
      add(entry, .literal, length: name.count, isFolded, &matches, limit)
    }
  }

  /// The offsets of the entries of one whole name, which stand together.
  private func literalEntries(of name: ArraySlice<UInt8>) -> [Int] {
    let entries = self[.literals]
    func order(_ index: Int) -> Int? {
      word(at: entries.offset(index)).flatMap { compare(stringAt: $0, with: name) }
    }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      guard let order = order(middle) else { return [] }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    var found: [Int] = []
    while low < entries.count, found.count < Self.matchLimit, order(low) == 0 {
      found.append(entries.offset(low))
      low += 1
    }
    return found
  }

  // MARK: The tree of suffixes

  /// Walks the tree from the last character of the name towards the first; each node passed on the
  /// way ends a suffix.
  private func addSuffixes(
    _ name: ArraySlice<UInt8>, _ isFolded: Bool, _ matches: inout [MIMENameMatch], _ limit: Int
  ) {
    var siblings: Entries? = self[.suffixTree]
    var end = name.endIndex
    // What does not decode as UTF-8 is in no tree.
    while let nodes = siblings, let (character, start) = Self.lastCharacter(of: name[..<end]),
      let node = child(character, among: nodes)
    {
      end = start
      guard let count = word(at: node + 4), let first = word(at: node + 8) else { return }
      siblings = entries(at: first, count: count, size: 12)
      guard let siblings else { return }
      // Leaves have the character 0 and come first.
      for index in siblings.indices {
        let leaf = siblings.offset(index)
        guard matches.count < limit, word(at: leaf) == 0 else { break }
        add(leaf, .suffix, length: name.endIndex - end, isFolded, &matches, limit)
      }
    }
  }

  /// The node of a character among siblings, which are sorted.
  private func child(_ character: Int, among siblings: Entries) -> Int? {
    guard character != 0 else { return nil }
    var low = 0
    var high = siblings.count
    while low < high {
      let middle = (low + high) / 2
      guard let other = word(at: siblings.offset(middle)) else { return nil }
      if other == character { return siblings.offset(middle) }
      if other < character { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The last character of UTF-8 and where it starts; nil at the start and for anything else.
  private static func lastCharacter(
    of bytes: ArraySlice<UInt8>
  ) -> (character: Int, start: Int)? {
    guard let last = bytes.last else { return nil }
    if last < 0x80 { return (Int(last), bytes.endIndex - 1) }
    var start = bytes.endIndex - 1
    while start > bytes.startIndex, bytes.endIndex - start < 4, bytes[start] & 0xc0 == 0x80 {
      start -= 1
    }
    guard let text = String(validating: bytes[start...], as: UTF8.self),
      let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1
    else { return nil }
    return (Int(scalar.value), start)
  }

  // MARK: Patterns

  private func addPatterns(
    _ name: ArraySlice<UInt8>, _ isFolded: Bool, _ matches: inout [MIMENameMatch], _ limit: Int,
    _ budget: inout WorkBudget
  ) {
    let entries = self[.globs]
    for index in entries.indices {
      guard budget.take(), matches.count < limit else { return }
      let entry = entries.offset(index)
      guard let offset = word(at: entry), let pattern = stringBytes(at: offset),
        GlobPattern(pattern).matches(name, budget: &budget)
      else { continue }
      add(entry, .pattern, length: pattern.count, isFolded, &matches, limit)
    }
  }
}
