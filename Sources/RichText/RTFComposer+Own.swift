// What clipview itself wrote: indents tell exactly which quotes and items are around a paragraph.

extension RTFComposer {
  mutating func openOwnBlocks(_ index: Int, _ facts: RTFSurvey.Facts) {
    if let item = facts.item {
      openOwnItem(item, quotes: facts.quoteDepth)
    } else {
      keepOwn(items: facts.itemDepth, quotes: facts.quoteDepth)
      openMoreQuotes(facts.quoteDepth)
    }
    guard facts.kind == .body, facts.hasText, let list = innermostList,
      case .list(var open) = open[list]
    else {
      return
    }
    if document.paragraphs[index].format.spaceAfter > 0, isFollowedInList(index) {
      open.isTight = false
    }
    if quotesInside(list) == 0 {
      if facts.item == nil, open.itemHasText { open.isTight = false }
      open.itemHasText = true
    }
    self.open[list] = .list(open)
  }

  /// Closes what is not around a paragraph in so many items and quotes.
  private mutating func keepOwn(items: Int, quotes: Int) {
    var itemCount = 0
    var quoteCount = 0
    var end = depthOfCell
    for container in open[depthOfCell...] {
      switch container {
      case .quote: quoteCount += 1
      case .list: itemCount += 1
      case .item, .table, .row, .cell: break
      }
      guard itemCount <= items, quoteCount <= quotes else { break }
      end += 1
    }
    close(downTo: end)
  }

  private mutating func openMoreQuotes(_ depth: Int) {
    var count = open[depthOfCell...].count { if case .quote = $0 { true } else { false } }
    while count < depth {
      builder.open(.quote)
      open.append(.quote)
      count += 1
    }
  }

  private mutating func openOwnItem(_ item: RTFListItem, quotes: Int) {
    keepOwn(items: Int(item.level) + 1, quotes: quotes)
    if let index = innermostList, let list = list(at: index), list.level == item.level {
      let goesOn =
        list.list == item.list && list.numbering == item.numbering
        && (item.numbering == .bullet || item.number == list.next)
      if goesOn, quotesInside(index) == 0 || quotesInItem(index, quotes) {
        return addItem(item, toListAt: index)
      }
      close(downTo: index)
    }
    openMoreQuotes(quotes)
    // Items that have nothing but this list in them were not written.
    var depth = Int32(open[depthOfCell...].count { if case .list = $0 { true } else { false } })
    while depth < item.level {
      var outer = RTFListItem(list: item.list, level: depth, indent: 0)
      outer.numbering = .bullet
      openList(outer)
      depth += 1
    }
    openList(item)
  }

  private func quotesInside(_ index: Int) -> Int {
    open[index...].count { if case .quote = $0 { true } else { false } }
  }

  /// Whether the quotes around the list alone are those that the item is in.
  private func quotesInItem(_ index: Int, _ quotes: Int) -> Bool {
    open[depthOfCell..<index].count { if case .quote = $0 { true } else { false } } == quotes
  }

  /// Whether the next paragraph stands in the outermost list that this one is in.
  private func isFollowedInList(_ index: Int) -> Bool {
    guard index + 1 < document.paragraphs.count,
      let outermost = open[depthOfCell...].lazy.compactMap({ container -> RTFOpenList? in
        if case .list(let list) = container { list } else { nil }
      }).first
    else { return false }
    let next = document.paragraphs[index + 1]
    guard next.cell == document.paragraphs[index].cell else { return false }
    let items = next.format.ownDepths.items
    if next.marker != nil, items == 1 { return next.format.list == outermost.list }
    return items >= 1
  }
}
