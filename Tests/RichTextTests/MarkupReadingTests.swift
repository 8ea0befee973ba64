import Testing

@testable import RichText

/// HTML in Markdown, for formats that cannot say it.
@Suite("HTML in Markdown, read")
struct MarkupReadingTests {
  private func read(_ markdown: String) throws -> String {
    outline(try MarkdownReader().read(Array(markdown.utf8)).readingMarkup())
  }

  @Test(
    "Tags in a line are what they mean",
    arguments: [
      ("a <b>b *c*</b> d", "a **b *c*** d"), ("x<kbd>Ctrl</kbd>", "x`Ctrl`"),
      ("<i>a <b>b</b></i> c", "*a **b*** c"), ("a <a href=\"u\">b</a> c", "a [b](u) c"),
      ("a <img src=\"u\" alt=\"b\"> c", "a ![b](u) c"), ("a<br>b", "a\\\nb"),
      ("a <!-- b --> c", "a  c"), ("a <del>b</del>", "a ~~b~~"), ("a <span>b</span> c", "a b c"),
      ("a </b> c", "a  c"),
      ("a <!-- <b> --> c", "a  c"), ("a <span title=\"<b>\">b</span> c", "a b c"),
      ("a <img src=\"u\" alt=\"1 < 2\"> c", "a ![1 < 2](u) c"),
      ("a <b>b\n\nc", "a **b**\n\nc"),
    ])
  func tags(markdown: String, expected: String) throws {
    let text = try MarkdownReader().read(Array(markdown.utf8)).readingMarkup()
    let written = String(decoding: MarkdownWriter(isExact: false).write(text), as: UTF8.self)
    #expect(written == expected + "\n")
  }

  @Test("Blocks are what they mean, where they stand")
  func blocks() throws {
    let text = try MarkdownReader().read(
      Array(
        """
        > <table><tr><th>a</th></tr><tr><td>b</td></tr></table>

        <details>
        <summary>More</summary>

        - c

        </details>

        <!-- nothing -->

        <p align="center"><img src="u" alt="d"></p>
        """.utf8)
    ).readingMarkup()
    let written = String(decoding: MarkdownWriter(isExact: false).write(text), as: UTF8.self)
    #expect(
      written == """
        > | a |
        > | --- |
        > | b |

        More

        - c

        ![d](u)

        """)
  }

  @Test("Text without HTML stays as it is; elements without end cost no more than text")
  func bounds() throws {
    let plain = try MarkdownReader().read(Array("a *b*\n\n- c".utf8))
    #expect(plain.readingMarkup() == plain)
    let nested = String(repeating: "<b>a <i>", count: 5_000)
    let text = try MarkdownReader().read(Array(nested.utf8)).readingMarkup()
    #expect(text.string.count < 20_000)
    #expect(text.runs.allSatisfy { $0.attributes.spans.count <= 4 })
  }
}
