/// A start tag or an end tag.
struct HTMLTag {
  let element: HTMLElement
  let name: Range<Int>
  /// Tells names of `other` elements apart, mostly.
  let nameHash: UInt32
  /// Whether `/>` closes it, which means something in SVG and MathML only.
  var isSelfClosing = false
}

/// The attributes that matter, with their values as they stand in the source.
struct HTMLAttributes {
  var isHidden = false
  var style: Range<Int>?
  var alternative: Range<Int>?
  var start: Range<Int>?
  var value: Range<Int>?
  var name: Range<Int>?
}

enum HTMLToken {
  /// Text with character references.
  case text(Range<Int>)
  /// Text without.
  case characterData(Range<Int>)
  case startTag(HTMLTag)
  case endTag(HTMLTag)
  /// A comment proper, without its marks.
  case comment(Range<Int>)
}

/// Finds tags, comments and text.
///
/// The states of the standard's tokenizer (WHATWG HTML, 13.2.5) are places in this code. No byte is
/// looked at more than a few times: what does not end before the document does is gone through once,
/// and that is the end.
struct HTMLTokenizer {
  private let html: [UInt8]
  private let count: Int
  private var position: Int
  /// Those of the last tag; kept here since most tags have none and tags are handed on a lot.
  private(set) var attributes = HTMLAttributes()
  private var hasAttributes = false
  /// Whether the element that is open is one of SVG or MathML.
  var allowsCharacterData = false

  private static let less = UInt8(ascii: "<")
  private static let greater = UInt8(ascii: ">")
  private static let slash = UInt8(ascii: "/")
  private static let dash = UInt8(ascii: "-")

  /// Bytes from `end` on must not belong to any markup that begins before it.
  init(_ html: [UInt8], from start: Int, to end: Int) {
    self.html = html
    count = end
    position = start
  }

  private func byte(at offset: Int) -> UInt8? {
    offset < count ? html[offset] : nil
  }

  private func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    var offset = start
    while offset < count {
      if html[offset] == byte { return offset }
      offset += 1
    }
    return nil
  }

  /// The next token, or `nil` at the end.
  mutating func next() -> HTMLToken? {
    while position < count {
      if !startsMarkup(at: position) { return .text(takeText()) }
      if let token = takeMarkup() { return token }
    }
    return nil
  }

  private func startsMarkup(at offset: Int) -> Bool {
    guard html[offset] == HTMLTokenizer.less, let second = byte(at: offset + 1) else {
      return false
    }
    switch second {
    case UInt8(ascii: "!"), UInt8(ascii: "?"): return true
    case HTMLTokenizer.slash: return offset + 2 < count
    default: return second.isASCIILetter
    }
  }

  private mutating func takeText() -> Range<Int> {
    let start = position
    position += 1
    while let less = firstIndex(of: HTMLTokenizer.less, from: position) {
      position = less
      if startsMarkup(at: less) { return start..<less }
      position += 1
    }
    position = count
    return start..<count
  }

  /// What begins with `<` and something that makes it markup; nothing if no token comes of it.
  private mutating func takeMarkup() -> HTMLToken? {
    let second = html[position + 1]
    if second.isASCIILetter {
      position += 1
      return takeTag().map { .startTag($0) }
    }
    if second == HTMLTokenizer.slash {
      let third = html[position + 2]
      if third.isASCIILetter {
        position += 2
        return takeTag().map { .endTag($0) }
      }
      position += 2
    } else if html.hasWord("<!--", at: position) {
      return .comment(takeComment())
    } else if allowsCharacterData, html.hasWord("<![cdata[", at: position),
      // In capitals only, of which one will do as a sample.
      html[position + 3] == UInt8(ascii: "C")
    {
      return .characterData(takeCharacterData())
    }
    // `<!doctype`, `<![if`, `<?xml`, `</1`, `</>`: all of them end with the next `>`.
    position = firstIndex(of: HTMLTokenizer.greater, from: position).map { $0 + 1 } ?? count
    return nil
  }

  private mutating func takeComment() -> Range<Int> {
    let start = position + 4
    // `<!-->` and `<!--->` are whole comments.
    for end in start...start + 1 where byte(at: end) == HTMLTokenizer.greater {
      if end == start || html[start] == HTMLTokenizer.dash {
        position = end + 1
        return start..<start
      }
    }
    var offset = start
    while let dash = firstIndex(of: HTMLTokenizer.dash, from: offset) {
      if byte(at: dash + 1) == HTMLTokenizer.dash {
        let third = byte(at: dash + 2)
        if third == HTMLTokenizer.greater {
          position = dash + 3
          return start..<dash
        }
        if third == UInt8(ascii: "!"), byte(at: dash + 3) == HTMLTokenizer.greater {
          position = dash + 4
          return start..<dash
        }
      }
      offset = dash + 1
    }
    position = count
    return start..<count
  }

  private mutating func takeCharacterData() -> Range<Int> {
    let start = position + 9
    var offset = start
    while let bracket = firstIndex(of: UInt8(ascii: "]"), from: offset) {
      if byte(at: bracket + 1) == UInt8(ascii: "]"), byte(at: bracket + 2) == HTMLTokenizer.greater
      {
        position = bracket + 3
        return start..<bracket
      }
      offset = bracket + 1
    }
    position = count
    return start..<count
  }

  // MARK: Tags

  /// The tag whose name stands at the position, or `nil` if the document ends within.
  private mutating func takeTag() -> HTMLTag? {
    let start = position
    var end = start
    // FNV-1a.
    var hash: UInt32 = 0x811C_9DC5
    while end < count, !endsName(html[end]) {
      hash = (hash ^ UInt32(html[end].lowercasedASCII)) &* 0x0100_0193
      end += 1
    }
    var tag = HTMLTag(
      element: HTMLElement(named: start..<end, of: html), name: start..<end, nameHash: hash)
    position = end
    if hasAttributes {
      attributes = HTMLAttributes()
      hasAttributes = false
    }
    while let byte = byte(at: position) {
      if byte == HTMLTokenizer.greater {
        position += 1
        return tag
      }
      if byte == HTMLTokenizer.slash {
        position += 1
        tag.isSelfClosing = self.byte(at: position) == HTMLTokenizer.greater
      } else if byte.isHTMLSpace {
        position += 1
      } else {
        takeAttribute()
      }
    }
    return nil
  }

  private func endsName(_ byte: UInt8) -> Bool {
    byte.isHTMLSpace || byte == HTMLTokenizer.slash || byte == HTMLTokenizer.greater
  }

  private mutating func takeAttribute() {
    let nameStart = position
    // The first byte belongs to the name even if it is an equals sign.
    position += 1
    while let byte = byte(at: position), !endsName(byte), byte != UInt8(ascii: "=") {
      position += 1
    }
    let name = nameStart..<position
    skipSpace()
    var value = position..<position
    if byte(at: position) == UInt8(ascii: "=") {
      position += 1
      skipSpace()
      value = takeAttributeValue()
    }
    note(name, value)
  }

  private mutating func takeAttributeValue() -> Range<Int> {
    let start = position
    switch byte(at: position) {
    case UInt8(ascii: "\"")?, UInt8(ascii: "'")?:
      let end = firstIndex(of: html[start], from: start + 1) ?? count
      position = min(end + 1, count)
      return start + 1..<end
    default:
      while let byte = byte(at: position), !byte.isHTMLSpace, byte != HTMLTokenizer.greater {
        position += 1
      }
      return start..<position
    }
  }

  private mutating func skipSpace() {
    while let byte = byte(at: position), byte.isHTMLSpace { position += 1 }
  }

  /// Keeps an attribute that matters; the first of that name counts.
  private mutating func note(_ name: Range<Int>, _ value: Range<Int>) {
    hasAttributes = true
    switch (html[name.lowerBound].lowercasedASCII, name.count) {
    case (UInt8(ascii: "h"), 6) where html.isWord("hidden", in: name): attributes.isHidden = true
    case (UInt8(ascii: "s"), 5) where html.isWord("style", in: name):
      attributes.style = attributes.style ?? value
    case (UInt8(ascii: "s"), 5) where html.isWord("start", in: name):
      attributes.start = attributes.start ?? value
    case (UInt8(ascii: "a"), 3) where html.isWord("alt", in: name):
      attributes.alternative = attributes.alternative ?? value
    case (UInt8(ascii: "v"), 5) where html.isWord("value", in: name):
      attributes.value = attributes.value ?? value
    case (UInt8(ascii: "n"), 4) where html.isWord("name", in: name):
      attributes.name = attributes.name ?? value
    default: break
    }
  }

  // MARK: Raw text

  /// Goes past a line end that stands right here.
  mutating func skipLineEnd() {
    if byte(at: position) == 0x0D { position += 1 }
    if byte(at: position) == 0x0A { position += 1 }
  }

  /// The rest of the document, of which nothing is markup.
  mutating func takeRest() -> Range<Int> {
    defer { position = count }
    return position..<count
  }

  /// The content of an element that only its own end tag ends; that tag is gone through as well.
  mutating func takeRawText(of tag: HTMLTag) -> Range<Int> {
    let start = position
    while let less = firstIndex(of: HTMLTokenizer.less, from: position) {
      position = less
      if hasTag(named: tag.name, at: less + 1, afterSlash: true) {
        position += 2
        _ = takeTag()
        return start..<less
      }
      position += 1
    }
    position = count
    return start..<count
  }

  /// Goes through the content of a script and its end tag.
  ///
  /// Behind `<!--` a script may hold `<script>…</script>` (13.2.5.18 and following, script data
  /// escaped and double escaped).
  mutating func skipScript(_ tag: HTMLTag) {
    enum Escape { case none, once, twice }
    var escape = Escape.none
    while let byte = byte(at: position) {
      switch (byte, escape) {
      case (HTMLTokenizer.dash, .once), (HTMLTokenizer.dash, .twice):
        if html.hasWord("-->", at: position) { escape = .none }
        position += 1
      case (HTMLTokenizer.less, .none) where html.hasWord("<!--", at: position):
        escape = .once
        // The dashes may be those of `-->`.
        position += 2
      case (HTMLTokenizer.less, .none), (HTMLTokenizer.less, .once):
        if hasTag(named: tag.name, at: position + 1, afterSlash: true) {
          position += 2
          _ = takeTag()
          return
        }
        if escape == .once, hasTag(named: tag.name, at: position + 1, afterSlash: false) {
          escape = .twice
        }
        position += 1
      case (HTMLTokenizer.less, .twice):
        if hasTag(named: tag.name, at: position + 1, afterSlash: true) { escape = .once }
        position += 1
      default:
        position += 1
      }
    }
  }

  /// Whether a tag with the same name as another one begins at `offset`, behind its `<`.
  private func hasTag(named name: Range<Int>, at offset: Int, afterSlash: Bool) -> Bool {
    var offset = offset
    if afterSlash {
      guard byte(at: offset) == HTMLTokenizer.slash else { return false }
      offset += 1
    }
    guard offset + name.count < count, endsName(html[offset + name.count]) else { return false }
    for index in 0..<name.count
    where html[offset + index].lowercasedASCII != html[name.lowerBound + index].lowercasedASCII {
      return false
    }
    return true
  }
}
