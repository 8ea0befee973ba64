internal import HTMLReader

/// Reads the tokens of a document, keeps what is open and writes the text.
struct HTMLTextReader {
  private let html: [UInt8]
  private var tokenizer: HTMLTokenizer
  private var writer: LineWriter
  private var open = HTMLOpenElements()
  private var context = HTMLContext()
  /// Qt marks its documents by a `meta` element, and keeps white space in `p` and `li` by a style
  /// sheet that is always the same.
  private var isWrittenByQt = false
  private var hasFragmentStart = false
  private var hasFragmentEnd = false

  init(_ html: [UInt8]) {
    self.html = html
    let content = HTMLTextReader.content(of: html)
    tokenizer = HTMLTokenizer(html, from: content.lowerBound, to: content.upperBound)
    // Markup is mostly more than text; where it is not, growing costs little.
    writer = LineWriter(expecting: content.count / 4)
  }

  /// The bytes without a byte order mark, closing NULs (many owners send one) and the header of
  /// Windows' "HTML Format", which goes to the first tag.
  private static func content(of html: [UInt8]) -> Range<Int> {
    var end = html.count
    while end > 0, html[end - 1] == 0 { end -= 1 }
    var start = html.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if html.hasWord("version:", at: start) {
      let tag = html[start..<end].firstIndex(of: UInt8(ascii: "<")) ?? end
      if (start..<tag).contains(where: { html.hasWord("starthtml:", at: $0) }) { start = tag }
    }
    return min(start, end)..<end
  }

  mutating func read() -> [UInt8] {
    while !hasFragmentEnd, let token = tokenizer.next() {
      switch token {
      case .text(let range):
        write(range, context.isStructure ? .collapse : context.whiteSpace)
      case .characterData(let range):
        write(range, context.whiteSpace, references: .none)
      case .startTag(let tag):
        start(tag)
      case .endTag(let tag):
        end(tag)
      case .comment(let range):
        comment(html.trimmingSpace(range))
      }
    }
    return writer.take(fragmentOnly: hasFragmentEnd)
  }

  private mutating func comment(_ text: Range<Int>) {
    if html.isWord("startfragment", in: text), !hasFragmentStart {
      hasFragmentStart = true
      writer.beginFragment()
    } else if html.isWord("endfragment", in: text), hasFragmentStart {
      hasFragmentEnd = true
    }
  }

  // MARK: Text

  private enum References { case none, inText, inAttribute }

  /// Writes text, unless it is hidden.
  private mutating func write(
    _ range: Range<Int>, _ whiteSpace: WhiteSpace, references: References = .inText,
    keepsNUL: Bool = false
  ) {
    guard !context.isHidden else { return }
    let end = range.upperBound
    var offset = range.lowerBound
    while offset < end {
      let byte = html[offset]
      switch byte {
      case UInt8(ascii: "&") where references != .none:
        let reference = HTMLCharacterReference.match(
          in: html, at: offset + 1, before: end, inAttribute: references == .inAttribute)
        if let reference {
          write(scalar: reference.first, whiteSpace)
          if let second = reference.second { write(scalar: second, whiteSpace) }
          offset = reference.end
        } else {
          writer.append(byte)
          offset += 1
        }
      case 0:
        // In a body NUL is dropped, in raw text replaced (WHATWG HTML, 13.2.6.4.7, 13.2.5.2).
        if keepsNUL { writer.append(scalar: 0xFFFD) }
        offset += 1
      case 0x0D:
        // CR LF and CR are LF (13.2.3.5).
        write(scalar: 0x0A, whiteSpace)
        offset += offset + 1 < end && html[offset + 1] == 0x0A ? 2 : 1
      case 0x09, 0x0A, 0x0C, 0x20:
        write(scalar: UInt32(byte), whiteSpace)
        offset += 1
      default:
        let start = offset
        offset += 1
        while offset < end, html[offset] > 0x20, html[offset] != UInt8(ascii: "&") { offset += 1 }
        writer.append(html[start..<offset])
      }
    }
  }

  private mutating func write(scalar: UInt32, _ whiteSpace: WhiteSpace) {
    switch (scalar, whiteSpace) {
    case (0x0A, .preserve), (0x0A, .preserveLines):
      writer.lineBreak()
    case (0x09, .collapse), (0x0A, .collapse), (0x0C, .collapse), (0x0D, .collapse),
      (0x20, .collapse), (0x09, .preserveLines), (0x0C, .preserveLines), (0x0D, .preserveLines),
      (0x20, .preserveLines):
      writer.collapsibleBlank()
    case (0x0D, .preserve):
      // Only a reference gets here: CSS Text 3, 4.1 takes it for a blank.
      writer.append(UInt8(ascii: " "))
    default:
      writer.append(scalar: scalar)
    }
  }

  // MARK: Start tags

  private mutating func start(_ tag: HTMLTag) {
    let element = tag.element
    if element.endsParagraph { closeParagraph() }
    switch element {
    case .script:
      tokenizer.skipScript(tag)
    case .iframe, .noembed, .noframes, .noscript, .style, .title:
      // Clipboards are filled where scripts run, and there `noscript` is raw text too.
      _ = tokenizer.takeRawText(of: tag)
    case .textarea:
      writeRawText(of: tag, breaks: 0, references: .inText)
    case .xmp:
      writeRawText(of: tag, breaks: element.breaks, references: .none)
    case .plaintext:
      separate(by: element.breaks)
      write(tokenizer.takeRest(), .preserve, references: .none, keepsNUL: true)
    case .br:
      lineBreak()
    case .hr:
      separate(by: element.breaks)
      if !context.isHidden {
        for _ in 0..<3 { writer.append(UInt8(ascii: "-")) }
      }
      separate(by: element.breaks)
    case .img, .image:
      if let alternative = tokenizer.attributes.alternative, !isHiding(style()) {
        write(alternative, .collapse, references: .inAttribute)
      }
    case .meta:
      if let name = tokenizer.attributes.name, html.isWord("qrichtext", in: name) {
        isWrittenByQt = true
      }
    case .html, .body:
      // Their end tags end nothing: what stands behind belongs to the body as well.
      let inner = innerContext(of: element, style())
      if open.newest(element) < 0, doesSomething(inner) {
        push(tag, inner, breaksBelow: 0)
      }
    case .li:
      closeItem()
      startItem(tag)
    case .dd, .dt:
      closeDefinition()
      startBlock(tag)
    case .td, .th:
      startCell(tag)
    case .tr:
      closeRow()
      startRow(tag)
    case .tbody, .tfoot, .thead, .caption:
      closeRowGroup()
      startBlock(tag)
    case .table:
      // A table right in a table ends it.
      if context.isStructure, isInTable { close(through: open.newest(.table)) }
      startBlock(tag)
    default:
      if element.isSpecial {
        startBlock(tag)
      } else if !element.isEmpty {
        startOrdinary(tag)
      }
    }
    if element == .pre || element == .listing {
      // The standard drops it as a courtesy to authors (13.2.6.4.7).
      tokenizer.skipLineEnd()
    }
  }

  private mutating func writeRawText(of tag: HTMLTag, breaks: Int, references: References) {
    let isHidden = isHiding(style())
    if tag.element == .textarea { tokenizer.skipLineEnd() }
    let content = tokenizer.takeRawText(of: tag)
    guard !isHidden else { return }
    separate(by: breaks)
    write(content, .preserve, references: references, keepsNUL: true)
    separate(by: breaks)
  }

  /// The style that the last tag has.
  private func style() -> HTMLInlineStyle {
    guard let range = tokenizer.attributes.style else { return HTMLInlineStyle() }
    var css: [UInt8] = []
    css.reserveCapacity(range.count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      if html[offset] == UInt8(ascii: "&"),
        let reference = HTMLCharacterReference.match(
          in: html, at: offset + 1, before: range.upperBound, inAttribute: true)
      {
        css.appendUTF8(reference.first)
        if let second = reference.second { css.appendUTF8(second) }
        offset = reference.end
      } else {
        css.append(html[offset])
        offset += 1
      }
    }
    return HTMLInlineStyle(css)
  }

  /// Whether the element of the last tag is not shown; `display` beats the attribute `hidden`.
  private func isHiding(_ style: HTMLInlineStyle) -> Bool {
    style.isHidden ?? tokenizer.attributes.isHidden
  }

  /// What applies within the element of the last tag.
  private func innerContext(of element: HTMLElement, _ style: HTMLInlineStyle) -> HTMLContext {
    var inner = context
    inner.isHidden = context.isHidden || element.isFallback || isHiding(style)
    inner.isStructure = element.isStructure
    switch element {
    case .pre, .listing: inner.whiteSpace = .preserve
    case .p, .li: if isWrittenByQt { inner.whiteSpace = .preserve }
    default: break
    }
    inner.whiteSpace = style.whiteSpace ?? inner.whiteSpace
    return inner
  }

  private mutating func startBlock(_ tag: HTMLTag) {
    let style = style()
    var inner = innerContext(of: tag.element, style)
    var above = tag.element.breaks
    if tag.element.isList {
      // A list in a list has no margins.
      if context.listDepth > 0 { above = 1 }
      inner.listDepth += 1
      inner.itemNumber =
        tag.element == .ol
        ? (tokenizer.attributes.start.flatMap { html.integer(in: $0) } ?? 1) - 1 : nil
    }
    let below = style.hasNoMarginBelow ? min(above, 1) : above
    if style.hasNoMarginAbove { above = min(above, 1) }
    if !inner.isHidden { separate(by: above) }
    push(tag, inner, breaksBelow: below)
  }

  private mutating func startItem(_ tag: HTMLTag) {
    let inner = innerContext(of: .li, style())
    guard !inner.isHidden else { return push(tag, inner, breaksBelow: 0) }
    separate(by: 1)
    if let number = context.itemNumber {
      let own = tokenizer.attributes.value.flatMap { html.integer(in: $0) } ?? number + 1
      context.itemNumber = own
      writer.beginItem(.number(own))
    } else {
      writer.beginItem(.bullet)
    }
    push(tag, inner, breaksBelow: 1)
  }

  private mutating func startRow(_ tag: HTMLTag) {
    startRow(tag, innerContext(of: .tr, style()))
  }

  private mutating func startRow(_ tag: HTMLTag, _ inner: HTMLContext) {
    var inner = inner
    if !inner.isHidden { separate(by: 1) }
    inner.cells = 0
    inner.rowStart = writer.count
    inner.rowTabs = writer.owedTabs
    push(tag, inner, breaksBelow: 1)
  }

  private mutating func startCell(_ tag: HTMLTag) {
    closeCell()
    if open.newest(.tr) <= open.newest(.table), open.unremembered == 0 {
      // The row's tag may be left out.
      var row = context
      row.isStructure = true
      startRow(HTMLTag(element: .tr, name: tag.name, nameHash: 0), row)
    }
    var inner = innerContext(of: .td, style())
    if open.isFull {
      if !inner.isHidden { writer.collapsibleBlank() }
    } else if !inner.isHidden {
      context.cells += 1
      writer.beginCell(isFirst: context.cells == 1)
      inner.cellStart = writer.count
    }
    push(tag, inner, breaksBelow: 0)
  }

  /// An element that is kept only if it does something to its text.
  private mutating func startOrdinary(_ tag: HTMLTag) {
    let element = tag.element
    let isForeign = element == .svg || element == .math
    if tag.isSelfClosing, isForeign || tokenizer.allowsCharacterData { return }
    let inner = innerContext(of: element, style())
    if !inner.isHidden { separate(by: element.breaks) }
    if !open.isFull, isForeign || doesSomething(inner) {
      push(tag, inner, breaksBelow: element.breaks)
    } else {
      open.noteNested(element, nameHash: tag.nameHash)
    }
  }

  private func doesSomething(_ inner: HTMLContext) -> Bool {
    inner.isHidden != context.isHidden || inner.whiteSpace != context.whiteSpace
  }

  // MARK: The open elements

  private mutating func push(_ tag: HTMLTag, _ inner: HTMLContext, breaksBelow: Int) {
    let element = tag.element.canonical
    guard !open.isFull else {
      open.unremembered += 1
      return
    }
    open.push(element, nameHash: tag.nameHash, outer: context, breaksBelow: breaksBelow)
    enter(inner)
  }

  private mutating func enter(_ context: HTMLContext) {
    self.context = context
    writer.listDepth = context.listDepth
    writer.cellStart = context.cellStart
    tokenizer.allowsCharacterData = open.newest(.svg) >= 0 || open.newest(.math) >= 0
  }

  /// Ends all elements from `index` on.
  private mutating func close(through index: Int) {
    guard index >= 0 else { return }
    while open.entries.count > index, let entry = open.pop() {
      let inner = context
      enter(entry.outer)
      guard !inner.isHidden else { continue }
      switch entry.element {
      case .td:
        writer.endCell(begunAt: inner.cellStart)
      case .tr:
        writer.endRow(begunAt: inner.rowStart, owing: inner.rowTabs, hasCells: inner.cells > 0)
      case .li:
        writer.endItem()
        writer.separate(by: entry.breaksBelow)
      default:
        writer.separate(by: entry.breaksBelow)
      }
    }
  }

  private func isOpen(_ element: HTMLElement, within barrier: Int) -> Bool {
    // Beyond the limit nobody knows what is open.
    open.unremembered == 0 && open.newest(element) >= 0 && open.newest(element) >= barrier
  }

  private var isInTable: Bool {
    open.unremembered == 0 && open.newest(.table) >= 0 && open.newest(.table) == open.newestScope
  }

  private mutating func closeParagraph() {
    // Has a p element in button scope.
    if isOpen(.p, within: max(open.newestScope, open.newest(.button))) {
      close(through: open.newest(.p))
    }
  }

  private mutating func closeItem() {
    let list = [HTMLElement.ul, .ol, .menu, .dir].reduce(open.newestScope) {
      max($0, open.newest($1))
    }
    if isOpen(.li, within: list) { close(through: open.newest(.li)) }
  }

  private mutating func closeDefinition() {
    let barrier = max(open.newestScope, open.newest(.dl))
    for element in [HTMLElement.dd, .dt] where isOpen(element, within: barrier) {
      close(through: open.newest(element))
    }
  }

  private mutating func closeCell() {
    if isOpen(.td, within: max(open.newest(.tr), open.newest(.table))) {
      close(through: open.newest(.td))
    }
  }

  private mutating func closeRow() {
    if isOpen(.tr, within: open.newest(.table)) {
      close(through: open.newest(.tr))
    } else if isOpen(.caption, within: open.newest(.table)) {
      close(through: open.newest(.caption))
    }
  }

  private mutating func closeRowGroup() {
    closeRow()
    if isOpen(.tbody, within: open.newest(.table)) { close(through: open.newest(.tbody)) }
  }

  // MARK: End tags

  private mutating func end(_ tag: HTMLTag) {
    let element = tag.element.canonical
    switch element {
    case .br:
      return lineBreak()
    case .html, .body:
      return
    default:
      break
    }
    guard element.isSpecial else {
      if let index = open.indexEnded(by: element, nameHash: tag.nameHash) {
        close(through: index)
      } else {
        separate(by: element.breaks)
      }
      return
    }
    guard open.unremembered == 0 else {
      open.unremembered -= 1
      return separate(by: element.breaks)
    }
    let barrier: Int
    switch element {
    case .p:
      barrier = max(open.newestScope, open.newest(.button))
      // An end tag alone is an empty paragraph.
      if !isOpen(.p, within: barrier) { separate(by: element.breaks) }
    case .li:
      return closeItem()
    case .td, .tr, .tbody, .caption:
      barrier = open.newest(.table)
    case .table, .template:
      barrier = -1
    default:
      barrier = open.newestScope
    }
    if isOpen(element, within: barrier) { close(through: open.newest(element)) }
  }

  private mutating func separate(by breaks: Int) {
    if !context.isHidden { writer.separate(by: breaks) }
  }

  private mutating func lineBreak() {
    if !context.isHidden { writer.lineBreak() }
  }
}
