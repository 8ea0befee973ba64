internal import HTMLReader
internal import TextEncoding

/// Goes through the tree of a document once and writes what it means into an attributed text.
///
/// Nothing is written when a block begins or ends: breaks, blanks and containers are owed until there
/// is text for them (`HTMLWalk+Text`), so that none is ever taken back. What applies to an element is
/// in `context`, which is kept on a stack while its content is gone through; the containers that are
/// around it are a path (`HTMLWalk+Containers`), which need not be what is open in the result yet.
struct HTMLWalk {
  /// What applies to the content of an element.
  struct Context {
    var style = HTMLComputedStyle()
    var spans: [TextSpan] = []
    /// What a paragraph is that begins here.
    var kind = Paragraph.Kind.body
    /// How many containers are around it.
    var pathCount = 0
    /// Whether bold, or italic, is how the paragraph itself looks: then it emphasizes nothing.
    var isBoldItself = false
    var isItalicItself = false
    /// Whether the text is the marker of an item in a list of Word.
    var isMarker = false
    /// Whether no-break spaces are blanks.
    var hasPlainBlanks = false
    /// Whether the cells and rows of the table around it are no more than blocks.
    var isLayout = false
    /// How the items of the list around it tell their levels; `nil` where lists lie in lists.
    var itemLevels: ItemLevels?
    /// Whether it is the item of a list that Word wrote as a paragraph.
    var isOfficeItem = false
    /// What the style of an item says of its task.
    var isChecked: Bool?
    /// The element in a `pre` that alone holds its code, as long as it has not begun; else -1.
    var codeElement: Int32 = -1
    /// Changes with `style` and `spans`.
    var look = 0
  }

  /// An element whose content is gone through.
  struct Frame {
    var outer: Context
    var tag: HTMLTag
    /// How many line ends are owed at the end of the element: 2 are a paragraph's.
    var breaksBelow: UInt8
    /// What is to be done at the end besides.
    var end: End
  }

  /// Where programs that do not put lists into lists say how deep an item is.
  enum ItemLevels {
    /// Each item says it: Word for the web.
    case item
    /// Each list says it: Slack.
    case list
    /// Some items have a class that says it: Quill.
    case indentClass
  }

  enum End { case nothing, code, item, cell, container, list, caption }

  let document: HTMLDocument
  let survey: HTMLSurvey
  var builder = AttributedTextBuilder()
  var context = Context()
  var frames: [Frame] = []
  var lookCount = 0

  // Text (HTMLWalk+Text).
  var pending: [UInt8] = []
  var pendingIsSoft = false
  var pendingSpans: [TextSpan] = []
  var pendingStyle = HTMLComputedStyle()
  var lastSpans: [TextSpan] = []
  /// How many line ends are owed before the next text; 0 while the line goes on.
  var blockBreak: UInt8 = 2
  /// How many `br` stand behind the last text.
  var lineBreaks = 0
  /// The kind of the paragraph under way, and how many containers are around it.
  var paragraphKind = Paragraph.Kind.body
  /// The look that the builder's attributes are of.
  var writtenLook = -1
  /// Whether there has been text.
  var hasText = false
  /// Line ends of code that are owed.
  var codeLineEnds = 0
  /// Whether a line of code ends before the next text.
  var owesCodeLine = false
  /// Whether text of this block of code has been written.
  var hasCode = false
  /// Whether the block of code is part of what was copied.
  var codeIsSeen = false
  /// Whether there was a block.
  var hasBlock = false

  // Containers (HTMLWalk+Containers).
  var path: [PathEntry] = []
  var opened: [OpenedContainer] = []
  var entryCount = 0
  /// The list that ended last, as long as nothing was written behind it, how many containers were
  /// around it, and whether it had no element of its own.
  var recentList: (entry: PathEntry, depth: Int, isImplied: Bool)?
  /// Tables whose captions are gone through.
  var captionTables: [PathEntry] = []
  /// Lists of Word that are open, by level, as long as nothing else is written.
  var officeLists: [OfficeLevel] = []
  /// How many containers were around the paragraph of a list of Word that was last.
  var recentOfficeDepth = -1
  /// Whether each item and cell that is gone through is part of what was copied.
  var seenParts: [Bool] = []
  /// Whether text between Word's conditional comments is a marker.
  var isBetweenMarkerComments = false
  /// How many bytes of addresses paragraphs may still begin with: a link around many of them is written
  /// in each.
  var addressesLeft: Int

  init(_ document: HTMLDocument) {
    self.document = document
    addressesLeft = 8 * document.text.count + 1 << 20
    survey = HTMLSurvey(document)
    builder.reserveCapacity(document.text.count / 2)
  }

  // MARK: The walk

  mutating func read() -> AttributedText {
    var node = document.nodes.first?.firstChild ?? -1
    while node >= 0 {
      let children = enter(node) ? document.nodes[Int(node)].firstChild : -2
      if children >= 0 {
        node = children
        continue
      }
      // The element was entered and has no content.
      if children == -1 { leave() }
      while node > HTMLDocument.root, document.nodes[Int(node)].nextSibling < 0 {
        node = document.nodes[Int(node)].parent
        if node > HTMLDocument.root { leave() }
      }
      node = node > HTMLDocument.root ? document.nodes[Int(node)].nextSibling : -1
    }
    var text = builder.finish()
    text.isFragment = hasText && !hasBlock
    return text
  }

  /// - Returns: whether it is an element whose content is to be gone through.
  private mutating func enter(_ node: Int32) -> Bool {
    switch document.nodes[Int(node)].kind {
    case .element:
      return enterElement(node)
    case .text:
      if isSeen(node), !isBetweenCells(node), context.codeElement < 0 {
        write(document.text(of: node))
      }
    case .comment:
      noteComment(document.text(of: node))
    case .doctype, .document:
      break
    }
    return false
  }

  /// Whether a text is the white space between the parts of a table.
  private func isBetweenCells(_ node: Int32) -> Bool {
    let parent = document.nodes[Int(node)].parent
    guard parent >= 0 else { return false }
    switch document.nodes[Int(parent)].tag {
    case .table, .tbody, .thead, .tfoot, .tr:
      return document.text[document.text(of: node)].allSatisfy(\.isHTMLSpace)
    default:
      return false
    }
  }

  /// Whether a node belongs to what was copied.
  func isSeen(_ node: Int32) -> Bool { document.fragment.contains(node) }

  private mutating func leave() {
    guard let frame = frames.popLast() else { return }
    let inner = context
    switch frame.end {
    case .code: endCode()
    case .item, .cell: endPart()
    case .nothing, .container, .list, .caption: break
    }
    if frame.tag == .q { endQuote() }
    context = frame.outer
    if frame.end == .caption, let table = captionTables.popLast() { path.append(table) }
    if frame.end != .nothing, frame.end != .code, path.count > context.pathCount {
      leaveContainers(
        isList: frame.end == .list || frame.end == .item, frameIsItem: frame.end == .item)
    }
    if frame.breaksBelow > 0 { separate(by: frame.breaksBelow) }
    if inner.isMarker, !context.isMarker { pending.removeAll(keepingCapacity: true) }
  }

  mutating func push(_ inner: Context, _ tag: HTMLTag, breaksBelow: UInt8, _ end: End = .nothing) {
    frames.append(Frame(outer: context, tag: tag, breaksBelow: breaksBelow, end: end))
    context = inner
    context.pathCount = path.count
  }

  // MARK: Asking the document

  func attribute(_ name: HTMLAttributeName, _ node: Int32) -> Range<Int>? {
    document.attribute(name, of: node)
  }

  /// The value of an attribute without blanks at its ends; `nil` for an empty one.
  func string(_ name: HTMLAttributeName, _ node: Int32) -> String? {
    guard let range = attribute(name, node) else { return nil }
    let trimmed = document.text.trimmingSpace(range)
    return trimmed.isEmpty ? nil : String(decoding: document.text[trimmed], as: UTF8.self)
  }

  func integer(_ name: HTMLAttributeName, _ node: Int32) -> Int? {
    attribute(name, node).flatMap { document.text.integer(in: $0.prefix(64)) }
  }

  func has(_ word: StaticString, in range: Range<Int>?) -> Bool {
    guard let range else { return false }
    let length = word.utf8CodeUnitCount
    guard range.count >= length else { return false }
    for offset in range.lowerBound...(range.upperBound - length)
    where document.text.hasWord(word, at: offset) {
      return true
    }
    return false
  }
}
