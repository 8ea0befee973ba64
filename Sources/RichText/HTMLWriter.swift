/// Writes HTML: what text is as elements, and how it looks, where a text says so, as inline styles.
///
/// Of a text read from Markdown it writes what CommonMark and GFM say, to the byte:
///
///     - [x] *b*        <ul>
///     - `c`            <li><input checked="" disabled="" type="checkbox"> <em>b</em></li>
///                      <li><code>c</code></li>
///                      </ul>
///
/// A fragment (``AttributedText/isFragment``) comes without a paragraph around it.
public struct HTMLWriter: Sendable {
  /// Whether nothing that could act may come out: no scripts, styles and frames of raw HTML, no
  /// event handlers, no `javascript:`, `vbscript:`, `file:` and no `data:` URLs but of pictures.
  ///
  /// Raw HTML then passes by a list of elements and attributes that are known to be harmless. What
  /// an element holds that is not on the list stays, unless it is no text, as that of a script.
  public var isSafe: Bool

  /// Whether tags of raw HTML that change how all that follows is read (`script`, `style`, `title`,
  /// `textarea`, `xmp`, `iframe`, `noembed`, `noframes`, `plaintext`) come out as text, as GFM's
  /// extension "disallowed raw HTML" has it.
  ///
  /// That keeps a page in shape, no more; ``isSafe``, which leaves them out, goes before it.
  public var filtersTags = false

  /// Whether a whole document is written, that names its encoding, or just what stands in its body.
  public var isDocument: Bool

  /// A writer of fragments, raw HTML as it stands, unless told so.
  public init(isSafe: Bool = false, isDocument: Bool = false) {
    self.isSafe = isSafe
    self.isDocument = isDocument
  }

  /// The text as HTML, in UTF-8.
  ///
  /// Takes time and memory by the length of text and result.
  public func write(_ text: AttributedText) -> [UInt8] {
    var output = HTMLOutput(text, options: self)
    if isDocument {
      output.bytes.append("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n")
      if let title = title(of: text) {
        output.bytes.append("<title>" as StaticString)
        output.bytes.appendHTML(escaping: title)
        output.bytes.append("</title>\n" as StaticString)
      }
      output.bytes.append("</head>\n<body>\n" as StaticString)
    }
    output.writeBlocks()
    if isDocument {
      output.endLine()
      output.bytes.append("</body>\n</html>\n" as StaticString)
    }
    return output.bytes
  }

  /// The text of the first heading, if it comes soon and is short.
  private func title(of text: AttributedText) -> ArraySlice<UInt8>? {
    for index in text.blocks.indices.prefix(8) {
      guard case .heading = text.blocks[index].kind else { continue }
      let range = text.blockRange(index)
      let isPlain = text.runs(in: range).allSatisfy {
        $0.attributes.image == nil && !$0.attributes.isMarkup
      }
      guard isPlain, (2...200).contains(range.count) else { return nil }
      return text.utf8[range].dropLast()
    }
    return nil
  }
}
