/// The blocks of a text as Markdown: what stands before the lines, and where empty lines are.
struct MarkdownOutput {
  private(set) var bytes: [UInt8] = []

  let text: AttributedText
  let spans: MarkdownSpans
  var inline: MarkdownInline
  private let isExact: Bool

  /// An open container that puts something before its lines.
  private struct Frame {
    let container: BlockTree.Number
    /// Before the first line, such as `1. `; empty for lists.
    var first: [UInt8]
    /// How much of ``prefix`` belongs to this container and those around it.
    var prefixEnd: Int
    /// Whether the first line is still to be written.
    var isFresh: Bool
    var isTask = false
    var mark: UInt8 = 0
    /// The number of the next item.
    var number = 0
    /// What was written in it last.
    var last: Shape?
  }

  /// What a block is to its neighbour.
  private struct Shape {
    enum Form {
      case paragraph
      /// One that needs no empty line on either side.
      case plain
      case quote
      case list
      case table
      /// HTML that goes on until an empty line.
      case openMarkup
      case vacant
    }

    var form: Form
    /// The form of the last block in it, where it is a container.
    var inner: Form
    /// Of a list, its mark.
    var mark: UInt8 = 0
  }

  private var frames: [Frame] = []
  /// Whether running text, or nothing, is being written.
  private var isParagraph = true
  private var root: Shape?
  /// What all open containers put before a line that is not their first.
  private var prefix: [UInt8] = []

  /// Beyond this many bytes before each line the lines of a paragraph go without (CommonMark 5.1,
  /// laziness): else a text that nests deep could become longer by the square.
  private static let longestPrefix = 96

  init(_ text: AttributedText, isExact: Bool) {
    self.text = text
    self.isExact = isExact
    spans = MarkdownSpans(text.attributeTable)
    inline = MarkdownInline(text, spans, isExact: isExact)
    bytes.reserveCapacity(text.length + text.length / 4)
  }

  mutating func writeBlocks() {
    var path: [BlockTree.Number] = []
    var run = 0
    var index = 0
    while index < text.blocks.count {
      let block = text.blocks[index]
      let range = text.blockRange(index)
      while run < text.runList.count, text.runList.range(run).upperBound <= range.lowerBound {
        run += 1
      }
      text.tree.path(to: block.container, into: &path)
      let table = path.firstIndex { if case .table = text.tree[$0].kind { true } else { false } }
      let depth = table ?? path.count
      if table == nil, isNothing(block, range, path: path, index: index) {
        index += 1
        continue
      }
      let shared = sharedDepth(path, depth)
      leave(to: shared)
      let form = form(of: block, range, run: run, isTable: table != nil)
      separate(path, depth, shared: shared, block: block, form: form)
      enter(path, shared..<depth)
      if let table {
        isParagraph = false
        index = writeTable(path[table], depth: table, from: index, run: run)
      } else {
        write(block, range, run: run)
        index += 1
      }
      note(Shape(form: form, inner: form))
    }
    leave(to: 0)
  }

  /// A paragraph without text outside of all containers or beside others: Markdown has no such thing.
  private func isNothing(
    _ block: AttributedText.Block, _ range: Range<Int>, path: [BlockTree.Number], index: Int
  ) -> Bool {
    switch block.kind {
    case .body: break
    case .vacant: return path.isEmpty
    case .markup: return range.count == 1 && path.isEmpty
    case .heading, .code, .thematicBreak: return false
    }
    guard range.count == 1 || text.utf8[range].dropLast().allSatisfy({ $0 == .lineFeed }) else {
      return false
    }
    // The only one of its container stands for it.
    let isFirst = index == 0 || text.blocks[index - 1].container != block.container
    if isFirst, isBoxAlone(path) { return false }
    let isLast =
      index + 1 == text.blocks.count || text.blocks[index + 1].container != block.container
    return path.isEmpty || !(isFirst && isLast)
  }

  /// Whether an empty paragraph at the beginning of an item is a box on a line of its own, which an
  /// empty line keeps apart from what follows.
  private func isBoxAlone(_ path: [BlockTree.Number]) -> Bool {
    guard path.count > 1, case .item(_?) = text.tree[path[path.count - 1]].kind,
      case .list(let list) = text.tree[path[path.count - 2]].kind
    else { return false }
    return !list.isTight
  }

  // MARK: Containers

  private func sharedDepth(_ path: [BlockTree.Number], _ depth: Int) -> Int {
    var shared = 0
    while shared < depth, shared < frames.count, frames[shared].container == path[shared] {
      shared += 1
    }
    return shared
  }

  private mutating func leave(to depth: Int) {
    while frames.count > depth {
      let frame = frames.removeLast()
      let inner = frame.last?.inner ?? .vacant
      switch text.tree[frame.container].kind {
      case .quote: note(Shape(form: .quote, inner: inner))
      case .list: note(Shape(form: .list, inner: inner, mark: frame.mark))
      default: note(Shape(form: .plain, inner: inner))
      }
    }
    prefix.removeSubrange((frames.last?.prefixEnd ?? 0)...)
  }

  private mutating func note(_ shape: Shape) {
    if frames.isEmpty { root = shape } else { frames[frames.count - 1].last = shape }
  }

  private mutating func enter(_ path: [BlockTree.Number], _ range: Range<Int>) {
    for depth in range {
      let container = path[depth]
      var frame = Frame(container: container, first: [], prefixEnd: prefix.count, isFresh: true)
      switch text.tree[container].kind {
      case .quote:
        frame.first = [UInt8(ascii: ">"), 0x20]
        prefix += frame.first
      case .list(let list):
        // A list behind another one of its kind has another mark.
        let before = frames.isEmpty ? root : frames[frames.count - 1].last
        let other = before?.form == .list ? before?.mark : nil
        let marks: [UInt8] =
          list.numbering == .bullet
          ? [UInt8(ascii: "-"), UInt8(ascii: "*")] : [UInt8(ascii: "."), UInt8(ascii: ")")]
        // So has one that begins right behind another mark: `- - -` would be a line across.
        let isBehindMark = frames.count > 1 && frames[frames.count - 1].isFresh
        let parent = isBehindMark ? frames[frames.count - 2].mark : nil
        frame.mark = marks[other == marks[0] || parent == marks[0] ? 1 : 0]
        frame.number = min(max(list.start, 0), 999_999_999)
      case .item(let isDone):
        frame.first = mark(forItemIn: frames.last?.container)
        prefix += repeatElement(0x20, count: frame.first.count)
        if let isDone { frame.first += isDone ? "[x] ".utf8 : "[ ] ".utf8 }
        frame.isTask = isDone != nil
      case .table, .row, .cell: break
      }
      frame.prefixEnd = prefix.count
      frames.append(frame)
    }
  }

  private mutating func mark(forItemIn list: BlockTree.Number?) -> [UInt8] {
    guard let list, case .list(let kind) = text.tree[list].kind else {
      return [UInt8(ascii: "-"), 0x20]
    }
    let frame = frames.count - 1
    guard kind.numbering != .bullet else { return [frames[frame].mark, 0x20] }
    let number = frames[frame].number
    frames[frame].number = min(number + 1, 999_999_999)
    return Array("\(number)".utf8) + [frames[frame].mark, 0x20]
  }

  // MARK: Between blocks

  /// Ends what came before: by an empty line, unless the list around is tight.
  private mutating func separate(
    _ path: [BlockTree.Number], _ depth: Int, shared: Int, block: AttributedText.Block,
    form: Shape.Form
  ) {
    guard let before = frames.isEmpty ? root : frames[frames.count - 1].last else { return }
    if let last = frames.last {
      switch text.tree[last.container].kind {
      case .list(let list) where list.isTight && before.inner != .openMarkup:
        return
      case .item where isInTightList(frames.count - 1):
        if joins(before, path, depth, shared: shared, block: block, form: form) { return }
      default: break
      }
    }
    writeEmptyLine()
  }

  private func isInTightList(_ item: Int) -> Bool {
    guard item > 0, case .list(let list) = text.tree[frames[item - 1].container].kind else {
      return false
    }
    return list.isTight
  }

  /// Whether a block may follow another one without an empty line.
  private func joins(
    _ before: Shape, _ path: [BlockTree.Number], _ depth: Int, shared: Int,
    block: AttributedText.Block, form: Shape.Form
  ) -> Bool {
    guard before.inner != .openMarkup else { return false }
    if shared < depth {
      switch text.tree[path[shared]].kind {
      case .quote:
        return before.form != .quote
      case .list(let list):
        // Only an item with content, and a list that begins with 1, ends a paragraph.
        guard before.inner == .paragraph || before.inner == .table else { return true }
        let isVacant = block.kind == .vacant && depth == shared + 2
        return !isVacant && (list.numbering == .bullet || list.start == 1)
      default:
        return true
      }
    }
    switch form {
    case .plain: return true
    case .openMarkup:
      let range = block.end - 1
      return before.inner == .plain || isBlockMarkup(before: range, block)
    case .paragraph, .table, .vacant, .quote, .list:
      return before.inner == .plain
    }
  }

  private func isBlockMarkup(before end: Int, _ block: AttributedText.Block) -> Bool {
    let index = text.blockIndex(at: end)
    let range = text.blockRange(index)
    return MarkdownBlockStart.isMarkup(
      text.utf8, range.lowerBound..<range.upperBound - 1, interrupts: true)
  }

  private func form(
    of block: AttributedText.Block, _ range: Range<Int>, run: Int, isTable: Bool
  ) -> Shape.Form {
    if isTable { return .table }
    switch block.kind {
    case .body: return .paragraph
    case .heading(let level):
      return isSetext(level, range, run: run) ? .paragraph : .plain
    case .code, .thematicBreak: return .plain
    case .markup:
      return MarkdownBlockStart.isClosedMarkup(text.utf8, range.lowerBound..<range.upperBound - 1)
        ? .plain : .openMarkup
    case .vacant: return .vacant
    }
  }

  // MARK: Lines

  /// Writes what stands before a line.
  mutating func beginLine() {
    guard let last = frames.last, last.isFresh else {
      bytes += prefix
      return
    }
    let fresh = frames.firstIndex { $0.isFresh } ?? frames.count
    bytes += prefix[..<(fresh > 0 ? frames[fresh - 1].prefixEnd : 0)]
    for index in fresh..<frames.count {
      bytes += frames[index].first
      frames[index].isFresh = false
      // A box stands in front of a paragraph; anything else begins on a line of its own.
      if frames[index].isTask, index + 1 < frames.count || !isParagraph {
        endLineTrimmed()
        bytes += prefix[..<frames[index].prefixEnd]
      }
    }
  }

  /// Writes the mark of an item that is still to be written, on a line of its own.
  private mutating func beginEmptyLine() {
    // A box puts the block on a line of its own anyway.
    guard let last = frames.last, last.isFresh, !last.isTask,
      case .item = text.tree[last.container].kind
    else { return }
    beginLine()
    endLineTrimmed()
  }

  mutating func endLine() {
    bytes.append(.lineFeed)
  }

  private mutating func endLineTrimmed() {
    while let last = bytes.last, last == 0x20 { bytes.removeLast() }
    bytes.append(.lineFeed)
  }

  private mutating func writeEmptyLine() {
    bytes += prefix
    endLineTrimmed()
  }

  mutating func append(_ string: StaticString) {
    string.withUTF8Buffer { bytes += unsafe Array($0) }
  }

  mutating func append(_ more: some Collection<UInt8>) {
    bytes.append(contentsOf: more)
  }

  // MARK: Blocks

  private mutating func write(
    _ block: AttributedText.Block, _ range: Range<Int>, run: Int
  ) {
    let content = range.lowerBound..<range.upperBound - 1
    isParagraph = block.kind == .body || block.kind == .vacant
    switch block.kind {
    case .body:
      writeParagraph(content, run: run)
    case .heading(let level):
      writeHeading(level, content, run: run)
    case .code(let info):
      writeCode(content, info: info)
    case .thematicBreak:
      // Behind the mark of an item it must not be more of such marks.
      let isBehindMark = frames.last?.isFresh == true
      beginLine()
      append(isBehindMark ? "___" : "***")
      endLine()
    case .markup:
      // Blanks behind the mark of an item would be a part of it.
      if let first = text.utf8[content].first, first == 0x20 || first == 0x09 { beginEmptyLine() }
      writeVerbatim(content)
    case .vacant:
      beginLine()
      endLineTrimmed()
    }
  }

  /// Whether the paragraph is the first one of an item that is no task: a box would make it one.
  private var isBoxPossible: Bool {
    guard let last = frames.last, last.isFresh else { return false }
    if case .item(nil) = text.tree[last.container].kind { return true }
    return false
  }

  private mutating func writeParagraph(_ range: Range<Int>, run: Int) {
    inline.write(range, run: run, as: .paragraph)
    if inline.bytes.isEmpty {
      beginLine()
      endLineTrimmed()
    } else {
      writeLines(isTask: isBoxPossible)
    }
  }

  /// The lines that ``inline`` has written, each behind what its containers put there.
  private mutating func writeLines(isTask: Bool) {
    let end = inline.bytes.count
    let isLazy = prefix.count > Self.longestPrefix
    let isBehindMark = frames.last?.isFresh == true
    for (index, line) in inline.lines.enumerated() {
      let isFirst = index == 0
      let lineEnd = isFirst && inline.lines.count == 1 ? end : lineEnd(index)
      let range = line.start..<lineEnd
      if isFirst || !isLazy { beginLine() }
      let escape =
        line.isText
        ? MarkdownBlockStart.escape(
          inline.bytes, range, isFirst: isFirst, isBehindMark: isFirst && isBehindMark,
          isTask: isTask && isFirst, end: end) : nil
      if let escape {
        bytes.append(contentsOf: inline.bytes[range.lowerBound..<escape])
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(contentsOf: inline.bytes[escape..<range.upperBound])
      } else {
        bytes.append(contentsOf: inline.bytes[range])
      }
      endLine()
    }
  }

  private func lineEnd(_ index: Int) -> Int {
    index + 1 < inline.lines.count ? inline.lines[index + 1].start - 1 : inline.bytes.count
  }

  /// Headings of more than one line are those with a line under them, which are of two levels.
  private func isSetext(_ level: Int, _ range: Range<Int>, run: Int) -> Bool {
    level <= 2
      && MarkdownInline.hasBreaks(
        text, range.lowerBound..<range.upperBound - 1, run: run, spans)
  }

  private mutating func writeHeading(_ level: Int, _ range: Range<Int>, run: Int) {
    if isSetext(level, range.lowerBound..<range.upperBound + 1, run: run) {
      inline.write(range, run: run, as: .paragraph)
      if inline.lines.count > 1 {
        writeLines(isTask: isBoxPossible)
        beginLine()
        append(level == 1 ? "===" : "---")
        endLine()
        return
      }
    }
    inline.write(range, run: run, as: .heading)
    beginLine()
    bytes += repeatElement(UInt8(ascii: "#"), count: min(max(level, 1), 6))
    if !inline.bytes.isEmpty {
      bytes.append(0x20)
      bytes += inline.bytes
      escapeClosingMarks(from: bytes.count - inline.bytes.count)
    }
    endLine()
  }

  /// Number signs at the end of a heading are none of its text, unless escaped.
  private mutating func escapeClosingMarks(from start: Int) {
    var first = bytes.count
    while first > start, bytes[first - 1] == UInt8(ascii: "#") { first -= 1 }
    guard first < bytes.count,
      first == start || bytes[first - 1] == 0x20 || bytes[first - 1] == 0x09
    else { return }
    bytes.insert(UInt8(ascii: "\\"), at: bytes.count - 1)
  }

  private mutating func writeCode(_ range: Range<Int>, info: String) {
    // A fence that is longer than any in the code; of tildes where the info has backticks.
    let fence = info.utf8.contains(UInt8(ascii: "`")) ? UInt8(ascii: "~") : UInt8(ascii: "`")
    var longest = 2
    var length = 0
    for byte in text.utf8[range] {
      length = byte == fence ? length + 1 : 0
      longest = max(longest, length)
    }
    beginLine()
    bytes += repeatElement(fence, count: longest + 1)
    if !info.isEmpty {
      if info.utf8.first == fence { bytes.append(0x20) }
      append(info: Array(info.utf8))
    }
    endLine()
    if !range.isEmpty { writeVerbatim(range) }
    beginLine()
    bytes += repeatElement(fence, count: longest + 1)
    endLine()
  }

  private mutating func append(info: [UInt8]) {
    for (index, byte) in info.enumerated() {
      let isEdge = index == 0 || index == info.count - 1
      switch byte {
      case 0..<0x20 where byte != 0x09 || isEdge, 0x20 where isEdge, 0x7F:
        bytes += "&#\(byte);".utf8
      case UInt8(ascii: "\\")
      where index + 1 < info.count
        && MarkdownCharacterClass(UInt32(info[index + 1])) == .punctuation,
        UInt8(ascii: "&") where MarkdownCharacterReference.stands(in: info, at: index):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      default:
        bytes.append(byte)
      }
    }
  }

  /// Lines as they stand; empty ones without blanks before them.
  private mutating func writeVerbatim(_ range: Range<Int>) {
    var start = range.lowerBound
    while true {
      var end = start
      while end < range.upperBound, text.utf8[end] != .lineFeed { end += 1 }
      beginLine()
      if start == end {
        endLineTrimmed()
      } else {
        bytes += text.utf8[start..<end]
        endLine()
      }
      guard end < range.upperBound else { return }
      start = end + 1
    }
  }
}
