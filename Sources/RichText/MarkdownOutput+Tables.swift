/// Tables: one line a row, so that everything in a cell becomes one line.
extension MarkdownOutput {
  /// Writes the table that the block at `index` stands in.
  ///
  /// - Returns: the index of the first block behind it.
  mutating func writeTable(
    _ table: BlockTree.Number, depth: Int, from index: Int, run: Int
  ) -> Int {
    var (rows, end) = rows(of: table, depth: depth, from: index, run: run)
    var alignments: [Paragraph.Alignment?] = []
    if case .table(let kind) = text.tree[table].kind { alignments = kind.alignments }
    let columns = max(alignments.count, rows.map(\.count).max() ?? 0)
    guard columns > 0 else { return max(end, index + 1) }
    if rows.isEmpty { rows = [[]] }
    // Markdown has no table without a head: the first row is it, whatever the text says.
    for (number, row) in rows.enumerated() {
      beginLine()
      for column in 0..<columns {
        append(column == 0 ? "| " : " | ")
        if column < row.count { append(row[column]) }
      }
      append(" |")
      endLine()
      guard number == 0 else { continue }
      beginLine()
      for column in 0..<columns {
        append(column == 0 ? "| " : " | ")
        append(delimiter(column < alignments.count ? alignments[column] : nil))
      }
      append(" |")
      endLine()
    }
    end = max(end, index + 1)
    return end
  }

  private func delimiter(_ alignment: Paragraph.Alignment?) -> StaticString {
    switch alignment {
    case .left: ":--"
    case .right: "--:"
    case .center: ":-:"
    case .justified, nil: "---"
    }
  }

  /// The cells of all rows, written; those that a cell covers beside its own are empty.
  private mutating func rows(
    of table: BlockTree.Number, depth: Int, from first: Int, run firstRun: Int
  ) -> (rows: [[[UInt8]]], end: Int) {
    var rows: [[[UInt8]]] = []
    /// For how many more rows a cell above covers each column.
    var covered: [Int] = []
    var row = BlockTree.none
    var cell = BlockTree.none
    var path: [BlockTree.Number] = []
    var column = 0
    var run = firstRun
    var index = first
    while index < text.blocks.count {
      text.tree.path(to: text.blocks[index].container, into: &path)
      guard path.count > depth, path[depth] == table else { break }
      let range = text.blockRange(index)
      while run < text.runList.count, text.runList.range(run).upperBound <= range.lowerBound {
        run += 1
      }
      let newRow = path.count > depth + 1 ? path[depth + 1] : BlockTree.none
      let newCell = path.count > depth + 2 ? path[depth + 2] : BlockTree.none
      if rows.isEmpty || newRow != row {
        if let width = rows.last?.count { leaveRow(&covered, from: width) }
        rows.append([])
        row = newRow
        cell = BlockTree.none
      }
      let last = rows.count - 1
      let isNew = newCell == BlockTree.none || newCell != cell
      if isNew {
        skipCovered(&covered, &rows[last])
        cell = newCell
        column = rows[last].count
        rows[last].append([])
      }
      appendBlock(
        text.blocks[index], range, run: run, isItem: path.count > depth + 3, to: &rows[last][column]
      )
      if isNew, newCell != BlockTree.none,
        case .cell(let columns, let rowCount) = text.tree[newCell].kind
      {
        cover(column, columns: columns, rows: rowCount, &covered, &rows[last])
      }
      index += 1
    }
    return (rows, index)
  }

  private func skipCovered(_ covered: inout [Int], _ row: inout [[UInt8]]) {
    while row.count < covered.count, covered[row.count] > 0 {
      covered[row.count] -= 1
      row.append([])
    }
  }

  /// Columns behind the last cell of a row may be covered from above as well.
  private func leaveRow(_ covered: inout [Int], from column: Int) {
    guard column < covered.count else { return }
    for index in column..<covered.count where covered[index] > 0 { covered[index] -= 1 }
  }

  /// Room for the columns and rows that a cell takes beside its own; so many as a page could show.
  private func cover(
    _ column: Int, columns: Int, rows: Int, _ covered: inout [Int], _ row: inout [[UInt8]]
  ) {
    let width = min(max(columns, 1), 1_000)
    while covered.count < column + width { covered.append(0) }
    for index in column..<column + width { covered[index] = min(max(rows, 1), 1_000) - 1 }
    // What the cell is written in comes first, and is filled by later blocks of it.
    guard width > 1 else { return }
    row.append(contentsOf: repeatElement([], count: width - 1))
  }

  private mutating func appendBlock(
    _ block: AttributedText.Block, _ range: Range<Int>, run: Int, isItem: Bool,
    to cell: inout [UInt8]
  ) {
    let content = range.lowerBound..<range.upperBound - 1
    switch block.kind {
    case .vacant, .thematicBreak: return
    case .code:
      for line in text.utf8[content].split(separator: .lineFeed) {
        if !cell.isEmpty { cell += "<br>".utf8 }
        MarkdownCode.append(line, isCell: true, to: &cell)
      }
    case .markup:
      if !cell.isEmpty { cell.append(0x20) }
      for byte in text.utf8[content] {
        if byte == UInt8(ascii: "|") { cell.append(UInt8(ascii: "\\")) }
        cell.append(byte == .lineFeed ? 0x20 : byte)
      }
    case .body, .heading:
      inline.write(content, run: run, as: .cell)
      guard !inline.bytes.isEmpty else { return }
      if !cell.isEmpty { cell += "<br>".utf8 }
      if isItem, isListItem(block) { cell += "• ".utf8 }
      cell += inline.bytes
    }
  }

  private func isListItem(_ block: AttributedText.Block) -> Bool {
    guard block.container != BlockTree.none else { return false }
    if case .item = text.tree[block.container].kind { return true }
    return false
  }
}
