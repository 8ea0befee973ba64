extension RTFOutput {
  /// A table that is open.
  struct Table {
    let kind: TextTable
    let left: Int
    /// How many columns its widest row has.
    var columns = 1
    var row = 0
    /// The row in which each column is free again of a cell from above.
    var freeFrom: [Int] = []
    /// The cells of the row, with those that only hold the place of one from above or from the left.
    var places: [Place] = []
    /// The next of these.
    var next = 0
    var isHeader = false
    /// How the cell under way is aligned.
    var alignment: Paragraph.Alignment?

    struct Place {
      var isCell: Bool
      var isFirstOfColumns = false
      var isFirstOfRows = false
      var isBelow = false
    }
  }

  /// The width of all tables, in twentieths of a point: what A4 and Letter have between margins.
  private static var tableWidth: Int { 9360 }
  /// What Word can have in a row.
  private static var mostColumns: Int { 63 }

  /// Notes the parts of each table and row, which must be known before the first is written.
  mutating func gatherParts() {
    var isKnown = [Bool](repeating: false, count: text.tree.nodes.count)
    var chain: [BlockTree.Number] = []
    for block in text.blocks {
      var number = block.container
      chain.removeAll(keepingCapacity: true)
      while number != BlockTree.none, !isKnown[Int(number)] {
        isKnown[Int(number)] = true
        chain.append(number)
        number = text.tree[number].parent
      }
      for number in chain.reversed() {
        switch text.tree[number].kind {
        case .row, .cell: parts[text.tree[number].parent, default: []].append(number)
        case .quote, .list, .item, .table: break
        }
      }
    }
  }

  mutating func beginTable(_ number: BlockTree.Number, _ kind: TextTable, left: Int) {
    settleMark()
    if endsWithTable, tables.isEmpty {
      // Else the two were one.
      bytes.append("\\pard\\plain\\s0\\par\n" as StaticString)
    }
    endsWithTable = false
    var table = Table(kind: kind, left: left)
    for row in parts[number] ?? [] {
      beginRow(row, of: &table)
      table.columns = max(table.columns, table.places.count)
    }
    table.row = 0
    table.freeFrom = []
    tables.append(table)
  }

  mutating func endTable() {
    guard tables.popLast() != nil else { return }
    endsWithTable = tables.isEmpty
  }

  mutating func beginRow(_ number: BlockTree.Number, isHeader: Bool) {
    guard var table = tables.popLast() else { return }
    beginRow(number, of: &table)
    table.isHeader = isHeader
    tables.append(table)
    if tables.count == 1 {
      appendRowDefinition(table)
      bytes.append(.lineFeed)
    }
  }

  /// Finds the places of a row's cells.
  private func beginRow(_ number: BlockTree.Number, of table: inout Table) {
    table.row += 1
    table.next = 0
    table.places = []
    for cell in parts[number] ?? [] {
      guard case .cell(let columns, let rows) = text.tree[cell].kind else { continue }
      addPlacesFromAbove(to: &table)
      // Where there is no room left, cells share the last place.
      guard table.places.count < Self.mostColumns else { break }
      let first = table.places.count
      let count = max(1, min(columns, Self.mostColumns - first))
      for column in first..<first + count {
        table.places.append(
          Table.Place(
            isCell: column == first, isFirstOfColumns: column == first && count > 1,
            isFirstOfRows: rows > 1))
        guard rows > 1 else { continue }
        while table.freeFrom.count <= column { table.freeFrom.append(0) }
        table.freeFrom[column] = table.row + min(rows, 65534)
      }
    }
    addPlacesFromAbove(to: &table)
  }

  private func addPlacesFromAbove(to table: inout Table) {
    while table.places.count < table.freeFrom.count,
      table.freeFrom[table.places.count] > table.row
    {
      table.places.append(Table.Place(isCell: false, isBelow: true))
    }
  }

  /// What a row is like.
  private mutating func appendRowDefinition(_ table: Table) {
    bytes.append("\\trowd\\trgaph108\\trleft", table.left)
    if table.isHeader { bytes.append("\\trhdr" as StaticString) }
    let width = max(Self.tableWidth - table.left, 720) / table.columns
    for (column, place) in table.places.enumerated() {
      if place.isFirstOfColumns {
        bytes.append("\\clmgf" as StaticString)
      } else if !place.isCell, !place.isBelow {
        bytes.append("\\clmrg" as StaticString)
      }
      if place.isFirstOfRows { bytes.append("\\clvmgf" as StaticString) }
      if place.isBelow { bytes.append("\\clvmrg" as StaticString) }
      for side: StaticString in ["t", "l", "b", "r"] {
        bytes.append("\\clbrdr" as StaticString)
        bytes.append(side)
        bytes.append("\\brdrs\\brdrw10" as StaticString)
      }
      bytes.append("\\cellx", table.left + width * (column + 1))
    }
  }

  mutating func beginCell() {
    writeEmptyPlaces()
    guard let index = tables.indices.last else { return }
    let column = tables[index].next
    let alignments = tables[index].kind.alignments
    tables[index].alignment = column < alignments.count ? alignments[column] : nil
  }

  mutating func endCell() {
    guard let index = tables.indices.last else { return }
    // There may be more cells than places: their paragraphs stand in the last one.
    guard tables[index].next < tables[index].places.count else { return }
    let hasRoom = tables[index].next + 1 < tables[index].places.count
    guard hasRoom || tables[index].places.count < Self.mostColumns else { return }
    finishCell(index)
  }

  mutating func endRow() {
    guard let index = tables.indices.last else { return }
    if owesMark, tables[index].next < tables[index].places.count { finishCell(index) }
    writeEmptyPlaces(toTheEnd: true)
    if tables.count == 1 {
      bytes.append("\\row\n" as StaticString)
    } else {
      bytes.append("{\\*\\nesttableprops" as StaticString)
      appendRowDefinition(tables[index])
      bytes.append("\\nestrow}{\\nonesttables\\par}\n" as StaticString)
    }
    owesMark = false
  }

  /// Ends the cell under way, with an empty paragraph where it has none.
  private mutating func finishCell(_ index: Int) {
    if !owesMark { appendEmptyParagraph() }
    bytes.append(tables.count == 1 ? "\\cell\n" : "\\nestcell\n" as StaticString)
    owesMark = false
    tables[index].next += 1
    tables[index].alignment = nil
  }

  /// Writes the cells that only hold places, up to the next that is one.
  private mutating func writeEmptyPlaces(toTheEnd: Bool = false) {
    guard let index = tables.indices.last else { return }
    while tables[index].next < tables[index].places.count,
      toTheEnd || !tables[index].places[tables[index].next].isCell
    {
      finishCell(index)
    }
  }

  private mutating func appendEmptyParagraph() {
    bytes.append("\\pard\\plain" as StaticString)
    appendCellLevel()
    bytes.append("\\s0" as StaticString)
  }

  /// Says in how many tables a paragraph stands.
  mutating func appendCellLevel() {
    guard !tables.isEmpty else { return }
    bytes.append("\\intbl" as StaticString)
    if tables.count > 1 { bytes.append("\\itap", tables.count) }
  }
}
