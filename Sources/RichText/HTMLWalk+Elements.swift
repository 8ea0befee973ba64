internal import HTMLReader
internal import TextEncoding

// Elements: what each does to the text within.
extension HTMLWalk {
  /// - Returns: whether the content of the element is to be gone through.
  mutating func enterElement(_ node: Int32) -> Bool {
    let element = document.nodes[Int(node)]
    guard !isDropped(node, element), !isBesideCode(node) else { return false }
    let tag = element.namespace == .html ? element.tag : .unknown
    let change = change(of: node, tag)
    guard change.display != HTMLStyleChange.Display.none,
      attribute(.hidden, node) == nil || change.display != nil
    else { return false }
    if change.isInvisible == true { return false }

    var inner = context
    // Outlook for the web shows its lines across in a line of their own.
    let isBlock =
      tag == .hr || (change.display.map { $0 == .block } ?? (tag.breaks > 0 || tag.isCell))
    inner.style.applyDefaults(of: tag)
    if survey.producer == .qt, tag == .p || tag == .li { inner.style.whiteSpace = .preserve }
    inner.style.apply(change, isBlock: isBlock, inherited: context.style)
    if change.isMarker { inner.isMarker = true }
    if change.isSpaceRun || has("apple-converted-space", in: attribute(.class, node)) {
      inner.hasPlainBlanks = true
    }
    if !isBlock || tag.breaks == 0 && !tag.isCell {
      return enterInline(node, tag, inner, isBlock: isBlock)
    }
    return enterBlock(node, tag, change, inner)
  }

  /// Whether an element is a bar with buttons and the like beside the code of a `pre`.
  private func isBesideCode(_ node: Int32) -> Bool {
    guard context.codeElement >= 0, node != context.codeElement else { return false }
    var parent = document.nodes[Int(context.codeElement)].parent
    while parent > 0, !document.nodes[Int(parent)].isElement(.pre) {
      if parent == node { return false }
      parent = document.nodes[Int(parent)].parent
    }
    return true
  }

  /// What is said of the look of an element, in its attributes and in the style sheet.
  private func change(of node: Int32, _ tag: HTMLTag) -> HTMLStyleChange {
    var change = HTMLStyleChange()
    guard document.hasAttributes(node) || !survey.sheet.isEmpty else { return change }
    survey.sheet.apply(
      to: &change, element: document.name(of: node),
      classes: attribute(.class, node).map { document.text[$0] })
    if tag == .font {
      if let face = attribute(.face, node) {
        change.isMonospaced = HTMLFontFamily.isMonospaced(document.text, in: face)
      }
      if let color = attribute(.color, node) {
        change.foreground = TextColor(css: document.text, in: document.text.trimmingSpace(color))
      }
    }
    if let align = attribute(.align, node), tag != .img, tag != .table {
      change.alignment = HTMLStyleChange.alignment(align, document.text)
    }
    if let style = attribute(.style, node) { change.read(document.text, in: style) }
    return change
  }

  // MARK: What is not shown

  private func isDropped(_ node: Int32, _ element: HTMLNode) -> Bool {
    if element.namespace != .html {
      // Titles of drawings, and the source beside a formula.
      switch element.tag {
      case .title, .desc, .style, .script, .annotationXML: return true
      case .unknown:
        let name = document.name(of: node)
        return name.elementsEqual("annotation".utf8) || name.elementsEqual("metadata".utf8)
          || name.elementsEqual("defs".utf8)
      default: return false
      }
    }
    switch element.tag {
    case .head, .title, .script, .style, .template, .noscript, .iframe, .noembed, .noframes,
      .audio, .video, .canvas, .datalist, .meter, .progress, .frameset, .base,
      .link, .meta, .param, .source, .track, .area, .col, .colgroup:
      return true
    case .td:
      return isLineNumbers(node)
    case .a, .span, .i:
      guard document.hasAttributes(node) else { return false }
      let names = attribute(.class, node)
      if element.tag == .span, isLineNumbers(node) || has("mw-editsection", in: names) {
        return true
      }
      if let hidden = attribute(.ariaHidden, node), document.text.isWord("true", in: hidden) {
        // Anchors beside headings, icons, the drawn form of a formula.
        return element.tag == .a || has("katex-html", in: names) || has("icon", in: names)
          || element.firstChild < 0
      }
      return element.tag == .a && (has("headerlink", in: names) || has("anchorjs", in: names))
    case .button:
      return has("copy", in: attribute(.class, node))
        || has("copy", in: attribute(.ariaLabel, node))
        || has("clipboard", in: attribute(.class, node))
    case .br:
      return has("apple-interchange-newline", in: attribute(.class, node))
    case .unknown:
      return document.name(of: node).elementsEqual("clipboard-copy".utf8)
    default:
      return false
    }
  }

  /// Whether an element holds the numbers of lines, by the customs of those who colour code.
  ///
  /// Others call by the same names what has words in it.
  func isLineNumbers(_ node: Int32) -> Bool {
    guard let names = attribute(.class, node) else { return false }
    let words = document.text.words(in: names)
    func isNamed(_ classes: [StaticString]) -> Bool {
      words.contains { word in classes.contains { document.text.isWord($0, in: word) } }
    }
    if isNamed(HTMLWalk.classesOfDrawnNumbers) { return holdsNumbers(node, orNothing: true) }
    return isNamed(HTMLWalk.classesOfLineNumbers) && holdsNumbers(node, orNothing: false)
  }

  private static let classesOfLineNumbers: [StaticString] = [
    "linenos", "lineno", "line-number", "line-numbers", "linenumber", "linenumbers", "lnt", "ln",
    "linenr", "gutter", "rouge-gutter", "react-syntax-highlighter-line-number",
  ]

  /// Those of elements that may be empty: the style sheet draws the number.
  private static let classesOfDrawnNumbers: [StaticString] = ["hljs-ln-numbers", "blob-num"]

  /// Whether the text of an element has digits, and no letters, as far as a look at its beginning tells.
  private func holdsNumbers(_ root: Int32, orNothing: Bool) -> Bool {
    let text = text(below: root).filter { $0 != 0xC2 && $0 != 0xA0 && !$0.isHTMLSpace }
    if text.isEmpty { return orNothing }
    return text.contains(where: \.isASCIIDigit)
      && text.allSatisfy { $0 < 0x80 && !$0.isASCIILetter }
  }

  // MARK: Inline elements

  private mutating func enterInline(
    _ node: Int32, _ tag: HTMLTag, _ inner: Context, isBlock: Bool
  ) -> Bool {
    var inner = inner
    if node == inner.codeElement { inner.codeElement = -1 }
    switch tag {
    case .br:
      if isSeen(node) { lineBreak() }
      return false
    case .img:
      if isSeen(node) { writeImage(node) }
      return false
    case .input, .wbr, .embed, .keygen, .bgsound, .basefont:
      return false
    case .td, .th, .tr:
      // A part of a table that is shown inline.
      push(inner, tag, breaksBelow: 0)
      return true
    default:
      break
    }
    if tag == .officeParagraph || has("eop", in: attribute(.class, node)),
      isBlank(text(below: node))
    {
      return false
    }
    if isBlock { separate(by: 1) }
    if !isInCode, inner.style.isMonospaced, !context.style.isMonospaced, !inner.isMarker,
      isBlockOfCode(node)
    {
      beginCode(joining: false, isSeen: isSeen(node))
      inner.kind = .code(info: "")
      changeLook(of: &inner)
      push(inner, tag, breaksBelow: 0, .code)
      return true
    }
    applySpans(&inner, node, tag)
    if tag == .q, isSeen(node) {
      settle()
      builder.append("\u{201C}")
    }
    push(inner, tag, breaksBelow: isBlock ? 1 : 0)
    return true
  }

  /// Whether an element in a font of one width has lines, and its paragraph nothing else: terminals
  /// and editors copy so.
  private func isBlockOfCode(_ node: Int32) -> Bool {
    guard blockBreak > 0 || !builder.isInParagraph, context.kind == .body else { return false }
    var sibling = document.nodes[Int(node)].nextSibling
    while sibling >= 0 {
      let element = document.nodes[Int(sibling)]
      let isNothing =
        element.kind == .comment || element.isElement(.br) && element.nextSibling < 0
        || element.kind == .text && isBlank(Array(document.text[document.text(of: sibling)]))
      if !isNothing { return false }
      sibling = element.nextSibling
    }
    return hasLines(node)
  }

  /// Whether there is a line break between text in an element.
  private func hasLines(_ root: Int32) -> Bool {
    var node = document.nodes[Int(root)].firstChild
    var steps = 0
    var isBehindBreak = false
    while node >= 0, steps < 512 {
      steps += 1
      let element = document.nodes[Int(node)]
      if element.isElement(.br) { isBehindBreak = true }
      if element.kind == .element, element.namespace == .html, element.tag.breaks == 2 {
        return false
      }
      if isBehindBreak, element.kind == .text,
        !isBlank(Array(document.text[document.text(of: node)]))
      {
        return true
      }
      node = document.next(after: node, within: root)
    }
    return false
  }

  /// Whether text is nothing but blanks of all kinds.
  private func isBlank(_ text: [UInt8]) -> Bool {
    text.allSatisfy { $0.isHTMLSpace || $0 == 0xC2 || $0 == 0xA0 }
  }

  /// Says by spans what an element is, or how it looks unlike what is around it.
  private mutating func applySpans(_ inner: inout Context, _ node: Int32, _ tag: HTMLTag) {
    // Deeper ones say no more.
    let mayAdd = inner.spans.count < 16
    let hasCode = inner.spans.last == .code
    var spans = hasCode ? Array(inner.spans.dropLast()) : inner.spans
    let old = context.style
    let new = inner.style
    if tag == .a, let link = link(of: node) {
      spans.removeAll { if case .link = $0 { true } else { false } }
      spans.append(.link(link))
    }
    apply(
      .strikethrough, &spans, isNow: new.isStruckThrough, was: old.isStruckThrough,
      isSaid: tag == .del && mayAdd, isLook: true)
    apply(
      .strong, &spans, isNow: new.isBold, was: old.isBold, isSaid: tag == .strong && mayAdd,
      isLook: !inner.isBoldItself)
    apply(
      .emphasis, &spans, isNow: new.isItalic, was: old.isItalic, isSaid: tag == .em && mayAdd,
      isLook: !inner.isItalicItself)
    if new.isMonospaced, !isInCode { spans.append(.code) }
    if spans != inner.spans {
      inner.spans = spans
      changeLook(of: &inner)
    } else if new != old {
      changeLook(of: &inner)
    }
  }

  private func apply(
    _ span: TextSpan, _ spans: inout [TextSpan], isNow: Bool, was: Bool, isSaid: Bool, isLook: Bool
  ) {
    if !isNow {
      if was { spans.removeAll { $0 == span } }
    } else if isSaid || !was && isLook {
      spans.append(span)
    }
  }

  /// Where a link leads; `nil` for an anchor, and for what is a program.
  private func link(of node: Int32) -> TextLink? {
    guard let range = attribute(.href, node) else { return nil }
    let address = document.text.trimmingSpace(range)
    guard !document.text.hasPrefix("javascript:", in: address),
      !document.text.hasPrefix("vbscript:", in: address)
    else { return nil }
    // Line ends and tabs are no part of an address.
    let bytes = document.text[address].filter { $0 != 0x0A && $0 != 0x09 && $0 != 0x0D }
    let destination = String(decoding: bytes, as: UTF8.self)
    let title = title(of: node)
    return TextLink(destination: destination, title: title == destination ? nil : title)
  }

  private func title(of node: Int32) -> String? {
    attribute(.title, node).flatMap {
      $0.isEmpty ? nil : String(decoding: document.text[$0], as: UTF8.self)
    }
  }

  /// The mark behind a quotation, if the one before it was written.
  mutating func endQuote() {
    guard builder.isInParagraph, blockBreak == 0 else { return }
    pending.removeAll(keepingCapacity: true)
    builder.append("\u{201D}")
  }

  // MARK: Pictures

  private mutating func writeImage(_ node: Int32) {
    // Pictures of one pixel see who reads.
    if let width = integer(.width, node), let height = integer(.height, node), width <= 1,
      height <= 1
    {
      return
    }
    let alternative =
      attribute(.alt, node).map { range in
        document.text[range].split(whereSeparator: \.isHTMLSpace)
          .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
      } ?? ""
    // The box is what the item says already.
    if case .item(_?)? = path.last?.kind, alternative == "checked" || alternative == "unchecked" {
      return
    }
    let isEmoji =
      has("emoji", in: attribute(.class, node)) && !alternative.isEmpty || isEmoji(alternative)
    guard let source = string(.src, node), !isEmoji, !isInCode, !isTooLong(source) else {
      guard !alternative.isEmpty else { return }
      settle()
      builder.append(alternative)
      lastSpans = context.spans
      return
    }
    settle()
    builder.append(TextImage(source: source, alternative: alternative, title: title(of: node)))
    lastSpans = context.spans
  }

  /// Whether a text is one emoji, which chats and mail programs draw as pictures.
  private func isEmoji(_ text: String) -> Bool {
    guard text.utf8.count > 2, text.utf8.count < 48, let scalar = text.unicodeScalars.first,
      text.index(after: text.startIndex) == text.endIndex
    else { return false }
    return scalar.properties.isEmojiPresentation
      || scalar.properties.isEmoji && text.unicodeScalars.contains("\u{FE0F}")
  }

  /// Whether an address holds a picture itself, and not a small one.
  private func isTooLong(_ source: String) -> Bool {
    source.utf8.count > 4096 && source.utf8.starts(with: "data:".utf8)
  }
}

extension HTMLTag {
  /// How many line ends separate the element from what is around it: 2 make a paragraph.
  ///
  /// (WHATWG HTML, 15.3: `display: block` gives one, a block margin of 1 em or about that two.)
  var breaks: UInt8 {
    switch self {
    case .blockquote, .dl, .figure, .h1, .h2, .h3, .h4, .h5, .h6, .hr, .listing, .p, .plaintext,
      .pre, .xmp, .dir, .menu, .ol, .ul, .table:
      2
    case .address, .article, .aside, .body, .caption, .center, .dd, .details, .dialog, .div, .dt,
      .fieldset, .figcaption, .footer, .form, .header, .hgroup, .html, .legend, .li, .main,
      .marquee, .nav, .optgroup, .option, .search, .section, .summary, .tr, .tbody, .thead, .tfoot:
      1
    default:
      0
    }
  }

  var isCell: Bool { self == .td || self == .th }
}
