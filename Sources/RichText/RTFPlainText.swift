// RTF as a person would type it: without control words, but with its lines, lists and tables.
//
//     {\rtf1\ansi Two kinds:\par                       Two kinds:
//     {\listtext\'95\tab}\ls1 gr\'fcn\par              - grün
//     {\listtext\'95\tab}\ls1 black\par\pard           - black
//     \trowd\intbl green\cell 3.50\cell\row            green →  3.50      (→ is a TAB)
//     \trowd\intbl black\cell 3.00\cell\row}           black →  3.00
//
// The bytes pass through three stages, once each: RTFTokenizer finds groups, control words and text;
// RTFReader keeps the state of the groups that are open (RTFState), leaves out what is not text and
// makes characters of bytes (RTFFonts, RTFCodePage, RTFCharacterAssembly); RTFTextLayout makes lines
// of paragraphs and cells.

/// Makes plain text of RTF.
package enum RTFPlainText {
  /// The text of an RTF document, in UTF-8; nil if it is not RTF at all.
  ///
  /// - Paragraphs are lines, `\line` ends one too. No line end stands at either end: text that is
  ///   pasted into a terminal runs nothing.
  /// - Items of lists begin with the number that the document has for them, or `- ` in place of any
  ///   bullet, and are indented by two blanks a level. Lists without typed-out markers
  ///   (`\listtext`, `\pntext`) have none.
  /// - Cells are separated by a TAB and rows are lines; a table in a cell has its rows there.
  /// - Of fields the result is shown. Headers, footers, footnotes, annotations, pictures and embedded
  ///   objects are left out, and so is hidden and deleted text; the text of a shape has lines of its
  ///   own where the shape is anchored.
  /// - HTML that Outlook made RTF of (`\fromhtml1`) is read as HTML.
  /// - What is damaged or ends early has the text that can be read of it. U+FFFD stands for bytes
  ///   that are no characters; control characters other than TAB never come out.
  ///
  /// - Complexity: Linear, in time and memory, whatever the bytes are. The text has at most ten times
  ///   the size of the RTF.
  package static func text(of rtf: [UInt8]) -> [UInt8]? {
    guard RTFHeader.start(in: rtf) != nil else { return nil }
    var reader = RTFReader(
      rtf, into: RTFTextLayout(expecting: rtf.count / 4), encapsulatedHTML: .report)
    reader.read()
    guard reader.encapsulatesHTML else { return reader.sink.take() }

    var htmlReader = RTFReader(
      rtf, into: RTFEncapsulatedHTML(expecting: rtf.count), encapsulatedHTML: .read)
    htmlReader.read()
    let text = HTMLPlainText.text(of: htmlReader.sink.html)
    if !text.isEmpty { return text }

    // Whatever is in it, it is not the HTML that was promised.
    reader = RTFReader(
      rtf, into: RTFTextLayout(expecting: rtf.count / 4), encapsulatedHTML: .ignore)
    reader.read()
    return reader.sink.take()
  }
}

/// How RTF begins.
enum RTFHeader {
  /// Where the first group begins, or nil if this is no RTF.
  static func start(in bytes: [UInt8]) -> Int? {
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count, bytes[start].isHTMLSpace { start += 1 }
    let end = start + 5
    guard bytes[start...].starts(with: "{\\rtf".utf8) else { return nil }
    if end < bytes.count, bytes[end].isASCIILetter { return nil }
    return start
  }
}
