/// What ends or divides text.
enum RTFBoundary {
  case paragraph
  /// A line end within a paragraph.
  case line
  /// A section, page or column, or the text of a shape: a line ends here, if there is one.
  case section
  case cell
  case row
  case nestedCell
  case nestedRow
}

/// What becomes of the text that is read.
protocol RTFSink {
  /// Text without control characters but TAB.
  mutating func append(_ ascii: ArraySlice<UInt8>, _ state: RTFState)
  mutating func append(_ scalar: UInt32, _ state: RTFState)
  mutating func end(_ boundary: RTFBoundary, _ state: RTFState)
  /// Text up to `endListText` is a list item's marker.
  mutating func beginListText()
  mutating func endListText()
}

/// Reads RTF: applies control words to the state of their group and makes characters of bytes.
///
/// The text goes to the sink together with the state that it has. Groups are a stack of states, not
/// calls; what is hidden, deleted or in a destination that is not text never gets to the sink. Where
/// the file is damaged or ends early, what was read until then stands.
struct RTFReader<Sink: RTFSink> {
  /// What to do with HTML that was made RTF by Outlook (`\fromhtml1`, MS-OXRTFEX).
  enum EncapsulatedHTML {
    /// Stop where the document says that it holds HTML.
    case report
    /// Read the HTML.
    case read
    /// Read what is there for readers that do not know of it.
    case ignore
  }

  var sink: Sink
  /// Whether the document says that it holds HTML.
  private(set) var encapsulatesHTML = false

  var tokenizer: RTFTokenizer
  private let encapsulatedHTML: EncapsulatedHTML
  var stack = RTFStateStack()
  var fonts = RTFFonts()
  var characters = RTFCharacterAssembly()

  /// The code page of the current font; nil if that has to be found out.
  var cachedPage: RTFCodePage?

  /// Fallback units to skip behind a `\u`.
  var fallbackUnits = 0
  /// Whether nothing but `\*` has come yet in the group.
  private var isAtGroupStart = false
  private var isStarred = false
  /// Whether text is to be seen here.
  var isVisible = true

  init(_ rtf: [UInt8], into sink: Sink, encapsulatedHTML: EncapsulatedHTML) {
    tokenizer = RTFTokenizer(rtf, from: RTFHeader.start(in: rtf) ?? rtf.count)
    self.sink = sink
    self.encapsulatedHTML = encapsulatedHTML
  }

  /// Reads everything.
  mutating func read() {
    while let token = tokenizer.next() {
      switch token {
      case .groupStart:
        fallbackUnits = 0
        finishBytes()
        stack.push()
        isAtGroupStart = true
        isStarred = false
        continue
      case .groupEnd:
        fallbackUnits = 0
        endGroup()
        if stack.depth == 0 { return finishCharacters() }
      case .word(let word):
        handle(word)
        if encapsulatesHTML, encapsulatedHTML == .report { return }
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

  private mutating func endGroup() {
    let inner = stack.current
    // A pair of surrogates may stand in two groups, but not partly in a marker.
    if inner.destination == .body { finishBytes() } else { finishCharacters() }
    stack.pop()
    if inner.font != stack.current.font { cachedPage = nil }
    if inner.destination != stack.current.destination {
      leave(inner.destination)
    }
    updateVisibility()
  }

  private mutating func leave(_ destination: RTFDestination) {
    switch destination {
    case .listText:
      sink.endListText()
    case .fontTable:
      cachedPage = nil
    case .body:
      finishCharacters()
      if stack.current.destination == .shape { sink.end(.section, stack.current) }
    case .alternatives, .shape, .htmlTag:
      break
    }
  }

  /// Makes the group one of a destination.
  private mutating func enter(_ destination: RTFDestination) {
    guard isAtGroupStart, stack.depth > 1, destination != stack.current.destination else { return }
    // A group that is not remembered would leave its destination to the one around it.
    guard !stack.isOverflowing else { return tokenizer.skipToGroupEnd() }
    if destination == .listText {
      finishCharacters()
      sink.beginListText()
    }
    stack.current.destination = destination
    updateVisibility()
  }

  /// Skips the rest of the group.
  private mutating func skipGroup() {
    // Damage: what is never closed is no group to skip.
    guard stack.depth > 1 else { return }
    tokenizer.skipToGroupEnd()
  }

  private mutating func updateVisibility() {
    let state = stack.current
    isVisible =
      state.destination.isText && !state.isHidden && !state.isDeleted
      && !(state.isHTMLSuppressed && encapsulatedHTML == .read)
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
    case .fontTable: handleInFontTable(word)
    case .alternatives: handleInAlternatives(word)
    case .shape: handleInShape(word)
    case .body, .listText, .htmlTag: handleInText(word)
    }
  }

  private mutating func handleInFontTable(_ word: RTFControlWord) {
    switch word.keyword {
    case .font: fonts.define(word.parameter ?? 0)
    case .fontCharset: fonts.setCharset(word.parameter ?? 0)
    case .fontCodePage: fonts.setCodePage(word.parameter ?? 0)
    case .skipped: skipGroup()
    default: if isStarred { skipGroup() }
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

  private mutating func handleInShape(_ word: RTFControlWord) {
    switch word.keyword {
    case .shapeText where isAtGroupStart && !stack.isOverflowing:
      stack.current.destination = .body
      stack.current.resetParagraph()
      updateVisibility()
      if isVisible { end(.section) }
    case .shape: break
    case .skipped: skipGroup()
    default: if isStarred { skipGroup() }
    }
  }

  private mutating func handleInText(_ word: RTFControlWord) {
    let parameter = word.parameter
    let isOn = parameter != 0
    switch word.keyword {
    case .unknown:
      if isStarred { skipGroup() }
    case .transparent, .shapeText:
      break
    case .skipped:
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
      let number = parameter ?? 0
      fonts.ansiCodePage = number < 0 ? number + 0x1_0000 : number
      fontsChanged()
    case .defaultFont:
      fonts.defaultFont = parameter ?? 0
      fontsChanged()
    case .encapsulatesHTML:
      if isOn { encapsulatesHTML = true }

    // Characters
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

    // What applies to characters
    case .font:
      finishBytes()
      stack.current.font = parameter ?? 0
      cachedPage = nil
    case .fontCharset, .fontCodePage:
      break
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

    // What applies to paragraphs
    case .paragraphDefaults: stack.current.resetParagraph()
    case .inTable: stack.current.isInTable = isOn
    case .tableDepth: stack.current.tableDepth = parameter ?? 1
    case .list: stack.current.list = parameter ?? 0
    case .listLevel: stack.current.listLevel = parameter ?? 0

    // Boundaries
    case .paragraph: if isVisible { end(.paragraph) }
    case .line: if isVisible { end(.line) }
    case .section: if isVisible { end(.section) }
    case .cell: end(.cell)
    case .row: end(.row)
    case .nestedCell: end(.nestedCell)
    case .nestedRow: end(.nestedRow)

    // Destinations
    case .fontTable: enter(.fontTable)
    case .listText: enter(.listText)
    case .alternatives:
      stack.current.alternativesDestination = stack.current.destination
      enter(.alternatives)
    case .unicodeAlternative: break
    case .shape: enter(.shape)
    case .htmlTag:
      if encapsulatedHTML == .read { enter(.htmlTag) } else { skipGroup() }
    }
  }

  private mutating func setCharacterSet(_ codePage: Int) {
    fonts.characterSet = codePage
    fontsChanged()
  }

  private mutating func fontsChanged() {
    finishBytes()
    cachedPage = nil
  }

  /// Cocoa names an attached file in a group and lets one character stand for it.
  private mutating func skipAttachment() {
    tokenizer.skipToGroupEnd()
    if case .groupEnd? = tokenizer.next() {
      endGroup()
      fallbackUnits = 1
    }
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
