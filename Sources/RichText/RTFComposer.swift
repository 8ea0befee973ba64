/// Finds out what the paragraphs of a document are, and makes attributed text of them.
///
/// One way from the first to the last: containers are opened and closed as they differ from those of
/// the paragraph before.
struct RTFComposer {
  let document: RTFDocument
  let tables: RTFTables
  var links: [TextLink?]
  /// How many bytes of addresses paragraphs may still have: a link around many of them is written in
  /// each.
  var addressesLeft: Int
  let shapes: RTFTableShapes
  var survey: RTFSurvey
  var builder = AttributedTextBuilder()

  /// What is open, outermost first.
  var open: [OpenContainer] = []
  /// The block of code that the paragraph before was part of, which another line may continue.
  private var codeFormat: RTFParagraphFormat?
  /// Empty lines that belong to it if another line follows.
  private var emptyCodeLines: [Int] = []

  /// The numbers of attributes that were met before.
  var attributeNumbers: [RTFComposer.Look: AttributeTable.Number] = [:]
  var lastNumber: (look: Look, number: AttributeTable.Number)?

  struct Look: Hashable {
    let format: RTFCharacterFormat
    let base: RTFBase
    let isInCode: Bool
  }

  enum OpenContainer {
    case table(Int32)
    case row(Int32)
    case cell(Int32)
    case quote
    case list(RTFOpenList)
    case item
  }

  init(_ document: RTFDocument, _ tables: RTFTables) {
    self.document = document
    self.tables = tables
    links = tables.fields.links()
    addressesLeft = 8 * document.utf8.count + 1 << 20
    survey = RTFSurvey(document, tables)
    shapes = RTFTableShapes(document, looksLikeHead: survey.rowLooksLikeHead)
    builder.reserveCapacity(document.utf8.count + document.paragraphs.count)
  }

  mutating func compose() -> AttributedText {
    for index in document.paragraphs.indices { compose(index) }
    flushEmptyCodeLines()
    close(downTo: 0)
    var text = builder.finish()
    text.isFragment = isFragment(text)
    return text
  }

  /// Whether all is one paragraph without a mark.
  ///
  /// Where clipview itself wrote it, the last of whole paragraphs has none either, but a format.
  private func isFragment(_ text: AttributedText) -> Bool {
    guard document.paragraphs.count == 1, !document.paragraphs[0].hasMark, text.blocks.count == 1,
      text.blocks[0].kind == .body, text.blocks[0].container == BlockTree.none
    else { return false }
    return !tables.isOwn || document.paragraphs[0].format == RTFParagraphFormat()
  }

  /// The bytes of a paragraph.
  func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : document.paragraphs[index - 1].end)..<document.paragraphs[index].end
  }

  /// The runs of a paragraph.
  func runRange(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : document.paragraphs[index - 1].runEnd)..<document.paragraphs[index].runEnd
  }

  // MARK: Paragraphs

  private mutating func compose(_ index: Int) {
    let paragraph = document.paragraphs[index]
    if let cell = paragraph.cell, shapes.isMergedAway[Int(cell)] { return }
    if tables.isOwn, keepsTablesApart(index) { return openCells(to: nil) }
    let isInHead =
      paragraph.cell.map { shapes.isHeader[Int(document.cells[Int($0)].row)] } ?? false
    let facts = survey.facts(index, isInHead: isInHead, document, tables)

    let mayJoin =
      facts.item == nil && isInSameCell(paragraph.cell)
      && codeFormat.map { $0.isSameBlock(as: paragraph.format) } == true
    if facts.mayBeEmptyCodeLine, mayJoin {
      emptyCodeLines.append(index)
      return
    }
    if facts.kind.isCode, facts.mayJoinCode, mayJoin {
      builder.attributes = .plain
      for _ in 0...emptyCodeLines.count { builder.appendLineBreak() }
      emptyCodeLines = []
      appendRuns(index, from: range(index).lowerBound, facts)
      return
    }
    flushEmptyCodeLines()

    openCells(to: paragraph.cell)
    if tables.isOwn { openOwnBlocks(index, facts) } else { openBlocks(facts, paragraph) }
    let isLoneInCell =
      range(index).isEmpty && facts.kind == .body && paragraph.cell != nil && facts.item == nil
    // A cell or an item that nothing is in becomes vacant when it closes.
    if isLoneInCell
      || (facts.item != nil && facts.kind == .body && facts.textStart == range(index).upperBound)
    {
      codeFormat = nil
      return
    }
    builder.beginParagraph(facts.kind, alignment: alignment(of: paragraph, facts))
    if let prefix = facts.prefix {
      builder.attributes = .plain
      builder.append(prefix)
    }
    appendRuns(index, from: facts.textStart, facts)
    codeFormat = facts.kind.isCode ? paragraph.format : nil
  }

  /// Whether the paragraph is empty so that a table and the next one are two, as clipview writes it.
  private func keepsTablesApart(_ index: Int) -> Bool {
    let paragraphs = document.paragraphs
    return paragraphs[index].cell == nil && range(index).isEmpty
      && paragraphs[index].format == RTFParagraphFormat() && index > 0
      && index + 1 < paragraphs.count && paragraphs[index - 1].cell != nil
      && paragraphs[index + 1].cell != nil
  }

  private mutating func flushEmptyCodeLines() {
    guard !emptyCodeLines.isEmpty else { return }
    let lines = emptyCodeLines
    emptyCodeLines = []
    codeFormat = nil
    for index in lines { compose(index) }
  }

  private func alignment(
    of paragraph: RTFDocument.Paragraph, _ facts: RTFSurvey.Facts
  ) -> Paragraph.Alignment? {
    guard facts.kind == .body || facts.kind.isHeading else { return nil }
    switch paragraph.format.alignment {
    case .left?, nil:
      return nil
    case let alignment?:
      guard let cell = paragraph.cell else { return alignment }
      return shapes.alignment(ofCell: cell, document) == alignment ? nil : alignment
    }
  }

  // MARK: Containers

  mutating func close(downTo count: Int) {
    while open.count > count, let last = open.popLast() {
      if case .list(let list) = last, !list.isTight, let identity = list.identity {
        builder.setKind(.list(list.kind), ofContainer: identity)
      }
      builder.close()
    }
  }

  /// How many containers are open up to the innermost cell.
  var depthOfCell: Int {
    let index = open.lastIndex { if case .cell = $0 { true } else { false } }
    return index.map { $0 + 1 } ?? 0
  }

  private func isInSameCell(_ cell: Int32?) -> Bool {
    for container in open.reversed() {
      if case .cell(let number) = container { return number == cell }
      if case .table = container { return false }
    }
    return cell == nil
  }

  /// Opens the tables, rows and cells around a paragraph, and closes those that it is not in.
  private mutating func openCells(to cell: Int32?) {
    var path: [Int32] = []
    var next = cell
    while let number = next, path.count < RTFDocument.deepestTable {
      path.append(number)
      next = document.tables[tableNumber(ofCell: number)].outerCell
    }
    path.reverse()

    // What is open and goes on.
    var position = 0
    var kept = 0
    for (index, container) in open.enumerated() {
      guard case .cell(let number) = container else { continue }
      guard position < path.count, path[position] == number else { break }
      position += 1
      kept = index + 1
    }
    if position == path.count {
      // Nothing to open; tables in the cell, or outside of all, have ended.
      if let table = open[kept...].firstIndex(where: { if case .table = $0 { true } else { false } }
      ) {
        close(downTo: table)
      }
      return
    }
    for number in path[position...] { openCell(number) }
  }

  private func tableNumber(ofCell cell: Int32) -> Int {
    Int(document.rows[Int(document.cells[Int(cell)].row)].table)
  }

  private mutating func openCell(_ cell: Int32) {
    let row = document.cells[Int(cell)].row
    let table = document.rows[Int(row)].table
    if let index = open.lastIndex(where: { if case .row(row) = $0 { true } else { false } }) {
      close(downTo: index + 1)
    } else if let index = open.lastIndex(where: {
      if case .table(table) = $0 { true } else { false }
    }) {
      close(downTo: index + 1)
      openRow(row)
    } else {
      // A list before a table is outside of it.
      close(downTo: depthOfOuterCell(ofTable: table))
      builder.open(.table(TextTable(alignments: shapes.alignments[Int(table)])))
      open.append(.table(table))
      openRow(row)
    }
    builder.open(
      .cell(columns: Int(shapes.columns[Int(cell)]), rows: Int(shapes.rows[Int(cell)])))
    open.append(.cell(cell))
  }

  private mutating func openRow(_ row: Int32) {
    builder.open(.row(isHeader: shapes.isHeader[Int(row)]))
    open.append(.row(row))
  }

  private func depthOfOuterCell(ofTable table: Int32) -> Int {
    guard let cell = document.tables[Int(table)].outerCell else { return 0 }
    let index = open.lastIndex { if case .cell(cell) = $0 { true } else { false } }
    return index.map { $0 + 1 } ?? 0
  }
}

extension Paragraph.Kind {
  var isCode: Bool { if case .code = self { true } else { false } }
  var isHeading: Bool { if case .heading = self { true } else { false } }
}

extension RTFParagraphFormat {
  /// Whether lines of code in paragraphs of both formats are lines of one block.
  fileprivate func isSameBlock(as other: RTFParagraphFormat) -> Bool {
    style == other.style && list == other.list && listLevel == other.listLevel
      && leftIndent == other.leftIndent
  }
}
