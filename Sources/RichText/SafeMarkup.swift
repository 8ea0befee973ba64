internal import HTMLReader
internal import TextEncoding

/// Raw HTML made harmless: read by the rules of a browser, and written anew from what was read.
///
/// Nothing is handed on as it stood. A tag comes out if its element is on a list, with those of its
/// attributes that are on another one, their values decoded, looked at and quoted again; text comes
/// out without angle brackets. Comments, declarations, and what does not end, are left out: so
/// whatever a browser makes of the result, it is these elements and these attributes.
struct SafeMarkup {
  /// Elements of which the end was looked for in the rest of the paragraph and not found.
  private var unclosed: [SafeMarkupRules.Name] = []

  /// Appends what is harmless of a block of raw HTML.
  static func append(_ html: [UInt8], _ range: Range<Int>, to bytes: inout [UInt8]) {
    var reader = SafeMarkupReader(html, range)
    var end = reader.read(into: &bytes)
    while let name = end {
      // What follows is its content, to the end of the block if need be.
      guard reader.skipContent(of: name) else { return }
      end = reader.read(into: &bytes)
    }
  }

  /// Appends what is harmless of raw HTML within a line.
  ///
  /// - Parameter later: the stretches of raw HTML that follow in the paragraph.
  /// - Returns: where to go on: behind `range`, or farther where that is content of an element whose
  ///   content is no text.
  mutating func append(
    _ html: [UInt8], _ range: Range<Int>, later: some Sequence<Range<Int>>, to bytes: inout [UInt8]
  ) -> Int {
    var reader = SafeMarkupReader(html, range)
    while let name = reader.read(into: &bytes) {
      if reader.skipContent(of: name) { continue }
      // Without an end there is no knowing what belongs to it. Only the tag is left out then: text
      // is harmless.
      guard !unclosed.contains(name) else { return range.upperBound }
      for range in later {
        var reader = SafeMarkupReader(html, range)
        if reader.skipContent(of: name) { return reader.position }
      }
      unclosed.append(name)
      return range.upperBound
    }
    return range.upperBound
  }
}

/// Reads a stretch of raw HTML, which nothing outside of it belongs to.
struct SafeMarkupReader {
  private let html: [UInt8]
  private let end: Int
  private(set) var position: Int

  init(_ html: [UInt8], _ range: Range<Int>) {
    self.html = html
    position = range.lowerBound
    end = range.upperBound
  }

  private func byte(at offset: Int) -> UInt8? {
    offset < end ? html[offset] : nil
  }

  private func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    start < end ? html[start..<end].firstIndex(of: byte) : nil
  }

  /// Appends what is harmless, up to the end or to an element whose content is to be left out.
  ///
  /// - Returns: the name of that element.
  mutating func read(into bytes: inout [UInt8]) -> SafeMarkupRules.Name? {
    while position < end {
      guard html[position] == UInt8(ascii: "<"), let second = byte(at: position + 1) else {
        appendText(to: &bytes)
        continue
      }
      if second.isASCIILetter {
        position += 1
        if let name = takeTag(isEnd: false, to: &bytes) { return name }
      } else if second == UInt8(ascii: "/"), let third = byte(at: position + 2) {
        position += 2
        if third.isASCIILetter { _ = takeTag(isEnd: true, to: &bytes) } else { skipPastGreater() }
      } else if second == UInt8(ascii: "!"), html.hasWord("<!--", at: position) {
        skipComment()
      } else if second == UInt8(ascii: "!") || second == UInt8(ascii: "?") {
        skipPastGreater()
      } else {
        appendText(to: &bytes)
      }
    }
    return nil
  }

  /// Text up to the next `<`; that one too if the text begins with it, since then it begins no tag.
  private mutating func appendText(to bytes: inout [UInt8]) {
    let next = firstIndex(of: UInt8(ascii: "<"), from: position + 1) ?? end
    for byte in html[position..<next] {
      switch byte {
      case UInt8(ascii: "<"): bytes.append("&lt;" as StaticString)
      case UInt8(ascii: ">"): bytes.append("&gt;" as StaticString)
      case 0: bytes.append(contentsOf: "\u{FFFD}".utf8)
      default: bytes.append(byte)
      }
    }
    position = next
  }

  private mutating func skipPastGreater() {
    position = firstIndex(of: UInt8(ascii: ">"), from: position).map { $0 + 1 } ?? end
  }

  private mutating func skipComment() {
    // `<!-->` and `<!--->` are whole comments.
    var offset = position + 4
    if byte(at: offset) == UInt8(ascii: ">") {
      position = offset + 1
      return
    }
    if byte(at: offset) == UInt8(ascii: "-"), byte(at: offset + 1) == UInt8(ascii: ">") {
      position = offset + 2
      return
    }
    while let dash = firstIndex(of: UInt8(ascii: "-"), from: offset) {
      if byte(at: dash + 1) == UInt8(ascii: "-") {
        var behind = dash + 2
        if byte(at: behind) == UInt8(ascii: "!") { behind += 1 }
        if byte(at: behind) == UInt8(ascii: ">") {
          position = behind + 1
          return
        }
      }
      offset = dash + 1
    }
    position = end
  }

  /// Goes past the end tag of an element; nowhere, and `false`, where there is none.
  mutating func skipContent(of name: SafeMarkupRules.Name) -> Bool {
    var offset = position
    while let less = firstIndex(of: UInt8(ascii: "<"), from: offset) {
      offset = less + 1
      guard byte(at: offset) == UInt8(ascii: "/") else { continue }
      let behind = offset + 1 + name.utf8.count
      guard behind <= end, name == SafeMarkupRules.name(offset + 1..<behind, of: html),
        behind == end || html[behind].endsTagName
      else { continue }
      position = behind
      skipPastGreater()
      return true
    }
    return false
  }

  // MARK: Tags

  /// Goes past a tag and appends what is harmless of it.
  ///
  /// - Returns: the name, where the content of the element is to be left out.
  private mutating func takeTag(isEnd: Bool, to bytes: inout [UInt8]) -> SafeMarkupRules.Name? {
    let start = position
    while position < end, !html[position].endsTagName { position += 1 }
    let name = SafeMarkupRules.name(start..<position, of: html)
    let mark = bytes.count
    let isAllowed = SafeMarkupRules.elements.contains(name)
    if isAllowed {
      bytes.append(isEnd ? "</" : "<" as StaticString)
      bytes.append(contentsOf: name.utf8)
    }
    var written: [SafeMarkupRules.Name] = []
    var isSelfClosing = false
    while let byte = byte(at: position) {
      if byte == UInt8(ascii: ">") {
        position += 1
        if isAllowed { bytes.append(isSelfClosing && !isEnd ? " />" : ">" as StaticString) }
        return !isEnd && SafeMarkupRules.elementsWithoutText.contains(name) ? name : nil
      }
      isSelfClosing = byte == UInt8(ascii: "/")
      if byte.isHTMLSpace || isSelfClosing {
        position += 1
        continue
      }
      let (attribute, value) = takeAttribute()
      guard isAllowed, !isEnd else { continue }
      let attributeName = SafeMarkupRules.name(attribute, of: html)
      guard let kind = SafeMarkupRules.attributes[attributeName], !written.contains(attributeName)
      else { continue }
      written.append(attributeName)
      append(attributeName, decoded(value), kind, to: &bytes)
    }
    // It does not end: no tag (WHATWG HTML, 13.2.5.8, EOF).
    bytes.removeLast(bytes.count - mark)
    return nil
  }

  private func append(
    _ name: SafeMarkupRules.Name, _ value: [UInt8], _ kind: SafeMarkupRules.AttributeKind,
    to bytes: inout [UInt8]
  ) {
    let isSafe =
      switch kind {
      case .text: true
      case .link: SafeURL.isSafe(value, in: .link)
      case .source: SafeURL.isSafe(value, in: .picture)
      case .sources:
        value.split { $0.isHTMLSpace || $0 == UInt8(ascii: ",") }
          .allSatisfy { SafeURL.isSafe(Array($0), in: .picture) }
      }
    guard isSafe else { return }
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: name.utf8)
    bytes.append("=\"" as StaticString)
    bytes.appendHTML(escaping: value[...])
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func takeAttribute() -> (name: Range<Int>, value: Range<Int>) {
    let nameStart = position
    // The first byte belongs to the name even if it is an equals sign.
    position += 1
    while position < end, !html[position].endsTagName, html[position] != UInt8(ascii: "=") {
      position += 1
    }
    let name = nameStart..<position
    skipSpace()
    guard byte(at: position) == UInt8(ascii: "=") else { return (name, position..<position) }
    position += 1
    skipSpace()
    let start = position
    switch byte(at: position) {
    case UInt8(ascii: "\"")?, UInt8(ascii: "'")?:
      let quote = firstIndex(of: html[start], from: start + 1) ?? end
      position = min(quote + 1, end)
      return (name, start + 1..<quote)
    default:
      while position < end, !html[position].isHTMLSpace, html[position] != UInt8(ascii: ">") {
        position += 1
      }
      return (name, start..<position)
    }
  }

  private mutating func skipSpace() {
    while position < end, html[position].isHTMLSpace { position += 1 }
  }

  /// The value of an attribute, with characters in place of references to them.
  private func decoded(_ value: Range<Int>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(value.count)
    var offset = value.lowerBound
    while offset < value.upperBound {
      if html[offset] == UInt8(ascii: "&"),
        let reference = HTMLCharacterReference.match(
          in: html, at: offset + 1, before: value.upperBound, inAttribute: true)
      {
        decoded.appendUTF8(reference.first)
        if let second = reference.second { decoded.appendUTF8(second) }
        offset = reference.end
      } else {
        decoded.append(html[offset])
        offset += 1
      }
    }
    return decoded
  }
}

extension UInt8 {
  fileprivate var endsTagName: Bool {
    isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">")
  }
}
