// Which lists, items and quotes a paragraph opens and closes.

/// A list that is open.
struct RTFOpenList {
  /// The identity of its container, for what is known only at its end.
  var identity: Int?
  var numbering: TextList.Numbering
  var start: Int
  var list: Int32
  var level: Int32
  var indent: Int32
  /// The number that the next item has if it goes on.
  var next: Int
  var isTight = true
  /// Whether running text stands in the item under way.
  var itemHasText = false

  var kind: TextList { TextList(numbering: numbering, start: start, isTight: isTight) }

  /// How deep the list is against that of an item: below 0 if it is around it.
  func depth(against item: RTFListItem) -> Int {
    if list != 0, item.list != 0, list == item.list || level != item.level {
      return Int(level) - Int(item.level)
    }
    let difference = Int(indent) - Int(item.indent)
    return abs(difference) <= RTFOpenList.tolerance ? 0 : difference
  }

  /// Indents that differ by as much are the same, in twentieths of a point.
  static let tolerance = 60
}

extension RTFComposer {
  /// Lists in lists beyond this are not opened: their items belong to the last one that is.
  private static var deepestList: Int { 64 }

  mutating func openBlocks(_ facts: RTFSurvey.Facts, _ paragraph: RTFDocument.Paragraph) {
    if let item = facts.item {
      openItem(item, quotes: facts.quoteDepth)
      if facts.kind == .body { noteText() }
    } else if let list = listGoingOn(in: paragraph, facts) {
      // Behind the list and its item, whatever is open is a quote or closes.
      openQuotes(facts.quoteDepth - quotes(before: list), from: list + 2)
      if facts.kind == .body, facts.quoteDepth == 0 { noteText() }
    } else {
      let start = depthOfCell
      let depth = facts.quoteDepth == 0 && facts.mayBeQuote ? 1 : facts.quoteDepth
      openQuotes(depth, from: start)
    }
  }

  /// Sees to it that from a place on so many quotes are open, and nothing else.
  mutating func openQuotes(_ depth: Int, from start: Int) {
    var count = 0
    while count < depth, start + count < open.count, case .quote = open[start + count] {
      count += 1
    }
    close(downTo: start + count)
    while count < depth {
      builder.open(.quote)
      open.append(.quote)
      count += 1
    }
  }

  private func quotes(before index: Int) -> Int {
    open[..<index].count { if case .quote = $0 { true } else { false } }
  }

  /// Where the innermost list is that is open in the cell.
  var innermostList: Int? {
    open[depthOfCell...].lastIndex { if case .list = $0 { true } else { false } }
  }

  func list(at index: Int) -> RTFOpenList? {
    if case .list(let list) = open[index] { return list }
    return nil
  }

  // MARK: Items

  private mutating func openItem(_ item: RTFListItem, quotes depth: Int) {
    let start = depthOfCell
    let outerQuotes = open[start...].prefix { if case .quote = $0 { true } else { false } }.count
    if outerQuotes != depth { openQuotes(depth, from: start) }

    var depthOfLists = open.count { if case .list = $0 { true } else { false } }
    while let index = innermostList, let list = list(at: index) {
      let difference = list.depth(against: item)
      if difference > 0 {
        close(downTo: index)
        depthOfLists -= 1
        continue
      }
      if difference == 0 || depthOfLists >= Self.deepestList {
        if continues(list, item) { return addItem(item, toListAt: index) }
        close(downTo: index)
      } else {
        // In the item that is open, behind its text.
        close(downTo: index + 2)
      }
      return openList(item)
    }
    openList(item)
  }

  private func continues(_ list: RTFOpenList, _ item: RTFListItem) -> Bool {
    guard list.numbering == item.numbering else { return false }
    if list.list == item.list, list.list != 0 {
      return item.numbering == .bullet || item.number == nil || item.number == list.next
    }
    // Word and Writer begin a list anew where a reader sees none beginning.
    guard !tables.isOwn else { return false }
    return item.numbering == .bullet || item.number == nil || item.number == list.next
  }

  mutating func addItem(_ item: RTFListItem, toListAt index: Int) {
    close(downTo: index + 1)
    if case .list(var list) = open[index] {
      list.next = (item.number ?? list.next) &+ 1
      list.itemHasText = false
      list.indent = item.indent
      open[index] = .list(list)
    }
    builder.open(.item(isDone: item.isDone))
    open.append(.item)
  }

  mutating func openList(_ item: RTFListItem) {
    let start = item.numbering == .bullet ? 1 : item.start
    var list = RTFOpenList(
      numbering: item.numbering, start: start, list: item.list, level: item.level,
      indent: item.indent, next: start &+ 1)
    list.identity = builder.open(.list(list.kind))
    open.append(.list(list))
    builder.open(.item(isDone: item.isDone))
    open.append(.item)
  }

  /// Two paragraphs of text in an item need a blank line between them.
  private mutating func noteText() {
    guard let index = innermostList, case .list(var list) = open[index] else { return }
    if list.itemHasText { list.isTight = false }
    list.itemHasText = true
    open[index] = .list(list)
  }

  // MARK: Further paragraphs

  /// The list whose item a paragraph without a marker goes on.
  private func listGoingOn(
    in paragraph: RTFDocument.Paragraph, _ facts: RTFSurvey.Facts
  ) -> Int? {
    guard !facts.kind.isHeading, facts.kind != .thematicBreak || tables.isOwn else { return nil }
    let format = paragraph.format
    var index = open.count - 1
    let start = depthOfCell
    while index >= start {
      defer { index -= 1 }
      guard let list = list(at: index) else { continue }
      if format.list != 0 {
        if list.list == format.list, list.level == format.listLevel { return index }
      } else if format.leftIndent > 0, format.firstIndent >= 0, facts.hasText,
        abs(Int(list.indent) - Int(format.leftIndent)) <= RTFOpenList.tolerance
      {
        return index
      }
    }
    return nil
  }
}
