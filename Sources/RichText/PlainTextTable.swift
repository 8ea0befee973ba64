/// A table as it is gathered, cell by cell, to be laid out when all are known.
struct PlainTextTable {
  private struct Cell {
    let column: Int
    let columns: Int
    var lines: [[UInt8]] = []

    var size: Int { lines.reduce(1) { $0 + $1.count } }
  }

  private struct Row {
    let isHeader: Bool
    var cells: [Cell] = []

    var height: Int { cells.reduce(1) { max($0, $1.lines.count) } }
  }

  private let alignments: [Paragraph.Alignment?]
  private var rows: [Row] = []
  /// The row in which each column is free again of a cell from above.
  private var freeFrom: [Int] = []
  private var column = 0

  /// Wider cells stick out of their column: else one of them would fill up all others.
  private static let widestColumn = 60
  /// How much larger than what is in it a table may become.
  private static let mostRoom = 10
  /// Columns that cells may span together in a row: else a few of them ask for any number of blanks.
  private static let mostSpanned = 100
  /// What HTML allows.
  private static let mostRows = 65534

  init(alignments: [Paragraph.Alignment?]) {
    self.alignments = alignments
  }

  mutating func beginRow(isHeader: Bool) {
    rows.append(Row(isHeader: isHeader))
    column = 0
  }

  mutating func beginCell(columns: Int, rows count: Int) {
    guard let row = rows.indices.last else { return }
    while column < freeFrom.count, freeFrom[column] > row { column += 1 }
    let columns = max(1, min(columns, Self.mostSpanned - column))
    rows[row].cells.append(Cell(column: column, columns: columns))
    column += columns
    if count > 1 {
      if freeFrom.count < column {
        freeFrom.append(contentsOf: repeatElement(0, count: column - freeFrom.count))
      }
      for taken in column - columns..<column { freeFrom[taken] = row + min(count, Self.mostRows) }
    }
  }

  mutating func endCell(_ text: [UInt8]) {
    guard let row = rows.indices.last, let cell = rows[row].cells.indices.last else { return }
    rows[row].cells[cell].lines = text.split(
      separator: .lineFeed, omittingEmptySubsequences: false
    ).map(Array.init)
  }

  // MARK: Tabs

  /// Rows as lines, cells separated by a TAB; none at the end of a row.
  func tabbed() -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, row) in rows.enumerated() {
      if index > 0 { bytes.append(.lineFeed) }
      var column = 0
      for cell in row.cells where cell.lines != [[]] && !cell.lines.isEmpty {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: cell.column - column))
        bytes.append(contentsOf: cell.lines.joined(separator: CollectionOfOne(.lineFeed)))
        column = cell.column
      }
    }
    return bytes
  }

  // MARK: Columns

  /// Rows as lines, cells below each other, a line of dashes under the head.
  func aligned() -> [UInt8] {
    let widths = columnWidths()
    var bytes: [UInt8] = []
    for (index, row) in rows.enumerated() {
      for line in 0..<row.height {
        if !bytes.isEmpty { bytes.append(.lineFeed) }
        appendLine(line, of: row, widths, to: &bytes)
      }
      let isLastOfHead =
        row.isHeader && index + 1 < rows.count && !rows[index + 1].isHeader
        && rows[...index].allSatisfy(\.isHeader)
      if isLastOfHead {
        bytes.append(.lineFeed)
        for (column, width) in widths.enumerated() {
          if column > 0 { bytes.append("  " as StaticString) }
          bytes.append(contentsOf: repeatElement(UInt8(ascii: "-"), count: max(width, 1)))
        }
      }
    }
    return bytes
  }

  private func columnWidths() -> [Int] {
    var widths: [Int] = []
    for row in rows {
      for cell in row.cells {
        let end = cell.column + cell.columns
        if widths.count < end {
          widths.append(contentsOf: repeatElement(0, count: end - widths.count))
        }
        guard cell.columns == 1 else { continue }
        for line in cell.lines {
          widths[cell.column] = max(
            widths[cell.column], min(DisplayWidth.of(line[...]), Self.widestColumn))
        }
      }
    }
    // A table that is empty but for a few wide cells would be nothing but blanks.
    let lines = rows.reduce(0) { $0 + $1.height }
    let room = lines.multipliedReportingOverflow(by: widths.reduce(0) { $0 + $1 + 2 })
    let size = rows.reduce(0) { $0 + $1.cells.reduce(0) { $0 + $1.size } }
    if room.overflow || room.partialValue > Self.mostRoom * size + 100_000 {
      return [Int](repeating: 0, count: widths.count)
    }
    return widths
  }

  private func appendLine(
    _ line: Int, of row: Row, _ widths: [Int], to bytes: inout [UInt8]
  ) {
    // Blanks are owed until text follows.
    var owed = 0
    var column = 0
    for cell in row.cells {
      while column < cell.column {
        owed += widths[column] + 2
        column += 1
      }
      var width = 2 * (cell.columns - 1)
      for spanned in column..<column + cell.columns { width += widths[spanned] }
      column += cell.columns
      let content = line < cell.lines.count ? cell.lines[line][...] : []
      let own = DisplayWidth.of(content)
      let room = max(width - own, 0)
      let before: Int
      switch cell.column < alignments.count ? alignments[cell.column] : nil {
      case .right: before = room
      case .center: before = room / 2
      case .left, .justified, nil: before = 0
      }
      owed += before
      if !content.isEmpty {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: owed))
        bytes.append(contentsOf: content)
        owed = 0
      }
      owed += (content.isEmpty ? own : 0) + room - before + 2
    }
  }
}
