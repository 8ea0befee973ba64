/// What ends or divides text.
enum RTFBoundary {
  case paragraph
  /// A line end within a paragraph.
  case line
  /// A section, page or column, or the text of a shape: a paragraph ends here, if there is one.
  case section
  case cell
  case row
  case nestedCell
  case nestedRow
}

/// What becomes of the text that is read.
protocol RTFSink {
  /// Whether nothing more is taken.
  var isFull: Bool { get }
  /// Whether a paragraph outside of tables has text and has not ended.
  var isInParagraph: Bool { get }
  /// Text without control characters but TAB.
  mutating func append(_ ascii: ArraySlice<UInt8>, _ state: RTFState)
  mutating func append(_ scalar: UInt32, _ state: RTFState)
  mutating func append(_ picture: TextImage, _ state: RTFState)
  mutating func end(_ boundary: RTFBoundary, _ state: RTFState)
  /// A row's properties begin; they stand before its cells or behind them.
  mutating func beginRowDefinition(_ state: RTFState)
  /// Ends a row of a table, or of a table in one.
  mutating func endRow(_ definition: RTFRowDefinition, _ boundary: RTFBoundary, _ state: RTFState)
  /// The outermost group ends.
  mutating func endDocument(_ state: RTFState, isOwn: Bool)
  /// Text up to `endListText` is a list item's marker.
  mutating func beginListText()
  mutating func endListText()
}

/// Reads RTF: applies control words to the state of their group and makes characters of bytes.
///
/// The text goes to the sink together with the state that it has. Groups are a stack of states, not
/// calls; what is hidden, deleted or in a destination that is not text never gets to the sink. Where
/// the file is damaged or ends early, what was read until then stands.
struct RTFParser<Sink: RTFSink> {
  /// What to do with HTML that was made RTF by Outlook (`\fromhtml1`, MS-OXRTFEX).
  enum EncapsulatedHTML {
    /// Read the HTML.
    case read
    /// Read what is there for readers that do not know of it.
    case ignore
  }

  var sink: Sink
  /// Whether the document says that it holds HTML.
  var encapsulatesHTML = false
  var tables = RTFTables()

  var tokenizer: RTFTokenizer
  let encapsulatedHTML: EncapsulatedHTML
  var stack = RTFStateStack()
  var characters = RTFCharacterAssembly()
  /// Text of small destinations, such as the description of a picture.
  var collected: [UInt8] = []

  /// The code page of the current font; nil if that has to be found out.
  var cachedPage: RTFCodePage?

  /// Fallback units to skip behind a `\u`.
  var fallbackUnits = 0
  /// Whether nothing but `\*` has come yet in the group.
  var isAtGroupStart = false
  var isStarred = false
  /// Whether bytes are characters here, and not hidden ones.
  var isVisible = true

  /// The row that `\trowd` began, and one of a nested table.
  var rowDefinition = RTFRowDefinition()
  var nestedRowDefinition = RTFRowDefinition()
  var picture = RTFPicture()

  /// Whether numbers stand where notes belong, and before the notes.
  var marksNotes = true
  /// Whether a blank that comes next stands behind a number that is left out.
  var dropsBlank = false
  /// The notes of the document, which are read when the rest has been.
  var notes: [RTFNote] = []
  /// The texts of shapes in the paragraph under way, which are read when it has ended.
  var boxes: [RTFNote] = []
  var isReadingBoxes = false
  /// The note that is read now, from 1.
  var currentNote: Int?

  init(_ rtf: [UInt8], into sink: Sink, encapsulatedHTML: EncapsulatedHTML) {
    tokenizer = RTFTokenizer(rtf, from: RTFHeader.start(in: rtf) ?? rtf.count)
    self.sink = sink
    self.encapsulatedHTML = encapsulatedHTML
  }

  /// Reads everything.
  mutating func read() {
    readGroup(endingAt: 0)
  }

  /// Reads until only so many groups are open.
  mutating func readGroup(endingAt depth: Int) {
    while let token = tokenizer.next() {
      switch token {
      case .groupStart:
        fallbackUnits = 0
        finishBytes()
        stack.push()
        isAtGroupStart = true
        isStarred = false
        beginGroup()
        continue
      case .groupEnd:
        fallbackUnits = 0
        if depth == 0, stack.depth == 1 {
          finishCharacters()
          sink.endDocument(stack.current, isOwn: tables.isOwn)
        }
        endGroup()
        if stack.depth <= depth { return finishCharacters() }
      case .word(let word):
        handle(word)
        if sink.isFull { return }
      case .symbol(UInt8(ascii: "*")):
        isStarred = isAtGroupStart
        continue
      case .symbol(let symbol):
        handle(symbol)
      case .hex(let byte):
        if takeFallbackUnits(1) == 0 { handleByte(byte) }
      case .text(let range):
        handleText(range)
      case .highBytes(let range):
        handleHighBytes(range)
      case .binary:
        // Belongs to the word before it, and so to its unit of fallback.
        break
      }
      isAtGroupStart = false
      isStarred = false
    }
    finishCharacters()
  }

  // MARK: Groups

  /// Makes the group one of a destination.
  ///
  /// - Returns: whether it is one now.
  @discardableResult
  mutating func enter(_ destination: RTFDestination) -> Bool {
    guard isAtGroupStart, stack.depth > 1 else { return false }
    // A group that is not remembered would leave its destination to the one around it.
    guard !stack.isOverflowing else {
      tokenizer.skipToGroupEnd()
      return false
    }
    finishCharacters()
    stack.current.destination = destination
    updateVisibility()
    return true
  }

  /// Skips the rest of the group.
  mutating func skipGroup() {
    // Damage: what is never closed is no group to skip.
    guard stack.depth > 1 else { return }
    tokenizer.skipToGroupEnd()
  }

  mutating func updateVisibility() {
    let state = stack.current
    isVisible = state.destination.hasText
    if isVisible, state.destination.isShown {
      isVisible =
        !state.isHidden && !state.isDeleted
        && !(state.isHTMLSuppressed && encapsulatedHTML == .read)
    }
  }

  // MARK: Control words

  private mutating func handle(_ word: RTFControlWord) {
    if fallbackUnits > 0 {
      switch word.keyword {
      case .unicode, .fallbackLength: fallbackUnits = 0
      case let keyword where keyword.isStructure: fallbackUnits = 0
      default: return fallbackUnits -= 1
      }
    }
    switch stack.current.destination {
    case .body, .listText, .htmlTag: handleInText(word)
    case .fontTable, .colorTable, .styleSheet, .listTable, .listOverrideTable, .oldList:
      handleInTable(word)
    case .alternatives: handleInAlternatives(word)
    case .shape, .picture, .propertyName, .propertyValue: handleInShape(word)
    case .generator, .ownMark, .fieldInstruction: handleInCollected(word)
    }
  }

  private mutating func handleInAlternatives(_ word: RTFControlWord) {
    if word.keyword == .unicodeAlternative, isAtGroupStart, !stack.isOverflowing {
      stack.current.destination = stack.current.alternativesDestination
      updateVisibility()
    } else if isStarred {
      skipGroup()
    }
  }

  /// Handles words in groups whose text is kept for later.
  private mutating func handleInCollected(_ word: RTFControlWord) {
    switch word.keyword {
    case .field:
      beginField()
    case .fieldInstruction:
      enterFieldInstruction()
    case .fieldResult, .transparent, .formField:
      break
    case .fieldState:
      tables.fields.setState(word, ofField: stack.current.instructedField)
    case .skipped, .attachment, .picture, .shape, .listText, .note:
      skipGroup()
    case .unknown where isStarred:
      skipGroup()
    default:
      handleCharacterWord(word)
    }
  }

  mutating func handleInText(_ word: RTFControlWord) {
    if handleCharacterWord(word) || handleParagraphWord(word) { return }
    switch word.keyword {
    case .unknown:
      if isStarred { skipGroup() }
    case .fieldResult, .transparent, .shapeText, .unicodeAlternative, .fieldState:
      break
    case .note: skipNote()
    case .noteMark: appendNoteMark()
    case .skipped, .formField, .property, .propertyName, .propertyValue, .pictureProperties:
      skipGroup()
    case .attachment:
      if isAtGroupStart, stack.depth > 1 { skipAttachment() }

    // The document
    case .ansi: setCharacterSet(RTFCodePage.windowsLatin1)
    case .mac: setCharacterSet(10000)
    case .dos: setCharacterSet(437)
    case .dosMultilingual: setCharacterSet(850)
    case .codePage:
      // UTF-8's number does not fit in 16 bits with a sign.
      let number = word.parameter ?? 0
      tables.fonts.ansiCodePage = number < 0 ? number + 0x1_0000 : number
      fontsChanged()
    case .defaultFont:
      tables.fonts.defaultFont = word.parameter ?? 0
      fontsChanged()
    case .encapsulatesHTML:
      if word.parameter != 0 { encapsulatesHTML = true }
    case .encapsulatesText:
      tables.isPlainText = word.parameter != 0

    // Rows of tables
    case .rowDefaults, .headerRow, .cellEdge, .firstMergedAcross, .mergedAcross, .firstMergedDown,
      .mergedDown:
      handleRowWord(word)

    // Boundaries
    case .paragraph: if isVisible { end(.paragraph) }
    case .line: if isVisible { end(.line) }
    case .section: if isVisible { end(.section) }
    case .cell: end(.cell)
    case .row: end(.row)
    case .nestedCell: end(.nestedCell)
    case .nestedRow: end(.nestedRow)

    // Destinations
    case .fontTable, .colorTable, .styleSheet, .listTable, .listOverrideTable, .oldList,
      .generator, .ownMark, .listText, .alternatives, .shape, .picture, .field, .fieldInstruction,
      .nestedRowProperties, .htmlTag:
      handleDestination(word)
    default:
      break
    }
  }

  private mutating func setCharacterSet(_ codePage: Int) {
    tables.fonts.characterSet = codePage
    fontsChanged()
  }

  private mutating func fontsChanged() {
    finishBytes()
    cachedPage = nil
  }

  private mutating func handle(_ symbol: UInt8) {
    guard takeFallbackUnits(1) == 0 else { return }
    switch symbol {
    case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      handleByte(symbol)
    case UInt8(ascii: " "):
      if isVisible { append(0x20) }
    case UInt8(ascii: "~"):
      if isVisible { append(0xA0) }
    case UInt8(ascii: "-"):
      if isVisible { append(0xAD) }
    case UInt8(ascii: "_"):
      if isVisible { append(0x2011) }
    default:
      break
    }
  }
}

/// What a document says before and beside its text.
struct RTFTables {
  var fonts = RTFFonts()
  var colors = RTFColors()
  var styles = RTFStyles()
  var lists = RTFLists()
  var fields = RTFFields()
  /// What clipview said of paragraphs of its own.
  var ownMarks: [[UInt8]] = []
  /// Whether the document is plain text that was made RTF (`\fromtext`).
  var isPlainText = false
  /// Whether clipview wrote it.
  var isOwn = false
}

/// A picture, as far as it is read.
struct RTFPicture {
  /// What to read in its place.
  var description: [UInt8] = []
  /// The name of the property whose value comes next.
  var propertyName: [UInt8] = []
  /// Whether the shape that is read holds one.
  var isPending = false
}
