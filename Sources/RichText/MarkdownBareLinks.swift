internal import TextEncoding

/// Links that are just written down: `https://…`, `www.…`, `name@host` (GFM 6.9).
///
/// md4c could tell them too, but it also takes URLs in the destinations of links for them, and then
/// loses what stands behind such a link.
@safe struct MarkdownBareLinks {
  struct Match {
    var range: Range<Int>
    /// What the destination has in front of the text.
    var prefix: StaticString
  }

  private let text: UnsafeRawBufferPointer
  private let count: Int
  /// The byte in front of the text.
  private let before: UInt8?
  private var offset = 0
  /// Where the text begins that is in no link yet.
  private var start = 0

  /// Looks for links in a stretch of text; `before` stands in front of it in its line.
  init(_ text: UnsafeRawBufferPointer, behind before: UInt8?) {
    unsafe self.text = unsafe text
    count = text.count
    self.before = before
  }

  /// The next one.
  mutating func next() -> Match? {
    while offset < count {
      let byte = unsafe text[offset]
      let match: Match? =
        switch byte {
        case UInt8(ascii: ":"): url(at: offset)
        case UInt8(ascii: "."): www(at: offset)
        case UInt8(ascii: "@"): address(at: offset)
        default: nil
        }
      if let match {
        start = match.range.upperBound
        offset = start
        return match
      }
      offset += 1
    }
    return nil
  }

  private func url(at colon: Int) -> Match? {
    guard has("//", at: colon + 1) else { return nil }
    for scheme: StaticString in ["https", "http", "ftp"] {
      let first = colon - scheme.utf8CodeUnitCount
      guard has(scheme, at: first) else { continue }
      return isBoundary(first) ? page(from: first, host: colon + 3, prefix: "") : nil
    }
    return nil
  }

  private func www(at stop: Int) -> Match? {
    guard has("www", at: stop - 3), isBoundary(stop - 3) else { return nil }
    return page(from: stop - 3, host: stop + 1, prefix: "http://")
  }

  /// A link to a page, from its host to the next blank, without punctuation at its end.
  private func page(from first: Int, host: Int, prefix: StaticString) -> Match? {
    guard var end = endOfHost(host) else { return nil }
    var open = 0
    var close = 0
    while end < count {
      let byte = unsafe text[end]
      if byte <= 0x20 || byte == UInt8(ascii: "<") { break }
      if byte == UInt8(ascii: "(") { open += 1 }
      if byte == UInt8(ascii: ")") { close += 1 }
      end += 1
    }
    trimming: while end > host {
      switch unsafe text[end - 1] {
      case UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "."), UInt8(ascii: ","),
        UInt8(ascii: ":"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        break
      case UInt8(ascii: ")") where close > open:
        close -= 1
      default:
        break trimming
      }
      end -= 1
    }
    return end > host ? Match(range: first..<end, prefix: prefix) : nil
  }

  /// A host has a full stop, and no low line in its last two parts.
  private func endOfHost(_ start: Int) -> Int? {
    var end = start
    var stops = 0
    var hasLine = false
    var hadLine = false
    while end < count {
      let byte = unsafe text[end]
      if byte == UInt8(ascii: ".") {
        stops += 1
        hadLine = hasLine
        hasLine = false
      } else if byte == UInt8(ascii: "_") {
        hasLine = true
      } else if !Self.isAlphanumeric(byte) && byte != UInt8(ascii: "-") && byte < 0x80 {
        break
      }
      end += 1
    }
    if end > start, unsafe text[end - 1] == UInt8(ascii: ".") {
      end -= 1
      stops -= 1
    }
    return end > start && stops > 0 && !hasLine && !hadLine ? end : nil
  }

  private func address(at sign: Int) -> Match? {
    var first = sign
    while first > start, unsafe Self.isInName(text[first - 1]) { first -= 1 }
    guard first < sign, unsafe Self.isAlphanumeric(text[sign - 1]) else { return nil }
    var end = sign + 1
    var stops = 0
    while end < count {
      let byte = unsafe text[end]
      guard Self.isAlphanumeric(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F else { break }
      if byte == UInt8(ascii: ".") { stops += 1 }
      end += 1
    }
    guard end > sign + 1, unsafe Self.isAlphanumeric(text[sign + 1]) else { return nil }
    if unsafe text[end - 1] == UInt8(ascii: ".") {
      end -= 1
      stops -= 1
    }
    guard stops > 0, unsafe Self.isAlphanumeric(text[end - 1]) else { return nil }
    return Match(range: first..<end, prefix: "mailto:")
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit
  }

  /// Whether a link to a page may begin at an offset: at the beginning of a line, behind a blank or a
  /// delimiter.
  private func isBoundary(_ offset: Int) -> Bool {
    guard offset >= start else { return false }
    guard let byte = unsafe offset > 0 ? text[offset - 1] : before else { return true }
    switch byte {
    case 0...0x20, UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "("),
      UInt8(ascii: "["):
      return true
    default:
      return false
    }
  }

  private func has(_ word: StaticString, at offset: Int) -> Bool {
    let length = word.utf8CodeUnitCount
    guard offset >= start, offset + length <= count else { return false }
    return word.withUTF8Buffer { letters in
      for index in 0..<length where unsafe text[offset + index] != letters[index] { return false }
      return true
    }
  }
}
