/// A span of a paragraph and how it is marked.
struct MarkdownNode {
  enum Mark: Equatable {
    /// `*` or `_`, doubled for strong emphasis; `~`, doubled unless in another of its kind.
    case delimiter(UInt8)
    /// An HTML element, where no delimiter would be read as one.
    case element
    /// A link in brackets.
    case brackets
    /// A link that is its own text, in angle brackets.
    case autolink
    /// Not at all: a link in a link, or what a parent says already.
    case none
  }

  var kind: MarkdownSpans.Kind
  var mark: Mark
  var span: MarkdownSpans.Number
  /// Whether it is struck-through text in other struck-through text; `~` is then told from `~~`.
  var isInner = false
  /// Its tokens.
  var open: Int
  var close: Int

  var delimiterLength: Int {
    switch kind {
    case .emphasis: 1
    case .strong: 2
    case .strikethrough: isInner ? 1 : 2
    case .link: 0
    }
  }
}

/// The parts of a paragraph in the order in which they are written.
enum MarkdownToken {
  case open(Int)
  case close(Int)
  case piece(Int)
}

/// Chooses the delimiters of a paragraph: `*` where that is read rightly, else `_`, else HTML.
///
/// A delimiter run means what it means by its neighbours, which may be other delimiters. So they are
/// chosen from left to right and then read as a parser reads them; what that parser would not
/// understand is chosen anew, all of it at once, a few times at most.
struct MarkdownDelimiters {
  var tokens: [MarkdownToken] = []
  var nodes: [MarkdownNode] = []
  /// What stands at the left end and at the right end of each piece.
  var edges: [(left: MarkdownCharacterClass, right: MarkdownCharacterClass)] = []
  private var failed: [Bool] = []
  private var runs: [Run] = []

  /// Delimiters that stand side by side and have the same character.
  private struct Run {
    var character: UInt8
    var tokens: Range<Int>
    var length: Int
    var remaining: Int
    var canBoth: Bool
  }

  mutating func removeAll() {
    tokens.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    edges.removeAll(keepingCapacity: true)
  }

  mutating func choose() {
    guard nodes.contains(where: { $0.kind.isDelimited && $0.mark != .none }) else { return }
    chooseFirst()
    for round in 0..<6 {
      check()
      guard failed.contains(true) else { return }
      for index in nodes.indices where failed[index] {
        if case .delimiter(UInt8(ascii: "*")) = nodes[index].mark, round < 3 {
          nodes[index].mark = .delimiter(UInt8(ascii: "_"))
        } else {
          nodes[index].mark = .element
        }
      }
    }
    for index in nodes.indices {
      if case .delimiter = nodes[index].mark { nodes[index].mark = .element }
    }
  }

  // MARK: A first choice

  private mutating func chooseFirst() {
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      switch token {
      case .piece: break
      case .close(let node): if open.last == node { open.removeLast() }
      case .open(let node):
        defer { open.append(node) }
        guard nodes[node].mark != .none else { continue }
        switch nodes[node].kind {
        case .link: continue
        case .strikethrough: nodes[node].mark = .delimiter(UInt8(ascii: "~"))
        case .emphasis, .strong:
          let avoids = avoidsAsterisk(node, at: index, open: open)
          nodes[node].mark = .delimiter(avoids ? UInt8(ascii: "_") : UInt8(ascii: "*"))
        }
      }
    }
  }

  private func avoidsAsterisk(_ node: Int, at index: Int, open: [Int]) -> Bool {
    let asterisk = MarkdownNode.Mark.delimiter(UInt8(ascii: "*"))
    if index > 0 {
      switch tokens[index - 1] {
      case .close(let before):
        if nodes[before].mark == asterisk { return true }
      case .open(let parent) where nodes[parent].mark == asterisk:
        // `***` opens both, if no more than both, and is emphasis around strong emphasis if it closes
        // both as well.
        guard nodes[parent].delimiterLength != nodes[node].delimiterLength else { return true }
        if index > 1, case .open(let above) = tokens[index - 2], nodes[above].mark == asterisk {
          return true
        }
        return nodes[node].delimiterLength == 1 && nodes[parent].close == nodes[node].close + 1
      case .open, .piece: break
      }
    }
    // A delimiter that could close as well would close the one around it.
    let length = nodes[node].delimiterLength
    let abilities = abilities(UInt8(ascii: "*"), from: index, to: index)
    return abilities.closesEver
      && open.contains {
        nodes[$0].mark == asterisk
          && !(abilities.isWithinWord && Self.isThree(nodes[$0].delimiterLength, length))
      }
  }

  // MARK: Reading what was chosen

  /// Marks as failed each node that a parser would not find.
  private mutating func check() {
    failed = [Bool](repeating: false, count: nodes.count)
    runs.removeAll(keepingCapacity: true)
    // The nodes of opening delimiters that were not closed so far, with the run each belongs to.
    var stack: [(node: Int, run: Int)] = []
    var index = 0
    while index < tokens.count {
      guard let character = delimiter(at: index) else {
        index += 1
        continue
      }
      var end = index
      var length = 0
      var opens = false
      var closes = false
      while end < tokens.count, delimiter(at: end) == character {
        switch tokens[end] {
        case .open(let node):
          opens = true
          length += nodes[node].delimiterLength
        case .close(let node):
          closes = true
          length += nodes[node].delimiterLength
        case .piece: break
        }
        end += 1
      }
      let abilities = abilities(character, from: index, to: end - 1)
      runs.append(
        Run(
          character: character, tokens: index..<end, length: length, remaining: length,
          canBoth: abilities.isEverBoth))
      if opens, closes || length > 3 || character == UInt8(ascii: "~") && end - index > 1 {
        fail(index..<end)
      } else if opens {
        let closesOther =
          abilities.closesEver && character != UInt8(ascii: "~")
          && stack.contains {
            runs[$0.run].character == character
              && !(abilities.isWithinWord && Self.isThree(runs[$0.run].length, length))
          }
        if closesOther || !abilities.opensAlways { fail(index..<end) }
      } else if !abilities.closesAlways {
        fail(index..<end)
      }
      if opens {
        for token in index..<end {
          if case .open(let node) = tokens[token] { stack.append((node, runs.count - 1)) }
        }
        if closes { dropClosed(index..<end, from: &stack) }
      } else {
        close(index..<end, &stack)
      }
      index = end
    }
  }

  /// Closes nodes as a parser does: by the lengths of the runs, whatever the nodes are.
  private mutating func close(_ range: Range<Int>, _ stack: inout [(node: Int, run: Int)]) {
    let closer = runs.count - 1
    for token in range {
      guard case .close(let node) = tokens[token] else { continue }
      guard let top = stack.last, top.node == node else {
        failed[node] = true
        stack.removeAll { $0.node == node }
        continue
      }
      stack.removeLast()
      let opener = top.run
      let own = nodes[node].delimiterLength
      // Two delimiters are strong emphasis wherever both runs have two left; `***` on both sides is
      // read at once, strong emphasis within emphasis.
      let shared = min(runs[opener].remaining, runs[closer].remaining)
      let read = runs[opener].character == UInt8(ascii: "~") ? own : min(shared, 2)
      let isThree =
        (runs[opener].canBoth || runs[closer].canBoth)
        && Self.isThree(runs[opener].length, runs[closer].length)
      if read != own || runs[opener].character != runs[closer].character || isThree {
        failed[node] = true
      }
      runs[opener].remaining -= own
      runs[closer].remaining -= own
    }
  }

  /// Whether two runs of these lengths do not match if one of them could open and close (CommonMark
  /// 6.2, rules 9 and 10).
  private static func isThree(_ first: Int, _ second: Int) -> Bool {
    (first + second) % 3 == 0 && first % 3 != 0
  }

  private mutating func dropClosed(_ range: Range<Int>, from stack: inout [(node: Int, run: Int)]) {
    for token in range {
      if case .close(let node) = tokens[token] {
        failed[node] = true
        stack.removeAll { $0.node == node }
      }
    }
  }

  /// Of a run that opens and closes only what opens is at fault.
  private mutating func fail(_ range: Range<Int>) {
    var hasOpen = false
    for token in range {
      if case .open(let node) = tokens[token] {
        failed[node] = true
        hasOpen = true
      }
    }
    guard !hasOpen else { return }
    for token in range {
      if case .close(let node) = tokens[token] { failed[node] = true }
    }
  }

  private func delimiter(at index: Int) -> UInt8? {
    let node: Int
    switch tokens[index] {
    case .piece: return nil
    case .open(let number), .close(let number): node = number
    }
    if case .delimiter(let character) = nodes[node].mark { return character }
    return nil
  }

  // MARK: Neighbours

  /// What stands before a token.
  private func edgeBefore(_ index: Int) -> MarkdownCharacterClass {
    var index = index - 1
    while index >= 0 {
      switch tokens[index] {
      case .piece(let piece): return edges[piece].right
      case .open(let node), .close(let node):
        if nodes[node].mark != .none { return .punctuation }
      }
      index -= 1
    }
    return .blank
  }

  /// What stands behind a token.
  private func edgeBehind(_ index: Int) -> MarkdownCharacterClass {
    var index = index + 1
    while index < tokens.count {
      switch tokens[index] {
      case .piece(let piece): return edges[piece].left
      case .open(let node), .close(let node):
        if nodes[node].mark != .none { return .punctuation }
      }
      index += 1
    }
    return .blank
  }

  private func abilities(
    _ character: UInt8, from first: Int, to last: Int
  ) -> MarkdownDelimiterAbilities {
    MarkdownDelimiterAbilities(character, edgeBefore(first), edgeBehind(last))
  }
}

/// What a delimiter run can do between two neighbours, where the versions of CommonMark differ under
/// any and under every one of them.
struct MarkdownDelimiterAbilities {
  private(set) var opensAlways = true
  private(set) var closesAlways = true
  private(set) var opensEver = false
  private(set) var closesEver = false
  private(set) var isEverBoth = false
  /// Whether letters stand on both sides; only there md4c keeps rule 9 for a run that could close.
  let isWithinWord: Bool

  init(_ character: UInt8, _ left: MarkdownCharacterClass, _ right: MarkdownCharacterClass) {
    isWithinWord = left == .other && right == .other
    for before in Self.levels(left) {
      for behind in Self.levels(right) {
        let isNone = character == UInt8(ascii: "_") && before == 2 && behind == 2
        let opens = behind > 0 && behind >= before && !isNone
        let closes = before > 0 && before >= behind && !isNone
        opensAlways = opensAlways && opens
        closesAlways = closesAlways && closes
        opensEver = opensEver || opens
        closesEver = closesEver || closes
        isEverBoth = isEverBoth || opens && closes
      }
    }
  }

  /// 0 for white space, 1 for punctuation, 2 for anything else.
  private static func levels(_ edge: MarkdownCharacterClass) -> ClosedRange<Int> {
    switch edge {
    case .blank: 0...0
    case .punctuation: 1...1
    case .symbol: 1...2
    case .other: 2...2
    }
  }
}
