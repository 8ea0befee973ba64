import RichText
import Testing

@Suite(
  "The examples of CommonMark and GFM",
  .enabled(if: MarkdownExample.areThere, "the examples lie in ../shared/reference"))
struct MarkdownExampleTests {
  private func html(
    _ example: MarkdownExample, _ extensions: MarkdownExtensions, filtersTags: Bool = false
  ) throws -> String {
    var writer = HTMLWriter()
    writer.filtersTags = filtersTags
    let text = try MarkdownReader(extensions: extensions).read(Array(example.markdown.utf8))
    return String(decoding: writer.write(text), as: UTF8.self)
  }

  /// What the parser, md4c 0.4.8, reads in another way: it was made for 0.30 (354, 625, 626), and
  /// lets an indented line that begins with two blanks less than the tag before end a block (171).
  private static let differences: Set<Int> = [171, 354, 625, 626]

  @Test("CommonMark 0.31.2 becomes the HTML that stands beside it, to the byte")
  func commonMark() throws {
    let examples = MarkdownExample.all(.commonMark)
    #expect(examples.count == 652)
    var different: Set<Int> = []
    for example in examples {
      let html = try html(example, [])
      if html != example.html { different.insert(example.number) }
      if !Self.differences.contains(example.number) {
        #expect(html == example.html, "example \(example.number): \(example.markdown)")
      }
    }
    #expect(different.isSubset(of: Self.differences))
  }

  @Test(
    "So do the examples that only CommonMark 0.30 has",
    arguments: MarkdownExample.all(.earlierCommonMark))
  func earlierCommonMark(example: MarkdownExample) throws {
    #expect(try html(example, []) == example.html)
  }

  @Test("So do the examples of GFM's extensions", arguments: MarkdownExample.all(.gitHub))
  func gitHub(example: MarkdownExample) throws {
    #expect(try html(example, .gitHub, filtersTags: true) == example.html)
  }
}
