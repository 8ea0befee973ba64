/// Properties of characters that are there or not.
struct RTFLook: OptionSet, Hashable {
  var rawValue: UInt16

  static let bold = RTFLook(rawValue: 1)
  static let italic = RTFLook(rawValue: 2)
  static let struck = RTFLook(rawValue: 4)
  static let underlined = RTFLook(rawValue: 8)
  static let superscript = RTFLook(rawValue: 16)
  static let subscripted = RTFLook(rawValue: 32)

  mutating func set(_ look: RTFLook, _ isOn: Bool) {
    if isOn { insert(look) } else { remove(look) }
  }
}

/// How characters look: what `\plain` resets, and the field that they are the result of.
struct RTFCharacterFormat: Hashable {
  var look: RTFLook = []
  /// Numbers of the colour table; 0 is that of the program.
  var foreground: UInt16 = 0
  var background: UInt16 = 0
  /// The font's number; `nil` is the default font.
  var font: Int32?
  /// The number of the character style (`\cs`).
  var style: Int32?
  /// The innermost field, among ``RTFFields``.
  var field: Int32?

  mutating func reset() {
    let field = self.field
    self = RTFCharacterFormat()
    self.field = field
  }
}

/// What `\pard` resets.
struct RTFParagraphFormat: Equatable {
  /// The number of the paragraph style (`\s`).
  var style: Int32 = 0
  /// Set by `\ls`; 0 for none.
  var list: Int32 = 0
  /// Set by `\ilvl`.
  var listLevel: Int32 = 0
  /// The list of old (`\pn`) among those of the document, and 1; 0 for none.
  var oldList: Int32 = 0
  /// In twentieths of a point, as all lengths.
  var leftIndent: Int32 = 0
  var firstIndent: Int32 = 0
  var rightIndent: Int32 = 0
  var spaceAfter: Int32 = 0
  /// Set by `\itap`.
  var tableDepth: Int32 = 1
  var isInTable = false
  var hasBorder = false
  /// 0 for a heading of the first level; `nil` where the paragraph does not say.
  var outlineLevel: Int8?
  var alignment: Paragraph.Alignment?
  /// What clipview itself said of the paragraph, among the marks of the document.
  var ownMark: Int32?

  /// Number of tables around the paragraph.
  var enclosingTables: Int { isInTable ? max(1, Int(tableDepth)) : 0 }
}

extension Int32 {
  /// A parameter, or the value that it stands for where there is none.
  init(parameter: Int?, or value: Int32) {
    self = parameter.map(Int32.init(clamping:)) ?? value
  }
}

/// What `\trowd` and the words behind it say of a row.
struct RTFRowDefinition {
  struct Cell: Equatable {
    /// Where the cell ends, counted from the left margin.
    var rightEdge: Int32
    var merge = RTFCellMerge()
  }

  var isHeader = false
  var cells: [Cell] = []
  /// What was said of the cell whose edge comes next.
  var pendingMerge = RTFCellMerge()

  private static let limit = 1024

  mutating func addCell(endingAt edge: Int32) {
    if cells.count < RTFRowDefinition.limit {
      cells.append(Cell(rightEdge: edge, merge: pendingMerge))
    }
    pendingMerge = RTFCellMerge()
  }
}

/// How a cell is one with others.
struct RTFCellMerge: OptionSet {
  var rawValue: UInt8

  static let firstAcross = RTFCellMerge(rawValue: 1)
  /// Is part of the cell to the left.
  static let across = RTFCellMerge(rawValue: 2)
  static let firstDown = RTFCellMerge(rawValue: 4)
  /// Is part of the cell above.
  static let down = RTFCellMerge(rawValue: 8)
}
