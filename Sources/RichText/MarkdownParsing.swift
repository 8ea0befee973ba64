internal import CMd4c

/// Runs md4c over a source and makes the text of what it reports.
///
/// No other file knows md4c but ``MarkdownLinkWork``. It reports blocks and spans as they are entered and left, without
/// recursion, and containers however deep; ``AttributedTextBuilder`` caps them.
@safe final class MarkdownParsing {
  private var builder = AttributedTextBuilder()
  /// Where the source lies while it is parsed, to know the bytes that were put in.
  private let base: UnsafePointer<CChar>?
  private let source: MarkdownSource
  private let linksBare: Bool

  /// The tables that are open: what is known of their columns.
  private var tables: [(identity: Int?, alignments: [Paragraph.Alignment?])] = []
  private var isInHead = false
  private var isInCell = false
  /// Whether a block of code or HTML is under way.
  private var isVerbatim = false
  /// Whether it is HTML.
  private var isMarkup = false
  /// Whether it is HTML and nothing of it was read.
  private var isMarkupStart = false
  /// How many line ends are left to be written in it; the last one is not content.
  private var owedLineEnds = 0

  /// How many columns md4c says a line of code or HTML is indented by; it tells only their number.
  private var indentation = 0

  /// White space at the end of what was read last: text if more follows in the line, nothing at its end.
  private var pendingBlanks: [UInt8] = []
  /// Whether nothing but white space was read of the line.
  private var isLineStart = true

  /// Links in links, which only bare URLs in the text of a link can be.
  private var linkDepth = 0
  /// How many spans are open that nest deeper than anybody means.
  private var ignoredSpans = 0
  private static let maximumSpanDepth = 48
  /// Where the text of the link begins.
  private var linkStart = 0
  /// How many pictures the text is the alternative of.
  private var imageDepth = 0
  private var image = TextImage(source: "", alternative: "")
  private var alternative: [UInt8] = []
  /// How much more may be written of destinations and titles: one definition can be referred to by
  /// each fourth byte, and so make a text that is larger than its source by the square.
  private var allowance: Int
  /// What a callback ends md4c with where references make more of them than allowed.
  ///
  /// Of numbers above zero md4c forgets some.
  private static let overdrawn: Int32 = -3

  static func text(
    of source: MarkdownSource, _ extensions: MarkdownExtensions
  ) throws(MarkdownReadingError) -> AttributedText {
    try parse(MarkdownLinkWork.bounded(source, flags: flags(for: extensions)), extensions)
  }

  private static func parse(
    _ source: MarkdownSource, _ extensions: MarkdownExtensions
  ) throws(MarkdownReadingError) -> AttributedText {
    // md4c 0.4.8 reads beyond the end of a text that breaks off in a link or in HTML, and takes what it
    // finds there for a part of it. It shall find nothing.
    let padded = source.bytes + repeatElement(0, count: 64)
    // Bare links are looked for here, not by md4c.
    let status: (Int32, AttributedText) = unsafe padded.withUnsafeBytes { bytes in
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<source.bytes.count])
        .assumingMemoryBound(to: CChar.self)
      let parsing = unsafe MarkdownParsing(
        source, base: text.baseAddress, linksBare: extensions.contains(.bareLinks))
      var parser = MD_PARSER()
      parser.flags = flags(for: extensions)
      unsafe parser.enter_block = { kind, detail, context in
        unsafe MarkdownParsing.of(context)?.enter(kind, detail)
        return 0
      }
      unsafe parser.leave_block = { kind, _, context in
        unsafe MarkdownParsing.of(context)?.leave(kind)
        return 0
      }
      unsafe parser.enter_span = { kind, detail, context in
        guard let parsing = unsafe MarkdownParsing.of(context) else { return 0 }
        unsafe parsing.enter(kind, detail)
        return parsing.allowance < 0 ? MarkdownParsing.overdrawn : 0
      }
      unsafe parser.leave_span = { kind, _, context in
        unsafe MarkdownParsing.of(context)?.leave(kind)
        return 0
      }
      unsafe parser.text = { kind, text, size, context in
        unsafe MarkdownParsing.of(context)?.append(
          kind, UnsafeRawBufferPointer(start: text, count: Int(size)))
        return 0
      }
      // md4c calls back within this call only.
      let status = withExtendedLifetime(parsing) {
        unsafe cmd4c_parse(
          text.baseAddress, UInt32(clamping: text.count), &parser,
          Unmanaged.passUnretained(parsing).toOpaque())
      }
      return (status, parsing.builder.finish())
    }
    switch status.0 {
    case 0: return status.1
    case overdrawn:
      // Again, with nothing that references could refer to.
      guard !source.isWithoutDefinitions else { throw .outOfMemory }
      return try parse(source.withoutDefinitions(), extensions)
    case Int32(CMD4C_NOT_INSTALLED): throw .parserNotInstalled
    default: throw .outOfMemory
    }
  }

  private init(_ source: MarkdownSource, base: UnsafePointer<CChar>?, linksBare: Bool) {
    self.source = source
    self.linksBare = linksBare
    unsafe self.base = unsafe base
    allowance = 1 << 20 + 16 * source.bytes.count
    builder.reserveCapacity(source.bytes.count)
  }

  private static func flags(for extensions: MarkdownExtensions) -> UInt32 {
    var flags: Int32 = 0
    if extensions.contains(.tables) { flags |= MD_FLAG_TABLES }
    if extensions.contains(.strikethrough) { flags |= MD_FLAG_STRIKETHROUGH }
    if extensions.contains(.taskLists) { flags |= MD_FLAG_TASKLISTS }
    return UInt32(flags)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> MarkdownParsing? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<MarkdownParsing>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Blocks

  private func enter(_ kind: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) {
    switch kind {
    case MD_BLOCK_QUOTE:
      builder.open(.quote)
    case MD_BLOCK_UL:
      let list = unsafe detail?.load(as: MD_BLOCK_UL_DETAIL.self)
      builder.open(.list(TextList(isTight: list.map { $0.is_tight != 0 } ?? true)))
    case MD_BLOCK_OL:
      let list = unsafe detail?.load(as: MD_BLOCK_OL_DETAIL.self)
      builder.open(
        .list(
          TextList(
            numbering: .decimal, start: list.map { Int($0.start) } ?? 1,
            isTight: list.map { $0.is_tight != 0 } ?? true)))
    case MD_BLOCK_LI:
      let item = unsafe detail?.load(as: MD_BLOCK_LI_DETAIL.self)
      let isTask = item.map { $0.is_task != 0 } ?? false
      builder.open(.item(isDone: isTask ? item?.task_mark != 0x20 : nil))
    case MD_BLOCK_HR:
      builder.beginParagraph(.thematicBreak)
    case MD_BLOCK_H:
      let heading = unsafe detail?.load(as: MD_BLOCK_H_DETAIL.self)
      builder.beginParagraph(.heading(level: heading.map { Int($0.level) } ?? 1))
    case MD_BLOCK_CODE:
      let info = unsafe detail?.load(as: MD_BLOCK_CODE_DETAIL.self).info
      builder.beginParagraph(.code(info: unsafe info.map { unsafe string($0) } ?? ""))
      beginVerbatim()
    case MD_BLOCK_HTML:
      builder.beginParagraph(.markup)
      beginVerbatim()
      isMarkup = true
      isMarkupStart = true
    case MD_BLOCK_P:
      builder.beginParagraph()
    case MD_BLOCK_TABLE:
      tables.append((builder.open(.table(TextTable())), []))
    case MD_BLOCK_THEAD:
      isInHead = true
    case MD_BLOCK_TR:
      builder.open(.row(isHeader: isInHead))
    case MD_BLOCK_TH, MD_BLOCK_TD:
      isInCell = true
      builder.open(.cell(columns: 1, rows: 1))
      if isInHead, !tables.isEmpty {
        let cell = unsafe detail?.load(as: MD_BLOCK_TD_DETAIL.self)
        tables[tables.count - 1].alignments.append(cell.flatMap { Self.alignment($0.align) })
      }
    default:
      break
    }
  }

  private func leave(_ kind: MD_BLOCKTYPE) {
    switch kind {
    case MD_BLOCK_QUOTE, MD_BLOCK_UL, MD_BLOCK_OL, MD_BLOCK_LI, MD_BLOCK_TR:
      builder.close()
    case MD_BLOCK_TH, MD_BLOCK_TD:
      endSpans()
      builder.close()
      isInCell = false
    case MD_BLOCK_THEAD:
      isInHead = false
    case MD_BLOCK_TABLE:
      if let table = tables.popLast(), let identity = table.identity {
        builder.setKind(.table(TextTable(alignments: table.alignments)), ofContainer: identity)
      }
      builder.close()
    case MD_BLOCK_CODE, MD_BLOCK_HTML:
      isVerbatim = false
      owedLineEnds = 0
      builder.endParagraph()
    case MD_BLOCK_HR, MD_BLOCK_H, MD_BLOCK_P:
      endSpans()
      builder.endParagraph()
    default:
      break
    }
  }

  private static func alignment(_ align: MD_ALIGN) -> Paragraph.Alignment? {
    switch align {
    case MD_ALIGN_LEFT: .left
    case MD_ALIGN_CENTER: .center
    case MD_ALIGN_RIGHT: .right
    default: nil
    }
  }

  private func beginVerbatim() {
    isVerbatim = true
    isMarkup = false
    isMarkupStart = false
    owedLineEnds = 0
    indentation = 0
  }

  /// Nothing is open at the end of a block, whatever the parser forgot to leave.
  private func endSpans() {
    pendingBlanks.removeAll(keepingCapacity: true)
    isLineStart = true
    guard !builder.attributes.spans.isEmpty || linkDepth > 0 || imageDepth > 0 else { return }
    builder.attributes = .plain
    linkDepth = 0
    ignoredSpans = 0
    imageDepth = 0
    alternative = []
  }

  // MARK: Spans

  private func enter(_ kind: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) {
    putPendingBlanks()
    if kind == MD_SPAN_IMG {
      imageDepth += 1
      guard imageDepth == 1, let picture = unsafe detail?.load(as: MD_SPAN_IMG_DETAIL.self) else {
        return
      }
      unsafe image = TextImage(
        source: string(limited: picture.src), alternative: "", title: title(picture.title))
      return
    }
    // The alternative of a picture is plain text.
    guard imageDepth == 0 else { return }
    guard kind == MD_SPAN_A || builder.attributes.spans.count < Self.maximumSpanDepth else {
      ignoredSpans += 1
      return
    }
    switch kind {
    case MD_SPAN_EM: builder.attributes.spans.append(.emphasis)
    case MD_SPAN_STRONG: builder.attributes.spans.append(.strong)
    case MD_SPAN_DEL: builder.attributes.spans.append(.strikethrough)
    case MD_SPAN_CODE: builder.attributes.spans.append(.code)
    case MD_SPAN_A:
      linkDepth += 1
      linkStart = builder.length
      guard linkDepth == 1, let link = unsafe detail?.load(as: MD_SPAN_A_DETAIL.self) else {
        return
      }
      unsafe builder.attributes.spans.append(
        .link(TextLink(destination: string(limited: link.href), title: title(link.title))))
    default: break
    }
  }

  private func leave(_ kind: MD_SPANTYPE) {
    putPendingBlanks()
    if kind == MD_SPAN_IMG {
      guard imageDepth > 0 else { return }
      imageDepth -= 1
      guard imageDepth == 0 else { return }
      // It is one line, even if a line feed stood in it by its number.
      image.alternative = String(
        decoding: alternative.lazy.map { $0 == .lineFeed ? 0x20 : $0 }, as: UTF8.self)
      alternative.removeAll(keepingCapacity: true)
      builder.append(image)
      return
    }
    guard imageDepth == 0 else { return }
    // Spans are left in the opposite order, those too deep first.
    if kind != MD_SPAN_A, ignoredSpans > 0 {
      ignoredSpans -= 1
      return
    }
    switch kind {
    case MD_SPAN_EM: end { $0 == .emphasis }
    case MD_SPAN_STRONG: end { $0 == .strong }
    case MD_SPAN_DEL: end { $0 == .strikethrough }
    case MD_SPAN_CODE: end { $0 == .code }
    case MD_SPAN_A:
      guard linkDepth > 0 else { return }
      linkDepth -= 1
      guard linkDepth == 0 else { return }
      let link = builder.attributes.link
      end { if case .link = $0 { true } else { false } }
      if builder.length == linkStart, let link { appendEmptyLink(link) }
    default: break
    }
  }

  /// A link without text, which no run can say, as HTML in the text.
  private func appendEmptyLink(_ link: TextLink) {
    var tag = Array("<a href=\"".utf8)
    MarkdownEmptyLink.append(url: link.destination, to: &tag)
    if let title = link.title {
      tag += "\" title=\"".utf8
      MarkdownEmptyLink.append(value: title, to: &tag)
    }
    tag += "\"></a>".utf8
    builder.attributes.spans.append(.markup)
    put(tag)
    builder.attributes.spans.removeLast()
  }

  private func end(_ isSpan: (TextSpan) -> Bool) {
    guard let index = builder.attributes.spans.lastIndex(where: isSpan) else { return }
    builder.attributes.spans.remove(at: index)
  }

  // MARK: Text

  private func append(_ kind: MD_TEXTTYPE, _ text: UnsafeRawBufferPointer) {
    if !source.inserted.isEmpty, unsafe holdsInsertion(text) {
      return unsafe appendWithoutInsertions(kind, text)
    }
    switch kind {
    case MD_TEXT_BR, MD_TEXT_SOFTBR:
      appendBreak(isSoft: kind == MD_TEXT_SOFTBR)
    case MD_TEXT_NULLCHAR:
      put("\u{FFFD}".utf8)
    case MD_TEXT_ENTITY:
      var character: [UInt8] = []
      unsafe MarkdownCharacterReference.append(text, to: &character)
      // A line feed by its number is white space in a paragraph, as one of the source is.
      if character == [.lineFeed], imageDepth == 0 {
        putPendingBlanks()
        isLineStart = false
        builder.appendSoftBreak()
      } else {
        put(character)
      }
    case MD_TEXT_CODE where isVerbatim, MD_TEXT_HTML where isVerbatim:
      unsafe putVerbatim(text)
    case MD_TEXT_CODE where isInCell:
      unsafe putCellCode(text)
    case MD_TEXT_HTML where imageDepth == 0:
      putPendingBlanks()
      builder.attributes.spans.append(.markup)
      if isInCell { unsafe putCellCode(text) } else { unsafe put(text) }
      builder.attributes.spans.removeLast()
    case MD_TEXT_NORMAL:
      unsafe putTrimmed(text)
    default:
      unsafe put(text)
    }
  }

  private func appendBreak(isSoft: Bool) {
    pendingBlanks.removeAll(keepingCapacity: true)
    isLineStart = true
    if imageDepth > 0 {
      alternative.append(0x20)
    } else if isSoft {
      builder.appendSoftBreak()
    } else {
      builder.appendLineBreak()
    }
  }

  /// Text of the source, without white space at the ends of its line, of which md4c leaves tabs.
  private func putTrimmed(_ text: UnsafeRawBufferPointer) {
    var (start, end) = (0, text.count)
    if isLineStart {
      while start < end, unsafe Self.isBlank(text[start]) { start += 1 }
    }
    while end > start, unsafe Self.isBlank(text[end - 1]) { end -= 1 }
    if start < end {
      let content = unsafe UnsafeRawBufferPointer(rebasing: text[start..<end])
      if linksBare, linkDepth == 0, imageDepth == 0 {
        unsafe putLinking(content)
      } else {
        unsafe put(content)
      }
    }
    if end < text.count, !isLineStart {
      unsafe pendingBlanks.append(contentsOf: text[end...])
    }
  }

  /// Text with the links that are just written down in it.
  private func putLinking(_ text: UnsafeRawBufferPointer) {
    // What stands in front of the text in its line.
    var before: UInt8?
    if !isLineStart, let offset = unsafe offset(of: text), offset > 0 {
      before = source.bytes[offset - 1]
    }
    var links = unsafe MarkdownBareLinks(text, behind: before)
    var done = 0
    while let link = links.next() {
      if link.range.lowerBound > done { unsafe put(text[done..<link.range.lowerBound]) }
      let address = unsafe text[link.range]
      let destination = unsafe "\(link.prefix)" + String(decoding: address, as: UTF8.self)
      putPendingBlanks()
      builder.attributes.spans.append(.link(TextLink(destination: destination)))
      unsafe put(address)
      builder.attributes.spans.removeLast()
      done = link.range.upperBound
    }
    if done < text.count { unsafe put(text[done...]) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private func putPendingBlanks() {
    guard !pendingBlanks.isEmpty else { return }
    let blanks = pendingBlanks
    pendingBlanks.removeAll(keepingCapacity: true)
    put(blanks)
  }

  private func put(_ text: some Collection<UInt8>) {
    putPendingBlanks()
    isLineStart = false
    if imageDepth > 0 {
      alternative.append(contentsOf: text)
    } else {
      builder.append(utf8: text)
    }
  }

  /// A part of a block of code or HTML: an indentation, a line without it, or a line end.
  ///
  /// md4c makes blanks of the tabs of an indentation, so it is taken from the source.
  private func putVerbatim(_ text: UnsafeRawBufferPointer) {
    let offset = unsafe offset(of: text)
    if offset == nil, let first = unsafe text.first, first == 0x20 {
      indentation += text.count
      return
    }
    let isLineEnd = unsafe offset == nil && text.first == .lineFeed
    // Empty lines at the end of HTML are none of it.
    if isMarkup, isLineEnd, owedLineEnds > 0 || indentation > 0 {
      owedLineEnds += 1
      indentation = 0
      return
    }
    for _ in 0..<owedLineEnds { builder.appendLineBreak() }
    owedLineEnds = 0
    if indentation > 0 {
      // md4c takes HTML that is indented as far as code for HTML where it follows a paragraph.
      if isMarkupStart { indentation = min(indentation, 3) }
      builder.append(utf8: indentation(before: offset))
      indentation = 0
    }
    isMarkupStart = false
    if isLineEnd {
      owedLineEnds = 1
    } else {
      unsafe builder.append(utf8: text)
    }
  }

  /// The white space in front of a line of code that makes up its indentation.
  ///
  /// Where a tab only partly belongs to it, blanks stand for that part.
  private func indentation(before offset: Int?) -> [UInt8] {
    var indentation = [UInt8](repeating: 0x20, count: indentation)
    guard let offset else { return indentation }
    var start = offset
    while start > 0, Self.isBlank(source.bytes[start - 1]), offset - start < indentation.count {
      start -= 1
    }
    guard source.bytes[start..<offset].contains(0x09) else { return indentation }
    var lineStart = start
    while lineStart > 0, source.bytes[lineStart - 1] != .lineFeed,
      source.bytes[lineStart - 1] != 0x0D
    {
      lineStart -= 1
    }
    // The columns at which the bytes begin, and the one behind them.
    var column = 0
    var columns: [Int] = []
    for index in lineStart..<offset {
      if index >= start { columns.append(column) }
      column = source.bytes[index] == 0x09 ? column / 4 * 4 + 4 : column + 1
    }
    let from = column - indentation.count
    guard let first = columns.firstIndex(where: { $0 >= from }) else { return indentation }
    indentation = [UInt8](repeating: 0x20, count: columns[first] - from)
    indentation += source.bytes[start + first..<offset]
    return indentation
  }

  /// Code or HTML in a cell: a backslash before a bar kept the bar from ending the cell (GFM 4.10).
  private func putCellCode(_ text: UnsafeRawBufferPointer) {
    var start = 0
    for index in text.indices.dropFirst()
    where unsafe text[index] == UInt8(ascii: "|") && text[index - 1] == UInt8(ascii: "\\") {
      unsafe put(text[start..<index - 1])
      start = index
    }
    unsafe put(text[start...])
  }

  // MARK: Bytes that were put in

  private func offset(of text: UnsafeRawBufferPointer) -> Int? {
    guard let base = unsafe base, let start = text.baseAddress else { return nil }
    let offset = unsafe start - UnsafeRawPointer(base)
    return offset >= 0 && offset < source.bytes.count ? offset : nil
  }

  /// The place among the insertions of the first one that does not lie before `offset`.
  private func firstInsertion(from offset: Int) -> Int {
    var (low, high) = (0, source.inserted.count)
    while low < high {
      let middle = (low + high) / 2
      if source.inserted[middle] < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func holdsInsertion(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let start = unsafe offset(of: text) else { return false }
    let first = firstInsertion(from: start)
    return first < source.inserted.count && source.inserted[first] < start + text.count
  }

  private func appendWithoutInsertions(_ kind: MD_TEXTTYPE, _ text: UnsafeRawBufferPointer) {
    guard let start = unsafe offset(of: text) else { return }
    var done = 0
    for insertion in source.inserted[firstInsertion(from: start)...] {
      let end = insertion - start
      guard end < text.count else { break }
      if end > done { unsafe append(kind, UnsafeRawBufferPointer(rebasing: text[done..<end])) }
      done = end + 1
    }
    if done < text.count { unsafe append(kind, UnsafeRawBufferPointer(rebasing: text[done...])) }
  }

  // MARK: Attributes

  private func title(_ attribute: MD_ATTRIBUTE) -> String? {
    let title = unsafe string(limited: attribute)
    return title.isEmpty ? nil : title
  }

  /// A destination or a title; nothing once too much was written of them.
  private func string(limited attribute: MD_ATTRIBUTE) -> String {
    let size = unsafe Int(attribute.size)
    allowance -= size
    guard allowance >= 0 else { return "" }
    return unsafe string(attribute)
  }

  private func string(_ attribute: MD_ATTRIBUTE) -> String {
    guard let text = unsafe attribute.text, unsafe attribute.size > 0,
      let kinds = unsafe attribute.substr_types, let offsets = unsafe attribute.substr_offsets
    else { return "" }
    let all = unsafe UnsafeRawBufferPointer(start: text, count: Int(attribute.size))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(all.count)
    var index = 0
    var start = 0
    // The offset behind the last part is the size of all.
    while start < all.count {
      let end = unsafe min(Int(offsets[index + 1]), all.count)
      guard end > start else { break }
      let part = unsafe UnsafeRawBufferPointer(rebasing: all[start..<end])
      switch unsafe kinds[index] {
      case MD_TEXT_NULLCHAR: bytes.append(contentsOf: "\u{FFFD}".utf8)
      case MD_TEXT_ENTITY: unsafe MarkdownCharacterReference.append(part, to: &bytes)
      default: unsafe bytes.append(contentsOf: part)
      }
      start = end
      index += 1
    }
    if source.hasEscapedBrackets {
      // What was put into an address in angle brackets is none of it.
      bytes = bytes.indices.filter { index in
        let isEscape = bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count
        return !isEscape || bytes[index + 1] != UInt8(ascii: "[")
      }.map { bytes[$0] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
