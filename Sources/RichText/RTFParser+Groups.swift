// Groups that are destinations: what is read in them and what becomes of it at their end.

extension RTFParser {
  /// Longest text that is kept of a small destination.
  private static var longestCollected: Int { 4096 }

  mutating func beginGroup() {
    guard stack.current.destination == .styleSheet, !stack.isOverflowing else { return }
    // Each style has a group of its own.
    stack.current.character = RTFCharacterFormat()
    stack.current.paragraph = RTFParagraphFormat()
  }

  mutating func endGroup() {
    let inner = stack.current
    // A pair of surrogates may stand in two groups, but not partly in a marker.
    if inner.destination == .body { finishBytes() } else { finishCharacters() }
    let field = inner.character.field
    stack.pop()
    if inner.character.font != stack.current.character.font { cachedPage = nil }
    if inner.destination != stack.current.destination { leave(inner) }
    updateVisibility()
    if let field, field != stack.current.character.field { endField(field) }
  }

  private mutating func leave(_ inner: RTFState) {
    switch inner.destination {
    case .listText:
      sink.endListText()
    case .fontTable:
      cachedPage = nil
    case .body:
      finishCharacters()
      if stack.current.destination == .shape { sink.end(.section, stack.current) }
    case .oldList:
      // Holds for the group around it, up to `\pard`.
      stack.current.paragraph.oldList = inner.paragraph.oldList
    case .generator:
      tables.isOwn = collected.starts(with: "clipview".utf8)
    case .ownMark:
      tables.ownMarks.append(collected)
      stack.current.paragraph.ownMark = Int32(clamping: tables.ownMarks.count - 1)
    case .propertyName:
      picture.propertyName = collected
    case .propertyValue:
      if picture.propertyName.elementsEqual("wzDescription".utf8) {
        picture.description = collected
      }
    case .picture:
      leavePicture()
    case .shape:
      if stack.current.destination != .shape, picture.isPending { appendPicture() }
    case .styleSheet, .colorTable, .listTable, .listOverrideTable, .alternatives, .htmlTag,
      .fieldInstruction:
      break
    }
  }

  /// Text that is not the document's.
  mutating func collect(_ text: ArraySlice<UInt8>) {
    switch stack.current.destination {
    case .styleSheet:
      tables.styles.appendName(text, stack.current)
    case .fieldInstruction:
      tables.fields.appendInstruction(text, ofField: stack.current.instructedField)
    default:
      collected.append(contentsOf: text.prefix(max(0, Self.longestCollected - collected.count)))
    }
  }

  mutating func handleDestination(_ word: RTFControlWord) {
    switch word.keyword {
    case .fontTable: enter(.fontTable)
    case .colorTable: enter(.colorTable)
    case .styleSheet: if enter(.styleSheet) { tables.styles.begin() }
    case .listTable: enter(.listTable)
    case .listOverrideTable: enter(.listOverrideTable)
    case .oldList: if enter(.oldList) { stack.current.paragraph.oldList = 0 }
    case .generator: if enter(.generator) { collected = [] }
    case .ownMark: if enter(.ownMark) { collected = [] }
    case .listText:
      if stack.current.destination != .listText, enter(.listText) { sink.beginListText() }
    case .alternatives:
      stack.current.alternativesDestination = stack.current.destination
      enter(.alternatives)
    case .shape: if enter(.shape) { picture = RTFPicture() }
    case .picture: if enter(.picture) { picture.description = [] }
    case .field: beginField()
    case .fieldInstruction: enterFieldInstruction()
    case .nestedRowProperties: stack.current.isInNestedRowProperties = true
    case .htmlTag: if encapsulatedHTML == .read { enter(.htmlTag) } else { skipGroup() }
    default: break
    }
  }

  // MARK: Tables of the header

  mutating func handleInTable(_ word: RTFControlWord) {
    if word.keyword == .skipped { return skipGroup() }
    switch stack.current.destination {
    case .fontTable: handleInFontTable(word)
    case .colorTable: handleInColorTable(word)
    case .styleSheet: handleInStyleSheet(word)
    case .listTable: handleInListTable(word)
    case .listOverrideTable: handleInOverrideTable(word)
    default: handleInOldList(word)
    }
  }

  private mutating func handleInFontTable(_ word: RTFControlWord) {
    switch word.keyword {
    case .font: tables.fonts.define(word.parameter ?? 0)
    case .fontCharset: tables.fonts.setCharset(word.parameter ?? 0)
    case .fontCodePage: tables.fonts.setCodePage(word.parameter ?? 0)
    case .fontModern: tables.fonts.setModern()
    case .fontFixedPitch: tables.fonts.setPitch(word.parameter ?? 0)
    default: if isStarred { skipGroup() }
    }
  }

  private mutating func handleInColorTable(_ word: RTFControlWord) {
    switch word.keyword {
    case .red: tables.colors.setComponent(\.red, word.parameter ?? 0)
    case .green: tables.colors.setComponent(\.green, word.parameter ?? 0)
    case .blue: tables.colors.setComponent(\.blue, word.parameter ?? 0)
    default: if isStarred { skipGroup() }
    }
  }

  private mutating func handleInStyleSheet(_ word: RTFControlWord) {
    let number = Int32(parameter: word.parameter, or: 0)
    switch word.keyword {
    case .style: tables.styles.setNumber(number, .paragraph)
    case .characterStyle: tables.styles.setNumber(number, .character)
    case .otherStyle: tables.styles.setNumber(number, .other)
    case .basedOn: tables.styles.setBase(number)
    case .unknown where isStarred: skipGroup()
    default:
      if !handleCharacterWord(word) { handleParagraphWord(word) }
    }
  }

  private mutating func handleInListTable(_ word: RTFControlWord) {
    switch word.keyword {
    case .listDefinition: tables.lists.beginList()
    case .listDefinitionLevel: tables.lists.beginLevel()
    case .levelNumbering: tables.lists.setNumbering(word.parameter ?? 0)
    case .levelStart: tables.lists.setStart(word.parameter ?? 1)
    case .listIdentity: tables.lists.endList(Int32(parameter: word.parameter, or: 0))
    default: if isStarred, word.keyword == .unknown { skipGroup() }
    }
  }

  private mutating func handleInOverrideTable(_ word: RTFControlWord) {
    switch word.keyword {
    case .listOverride: tables.lists.beginOverride()
    case .listIdentity: tables.lists.setOverriddenList(Int32(parameter: word.parameter, or: 0))
    case .listOverrideLevel: tables.lists.beginOverrideLevel()
    case .levelNumbering: tables.lists.setOverriddenNumbering(word.parameter ?? 0)
    case .levelStart: tables.lists.setOverriddenStart(word.parameter ?? 1)
    case .list: tables.lists.endOverride(Int32(parameter: word.parameter, or: 0))
    default: if isStarred, word.keyword == .unknown { skipGroup() }
    }
  }

  /// Handles a word of `\pn`, which are few: each makes the list anew.
  private mutating func handleInOldList(_ word: RTFControlWord) {
    var list =
      tables.lists.oldList(stack.current.paragraph.oldList)
      ?? RTFLists.OldList(level: RTFLists.Level(numbering: .decimal))
    switch word.keyword {
    case .oldListBullet: list.level.numbering = .bullet
    case .oldListNumber: list.level.numbering = list.level.numbering ?? .decimal
    case .oldListContinues: list.isContinued = true
    case .oldListStart: list.level.start = word.parameter ?? 1
    case .oldListNumbering: list.level.numbering = word.oldNumbering
    default:
      if isStarred, word.keyword == .unknown { skipGroup() }
      return
    }
    stack.current.paragraph.oldList = tables.lists.add(list)
  }

  // MARK: Shapes and pictures

  mutating func handleInShape(_ word: RTFControlWord) {
    switch word.keyword {
    case .shapeText
    where isAtGroupStart && !stack.isOverflowing && stack.current.destination == .shape:
      stack.current.destination = .body
      stack.current.resetParagraph()
      updateVisibility()
      if isVisible { enterBox() }
    case .propertyName: if enter(.propertyName) { collected = [] }
    case .propertyValue: if enter(.propertyValue) { collected = [] }
    case .picture: enter(.picture)
    case .shape, .property, .pictureProperties: break
    case .fieldInstruction, .skipped: skipGroup()
    case .unicode, .fallbackLength, .font, .character: handleCharacterWord(word)
    default: if isStarred { skipGroup() }
    }
  }

  private mutating func leavePicture() {
    switch stack.current.destination {
    case .shape, .propertyValue, .propertyName: picture.isPending = true
    default: appendPicture()
    }
  }

  private mutating func appendPicture() {
    let description = String(decoding: picture.description, as: UTF8.self)
    picture = RTFPicture()
    append(TextImage(source: "", alternative: description.onOneLine))
  }

  private mutating func append(_ image: TextImage) {
    finishCharacters()
    updateVisibility()
    guard isVisible, stack.current.destination == .body else { return }
    if let field = stack.current.character.field { tables.fields.noteResult(ofField: field) }
    sink.append(image, stack.current)
  }

  /// Cocoa names an attached file in a group and lets one character stand for it.
  mutating func skipAttachment() {
    tokenizer.skipToGroupEnd()
    guard case .groupEnd? = tokenizer.next() else { return }
    endGroup()
    append(TextImage(source: "", alternative: ""))
    fallbackUnits = 1
  }

  // MARK: Fields

  mutating func beginField() {
    guard isAtGroupStart, stack.depth > 1, !stack.isOverflowing else { return }
    stack.current.character.field = tables.fields.add(in: stack.current.character.field)
  }

  mutating func enterFieldInstruction() {
    let field = stack.current.character.field
    if enter(.fieldInstruction) { stack.current.instructedField = field }
  }

  /// Puts something in the place of a field that has no result.
  private mutating func endField(_ field: Int32) {
    guard stack.current.destination == .body, isVisible else { return }
    switch tables.fields.substitute(forField: field) {
    case .symbol(let number, let fontName)?:
      let byte = UInt8(truncatingIfNeeded: number)
      let set = RTFSymbolSet(fontName: fontName ?? "")
      append(fontName == nil && number > 0xFF ? UInt32(clamping: number) : set.scalar(for: byte))
    case .picture(let source)?:
      append(TextImage(source: source, alternative: ""))
    case .box(let isChecked)?:
      append(isChecked ? 0x2612 : 0x2610)
    case .link?, nil:
      break
    }
  }
}

extension RTFControlWord {
  /// The numbering that a word such as `\pndec` asks for.
  fileprivate var oldNumbering: TextList.Numbering {
    switch scalar {
    case 1: .upperRoman
    case 2: .lowerRoman
    case 3: .upperAlpha
    case 4: .lowerAlpha
    default: .decimal
    }
  }
}

extension String {
  /// The string with blanks for line ends and other control characters.
  fileprivate var onOneLine: String {
    guard utf8.contains(where: { $0 < 0x20 }) else { return self }
    return String(
      decoding: utf8.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}
