/// What the text of a group is.
enum RTFDestination {
  case body
  /// The number or bullet of a list item, typed out for readers that know nothing of lists.
  case listText
  case fontTable
  /// `\upr`: the same text twice, of which only the part in Unicode is read.
  case alternatives
  /// The properties of a shape, among which there may be its text.
  case shape
  /// A tag or the like of encapsulated HTML.
  case htmlTag

  var isText: Bool {
    switch self {
    case .body, .listText, .htmlTag: true
    case .fontTable, .alternatives, .shape: false
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
  /// The font's number, or nil for the default font.
  var font: Int?
  var isHidden = false
  var isDeleted = false
  /// Within `\htmlrtf` … `\htmlrtf0`: only for readers that do not see the encapsulated HTML.
  var isHTMLSuppressed = false

  var isInTable = false
  /// Set by `\itap`.
  var tableDepth = 1
  /// Set by `\ls`; 0 for none.
  var list = 0
  /// Set by `\ilvl`.
  var listLevel = 0

  mutating func resetCharacter() {
    font = nil
    isHidden = false
    isDeleted = false
  }

  mutating func resetParagraph() {
    isInTable = false
    tableDepth = 1
    list = 0
    listLevel = 0
  }

  /// Number of tables around the paragraph.
  var enclosingTables: Int { isInTable ? max(1, tableDepth) : 0 }
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
