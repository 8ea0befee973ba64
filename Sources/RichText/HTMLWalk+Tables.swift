internal import HTMLReader
internal import TextEncoding

// Tables: rows and cells, and those that are for the layout of a page only.
extension HTMLWalk {
  mutating func enterTablePart(
    _ node: Int32, _ tag: HTMLTag, _ change: HTMLStyleChange, _ inner: Context
  ) -> Bool {
    var inner = inner
    if isSeen(node) { hasBlock = true }
    if isInCode {
      if tag == .tr || tag == .table { separate(by: 1) }
      if tag.isCell, isSeen(node) { separateCodeCells() }
      push(inner, tag, breaksBelow: tag == .tr || tag == .table ? 1 : 0)
      return true
    }
    endImpliedParts()
    switch tag {
    case .table:
      let facts = facts(ofTable: node)
      inner.isLayout = facts.isLayout
      separate(by: 2)
      if facts.isCode {
        beginCode(joining: false, isSeen: isSeen(node))
        inner.kind = .code(info: "")
        inner.style.whiteSpace = .preserve
        inner.spans = []
        push(inner, tag, breaksBelow: 2, .code)
        return true
      }
      push(inner, tag, breaksBelow: 2, .container)
      if !facts.isLayout {
        path.append(makeEntry(.table(TextTable(alignments: facts.alignments))))
        context.pathCount = path.count
      }
    case .caption:
      // It stands before the table.
      separate(by: 2)
      let table = context.isLayout ? nil : path.last
      if table != nil, case .table? = table?.kind { path.removeLast() }
      push(inner, tag, breaksBelow: 2)
      if let table, case .table = table.kind {
        frames[frames.count - 1].end = .caption
        captionTables.append(table)
      }
    case .tr:
      separate(by: 1)
      inner.style.alignment = nil
      push(inner, tag, breaksBelow: 1, .container)
      if !context.isLayout, case .table? = path.last?.kind {
        path.append(makeEntry(.row(isHeader: isHeader(node))))
        context.isBoldItself = context.isBoldItself || isWhollyBold(node)
        context.pathCount = path.count
      }
    case .td, .th:
      enterCell(node, tag, change, inner)
    default:
      push(inner, tag, breaksBelow: 0)
    }
    return true
  }

  private mutating func enterCell(
    _ node: Int32, _ tag: HTMLTag, _ change: HTMLStyleChange, _ inner: Context
  ) {
    var inner = inner
    let isRow = if case .row? = path.last?.kind { !context.isLayout } else { false }
    if tag == .th || context.isBoldItself {
      inner.isBoldItself = true
      inner.spans.removeAll { $0 == .strong }
    } else if inner.style.isBold, !context.style.isBold {
      inner.spans.append(.strong)
    }
    if inner.style.isItalic, !context.style.isItalic { inner.spans.append(.emphasis) }
    inner.style.alignment = nil
    guard isRow else {
      separate(by: 1)
      push(inner, tag, breaksBelow: 1)
      return
    }
    separate(by: 2)
    push(inner, tag, breaksBelow: 2, .cell)
    seenParts.append(isSeen(node))
    path.append(
      makeEntry(
        .cell(
          columns: min(max(integer(.colspan, node) ?? 1, 1), 1000),
          rows: min(max(integer(.rowspan, node) ?? 1, 1), 1000))))
    context.pathCount = path.count
    context.kind = .body
  }

  // MARK: Looking ahead

  private struct TableFacts {
    var isLayout = false
    /// Whether its rows are lines of code beside their numbers.
    var isCode = false
    var alignments: [Paragraph.Alignment?] = []
  }

  /// What the rows of a table say about the whole.
  private func facts(ofTable table: Int32) -> TableFacts {
    var facts = TableFacts()
    var rows = 0
    var widest = 0
    var hasHeads = false
    var node = document.nodes[Int(table)].firstChild
    while node >= 0, rows < 16 {
      let element = document.nodes[Int(node)]
      let isSection =
        element.isElement(.tbody) || element.isElement(.thead) || element.isElement(.tfoot)
      if element.isElement(.tr) {
        rows += 1
        widest = max(widest, count(cellsOf: node, &hasHeads))
        if rows == 1 {
          facts.alignments = alignments(ofRow: node)
          facts.isCode = isLineOfCode(node)
        }
      }
      node = document.next(after: node, within: table, skipsContent: !isSection)
    }
    if let role = attribute(.role, table) {
      facts.isLayout =
        document.text.isWord("presentation", in: role) || document.text.isWord("none", in: role)
    }
    if widest <= 1, rows <= 1 { facts.isLayout = true }
    if !facts.isLayout, !hasHeads, mayBeLayout(table, isOneColumn: widest <= 1) {
      facts.isLayout = hasBlocks(table, isOneColumn: widest <= 1)
    }
    return facts
  }

  /// Whether a table may be there for the layout of a page: programs that write documents have no such
  /// tables, lines around cells are there to be seen, and with several columns it has to say something.
  private func mayBeLayout(_ table: Int32, isOneColumn: Bool) -> Bool {
    guard survey.producer == .unknown else { return false }
    let border = attribute(.border, table)
    if let border, document.text.integer(in: border) != 0 { return false }
    return isOneColumn || border != nil || attribute(.width, table) != nil
  }

  /// Whether the cells of a table have what no table of data has: tables, and where there is but one
  /// column, headings, lists and the like.
  private func hasBlocks(_ table: Int32, isOneColumn: Bool) -> Bool {
    var node = document.nodes[Int(table)].firstChild
    var steps = 0
    while node >= 0, steps < 256 {
      steps += 1
      let element = document.nodes[Int(node)]
      switch element.kind == .element && element.namespace == .html ? element.tag : .unknown {
      case .table: return true
      case .h1, .h2, .h3, .h4, .h5, .h6, .ul, .ol, .pre, .blockquote, .hr:
        if isOneColumn { return true }
      default: break
      }
      node = document.next(after: node, within: table)
    }
    return false
  }

  private func count(cellsOf row: Int32, _ hasHeads: inout Bool) -> Int {
    var count = 0
    var cell = document.nodes[Int(row)].firstChild
    while cell >= 0 {
      if document.nodes[Int(cell)].isElement(.th) { hasHeads = true }
      if document.nodes[Int(cell)].kind == .element, !isLineNumbers(cell) { count += 1 }
      cell = document.nodes[Int(cell)].nextSibling
    }
    return count
  }

  /// Whether a row is one of a viewer of source code: a number, and the line.
  private func isLineOfCode(_ row: Int32) -> Bool {
    var hasNumber = false
    var hasCode = false
    var cell = document.nodes[Int(row)].firstChild
    while cell >= 0 {
      if document.nodes[Int(cell)].isElement(.td) {
        if isLineNumbers(cell) {
          hasNumber = true
        } else if let names = attribute(.class, cell), !hasCode,
          document.text.words(in: names).contains(where: {
            document.text.isWord("hljs-ln-code", in: $0)
              || document.text.isWord("blob-code", in: $0)
          })
        {
          hasCode = true
        } else {
          return false
        }
      }
      cell = document.nodes[Int(cell)].nextSibling
    }
    return hasNumber && hasCode
  }

  /// How the heads of columns are aligned, where they say so.
  private func alignments(ofRow row: Int32) -> [Paragraph.Alignment?] {
    var alignments: [Paragraph.Alignment?] = []
    var cell = document.nodes[Int(row)].firstChild
    while cell >= 0, alignments.count < 1000 {
      let element = document.nodes[Int(cell)]
      if element.isElement(.th) {
        var change = HTMLStyleChange()
        if let align = attribute(.align, cell) {
          change.alignment = HTMLStyleChange.alignment(align, document.text)
        }
        if let style = attribute(.style, cell) { change.read(document.text, in: style) }
        alignments.append(change.alignment == .justified ? nil : change.alignment)
      } else if element.isElement(.td), !isLineNumbers(cell) {
        alignments.append(nil)
      }
      cell = element.nextSibling
    }
    return alignments
  }

  /// Whether a row is the head of its table.
  private func isHeader(_ row: Int32) -> Bool {
    let parent = document.nodes[Int(row)].parent
    guard parent >= 0 else { return false }
    if document.nodes[Int(parent)].isElement(.thead) { return true }
    guard isFirst(row) else { return false }
    var cell = document.nodes[Int(row)].firstChild
    var hasCells = false
    while cell >= 0 {
      if document.nodes[Int(cell)].isElement(.td) { return isWhollyBold(row) }
      if document.nodes[Int(cell)].isElement(.th) { hasCells = true }
      cell = document.nodes[Int(cell)].nextSibling
    }
    return hasCells
  }

  /// Whether no row stands before one in its table.
  private func isFirst(_ row: Int32) -> Bool {
    var node = row
    for _ in 0..<2 {
      var sibling = document.nodes[Int(node)].previousSibling
      var steps = 0
      while sibling >= 0, steps < 64 {
        steps += 1
        let element = document.nodes[Int(sibling)]
        if element.isElement(.tr) || element.isElement(.thead) || element.isElement(.tbody) {
          return false
        }
        sibling = element.previousSibling
      }
      node = document.nodes[Int(node)].parent
      guard node >= 0, !document.nodes[Int(node)].isElement(.table) else { return true }
    }
    return true
  }

  /// Whether all cells of the first row of a table are bold as a whole, as spreadsheets write heads.
  private func isWhollyBold(_ row: Int32) -> Bool {
    guard isFirst(row) else { return false }
    var cell = document.nodes[Int(row)].firstChild
    var hasCells = false
    while cell >= 0 {
      let element = document.nodes[Int(cell)]
      if element.isElement(.td) {
        guard isBold(cell) else { return false }
        hasCells = true
      } else if element.isElement(.th) {
        return false
      }
      cell = element.nextSibling
    }
    return hasCells
  }

  /// Whether a cell says that it is bold, or has nothing but one element that is.
  private func isBold(_ cell: Int32) -> Bool {
    var node = cell
    for _ in 0..<4 {
      var change = HTMLStyleChange()
      survey.sheet.apply(
        to: &change, element: document.name(of: node),
        classes: attribute(.class, node).map { document.text[$0] })
      if let style = attribute(.style, node) { change.read(document.text, in: style) }
      var style = HTMLComputedStyle()
      style.applyDefaults(of: document.nodes[Int(node)].tag)
      style.apply(change, isBlock: false, inherited: HTMLComputedStyle())
      if style.isBold { return true }
      var child = document.nodes[Int(node)].firstChild
      while child >= 0, document.nodes[Int(child)].kind != .element {
        if document.text[document.text(of: child)].contains(where: { !$0.isHTMLSpace }) {
          return false
        }
        child = document.nodes[Int(child)].nextSibling
      }
      guard child >= 0 else { return false }
      node = child
    }
    return false
  }
}
