// HTML as a person would type it: without tags, but with its lines, lists and tables.
//
//     <h1>Tea</h1><p>Two <b>kinds</b>:</p>        Tea
//     <ul><li>green<li>black<ul><li>Assam</ul>
//     </ul><table><tr><td>green<td>3.50           Two kinds:
//     <tr><td>black<td>3.00</table>
//                                                 - green
//                                                 - black
//                                                   - Assam
//
//                                                 green →  3.50      (→ is a TAB)
//                                                 black →  3.00
//
// The bytes pass through three stages, once each: HTMLTokenizer finds tags, comments and text by the
// WHATWG's rules; HTMLTextReader keeps the elements that are open and knows what they do to text;
// LineWriter owes line breaks, blanks and list markers until there is text for them to stand
// before, so that none is ever taken back.

/// Makes plain text of HTML.
package enum HTMLPlainText {
  /// The text of an HTML document or fragment, both in UTF-8.
  ///
  /// - White space collapses as in a browser, except in `pre`, `textarea` and where an inline
  ///   `white-space` keeps it; no-break spaces stay what they are.
  /// - A blank line separates paragraphs, headings, lists, quotations and preformatted text; other
  ///   blocks, rows and `br` end a line. A paragraph whose own style sets a margin of zero, as mail
  ///   programs, Qt and LibreOffice write lines, has no blank line on that side.
  /// - Items of lists begin with `- ` or their number and are indented by two blanks a level; cells
  ///   are separated by a TAB, `hr` is `---`, an image its `alt` text.
  /// - What a browser does not show is left out: scripts, styles, titles, templates, `noscript`, what
  ///   is `hidden` or `display: none`, the fallback content of media.
  /// - Of a document that names its fragment (`<!--StartFragment-->` and `<!--EndFragment-->`) only
  ///   the fragment is read, in the light of the elements around it.
  /// - No line break stands at either end: text that is pasted into a terminal runs nothing.
  ///
  /// Style sheets are not read. Bytes that are not UTF-8 are handed on as they are.
  ///
  /// - Complexity: Linear, in time and memory, whatever the bytes are. The text has at most ten times
  ///   the size of the HTML.
  package static func text(of html: [UInt8]) -> [UInt8] {
    var reader = HTMLTextReader(html)
    return reader.read()
  }
}
