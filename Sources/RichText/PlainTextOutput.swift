internal import TextEncoding

/// Plain text as it is being written, line by line.
///
/// Line ends and the marks before a line are only owed until there is text for them to stand before,
/// so that none ever has to be taken back. What a cell holds is written to a sheet of its own and put
/// into its place when the table ends.
struct PlainTextOutput {
  private let text: AttributedText
  private let options: PlainTextWriter
  private var inline: PlainTextInline
  private var scratch: [UInt8] = []

  private var openContainers: [BlockTree.Number] = []
  private var path: [BlockTree.Number] = []
  /// The numbers of the next items of the lists that are open.
  private var nextNumbers: [Int] = []
  /// What stands before each line, outermost first.
  private var prefixes: [Prefix] = []
  private var sheets: [Sheet]
  private var tables: [PlainTextTable] = []

  private enum Prefix {
    case quote
    /// The marker is that of an item that has no text yet.
    case item(marker: Marker?)
  }

  private enum Marker {
    case bullet
    case number(String)
    case task(isDone: Bool, String)
  }

  private struct Sheet {
    var bytes: [UInt8] = []
    /// Line ends owed since the last text.
    var lineEnds = 0
    /// How many of the prefixes were there all the time since.
    var sharedPrefixes = 0
    /// The first prefix that belongs to the sheet.
    let firstPrefix: Int
    let isCell: Bool
  }

  /// Deeper lists and quotes are not indented any more: the indentation would outgrow the text.
  private static let deepestIndentation = 8

  init(_ text: AttributedText, options: PlainTextWriter) {
    self.text = text
    self.options = options
    inline = PlainTextInline(
      text, showsLinks: options.showsLinks, softBreak: UInt8(ascii: " "))
    sheets = [Sheet(firstPrefix: 0, isCell: false)]
    sheets[0].bytes.reserveCapacity(text.length + text.length / 8)
  }

  mutating func write() -> [UInt8] {
    for index in text.blocks.indices {
      enterContainers(of: index)
      write(index)
    }
    closeContainers(downTo: 0)
    return sheets.popLast().map { Self.trimmed($0.bytes) } ?? []
  }

  /// Without a last line, or several, of nothing but blanks.
  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var end = bytes.count
    var offset = end
    while offset > 0, bytes[offset - 1].isHTMLSpace {
      offset -= 1
      if bytes[offset] == .lineFeed { end = offset }
    }
    bytes.removeLast(bytes.count - end)
    return bytes
  }

  // MARK: Paragraphs

  private mutating func write(_ index: Int) {
    scratch.removeAll(keepingCapacity: true)
    switch text.blocks[index].kind {
    case .body, .heading:
      inline.append(index, to: &scratch)
      if scratch.isEmpty { endLine() }
    case .code:
      scratch.append(contentsOf: text.utf8[text.blockRange(index)].dropLast())
    case .thematicBreak:
      scratch.append("---" as StaticString)
    case .markup:
      scratch = HTMLPlainText.text(of: Array(text.utf8[text.blockRange(index)]))
    case .vacant: break
    }
    appendLines(scratch[...])
  }

  private mutating func appendLines(_ lines: ArraySlice<UInt8>) {
    var start = lines.startIndex
    while let end = lines[start...].firstIndex(of: .lineFeed) {
      append(lines[start..<end])
      endLine()
      start = end + 1
    }
    append(lines[start...])
  }

  // MARK: Lines

  /// Ends the line, or makes an empty one.
  private mutating func endLine() {
    // At the beginning of everything, of a cell or of an item there is nothing to end.
    guard !sheets[sheets.count - 1].bytes.isEmpty, !isMarkerOwed else { return }
    sheets[sheets.count - 1].lineEnds += 1
    sheets[sheets.count - 1].sharedPrefixes = min(
      sheets[sheets.count - 1].sharedPrefixes, prefixes.count)
  }

  /// Sees to it that text before and after is separated by so many line ends.
  private mutating func separate(by lineEnds: Int) {
    guard !sheets[sheets.count - 1].bytes.isEmpty else { return }
    sheets[sheets.count - 1].lineEnds = max(sheets[sheets.count - 1].lineEnds, lineEnds)
    sheets[sheets.count - 1].sharedPrefixes = min(
      sheets[sheets.count - 1].sharedPrefixes, prefixes.count)
  }

  private var isMarkerOwed: Bool {
    guard prefixes.count > sheets[sheets.count - 1].firstPrefix,
      case .item(marker: .some)? = prefixes.last
    else { return false }
    return true
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    settle()
    sheets[sheets.count - 1].bytes.append(contentsOf: bytes)
  }

  /// Writes the line ends and the prefixes that are owed.
  private mutating func settle() {
    let sheet = sheets.count - 1
    let lineEnds = sheets[sheet].lineEnds
    guard lineEnds > 0 || sheets[sheet].bytes.isEmpty else { return }
    let first = sheets[sheet].firstPrefix
    if lineEnds > 0 {
      sheets[sheet].bytes.append(.lineFeed)
      let shared = first..<max(first, min(sheets[sheet].sharedPrefixes, prefixes.count))
      if lineEnds > 1 {
        let prefix = blankPrefix(shared)
        for _ in 1..<lineEnds {
          sheets[sheet].bytes.append(contentsOf: prefix)
          sheets[sheet].bytes.append(.lineFeed)
        }
      }
    }
    sheets[sheet].lineEnds = 0
    sheets[sheet].sharedPrefixes = prefixes.count
    appendPrefixes(from: first)
  }

  /// What stands in an empty line: marks of quotes, without blanks at the end.
  private func blankPrefix(_ range: Range<Int>) -> [UInt8] {
    var prefix: [UInt8] = []
    for item in prefixes[range].prefix(Self.deepestIndentation) {
      switch item {
      case .quote: prefix.append("> " as StaticString)
      case .item: prefix.append("  " as StaticString)
      }
    }
    while prefix.last == UInt8(ascii: " ") { prefix.removeLast() }
    return prefix
  }

  private mutating func appendPrefixes(from first: Int) {
    let sheet = sheets.count - 1
    // Of all items that begin in this line, a bullet says something for the last one only.
    let lastItem = prefixes[first...].lastIndex { if case .item = $0 { true } else { false } }
    for index in prefixes.indices.dropFirst(first) {
      let isShown = index - first < Self.deepestIndentation || index == lastItem
      switch prefixes[index] {
      case .quote:
        if isShown { sheets[sheet].bytes.append("> " as StaticString) }
      case .item(marker: nil):
        if isShown, index - first < Self.deepestIndentation {
          sheets[sheet].bytes.append("  " as StaticString)
        }
      case .item(.some(let marker)):
        prefixes[index] = .item(marker: nil)
        guard isShown else { continue }
        switch marker {
        case .bullet:
          sheets[sheet].bytes.append(index == lastItem ? "- " : "  " as StaticString)
        case .number(let number):
          sheets[sheet].bytes.append(contentsOf: number.utf8)
        case .task(let isDone, let number):
          sheets[sheet].bytes.append(contentsOf: number.utf8)
          sheets[sheet].bytes.append(isDone ? "[x] " : "[ ] " as StaticString)
        }
      }
    }
  }

  // MARK: Containers

  private mutating func enterContainers(of index: Int) {
    let container = text.blocks[index].container
    if container == openContainers.last ?? BlockTree.none {
      if index > 0 { separate(index, sharing: openContainers.count) }
      return
    }
    text.tree.path(to: container, into: &path)
    var shared = 0
    while shared < min(path.count, openContainers.count), path[shared] == openContainers[shared] {
      shared += 1
    }
    let wasSimple = openContainers[shared...].allSatisfy(isSimple)
    closeContainers(downTo: shared)
    if index > 0 {
      separate(index, sharing: shared, isSimple: wasSimple && path[shared...].allSatisfy(isSimple))
    }
    for number in path[shared...] { open(number) }
  }

  private func isSimple(_ number: BlockTree.Number) -> Bool {
    switch text.tree[number].kind {
    case .list, .item: true
    case .quote, .table, .row, .cell: false
    }
  }

  /// Sees to what stands between a paragraph and the one before, when exactly those containers are
  /// open that both are in.
  private mutating func separate(_ index: Int, sharing depth: Int, isSimple: Bool = true) {
    guard depth > 0 else { return separate(by: options.hasBlankLines ? 2 : 1) }
    let common = openContainers[depth - 1]
    let list: TextList
    switch text.tree[common].kind {
    case .row, .table: return
    case .cell where options.cells == .aligned: return separate(by: 1)
    case .quote, .cell: return separate(by: options.hasBlankLines ? 2 : 1)
    case .list(let common): list = common
    case .item:
      let parent = text.tree[common].parent
      guard parent != BlockTree.none, case .list(let around) = text.tree[parent].kind else {
        return separate(by: options.hasBlankLines ? 2 : 1)
      }
      list = around
    }
    let blocks = (text.blocks[index - 1], text.blocks[index])
    let areBothParagraphs = blocks.0.container == common && blocks.1.container == common
    let isTight =
      list.isTight && isSimple && isLine(blocks.0.kind) && isLine(blocks.1.kind)
      && !areBothParagraphs
    separate(by: isTight || !options.hasBlankLines ? 1 : 2)
  }

  private func isLine(_ kind: Paragraph.Kind) -> Bool {
    switch kind {
    case .body, .vacant: true
    case .heading, .code, .thematicBreak, .markup: false
    }
  }

  private mutating func open(_ number: BlockTree.Number) {
    openContainers.append(number)
    switch text.tree[number].kind {
    case .quote:
      if options.marksQuotes { prefixes.append(.quote) }
    case .list(let list):
      nextNumbers.append(list.start)
    case .item(let isDone):
      prefixes.append(.item(marker: nextMarker(of: number, isDone: isDone)))
    case .table(let table):
      tables.append(PlainTextTable(alignments: table.alignments))
    case .row(let isHeader):
      if !tables.isEmpty { tables[tables.count - 1].beginRow(isHeader: isHeader) }
    case .cell(let columns, let rows):
      if !tables.isEmpty { tables[tables.count - 1].beginCell(columns: columns, rows: rows) }
      sheets.append(Sheet(firstPrefix: prefixes.count, isCell: true))
    }
  }

  private mutating func nextMarker(of item: BlockTree.Number, isDone: Bool?) -> Marker {
    var number = ""
    let parent = text.tree[item].parent
    if parent != BlockTree.none, case .list(let list) = text.tree[parent].kind,
      let next = nextNumbers.popLast()
    {
      nextNumbers.append(next &+ 1)
      if list.numbering != .bullet {
        number = list.numbering.label(next) + ". "
      }
    }
    if let isDone { return .task(isDone: isDone, number.isEmpty ? "- " : number) }
    return number.isEmpty ? .bullet : .number(number)
  }

  private mutating func closeContainers(downTo depth: Int) {
    while openContainers.count > depth, let number = openContainers.popLast() {
      close(text.tree[number].kind)
    }
  }

  private mutating func close(_ kind: Container.Kind) {
    switch kind {
    case .quote:
      if options.marksQuotes { prefixes.removeLast() }
    case .list:
      nextNumbers.removeLast()
    case .item:
      // A task says something even without text, other items do not.
      if case .item(marker: .task?)? = prefixes.last { settle() }
      prefixes.removeLast()
    case .table:
      guard let table = tables.popLast() else { return }
      switch options.cells {
      case .aligned: appendLines(table.aligned()[...])
      case .tabbed: appendLines(table.tabbed()[...])
      }
    case .row: break
    case .cell:
      guard sheets.count > 1, let sheet = sheets.popLast() else { return }
      if !tables.isEmpty { tables[tables.count - 1].endCell(Self.trimmed(sheet.bytes)) }
    }
  }
}
