/// The attributes of a text as its Markdown needs them, worked out once for each entry of the table of
/// attributes: spans as numbers, so that comparing them is cheap.
struct MarkdownSpans {
  /// The number of a span among all different ones of a text.
  typealias Number = Int32

  enum Kind {
    case emphasis
    case strong
    case strikethrough
    case link(TextLink)

    /// Whether delimiters around the text say it, which must not have blanks at their inner sides.
    var isDelimited: Bool { if case .link = self { false } else { true } }
  }

  /// What a stretch of text is apart from its spans.
  enum Form {
    case text
    case softBreak
    case image(TextImage)
    case code
    case markup
  }

  private(set) var kinds: [Kind] = []
  /// For each entry of the table of attributes the spans around the text, outermost first.
  private(set) var spans: [[Number]] = []
  private(set) var forms: [Form] = []

  init(_ table: AttributeTable) {
    var numbers: [TextSpan: Number] = [:]
    spans.reserveCapacity(table.values.count)
    forms.reserveCapacity(table.values.count)
    for attributes in table.values {
      var list: [Number] = []
      var form = Form.text
      for span in Self.effectiveSpans(of: attributes) {
        let kind: Kind
        switch span {
        case .code:
          form = .code
          continue
        case .markup:
          form = .markup
          continue
        case .emphasis: kind = .emphasis
        case .strong: kind = .strong
        case .strikethrough: kind = .strikethrough
        case .link(let link):
          guard !Self.isLongData(link.destination) else { continue }
          kind = .link(link)
        }
        let number = numbers[span] ?? Number(kinds.count)
        if Int(number) == kinds.count {
          kinds.append(kind)
          numbers[span] = number
        }
        list.append(number)
      }
      if let image = attributes.image {
        form = .image(image)
      } else if attributes.isSoftBreak {
        form = .softBreak
      }
      spans.append(list)
      forms.append(form)
    }
  }

  /// A URL that holds a long content: nobody wants it in the middle of a text.
  static func isLongData(_ url: String) -> Bool {
    url.utf8.count > 4096 && url.utf8.prefix(5).elementsEqual("data:".utf8)
  }

  /// The spans, and what only the style says, inside of them but around code.
  private static func effectiveSpans(of attributes: TextAttributes) -> [TextSpan] {
    var spans = attributes.spans
    guard attributes.style != TextStyle() else { return spans }
    var added: [TextSpan] = []
    if attributes.style.isStruckThrough == true, !spans.contains(.strikethrough) {
      added.append(.strikethrough)
    }
    if attributes.style.isBold, !spans.contains(.strong) { added.append(.strong) }
    if attributes.style.isItalic == true, !spans.contains(.emphasis) { added.append(.emphasis) }
    let innermost = spans.firstIndex { $0 == .code || $0 == .markup } ?? spans.count
    spans.insert(contentsOf: added, at: innermost)
    if attributes.style.isMonospaced == true, !spans.contains(.code), !spans.contains(.markup) {
      spans.append(.code)
    }
    return spans
  }
}
