/// Writes RTF, as word processors take it from a clipboard.
///
/// Everything is said twice, for readers that know styles and for those that do not: a heading has
/// the style and the outline level of one, and its size and weight; a list is in the list table and
/// has its markers typed out. Only 7-bit characters come out; others are written by their UTF-16.
///
/// The last paragraph has no mark of its own, so that text pasted within a line stays in it.
public struct RTFWriter: Sendable {
  /// How what text is looks.
  public var styleSheet: StyleSheet

  /// Whether links that could act (`javascript:`, `vbscript:`, `file:`, `data:`) come out as text
  /// only.
  public var isSafe: Bool

  /// A writer with clipview's own looks, unless told so.
  public init(styleSheet: StyleSheet = .standard, isSafe: Bool = false) {
    self.styleSheet = styleSheet
    self.isSafe = isSafe
  }

  /// The text as RTF.
  ///
  /// Takes time and memory by the length of text and result.
  public func write(_ text: AttributedText) -> [UInt8] {
    var output = RTFOutput(text, styleSheet: styleSheet, isSafe: isSafe)
    output.write()

    var rtf: [UInt8] = []
    rtf.reserveCapacity(output.bytes.count + 4096)
    rtf.append("{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0\n" as StaticString)
    output.fonts.append(to: &rtf)
    output.colors.append(to: &rtf)
    // Writer takes headings for headings from the clipboard only where the styles say nothing: with
    // an outline level here they come in as plain paragraphs.
    rtf.append("{\\stylesheet{\\s0 Normal;}" as StaticString)
    for level in 1...6 {
      rtf.append("{\\s" as StaticString)
      rtf.append(decimal: level)
      rtf.append(" heading " as StaticString)
      rtf.append(decimal: level)
      rtf.append(UInt8(ascii: ";"))
      rtf.append(UInt8(ascii: "}"))
    }
    rtf.append("{\\s7 Quote;}{\\s8 HTML Preformatted;}" as StaticString)
    rtf.append("{\\*\\cs9 HTML Code;}}\n" as StaticString)
    output.lists.append(to: &rtf)
    // For clipview itself: what indents and spaces mean when it reads them again.
    rtf.append("{\\*\\generator clipview;}\n" as StaticString)
    rtf.append(contentsOf: output.bytes)
    rtf.append("}\n" as StaticString)
    return rtf
  }
}
