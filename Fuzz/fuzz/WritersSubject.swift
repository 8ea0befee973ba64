internal import RichText

/// Any bytes as Markdown, written in every form.
///
/// What must hold whatever the text says: safe HTML has no elements and attributes that act, RTF is
/// ASCII whose braces are balanced, plain text has no line end at its ends.
enum WritersSubject {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let text = try? MarkdownReader().read(unsafe Array(bytes)) else { return }
    checkSafe(HTMLWriter(isSafe: true).write(text))
    _ = HTMLWriter(isDocument: true).write(text)
    checkRTF(RTFWriter().write(text))

    let plain = PlainTextWriter().write(text)
    precondition(plain.last != 0x0A && isSound(plain))
    var tabbed = PlainTextWriter()
    tabbed.cells = .tabbed
    tabbed.hasBlankLines = false
    precondition(isSound(tabbed.write(text)))
    var flat = PlainTextWriter.flat
    flat.keepsMarkers = true
    precondition(isSound(flat.write(text)))

    // A part of it is as good.
    guard text.length > 2,
      let middle = (text.length / 2..<text.length).first(where: {
        text.utf8[$0] & 0xC0 != 0x80
      })
    else { return }
    let part = text[0..<middle]
    checkSafe(HTMLWriter(isSafe: true).write(part))
    checkRTF(RTFWriter().write(part))
    precondition(isSound(PlainTextWriter().write(part)))
  }

  private static func isSound(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  // MARK: HTML

  /// Reads the tags of safe HTML, which has only simple ones: a name and quoted attributes.
  private static func checkSafe(_ html: [UInt8]) {
    precondition(isSound(html))
    var offset = 0
    while offset < html.count {
      guard html[offset] == UInt8(ascii: "<") else {
        offset += 1
        continue
      }
      offset += 1
      if html[offset] == UInt8(ascii: "/") { offset += 1 }
      let name = takeName(html, &offset)
      precondition(!name.isEmpty && !forbiddenElements.contains(name), "element \(name)")
      while html[offset] != UInt8(ascii: ">") {
        precondition(html[offset] == UInt8(ascii: " ") || html[offset] == UInt8(ascii: "/"))
        offset += 1
        if html[offset] == UInt8(ascii: ">") || html[offset] == UInt8(ascii: "/") { continue }
        let attribute = takeName(html, &offset)
        precondition(!attribute.isEmpty && !attribute.hasPrefix("on"), "attribute \(attribute)")
        precondition(html[offset] == UInt8(ascii: "=") && html[offset + 1] == UInt8(ascii: "\""))
        offset += 2
        let start = offset
        while html[offset] != UInt8(ascii: "\"") {
          precondition(html[offset] != UInt8(ascii: "<") && html[offset] != UInt8(ascii: ">"))
          offset += 1
        }
        if attribute == "href" || attribute == "src" { checkURL(html[start..<offset]) }
        offset += 1
      }
    }
  }

  private static let forbiddenElements: Set<String> = [
    "script", "style", "iframe", "frame", "frameset", "object", "embed", "applet", "svg", "math",
    "base", "link", "meta", "form", "noscript", "template", "xmp", "plaintext", "textarea", "title",
  ]

  private static func takeName(_ html: [UInt8], _ offset: inout Int) -> String {
    let start = offset
    while (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(html[offset])
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(html[offset])
      || html[offset] == UInt8(ascii: "-")
    {
      offset += 1
    }
    return String(decoding: html[start..<offset], as: UTF8.self)
  }

  private static func checkURL(_ url: ArraySlice<UInt8>) {
    let seen = String(
      decoding: url.filter { $0 > 0x20 }.prefix(20).map {
        (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
      }, as: UTF8.self)
    for scheme in ["javascript:", "vbscript:", "file:"] {
      precondition(!seen.hasPrefix(scheme), seen)
    }
    precondition(!seen.hasPrefix("data:") || seen.hasPrefix("data:image/"), seen)
  }

  // MARK: RTF

  private static func checkRTF(_ rtf: [UInt8]) {
    var depth = 0
    var offset = 0
    while offset < rtf.count {
      let byte = rtf[offset]
      precondition(byte < 0x80 && (byte >= 0x20 || byte == 0x0A))
      switch byte {
      case UInt8(ascii: "\\"):
        // What is escaped is no brace.
        offset += 1
        precondition(offset < rtf.count)
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        precondition(depth > 0 || offset + 2 == rtf.count)
      default: break
      }
      offset += 1
    }
    precondition(depth == 0)
  }
}
