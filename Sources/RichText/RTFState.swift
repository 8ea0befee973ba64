/// What the text of a group is.
enum RTFDestination {
  case body
  /// The number or bullet of a list item, typed out for readers that know nothing of lists.
  case listText
  /// `\upr`: the same text twice, of which only the part in Unicode is read.
  case alternatives
  /// A tag or the like of encapsulated HTML.
  case htmlTag

  case fontTable
  case colorTable
  case styleSheet
  case listTable
  case listOverrideTable
  /// A list as Word 6 and RichEdit write it.
  case oldList
  case generator
  case ownMark

  /// The properties of a shape, among which there may be its text.
  case shape
  case propertyName
  case propertyValue
  case picture

  case fieldInstruction

  /// Whether bytes here are characters.
  var hasText: Bool {
    switch self {
    case .body, .listText, .htmlTag, .styleSheet, .generator, .ownMark, .propertyName,
      .propertyValue, .fieldInstruction:
      true
    case .alternatives, .fontTable, .colorTable, .listTable, .listOverrideTable, .oldList, .shape,
      .picture:
      false
    }
  }

  /// Whether the text here is the document's.
  var isShown: Bool {
    switch self {
    case .body, .listText, .htmlTag: true
    default: false
    }
  }
}

/// What applies until the end of the group.
struct RTFState {
  var destination = RTFDestination.body
  /// What `\ud` in `\upr` goes back to.
  var alternativesDestination = RTFDestination.body

  /// Number of fallback units behind each `\u` (`\uc`).
  var fallbackLength = 1
  var isHidden = false
  var isDeleted = false
  /// Within `\htmlrtf` … `\htmlrtf0`: only for readers that do not see the encapsulated HTML.
  var isHTMLSuppressed = false
  /// Whether `\trowd` here tells of a row of a nested table.
  var isInNestedRowProperties = false
  /// The field whose instruction is read, in that destination.
  var instructedField: Int32?

  var character = RTFCharacterFormat()
  var paragraph = RTFParagraphFormat()

  mutating func resetCharacter() {
    character.reset()
    isHidden = false
    isDeleted = false
  }

  mutating func resetParagraph() {
    paragraph = RTFParagraphFormat()
  }
}

/// The states of the groups that are open.
struct RTFStateStack {
  var current = RTFState()
  private var outer: [RTFState] = []
  /// Groups beyond the limit, which have no state of their own.
  private var unremembered = 0

  static let limit = 4096

  var isOverflowing: Bool { unremembered > 0 }

  /// Number of groups that are open.
  var depth: Int { outer.count + unremembered }

  mutating func push() {
    if outer.count < RTFStateStack.limit {
      outer.append(current)
    } else {
      unremembered += 1
    }
  }

  /// Goes back to the state before the group.
  mutating func pop() {
    if unremembered > 0 {
      unremembered -= 1
    } else if let state = outer.popLast() {
      current = state
    }
  }
}
