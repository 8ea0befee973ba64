internal import TextEncoding

// The insertion modes of tables (13.2.6.4.9 to 13.2.6.4.15).
extension HTMLTreeBuilder {
  mutating func inTable(_ token: Token) -> Outcome {
    switch token {
    case .text, .space:
      if let current = open.current, current.tag.isRowOrGroup {
        tableText.removeAll(keepingCapacity: true)
        originalMode = mode
        mode = .inTableText
        return .again
      }
    case .comment(let range):
      insertComment(range)
      return .done
    case .doctype:
      return .done
    case .startTag:
      if let outcome = startTagInTable(token) { return outcome }
    case .endTag:
      switch tokenizer.tag.tag {
      case .table:
        guard open.has(.table, in: .table) else { return .done }
        open.pop(through: .table)
        resetMode()
        return .done
      case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr:
        return .done
      case .template:
        endTemplate()
        return .done
      default: break
      }
    case .end:
      return inBody(token)
    }
    return fostering(token)
  }

  /// Processes what has no place in a table: it goes before the table.
  private mutating func fostering(_ token: Token) -> Outcome {
    fosters = true
    let outcome = inBody(token)
    fosters = false
    return outcome
  }

  private mutating func startTagInTable(_ token: Token) -> Outcome? {
    switch tokenizer.tag.tag {
    case .caption:
      clearToTable()
      guard insertElement() != nil else { return .done }
      pushMarker()
      mode = .inCaption
    case .colgroup:
      clearToTable()
      guard insertElement() != nil else { return .done }
      mode = .inColumnGroup
    case .col:
      clearToTable()
      guard insertImpliedElement(.colgroup) != nil else { return .done }
      mode = .inColumnGroup
      return .again
    case .tbody, .tfoot, .thead:
      clearToTable()
      guard insertElement() != nil else { return .done }
      mode = .inTableBody
    case .td, .th, .tr:
      clearToTable()
      guard insertImpliedElement(.tbody) != nil else { return .done }
      mode = .inTableBody
      return .again
    case .table:
      guard open.has(.table, in: .table) else { return .done }
      open.pop(through: .table)
      resetMode()
      return .again
    case .style, .script, .template:
      return inHead(token)
    case .input:
      guard isHiddenInput else { return nil }
      insertVoidElement()
    case .form:
      guard form < 0, !open.contains(.template) else { return .done }
      form = insertElement() ?? -1
      if form >= 0 { open.pop() }
    default:
      return nil
    }
    return .done
  }

  private mutating func clearToTable() {
    open.pop { $0.tag == .table || $0.tag == .template || $0.tag == .html }
  }

  private mutating func clearToTableBody() {
    open.pop {
      switch $0.tag {
      case .tbody, .tfoot, .thead, .template, .html: true
      default: false
      }
    }
  }

  private mutating func clearToRow() {
    open.pop { $0.tag == .tr || $0.tag == .template || $0.tag == .html }
  }

  // MARK: Text in tables

  mutating func inTableText(_ token: Token) -> Outcome {
    switch token {
    case .text(let range), .space(let range):
      tableText.append(range)
      return .done
    case .comment, .doctype, .startTag, .endTag, .end:
      break
    }
    mode = originalMode
    var isSpace = true
    for range in tableText where !document.text[range].allSatisfy(\.isHTMLSpace) {
      isSpace = false
    }
    for range in tableText {
      if isSpace {
        insertText(range)
      } else {
        _ = fostering(.text(range))
      }
    }
    tableText.removeAll(keepingCapacity: true)
    return .again
  }

  // MARK: Captions and columns

  mutating func inCaption(_ token: Token) -> Outcome {
    switch token {
    case .endTag:
      switch tokenizer.tag.tag {
      case .caption:
        _ = closeCaption()
        return .done
      case .table:
        return closeCaption() ? .again : .done
      case .body, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr:
        return .done
      default:
        return inBody(token)
      }
    case .startTag:
      switch tokenizer.tag.tag {
      case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr:
        return closeCaption() ? .again : .done
      default:
        return inBody(token)
      }
    case .text, .space, .comment, .doctype, .end:
      return inBody(token)
    }
  }

  private mutating func closeCaption() -> Bool {
    guard open.has(.caption, in: .table) else { return recover() }
    generateImpliedEndTags()
    open.pop(through: .caption)
    clearFormattingToMarker()
    mode = .inTable
    return true
  }

  /// Leaves a mode whose element is not open, which happens where it was the deepest of too many.
  private mutating func recover() -> Bool {
    guard context == nil else { return false }
    let old = mode
    resetMode()
    return mode != old
  }

  mutating func inColumnGroup(_ token: Token) -> Outcome {
    switch token {
    case .space(let range):
      insertText(range)
      return .done
    case .comment(let range):
      insertComment(range)
      return .done
    case .doctype:
      return .done
    case .startTag:
      switch tokenizer.tag.tag {
      case .html: return inBody(token)
      case .col:
        insertVoidElement()
        return .done
      case .template: return inHead(token)
      default: break
      }
    case .endTag:
      switch tokenizer.tag.tag {
      case .colgroup:
        if open.current?.tag == .colgroup {
          open.pop()
          mode = .inTable
        }
        return .done
      case .col: return .done
      case .template:
        endTemplate()
        return .done
      default: break
      }
    case .end:
      return inBody(token)
    case .text:
      break
    }
    guard open.current?.tag == .colgroup else { return recover() ? .again : .done }
    open.pop()
    mode = .inTable
    return .again
  }

  // MARK: Rows and cells

  mutating func inTableBody(_ token: Token) -> Outcome {
    switch token {
    case .startTag:
      switch tokenizer.tag.tag {
      case .tr:
        clearToTableBody()
        guard insertElement() != nil else { return .done }
        mode = .inRow
        return .done
      case .th, .td:
        clearToTableBody()
        guard insertImpliedElement(.tr) != nil else { return .done }
        mode = .inRow
        return .again
      case .caption, .col, .colgroup, .tbody, .tfoot, .thead:
        return closeTableBody()
      default: break
      }
    case .endTag:
      let tag = tokenizer.tag.tag
      switch tag {
      case .tbody, .tfoot, .thead:
        guard open.has(tag, in: .table) else { return .done }
        clearToTableBody()
        open.pop()
        mode = .inTable
        return .done
      case .table:
        return closeTableBody()
      case .body, .caption, .col, .colgroup, .html, .td, .th, .tr:
        return .done
      default: break
      }
    case .text, .space, .comment, .doctype, .end:
      break
    }
    return inTable(token)
  }

  private mutating func closeTableBody() -> Outcome {
    let isOpen = open.has(in: .table) { $0.tag == .tbody || $0.tag == .thead || $0.tag == .tfoot }
    guard isOpen else { return recover() ? .again : .done }
    clearToTableBody()
    open.pop()
    mode = .inTable
    return .again
  }

  mutating func inRow(_ token: Token) -> Outcome {
    switch token {
    case .startTag:
      switch tokenizer.tag.tag {
      case .th, .td:
        clearToRow()
        guard insertElement() != nil else { return .done }
        mode = .inCell
        pushMarker()
        return .done
      case .caption, .col, .colgroup, .tbody, .tfoot, .thead, .tr:
        return closeRow() ? .again : .done
      default: break
      }
    case .endTag:
      let tag = tokenizer.tag.tag
      switch tag {
      case .tr:
        _ = closeRow()
        return .done
      case .table:
        return closeRow() ? .again : .done
      case .tbody, .tfoot, .thead:
        guard open.has(tag, in: .table) else { return .done }
        return closeRow() ? .again : .done
      case .body, .caption, .col, .colgroup, .html, .td, .th:
        return .done
      default: break
      }
    case .text, .space, .comment, .doctype, .end:
      break
    }
    return inTable(token)
  }

  private mutating func closeRow() -> Bool {
    guard open.has(.tr, in: .table) else { return recover() }
    clearToRow()
    open.pop()
    mode = .inTableBody
    return true
  }

  mutating func inCell(_ token: Token) -> Outcome {
    switch token {
    case .endTag:
      let tag = tokenizer.tag.tag
      switch tag {
      case .td, .th:
        guard open.has(tag, in: .table) else { return .done }
        generateImpliedEndTags()
        open.pop(through: tag)
        clearFormattingToMarker()
        mode = .inRow
        return .done
      case .body, .caption, .col, .colgroup, .html:
        return .done
      case .table, .tbody, .tfoot, .thead, .tr:
        guard open.has(tag, in: .table) else { return .done }
        return closeCell() ? .again : .done
      default: break
      }
    case .startTag:
      switch tokenizer.tag.tag {
      case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr:
        return closeCell() ? .again : .done
      default: break
      }
    case .text, .space, .comment, .doctype, .end:
      break
    }
    return inBody(token)
  }

  private mutating func closeCell() -> Bool {
    guard open.has(in: .table, { $0.tag == .td || $0.tag == .th }) else { return recover() }
    generateImpliedEndTags()
    open.pop { $0.tag == .td || $0.tag == .th }
    open.pop()
    clearFormattingToMarker()
    mode = .inRow
    return true
  }
}
