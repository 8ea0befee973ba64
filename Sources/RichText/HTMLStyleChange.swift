internal import TextEncoding

/// What declarations of CSS say about an element, as far as it means something for text.
struct HTMLStyleChange: Sendable {
  enum Display: Sendable { case none, inline, block }
  enum Weight: Sendable { case absolute(Int16), bolder, lighter }

  var display: Display?
  var isInvisible: Bool?
  var weight: Weight?
  var isItalic: Bool?
  var isMonospaced: Bool?
  var whiteSpace: WhiteSpace?
  var isUnderlined: Bool?
  var isStruckThrough: Bool?
  var baseline: TextStyle.Baseline?
  var foreground: TextColor?
  var background: TextColor?
  var alignment: Paragraph.Alignment?
  var numbering: TextList.Numbering?
  var hasNoMarginAbove: Bool?
  var hasNoMarginBelow: Bool?

  // What Word says.
  /// `mso-list` of a paragraph in a list: the number of the list and the level, from 1.
  var officeList: OfficeList?
  /// `mso-list: none` takes back what a style sheet said.
  var isOutOfLists = false
  /// `mso-list: Ignore`: the text is the marker of an item.
  var isMarker = false
  /// `mso-outline-level`, from 1.
  var outlineLevel: Int?
  /// `--en-checked`, of a task of Evernote.
  var isChecked: Bool?
  /// `mso-spacerun`: no-break spaces are blanks.
  var isSpaceRun = false

  struct OfficeList: Equatable, Sendable {
    var list: Int
    var level: Int
  }

  init() {}

  /// Declarations, of which the last one for a property counts.
  init(_ css: [UInt8], in range: Range<Int>) {
    read(css, in: range)
  }

  /// Takes up declarations over those that are there.
  ///
  /// (CSS Syntax 3, 5.4.5, without escapes and priorities.)
  mutating func read(_ css: [UInt8], in range: Range<Int>) {
    var offset = range.lowerBound
    let end = range.upperBound
    while offset < end {
      let start = offset
      var colon: Int?
      var depth = 0
      scan: while offset < end {
        switch css[offset] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
          let quote = css[offset]
          offset += 1
          while offset < end, css[offset] != quote { offset += 1 }
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
      offset = min(offset, end)
      if let colon, colon < offset {
        let property = css.trimmingSpace(start..<colon)
        if !property.isEmpty {
          apply(property, css.trimmingSpace(colon + 1..<offset), of: css)
        }
      }
      offset += 1
    }
  }

  private mutating func apply(_ property: Range<Int>, _ value: Range<Int>, of css: [UInt8]) {
    switch (css[property.lowerBound] | 0x20, property.count) {
    case (UInt8(ascii: "f"), 11) where css.isWord("font-weight", in: property):
      weight = HTMLStyleChange.weight(value, css) ?? weight
    case (UInt8(ascii: "f"), 10) where css.isWord("font-style", in: property):
      isItalic = css.hasPrefix("italic", in: value) || css.hasPrefix("oblique", in: value)
    case (UInt8(ascii: "f"), 11) where css.isWord("font-family", in: property):
      isMonospaced = HTMLFontFamily.isMonospaced(css, in: value)
    case (UInt8(ascii: "f"), 4) where css.isWord("font", in: property):
      applyFont(value, css)
    case (UInt8(ascii: "d"), 7) where css.isWord("display", in: property):
      display = HTMLStyleChange.display(value, css) ?? display
    case (UInt8(ascii: "v"), 10) where css.isWord("visibility", in: property):
      isInvisible = css.hasPrefix("hidden", in: value) || css.hasPrefix("collapse", in: value)
    case (UInt8(ascii: "v"), 14) where css.isWord("vertical-align", in: property):
      baseline =
        css.hasPrefix("super", in: value)
        ? .superscript : css.hasPrefix("sub", in: value) ? .subscripted : .normal
    case (UInt8(ascii: "w"), 11) where css.isWord("white-space", in: property),
      (UInt8(ascii: "w"), 20) where css.isWord("white-space-collapse", in: property):
      for word in css.words(in: value) {
        whiteSpace = HTMLStyleChange.whiteSpace(word, css) ?? whiteSpace
      }
    case (UInt8(ascii: "t"), 15) where css.isWord("text-decoration", in: property),
      (UInt8(ascii: "t"), 20) where css.isWord("text-decoration-line", in: property):
      let words = css.words(in: value)
      isUnderlined = words.contains { css.isWord("underline", in: $0) }
      isStruckThrough = words.contains { css.isWord("line-through", in: $0) }
    case (UInt8(ascii: "t"), 10) where css.isWord("text-align", in: property):
      alignment = HTMLStyleChange.alignment(value, css)
    case (UInt8(ascii: "c"), 5) where css.isWord("color", in: property):
      foreground = TextColor(css: css, in: value) ?? foreground
    case (UInt8(ascii: "b"), 10) where css.isWord("background", in: property),
      (UInt8(ascii: "b"), 16) where css.isWord("background-color", in: property):
      background = TextColor(css: css, in: value)
    case (UInt8(ascii: "l"), 15) where css.isWord("list-style-type", in: property),
      (UInt8(ascii: "l"), 10) where css.isWord("list-style", in: property):
      for word in css.words(in: value) {
        numbering = HTMLStyleChange.numbering(word, css) ?? numbering
      }
    case (UInt8(ascii: "m"), _):
      applyMargin(property, value, css)
    case (UInt8(ascii: "-"), 12) where css.isWord("--en-checked", in: property):
      isChecked = css.hasPrefix("true", in: value)
    default:
      break
    }
  }

  private mutating func applyMargin(
    _ property: Range<Int>, _ value: Range<Int>, _ css: [UInt8]
  ) {
    if css.isWord("margin-top", in: property) {
      hasNoMarginAbove = HTMLStyleChange.isNothing(value, css)
    } else if css.isWord("margin-bottom", in: property) {
      hasNoMarginBelow = HTMLStyleChange.isNothing(value, css)
    } else if css.isWord("margin", in: property) {
      // One to four values: top, right, bottom, left.
      let values = css.words(in: value)
      guard let top = values.first else { return }
      hasNoMarginAbove = HTMLStyleChange.isNothing(top, css)
      hasNoMarginBelow = HTMLStyleChange.isNothing(values.count > 2 ? values[2] : top, css)
    } else if css.isWord("mso-list", in: property) {
      applyOfficeList(value, css)
    } else if css.isWord("mso-hide", in: property) {
      if css.hasPrefix("all", in: value) { display = Display.none }
    } else if css.isWord("mso-outline-level", in: property) {
      outlineLevel = css.integer(in: value)
    } else if css.isWord("mso-spacerun", in: property) {
      isSpaceRun = css.hasPrefix("yes", in: value)
    }
  }

  /// Reads `l0 level2 lfo1`, `none` or `Ignore`.
  private mutating func applyOfficeList(_ value: Range<Int>, _ css: [UInt8]) {
    if css.hasPrefix("ignore", in: value) {
      isMarker = true
      return
    }
    officeList = nil
    isOutOfLists = css.hasPrefix("none", in: value)
    guard let first = css.words(in: value).first, css[first.lowerBound] | 0x20 == 0x6C,
      let list = css.integer(in: first.lowerBound + 1..<first.upperBound)
    else { return }
    var level = 1
    for word in css.words(in: value) where css.hasPrefix("level", in: word) {
      level = css.integer(in: word.lowerBound + 5..<word.upperBound) ?? 1
    }
    officeList = OfficeList(list: list, level: min(max(level, 1), 32))
  }

  /// The shorthand: style and weight before the size, families behind it.
  private mutating func applyFont(_ value: Range<Int>, _ css: [UInt8]) {
    var families = value
    weight = .absolute(400)
    isItalic = false
    for word in css.words(in: value) {
      if css.isWord("bold", in: word) {
        weight = .absolute(700)
      } else if css.isWord("italic", in: word) || css.isWord("oblique", in: word) {
        isItalic = true
      } else if css[word.lowerBound].isASCIIDigit {
        let number = css.integer(in: word) ?? 0
        if word.count == 3, number >= 100 { weight = .absolute(Int16(clamping: number)) }
        families = word.upperBound..<value.upperBound
      }
    }
    isMonospaced = HTMLFontFamily.isMonospaced(css, in: css.trimmingSpace(families))
  }

  /// Takes up another change over this one.
  mutating func merge(_ other: HTMLStyleChange) {
    display = other.display ?? display
    isInvisible = other.isInvisible ?? isInvisible
    weight = other.weight ?? weight
    isItalic = other.isItalic ?? isItalic
    isMonospaced = other.isMonospaced ?? isMonospaced
    whiteSpace = other.whiteSpace ?? whiteSpace
    isUnderlined = other.isUnderlined ?? isUnderlined
    isStruckThrough = other.isStruckThrough ?? isStruckThrough
    baseline = other.baseline ?? baseline
    foreground = other.foreground ?? foreground
    background = other.background ?? background
    alignment = other.alignment ?? alignment
    numbering = other.numbering ?? numbering
    hasNoMarginAbove = other.hasNoMarginAbove ?? hasNoMarginAbove
    hasNoMarginBelow = other.hasNoMarginBelow ?? hasNoMarginBelow
    officeList = other.isOutOfLists ? nil : other.officeList ?? officeList
    isOutOfLists = other.isOutOfLists
    isMarker = isMarker || other.isMarker
    outlineLevel = other.outlineLevel ?? outlineLevel
    isChecked = other.isChecked ?? isChecked
    isSpaceRun = isSpaceRun || other.isSpaceRun
  }

  // MARK: Values

  private static func weight(_ value: Range<Int>, _ css: [UInt8]) -> Weight? {
    if let number = css.integer(in: value) { return .absolute(Int16(clamping: number)) }
    if css.hasPrefix("bolder", in: value) { return .bolder }
    if css.hasPrefix("bold", in: value) { return .absolute(700) }
    if css.hasPrefix("lighter", in: value) { return .lighter }
    return css.hasPrefix("normal", in: value) || css.hasPrefix("initial", in: value)
      ? .absolute(400) : nil
  }

  private static func display(_ value: Range<Int>, _ css: [UInt8]) -> Display? {
    if css.hasPrefix("none", in: value) { return Display.none }
    if css.hasPrefix("inline", in: value) || css.hasPrefix("contents", in: value) {
      return .inline
    }
    return css.hasPrefix("block", in: value) || css.hasPrefix("flex", in: value)
      || css.hasPrefix("grid", in: value) || css.hasPrefix("list-item", in: value)
      ? .block : nil
  }

  private static func whiteSpace(_ word: Range<Int>, _ css: [UInt8]) -> WhiteSpace? {
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

  static func alignment(_ value: Range<Int>, _ css: [UInt8]) -> Paragraph.Alignment? {
    if css.hasPrefix("center", in: value) { return .center }
    if css.hasPrefix("right", in: value) || css.hasPrefix("end", in: value) { return .right }
    if css.hasPrefix("justify", in: value) { return .justified }
    return css.hasPrefix("left", in: value) ? .left : nil
  }

  private static func numbering(_ word: Range<Int>, _ css: [UInt8]) -> TextList.Numbering? {
    if css.hasPrefix("decimal", in: word) { return .decimal }
    if css.isWord("disc", in: word) || css.isWord("circle", in: word)
      || css.isWord("square", in: word)
    {
      return .bullet
    }
    if css.hasPrefix("lower-alpha", in: word) || css.hasPrefix("lower-latin", in: word) {
      return .lowerAlpha
    }
    if css.hasPrefix("upper-alpha", in: word) || css.hasPrefix("upper-latin", in: word) {
      return .upperAlpha
    }
    if css.hasPrefix("lower-roman", in: word) { return .lowerRoman }
    return css.hasPrefix("upper-roman", in: word) ? .upperRoman : nil
  }

  /// Whether a length is less than a hundredth of its unit: Word writes `.0001pt` for zero.
  private static func isNothing(_ value: Range<Int>, _ css: [UInt8]) -> Bool {
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
}

/// Which families have characters of one width.
enum HTMLFontFamily {
  private static let names: [StaticString] = [
    "mono", "courier", "consol", "menlo", "monaco", "inconsolata", "typewriter", "fira code",
    "source code", "cascadia code", "fixedsys", "terminal", "sfmono", "hack", "iosevka",
  ]

  /// Whether the first family of a list is such a one, or any is the generic one.
  static func isMonospaced(_ css: [UInt8], in value: Range<Int>) -> Bool {
    let comma = css[value].firstIndex(of: UInt8(ascii: ",")) ?? value.upperBound
    var first = css.trimmingSpace(value.lowerBound..<comma)
    if let quote = first.first, css[quote] == 0x22 || css[quote] == 0x27 {
      first = quote + 1..<max(quote + 1, first.upperBound - 1)
    }
    for name in names where contains(name, css, in: first) {
      return !contains("monotype", css, in: first)
    }
    return contains("monospace", css, in: value)
  }

  private static func contains(_ word: StaticString, _ css: [UInt8], in range: Range<Int>) -> Bool {
    let length = word.utf8CodeUnitCount
    guard range.count >= length else { return false }
    for offset in range.lowerBound...(range.upperBound - length)
    where css.hasWord(word, at: offset) {
      return true
    }
    return false
  }
}

extension TextColor {
  /// A colour of CSS; `nil` for none, one that is not known and one that cannot be seen.
  init?(css: [UInt8], in value: Range<Int>) {
    guard let first = value.first else { return nil }
    if css[first] == UInt8(ascii: "#") {
      let digits = css[first + 1..<value.upperBound].prefix { $0.hexadecimalValue != nil }
        .map { UInt8(truncatingIfNeeded: $0.hexadecimalValue ?? 0) }
      switch digits.count {
      case 3, 4:
        self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
      case 6, 8:
        self.init(
          red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
          blue: digits[4] << 4 | digits[5])
      default: return nil
      }
      return
    }
    if css.hasPrefix("rgb", in: value) {
      var numbers: [Int] = []
      var offset = first
      while offset < value.upperBound, numbers.count < 4 {
        if css[offset].isASCIIDigit {
          numbers.append(css.integer(in: offset..<value.upperBound) ?? 0)
          while offset < value.upperBound, css[offset].isASCIIDigit { offset += 1 }
          // The fraction of an opacity.
          if offset < value.upperBound, css[offset] == UInt8(ascii: "."), numbers.count == 4 {
            numbers[3] += 1
          }
        } else {
          offset += 1
        }
      }
      guard numbers.count >= 3, numbers.count < 4 || numbers[3] > 0 else { return nil }
      self.init(
        red: UInt8(clamping: numbers[0]), green: UInt8(clamping: numbers[1]),
        blue: UInt8(clamping: numbers[2]))
      return
    }
    for (name, color) in TextColor.names where css.isWord(name, in: value) {
      self = color
      return
    }
    return nil
  }

  private static let names: [(StaticString, TextColor)] = [
    ("black", TextColor(red: 0, green: 0, blue: 0)),
    ("white", TextColor(red: 255, green: 255, blue: 255)),
    ("red", TextColor(red: 255, green: 0, blue: 0)),
    ("green", TextColor(red: 0, green: 128, blue: 0)),
    ("blue", TextColor(red: 0, green: 0, blue: 255)),
    ("yellow", TextColor(red: 255, green: 255, blue: 0)),
    ("gray", TextColor(red: 128, green: 128, blue: 128)),
    ("grey", TextColor(red: 128, green: 128, blue: 128)),
    ("silver", TextColor(red: 192, green: 192, blue: 192)),
    ("maroon", TextColor(red: 128, green: 0, blue: 0)),
    ("navy", TextColor(red: 0, green: 0, blue: 128)),
    ("purple", TextColor(red: 128, green: 0, blue: 128)),
    ("teal", TextColor(red: 0, green: 128, blue: 128)),
    ("olive", TextColor(red: 128, green: 128, blue: 0)),
    ("lime", TextColor(red: 0, green: 255, blue: 0)),
    ("aqua", TextColor(red: 0, green: 255, blue: 255)),
    ("fuchsia", TextColor(red: 255, green: 0, blue: 255)),
    ("orange", TextColor(red: 255, green: 165, blue: 0)),
  ]
}

extension [UInt8] {
  /// Whether a range begins with `word`, which has no capitals.
  func hasPrefix(_ word: StaticString, in range: Range<Int>) -> Bool {
    range.count >= word.utf8CodeUnitCount && hasWord(word, at: range.lowerBound)
  }

  /// The words of a range, eight at most.
  func words(in range: Range<Int>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var offset = range.lowerBound
    while offset < range.upperBound, words.count < 8 {
      while offset < range.upperBound, self[offset].isHTMLSpace { offset += 1 }
      let start = offset
      while offset < range.upperBound, !self[offset].isHTMLSpace { offset += 1 }
      if offset > start { words.append(start..<offset) }
    }
    return words
  }
}
