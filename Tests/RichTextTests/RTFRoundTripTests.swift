import RichText
import TestSupport
import Testing

@Suite("Markdown to RTF and back", .enabled(if: MarkdownExample.areThere))
struct RTFRoundTripTests {
  /// Why an example does not come back as it was: RTF has no words for something in it, or clipview
  /// writes it so that programs do the right thing with it.
  ///
  /// HTML, pictures and the languages of code are found by looking at the text; these are the others.
  static let unsaid: [(reason: String, examples: Set<Int>)] = [
    ("a link that leads nowhere", [200, 485, 486, 567]),
    ("quotation marks and line ends in the title of a link", [196, 202, 506, 509]),
    ("a quote with nothing in it", [218, 239, 240]),
    ("a quote right behind another", [242, 252]),
    ("an item that begins with a quote, in a quote", [292, 293]),
    ("blank lines around a block of code in an item", [324]),
  ]

  private static func hasWordsOnlyMarkdownHas(_ text: AttributedText) -> Bool {
    text.runs.contains { $0.attributes.isMarkup || $0.attributes.image != nil }
      || text.paragraphs.contains { paragraph, _ in
        switch paragraph.kind {
        case .markup: true
        case .code(let info): !info.isEmpty
        default: false
        }
      }
  }

  private static func canonical(_ text: AttributedText) -> AttributedText {
    var text = text
    text.updateAttributes(in: 0..<text.length) { attributes in
      attributes.isSoftBreak = false
      attributes.style = TextStyle()
      var link: TextSpan?
      for case .link(var to) in attributes.spans {
        to.destination = percentEncoded(to.destination)
        link = .link(to)
      }
      let order: [TextSpan] = [.strikethrough, .strong, .emphasis, .code]
      attributes.spans = (link.map { [$0] } ?? []) + order.filter(attributes.spans.contains)
    }
    return text
  }

  @Test("Every example of CommonMark that RTF can say is the same model again")
  func commonMark() throws {
    let unsaid = Self.unsaid.reduce(into: Set<Int>()) { $0.formUnion($1.examples) }
    var different: [Int] = []
    for example in MarkdownExample.all(.commonMark) {
      let text = try MarkdownReader().read(Array(example.markdown.utf8))
      if Self.hasWordsOnlyMarkdownHas(text) { continue }
      let again = try RTFReader().read(RTFWriter().write(text))
      let isSame = Self.canonical(text) == Self.canonical(again)
      guard !isSame else { continue }
      different.append(example.number)
      #expect(
        unsaid.contains(example.number),
        "example \(example.number):\n\(outline(text))\nhas become\n\(outline(again))")
    }
    #expect(different == unsaid.sorted())
  }
}
