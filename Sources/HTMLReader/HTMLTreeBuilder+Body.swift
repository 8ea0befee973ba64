internal import TextEncoding

// The insertion mode "in body" (13.2.6.4.7), and those behind the body.
extension HTMLTreeBuilder {
  mutating func inBody(_ token: Token) -> Outcome {
    switch token {
    case .text(let range), .space(let range):
      reconstructFormatting()
      insertText(range)
      if framesetIsOK, document.text[range].contains(where: { !$0.isHTMLSpace }) {
        framesetIsOK = false
      }
    case .comment(let range):
      insertComment(range)
    case .doctype:
      break
    case .startTag:
      return startTagInBody(token)
    case .endTag:
      return endTagInBody(token)
    case .end:
      if !templateModes.isEmpty { return inTemplate(token) }
    }
    return .done
  }

  // MARK: Start tags

  private mutating func startTagInBody(_ token: Token) -> Outcome {
    let tag = tokenizer.tag.tag
    switch tag {
    case .html:
      if !open.contains(.template), !open.isEmpty { addAttributes(to: open[0].node) }
    case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
      return inHead(token)
    case .body:
      if open.count > 1, open[1].tag == .body, !open.contains(.template) {
        framesetIsOK = false
        addAttributes(to: open[1].node)
      }
    case .frameset:
      startFramesetInBody()
    case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl,
      .fieldset, .figcaption, .figure, .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p,
      .search, .section, .summary, .ul:
      closeParagraphInScope()
      insertElement()
    case .h1, .h2, .h3, .h4, .h5, .h6:
      closeParagraphInScope()
      if let current = open.current, current.tag.isHeading { open.pop() }
      insertElement()
    case .pre, .listing:
      closeParagraphInScope()
      insertElement()
      skipsLineFeed = true
      framesetIsOK = false
    case .form:
      guard form < 0 || open.contains(.template) else { break }
      closeParagraphInScope()
      let node = insertElement()
      if !open.contains(.template) { form = node ?? -1 }
    case .li:
      startItem([.li])
    case .dd, .dt:
      startItem([.dd, .dt])
    case .plaintext:
      closeParagraphInScope()
      insertElement()
      tokenizer.content = .plainText
    case .button:
      if open.has(.button, in: .element) {
        generateImpliedEndTags()
        open.pop(through: .button)
      }
      reconstructFormatting()
      insertElement()
      framesetIsOK = false
    case .a:
      if let index = formattingIndex(of: .a) {
        let node = formatting[index]
        adopt(.a)
        if let index = formattingIndex(ofNode: node) { formatting.remove(at: index) }
        if let index = open.index(ofNode: node) { open.remove(at: index) }
      }
      startFormatting()
    case .b, .big, .code, .em, .font, .i, .s, .small, .strike, .strong, .tt, .u:
      startFormatting()
    case .nobr:
      reconstructFormatting()
      if open.has(.nobr, in: .element) {
        adopt(.nobr)
        reconstructFormatting()
      }
      if let node = insertElement() { pushFormatting(node) }
    case .applet, .marquee, .object:
      reconstructFormatting()
      if insertElement() != nil { pushMarker() }
      framesetIsOK = false
    case .table:
      if !isQuirky { closeParagraphInScope() }
      framesetIsOK = false
      if insertElement() != nil { mode = .inTable }
    case .area, .br, .embed, .img, .keygen, .wbr:
      reconstructFormatting()
      insertVoidElement()
      framesetIsOK = false
    case .image:
      reconstructFormatting()
      insertVoidElement(tag: .img)
      framesetIsOK = false
    case .input:
      reconstructFormatting()
      insertVoidElement()
      if !isHiddenInput { framesetIsOK = false }
    case .param, .source, .track:
      insertVoidElement()
    case .hr:
      closeParagraphInScope()
      insertVoidElement()
      framesetIsOK = false
    case .textarea:
      beginText(.escapableText)
      skipsLineFeed = true
      framesetIsOK = false
    case .xmp:
      closeParagraphInScope()
      reconstructFormatting()
      framesetIsOK = false
      beginText(.rawText)
    case .iframe:
      framesetIsOK = false
      beginText(.rawText)
    case .noembed:
      beginText(.rawText)
    case .noscript where isScripting:
      beginText(.rawText)
    case .select:
      startSelect()
    case .optgroup, .option:
      if open.current?.tag == .option { open.pop() }
      reconstructFormatting()
      insertElement()
    case .rb, .rtc:
      if open.has(.ruby, in: .element) { generateImpliedEndTags() }
      insertElement()
    case .rp, .rt:
      if open.has(.ruby, in: .element) { generateImpliedEndTags(except: .rtc) }
      insertElement()
    case .math:
      startForeign(.math)
    case .svg:
      startForeign(.svg)
    case .caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr:
      break
    default:
      reconstructFormatting()
      insertElement()
    }
    return .done
  }

  private mutating func startFormatting() {
    reconstructFormatting()
    if let node = insertElement() { pushFormatting(node) }
  }

  private mutating func startItem(_ siblings: [HTMLTag]) {
    framesetIsOK = false
    for element in open.elements.reversed() {
      if siblings.contains(element.tag) {
        generateImpliedEndTags(except: element.tag)
        open.pop(through: element.tag)
        break
      }
      if element.traits.contains(.special), element.tag != .address, element.tag != .div,
        element.tag != .p
      {
        break
      }
    }
    closeParagraphInScope()
    insertElement()
  }

  private mutating func startForeign(_ namespace: HTMLNode.Namespace) {
    reconstructFormatting()
    if insertElement(namespace) != nil, tokenizer.tag.isSelfClosing { open.pop() }
  }

  private mutating func startFramesetInBody() {
    guard open.count > 1, open[1].tag == .body, framesetIsOK else { return }
    remove(open[1].node)
    open.removeAll(from: 1)
    insertElement()
    mode = .inFrameset
  }

  private mutating func startSelect() {
    reconstructFormatting()
    guard insertElement() != nil else { return }
    framesetIsOK = false
    switch mode {
    case .inTable, .inCaption, .inTableBody, .inRow, .inCell: mode = .inSelectInTable
    default: mode = .inSelect
    }
  }

  /// Whether the current tag has the type of an input that nobody sees.
  var isHiddenInput: Bool {
    tokenizer.attributes.contains {
      $0.name == UInt16(HTMLAttributeName.type.rawValue)
        && tokenizer.html.isWord("hidden", in: $0.start..<$0.end)
    }
  }

  // MARK: End tags

  private mutating func endTagInBody(_ token: Token) -> Outcome {
    let tag = tokenizer.tag.tag
    switch tag {
    case .template:
      endTemplate()
    case .body:
      if open.has(.body, in: .element) { mode = .afterBody }
    case .html:
      guard open.has(.body, in: .element) else { break }
      mode = .afterBody
      return .again
    case .address, .article, .aside, .blockquote, .button, .center, .details, .dialog, .dir, .div,
      .dl, .fieldset, .figcaption, .figure, .footer, .header, .hgroup, .listing, .main, .menu, .nav,
      .ol, .pre, .search, .section, .summary, .ul:
      guard open.has(tag, in: .element) else { break }
      generateImpliedEndTags()
      open.pop(through: tag)
    case .form:
      endForm()
    case .p:
      if !open.has(.p, in: .button) { insertImpliedElement(.p) }
      closeParagraph()
    case .li:
      guard open.has(.li, in: .list) else { break }
      generateImpliedEndTags(except: .li)
      open.pop(through: .li)
    case .dd, .dt:
      guard open.has(tag, in: .element) else { break }
      generateImpliedEndTags(except: tag)
      open.pop(through: tag)
    case .h1, .h2, .h3, .h4, .h5, .h6:
      guard open.has(in: .element, { $0.tag.isHeading }) else { break }
      generateImpliedEndTags()
      open.pop { $0.tag.isHeading }
      open.pop()
    case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u:
      adopt(tag)
    case .applet, .marquee, .object:
      guard open.has(tag, in: .element) else { break }
      generateImpliedEndTags()
      open.pop(through: tag)
      clearFormattingToMarker()
    case .br:
      // `</br>` is `<br>`.
      reconstructFormatting()
      tokenizer.attributes.removeAll(keepingCapacity: true)
      insertVoidElement()
      framesetIsOK = false
    default:
      endOther()
    }
    return .done
  }

  private mutating func endForm() {
    if open.contains(.template) {
      guard open.has(.form, in: .element) else { return }
      generateImpliedEndTags()
      open.pop(through: .form)
      return
    }
    let node = form
    form = -1
    guard node >= 0, open.has(in: .element, { $0.node == node }) else { return }
    generateImpliedEndTags()
    if let index = open.index(ofNode: node) { open.remove(at: index) }
  }

  /// "Any other end tag".
  mutating func endOther() {
    let tag = tokenizer.tag
    var index = open.count - 1
    while index > 0 || (index == 0 && context == nil) {
      let element = open[index]
      if element.isHTML, element.name == tag.name {
        generateImpliedEndTags(except: tag.tag)
        // What generating popped lies deeper than the element, which is none of those.
        open.removeAll(from: index)
        return
      }
      if element.traits.contains(.special) { return }
      index -= 1
    }
  }

  // MARK: Implied ends

  mutating func generateImpliedEndTags(except tag: HTMLTag = .unknown) {
    while let current = open.current, current.tag.endIsImplied, current.tag != tag { open.pop() }
  }

  private mutating func closeParagraphInScope() {
    if open.has(.p, in: .button) { closeParagraph() }
  }

  private mutating func closeParagraph() {
    generateImpliedEndTags(except: .p)
    open.pop(through: .p)
  }

  // MARK: Text that is not markup

  mutating func inText(_ token: Token) -> Outcome {
    switch token {
    case .text(let range), .space(let range):
      if holdsText { insertText(range) }
      return .done
    case .end:
      endText()
      return .again
    case .endTag:
      endText()
      return .done
    case .startTag, .comment, .doctype:
      // The tokenizer has none of these here; an element that was not made must end nevertheless.
      mode = originalMode
      return .again
    }
  }

  /// Whether the element was made whose text this is.
  private var holdsText: Bool { open.current?.name == tokenizer.lastStartTag }

  private mutating func endText() {
    if holdsText { open.pop() }
    mode = originalMode
  }

  // MARK: Behind the body

  mutating func afterBody(_ token: Token) -> Outcome {
    switch token {
    case .space:
      return inBody(token)
    case .comment(let range):
      insertComment(range, at: Place(parent: open.isEmpty ? HTMLDocument.root : open[0].node))
      return .done
    case .doctype, .end:
      return .done
    case .startTag where tokenizer.tag.tag == .html:
      return inBody(token)
    case .endTag where tokenizer.tag.tag == .html:
      if context == nil { mode = .afterAfterBody }
      return .done
    case .text, .startTag, .endTag:
      mode = .inBody
      return .again
    }
  }

  mutating func afterAfterBody(_ token: Token) -> Outcome {
    switch token {
    case .comment(let range):
      insertComment(range, at: Place(parent: HTMLDocument.root))
      return .done
    case .doctype, .space:
      return inBody(token)
    case .end:
      return .done
    case .startTag where tokenizer.tag.tag == .html:
      return inBody(token)
    case .text, .startTag, .endTag:
      mode = .inBody
      return .again
    }
  }
}
