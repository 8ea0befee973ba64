/// Writes Markdown: CommonMark with the tables, struck-through text and task lists of GitHub.
///
///     MarkdownWriter().write(text)
///
/// What is written reads again as the text it was made from, as far as Markdown can say it. A
/// character is escaped only where it would mean something: `2 * 3`, `C:\dir` and `snake_case` stay as
/// they are. Looks that have no mark in Markdown are left out, but bold, slanted, struck-through and
/// monospaced text is marked even if only its style says so.
public struct MarkdownWriter: Sendable {
  /// Whether the result reads again exactly: with blanks at the ends of lines, which Markdown drops
  /// unless they are written as `&#32;`, and with addresses that are no links, written `https\://…`.
  ///
  /// Both mean something in text that was read from Markdown, where somebody wrote them so. Elsewhere
  /// such blanks mean nothing as a rule, and an address may as well become a link.
  public var isExact: Bool

  /// A writer whose results read again exactly, unless told otherwise.
  public init(isExact: Bool = true) {
    self.isExact = isExact
  }

  /// The text as Markdown, in UTF-8, with a line end behind the last line, unless the text is a
  /// fragment.
  ///
  /// Takes time by the length of text and result.
  public func write(_ text: AttributedText) -> [UInt8] {
    var output = MarkdownOutput(text, isExact: isExact)
    output.writeBlocks()
    var bytes = output.bytes
    if text.isFragment, bytes.last == .lineFeed { bytes.removeLast() }
    return bytes
  }
}
