internal import TextEncoding

/// What would begin a block, or change the one before, at the beginning of a line of text.
enum MarkdownBlockStart {
  /// Where in a line a backslash has to be put so that it stays text; `nil` for nowhere.
  ///
  /// - Parameters:
  ///   - line: the line in `bytes`, without its end.
  ///   - isFirst: whether it is the first one of its paragraph.
  ///   - isBehindMark: whether the mark of an item stands in front of it, as a part of a line across.
  ///   - isTask: whether the paragraph is the first one of an item, where a box could stand.
  static func escape(
    _ bytes: [UInt8], _ line: Range<Int>, isFirst: Bool, isBehindMark: Bool, isTask: Bool, end: Int
  ) -> Int? {
    guard let first = bytes[line].first else { return nil }
    let start = line.lowerBound
    switch first {
    case UInt8(ascii: "#"):
      let marks = bytes[line].prefix { $0 == first }.count
      return marks <= 6 && isEndOrBlank(bytes, start + marks, line) ? start : nil
    case UInt8(ascii: ">"):
      return start
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "_"),
      UInt8(ascii: "="):
      if first != UInt8(ascii: "_"), first != UInt8(ascii: "="),
        isEndOrBlank(bytes, start + 1, line)
      {
        return start
      }
      if first != UInt8(ascii: "="), isThematicBreak(bytes, line, isBehindMark ? 1 : 3) {
        return start
      }
      if !isFirst, first == UInt8(ascii: "=") || first == UInt8(ascii: "-"),
        bytes[line].allSatisfy({ $0 == first })
      {
        return start
      }
      return !isFirst && isDelimiterRow(bytes, line) ? start : nil
    case UInt8(ascii: "~"), UInt8(ascii: "`"):
      return bytes[line].prefix { $0 == first }.count >= 3 ? start : nil
    case UInt8(ascii: "|"), UInt8(ascii: ":"):
      return !isFirst && isDelimiterRow(bytes, line) ? start : nil
    case UInt8(ascii: "<"):
      guard start + 1 < line.upperBound else { return nil }
      let next = bytes[start + 1]
      return next.isASCIILetter || "/!?".utf8.contains(next) ? start : nil
    case UInt8(ascii: "["):
      if isFirst, hasLabelEnd(bytes, start..<end) { return start }
      return isTask && isBox(bytes, line) ? start : nil
    case let digit where digit.isASCIIDigit:
      let digits = bytes[line].prefix { $0.isASCIIDigit }.count
      let mark = start + digits
      guard digits <= 9, mark < line.upperBound,
        bytes[mark] == UInt8(ascii: ".") || bytes[mark] == UInt8(ascii: ")"),
        isEndOrBlank(bytes, mark + 1, line)
      else { return nil }
      return mark
    default:
      return nil
    }
  }

  private static func isEndOrBlank(_ bytes: [UInt8], _ offset: Int, _ line: Range<Int>) -> Bool {
    offset >= line.upperBound || bytes[offset] == 0x20 || bytes[offset] == 0x09
  }

  private static func isThematicBreak(
    _ bytes: [UInt8], _ line: Range<Int>, _ least: Int
  ) -> Bool {
    let mark = bytes[line.lowerBound]
    var count = 0
    for byte in bytes[line] {
      if byte == mark {
        count += 1
      } else if byte != 0x20, byte != 0x09 {
        return false
      }
    }
    return count >= least
  }

  /// Whether a line could be the second one of a table.
  private static func isDelimiterRow(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
    var hasHyphen = false
    for byte in bytes[line] {
      switch byte {
      case UInt8(ascii: "-"): hasHyphen = true
      case UInt8(ascii: "|"), UInt8(ascii: ":"), 0x20, 0x09: break
      default: return false
      }
    }
    return hasHyphen
  }

  /// Whether `]:` stands somewhere, so that the paragraph could define what a label refers to.
  private static func hasLabelEnd(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    // A label has at most 999 characters.
    var index = range.lowerBound + 1
    let limit = min(range.upperBound - 1, range.lowerBound + 4_000)
    while index < limit {
      if bytes[index] == UInt8(ascii: "]"), bytes[index + 1] == UInt8(ascii: ":") { return true }
      index += 1
    }
    return false
  }

  private static func isBox(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
    let start = line.lowerBound
    return line.count >= 3 && bytes[start + 2] == UInt8(ascii: "]")
      && (bytes[start + 1] == 0x20 || bytes[start + 1] | 0x20 == UInt8(ascii: "x"))
  }

  // MARK: HTML

  /// What HTML at the beginning of a line would be.
  private enum Markup {
    /// Ends with a mark of its own (CommonMark 4.6, conditions 1 to 5).
    case closed(by: StaticString)
    /// An element of a block: ends at an empty line.
    case block
    case none
  }

  /// Whether HTML at the beginning of a line begins a block, within a paragraph if `interrupts`.
  static func isMarkup(_ bytes: [UInt8], _ range: Range<Int>, interrupts: Bool) -> Bool {
    if case .none = markup(bytes, range) { return false }
    return true
  }

  /// Whether a block of HTML has ended with its last line, so that no empty line must follow.
  static func isClosedMarkup(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard case .closed(let mark) = markup(bytes, range) else { return false }
    let lastLine =
      bytes[range].lastIndex(of: .lineFeed).map { $0 + 1..<range.upperBound } ?? range
    let length = mark.utf8CodeUnitCount
    guard lastLine.count >= length else { return false }
    return (lastLine.lowerBound...lastLine.upperBound - length).contains {
      bytes.hasWord(mark, at: $0)
    }
  }

  private static func markup(_ bytes: [UInt8], _ range: Range<Int>) -> Markup {
    let indentation = bytes[range].prefix(3).prefix { $0 == 0x20 }.count
    let range = range.dropFirst(indentation)
    guard range.count > 1, bytes[range.lowerBound] == UInt8(ascii: "<") else { return .none }
    var start = range.lowerBound + 1
    if bytes[start] == UInt8(ascii: "?") { return .closed(by: "?>") }
    if bytes[start] == UInt8(ascii: "!") {
      if bytes.hasWord("!--", at: start) { return .closed(by: "-->") }
      if bytes.hasWord("![cdata[", at: start) { return .closed(by: "]]>") }
      return start + 1 < range.upperBound && bytes[start + 1].isASCIILetter
        ? .closed(by: ">") : .none
    }
    let isEnd = bytes[start] == UInt8(ascii: "/")
    if isEnd { start += 1 }
    var end = start
    while end < range.upperBound, bytes[end].isASCIILetter || bytes[end].isASCIIDigit { end += 1 }
    guard end > start else { return .none }
    let isComplete =
      end == range.upperBound || bytes[end].isHTMLSpace || bytes[end] == UInt8(ascii: ">")
    if !isEnd, isComplete {
      if bytes.isWord("script", in: start..<end) { return .closed(by: "</script>") }
      if bytes.isWord("pre", in: start..<end) { return .closed(by: "</pre>") }
      if bytes.isWord("style", in: start..<end) { return .closed(by: "</style>") }
    }
    let isEmpty =
      end + 1 < range.upperBound && bytes[end] == UInt8(ascii: "/")
      && bytes[end + 1] == UInt8(ascii: ">")
    guard isComplete || isEmpty else { return .none }
    return blockNames.contains { bytes.isWord($0, in: start..<end) } ? .block : .none
  }

  /// The elements of condition 6.
  private static var blockNames: [StaticString] {
    [
      "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center",
      "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
      "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5",
      "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu",
      "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section",
      "source", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track",
      "ul",
    ]
  }
}
