/// Writes `mime.cache` files for tests, as `update-mime-database` would.
struct MIMECacheWriter: Sendable {
  /// A rule for names.
  struct Rule: Sendable {
    var pattern: String
    var type: String
    var weight = 50
    var isCaseSensitive = false
  }

  /// A part of a rule for content.
  struct Part: Sendable {
    var value: [UInt8]
    var mask: [UInt8]?
    var start = 0
    var range = 1
    var wordSize = 1
    var inner: [Part] = []

    init(
      _ value: [UInt8], mask: [UInt8]? = nil, at start: Int = 0, range: Int = 1,
      wordSize: Int = 1, inner: [Part] = []
    ) {
      self.value = value
      self.mask = mask
      self.start = start
      self.range = range
      self.wordSize = wordSize
      self.inner = inner
    }

    init(_ text: String, at start: Int = 0, range: Int = 1, inner: [Part] = []) {
      self.init(Array(text.utf8), at: start, range: range, inner: inner)
    }
  }

  struct Magic: Sendable {
    var type: String
    var priority = 50
    var parts: [Part]
  }

  var version = (major: 1, minor: 2)
  var aliases: [(alias: String, type: String)] = []
  var parents: [(type: String, parents: [String])] = []
  /// Whole names, suffixes (`*.txt`) and other patterns, told apart by what is in them.
  var rules: [Rule] = []
  var magic: [Magic] = []
  var genericIcons: [(type: String, icon: String)] = []
  /// Types whose rules in directories behind this one do not count.
  var deletesGlobs: [String] = []
  var deletesMagic: [String] = []

  /// The file.
  var bytes: [UInt8] {
    var output = Output()
    output.bytes = Array(repeating: 0, count: 40)
    output.bytes.replaceSubrange(
      0..<4, with: [0, UInt8(version.major), 0, UInt8(version.minor)])
    let (literals, suffixes, patterns) = sortedRules
    output.section(0) { output in
      output.word(aliases.count)
      for pair in aliases.sorted(by: { $0.alias.utf8.lexicographicallyPrecedes($1.alias.utf8) }) {
        output.string(pair.alias)
        output.string(pair.type)
      }
    }
    output.section(1) { output in
      output.word(parents.count)
      for entry in parents.sorted(by: { $0.type < $1.type }) {
        output.string(entry.type)
        output.block { output in
          output.word(entry.parents.count)
          for parent in entry.parents { output.string(parent) }
        }
      }
    }
    output.section(2) { Self.write(literals, to: &$0) }
    output.section(3) { output in
      let tree = Tree(suffixes)
      output.word(tree.children.count)
      output.block { tree.write(to: &$0) }
    }
    output.section(4) { Self.write(patterns, to: &$0) }
    let allMagic =
      magic.enumerated()
      .sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
      .map(\.element)
      + deletesMagic.map { Magic(type: $0, priority: 0, parts: [Part("__NOMAGIC__")]) }
    output.section(5) { output in
      output.word(allMagic.count)
      output.word(magicExtent)
      output.block { output in
        for rule in allMagic {
          output.word(rule.priority)
          output.string(rule.type)
          output.word(rule.parts.count)
          output.block { Self.write(rule.parts, to: &$0) }
        }
      }
    }
    output.section(6) { $0.word(0) }
    output.section(7) { $0.word(0) }
    output.section(8) { output in
      output.word(genericIcons.count)
      for entry in genericIcons {
        output.string(entry.type)
        output.string(entry.icon)
      }
    }
    output.finish()
    return output.bytes
  }

  private var sortedRules: (literals: [Rule], suffixes: [Rule], patterns: [Rule]) {
    var all: (literals: [Rule], suffixes: [Rule], patterns: [Rule]) = (
      deletesGlobs.map { Rule(pattern: "__NOGLOBS__", type: $0, weight: 0) }, [], []
    )
    for rule in rules {
      let isSpecial = { (character: Character) in "*?[".contains(character) }
      if !rule.pattern.contains(where: isSpecial) {
        all.literals.append(rule)
      } else if rule.pattern.first == "*", !rule.pattern.dropFirst().contains(where: isSpecial) {
        all.suffixes.append(rule)
      } else {
        all.patterns.append(rule)
      }
    }
    // Byte by byte; `sorted` need not keep the order of what is equal.
    all.literals = all.literals.enumerated().sorted { one, other in
      let (left, right) = (one.element.pattern, other.element.pattern)
      return left == right
        ? one.offset < other.offset : left.utf8.lexicographicallyPrecedes(right.utf8)
    }.map(\.element)
    return all
  }

  private var magicExtent: Int {
    func extent(_ part: Part) -> Int {
      part.inner.map(extent).reduce(part.start + part.range + part.value.count, max)
    }
    return magic.flatMap(\.parts).map(extent).max() ?? 0
  }

  private static func write(_ rules: [Rule], to output: inout Output) {
    output.word(rules.count)
    for rule in rules {
      output.string(rule.pattern)
      output.string(rule.type)
      output.word(weight(rule))
    }
  }

  private static func weight(_ rule: Rule) -> Int {
    rule.weight | (rule.isCaseSensitive ? 0x100 : 0)
  }

  private static func write(_ parts: [Part], to output: inout Output) {
    for part in parts {
      output.word(part.start)
      output.word(part.range)
      output.word(part.wordSize)
      output.word(part.value.count)
      output.data(part.value)
      if let mask = part.mask { output.data(mask) } else { output.word(0) }
      output.word(part.inner.count)
      if part.inner.isEmpty { output.word(0) } else { output.block { write(part.inner, to: &$0) } }
    }
  }

  /// The tree of suffixes, from the last character.
  private final class Tree {
    var children: [Unicode.Scalar: Tree] = [:]
    var rules: [Rule] = []

    init() {}

    init(_ suffixes: [Rule]) {
      for rule in suffixes {
        var node = self
        for scalar in rule.pattern.dropFirst().unicodeScalars.reversed() {
          let child = node.children[scalar] ?? Tree()
          node.children[scalar] = child
          node = child
        }
        node.rules.append(rule)
      }
    }

    func write(to output: inout Output) {
      for rule in rules {
        output.word(0)
        output.string(rule.type)
        output.word(MIMECacheWriter.weight(rule))
      }
      for (scalar, child) in children.sorted(by: { $0.key < $1.key }) {
        output.word(Int(scalar.value))
        output.word(child.rules.count + child.children.count)
        output.block { child.write(to: &$0) }
      }
    }
  }

  /// A file under construction: what is referred to is written behind all that refers to it.
  private struct Output {
    var bytes: [UInt8] = []
    private var strings: [String: Int] = [:]
    private var later: [(place: Int, write: (inout Output) -> Void)] = []

    mutating func word(_ value: Int) {
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    mutating func section(_ number: Int, _ write: (inout Output) -> Void) {
      patch(4 + 4 * number)
      write(&self)
    }

    /// A reference to what `write` writes.
    mutating func block(_ write: @escaping (inout Output) -> Void) {
      later.append((bytes.count, write))
      word(0)
    }

    mutating func string(_ text: String) {
      block { $0.bytes += Array(text.utf8) + [0] }
    }

    mutating func data(_ data: [UInt8]) {
      block { $0.bytes += data }
    }

    private mutating func patch(_ place: Int) {
      let end = bytes.count
      var number = Output()
      number.word(end)
      bytes.replaceSubrange(place..<place + 4, with: number.bytes)
    }

    mutating func finish() {
      while !later.isEmpty {
        let next = later.removeFirst()
        patch(next.place)
        next.write(&self)
      }
    }
  }
}
