internal import TextEncoding

// RTF as what it says: headings, paragraphs, lists, tables, code, links and emphasis.
//
//     {\rtf1\ansi Two kinds:\par                       Two kinds:
//     {\listtext\'95\tab}\ls1 gr\'fcn\par              • grün      (an item of a list)
//     {\listtext\'95\tab}\ls1 {\b black}\par\pard      • black     (an item, its text strong)
//     \trowd\intbl green\cell 3.50\cell\row            green | 3.50
//     \trowd\intbl black\cell 3.00\cell\row}           black | 3.00
//
// The bytes pass through three stages, once each: RTFTokenizer finds groups, control words and text;
// RTFParser keeps the state of the groups that are open (RTFState), leaves out what is not text and
// makes characters of bytes (RTFFonts, RTFCodePage, RTFCharacterAssembly); RTFDocument holds the
// paragraphs with all that was said of them. RTFComposer then makes attributed text of these: what a
// paragraph is depends on styles and lists, on properties behind it and on other paragraphs.

/// Reads RTF as word processors, mail programs and editors write it.
///
/// ```swift
/// let text = try RTFReader().read(bytes)
/// ```
///
/// - Headings are paragraphs with an outline level, of their own or through their style, or in a
///   style named "heading N". Their bold is no emphasis; neither is any look that the paragraph's
///   style has itself.
/// - Items of lists are what a list table, the lists of Word 6, or a bullet typed before a TAB in a
///   hanging indent say.
/// - Code is what stands in a style of preformatted text, or in a font of one width against the text
///   around it.
/// - Of fields the result is read; a hyperlink is a link.
/// - Footnotes and endnotes stand behind the text, each with the number that is in the text.
/// - Left out are headers, footers, annotations and embedded objects, and hidden and deleted
///   text. The text of a shape has paragraphs of its own before or behind the one in which the
///   shape is anchored. A picture is a ``TextImage`` without a source, and with the description that the document has.
/// - HTML that Outlook made RTF of (`\fromhtml1`) is read as HTML.
/// - What is damaged or ends early has the text that can be read of it. U+FFFD stands for bytes that
///   are no characters; control characters other than TAB never come out.
public struct RTFReader: Sendable {
  /// Why bytes cannot be read.
  public enum Failure: Error, Equatable {
    /// They do not begin as RTF does.
    case notRTF
    /// They hold more paragraphs than anybody copies: four million.
    case tooManyParagraphs
  }

  /// A reader.
  public init() {}

  /// Reads an RTF document.
  ///
  /// - Complexity: Linear, in time and memory, whatever the bytes are.
  public func read(_ rtf: [UInt8]) throws(Failure) -> AttributedText {
    try read(rtf, marksNotes: true)
  }

  /// - Parameter marksNotes: whether numbers stand where notes belong, and before the notes.
  func read(_ rtf: [UInt8], marksNotes: Bool) throws(Failure) -> AttributedText {
    guard RTFHeader.start(in: rtf) != nil else { throw .notRTF }
    if let text = Self.encapsulatedText(in: rtf) { return text }
    // Whatever is in it that is not the HTML that was promised, it is RTF still.
    var parser = RTFParser(
      rtf, into: RTFDocument(expecting: rtf.count / 4), encapsulatedHTML: .ignore)
    parser.marksNotes = marksNotes
    parser.read()
    // The last paragraph may have no mark.
    if !parser.boxes.isEmpty { parser.end(.section) }
    parser.readNotes()
    guard !parser.sink.isFull else { throw .tooManyParagraphs }
    parser.sink.finish()
    var composer = RTFComposer(parser.sink, parser.tables)
    return composer.compose()
  }

  /// What the HTML says that Outlook and Exchange made RTF of; nil where there is none, or nothing in
  /// it.
  static func encapsulatedText(in rtf: [UInt8]) -> AttributedText? {
    guard let html = encapsulatedHTML(in: rtf) else { return nil }
    // Its characters are ours now, whatever charset it names.
    let text = HTMLTextReader().read(html, charset: .utf8)
    return text.isEmpty ? nil : text
  }

  /// The HTML that Outlook and Exchange made RTF of, if this is such a document.
  static func encapsulatedHTML(in rtf: [UInt8]) -> [UInt8]? {
    guard RTFHeader.start(in: rtf) != nil, RTFHeader.mayHoldHTML(rtf) else { return nil }
    var parser = RTFParser(
      rtf, into: RTFEncapsulatedHTML(expecting: rtf.count), encapsulatedHTML: .read)
    parser.read()
    guard parser.encapsulatesHTML else { return nil }
    return parser.sink.html
  }
}

/// How RTF begins.
enum RTFHeader {
  /// Where `\fromhtml` stands, if it does: before all text and most tables.
  private static let longestHead = 16384

  /// Whether the head of the document has the word that says that it holds HTML.
  static func mayHoldHTML(_ rtf: [UInt8]) -> Bool {
    let head = min(rtf.count, longestHead)
    var position = 0
    while let backslash = rtf[position..<head].firstIndex(of: UInt8(ascii: "\\")) {
      if rtf.hasWord("\\fromhtml", at: backslash) { return true }
      position = backslash + 1
    }
    return false
  }

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
