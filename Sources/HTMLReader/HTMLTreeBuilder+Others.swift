// The insertion modes of selects, templates and framesets (13.2.6.4.16 to 13.2.6.4.23), and those that
// are found from the stack.
extension HTMLTreeBuilder {
  /// 13.2.4.1, reset the insertion mode appropriately.
  mutating func resetMode() {
    for index in open.elements.indices.reversed() {
      var tag = open[index].tag
      let isLast = index == 0
      if isLast, let context { tag = context.namespace == .html ? context.tag : .unknown }
      switch tag {
      case .select:
        mode = .inSelect
        if !isLast {
          for ancestor in open.elements[..<index].reversed() {
            if ancestor.tag == .template { break }
            if ancestor.tag == .table {
              mode = .inSelectInTable
              break
            }
          }
        }
        return
      case .td where !isLast, .th where !isLast: mode = .inCell
      case .tr: mode = .inRow
      case .tbody, .thead, .tfoot: mode = .inTableBody
      case .caption: mode = .inCaption
      case .colgroup: mode = .inColumnGroup
      case .table: mode = .inTable
      case .template: mode = templateModes.last ?? .inBody
      case .head where !isLast: mode = .inHead
      case .body: mode = .inBody
      case .frameset: mode = .inFrameset
      case .html: mode = head < 0 ? .beforeHead : .afterHead
      default:
        guard isLast else { continue }
        mode = .inBody
      }
      return
    }
    mode = .inBody
  }

  /// Sets up for the content of the context element (13.4).
  mutating func beginFragment() {
    insertImpliedElement(.html)
    guard let context else { return }
    if context.namespace == .html {
      if context.tag == .template { templateModes.append(.inTemplate) }
      switch context.tag {
      case .title, .textarea: tokenizer.content = .escapableText
      case .style, .xmp, .iframe, .noembed, .noframes: tokenizer.content = .rawText
      case .noscript where isScripting: tokenizer.content = .rawText
      case .script: tokenizer.content = .script
      case .plaintext: tokenizer.content = .plainText
      default: break
      }
      if context.tag == .form { form = HTMLDocument.root }
    }
    resetMode()
  }

  // MARK: Selects

  mutating func inSelect(_ token: Token) -> Outcome {
    switch token {
    case .text(let range), .space(let range):
      insertText(range)
    case .comment(let range):
      insertComment(range)
    case .doctype:
      break
    case .startTag:
      return startTagInSelect(token)
    case .endTag:
      endTagInSelect()
    case .end:
      return inBody(token)
    }
    return .done
  }

  private mutating func startTagInSelect(_ token: Token) -> Outcome {
    switch tokenizer.tag.tag {
    case .html:
      return inBody(token)
    case .option:
      if open.current?.tag == .option { open.pop() }
      insertElement()
    case .optgroup, .hr:
      if open.current?.tag == .option { open.pop() }
      if open.current?.tag == .optgroup { open.pop() }
      if tokenizer.tag.tag == .hr { insertVoidElement() } else { insertElement() }
    case .select:
      _ = closeSelect()
    case .input, .keygen, .textarea:
      return closeSelect() ? .again : .done
    case .script, .template:
      return inHead(token)
    default:
      break
    }
    return .done
  }

  private mutating func endTagInSelect() {
    switch tokenizer.tag.tag {
    case .optgroup:
      if open.current?.tag == .option, open.count > 1, open[open.count - 2].tag == .optgroup {
        open.pop()
      }
      if open.current?.tag == .optgroup { open.pop() }
    case .option:
      if open.current?.tag == .option { open.pop() }
    case .select:
      _ = closeSelect()
    case .template:
      endTemplate()
    default:
      break
    }
  }

  private mutating func closeSelect() -> Bool {
    guard open.has(.select, in: .select) else {
      // In a fragment the context may be a select; else it was the deepest of too many elements.
      guard context == nil, !open.contains(.select) else { return false }
      resetMode()
      return mode != .inSelect && mode != .inSelectInTable
    }
    open.pop(through: .select)
    resetMode()
    return true
  }

  mutating func inSelectInTable(_ token: Token) -> Outcome {
    let tag = tokenizer.tag.tag
    switch (token, tag) {
    case (.startTag, .caption), (.startTag, .table), (.startTag, .tbody), (.startTag, .tfoot),
      (.startTag, .thead), (.startTag, .tr), (.startTag, .td), (.startTag, .th):
      open.pop(through: .select)
      resetMode()
      return mode == .inSelectInTable ? .done : .again
    case (.endTag, .caption), (.endTag, .table), (.endTag, .tbody), (.endTag, .tfoot),
      (.endTag, .thead), (.endTag, .tr), (.endTag, .td), (.endTag, .th):
      guard open.has(tag, in: .table) else { return .done }
      open.pop(through: .select)
      resetMode()
      return mode == .inSelectInTable ? .done : .again
    default:
      return inSelect(token)
    }
  }

  // MARK: Templates

  mutating func startTemplate() {
    guard insertElement() != nil else { return }
    pushMarker()
    framesetIsOK = false
    mode = .inTemplate
    templateModes.append(.inTemplate)
  }

  mutating func endTemplate() {
    guard open.contains(.template) else { return }
    while let current = open.current, current.tag.endIsImpliedThoroughly { open.pop() }
    open.pop(through: .template)
    clearFormattingToMarker()
    _ = templateModes.popLast()
    resetMode()
  }

  mutating func inTemplate(_ token: Token) -> Outcome {
    switch token {
    case .text, .space, .comment, .doctype:
      return inBody(token)
    case .startTag:
      switch tokenizer.tag.tag {
      case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
        return inHead(token)
      case .caption, .colgroup, .tbody, .tfoot, .thead: return switchTemplate(to: .inTable)
      case .col: return switchTemplate(to: .inColumnGroup)
      case .tr: return switchTemplate(to: .inTableBody)
      case .td, .th: return switchTemplate(to: .inRow)
      default: return switchTemplate(to: .inBody)
      }
    case .endTag:
      if tokenizer.tag.tag == .template { endTemplate() }
      return .done
    case .end:
      guard open.contains(.template) else { return .done }
      open.pop(through: .template)
      clearFormattingToMarker()
      _ = templateModes.popLast()
      resetMode()
      return .again
    }
  }

  private mutating func switchTemplate(to mode: Mode) -> Outcome {
    _ = templateModes.popLast()
    templateModes.append(mode)
    self.mode = mode
    return .again
  }

  // MARK: Framesets

  mutating func inFrameset(_ token: Token) -> Outcome {
    switch token {
    case .space(let range):
      insertText(range)
    case .comment(let range):
      insertComment(range)
    case .startTag:
      switch tokenizer.tag.tag {
      case .html: return inBody(token)
      case .frameset: insertElement()
      case .frame: insertVoidElement()
      case .noframes: return inHead(token)
      default: break
      }
    case .endTag where tokenizer.tag.tag == .frameset:
      guard let current = open.current, current.tag == .frameset else { break }
      open.pop()
      if context == nil, open.current?.tag != .frameset { mode = .afterFrameset }
    case .text, .doctype, .endTag, .end:
      break
    }
    return .done
  }

  mutating func afterFrameset(_ token: Token) -> Outcome {
    switch token {
    case .space(let range):
      insertText(range)
    case .comment(let range):
      insertComment(range)
    case .startTag where tokenizer.tag.tag == .html:
      return inBody(token)
    case .startTag where tokenizer.tag.tag == .noframes:
      return inHead(token)
    case .endTag where tokenizer.tag.tag == .html:
      mode = .afterAfterFrameset
    case .text, .doctype, .startTag, .endTag, .end:
      break
    }
    return .done
  }

  mutating func afterAfterFrameset(_ token: Token) -> Outcome {
    switch token {
    case .comment(let range):
      insertComment(range, at: Place(parent: HTMLDocument.root))
    case .space, .doctype:
      return inBody(token)
    case .startTag where tokenizer.tag.tag == .html:
      return inBody(token)
    case .startTag where tokenizer.tag.tag == .noframes:
      return inHead(token)
    case .text, .startTag, .endTag, .end:
      break
    }
    return .done
  }
}
