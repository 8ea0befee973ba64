/// Lays RTF out as plain text.
///
/// Paragraphs are lines, as in the plain text that word processors offer themselves: the space
/// between paragraphs is a matter of style in RTF, and an empty paragraph is an empty line.
struct RTFTextLayout: RTFSink {
  private var writer: LineWriter

  /// A table row that has not ended.
  private struct Row {
    let start: Int
    let tabs: Int
    let outerCellStart: Int
    /// Whether paragraphs say that they are in it; those that do not are outside then.
    let isDeclared: Bool
    var cells = 0
    var cellStart: Int
  }

  /// The row, the row of a table in a cell of it, and so on.
  private var rows: [Row] = []
  /// Where the line begins.
  private var lineStart = 0

  private var isInParagraph = false
  /// The marker of the next paragraph: empty if it has one that is not seen, nil if it has none.
  private var marker: [UInt8]?
  /// The list whose item came last.
  private var lastList = 0

  private static let deepestTable = 16
  private static let deepestList = 8
  /// Damage aside, markers are much shorter.
  private static let longestMarker = 64

  init(expecting size: Int) {
    writer = LineWriter(expecting: size)
  }

  mutating func take() -> [UInt8] {
    writer.take(fragmentOnly: false)
  }

  // MARK: Text

  mutating func append(_ ascii: ArraySlice<UInt8>, _ state: RTFState) {
    guard state.destination != .listText else {
      if canGrowMarker { marker?.append(contentsOf: ascii.prefix(RTFTextLayout.longestMarker)) }
      return
    }
    prepare(state)
    writer.append(ascii)
  }

  mutating func append(_ scalar: UInt32, _ state: RTFState) {
    guard state.destination != .listText else {
      if canGrowMarker { marker?.appendUTF8(scalar) }
      return
    }
    prepare(state)
    writer.append(scalar: scalar)
  }

  /// Sees to what stands before the first text of a paragraph.
  @inline(__always)
  private mutating func prepare(_ state: RTFState) {
    if state.enclosingTables != rows.count { settleTables(state) }
    if !isInParagraph { startParagraph(state) }
  }

  // MARK: Paragraphs and lists

  private mutating func startParagraph(_ state: RTFState) {
    isInParagraph = true
    let level = max(0, min(state.listLevel, RTFTextLayout.deepestList))
    if let marker = marker.map(RTFTextLayout.normalized) {
      self.marker = nil
      if marker.isEmpty {
        // Headings have numbers without digits: no list.
        lastList = 0
        writer.listDepth = 0
      } else {
        lastList = state.list
        writer.listDepth = level
        writer.append(marker[...])
        writer.append(UInt8(ascii: " "))
        writer.listDepth = level + 1
      }
    } else if state.list != 0, state.list == lastList {
      // A further paragraph of the item.
      writer.listDepth = level + 1
    } else {
      lastList = 0
      writer.listDepth = 0
    }
  }

  private mutating func endParagraph() {
    isInParagraph = false
    marker = nil
    lineStart = writer.count
  }

  mutating func beginListText() {
    marker = []
  }

  mutating func endListText() {}

  private var canGrowMarker: Bool { (marker?.count ?? 0) < RTFTextLayout.longestMarker }

  /// A number or letter as it stands, a bullet as `-`.
  private static func normalized(_ marker: [UInt8]) -> [UInt8] {
    let text = marker[marker.trimmingSpace(0..<marker.count)]
    guard !text.isEmpty else { return [] }
    // Word has an `o` in Courier for the bullets of the second level.
    let isBullet =
      text.elementsEqual("o".utf8)
      || !String(decoding: text, as: UTF8.self).unicodeScalars.contains {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    return isBullet ? [UInt8(ascii: "-")] : text.map { $0.isHTMLSpace ? UInt8(ascii: " ") : $0 }
  }

  // MARK: Boundaries

  mutating func end(_ boundary: RTFBoundary, _ state: RTFState) {
    switch boundary {
    case .paragraph:
      settleTables(state)
      writer.lineBreak()
      endParagraph()
    case .line:
      settleTables(state)
      writer.lineBreak()
    case .section:
      writer.separate(by: 1)
      endParagraph()
    case .cell:
      endCell(atDepth: 1, state)
    case .nestedCell:
      endCell(atDepth: RTFTextLayout.nestedDepth(state), state)
    case .row:
      if rows.isEmpty { writer.separate(by: 1) }
      closeRows(downTo: 0)
      endParagraph()
    case .nestedRow:
      closeRows(downTo: RTFTextLayout.nestedDepth(state) - 1)
      endParagraph()
    }
  }

  // MARK: Tables

  private static func nestedDepth(_ state: RTFState) -> Int {
    max(2, min(state.tableDepth, deepestTable))
  }

  /// Opens and closes rows until there are as many as there are tables around the paragraph.
  private mutating func settleTables(_ state: RTFState) {
    let depth = min(state.enclosingTables, RTFTextLayout.deepestTable)
    guard depth != rows.count else { return }
    // Where cells are written without saying that they are in a table, only `\row` ends one.
    if depth == 0, rows.first?.isDeclared == false { return }
    closeRows(downTo: depth)
    while rows.count < depth {
      writer.separate(by: 1)
      openRow(from: writer.count, isDeclared: true)
    }
  }

  private mutating func openRow(from start: Int, isDeclared: Bool) {
    rows.append(
      Row(
        start: start, tabs: writer.owedTabs, outerCellStart: writer.cellStart,
        isDeclared: isDeclared, cellStart: start))
    writer.cellStart = start
  }

  private mutating func endCell(atDepth depth: Int, _ state: RTFState) {
    if state.isInTable, rows.count < depth { settleTables(state) }
    closeRows(downTo: depth)
    while rows.count < depth { openRow(from: lineStart, isDeclared: false) }
    writer.endCell(begunAt: rows[depth - 1].cellStart)
    writer.beginCell(isFirst: false)
    rows[depth - 1].cells += 1
    rows[depth - 1].cellStart = writer.count
    writer.cellStart = writer.count
    endParagraph()
  }

  private mutating func closeRows(downTo depth: Int) {
    while rows.count > depth, let row = rows.popLast() {
      writer.cellStart = row.outerCellStart
      writer.endRow(begunAt: row.start, owing: row.tabs, hasCells: row.cells > 0)
    }
  }
}
