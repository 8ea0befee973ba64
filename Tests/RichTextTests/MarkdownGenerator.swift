import RichText

/// Random texts that Markdown can say, the same ones for the same seed.
///
/// Words hold whatever characters Markdown knows; what only some neighbours let be said, such as
/// emphasis within a word, is left to the tests of the writer.
struct MarkdownGenerator {
  private var state: UInt64
  private var builder = AttributedTextBuilder()

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  private mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % limit
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// Words that mean something somewhere.
  private static let words = [
    "a", "word", "Größe", "日本", "*", "**", "_", "__init__", "2*3", "*a*", "_b_", "~", "~~c~~",
    "`", "``", "```", "\\", "\\*", "a\\", "[", "]", "[x]", "[a]:", "[a](b)", "](", "!", "![", "<",
    "<b>", "</b>", "<!--", "-->", "a<b", ">", "&", "&amp;", "&#65;", "&copy", "#", "##", "#a", "-",
    "--", "---", "-|-", "+", "=", "===", "1.", "2)", "10.", "1234567890.", "|", "a|b", ":-:", ":",
    "http://a.bc", "www.a.bc", "a@b.cd", "http://", "~~~", "\"", "'", "(", ")", "{}", "€", "“x”",
    "\u{A0}", "\u{200B}", "\u{7F}", "\u{B}", "x\ty", "[ ]", "***", "_ _", "<http://a>", "]]", "é*",
  ]

  private static let urls = [
    "", "b", "https://a.bc/d_e_f?g=h&i=j", "a b", "a(b)c", "a)b", "(", "<a>", "a\\b", "a\\*", "*~_",
    "a\"b'c", "&amp;", "#x", "mailto:a@b.cd", "a`b", "a|b", "ä", "http://www.x.yz",
  ]

  /// A text of some blocks.
  mutating func text() -> AttributedText {
    blocks(1 + below(5), depth: 0)
    return builder.finish()
  }

  private mutating func blocks(_ count: Int, depth: Int) {
    for _ in 0..<count { block(depth: depth) }
  }

  private mutating func block(depth: Int) {
    switch below(depth < 3 ? 12 : 6) {
    case 0:
      let level = 1 + below(6)
      builder.beginParagraph(.heading(level: level))
      if below(8) > 0 { words(level <= 2 && below(4) == 0 ? .paragraph : .line) }
    case 1:
      builder.beginParagraph(
        .code(info: pick(["", "swift", "a b", "a`b", "~", "\\*", "&amp;", "ä\"<"])))
      code()
    case 2:
      builder.beginParagraph(.thematicBreak)
      builder.endParagraph()
    case 6, 7:
      builder.open(.quote)
      if depth > 0 || below(6) > 0 { blocks(1 + below(3), depth: depth + 1) }
      builder.close()
    case 8, 9: list(isTight: true, depth: depth)
    case 10: list(isTight: false, depth: depth)
    case 11: table()
    default: paragraph()
    }
  }

  private mutating func paragraph() {
    builder.beginParagraph()
    words(.paragraph)
  }

  private mutating func code() {
    let lines = below(4)
    for line in 0..<lines {
      if line > 0 { builder.appendLineBreak() }
      builder.append(pick(["", "a", "  b", "\tc", "```", "~~~~", "- d", "> e", "&amp; \\*", "#"]))
    }
    // No lines and an empty one are the same.
    if lines == 1, builder.isParagraphEmpty { builder.append("x") }
  }

  private mutating func list(isTight: Bool, depth: Int) {
    let isBullet = below(2) == 0
    builder.open(
      .list(
        TextList(
          numbering: isBullet ? .bullet : .decimal,
          start: isBullet ? 1 : pick([0, 1, 2, 9, 99, 123_456_789]), isTight: isTight)))
    let count = isTight ? 1 + below(3) : 2 + below(2)
    for index in 0..<count {
      let isDone: Bool? = below(5) == 0 ? below(2) == 0 : nil
      builder.open(.item(isDone: isDone))
      if isTight {
        // What may follow without an empty line.
        // (Behind a vacant last item md4c reads an item of the list around as one of a new list.)
        if isDone != nil || depth > 0 || index == count - 1 || below(6) > 0 {
          paragraph()
          switch below(6) {
          case 0:
            builder.beginParagraph(.code(info: ""))
            code()
          case 1 where depth < 3:
            builder.open(.list(TextList()))
            builder.open(.item(isDone: nil))
            paragraph()
            builder.close()
            builder.close()
          default: break
          }
        }
      } else {
        paragraph()
        if below(2) == 0 { block(depth: depth + 1) }
      }
      builder.close()
    }
    builder.close()
  }

  private mutating func table() {
    let columns = 1 + below(3)
    builder.open(
      .table(TextTable(alignments: (0..<columns).map { _ in pick([nil, .left, .right, .center]) })))
    for row in 0..<1 + below(3) {
      builder.open(.row(isHeader: row == 0))
      for _ in 0..<columns {
        builder.open(.cell(columns: 1, rows: 1))
        if below(4) > 0 { words(.line) }
        builder.close()
      }
      builder.close()
    }
    builder.close()
  }

  private enum Place {
    case paragraph
    case line
  }

  /// Words with blanks or breaks between them.
  private mutating func words(_ place: Place) {
    let count = 1 + below(8)
    for index in 0..<count {
      if index > 0 {
        switch place == .line ? 0 : below(8) {
        case 0: builder.appendSoftBreakOrBlank(place == .paragraph)
        case 1: builder.appendLineBreak()
        default: builder.append(" ")
        }
      }
      word()
    }
    // A heading of two levels that has breaks is another kind than one without; both are sayable.
  }

  private mutating func word() {
    switch below(10) {
    case 0: spanned([.emphasis])
    case 1: spanned([.strong])
    case 2: spanned(pick([[.strong, .emphasis], [.emphasis, .strong], [.strikethrough]]))
    case 3:
      builder.attributes.spans = [.code]
      builder.append(pick(["a", "`", "a``b", " c ", " ", "\\", "a|b", "*", "<b>", "&amp;"]))
    case 4:
      let title: String? =
        below(3) == 0 ? pick(["t", "a \"b\"", "\\", "<b>", "a\nb", "*~_`"]) : nil
      spanned([.link(TextLink(destination: pick(Self.urls), title: title))])
    case 5 where below(3) == 0:
      builder.append(
        TextImage(source: pick(Self.urls), alternative: pick(Self.words), title: nil))
    default:
      builder.append(pick(Self.words))
    }
    builder.attributes = .plain
  }

  private mutating func spanned(_ spans: [TextSpan]) {
    builder.attributes.spans = spans
    builder.append(pick(["a", "two words", "x_y", "ä"]))
    builder.attributes = .plain
  }
}

extension AttributedTextBuilder {
  fileprivate mutating func appendSoftBreakOrBlank(_ isBreak: Bool) {
    if isBreak { appendSoftBreak() } else { append(" ") }
  }
}
