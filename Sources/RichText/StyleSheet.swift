/// Turns what text is into how it looks: headings large and bold, code monospaced, links blue.
///
/// What a text says of its looks itself (``TextAttributes/style``) comes first, then what its spans
/// say, then its paragraph, then ``base``.
public struct StyleSheet: Sendable {
  /// How running text looks.
  public var base: TextStyle

  /// How headings look, level 1 first; six of them.
  public var headings: [TextStyle]

  /// How code looks, in a line and in blocks.
  public var code: TextStyle

  /// How a quote looks.
  public var quote: TextStyle

  /// How emphasis looks.
  public var emphasis: TextStyle

  /// How strong emphasis looks.
  public var strong: TextStyle

  /// How struck text looks.
  public var strikethrough: TextStyle

  /// How links look.
  public var link: TextStyle

  /// How the cells of a table's head look.
  public var tableHead: TextStyle

  /// A style sheet that says nothing.
  public init() {
    base = TextStyle()
    headings = [TextStyle](repeating: TextStyle(), count: 6)
    code = TextStyle()
    quote = TextStyle()
    emphasis = TextStyle()
    strong = TextStyle()
    strikethrough = TextStyle()
    link = TextStyle()
    tableHead = TextStyle()
  }

  /// What clipview gives to programs that ask for looks: 12 points, headings from 24 points down.
  public static let standard: StyleSheet = {
    var sheet = StyleSheet()
    sheet.base.fontSize = 120
    sheet.base.weight = 400
    for (level, size) in [240, 200, 160, 140, 120, 120].enumerated() {
      sheet.headings[level].fontSize = size
      sheet.headings[level].weight = 700
    }
    sheet.headings[5].isItalic = true
    sheet.code.isMonospaced = true
    sheet.code.fontSize = 100
    sheet.emphasis.isItalic = true
    sheet.strong.weight = 700
    sheet.strikethrough.isStruckThrough = true
    sheet.link.isUnderlined = true
    sheet.link.foreground = TextColor(red: 0x05, green: 0x63, blue: 0xC1)
    sheet.tableHead.weight = 700
    return sheet
  }()

  /// How text of these attributes looks in a paragraph.
  public func style(of attributes: TextAttributes, in paragraph: Paragraph) -> TextStyle {
    style(of: attributes, over: style(of: paragraph))
  }

  /// How text of these attributes looks in a paragraph that looks like `paragraph`.
  func style(of attributes: TextAttributes, over paragraph: TextStyle) -> TextStyle {
    var style = attributes.style
    for span in attributes.spans.reversed() {
      switch span {
      case .emphasis: style = style.over(emphasis)
      case .strong: style = style.over(strong)
      case .strikethrough: style = style.over(strikethrough)
      case .code: style = style.over(code(in: paragraph))
      case .link: style = style.over(link)
      case .markup: break
      }
    }
    return style.over(paragraph)
  }

  /// How code within a line looks: as much smaller than the text around it as in running text.
  private func code(in paragraph: TextStyle) -> TextStyle {
    guard let size = code.fontSize, let base = base.fontSize, base > 0,
      let around = paragraph.fontSize, around != base
    else { return code }
    var style = code
    style.fontSize = size * around / base
    return style
  }

  /// How text of which nothing is said looks in a paragraph.
  public func style(of paragraph: Paragraph) -> TextStyle {
    var style = TextStyle()
    switch paragraph.kind {
    case .heading(let level): style = headings[min(max(level, 1), headings.count) - 1]
    case .code: style = code
    case .body, .thematicBreak, .markup, .vacant: break
    }
    for container in paragraph.containers.reversed() {
      switch container.kind {
      case .quote: style = style.over(quote)
      case .row(isHeader: true): style = style.over(tableHead)
      case .list, .item, .table, .row, .cell: break
      }
    }
    return style.over(base)
  }
}
