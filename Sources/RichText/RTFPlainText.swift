/// Makes plain text of RTF.
package enum RTFPlainText {
  /// The text of an RTF document, in UTF-8; nil if it is not RTF at all.
  ///
  /// Paragraphs are lines and cells are separated by a TAB, as in the plain text that word processors
  /// offer themselves.
  package static func text(of rtf: [UInt8]) -> [UInt8]? {
    var writer = PlainTextWriter()
    writer.cells = .tabbed
    writer.showsLinks = false
    if let text = RTFReader.encapsulatedText(in: rtf) { return writer.write(text) }
    guard let text = try? RTFReader().read(rtf, marksNotes: false) else { return nil }
    writer.hasBlankLines = false
    writer.marksQuotes = false
    return writer.write(text)
  }
}
