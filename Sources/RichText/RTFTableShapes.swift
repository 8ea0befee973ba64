/// What the tables of a document are like: which cells span others, which rows are heads, how
/// columns are aligned.
struct RTFTableShapes {
  /// By cell.
  private(set) var columns: [Int32]
  private(set) var rows: [Int32]
  /// Whether the cell is part of another.
  private(set) var isMergedAway: [Bool]
  /// By row.
  private(set) var isHeader: [Bool]
  /// By table.
  private(set) var alignments: [[Paragraph.Alignment?]]
  /// The column in which each cell begins.
  private var firstColumns: [Int32]

  /// Edges that lie as near as this are one, in twentieths of a point.
  private static let tolerance: Int32 = 60

  /// - Parameter isHead: for each row, whether it looks like the head of a table.
  init(_ document: RTFDocument, looksLikeHead: [Bool]) {
    let cellCount = document.cells.count
    columns = [Int32](repeating: 1, count: cellCount)
    rows = [Int32](repeating: 1, count: cellCount)
    isMergedAway = [Bool](repeating: false, count: cellCount)
    firstColumns = [Int32](repeating: 0, count: cellCount)
    isHeader = [Bool](repeating: false, count: document.rows.count)
    alignments = [[Paragraph.Alignment?]](repeating: [], count: document.tables.count)
    guard !document.tables.isEmpty else { return }
    spanColumns(document)
    mergeCells(document)
    findHeads(document, looksLikeHead)
    findAlignments(document)
  }

  /// A cell whose right edge is that of a later cell in other rows spans the columns up to there.
  private mutating func spanColumns(_ document: RTFDocument) {
    var edges = [[Int32]](repeating: [], count: document.tables.count)
    var counts = [Int32?](repeating: nil, count: document.tables.count)
    var isUneven = [Bool](repeating: false, count: document.tables.count)
    for row in document.rows {
      let table = Int(row.table)
      if counts[table] == nil { counts[table] = row.cellCount }
      if counts[table] != row.cellCount { isUneven[table] = true }
    }
    for row in document.rows where isUneven[Int(row.table)] {
      edges[Int(row.table)] += row.definition.cells.prefix(Int(row.cellCount)).map(\.rightEdge)
    }
    for table in edges.indices where isUneven[table] {
      var distinct: [Int32] = []
      for edge in edges[table].sorted()
      where distinct.last.map({ $0 &+ Self.tolerance < edge }) ?? true {
        distinct.append(edge)
      }
      edges[table] = distinct
    }
    for (index, cell) in document.cells.enumerated() {
      let row = document.rows[Int(cell.row)]
      let cells = row.definition.cells
      let position = Int(cell.indexInRow)
      guard isUneven[Int(row.table)], cells.indices.contains(position) else { continue }
      let grid = edges[Int(row.table)]
      let right = Self.column(of: cells[position].rightEdge, in: grid)
      let left = position == 0 ? -1 : Self.column(of: cells[position - 1].rightEdge, in: grid)
      columns[index] = Int32(clamping: max(1, right - left))
    }
  }

  /// The last edge that does not lie behind `edge`.
  private static func column(of edge: Int32, in grid: [Int32]) -> Int {
    var low = 0
    var high = grid.count
    while low < high {
      let middle = (low + high) / 2
      if grid[middle] <= edge { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  private mutating func mergeCells(_ document: RTFDocument) {
    /// By row: the cell that one to its right may be part of, and the column behind it.
    var lastCells = [Int](repeating: -1, count: document.rows.count)
    var nextColumns = [Int32](repeating: 0, count: document.rows.count)
    /// By table and column: the cell that one below may be part of.
    var cellsAbove: [UInt64: Int] = [:]
    for (index, cell) in document.cells.enumerated() {
      let rowIndex = Int(cell.row)
      let row = document.rows[rowIndex]
      let position = Int(cell.indexInRow)
      let definition = row.definition.cells
      let merge = definition.indices.contains(position) ? definition[position].merge : []
      let column = nextColumns[rowIndex]
      firstColumns[index] = column
      nextColumns[rowIndex] = column &+ columns[index]
      let key = UInt64(UInt32(bitPattern: row.table)) << 32 | UInt64(UInt32(bitPattern: column))
      if merge.contains(.across), lastCells[rowIndex] >= 0 {
        isMergedAway[index] = true
        columns[lastCells[rowIndex]] &+= columns[index]
        continue
      }
      lastCells[rowIndex] = index
      if merge.contains(.down), let above = cellsAbove[key] {
        isMergedAway[index] = true
        rows[above] &+= 1
      } else {
        cellsAbove[key] = merge.contains(.firstDown) ? index : nil
      }
    }
  }

  private mutating func findHeads(_ document: RTFDocument, _ looksLikeHead: [Bool]) {
    var isInHead = [Bool](repeating: true, count: document.tables.count)
    /// The first row of each table, if it looks like a head but the document does not say it.
    var candidates = [Int?](repeating: nil, count: document.tables.count)
    for (index, row) in document.rows.enumerated() {
      let table = Int(row.table)
      if row.definition.isHeader, isInHead[table] {
        isHeader[index] = true
      } else {
        isInHead[table] = false
        if row.indexInTable == 0, looksLikeHead[index] { candidates[table] = index }
        if row.indexInTable == 1, let first = candidates[table], !looksLikeHead[index] {
          isHeader[first] = true
        }
      }
    }
  }

  /// A column is aligned as the first paragraphs of its cells are, below the first row.
  private mutating func findAlignments(_ document: RTFDocument) {
    var known: [UInt64: Paragraph.Alignment?] = [:]
    var seenCell: Int32 = -1
    for paragraph in document.paragraphs {
      guard let cell = paragraph.cell, cell > seenCell, !isMergedAway[Int(cell)] else { continue }
      seenCell = cell
      let row = document.rows[Int(document.cells[Int(cell)].row)]
      guard row.indexInTable > 0 || document.tables[Int(row.table)].rowCount == 1 else { continue }
      let column = Int(firstColumns[Int(cell)])
      guard column < 1024 else { continue }
      var alignment = paragraph.format.alignment
      if alignment == .left || alignment == .justified { alignment = nil }
      let key = UInt64(UInt32(bitPattern: row.table)) << 32 | UInt64(column)
      if let other = known[key] {
        if other != alignment { known[key] = .some(nil) }
      } else {
        known[key] = .some(alignment)
      }
    }
    for (key, alignment) in known {
      guard let alignment else { continue }
      let table = Int(key >> 32)
      let column = Int(key & 0xFFFF_FFFF)
      while alignments[table].count <= column { alignments[table].append(nil) }
      alignments[table][column] = alignment
    }
  }

  /// How the column is aligned in which a cell begins.
  func alignment(ofCell cell: Int32, _ document: RTFDocument) -> Paragraph.Alignment? {
    let table = Int(document.rows[Int(document.cells[Int(cell)].row)].table)
    let column = Int(firstColumns[Int(cell)])
    return alignments[table].indices.contains(column) ? alignments[table][column] : nil
  }
}
