/// Makes plain text of HTML: reads it and writes its text in lines.
package enum HTMLPlainText {
  /// The text of an HTML document or fragment, as a person would type it.
  ///
  /// Cells are separated by a TAB, as spreadsheets read them, and of links only their text is there.
  /// No line break stands at either end: text that is pasted into a terminal runs nothing.
  ///
  /// - Complexity: Linear, in time and memory, whatever the bytes are.
  package static func text(of html: [UInt8]) -> [UInt8] {
    var writer = PlainTextWriter()
    writer.cells = .tabbed
    writer.showsLinks = false
    return writer.write(HTMLTextReader().read(html))
  }
}
