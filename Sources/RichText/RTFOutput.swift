/// RTF as it is being written: paragraphs, lists and quotes.
///
/// RTFOutput+Inline has what stands in a paragraph, RTFOutput+Tables what stands around cells. The
/// mark of a paragraph is owed until another one follows.
struct RTFOutput {
  let text: AttributedText
  let styleSheet: StyleSheet
  let isSafe: Bool

  var bytes: [UInt8] = []
  var fonts: RTFOutputFonts
  var colors = RTFOutputColors()
  var lists = RTFOutputLists()

  var runIndex = 0
  /// The control words of a run's look, by the numbers of its attributes and its paragraph's look.
  var looks: [Look: [UInt8]] = [:]
  private var styleNumbers: [TextStyle: Int] = [:]

  private var openContainers: [BlockTree.Number] = []
  private var path: [BlockTree.Number] = []
  /// The lists that are open, with the number of the next item.
  private var openLists: [OpenList] = []
  /// An item whose marker no paragraph had yet.
  private var marker: Marker?

  var tables: [Table] = []
  /// The rows of each table, and the cells of each row.
  var parts: [BlockTree.Number: [BlockTree.Number]] = [:]
  var owesMark = false
  /// Whether the last thing written was a row of a table that is not in another one.
  var endsWithTable = false

  struct Look: Hashable {
    let attributes: AttributeTable.Number
    let paragraph: Int
  }

  private struct OpenList {
    let kind: TextList
    let place: RTFOutputLists.Place
    var next: Int
  }

  private struct Marker {
    let place: RTFOutputLists.Place
    let text: String
    let isDone: Bool?
    let isBullet: Bool
  }

  /// Twentieths of a point.
  static let itemIndent = 720
  static let quoteIndent = 567
  /// Indents beyond would push the text off the page.
  static let deepestIndent = 7200

  init(_ text: AttributedText, styleSheet: StyleSheet, isSafe: Bool) {
    self.text = text
    self.styleSheet = styleSheet
    self.isSafe = isSafe
    fonts = RTFOutputFonts(styleSheet)
    bytes.reserveCapacity(text.length + text.length / 2)
  }

  mutating func write() {
    gatherParts()
    if text.isFragment {
      bytes.append("\\pard\\plain " as StaticString)
      for index in text.blocks.indices { writeInline(of: index, in: styleSheet.base) }
      return
    }
    for index in text.blocks.indices {
      enterContainers(of: index)
      writeBlock(index)
    }
    closeContainers(downTo: 0)
    if endsWithTable { bytes.append("\\pard\\plain\\s0 " as StaticString) }
  }

  // MARK: Paragraphs

  private mutating func writeBlock(_ index: Int) {
    let block = text.blocks[index]
    switch block.kind {
    case .body, .heading, .code, .thematicBreak:
      let style = beginParagraph(index)
      writeInline(of: index, in: style)
      owesMark = true
    case .markup:
      // Of raw HTML its text: each of its paragraphs is one.
      let plain = HTMLPlainText.text(of: Array(text.utf8[text.blockRange(index)]))
      var start = plain.startIndex
      while start < plain.endIndex {
        var end = start
        while end < plain.endIndex,
          plain[end] != .lineFeed || end + 1 == plain.endIndex || plain[end + 1] != .lineFeed
        {
          end += 1
        }
        _ = beginParagraph(index)
        bytes.appendRTF(escaping: plain[start..<end])
        owesMark = true
        while end < plain.endIndex, plain[end] == .lineFeed { end += 1 }
        start = end
      }
    case .vacant:
      if marker != nil { settleMarker(of: index) }
    }
  }

  /// Writes what a paragraph begins with.
  ///
  /// - Parameter kind: what it is, where it is not what the text has there.
  /// - Returns: how text looks in it of which nothing is said.
  private mutating func beginParagraph(_ index: Int, kind: Paragraph.Kind? = nil) -> TextStyle {
    let block = text.blocks[index]
    let containers = openContainers.map {
      Container(identity: Int($0), kind: text.tree[$0].kind)
    }
    let paragraph = Paragraph(kind ?? block.kind, in: containers)
    let style = styleSheet.style(of: paragraph)
    settleMark()
    endsWithTable = false
    bytes.append("\\pard\\plain" as StaticString)
    appendCellLevel()

    var spacing = (before: 0, after: 120)
    switch paragraph.kind {
    case .heading(let level):
      let level = min(max(level, 1), 6)
      bytes.append("\\s", level)
      bytes.append("\\outlinelevel", level - 1)
      bytes.append("\\keepn" as StaticString)
      spacing = (240, 120)
    case .code:
      bytes.append("\\s8" as StaticString)
      spacing.after = 0
    case .thematicBreak:
      bytes.append("\\s0\\brdrb\\brdrs\\brdrw10\\brsp20" as StaticString)
    case .body, .markup, .vacant:
      bytes.append(paragraph.quoteDepth > 0 ? "\\s7" : "\\s0" as StaticString)
      if isFollowedInTightList(index) || !tables.isEmpty { spacing.after = 0 }
    }
    bytes.append("\\sb", spacing.before)
    bytes.append("\\sa", spacing.after)
    appendAlignment(block.alignment ?? tables.last?.alignment)
    appendIndents(paragraph)
    var look: [UInt8] = []
    append(style, over: TextStyle(), to: &look)
    bytes.append(contentsOf: look)
    bytes.append(UInt8(ascii: " "))
    writeMarker()
    return style
  }

  /// Whether the next paragraph follows without room between, in the list that this one is in.
  private func isFollowedInTightList(_ index: Int) -> Bool {
    guard let list = openLists.last, list.kind.isTight, index + 1 < text.blocks.count,
      let outermost = openContainers.first(where: isList)
    else { return false }
    var number = text.blocks[index + 1].container
    while number > outermost { number = text.tree[number].parent }
    return number == outermost
  }

  private func isList(_ number: BlockTree.Number) -> Bool {
    if case .list = text.tree[number].kind { true } else { false }
  }

  private mutating func appendAlignment(_ alignment: Paragraph.Alignment?) {
    switch alignment {
    case .left: bytes.append("\\ql" as StaticString)
    case .center: bytes.append("\\qc" as StaticString)
    case .right: bytes.append("\\qr" as StaticString)
    case .justified: bytes.append("\\qj" as StaticString)
    case nil: break
    }
  }

  /// The indents that quotes and items bring, within the cell if it is in one.
  private mutating func appendIndents(_ paragraph: Paragraph) {
    var left = 0
    var right = 0
    for container in paragraph.containers {
      switch container.kind {
      case .quote:
        left += Self.quoteIndent
        right += Self.quoteIndent
      case .item: left += Self.itemIndent
      case .cell: (left, right) = (0, 0)
      case .list, .table, .row: break
      }
    }
    if let marker {
      bytes.append("\\ls", marker.place.list)
      bytes.append("\\ilvl", marker.place.level)
      bytes.append("\\fi-360" as StaticString)
    }
    if left > 0 { bytes.append("\\li", min(left, Self.deepestIndent)) }
    if right > 0 { bytes.append("\\ri", min(right, Self.deepestIndent / 2)) }
  }

  /// Writes the mark of the paragraph before.
  mutating func settleMark() {
    guard owesMark else { return }
    bytes.append("\\par\n" as StaticString)
    owesMark = false
  }

  // MARK: Markers

  /// Writes the marker of the item that a paragraph begins, for readers that know no list tables.
  private mutating func writeMarker() {
    guard let marker else { return }
    self.marker = nil
    bytes.append("{\\listtext " as StaticString)
    bytes.appendRTF(escaping: Array(marker.text.utf8)[...])
    bytes.append("\\tab}" as StaticString)
    if let isDone = marker.isDone {
      bytes.append(isDone ? "\\u9745? " : "\\u9744? " as StaticString)
    }
  }

  /// Writes a paragraph without text for an item that has none of its own.
  private mutating func settleMarker(of index: Int) {
    _ = beginParagraph(index, kind: .body)
    owesMark = true
  }

  /// A number for a paragraph's look.
  mutating func number(of style: TextStyle) -> Int {
    if let number = styleNumbers[style] { return number }
    let number = styleNumbers.count
    styleNumbers[style] = number
    return number
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
    for number in path[shared...] { open(number, at: index) }
  }

  private mutating func open(_ number: BlockTree.Number, at index: Int) {
    let parent = openContainers.last ?? BlockTree.none
    openContainers.append(number)
    switch text.tree[number].kind {
    case .quote: break
    case .list(let list):
      // A number would be missed, a bullet is not.
      if let marker, !marker.isBullet || marker.isDone != nil { settleMarker(of: index) }
      marker = nil
      let outer = isInCellOfList ? nil : openLists.last?.place
      let place = lists.add(list, in: outer, item: parent)
      openLists.append(OpenList(kind: list, place: place, next: list.start))
    case .item(let isDone):
      beginItem(isDone: isDone)
    case .table(let table):
      if marker != nil { settleMarker(of: index) }
      beginTable(number, table, left: indent(outside: number))
    case .row(let isHeader):
      beginRow(number, isHeader: isHeader)
    case .cell:
      beginCell()
    }
  }

  private mutating func beginItem(isDone: Bool?) {
    guard let list = openLists.popLast() else { return }
    var after = list
    after.next = list.next &+ 1
    openLists.append(after)
    let isBullet = list.kind.numbering == .bullet
    marker = Marker(
      place: list.place,
      text: isBullet
        ? RTFOutputLists.bullet(ofLevel: list.place.level)
        : list.kind.numbering.label(list.next) + ".",
      isDone: isDone, isBullet: isBullet)
  }

  /// Whether the list that was opened last, but for one, is around a table that is open.
  private var isInCellOfList: Bool {
    for number in openContainers.reversed().dropFirst() {
      switch text.tree[number].kind {
      case .cell: return true
      case .list: return false
      case .quote, .item, .table, .row: break
      }
    }
    return false
  }

  private func indent(outside table: BlockTree.Number) -> Int {
    var left = 0
    for number in openContainers where number != table {
      switch text.tree[number].kind {
      case .quote: left += Self.quoteIndent
      case .item: left += Self.itemIndent
      case .cell: left = 0
      case .list, .table, .row: break
      }
    }
    return min(left, Self.deepestIndent)
  }

  private mutating func closeContainers(downTo depth: Int) {
    while openContainers.count > depth, let number = openContainers.popLast() {
      switch text.tree[number].kind {
      case .quote: break
      case .list: openLists.removeLast()
      case .item: marker = nil
      case .table: endTable()
      case .row: endRow()
      case .cell: endCell()
      }
    }
  }
}
