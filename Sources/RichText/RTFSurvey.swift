internal import TextEncoding

/// How text looks where nothing is emphasized.
struct RTFBase: Hashable {
  var look: RTFLook = []
  var isMonospaced = false
  var foreground: UInt16 = 0
}

/// What paragraphs are by themselves, as far as the whole document tells.
struct RTFSurvey {
  /// What is known of a paragraph when its turn comes.
  struct Facts {
    var kind = Paragraph.Kind.body
    var quoteDepth = 0
    /// How many items are around the paragraph; known of what clipview itself wrote only.
    var itemDepth = 0
    /// Whether the paragraph is indented as pandoc indents quotes.
    var mayBeQuote = false
    var item: RTFListItem?
    /// Where its text begins, behind a typed marker.
    var textStart = 0
    /// The number of a heading.
    var prefix: String?
    var base = RTFBase()
    var hasText = false
    var mayJoinCode = false
    var mayBeEmptyCodeLine = false
  }

  /// What a paragraph style says.
  private struct StyleFacts {
    var role: RTFStyleRole?
    var outlineLevel: Int8?
    var base = RTFBase()
  }

  /// What the runs of a paragraph have in common, blanks aside.
  private struct Summary {
    var commonLook: RTFLook = []
    var isMonospaced = false
    var hasCodeStyle = false
    var hasText = false
  }

  private var styles: [Int32: StyleFacts] = [:]
  private var fonts: [Int32?: Bool] = [:]
  private var codeStyles: [Int32: Bool] = [:]
  private var summaries: [Summary] = []
  /// The lists some of whose items have their markers typed out.
  private var listsWithMarkers: Set<Int32> = []
  private var hasProportionalText = false
  /// Whether there are headings, lists, links or tables: a text, no listing of a program.
  private var hasStructure = false
  /// Whether the document is less than a paragraph, in one line.
  private let isOneLine: Bool
  private(set) var rowLooksLikeHead: [Bool]

  init(_ document: RTFDocument, _ tables: RTFTables) {
    isOneLine =
      document.paragraphs.count == 1 && !document.paragraphs[0].hasMark
      && !document.utf8.contains(.lineFeed)
    rowLooksLikeHead = [Bool](repeating: false, count: document.rows.count)
    guard !tables.isPlainText else { return }
    summaries.reserveCapacity(document.paragraphs.count)
    var rowHasText = rowLooksLikeHead
    var rowIsPlain = rowLooksLikeHead
    hasStructure = !document.cells.isEmpty
    for (index, paragraph) in document.paragraphs.enumerated() {
      let start = index == 0 ? 0 : document.paragraphs[index - 1].end
      let firstRun = index == 0 ? 0 : document.paragraphs[index - 1].runEnd
      let runs = document.runs[firstRun..<paragraph.runEnd]
      let summary = summarize(runs, from: start, document, tables)
      summaries.append(summary)
      let style = styleFacts(paragraph.format.style, tables)
      if paragraph.marker != nil {
        listsWithMarkers.insert(paragraph.format.list)
        hasStructure = true
      }
      if paragraph.format.outlineLevel ?? style.outlineLevel ?? 9 < 9 { hasStructure = true }
      if summary.hasText, let cell = paragraph.cell {
        let row = Int(document.cells[Int(cell)].row)
        rowHasText[row] = true
        if !summary.commonLook.union(style.base.look).contains(.bold) { rowIsPlain[row] = true }
      }
    }
    for row in rowLooksLikeHead.indices {
      rowLooksLikeHead[row] = rowHasText[row] && !rowIsPlain[row]
    }
  }

  private mutating func summarize(
    _ runs: ArraySlice<RTFDocument.Run>, from start: Int, _ document: RTFDocument,
    _ tables: RTFTables
  ) -> Summary {
    var summary = Summary(
      commonLook: RTFLook(rawValue: .max), isMonospaced: true, hasCodeStyle: true)
    var start = start
    for run in runs {
      defer { start = run.end }
      if run.format.field != nil { hasStructure = true }
      guard run.picture == nil else {
        summary.isMonospaced = false
        summary.hasText = true
        continue
      }
      guard !document.utf8[start..<run.end].allSatisfy({ $0 <= 0x20 }) else { continue }
      summary.hasText = true
      summary.commonLook.formIntersection(run.format.look)
      if !isMonospaced(run.format.font, tables) {
        summary.isMonospaced = false
        hasProportionalText = true
      }
      if !isCode(characterStyle: run.format.style, tables) { summary.hasCodeStyle = false }
    }
    return summary.hasText ? summary : Summary()
  }

  // MARK: Fonts and styles

  mutating func isMonospaced(_ font: Int32?, _ tables: RTFTables) -> Bool {
    if let known = fonts[font] { return known }
    let isMonospaced = tables.fonts.isMonospaced(font)
    fonts[font] = isMonospaced
    return isMonospaced
  }

  mutating func isCode(characterStyle number: Int32?, _ tables: RTFTables) -> Bool {
    guard let number else { return false }
    if let known = codeStyles[number] { return known }
    let style = tables.styles.characterStyle(number)
    let isCode = style.map { RTFStyleRole.isCode(characterStyleName: $0.name) } ?? false
    codeStyles[number] = isCode
    return isCode
  }

  private mutating func styleFacts(_ number: Int32, _ tables: RTFTables) -> StyleFacts {
    if let known = styles[number] { return known }
    var facts = StyleFacts()
    let chain = tables.styles.chain(ofParagraphStyle: number)
    for style in chain {
      facts.outlineLevel = facts.outlineLevel ?? style.paragraph.outlineLevel
      facts.role = facts.role ?? RTFStyleRole(paragraphStyleName: style.name)
    }
    if let style = chain.first {
      facts.base.look = style.character.look
      facts.base.foreground = style.character.foreground
      facts.base.isMonospaced = tables.fonts.isMonospaced(style.character.font)
    }
    if case .heading(let level)? = facts.role, facts.outlineLevel == nil {
      facts.outlineLevel = Int8(level - 1)
    }
    styles[number] = facts
    return facts
  }

  // MARK: Paragraphs

  mutating func facts(
    _ index: Int, isInHead: Bool, _ document: RTFDocument, _ tables: RTFTables
  ) -> Facts {
    var facts = Facts()
    let paragraph = document.paragraphs[index]
    let start = index == 0 ? 0 : document.paragraphs[index - 1].end
    facts.textStart = start
    guard !tables.isPlainText else { return facts }
    let format = paragraph.format
    let summary = summaries[index]
    let style = styleFacts(format.style, tables)
    let text = document.utf8[start..<paragraph.end]
    facts.hasText = summary.hasText
    facts.base = style.base
    facts.base.isMonospaced = style.base.isMonospaced || !hasProportionalText

    if tables.isOwn {
      (facts.quoteDepth, facts.itemDepth) = format.ownDepths
      facts.item = item(paragraph, text, tables)
      facts.item?.level = Int32(clamping: facts.itemDepth - 1)
    }
    let outlineLevel = format.outlineLevel ?? style.outlineLevel ?? 9
    let isHeading = (0..<9).contains(outlineLevel) && (summary.hasText || tables.isOwn)
    if isHeading {
      facts.kind = .heading(level: min(Int(outlineLevel) + 1, 6))
      facts.base.look.formUnion(summary.commonLook.intersection(.bold))
      if tables.isOwn, outlineLevel == 5 { facts.base.look.insert(.italic) }
      if facts.item == nil { facts.prefix = RTFSurvey.headingNumber(paragraph.marker) }
      return facts
    }
    if isInHead, let cell = paragraph.cell, rowLooksLikeHead[Int(document.cells[Int(cell)].row)] {
      facts.base.look.insert(.bold)
    }
    if isThematicBreak(format, style.role, text) {
      facts.kind = .thematicBreak
      facts.textStart = paragraph.end
      return facts
    }
    if style.role == .quote, !tables.isOwn { facts.quoteDepth = 1 }
    facts.mayBeQuote =
      tables.styles.isEmpty && format.leftIndent > 0 && format.leftIndent % 720 == 0
      && format.firstIndent == 0 && format.spaceAfter == 180

    if !tables.isOwn { facts.item = item(paragraph, text, tables) }
    if let item = facts.item { facts.textStart += item.typedLength }
    decideCode(&facts, paragraph, summary, style, tables)
    if facts.item != nil, facts.kind == .body { takeBox(&facts, document.utf8, paragraph.end) }
    return facts
  }

  private mutating func decideCode(
    _ facts: inout Facts, _ paragraph: RTFDocument.Paragraph, _ summary: Summary,
    _ style: StyleFacts, _ tables: RTFTables
  ) {
    let isListing = hasProportionalText || !hasStructure
    let isByFont =
      !tables.isOwn && isListing && paragraph.cell == nil && facts.item == nil && !isOneLine
      && isMonospaced(paragraph.markFormat.font, tables) && !summary.hasCodeStyle
    let isByStyle = style.role == .code
    if summary.hasText ? isByStyle || (isByFont && summary.isMonospaced) : isByStyle && tables.isOwn
    {
      facts.kind = .code(info: "")
      facts.mayJoinCode = !tables.isOwn
    } else if !summary.hasText, facts.item == nil, !tables.isOwn {
      facts.mayBeEmptyCodeLine = isByStyle || isByFont
    }
  }

  private func isThematicBreak(
    _ format: RTFParagraphFormat, _ role: RTFStyleRole?, _ text: ArraySlice<UInt8>
  ) -> Bool {
    if text.isEmpty { return role == .thematicBreak || format.hasBorder }
    // Five dashes in the middle of the line are pandoc's.
    return format.alignment == .center && text.count >= 9
      && text.elementsEqual([UInt8](String(repeating: "\u{2014}", count: text.count / 3).utf8))
  }

  /// What stands before a heading as its number.
  private static func headingNumber(_ marker: [UInt8]?) -> String? {
    guard let marker else { return nil }
    let text = marker[marker.trimmingSpace(0..<marker.count)]
    guard text.contains(where: { $0.isASCIIDigit || $0.isASCIILetter }) else { return nil }
    return String(decoding: text, as: UTF8.self) + " "
  }

  // MARK: Items

  private func item(
    _ paragraph: RTFDocument.Paragraph, _ text: ArraySlice<UInt8>, _ tables: RTFTables
  ) -> RTFListItem? {
    let format = paragraph.format
    var item = RTFListItem(list: format.list, level: format.listLevel, indent: format.leftIndent)
    let level = tables.lists.level(format.listLevel, ofList: format.list)
    let oldList = tables.lists.oldList(format.oldList)
    if let marker = paragraph.marker {
      let expected = format.list != 0 ? level?.numbering : oldList?.level.numbering
      guard let read = RTFListMarker(marker, expected: expected) else { return nil }
      item.take(read)
      return item
    }
    if format.list != 0 {
      // Where markers are typed out for other paragraphs, this one is a further one of an item.
      guard !listsWithMarkers.contains(format.list), let level, let numbering = level.numbering
      else { return nil }
      item.numbering = numbering
      item.start = level.start
      return item
    }
    if let oldList, !oldList.isContinued, let numbering = oldList.level.numbering,
      !listsWithMarkers.contains(0)
    {
      item.numbering = numbering
      item.start = oldList.level.start
      return item
    }
    guard format.firstIndent < 0, !tables.isOwn, let typed = RTFListMarker.typed(text) else {
      return nil
    }
    item.take(typed.marker)
    item.typedLength = typed.length
    return item
  }

  /// Takes a box at the beginning of an item for the state of a task.
  private func takeBox(_ facts: inout Facts, _ utf8: [UInt8], _ end: Int) {
    let start = facts.textStart
    guard end - start > 3,
      utf8[start + 3] == 0x20 || utf8[start + 3] == 0x09 || utf8[start + 3] == 0xC2,
      let isDone = RTFListMarker.box(utf8[start..<start + 3])
    else { return }
    facts.item?.isDone = isDone
    facts.textStart = start + (utf8[start + 3] == 0xC2 ? min(5, end - start) : 4)
  }
}

extension RTFParagraphFormat {
  /// How many quotes and items are around a paragraph that clipview itself wrote.
  ///
  /// It stops indenting before these limits.
  var ownDepths: (quotes: Int, items: Int) {
    let quotes = min(max(0, Int(rightIndent) / RTFOutput.quoteIndent), 16)
    let left = Int(leftIndent) - quotes * RTFOutput.quoteIndent
    return (quotes, min(max(0, left / RTFOutput.itemIndent), 16))
  }
}

/// An item as its paragraph tells of it.
struct RTFListItem {
  /// By `\ls`; 0 for lists of old and typed ones.
  var list: Int32
  var level: Int32
  var indent: Int32
  var numbering = TextList.Numbering.bullet
  /// The number that stands before it.
  var number: Int?
  /// The number that the list begins with, if it begins here.
  var start = 1
  var isDone: Bool?
  /// How many bytes of its text are a typed marker.
  var typedLength = 0

  init(list: Int32, level: Int32, indent: Int32) {
    self.list = list
    self.level = level
    self.indent = indent
  }

  mutating func take(_ marker: RTFListMarker) {
    numbering = marker.numbering
    number = marker.number
    start = marker.number ?? 1
    isDone = marker.isDone
  }
}
