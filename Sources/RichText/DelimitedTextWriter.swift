/// Writes the first table of a text as values with a separator between them (CSV, TSV).
///
///     | a   | b    |        a,b
///     | --- | ---- |   →    "1, 2","say ""x"""
///     | 1, 2 | say "x" |
///
/// What stands in a cell is its text alone. A cell over several columns or rows stands in the first
/// of them, the others are empty, so that columns stay columns.
public struct DelimitedTextWriter: Sendable {
  /// What stands between the values.
  public enum Separator: Hashable, Sendable {
    /// Values with commas, quotation marks or line ends stand in quotation marks (RFC 4180). Lines
    /// end with LF.
    case comma
    /// Values cannot hold tabs or line ends, which become blanks (IANA, text/tab-separated-values).
    case tab
  }

  /// What stands between the values.
  public var separator: Separator

  /// A writer of tables with that separator.
  public init(_ separator: Separator) { self.separator = separator }

  /// The first table of the text, in UTF-8; `nil` where there is none.
  ///
  /// Takes time and memory by the length of the text.
  public func write(_ text: AttributedText) -> [UInt8]? {
    var output = DelimitedOutput(separator)
    var path: [BlockTree.Number] = []
    var table: BlockTree.Number?
    var row = BlockTree.none
    var cell = BlockTree.none
    for (index, block) in text.blocks.enumerated() {
      text.tree.path(to: block.container, into: &path)
      if table == nil { table = path.first { text.tree[$0].kind.isTable } }
      guard let table else { continue }
      guard let depth = path.firstIndex(of: table) else { break }
      guard depth + 2 < path.count else { continue }
      if path[depth + 1] != row {
        row = path[depth + 1]
        output.beginRow()
      }
      if path[depth + 2] != cell {
        cell = path[depth + 2]
        output.beginCell(text.tree[cell].kind)
      } else {
        output.endLine()
      }
      output.append(text, text.blockRange(index).dropLast())
    }
    return table == nil ? nil : output.finish()
  }
}

extension Container.Kind {
  fileprivate var isTable: Bool { if case .table = self { true } else { false } }
}

/// Rows and cells on their way out.
private struct DelimitedOutput {
  /// A page can say that each of its cells is a thousand columns wide: beyond so many empty cells in
  /// all, cells are as wide as they look.
  private static let maximumEmptyCells = 1_000_000

  private let separator: UInt8
  private let quotes: Bool
  private var bytes: [UInt8] = []
  private var emptyCells = 0
  /// The cell under way; `nil` between rows.
  private var value: [UInt8]?
  private var valueColumns = 1
  private var row = 0
  private var column = 0
  /// The row up to which each column is taken by a cell from above.
  private var takenUntil: [Int] = []

  init(_ separator: DelimitedTextWriter.Separator) {
    self.separator = separator == .comma ? UInt8(ascii: ",") : UInt8(ascii: "\t")
    quotes = separator == .comma
  }

  mutating func beginRow() {
    endRow()
    column = 0
  }

  mutating func beginCell(_ kind: Container.Kind) {
    endCell()
    skipTaken()
    var (columns, rows) = (1, 1)
    if case .cell(let wide, let high) = kind { (columns, rows) = (max(1, wide), max(1, high)) }
    if emptyCells + columns > Self.maximumEmptyCells { columns = 1 }
    emptyCells += columns - 1
    if rows > 1, emptyCells < Self.maximumEmptyCells {
      while takenUntil.count < column + columns { takenUntil.append(0) }
      let end = row.addingReportingOverflow(rows)
      for place in column..<column + columns {
        takenUntil[place] = end.overflow ? .max : end.partialValue
      }
    }
    value = []
    valueColumns = columns
  }

  /// Another paragraph in the cell begins.
  mutating func endLine() { value?.append(.lineFeed) }

  mutating func append(_ text: AttributedText, _ range: Range<Int>) {
    for run in text.runs(in: range) where !run.attributes.isMarkup {
      if let image = run.attributes.image {
        value?.append(contentsOf: image.alternative.utf8)
      } else {
        value?.append(contentsOf: text.utf8[run.range])
      }
    }
  }

  mutating func finish() -> [UInt8] {
    endRow()
    return bytes
  }

  // MARK: Cells

  private mutating func endCell() {
    guard let value else { return }
    self.value = nil
    beginColumn()
    append(value)
    for _ in 1..<valueColumns { beginColumn() }
  }

  private mutating func beginColumn() {
    if column > 0 { bytes.append(separator) }
    column += 1
  }

  /// Columns that a cell of a row above takes are empty here.
  private mutating func skipTaken() {
    while column < takenUntil.count, takenUntil[column] > row,
      emptyCells < Self.maximumEmptyCells
    {
      beginColumn()
      emptyCells += 1
    }
  }

  private mutating func endRow() {
    let hasCells = value != nil || column > 0
    endCell()
    guard hasCells else { return }
    skipTaken()
    bytes.append(.lineFeed)
    row += 1
  }

  private mutating func append(_ value: [UInt8]) {
    guard quotes else {
      for byte in value {
        let isBreak = byte == separator || byte == .lineFeed || byte == UInt8(ascii: "\r")
        bytes.append(isBreak ? UInt8(ascii: " ") : byte)
      }
      return
    }
    let quote = UInt8(ascii: "\"")
    let isQuoted = value.contains {
      $0 == separator || $0 == quote || $0 == .lineFeed || $0 == UInt8(ascii: "\r")
    }
    guard isQuoted else { return bytes.append(contentsOf: value) }
    bytes.append(quote)
    for byte in value {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }
}
