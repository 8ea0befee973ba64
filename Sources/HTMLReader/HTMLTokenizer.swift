internal import TextEncoding

/// Splits a document into tags, comments and text, by the WHATWG's rules for tokenization
/// (WHATWG HTML, 13.2.5).
///
/// The states of the standard are places in this code: the whole document is there, so whatever ends a
/// token can be looked for at once. What it would report as an error is handled as it says and not
/// reported. Each byte is gone through a bounded number of times.
///
/// Text comes decoded, appended to the buffer of the document; what is to be a value of an attribute is
/// decoded when its element is made.
struct HTMLTokenizer {
  enum Token {
    /// Text at the end of the buffer.
    case text(Range<Int>, hasNUL: Bool)
    case comment(Range<Int>)
    /// The tag is in `tag` and `attributes` until the next token.
    case startTag
    case endTag
    case doctype(HTMLDoctype)
    case end
  }

  /// What may stand at the position.
  enum Content {
    case data
    /// Text with character references, up to the end tag of the last start tag.
    case escapableText
    case rawText
    case script
    case plainText
    case characterData
  }

  /// A tag without its attributes.
  struct Tag {
    var name: UInt16 = HTMLNameTable.overflow
    var tag = HTMLTag.unknown
    var isSelfClosing = false
  }

  /// An attribute as it stands in the document.
  struct Attribute {
    var name: UInt16
    var start: Int
    var end: Int
    /// Whether the value has ampersands or NUL.
    var isEncoded: Bool
  }

  let html: [UInt8]
  let count: Int
  var position = 0
  /// Text ends here even if it goes on.
  var mark = Int.max
  var content = Content.data
  /// Whether `<![CDATA[` is more than a bogus comment.
  var allowsCharacterData = false

  var tag = Tag()
  var attributes: [Attribute] = []
  /// The name of the last start tag, whose end tag ends text that is not markup.
  var lastStartTag = HTMLNameTable.overflow

  var tagNames = HTMLNameTable.tags
  var attributeNames = HTMLNameTable.attributes
  /// For each number of an attribute's name the last tag that had it, by the number of that tag.
  private var tagsOfNames: [UInt32]
  private var tagCount: UInt32 = 0
  private let attributeLimit: Int

  init(_ html: [UInt8], attributeLimit: Int) {
    self.html = html
    count = html.count
    self.attributeLimit = attributeLimit
    tagsOfNames = Array(repeating: 0, count: attributeNames.count)
  }

  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let slash = UInt8(ascii: "/")
  static let dash = UInt8(ascii: "-")
  static let ampersand = UInt8(ascii: "&")
  static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  @inline(__always)
  func byte(at offset: Int) -> UInt8? { offset < count ? html[offset] : nil }

  // MARK: Tokens

  mutating func next(into text: inout [UInt8]) -> Token {
    while true {
      let start = text.count
      switch content {
      case .data:
        let hasNUL = takeText(into: &text)
        if text.count > start { return .text(start..<text.count, hasNUL: hasNUL) }
        guard position < count, position < mark else { return .end }
        if let token = takeMarkup(into: &text) { return token }
      case .escapableText, .rawText, .script:
        takeRawText(into: &text)
        if text.count > start { return .text(start..<text.count, hasNUL: false) }
        content = .data
        guard position < count else { return .end }
        position += 2
        return takeTag(isEnd: true)
      case .plainText:
        append(position..<count, to: &text)
        position = count
        return text.count > start ? .text(start..<text.count, hasNUL: false) : .end
      case .characterData:
        let hasNUL = takeCharacterData(into: &text)
        content = .data
        if text.count > start { return .text(start..<text.count, hasNUL: hasNUL) }
      }
    }
  }

  /// Takes text up to markup.
  ///
  /// - Returns: whether NUL is among it, which tree construction sees to.
  private mutating func takeText(into text: inout [UInt8]) -> Bool {
    let end = min(count, mark)
    var hasNUL = false
    var start = position
    var offset = position
    while offset < end {
      let byte = html[offset]
      // All other bytes that matter are below it.
      if byte > HTMLTokenizer.less {
        offset += 1
      } else if byte == HTMLTokenizer.less {
        if opensMarkup(offset + 1) { break }
        offset += 1
      } else if byte == HTMLTokenizer.ampersand {
        let reference = HTMLCharacterReference.match(
          in: html, at: offset + 1, before: count, inAttribute: false)
        if let reference {
          text.append(contentsOf: html[start..<offset])
          text.append(reference)
          offset = reference.end
          start = offset
        } else {
          offset += 1
        }
      } else {
        if byte == 0 { hasNUL = true }
        offset += 1
      }
    }
    if start < offset { text.append(contentsOf: html[start..<offset]) }
    position = offset
    return hasNUL
  }

  /// Whether a `<` before `offset` is more than text.
  @inline(__always)
  private func opensMarkup(_ offset: Int) -> Bool {
    guard let byte = byte(at: offset) else { return false }
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "?"): return true
    case HTMLTokenizer.slash: return offset + 1 < count
    default: return byte.isASCIILetter
    }
  }

  /// Takes what begins with the `<` at the position; nothing if it is no more than that: `</>`.
  private mutating func takeMarkup(into text: inout [UInt8]) -> Token? {
    position += 1
    switch byte(at: position) {
    case UInt8(ascii: "!")?:
      return takeDeclaration(into: &text)
    case HTMLTokenizer.slash?:
      guard let byte = byte(at: position + 1) else { return .end }
      position += 1
      if byte == HTMLTokenizer.greater {
        position += 1
        return nil
      }
      return byte.isASCIILetter ? takeTag(isEnd: true) : takeBogusComment(into: &text)
    case UInt8(ascii: "?")?:
      return takeBogusComment(into: &text)
    default:
      return takeTag(isEnd: false)
    }
  }

  /// Appends bytes in which NUL stands for U+FFFD.
  func append(_ range: Range<Int>, to text: inout [UInt8]) {
    var start = range.lowerBound
    while let null = html[start..<range.upperBound].firstIndex(of: 0) {
      text.append(contentsOf: html[start..<null])
      text.append(contentsOf: HTMLTokenizer.replacement)
      start = null + 1
    }
    text.append(contentsOf: html[start..<range.upperBound])
  }

  /// Appends the value of an attribute.
  func append(_ attribute: Attribute, to text: inout [UInt8]) {
    guard attribute.isEncoded else {
      text.append(contentsOf: html[attribute.start..<attribute.end])
      return
    }
    var start = attribute.start
    var offset = start
    while offset < attribute.end {
      if html[offset] == HTMLTokenizer.ampersand,
        let reference = HTMLCharacterReference.match(
          in: html, at: offset + 1, before: attribute.end, inAttribute: true)
      {
        append(start..<offset, to: &text)
        text.append(reference)
        offset = reference.end
        start = offset
      } else {
        offset += 1
      }
    }
    append(start..<offset, to: &text)
  }

  // MARK: Tags

  /// Takes the tag whose name stands at the position.
  ///
  /// A document that ends within has no such tag.
  mutating func takeTag(isEnd: Bool) -> Token {
    attributes.removeAll(keepingCapacity: true)
    tag.isSelfClosing = false
    tag.name = takeTagName()
    tag.tag = HTMLTag(rawValue: UInt8(truncatingIfNeeded: min(tag.name, 0xFF))) ?? .unknown
    tagCount &+= 1
    while let byte = byte(at: position) {
      if byte == HTMLTokenizer.greater {
        position += 1
        if !isEnd { lastStartTag = tag.name }
        return isEnd ? .endTag : .startTag
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
    return .end
  }

  @inline(__always)
  private func endsName(_ byte: UInt8) -> Bool {
    byte <= HTMLTokenizer.greater
      && (byte.isHTMLSpace || byte == HTMLTokenizer.slash || byte == HTMLTokenizer.greater)
  }

  private mutating func takeTagName() -> UInt16 {
    let start = position
    var hash = HTMLNameTable.emptyHash
    var hasNUL = false
    while position < count {
      let byte = html[position]
      if endsName(byte) { break }
      hash = HTMLNameTable.extend(hash, by: byte.lowercasedASCII)
      if byte == 0 { hasNUL = true }
      position += 1
    }
    if hasNUL { return tagNames.number(ofExactly: nameWithoutNUL(start..<position)) }
    return tagNames.number(of: html[start..<position], hash: hash)
  }

  private func nameWithoutNUL(_ range: Range<Int>) -> [UInt8] {
    var name: [UInt8] = []
    append(range, to: &name)
    return name.map(\.lowercasedASCII)
  }

  private mutating func takeAttribute() {
    let start = position
    var hash = HTMLNameTable.emptyHash
    var hasNUL = false
    // The first byte belongs to the name even if it is an equals sign.
    repeat {
      let byte = html[position]
      hash = HTMLNameTable.extend(hash, by: byte.lowercasedASCII)
      if byte == 0 { hasNUL = true }
      position += 1
    } while position < count && !endsName(html[position]) && html[position] != UInt8(ascii: "=")
    let end = position
    skipSpace()
    var value = Attribute(
      name: HTMLNameTable.overflow, start: position, end: position, isEncoded: false)
    if byte(at: position) == UInt8(ascii: "=") {
      position += 1
      skipSpace()
      takeValue(&value)
    }
    guard attributes.count < attributeLimit else { return }
    value.name =
      hasNUL
      ? attributeNames.number(ofExactly: nameWithoutNUL(start..<end))
      : attributeNames.number(of: html[start..<end], hash: hash)
    guard value.name != HTMLNameTable.overflow else { return }
    let index = Int(value.name)
    if index >= tagsOfNames.count {
      tagsOfNames.append(contentsOf: repeatElement(0, count: index + 1 - tagsOfNames.count))
    }
    // The first of a name counts.
    guard tagsOfNames[index] != tagCount else { return }
    tagsOfNames[index] = tagCount
    attributes.append(value)
  }

  private mutating func takeValue(_ value: inout Attribute) {
    value.start = position
    value.end = position
    guard let first = byte(at: position) else { return }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      position += 1
      value.start = position
      while position < count, html[position] != first {
        if html[position] == HTMLTokenizer.ampersand || html[position] == 0 {
          value.isEncoded = true
        }
        position += 1
      }
      value.end = position
      position = min(position + 1, count)
      return
    }
    while position < count, !html[position].isHTMLSpace, html[position] != HTMLTokenizer.greater {
      if html[position] == HTMLTokenizer.ampersand || html[position] == 0 { value.isEncoded = true }
      position += 1
    }
    value.end = position
  }

  mutating func skipSpace() {
    while position < count, html[position].isHTMLSpace { position += 1 }
  }

  // MARK: Text that is not markup

  private mutating func takeRawText(into text: inout [UInt8]) {
    let end = content == .script ? endOfScript() : endOfRawText()
    if content == .escapableText {
      let value = Attribute(name: 0, start: position, end: end, isEncoded: true)
      appendText(value, to: &text)
    } else {
      append(position..<end, to: &text)
    }
    position = end
  }

  /// Appends text with character references.
  private func appendText(_ range: Attribute, to text: inout [UInt8]) {
    var start = range.start
    while let ampersand = html[start..<range.end].firstIndex(of: HTMLTokenizer.ampersand) {
      append(start..<ampersand, to: &text)
      let reference = HTMLCharacterReference.match(
        in: html, at: ampersand + 1, before: range.end, inAttribute: false)
      if let reference {
        text.append(reference)
      } else {
        text.append(HTMLTokenizer.ampersand)
      }
      start = reference?.end ?? ampersand + 1
    }
    append(start..<range.end, to: &text)
  }

  private func endOfRawText() -> Int {
    let name = tagNames.spelling(of: lastStartTag)
    var offset = position
    while let less = html[offset...].firstIndex(of: HTMLTokenizer.less) {
      if hasTag(named: name, at: less + 1, afterSlash: true) { return less }
      offset = less + 1
    }
    return count
  }

  /// Behind `<!--` a script may hold `<script>…</script>` (13.2.5.18 and following: script data
  /// escaped, double escaped).
  private func endOfScript() -> Int {
    enum Escape { case none, once, twice }
    var escape = Escape.none
    let name = tagNames.spelling(of: lastStartTag)
    let script = tagNames.spelling(of: UInt16(HTMLTag.script.rawValue))
    var offset = position
    while offset < count {
      let byte = html[offset]
      guard byte == HTMLTokenizer.less || byte == HTMLTokenizer.dash else {
        offset += 1
        continue
      }
      if byte == HTMLTokenizer.dash {
        if escape != .none, html.hasWord("-->", at: offset) { escape = .none }
        offset += 1
        continue
      }
      switch escape {
      case .none where html.hasWord("<!--", at: offset):
        escape = .once
        // The dashes may be those of `-->`.
        offset += 2
      case .none:
        if hasTag(named: name, at: offset + 1, afterSlash: true) { return offset }
        offset += 1
      case .once:
        if hasTag(named: name, at: offset + 1, afterSlash: true) { return offset }
        if hasTag(named: script, at: offset + 1, afterSlash: false) { escape = .twice }
        offset += 1
      case .twice:
        if hasTag(named: script, at: offset + 1, afterSlash: true) { escape = .once }
        offset += 1
      }
    }
    return count
  }

  /// Whether a tag with a name begins at `offset`, behind its `<`.
  private func hasTag(named name: ArraySlice<UInt8>, at offset: Int, afterSlash: Bool) -> Bool {
    var offset = offset
    if afterSlash {
      guard byte(at: offset) == HTMLTokenizer.slash else { return false }
      offset += 1
    }
    guard !name.isEmpty, offset + name.count < count, endsName(html[offset + name.count]) else {
      return false
    }
    for letter in name {
      if html[offset].lowercasedASCII != letter { return false }
      offset += 1
    }
    return true
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ reference: HTMLCharacterReference) {
    appendUTF8(reference.first)
    if let second = reference.second { appendUTF8(second) }
  }
}
