// Control words that say how characters and paragraphs look, and what rows of tables are like.

extension RTFParser {
  /// Applies a word to characters.
  ///
  /// - Returns: whether it is such a word.
  @discardableResult
  mutating func handleCharacterWord(_ word: RTFControlWord) -> Bool {
    let parameter = word.parameter
    let isOn = parameter != 0
    switch word.keyword {
    case .unicode:
      if isVisible, let parameter { handleUnicode(parameter) }
      fallbackUnits = stack.current.fallbackLength
    case .fallbackLength:
      stack.current.fallbackLength = max(0, parameter ?? 1)
    case .binary:
      break
    case .character:
      if isVisible { append(word.scalar) }
    case .tab:
      if isVisible { append(0x09) }
    case .font:
      finishBytes()
      stack.current.character.font = Int32(parameter: parameter, or: 0)
      cachedPage = nil
    case .plain:
      finishBytes()
      stack.current.resetCharacter()
      cachedPage = nil
      updateVisibility()
    case .hidden:
      stack.current.isHidden = isOn
      updateVisibility()
    case .deleted:
      stack.current.isDeleted = isOn
      updateVisibility()
    case .htmlSuppression:
      stack.current.isHTMLSuppressed = isOn
      updateVisibility()
    case .bold: stack.current.character.look.set(.bold, isOn)
    case .italic: stack.current.character.look.set(.italic, isOn)
    case .strike: stack.current.character.look.set(.struck, isOn)
    case .underline: stack.current.character.look.set(.underlined, isOn)
    case .noUnderline: stack.current.character.look.set(.underlined, false)
    case .superscript: setScript(.superscript, isOn)
    case .subscripted: setScript(.subscripted, isOn)
    case .noScript: setScript([], false)
    case .foreground: stack.current.character.foreground = UInt16(clamping: parameter ?? 0)
    case .background: stack.current.character.background = UInt16(clamping: parameter ?? 0)
    case .characterStyle: setCharacterStyle(Int32(parameter: parameter, or: 0))
    default:
      return false
    }
    return true
  }

  private mutating func setScript(_ script: RTFLook, _ isOn: Bool) {
    stack.current.character.look.subtract([.superscript, .subscripted])
    if isOn { stack.current.character.look.insert(script) }
  }

  /// Character styles repeat their look directly, but some writers leave that to the style.
  private mutating func setCharacterStyle(_ number: Int32) {
    stack.current.character.style = number
    guard stack.current.destination == .body,
      let style = tables.styles.characterStyle(number)
    else { return }
    stack.current.character.look.formUnion(style.character.look)
  }

  /// Applies a word to the paragraph.
  ///
  /// - Returns: whether it is such a word.
  @discardableResult
  mutating func handleParagraphWord(_ word: RTFControlWord) -> Bool {
    let parameter = word.parameter
    let number = Int32(parameter: parameter, or: 0)
    switch word.keyword {
    case .paragraphDefaults: stack.current.resetParagraph()
    case .inTable: stack.current.paragraph.isInTable = parameter != 0
    case .tableDepth: stack.current.paragraph.tableDepth = Int32(parameter: parameter, or: 1)
    case .list: stack.current.paragraph.list = number
    case .listLevel: stack.current.paragraph.listLevel = number
    case .style: stack.current.paragraph.style = number
    case .outlineLevel: stack.current.paragraph.outlineLevel = Int8(clamping: number)
    case .alignLeft: stack.current.paragraph.alignment = .left
    case .alignCenter: stack.current.paragraph.alignment = .center
    case .alignRight: stack.current.paragraph.alignment = .right
    case .alignJustified: stack.current.paragraph.alignment = .justified
    case .leftIndent: stack.current.paragraph.leftIndent = number
    case .firstIndent: stack.current.paragraph.firstIndent = number
    case .rightIndent: stack.current.paragraph.rightIndent = number
    case .spaceAfter: stack.current.paragraph.spaceAfter = number
    case .border: stack.current.paragraph.hasBorder = true
    default:
      return false
    }
    return true
  }

  // MARK: Rows

  mutating func handleRowWord(_ word: RTFControlWord) {
    if stack.current.isInNestedRowProperties {
      word.apply(to: &nestedRowDefinition)
    } else {
      word.apply(to: &rowDefinition)
      if word.keyword == .rowDefaults { sink.beginRowDefinition(stack.current) }
    }
  }

  mutating func end(_ boundary: RTFBoundary) {
    finishCharacters()
    // A marker has no lines, whatever is in it; neither have instructions and names.
    guard stack.current.destination.isShown, stack.current.destination != .listText else { return }
    switch boundary {
    case .row: sink.endRow(rowDefinition, boundary, stack.current)
    case .nestedRow: sink.endRow(nestedRowDefinition, boundary, stack.current)
    case .line:
      if let field = stack.current.character.field { tables.fields.noteResult(ofField: field) }
      sink.end(boundary, stack.current)
    case .paragraph, .section, .cell, .nestedCell:
      sink.end(boundary, stack.current)
      if !boxes.isEmpty { readBoxes() }
    }
  }
}

extension RTFControlWord {
  /// Applies a word behind `\trowd`.
  fileprivate func apply(to row: inout RTFRowDefinition) {
    switch keyword {
    case .rowDefaults: row = RTFRowDefinition()
    case .headerRow: row.isHeader = parameter != 0
    case .cellEdge: row.addCell(endingAt: Int32(parameter: parameter, or: 0))
    case .firstMergedAcross: row.pendingMerge.insert(.firstAcross)
    case .mergedAcross: row.pendingMerge.insert(.across)
    case .firstMergedDown: row.pendingMerge.insert(.firstDown)
    case .mergedDown: row.pendingMerge.insert(.down)
    default: break
    }
  }
}
