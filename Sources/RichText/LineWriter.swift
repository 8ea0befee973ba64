/// Lays out text in lines.
///
/// Line breaks, blanks, tabs and list markers are only owed when they are asked for. They are written
/// when text follows, so that a break at the end of everything, a blank before a line end or the
/// marker of an empty item never has to be taken back. What separates two blocks is the greater of
/// what both ask for, as margins collapse in CSS.
struct LineWriter {
  enum Marker {
    case bullet
    case number(Int)
  }

  private var output: [UInt8] = []
  /// Whether text can be appended as it is, because nothing is owed.
  private var owesNothing = false
  /// Line ends owed since the last text; 0 while that text's line goes on.
  private var lineEnds = 0
  private var owesBlank = false
  private var tabs = 0
  private var marker: Marker?

  /// How many lists are around what is written.
  var listDepth = 0
  /// Where in the output the cell begins that is being written, or -1.
  var cellStart = -1

  private var wantsFragmentStart = false
  private var fragmentStart: Int?

  /// Levels of lists that are shown: deeper ones would let the indentation outgrow the text.
  private static let deepestIndentation = 8

  init(expecting size: Int) {
    output.reserveCapacity(size)
  }

  /// Number of bytes written.
  var count: Int { output.count }

  // MARK: Lines

  /// Nothing has been written in the cell or the item that begins here: whatever separates has
  /// nothing to separate.
  private var isAtStartOfPart: Bool { output.count == cellStart || marker != nil }

  /// Ends the line, or makes an empty one.
  mutating func lineBreak() {
    owesBlank = false
    guard !isAtStartOfPart else { return }
    owesNothing = false
    lineEnds += 1
  }

  /// Sees to it that text before and after is separated by so many line ends.
  mutating func separate(by breaks: Int) {
    guard breaks > 0 else { return }
    owesBlank = false
    guard output.count != cellStart else { return }
    owesNothing = false
    lineEnds = max(lineEnds, breaks)
  }

  /// Writes a marker before the text that comes next.
  mutating func beginItem(_ marker: Marker) {
    self.marker = marker
    owesNothing = false
  }

  /// Forgets the marker of an item without any text.
  mutating func endItem() {
    marker = nil
  }

  // MARK: Tables

  mutating func beginCell(isFirst: Bool) {
    owesBlank = false
    if !isFirst {
      tabs += 1
      owesNothing = false
    }
  }

  /// Goes on behind the text of a cell, whatever its last paragraph asked for.
  mutating func endCell(begunAt start: Int) {
    owesBlank = false
    if output.count > start { lineEnds = 0 }
  }

  /// The tabs owed, for the row that encloses a table.
  var owedTabs: Int { tabs }

  /// Ends a row, from which tabs at the end are left out; a row without text is an empty line.
  mutating func endRow(begunAt start: Int, owing outerTabs: Int, hasCells: Bool) {
    owesBlank = false
    if output.count > start {
      tabs = 0
    } else {
      tabs = outerTabs
      if hasCells { lineBreak() }
    }
    separate(by: 1)
  }

  // MARK: Text

  /// A blank, unless one is there already or nothing stands before it in the line.
  @inline(__always)
  mutating func collapsibleBlank() {
    owesBlank = true
    owesNothing = false
  }

  /// Appends bytes that are neither collapsible nor line ends.
  @inline(__always)
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    if !owesNothing { settle() }
    output.append(contentsOf: bytes)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if !owesNothing { settle() }
    output.append(byte)
  }

  mutating func append(scalar: UInt32) {
    if !owesNothing { settle() }
    output.appendUTF8(scalar)
  }

  /// Writes what is owed.
  private mutating func settle() {
    let beginsLine = lineEnds > 0 || output.isEmpty
    if !output.isEmpty, lineEnds > 0 {
      output.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: lineEnds))
    }
    if wantsFragmentStart {
      wantsFragmentStart = false
      fragmentStart = output.count
    }
    if beginsLine, listDepth > 0 {
      // The marker hangs out to the left of the item's text.
      let levels = min(listDepth, LineWriter.deepestIndentation) - (marker == nil ? 0 : 1)
      output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * levels))
    }
    if tabs > 0 {
      output.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: tabs))
    } else if owesBlank, !beginsLine, fragmentStart != output.count {
      output.append(UInt8(ascii: " "))
    }
    switch marker {
    case .bullet?:
      output.append(contentsOf: "- ".utf8)
    case .number(let number)?:
      output.append(contentsOf: String(number).utf8)
      output.append(contentsOf: ". ".utf8)
    case nil:
      break
    }
    lineEnds = 0
    owesBlank = false
    tabs = 0
    marker = nil
    owesNothing = true
  }

  // MARK: The whole

  /// The text that comes next is the first of the fragment.
  mutating func beginFragment() {
    wantsFragmentStart = true
    owesNothing = false
  }

  /// Takes the text that was written, or that of the fragment.
  mutating func take(fragmentOnly: Bool) -> [UInt8] {
    var start = 0
    if fragmentOnly {
      start = fragmentStart ?? output.count
    }
    // Blanks that were kept in a last line of nothing else say no more than the line end.
    var end = output.count
    var offset = end
    while offset > start, output[offset - 1].isHTMLSpace {
      offset -= 1
      if output[offset] == UInt8(ascii: "\n") { end = offset }
    }
    if end < output.count { output.removeLast(output.count - end) }
    if start > 0 { output.removeFirst(min(start, output.count)) }
    return output
  }
}
