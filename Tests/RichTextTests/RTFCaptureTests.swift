import RichText
import Testing

@Suite("RTF of real programs as plain text")
struct RTFCaptureTests {
  private func text(_ name: String) throws -> String? {
    RTFPlainText.text(of: try RTFFixture.bytes(name + ".rtf")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func ownText(_ name: String) throws -> String {
    String(decoding: try RTFFixture.bytes(name), as: UTF8.self)
  }

  static let page = """
    Demo page
    Quarterly report
    This is bold, italic, both, code and a link.
    naïve – 日本語 🎉 <tag> & "quotes"
    Lists
    - first
    - second
      - nested
    1. one
    2. two
    let x = 1 < 2
        print(x)  // tab, two spaces
    Name\tQty
    Crème\t3
    Brûlée\t4.50
    Last line.
    """

  @Test("A document of Writer has its lines, lists and table")
  func writerDocument() throws {
    #expect(try text("libreoffice-document") == RTFCaptureTests.page)
  }

  @Test(
    "A document of AbiWord is read as the list, the blanks and the empty paragraph that it says")
  func abiWordDocument() throws {
    let expected = """
      Demo page
      Quarterly report
      This is bold, italic, both, code and a link.
      naïve – 日本語🎉  <tag> & "quotes"
      Lists
      - first
      - second
        - nested
      - one
      - two
      let x = 1 < 2
          print(x)  // tab, two spaces
      Name\tQty
      Crème\t3
      Brûlée\t4.50

      Last line.
      """
    #expect(try text("abiword-document") == expected)
  }

  @Test(
    "The text is the program's own, but for a closing line end",
    arguments: ["libreoffice-line", "libreoffice-cells"])
  func equalsOwnText(name: String) throws {
    var expected = try ownText(name + ".txt")
    if expected.hasSuffix("\n") { expected.removeLast() }
    #expect(try text(name) == expected)
  }

  @Test(
    "The words are the program's own; list markers, indents and the table's lines are ours",
    arguments: ["libreoffice-document", "abiword-document"])
  func hasOwnWords(name: String) throws {
    let ours = words(of: try #require(try text(name)))
    // AbiWord moves a blank across a character beyond 16 bits.
    #expect(ours.joined() == words(of: try ownText(name + ".txt")).joined())
    #expect(ours.count > 40)
  }

  /// The words, without what is only a marker.
  private func words(of text: String) -> [Substring] {
    text.split { $0.isWhitespace || $0 == "\0" }
      .filter { !["-", "•", "◦", "1.", "2."].contains($0) }
  }

  @Test("As Markdown each is what was copied", arguments: RTFFixture.all)
  func markdown(name: String) throws {
    let text = try RTFReader().read(try RTFFixture.bytes(name + ".rtf"))
    let markdown = MarkdownWriter(isExact: false).write(text)
    let expected = try ownText(name + ".md")
    #expect(String(decoding: markdown, as: UTF8.self) == expected)
  }
}
