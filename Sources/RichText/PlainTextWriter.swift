/// Writes text as a person would type it: without marks for what it is, but with its lines, lists
/// and tables; or all of it on one line.
///
///     # Tea                            Tea
///     - [Green](https://x/green)
///       - `Sencha`                     - Green (https://x/green)
///     1. black                           - Sencha
///
///     | Sort | Price |                 1. black
///     | ---- | ----: |
///     | 茶   | 3.50  |                 Sort  Price
///                                      ----  -----
///                                      茶     3.50
///
/// No line break stands at either end: text that is pasted into a terminal runs nothing.
public struct PlainTextWriter: Sendable {
  /// What becomes of lines.
  public enum Style: Sendable {
    /// Paragraphs and lines stay what they are.
    case readable
    /// Lines and paragraphs are joined by one blank; see ``PlainTextWriter/flat``.
    case flat
  }

  /// How the cells of a row stand beside each other.
  public enum Cells: Sendable {
    /// In columns, as wide on a terminal as their widest cell.
    case aligned
    /// Separated by a TAB, as spreadsheets read and write them.
    case tabbed
  }

  /// What becomes of lines.
  public var style: Style

  /// How the cells of a row stand beside each other; not in a flat text.
  public var cells = Cells.aligned

  /// Whether blank lines stand between paragraphs; else they are lines below each other, as word
  /// processors have it.
  public var hasBlankLines = true

  /// Whether the URL of a link follows its text, where the text is not that URL; never in a flat
  /// text.
  public var showsLinks = true

  /// Whether `> ` stands before the lines of quotes; never in a flat text.
  public var marksQuotes = true

  /// Whether a flat text keeps the ends of paragraphs, items, rows and the like.
  public var keepsParagraphEnds = false

  /// Whether a flat text keeps the numbers of items, and `• ` for bullets.
  public var keepsMarkers = false

  /// A writer that keeps lines, unless told so.
  public init(style: Style = .readable) {
    self.style = style
  }

  /// All on one line.
  ///
  /// Lines and paragraphs are joined by one blank; by nothing between two characters of Chinese or
  /// Japanese, and where a soft hyphen stands at the end of a line, which goes. Marks of lists and
  /// quotes go as well. Code keeps its lines: what they mean is lost without their ends.
  public static let flat = PlainTextWriter(style: .flat)

  /// The text, in UTF-8.
  ///
  /// Takes time and memory by the length of the text; what a table needs to fill its columns up to
  /// is bounded.
  public func write(_ text: AttributedText) -> [UInt8] {
    switch style {
    case .readable:
      var output = PlainTextOutput(text, options: self)
      return output.write()
    case .flat:
      var output = FlatTextOutput(text, options: self)
      return output.write()
    }
  }
}
