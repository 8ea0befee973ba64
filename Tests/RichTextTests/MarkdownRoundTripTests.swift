import RichText
import TestSupport
import Testing

/// What was written reads again as what it was written from.
@Suite("Markdown there and back")
struct MarkdownRoundTripTests {
  private func again(_ text: AttributedText) throws -> AttributedText {
    try MarkdownReader().read(MarkdownWriter().write(text))
  }

  /// 100,000 texts with `CLIPVIEW_ROUND_TRIPS=100000`, some without.
  @Test("Random texts read again as themselves")
  func randomTextsReadAgain() throws {
    let count = Programs.variable("CLIPVIEW_ROUND_TRIPS").flatMap { Int($0) } ?? 3_000
    var faults: [String] = []
    for seed in 0..<count where faults.count < 5 {
      var generator = MarkdownGenerator(seed: UInt64(seed) + 1)
      let text = generator.text()
      let again = try again(text)
      if again != text {
        let markdown = String(decoding: MarkdownWriter().write(text), as: UTF8.self)
        faults.append("seed \(seed):\n\(markdown)\n\(outline(text))\nAGAIN\n\(outline(again))")
      }
    }
    #expect(faults == [])
  }

  /// What fuzzing found.
  @Test(
    "Odd texts read again as themselves",
    arguments: [
      "<b>&#10;a", "### a&#10;b", "# &#10;", "| a |\n| - |\n| &#10; |", "_\u{FFFD}_\u{1}",
      "_<_\u{1}", "*a*&#11;b*",
      "+\n\t<?", "- |\n   <!--+", "- <\n   <pre", "![&#32;a&#32;](b)",
      "![\n]()",
      "![a&#10;b](c)", "- [ ] a\n\n  <div>\n\n- b", "- [ ]\n\n  <div>",
      "- [ ]\n\n  a\n- b", "- [ ]\n\n  ```\n  a\n  ```",
    ])
  func oddTexts(markdown: String) throws {
    let text = try MarkdownReader().read(Array(markdown.utf8))
    let again = try again(text)
    #expect(again == text, "\(outline(text))\n\(outline(again))")
  }

  /// The examples that are written as HTML.
  ///
  /// 354: a currency sign at the edge of emphasis, which other parsers would not read.
  /// 417: strong emphasis three times in itself, which one run of delimiters said.
  private static let unsayable: Set<Int> = [354, 417]

  @Test(
    "The examples of CommonMark and GFM read again as themselves",
    .enabled(if: MarkdownExample.areThere, "the examples lie in ../shared/reference"),
    arguments: [
      MarkdownExample.Source.commonMark, .earlierCommonMark, .gitHub,
    ])
  func examplesReadAgain(source: MarkdownExample.Source) throws {
    for example in MarkdownExample.all(source) {
      let text = try MarkdownReader().read(Array(example.markdown.utf8))
      let isEqual = try again(text) == text
      if source == .commonMark, Self.unsayable.contains(example.number) {
        // What they say is the same all the same.
        #expect(HTMLWriter().write(text) == HTMLWriter().write(try again(text)))
        #expect(!isEqual, "example \(example.number) can be said now")
      } else {
        #expect(isEqual, "example \(example.number): \(example.markdown)")
      }
    }
  }
}
