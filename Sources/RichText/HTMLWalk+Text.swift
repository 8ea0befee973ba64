internal import HTMLReader
internal import TextEncoding

// Text: what white space becomes, and what is owed before text is written.
extension HTMLWalk {
  var isInCode: Bool { if case .code = context.kind { true } else { false } }

  /// Writes text of the current element.
  mutating func write(_ range: Range<Int>) {
    guard !context.isMarker, !isBetweenMarkerComments else { return }
    if isInCode { return writeCode(range) }
    // Who writes code by hand, or by Markdown, means the blanks in it.
    let keepsBlanks =
      context.style.whiteSpace == .preserve
      || context.spans.last == .code && survey.mayKeepLineEnds
    let keepsLines = context.style.whiteSpace != .collapse
    var offset = range.lowerBound
    while offset < range.upperBound {
      let byte = document.text[offset]
      switch byte {
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
        if byte == 0x0A, keepsLines {
          lineBreak()
        } else if keepsBlanks {
          keptBlank(byte == 0x09 ? 0x09 : 0x20)
        } else {
          blank(isSoft: byte == 0x0A && survey.mayKeepLineEnds)
        }
        offset += 1
      case 0xC2 where offset + 1 < range.upperBound && document.text[offset + 1] == 0xA0:
        noBreakSpace()
        offset += 2
      default:
        let start = offset
        offset += 1
        while offset < range.upperBound, document.text[offset] > 0x20,
          document.text[offset] != 0xC2
        {
          offset += 1
        }
        settle()
        builder.append(utf8: document.text[start..<offset])
        lastSpans = context.spans
      }
    }
  }

  // MARK: White space

  /// Whether nothing stands in the line before what comes next.
  private var isAtLineStart: Bool {
    blockBreak > 0 || lineBreaks > 0 || !builder.isInParagraph || builder.isParagraphEmpty
      || builder.lastByte == 0x0A
  }

  /// A blank that is one with those beside it.
  private mutating func blank(isSoft: Bool) {
    if pending.last == 0x20 {
      if isSoft { pendingIsSoft = true }
      return
    }
    if pending.isEmpty {
      guard !isAtLineStart, builder.lastByte != 0x20 || lastSpans.last == .code else { return }
      pendingSpans = context.spans
      pendingStyle = context.style
      pendingIsSoft = isSoft
    }
    pending.append(0x20)
  }

  /// A blank that stays beside others.
  private mutating func keptBlank(_ byte: UInt8) {
    if context.spans.last == .code, survey.mayKeepLineEnds {
      // Blanks within code are code, at its ends too.
      settle()
      builder.append(utf8: CollectionOfOne(0x20))
      lastSpans = context.spans
      return
    }
    if pending.isEmpty {
      pendingSpans = context.spans
      pendingStyle = context.style
      pendingIsSoft = false
    }
    pending.append(byte)
  }

  private mutating func noBreakSpace() {
    if context.spans.last == .code, survey.mayKeepLineEnds {
      settle()
      builder.append(utf8: [0xC2, 0xA0])
      lastSpans = context.spans
      return
    }
    // Editors and terminals write them for the blanks of code; a person means them.
    let isProgramsCode = context.style.isMonospaced && !survey.mayKeepLineEnds
    if context.hasPlainBlanks || isProgramsCode { return keptBlank(0x20) }
    if pending.isEmpty {
      pendingSpans = context.spans
      pendingStyle = context.style
    }
    pendingIsSoft = false
    pending.append(0xC2)
    pending.append(0xA0)
  }

  // MARK: Breaks

  /// Sees to it that text before and after is separated by so many line ends.
  mutating func separate(by breaks: UInt8) {
    if isInCode {
      if hasCode, codeLineEnds == 0 { owesCodeLine = true }
      return
    }
    pending.removeAll(keepingCapacity: true)
    blockBreak = max(blockBreak, lineBreaks > 1 ? 2 : breaks)
  }

  /// Ends a line; an empty one separates paragraphs.
  mutating func lineBreak() {
    if isInCode {
      if owesCodeLine { codeLineEnds += 1 }
      owesCodeLine = false
      codeLineEnds += 1
      return
    }
    pending.removeAll(keepingCapacity: true)
    if blockBreak > 0 {
      blockBreak = 2
    } else {
      lineBreaks += 1
    }
  }

  /// Writes what is owed, and has the builder write text as it looks here.
  mutating func settle() {
    if blockBreak > 0 || !builder.isInParagraph {
      let isLine =
        blockBreak == 1 && builder.isInParagraph && isPathOpen && context.kind == .body
        && paragraphKind == .body
      if isLine {
        writeLineBreak()
      } else {
        beginParagraph()
      }
      dropLeadingBlanks()
    } else if lineBreaks > 0 {
      if lineBreaks > 1, context.kind == .body {
        beginParagraph()
      } else {
        writeLineBreak()
      }
      dropLeadingBlanks()
    }
    blockBreak = 0
    lineBreaks = 0
    if !pending.isEmpty { writePending() }
    if writtenLook != context.look {
      builder.attributes = attributes(context.spans, context.style)
      writtenLook = context.look
    }
    hasText = true
  }

  private mutating func beginParagraph() {
    synchronize()
    limitAddresses()
    builder.beginParagraph(context.kind, alignment: alignment)
    paragraphKind = context.kind
    lastSpans = []
    recentList = nil
    if !context.isOfficeItem { endOfficeLists() }
  }

  /// Leaves out the link that a paragraph begins in where that would be too much.
  private mutating func limitAddresses() {
    for (index, span) in context.spans.enumerated() {
      guard case .link(let link) = span else { continue }
      addressesLeft -= link.destination.utf8.count + (link.title?.utf8.count ?? 0)
      guard addressesLeft < 0 else { return }
      context.spans.remove(at: index)
      lookCount += 1
      context.look = lookCount
      return
    }
  }

  private var alignment: Paragraph.Alignment? {
    // What most text has is not worth saying.
    context.style.alignment == .left ? nil : context.style.alignment
  }

  private mutating func writeLineBreak() {
    builder.attributes = TextAttributes(spans: common(lastSpans, context.spans))
    writtenLook = -1
    builder.appendLineBreak()
  }

  /// Blanks at the beginning of a line are no text, no-break spaces before text are.
  private mutating func dropLeadingBlanks() {
    if context.style.whiteSpace == .preserve, survey.producer.meansLeadingBlanks { return }
    while pending.first == 0x20 || pending.first == 0x09 { pending.removeFirst() }
  }

  /// Writes blanks, as much emphasized as what is before and behind them.
  private mutating func writePending() {
    let spans = common(common(lastSpans, pendingSpans), context.spans)
    let style = pendingStyle == context.style ? context.style : HTMLComputedStyle()
    builder.attributes = attributes(spans, style)
    writtenLook = -1
    if pendingIsSoft, pending.count == 1 {
      builder.appendSoftBreak()
    } else {
      builder.append(utf8: pending)
    }
    pending.removeAll(keepingCapacity: true)
    pendingIsSoft = false
  }

  /// What two texts are both part of.
  private func common(_ first: [TextSpan], _ second: [TextSpan]) -> [TextSpan] {
    var count = 0
    while count < first.count, count < second.count, first[count] == second[count] { count += 1 }
    return count == first.count ? first : Array(first[..<count])
  }

  private func attributes(_ spans: [TextSpan], _ style: HTMLComputedStyle) -> TextAttributes {
    let isLink = spans.contains { if case .link = $0 { true } else { false } }
    return TextAttributes(spans: spans, style: style.textStyle(isLink: isLink))
  }

  /// Has the same spans and the same style from here on as far as the builder knows.
  mutating func changeLook(of context: inout Context) {
    lookCount += 1
    context.look = lookCount
  }

  // MARK: Code

  /// Writes text of a block of code: no-break spaces are blanks, all else stays.
  private mutating func writeCode(_ range: Range<Int>) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      if document.text[offset] == 0x0A {
        if context.style.whiteSpace == .collapse {
          if hasCode, !owesCodeLine, codeLineEnds == 0 { appendCode(CollectionOfOne(0x20)) }
        } else {
          if owesCodeLine { codeLineEnds += 1 }
          owesCodeLine = false
          codeLineEnds += 1
        }
        offset += 1
        continue
      }
      if isNoBreakSpace(offset, range) {
        appendCode(CollectionOfOne(0x20))
        offset += 2
        continue
      }
      let start = offset
      while offset < range.upperBound, document.text[offset] != 0x0A,
        !isNoBreakSpace(offset, range)
      {
        offset += 1
      }
      // Between the elements that lines are in, white space is none of the code.
      if context.style.whiteSpace == .collapse,
        document.text[start..<offset].allSatisfy(\.isHTMLSpace)
      {
        if hasCode, !owesCodeLine, codeLineEnds == 0 { appendCode(CollectionOfOne(0x20)) }
        continue
      }
      appendCode(document.text[start..<offset])
    }
  }

  /// Separates cells within code.
  mutating func separateCodeCells() {
    if hasCode, !owesCodeLine, codeLineEnds == 0 { appendCode(CollectionOfOne(0x09)) }
  }

  private func isNoBreakSpace(_ offset: Int, _ range: Range<Int>) -> Bool {
    document.text[offset] == 0xC2 && offset + 1 < range.upperBound
      && document.text[offset + 1] == 0xA0
  }

  private mutating func appendCode(_ bytes: some Collection<UInt8>) {
    beginCodeText()
    if writtenLook != context.look {
      var style = TextStyle()
      style.foreground = context.style.textStyle(isLink: false).foreground
      builder.attributes = TextAttributes(style: style)
      writtenLook = context.look
    }
    builder.append(utf8: bytes)
  }

  /// Begins the block of code, or the line, that text is to be written in.
  private mutating func beginCodeText() {
    if !hasCode, blockBreak > 0 || !builder.isInParagraph {
      beginParagraph()
      blockBreak = 0
      lineBreaks = 0
      pending.removeAll(keepingCapacity: true)
    }
    hasText = true
    hasCode = true
    if owesCodeLine { codeLineEnds += 1 }
    owesCodeLine = false
    if codeLineEnds > 0 {
      builder.append(utf8: repeatElement(0x0A, count: codeLineEnds))
      codeLineEnds = 0
    }
  }

  /// Begins a block of code, or goes on with one that has its lines in elements of their own.
  mutating func beginCode(joining: Bool, isSeen: Bool) {
    codeIsSeen = isSeen
    if isSeen { hasBlock = true }
    if joining, builder.isInParagraph, case .code = paragraphKind, isPathOpen, hasText {
      blockBreak = 0
      hasCode = true
      owesCodeLine = true
    } else {
      pending.removeAll(keepingCapacity: true)
      blockBreak = 2
      hasCode = false
      owesCodeLine = false
    }
    codeLineEnds = 0
  }

  /// Ends a block of code, whose last line end is none of its text.
  mutating func endCode() {
    let lineEnds = codeLineEnds - 1
    codeLineEnds = 0
    owesCodeLine = false
    guard hasCode || codeIsSeen else { return }
    // An empty one is there too.
    beginCodeText()
    if lineEnds > 0 { builder.append(utf8: repeatElement(0x0A, count: lineEnds)) }
    blockBreak = 2
    hasCode = false
  }
}
