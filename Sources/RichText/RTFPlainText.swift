/// Makes plain text of RTF.
package enum RTFPlainText {
  /// The text of an RTF document, in UTF-8; nil if it is not RTF at all.
  ///
  /// Paragraphs are lines and cells are separated by a TAB, as in the plain text that word processors
  /// offer themselves.
  package static func text(of rtf: [UInt8]) -> [UInt8]? {
    if let html = RTFReader.encapsulatedHTML(in: rtf) {
      let text = HTMLPlainText.text(of: html)
      if !text.isEmpty { return text }
    }
    guard let text = try? RTFReader().read(rtf) else { return nil }
    var writer = PlainTextWriter()
    writer.cells = .tabbed
    writer.hasBlankLines = false
    writer.showsLinks = false
    writer.marksQuotes = false
    return writer.write(text)
  }
}
