import TestSupport
import Testing

@testable import RichText

/// The attributed model: what it says where, and what edits do to it.
@Suite("Attributed text")
struct AttributedTextTests {
  /// `> # A *b*`, a line `c` below it, a list of two items, the second with two paragraphs.
  static let sample: AttributedText = {
    var builder = AttributedTextBuilder()
    builder.open(.quote)
    builder.beginParagraph(.heading(level: 1))
    builder.append("A ")
    builder.attributes = TextAttributes(spans: [.emphasis])
    builder.append("b")
    builder.attributes = .plain
    builder.close()
    builder.beginParagraph()
    builder.append("c")
    builder.endParagraph()
    builder.open(.list(TextList()))
    builder.open(.item(isDone: nil))
    builder.append("one")
    builder.close()
    builder.open(.item(isDone: true))
    builder.append("two")
    builder.beginParagraph()
    builder.append("more")
    builder.close()
    builder.close()
    return builder.finish()
  }()

  @Test("Paragraphs know their kind and what they stand in")
  func paragraphsKnowTheirPlace() {
    let text = Self.sample
    #expect(text.string == "A b\nc\none\ntwo\nmore\n")
    let paragraphs = text.paragraphs.map(\.paragraph)
    #expect(paragraphs.map(\.headingLevel) == [1, nil, nil, nil, nil])
    #expect(paragraphs.map(\.quoteDepth) == [1, 0, 0, 0, 0])
    #expect(paragraphs.map(\.listDepth) == [0, 0, 1, 1, 1])
    #expect(paragraphs[2].containers[0] == paragraphs[3].containers[0])
    #expect(paragraphs[2].containers[1] != paragraphs[3].containers[1])
    #expect(paragraphs[3].containers == paragraphs[4].containers)
    #expect(paragraphs[3].containers.last?.kind == .item(isDone: true))
    #expect(text.paragraph(at: 4).range == 4..<6)
    #expect(text.paragraph(at: 3).paragraph.kind == .heading(level: 1))
  }

  @Test("An attribute is found with its effective and its longest effective range")
  func effectiveRanges() {
    var text = AttributedText("plain bold both italic")
    text.updateAttributes(in: 6..<15) { $0.style.weight = 700 }
    text.updateAttributes(in: 11..<22) { $0.style.isItalic = true }
    #expect(text.attribute(\.style.weight, at: 7).value == 700)
    #expect(text.attribute(\.style.weight, at: 7).effectiveRange == 6..<11)
    #expect(text.longestEffectiveRange(of: \.style.weight, at: 7) == 6..<15)
    #expect(text.longestEffectiveRange(of: \.style.weight, at: 7, in: 7..<12) == 7..<12)
    #expect(text.longestEffectiveRange(of: \.style.isItalic, at: 12) == 11..<22)
    #expect(text.longestEffectiveRange(of: \.style.isItalic, at: 0) == 0..<11)
    #expect(text.attributes(at: 13).attributes.style.isItalic == true)
    let weights = text.ranges(of: \.style.weight)
    #expect(weights.map(\.value) == [nil, 700, nil])
    #expect(weights.map(\.range) == [0..<6, 6..<15, 15..<23])
    #expect(text.runs(in: 8..<12).map(\.range) == [8..<11, 11..<12])
  }

  @Test("Runs that say the same are one run")
  func runsMerge() {
    var text = AttributedText("abcdef")
    text.updateAttributes(in: 1..<3) { $0.spans = [.strong] }
    text.updateAttributes(in: 3..<5) { $0.spans = [.strong] }
    #expect(text.runs.count == 3)
    text.updateAttributes(in: 0..<6) { $0.spans = [] }
    #expect(text.runs.count == 1)
  }

  @Test("Equality does not ask for the identities of containers")
  func equality() {
    var other = AttributedText()
    other.append(Self.sample[4..<6])
    other.append(Self.sample)
    #expect(other[2..<other.length] == Self.sample)
    #expect(other != Self.sample)

    // Two lists are not one list with as many items.
    func lists(_ split: Bool) -> AttributedText {
      var builder = AttributedTextBuilder()
      builder.open(.list(TextList()))
      builder.open(.item(isDone: nil))
      builder.append("a")
      builder.close()
      if split {
        builder.close()
        builder.open(.list(TextList()))
      }
      builder.open(.item(isDone: nil))
      builder.append("b")
      return builder.finish()
    }
    #expect(lists(true) == lists(true))
    #expect(lists(true) != lists(false))
    #expect(lists(false) != lists(true))
  }

  @Test("A slice within a paragraph is a fragment, over a mark it is paragraphs")
  func slices() {
    let text = Self.sample
    #expect(text[0..<3].isFragment)
    #expect(text[0..<3].string == "A b\n")
    #expect(text[0..<3].paragraphs.first?.paragraph.headingLevel == 1)
    #expect(!text[0..<4].isFragment)
    #expect(!text[2..<5].isFragment)
    #expect(text[2..<5].string == "b\nc\n")
    #expect(text[2..<5].attributes(at: 0).attributes.isEmphasized)
    #expect(text[6..<14].paragraphs.map(\.paragraph.listDepth) == [1, 1])
    #expect(text[5..<5].isEmpty)
  }

  @Test("A mark that is deleted joins its text to the next paragraph; the last one stays")
  func marks() {
    var text = Self.sample
    text.remove(3..<4)
    #expect(text.string == "A bc\none\ntwo\nmore\n")
    #expect(text.paragraph(at: 0).paragraph.headingLevel == nil)
    text.remove(0..<text.length)
    #expect(text.string == "\n")
    text.replace(0..<0, with: "x")
    #expect(text.string == "x\n")
    text.splitParagraph(at: 1)
    text.replace(2..<2, with: "y")
    #expect(text.string == "x\ny\n")
    #expect(text.paragraphs.count == 2)
  }

  @Test("A fragment goes into a paragraph, paragraphs go between them")
  func appends() {
    var text = AttributedText("a")
    text.append(AttributedText("b", attributes: TextAttributes(spans: [.strong])))
    #expect(text.string == "ab\n")
    #expect(text.isFragment)
    text.append(Self.sample)
    #expect(text.string == "abA b\nc\none\ntwo\nmore\n")
    #expect(text.paragraph(at: 0).paragraph.headingLevel == 1)
    #expect(!text.isFragment)
    text.append(AttributedText("!"))
    #expect(text.string.hasSuffix("more!\n"))
  }

  @Test("Paragraphs are wrapped in a container inside of what they share")
  func wrapping() {
    var text = Self.sample
    text.wrapParagraphs(in: 10..<16, in: .quote)
    let paragraphs = text.paragraphs.map(\.paragraph)
    #expect(paragraphs[3].containers.map(\.kind).last == .quote)
    #expect(paragraphs[3].containers == paragraphs[4].containers)
    #expect(paragraphs[2].quoteDepth == 0)
    text.wrapParagraphs(in: 0..<text.length, in: .quote)
    #expect(text.paragraphs.map(\.paragraph.quoteDepth) == [2, 1, 1, 2, 2])
    #expect(Set(text.paragraphs.map(\.paragraph.containers[0])).count == 1)
    text.updateParagraphs(in: 4..<5) { kind, alignment in
      kind = .heading(level: 2)
      alignment = .center
    }
    #expect(text.paragraph(at: 4).paragraph.headingLevel == 2)
    #expect(text.paragraph(at: 4).paragraph.alignment == .center)
    #expect(text.paragraph(at: 6).paragraph.headingLevel == nil)
  }

  @Test("A transaction tells the smallest range that covers its changes")
  func transactions() throws {
    var text = AttributedText("0123456789")
    let (_, none) = text.withTransaction { _ in }
    #expect(none == nil)
    let (_, change) = text.withTransaction { text in
      text.replace(2..<4, with: "abc")
      text.updateAttributes(in: 7..<8) { $0.spans = [.code] }
    }
    #expect(
      try #require(change) == TextChange(oldRange: 2..<7, newRange: 2..<8, changesText: true))
    let (inner, outer) = text.withTransaction { text in
      text.remove(0..<1)
      return text.withTransaction { $0.updateAttributes(in: 3..<5) { $0.spans = [] } }.change
    }
    #expect(inner?.changesText == false)
    #expect(outer?.oldRange == 0..<6)
    #expect(outer?.newRange == 0..<5)
  }

  @Test("The builder makes a sound text of whatever is done in whatever order")
  func builderIsForgiving() {
    var builder = AttributedTextBuilder()
    builder.close()
    builder.endParagraph()
    builder.open(.quote)
    builder.close()
    for _ in 0..<10_000 { builder.open(.quote) }
    builder.append("deep")
    let text = builder.finish()
    #expect(text.paragraphs.map(\.paragraph.kind) == [.vacant, .body])
    #expect(text.paragraphs.map(\.paragraph.quoteDepth) == [1, AttributedTextBuilder.maximumDepth])
    #expect(builder.finish().isEmpty)
  }

  @Test("The style sheet says what structure looks like, the text's own style comes first")
  func styleSheet() {
    let sheet = StyleSheet.standard
    let heading = Paragraph(.heading(level: 1))
    #expect(sheet.style(of: heading).isBold)
    #expect(sheet.style(of: TextAttributes(spans: [.code]), in: heading).isMonospaced == true)
    var light = TextAttributes(spans: [.strong])
    light.style.weight = 300
    #expect(!sheet.style(of: light, in: heading).isBold)
    #expect(sheet.style(of: Paragraph()).fontSize == 120)
  }

  /// What a text says byte by byte, the slow way: what edits must agree with.
  struct Model: Equatable {
    struct Cell: Equatable {
      var byte: UInt8
      var attributes: TextAttributes
      var mark: Paragraph.Kind?
    }
    var cells: [Cell] = []

    init(_ text: AttributedText) {
      for run in text.runs {
        for offset in run.range {
          cells.append(Cell(byte: text.utf8[offset], attributes: run.attributes, mark: nil))
        }
      }
      for (paragraph, range) in text.paragraphs {
        cells[range.upperBound - 1].mark = paragraph.kind
      }
    }
  }

  @Test("Random edits agree with edits byte by byte", arguments: 0..<40)
  func randomEdits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var text = Self.sample
    var model = Model(text)
    for _ in 0..<200 {
      let a = Int.random(in: 0...text.length, using: &random)
      let b = Int.random(in: a...min(text.length, a + 6), using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        text.updateAttributes(in: a..<b) { $0.style.weight = ($0.style.weight ?? 0) + 1 }
        for index in a..<b where model.cells[index].mark == nil {
          model.cells[index].attributes.style.weight =
            (model.cells[index].attributes.style.weight ?? 0) + 1
        }
      case 1:
        let piece = text[a..<b]
        let end = text.length
        guard piece.isFragment, a < end else { continue }
        text.replace(a..<a, with: piece)
        model.cells.insert(contentsOf: Model(piece).cells.dropLast(), at: a)
      case 2:
        guard text.length > 1 else { continue }
        let kept = min(a, text.length - 1)..<min(b, text.length - 1)
        text.remove(a..<b)
        model.cells.removeSubrange(kept)
      default:
        let at = min(a, text.length - 1)
        let kind = text.paragraph(at: at).paragraph.kind
        text.splitParagraph(at: a)
        model.cells.insert(
          Model.Cell(byte: 0x0A, attributes: .plain, mark: kind), at: at)
      }
      #expect(Model(text) == model)
      #expect(zip(text.runs, text.runs.dropFirst()).allSatisfy { $0.attributes != $1.attributes })
      #expect(text.blocks.last?.end == text.length)
    }
  }
}
