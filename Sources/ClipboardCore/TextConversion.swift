package import Pasteboard
internal import RichText
internal import TextEncoding

/// From one format of text to another.
package struct TextConversion: Sendable {
  package let source: TextFormat
  package let target: TextFormat
  /// Whether HTML is written without what could act.
  package var isSafe = false
  /// What the result is for, which decides what stands around it.
  package var purpose = Purpose.stream

  package enum Purpose: Sendable {
    /// HTML is what stands in a body, text ends with a line end.
    case stream
    /// HTML is a whole document, text ends with a line end.
    case file
    /// HTML has its charset in front, since readers of the Chromium family take Latin-1 otherwise; text
    /// has no line end more than its lines.
    case clipboard
  }

  /// The longest text that is converted: the model of a text takes several times as much as the text,
  /// and whoever serves a selection must not die of what somebody asks for.
  package static let maximumLength = 64 << 20

  /// Nil where the source cannot be read or the target cannot be written.
  package init?(from source: TextFormat, to target: TextFormat) {
    self.source = source
    self.target = target
    guard isDirect || Self.readable.contains(source) && Self.writable.contains(target) else {
      return nil
    }
  }

  /// - Throws: ``TextConversionFailure``.
  package func convert(_ payload: Payload) throws -> Payload {
    guard payload.count <= Self.maximumLength else {
      throw TextConversionFailure.tooLong(limit: Self.maximumLength)
    }
    if let bytes = try direct(payload) { return Payload(bytes) }
    return Payload(try written(try source.document(payload)))
  }

  /// The content as UTF-8 where the name of its type tells its charset
  /// (`text/html;charset=windows-1252`), else as it is; nil where it is no text in that charset.
  package func decoded(_ payload: Payload, asTold type: String) -> Payload? {
    guard source != .rtf, let charset = declaredCharset(ofTarget: type) else { return payload }
    guard let text = decodeText(payload, charset: charset)?.payload else { return nil }
    return source == .html ? text.markedAsUTF8 : text
  }

  // MARK: By the model

  /// The formats that can be read.
  private static let readable: [TextFormat] = [.markdown, .html, .rtf, .plain, .csv, .tsv]
  /// The formats that can be written.
  private static let writable: [TextFormat] = [.markdown, .html, .rtf, .plain, .csv, .tsv]

  private func written(_ document: AttributedText) throws -> [UInt8] {
    // HTML in Markdown passes through to HTML, and is read for what cannot say it.
    let passesMarkup = target == .html || target == .markdown
    let text = passesMarkup ? document : document.readingMarkup()
    switch target {
    case .html:
      let charset = purpose == .clipboard ? Array(#"<meta charset="utf-8">"#.utf8) : []
      return charset + HTMLWriter(isSafe: isSafe, isDocument: purpose == .file).write(text)
    case .plain:
      return ended(PlainTextWriter().write(text))
    case .markdown:
      // Blanks at the ends of lines mean something only where a Markdown text was written so.
      return MarkdownWriter(isExact: source == .markdown).write(text)
    case .rtf:
      return RTFWriter(isSafe: isSafe).write(text)
    case .csv, .tsv:
      guard let table = DelimitedTextWriter(target == .tsv ? .tab : .comma).write(text) else {
        throw TextConversionFailure.noTable
      }
      return table
    }
  }

  /// Text with a line end at its end, where that is wanted.
  private func ended(_ text: [UInt8]) -> [UInt8] {
    let isEnded = text.isEmpty || text.last == UInt8(ascii: "\n")
    return purpose == .clipboard || isEnded ? text : text + [UInt8(ascii: "\n")]
  }

  // MARK: Without it

  private var isDirect: Bool {
    switch (source, target) {
    case (.plain, .html), (.csv, .html), (.tsv, .html), (.html, .plain), (.rtf, .plain): true
    case (.plain, .plain), (.csv, .plain), (.tsv, .plain), (.csv, .csv), (.tsv, .tsv): true
    default: false
    }
  }

  /// What needs no model; nil for all else.
  private func direct(_ payload: Payload) throws -> [UInt8]? {
    switch (source, target) {
    case (.plain, .html), (.csv, .html), (.tsv, .html):
      return preformattedHTML(of: utf8(payload).bytes)
    case (.html, .plain):
      return ended(HTMLPlainText.text(of: payload.bytes))
    case (.rtf, .plain):
      // Lines and tabs, as word processors offer the text of a document themselves.
      guard let text = RTFPlainText.text(of: payload.bytes) else {
        throw TextConversionFailure.notInItsFormat(.rtf)
      }
      return ended(text)
    case (.plain, .plain), (.csv, .plain), (.tsv, .plain), (.csv, .csv), (.tsv, .tsv):
      return utf8(payload).bytes
    default:
      return nil
    }
  }

  /// Plain text as HTML that looks like it: escaped, its line ends and blanks kept.
  private func preformattedHTML(of text: [UInt8]) -> [UInt8] {
    var html: [UInt8] = []
    html.reserveCapacity(text.count + text.count / 8 + 128)
    switch purpose {
    case .stream: break
    case .clipboard: html += #"<meta charset="utf-8">"#.utf8
    case .file: html += "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title></title>\n".utf8
    }
    html += "<pre>".utf8
    // HTML drops a line end right behind `<pre>`.
    if text.first == UInt8(ascii: "\n") { html.append(UInt8(ascii: "\n")) }
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): html += "&amp;".utf8
      case UInt8(ascii: "<"): html += "&lt;".utf8
      case UInt8(ascii: ">"): html += "&gt;".utf8
      default: html.append(byte)
      }
    }
    html += "</pre>".utf8
    if purpose != .clipboard { html.append(UInt8(ascii: "\n")) }
    return html
  }
}

/// Text of a converter's source as UTF-8, what cannot be read as U+FFFD: a copy hands its bytes on as
/// they were given, in whatever charset.
func utf8(_ payload: Payload) -> Payload {
  let text =
    decodeText(payload, charset: nil) ?? decodeText(payload, charset: nil, repairing: true)
  return text?.payload ?? payload
}

/// Plain text as paragraphs: empty lines divide them, other line ends stay in them.
func lines(of text: [UInt8]) -> AttributedText {
  var builder = AttributedTextBuilder()
  builder.reserveCapacity(text.count + 16)
  for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
      builder.endParagraph()
      continue
    }
    if builder.isInParagraph { builder.appendLineBreak() }
    builder.append(utf8: line)
  }
  builder.endParagraph()
  return builder.finish()
}
