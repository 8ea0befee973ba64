internal import TextEncoding

/// HTML as it is being written: containers and paragraphs.
///
/// HTMLOutput+Inline has what stands in them. Containers that a paragraph shares with the one before stay open; all others are closed and
/// opened on the way from one to the next.
struct HTMLOutput {
  let text: AttributedText
  let options: HTMLWriter
  var bytes: [UInt8] = []

  /// The run that the paragraph under way begins in, or one before it.
  var runIndex = 0
  /// The elements of each number of the attribute table, as far as they were needed.
  var elements: [[HTMLInlineElement]?]

  private var openContainers: [BlockTree.Number] = []
  private var path: [BlockTree.Number] = []
  private var tables: [Table] = []
  /// A task's box that is owed to the first paragraph of its item.
  var taskBox: Bool?

  /// A table that is open.
  private struct Table {
    enum Section { case start, head, body }

    let alignments: [Paragraph.Alignment?]
    var section = Section.start
    var isHeader = false
    var row = 0
    /// The column that the next cell begins in.
    var column = 0
    /// The row in which each column is free again of a cell from above.
    var freeFrom: [Int] = []

    /// Gives a cell the columns that it takes, and tells how the first one is aligned.
    mutating func takeColumns(_ columns: Int, rows: Int) -> Paragraph.Alignment? {
      while column < freeFrom.count, freeFrom[column] > row { column += 1 }
      guard column < alignments.count else { return nil }
      defer { column += min(columns, alignments.count) }
      if rows > 1 {
        let end = min(column + min(columns, alignments.count), alignments.count)
        if freeFrom.count < end {
          freeFrom.append(contentsOf: repeatElement(0, count: end - freeFrom.count))
        }
        for taken in column..<end { freeFrom[taken] = row + min(rows, Self.mostRows) }
      }
      return alignments[column]
    }

    /// What HTML allows a cell to span.
    static let mostRows = 65534
  }

  init(_ text: AttributedText, options: HTMLWriter) {
    self.text = text
    self.options = options
    elements = Array(repeating: nil, count: text.attributeTable.values.count)
    bytes.reserveCapacity(text.length + text.length / 4 + 64)
  }

  mutating func writeBlocks() {
    if text.isFragment {
      for index in text.blocks.indices { writeInline(of: index) }
      return
    }
    for index in text.blocks.indices {
      enterContainers(of: index)
      writeBlock(index)
    }
    closeContainers(downTo: 0)
  }

  /// Ends the line, unless it is empty.
  mutating func endLine() {
    if let last = bytes.last, last != .lineFeed { bytes.append(.lineFeed) }
  }

  // MARK: Paragraphs

  private mutating func writeBlock(_ index: Int) {
    let block = text.blocks[index]
    switch block.kind {
    case .body:
      if isBare(index) {
        writeTaskBox()
        writeInline(of: index)
      } else {
        endLine()
        bytes.append("<p" as StaticString)
        appendAlignment(block.alignment)
        bytes.append(UInt8(ascii: ">"))
        writeTaskBox()
        if text.blockRange(index).count == 1 {
          // Without anything in it, it would not be seen.
          bytes.append("<br />" as StaticString)
        }
        writeInline(of: index)
        bytes.append("</p>\n" as StaticString)
      }
    case .heading(let level):
      let digit = UInt8(ascii: "0") + UInt8(min(max(level, 1), 6))
      writeTaskBox()
      endLine()
      bytes.append("<h" as StaticString)
      bytes.append(digit)
      appendAlignment(block.alignment)
      bytes.append(UInt8(ascii: ">"))
      writeInline(of: index)
      bytes.append("</h" as StaticString)
      bytes.append(digit)
      bytes.append(">\n" as StaticString)
    case .code(let info):
      writeTaskBox()
      endLine()
      writeCode(index, info: info)
    case .thematicBreak:
      writeTaskBox()
      endLine()
      bytes.append("<hr />\n" as StaticString)
    case .markup:
      writeTaskBox()
      endLine()
      let range = text.blockRange(index)
      if options.isSafe {
        SafeMarkup.append(text.utf8, range.dropLast(), to: &bytes)
        endLine()
      } else {
        appendMarkup(range)
      }
    case .vacant:
      writeTaskBox()
    }
  }

  private mutating func writeCode(_ index: Int, info: String) {
    bytes.append("<pre><code" as StaticString)
    let language = info.utf8.prefix { !$0.isHTMLSpace }
    if !language.isEmpty {
      bytes.append(" class=\"language-" as StaticString)
      bytes.appendHTML(escaping: Array(language)[...])
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
    // The mark is the last line's end; without lines there is none.
    if text.blockRange(index).count > 1 {
      writeInline(of: index, isCode: true)
      bytes.append(.lineFeed)
    }
    bytes.append("</code></pre>\n" as StaticString)
  }

  /// Whether a paragraph is text of a tight item or of a cell, without an element of its own.
  ///
  /// Markdown has no two such paragraphs after each other; where others have them, they must not
  /// run into one.
  private func isBare(_ index: Int) -> Bool {
    let container = text.blocks[index].container
    guard container != BlockTree.none else { return false }
    let node = text.tree[container]
    switch node.kind {
    case .item:
      guard node.parent != BlockTree.none, case .list(let list) = text.tree[node.parent].kind,
        list.isTight, text.blocks[index].alignment == nil
      else { return false }
    case .cell: break
    case .quote, .list, .table, .row: return false
    }
    return !isBody(index - 1, in: container) && !isBody(index + 1, in: container)
  }

  private func isBody(_ index: Int, in container: BlockTree.Number) -> Bool {
    text.blocks.indices.contains(index) && text.blocks[index].container == container
      && text.blocks[index].kind == .body
  }

  private mutating func writeTaskBox() {
    guard let isDone = taskBox else { return }
    taskBox = nil
    bytes.append(isDone ? "<input checked=\"\"" : "<input" as StaticString)
    bytes.append(" disabled=\"\" type=\"checkbox\"> " as StaticString)
  }

  private mutating func appendAlignment(_ alignment: Paragraph.Alignment?) {
    guard let alignment else { return }
    bytes.append(" style=\"text-align:" as StaticString)
    bytes.append(alignment.cssName)
    bytes.append(UInt8(ascii: "\""))
  }

  // MARK: Containers

  private mutating func enterContainers(of index: Int) {
    let container = text.blocks[index].container
    if container == openContainers.last ?? BlockTree.none { return }
    text.tree.path(to: container, into: &path)
    var shared = 0
    while shared < min(path.count, openContainers.count), path[shared] == openContainers[shared] {
      shared += 1
    }
    closeContainers(downTo: shared)
    for number in path[shared...] {
      openContainers.append(number)
      open(text.tree[number].kind, at: index)
    }
  }

  private mutating func closeContainers(downTo depth: Int) {
    while openContainers.count > depth, let number = openContainers.popLast() {
      close(text.tree[number].kind)
    }
  }

  private mutating func open(_ kind: Container.Kind, at index: Int) {
    writeTaskBox()
    switch kind {
    case .quote:
      endLine()
      bytes.append("<blockquote>\n" as StaticString)
    case .list(let list):
      endLine()
      open(list)
    case .item(let isDone):
      endLine()
      bytes.append("<li>" as StaticString)
      taskBox = isDone
    case .table(let table):
      endLine()
      bytes.append("<table>\n" as StaticString)
      tables.append(Table(alignments: table.alignments))
    case .row(let isHeader):
      endLine()
      beginRow(isHeader: isHeader)
    case .cell(let columns, let rows):
      endLine()
      openCell(columns: max(columns, 1), rows: max(rows, 1), at: index)
    }
  }

  private mutating func open(_ list: TextList) {
    guard list.numbering != .bullet else {
      bytes.append("<ul>\n" as StaticString)
      return
    }
    bytes.append("<ol" as StaticString)
    switch list.numbering {
    case .bullet, .decimal: break
    case .lowerAlpha: bytes.append(" type=\"a\"" as StaticString)
    case .upperAlpha: bytes.append(" type=\"A\"" as StaticString)
    case .lowerRoman: bytes.append(" type=\"i\"" as StaticString)
    case .upperRoman: bytes.append(" type=\"I\"" as StaticString)
    }
    if list.start != 1 {
      bytes.append(" start=\"" as StaticString)
      bytes.append(decimal: list.start)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(">\n" as StaticString)
  }

  private mutating func close(_ kind: Container.Kind) {
    switch kind {
    case .quote:
      endLine()
      bytes.append("</blockquote>\n" as StaticString)
    case .list(let list):
      endLine()
      bytes.append(list.numbering == .bullet ? "</ul>\n" : "</ol>\n" as StaticString)
    case .item:
      bytes.append("</li>\n" as StaticString)
    case .table:
      endLine()
      switch tables.popLast()?.section {
      case .head: bytes.append("</thead>\n" as StaticString)
      case .body: bytes.append("</tbody>\n" as StaticString)
      case .start, nil: break
      }
      bytes.append("</table>\n" as StaticString)
    case .row:
      endLine()
      bytes.append("</tr>\n" as StaticString)
    case .cell:
      bytes.append(tables.last?.isHeader == true ? "</th>\n" : "</td>\n" as StaticString)
    }
  }

  // MARK: Tables

  /// The rows at the front that are headers are the head, all others the body.
  private mutating func beginRow(isHeader: Bool) {
    if var table = tables.popLast() {
      switch (table.section, isHeader) {
      case (.start, true):
        bytes.append("<thead>\n" as StaticString)
        table.section = .head
      case (.start, false):
        bytes.append("<tbody>\n" as StaticString)
        table.section = .body
      case (.head, false):
        bytes.append("</thead>\n<tbody>\n" as StaticString)
        table.section = .body
      case (.head, true), (.body, _): break
      }
      table.isHeader = isHeader
      table.row += 1
      table.column = 0
      tables.append(table)
    }
    bytes.append("<tr>\n" as StaticString)
  }

  private mutating func openCell(columns: Int, rows: Int, at index: Int) {
    bytes.append(tables.last?.isHeader == true ? "<th" : "<td" as StaticString)
    var alignment: Paragraph.Alignment?
    if !tables.isEmpty {
      alignment = tables[tables.count - 1].takeColumns(columns, rows: rows)
    }
    if isBare(index) { alignment = text.blocks[index].alignment ?? alignment }
    if let alignment {
      bytes.append(" align=\"" as StaticString)
      bytes.append(alignment.cssName)
      bytes.append(UInt8(ascii: "\""))
    }
    if columns > 1 {
      bytes.append(" colspan=\"" as StaticString)
      bytes.append(decimal: columns)
      bytes.append(UInt8(ascii: "\""))
    }
    if rows > 1 {
      bytes.append(" rowspan=\"" as StaticString)
      bytes.append(decimal: rows)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
  }
}

extension Paragraph.Alignment {
  /// Its name in HTML's `align` and CSS's `text-align`.
  var cssName: StaticString {
    switch self {
    case .left: "left"
    case .center: "center"
    case .right: "right"
    case .justified: "justify"
    }
  }
}
