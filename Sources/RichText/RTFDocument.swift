internal import TextEncoding

/// The paragraphs of a document in a row, each with what was said of it, and the cells they are in.
///
/// What they are (headings, items, code) is found out when all have been read: much is said only
/// behind a paragraph, such as the properties of a row, or follows from others.
struct RTFDocument: RTFSink {
  struct Run {
    var end: Int
    var format: RTFCharacterFormat
    /// The number of the picture that stands here.
    var picture: Int32?
  }

  struct Paragraph {
    /// Where it ends in the text, and with which run.
    var end: Int
    var runEnd: Int
    var format: RTFParagraphFormat
    /// How its mark looks.
    var markFormat: RTFCharacterFormat
    /// The text before an item that stands for its bullet or number; `nil` if there is none.
    var marker: [UInt8]?
    /// The innermost cell.
    var cell: Int32?
    /// Whether a paragraph mark ended it, not the end of the document or something else.
    var hasMark: Bool
  }

  struct Cell {
    var row: Int32
    var indexInRow: Int32
    var isEmpty = true
  }

  struct Row {
    var table: Int32
    var indexInTable: Int32
    var cellCount: Int32 = 0
    var definition = RTFRowDefinition()
  }

  struct Table {
    var outerCell: Int32?
    var rowCount: Int32 = 0
  }

  private(set) var utf8: [UInt8] = []
  private(set) var runs: [Run] = []
  private(set) var pictures: [TextImage] = []
  private(set) var paragraphs: [Paragraph] = []
  private(set) var cells: [Cell] = []
  private(set) var rows: [Row] = []
  private(set) var tables: [Table] = []

  /// A table row that has not ended.
  private struct OpenRow {
    let row: Int32
    /// Whether paragraphs say that they are in it; those that do not are outside then.
    let isDeclared: Bool
    var cell: Int32?
  }

  /// The row, the row of a table in a cell of it, and so on.
  private var openRows: [OpenRow] = []
  /// The tables that a row which comes now may go on, outermost first.
  private var openTables: [Int32] = []
  /// The paragraph from which on cells may be those of a row that was defined.
  private var definedRowStart: Int?

  private var paragraphStart = 0
  /// How many runs the paragraphs before have.
  private var firstRun = 0
  private var marker: [UInt8]?
  /// The format that the text written last had.
  private var textFormat = RTFParagraphFormat()

  static let deepestTable = 16
  /// Damage aside, markers are much shorter.
  private static let longestMarker = 64
  /// More than that are no text that somebody copied; they would take gigabytes.
  private static let mostParagraphs = 4_000_000

  init(expecting size: Int) {
    utf8.reserveCapacity(size)
  }

  /// Whether no more is taken.
  var isFull: Bool { paragraphs.count >= RTFDocument.mostParagraphs }

  var isInParagraph: Bool { hasText && openRows.isEmpty }

  // MARK: Text

  mutating func append(_ ascii: ArraySlice<UInt8>, _ state: RTFState) {
    guard state.destination != .listText else {
      if canGrowMarker { marker?.append(contentsOf: ascii.prefix(RTFDocument.longestMarker)) }
      return
    }
    prepare(state)
    utf8.append(contentsOf: ascii)
    extendRun(state)
  }

  mutating func append(_ scalar: UInt32, _ state: RTFState) {
    guard state.destination != .listText else {
      if canGrowMarker { marker?.appendUTF8(scalar) }
      return
    }
    // Only pictures of ours stand there as this character.
    guard scalar != 0xFFFC else { return }
    prepare(state)
    utf8.appendUTF8(scalar)
    extendRun(state)
  }

  mutating func append(_ picture: TextImage, _ state: RTFState) {
    guard state.destination != .listText else { return }
    prepare(state)
    utf8.appendUTF8(0xFFFC)
    runs.append(
      Run(
        end: utf8.count, format: state.character, picture: Int32(clamping: pictures.count)))
    pictures.append(picture)
  }

  @inline(__always)
  private mutating func prepare(_ state: RTFState) {
    if state.paragraph.enclosingTables != openRows.count { settleTables(state.paragraph, state) }
    textFormat = state.paragraph
  }

  @inline(__always)
  private mutating func extendRun(_ state: RTFState) {
    if runs.count > firstRun, runs[runs.count - 1].picture == nil,
      runs[runs.count - 1].format == state.character
    {
      runs[runs.count - 1].end = utf8.count
    } else {
      runs.append(Run(end: utf8.count, format: state.character))
    }
  }

  private var hasText: Bool { utf8.count > paragraphStart }

  // MARK: Markers

  mutating func beginListText() {
    marker = []
  }

  mutating func endListText() {}

  private var canGrowMarker: Bool { (marker?.count ?? 0) < RTFDocument.longestMarker }

  // MARK: Paragraphs

  /// What counts for the paragraph that ends now.
  ///
  /// That is what holds at its mark; where nothing does, because the group with its properties has
  /// ended before, what held for its text.
  private func format(at state: RTFState) -> RTFParagraphFormat {
    hasText && state.paragraph == RTFParagraphFormat() ? textFormat : state.paragraph
  }

  private mutating func finishParagraph(_ state: RTFState, hasMark: Bool) {
    finishParagraph(format(at: state), state.character, hasMark: hasMark)
  }

  private mutating func finishParagraph(
    _ format: RTFParagraphFormat, _ markFormat: RTFCharacterFormat, hasMark: Bool
  ) {
    let cell = currentCell()
    if let cell { cells[Int(cell)].isEmpty = false }
    openTables.removeLast(max(0, openTables.count - openRows.count))
    paragraphs.append(
      Paragraph(
        end: utf8.count, runEnd: runs.count, format: format, markFormat: markFormat,
        marker: marker, cell: cell, hasMark: hasMark))
    beginParagraph()
  }

  private mutating func beginParagraph() {
    paragraphStart = utf8.count
    firstRun = runs.count
    marker = nil
    textFormat = RTFParagraphFormat()
  }

  mutating func end(_ boundary: RTFBoundary, _ state: RTFState) {
    switch boundary {
    case .paragraph:
      let format = format(at: state)
      settleTables(format, state)
      finishParagraph(format, state.character, hasMark: true)
    case .line:
      prepare(state)
      utf8.append(.lineFeed)
      extendRun(state)
    case .section:
      if hasText { finishParagraph(state, hasMark: true) }
      marker = nil
    case .cell:
      endCell(atDepth: 1, state)
    case .nestedCell:
      endCell(atDepth: RTFDocument.nestedDepth(state), state)
    case .row, .nestedRow:
      break
    }
  }

  /// Notes the last paragraph of what clipview itself wrote: it has no mark, even if it is empty.
  mutating func endDocument(_ state: RTFState, isOwn: Bool) {
    guard isOwn, !hasText, !state.paragraph.isInTable, state.paragraph != RTFParagraphFormat()
    else { return }
    finishParagraph(state.paragraph, state.character, hasMark: false)
  }

  /// Ends the document.
  mutating func finish() {
    if hasText {
      finishParagraph(textFormat, runs.last?.format ?? RTFCharacterFormat(), hasMark: false)
    }
  }

  // MARK: Tables

  private static func nestedDepth(_ state: RTFState) -> Int {
    max(2, min(Int(state.paragraph.tableDepth), deepestTable))
  }

  /// Opens and closes rows until there are as many as there are tables around the paragraph.
  private mutating func settleTables(_ format: RTFParagraphFormat, _ state: RTFState) {
    let depth = min(format.enclosingTables, RTFDocument.deepestTable)
    guard depth != openRows.count else { return }
    // Where cells are written without saying that they are in a table, only `\row` ends one.
    if depth == 0, openRows.first?.isDeclared == false { return }
    if hasText { finishParagraph(textFormat, state.character, hasMark: false) }
    closeRows(downTo: depth)
    while openRows.count < depth { openRow(isDeclared: true) }
  }

  private mutating func openRow(isDeclared: Bool) {
    let outerCell = currentCell()
    let depth = openRows.count
    if openTables.count > depth + 1 { openTables.removeLast(openTables.count - depth - 1) }
    if openTables.count <= depth || tables[Int(openTables[depth])].outerCell != outerCell {
      openTables.removeLast(openTables.count - depth)
      openTables.append(Int32(clamping: tables.count))
      tables.append(Table(outerCell: outerCell))
    }
    if let outerCell { cells[Int(outerCell)].isEmpty = false }
    let table = openTables[depth]
    openRows.append(OpenRow(row: Int32(clamping: rows.count), isDeclared: isDeclared))
    rows.append(Row(table: table, indexInTable: tables[Int(table)].rowCount))
    tables[Int(table)].rowCount += 1
  }

  /// The innermost cell that is open, which begins where there is none yet.
  private mutating func currentCell() -> Int32? {
    guard let open = openRows.last else { return nil }
    if let cell = open.cell { return cell }
    let cell = Int32(clamping: cells.count)
    cells.append(Cell(row: open.row, indexInRow: rows[Int(open.row)].cellCount))
    rows[Int(open.row)].cellCount += 1
    openRows[openRows.count - 1].cell = cell
    return cell
  }

  private mutating func endCell(atDepth depth: Int, _ state: RTFState) {
    let format = format(at: state)
    if format.isInTable, openRows.count < depth { settleTables(format, state) }
    if openRows.count > depth, hasText { finishParagraph(state, hasMark: false) }
    closeRows(downTo: depth)
    while openRows.count < depth { openUndeclaredRow() }
    guard let cell = currentCell() else { return }
    // The mark of a cell ends its last paragraph; behind one that has ended there is none.
    if hasText || cells[Int(cell)].isEmpty {
      finishParagraph(format, state.character, hasMark: true)
    } else {
      beginParagraph()
    }
    openRows[openRows.count - 1].cell = nil
  }

  /// Opens a row whose cells do not say that they are in a table.
  private mutating func openUndeclaredRow() {
    let start = openRows.isEmpty ? definedRowStart : nil
    openRow(isDeclared: false)
    guard let start, start < paragraphs.count, let cell = currentCell() else { return }
    for index in start..<paragraphs.count where paragraphs[index].cell == nil {
      paragraphs[index].cell = cell
    }
    cells[Int(cell)].isEmpty = false
  }

  mutating func beginRowDefinition(_ state: RTFState) {
    definedRowStart = openRows.isEmpty && !hasText ? paragraphs.count : nil
  }

  mutating func endRow(
    _ definition: RTFRowDefinition, _ boundary: RTFBoundary, _ state: RTFState
  ) {
    let depth = boundary == .row ? 1 : RTFDocument.nestedDepth(state)
    definedRowStart = nil
    if hasText { finishParagraph(state, hasMark: true) }
    marker = nil
    guard openRows.count >= depth else { return }
    closeRows(downTo: depth)
    rows[Int(openRows[depth - 1].row)].definition = definition
    closeRows(downTo: depth - 1)
  }

  private mutating func closeRows(downTo depth: Int) {
    if openRows.count > depth { openRows.removeLast(openRows.count - depth) }
  }
}
