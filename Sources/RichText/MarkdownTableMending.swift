internal import TextEncoding

/// Markdown as md4c reads the tables of it that GitHub reads.
///
/// md4c 0.4.8 takes a table whose delimiter row has not as many cells as its head, wants three
/// characters in each cell of that row, and loses cells in which not even a blank stands. Whether a
/// line is part of a table at all only the parser knows; so what is put in must do no harm elsewhere.
///
///     | a | b |         a backslash before the last bar: no table for md4c; the backslash
///     | - \|            is gone from the text, as an escape or as a byte put in
enum MarkdownTableMending {
  static func mend(_ source: inout MarkdownSource) {
    let bytes = source.bytes
    guard bytes.contains(UInt8(ascii: "|")) else { return }
    var insertions: [MarkdownSource.Insertion] = []
    var budget = CellBudget(bytes)
    var head: Range<Int>?
    var isInTable = false
    var start = 0
    while start < bytes.count {
      let line = lineRange(from: start, in: bytes)
      let body = withoutQuotes(line, of: bytes)
      if body.isEmpty {
        isInTable = false
        head = nil
      } else {
        if isInTable { parted(body, of: bytes, into: &insertions) }
        if let above = head, let row = DelimiterRow(body, of: bytes) {
          let isTable =
            row.cells.count == cellCount(above, of: bytes)
            && (isInTable || budget.take(columns: row.cells.count, from: start))
          isInTable = isTable
          if isTable {
            parted(above, of: bytes, into: &insertions)
            row.padded(into: &insertions)
          } else {
            insertions.append((row.lastBar, UInt8(ascii: "\\")))
          }
        }
        head = body
      }
      start = line.upperBound + 1
    }
    source.insert(insertions)
  }

  /// How many cells the tables of a document may have together: md4c fills up short rows, and so makes
  /// a table of a wide head and many rows that is larger than its source by the square.
  ///
  /// A cell that is there takes a byte at least.
  private struct CellBudget {
    private let bytes: [UInt8]
    private var left: Int
    /// The lines up to the next empty one: where they begin and end, and how many are left.
    private var rows = (start: 0, end: 0, count: 0)

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      left = 2 * bytes.count + 65_536
    }

    /// Takes what a table may need whose delimiter row begins at `start`; `false` if that is too much.
    ///
    /// Linear in all, called with growing offsets.
    mutating func take(columns: Int, from start: Int) -> Bool {
      countRows(from: start)
      let (cells, isTooMuch) = columns.multipliedReportingOverflow(by: rows.count)
      guard !isTooMuch, cells <= left else { return false }
      left -= cells
      return true
    }

    private mutating func countRows(from start: Int) {
      if start >= rows.end {
        rows = (start, start, 0)
        while rows.end < bytes.count {
          let line = MarkdownTableMending.lineRange(from: rows.end, in: bytes)
          if MarkdownTableMending.withoutQuotes(line, of: bytes).isEmpty { break }
          rows.count += 1
          rows.end = line.upperBound + 1
        }
      }
      while rows.start < start {
        rows.start = MarkdownTableMending.lineRange(from: rows.start, in: bytes).upperBound + 1
        rows.count -= 1
      }
    }
  }

  /// The line that begins at an offset, without its end.
  fileprivate static func lineRange(from start: Int, in bytes: [UInt8]) -> Range<Int> {
    var end = start
    while end < bytes.count, bytes[end] != .lineFeed { end += 1 }
    return start..<end
  }

  /// The line without blanks at its ends and without marks of quotes.
  fileprivate static func withoutQuotes(_ line: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (line.lowerBound, line.upperBound)
    while start < end, isBlank(bytes[start]) || bytes[start] == UInt8(ascii: ">") { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// How many cells a head row has, by the rule of GitHub: bars count in code as well.
  private static func cellCount(_ line: Range<Int>, of bytes: [UInt8]) -> Int {
    var start = withoutItemMarks(line, of: bytes)
    var end = line.upperBound
    if start < end, bytes[start] == UInt8(ascii: "|") { start += 1 }
    if end > start, bytes[end - 1] == UInt8(ascii: "|"), !isEscaped(end - 1, in: bytes, from: start)
    {
      end -= 1
    }
    var count = 1
    var offset = start
    while offset < end {
      switch bytes[offset] {
      case UInt8(ascii: "\\"): offset += 1
      case UInt8(ascii: "|"): count += 1
      default: break
      }
      offset += 1
    }
    return count
  }

  /// Behind the marks of items and quotes that the line of a head row may begin with.
  private static func withoutItemMarks(_ line: Range<Int>, of bytes: [UInt8]) -> Int {
    var start = line.lowerBound
    while start < line.upperBound {
      var offset = start
      switch bytes[offset] {
      case UInt8(ascii: ">"), 0x20, 0x09:
        start += 1
        continue
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"):
        offset += 1
      case let digit where digit.isASCIIDigit:
        while offset < line.upperBound, bytes[offset].isASCIIDigit { offset += 1 }
        guard offset - start <= 9, offset < line.upperBound,
          bytes[offset] == UInt8(ascii: ".") || bytes[offset] == UInt8(ascii: ")")
        else { return start }
        offset += 1
      default: return start
      }
      guard offset < line.upperBound, isBlank(bytes[offset]) else { return start }
      start = offset
    }
    return start
  }

  /// Has a blank put between bars that stand side by side.
  private static func parted(
    _ line: Range<Int>, of bytes: [UInt8], into insertions: inout [MarkdownSource.Insertion]
  ) {
    var wasBar = false
    var offset = line.lowerBound
    while offset < line.upperBound {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "|"), wasBar { insertions.append((offset, 0x20)) }
      wasBar = byte == UInt8(ascii: "|")
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  private static func isEscaped(_ offset: Int, in bytes: [UInt8], from start: Int) -> Bool {
    var first = offset
    while first > start, bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
    return (offset - first) % 2 == 1
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// The row of hyphens between the head of a table and its body.
private struct DelimiterRow {
  /// Where the hyphens of each cell stand, colons beside them included.
  private(set) var cells: [Range<Int>] = []
  private(set) var lastBar = 0

  /// The row that `line`, which has no blanks at its ends, is, if it is one.
  init?(_ line: Range<Int>, of bytes: [UInt8]) {
    func skipBlanks(_ offset: inout Int) {
      while offset < line.upperBound, bytes[offset] == 0x20 || bytes[offset] == 0x09 { offset += 1 }
    }
    func has(_ mark: Unicode.Scalar, _ offset: Int) -> Bool {
      offset < line.upperBound && bytes[offset] == UInt8(ascii: mark)
    }
    var offset = line.lowerBound
    // `- |` is an item.
    if has("-", offset), !has("-", offset + 1), !has(":", offset + 1), !has("|", offset + 1) {
      return nil
    }
    var bars = 0
    if has("|", offset) {
      lastBar = offset
      bars += 1
      offset += 1
      skipBlanks(&offset)
    }
    repeat {
      let start = offset
      if has(":", offset) { offset += 1 }
      let hyphens = offset
      while has("-", offset) { offset += 1 }
      guard offset > hyphens else { return nil }
      if has(":", offset) { offset += 1 }
      cells.append(start..<offset)
      skipBlanks(&offset)
      guard offset < line.upperBound else { break }
      guard has("|", offset) else { return nil }
      lastBar = offset
      bars += 1
      offset += 1
      skipBlanks(&offset)
    } while offset < line.upperBound
    guard bars > 0 else { return nil }
  }

  /// Has hyphens put into cells that are too short for md4c.
  func padded(into insertions: inout [MarkdownSource.Insertion]) {
    for cell in cells where cell.count < 3 {
      // In front of the last character, or of the one hyphen of `:-`.
      let offset = cell.count == 1 ? cell.lowerBound : cell.lowerBound + 1
      for _ in cell.count..<3 { insertions.append((offset, UInt8(ascii: "-"))) }
    }
  }
}
