package import Pasteboard
internal import RichText
internal import TextEncoding
internal import TypeRegistry

extension ConversionTable {
  /// Every conversion that this build has: the one place where converters are listed.
  ///
  /// What can be offered is computed from it; what is converted is only what somebody asks for.
  package static let standard = ConversionTable([
    Conversion(
      from: .plainText, to: .html, cost: ConversionCost.plainTextToHTML,
      convert: { Payload(htmlDocument(ofPlainText: $0.bytes)) }),
    Conversion(
      from: .html, to: .utf8PlainText, cost: ConversionCost.htmlToPlainText,
      convert: { Payload(HTMLPlainText.text(of: utf8($0).bytes)) }),
    Conversion(
      from: .rtf, to: .utf8PlainText, cost: ConversionCost.rtfToPlainText,
      convert: { rtf in
        guard let text = RTFPlainText.text(of: rtf.bytes) else { throw NotInItsFormat() }
        return Payload(text)
      }),
  ])
}

/// The content is not of the type that it is offered as.
private struct NotInItsFormat: Error {}

/// Text of a converter's source as UTF-8, what cannot be read as U+FFFD: a copy hands its bytes on as
/// they were given, in whatever charset.
private func utf8(_ payload: Payload) -> Payload {
  let text =
    decodeText(payload, charset: nil) ?? decodeText(payload, charset: nil, repairing: true)
  return text?.payload ?? payload
}

/// Plain text as an HTML fragment that looks like it: escaped, its line ends and blanks kept.
///
/// The charset stands in front (readers of the Chromium family take Latin-1 otherwise).
func htmlDocument(ofPlainText text: [UInt8]) -> [UInt8] {
  var html = Array(#"<meta charset="utf-8"><pre>"#.utf8)
  html.reserveCapacity(text.count + text.count / 8 + 64)
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
  return html
}
