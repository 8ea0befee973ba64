/// A table for people: columns that line up by what a terminal shows, whatever the script.
struct TextTable {
  struct Column {
    let title: String
    /// Numbers end in line.
    var isRightAligned = false
  }

  struct Row {
    let cells: [String]
    let look: TerminalStyle.Look?
  }

  private let columns: [Column]
  private var rows: [Row] = []
  private static let indent = 2
  private static let gap = 2
  /// What a column keeps however narrow the terminal is.
  private static let narrowest = 6

  init(_ columns: [Column]) { self.columns = columns }

  /// - Parameter cells: One for each column, fit to be shown (see `visible`).
  mutating func add(_ cells: [String], look: TerminalStyle.Look? = nil) {
    precondition(cells.count == columns.count, "a row with other columns than its table")
    rows.append(Row(cells: cells, look: look))
  }

  /// The lines of the table, each with its end: whole, or cut so that none is wider than the
  /// terminal.
  func text(_ style: TerminalStyle) -> String {
    let header = Row(cells: columns.map(\.title), look: .faint)
    let widths = fittingWidths([header] + rows, in: style.columns)
    var text = ""
    for row in [header] + rows { text += style.dressed(line(row.cells, widths), row.look) + "\n" }
    return text
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = String(repeating: " ", count: Self.indent)
    for index in columns.indices {
      if index > 0 { line += String(repeating: " ", count: Self.gap) }
      let cell = truncated(cells[index], toWidth: widths[index])
      let padding = String(repeating: " ", count: widths[index] - displayWidth(cell))
      if columns[index].isRightAligned {
        line += padding + cell
      } else {
        // The last column needs no padding.
        line += index == columns.count - 1 ? cell : cell + padding
      }
    }
    return line
  }

  /// The width of each column: what its widest cell takes; where that is too much in all, the widest
  /// columns give way until the table fits.
  private func fittingWidths(_ rows: [Row], in available: Int?) -> [Int] {
    var widths = columns.indices.map { column in
      rows.map { displayWidth($0.cells[column]) }.max() ?? 0
    }
    guard let available else { return widths }
    let room = available - Self.indent - Self.gap * (columns.count - 1)
    while widths.reduce(0, +) > room,
      let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > Self.narrowest
    {
      widths[widest] -= 1
    }
    return widths
  }
}
