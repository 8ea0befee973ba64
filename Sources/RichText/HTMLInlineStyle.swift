/// What becomes of white space in text.
enum WhiteSpace {
  /// Runs of blanks and line ends become one blank.
  case collapse
  /// Runs of blanks become one, line ends stay.
  case preserveLines
  case preserve
}

/// What the `style` attribute of an element says about its text.
struct HTMLInlineStyle: Equatable {
  /// Whether `display` is `none`, if it stands there.
  var isHidden: Bool?
  var whiteSpace: WhiteSpace?
  var hasNoMarginAbove = false
  var hasNoMarginBelow = false

  init() {}

  /// Reads declarations; of several for a property the last one counts.
  ///
  /// (CSS Syntax 3, 5.4.5, without escapes and priorities.)
  init(_ css: [UInt8]) {
    var offset = 0
    while offset < css.count {
      let start = offset
      var colon: Int?
      var depth = 0
      scan: while offset < css.count {
        switch css[offset] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
          let quote = css[offset]
          offset += 1
          while offset < css.count, css[offset] != quote { offset += 1 }
        case UInt8(ascii: "("):
          depth += 1
        case UInt8(ascii: ")"):
          depth = max(depth - 1, 0)
        case UInt8(ascii: ":") where colon == nil:
          colon = offset
        case UInt8(ascii: ";") where depth == 0:
          break scan
        default: break
        }
        offset += 1
      }
      // An open string may have led beyond the end.
      offset = min(offset, css.count)
      if let colon {
        apply(css.trimmingSpace(start..<colon), css.trimmingSpace(colon + 1..<offset), of: css)
      }
      offset += 1
    }
  }

  private mutating func apply(_ property: Range<Int>, _ value: Range<Int>, of css: [UInt8]) {
    if css.isWord("display", in: property) {
      isHidden = HTMLInlineStyle.words(of: value, in: css).contains { css.isWord("none", in: $0) }
    } else if css.isWord("white-space", in: property)
      || css.isWord("white-space-collapse", in: property)
    {
      for word in HTMLInlineStyle.words(of: value, in: css) {
        whiteSpace = HTMLInlineStyle.whiteSpace(named: word, in: css) ?? whiteSpace
      }
    } else if css.isWord("margin-top", in: property) {
      hasNoMarginAbove = HTMLInlineStyle.isNothing(value, in: css)
    } else if css.isWord("margin-bottom", in: property) {
      hasNoMarginBelow = HTMLInlineStyle.isNothing(value, in: css)
    } else if css.isWord("margin", in: property) {
      // One to four values: top, right, bottom, left.
      let values = HTMLInlineStyle.words(of: value, in: css)
      guard let top = values.first else { return }
      hasNoMarginAbove = HTMLInlineStyle.isNothing(top, in: css)
      hasNoMarginBelow = HTMLInlineStyle.isNothing(values.count > 2 ? values[2] : top, in: css)
    }
  }

  private static func whiteSpace(named word: Range<Int>, in css: [UInt8]) -> WhiteSpace? {
    if css.isWord("normal", in: word) || css.isWord("nowrap", in: word)
      || css.isWord("collapse", in: word) || css.isWord("initial", in: word)
    {
      return .collapse
    }
    if css.isWord("pre", in: word) || css.isWord("pre-wrap", in: word)
      || css.isWord("break-spaces", in: word) || css.isWord("preserve", in: word)
    {
      return .preserve
    }
    if css.isWord("pre-line", in: word) || css.isWord("preserve-breaks", in: word) {
      return .preserveLines
    }
    return nil
  }

  /// Whether a length is less than a hundredth of its unit: Word writes `.0001pt` for zero.
  private static func isNothing(_ value: Range<Int>, in css: [UInt8]) -> Bool {
    var offset = value.lowerBound
    while offset < value.upperBound, css[offset] == UInt8(ascii: "0") { offset += 1 }
    var hasDigits = offset > value.lowerBound
    if offset < value.upperBound, css[offset] == UInt8(ascii: ".") {
      offset += 1
      var place = 0
      while offset < value.upperBound, css[offset].isASCIIDigit {
        if place < 2, css[offset] != UInt8(ascii: "0") { return false }
        place += 1
        offset += 1
      }
      hasDigits = hasDigits || place > 0
    }
    return hasDigits && (offset == value.upperBound || !css[offset].isASCIIDigit)
  }

  /// The first words of a value; no property here has more than four.
  private static func words(of value: Range<Int>, in css: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var offset = value.lowerBound
    while offset < value.upperBound, words.count < 4 {
      while offset < value.upperBound, css[offset].isHTMLSpace { offset += 1 }
      let start = offset
      while offset < value.upperBound, !css[offset].isHTMLSpace { offset += 1 }
      if offset > start { words.append(start..<offset) }
    }
    return words
  }
}
