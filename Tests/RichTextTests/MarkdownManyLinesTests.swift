import RichText
import Testing

/// For each pair of brackets md4c goes through the lines of its block, from the first one on.
@Suite("Markdown with many lines and brackets in one block")
struct MarkdownManyLinesTests {
  private func read(_ markdown: String) throws -> AttributedText {
    try MarkdownReader().read(Array(markdown.utf8))
  }

  private func links(in text: AttributedText) -> [String] {
    text.runs.compactMap { $0.attributes.link?.destination }
  }

  /// A minute and a half each, if md4c looked for the line of each.
  @Test(
    "A paragraph of very many lines with brackets is read by its length, and whole",
    .timeLimit(.minutes(1)), arguments: ["[](r)\n", "[r]: x\n\n[r] b\n"])
  func squares(beginning: String) throws {
    let count = 450_000
    let line = String(beginning.suffix(6))
    let text = try read(beginning + String(repeating: line, count: count - 1))
    #expect(text.paragraphs.count == 1)
    #expect(text.length == line.utf8.count * count)
    #expect(text.runs.allSatisfy { $0.attributes.link == nil })
  }

  @Test("What is in such a paragraph stays as it is; what stands around it keeps its links")
  func neighbours() throws {
    let line = "`a[b` \\[x] \\\\[y] <i title=\"[q]\">z</i> ![p](q) <http://x/[y]> [l](m) *[e]* w\n"
    let inside = "a[b [x] \\[y] <i title=\"[q]\">z</i> ![p](q) http://x/[y] [l](m) [e] w"
    let list = "- [c](d)\n  - [e](f)\n"
    let count = 20_000
    let text = try read(
      "[a](b) [r]\n\n" + String(repeating: line, count: count) + "\n" + list
        + "\n[r]: g 'h'\n\n```\n[i](j)\n```\n")
    #expect(text.paragraphs.count == 5)
    let lines = text.string.split(separator: "\n").map(String.init)
    #expect(lines.first == "a r")
    #expect(Array(lines.suffix(3)) == ["c", "e", "[i](j)"])
    let long = text.string.split(separator: "\n")[1]
    #expect(long.utf8.count == (inside.utf8.count + 1) * count - 1)
    #expect(long.hasPrefix(inside) && long.hasSuffix(inside))
    let links = links(in: text)
    #expect(Set(links) == ["b", "g", "http://x/[y]", "d", "f"])
    #expect(links.count == count + 4)
  }

  @Test(
    "As many in as many blocks, or more than anybody writes in one, are what they are",
    arguments: [
      String(repeating: "- [a](b) [c](d)\n", count: 20_000),
      String(repeating: "> - [a](b) [c](d)\n>\n", count: 20_000),
      "| a |\n| - |\n" + String(repeating: "| [a](b) [c](d) |\n", count: 20_000),
      String(repeating: "# [a](b) [c](d)\n", count: 20_000),
      "[a][r] [c][r]\n\n[r]: x\n" + String(repeating: "[s]: <y>\n", count: 20_000)
        + String(repeating: "\n[a][r] [c][s]\n", count: 19_999),
      String(repeating: "[a](b) [c](d)\n", count: 10_000)
        + "\n```\n" + String(repeating: "[[[[[]]]]]\n", count: 20_000) + "```\n\n"
        + String(repeating: "[a](b) [c](d)\n", count: 10_000),
    ])
  func ordinary(markdown: String) throws {
    #expect(links(in: try read(markdown)).count == 40_000)
  }
}
