import Testing

@Suite("HTML of real programs as plain text")
struct CapturedHTMLTests {
  static let page = """
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
    \tprint(x)  // tab, two spaces

    Name\tQty
    Crème\t3
    Brûlée\t4.50

    Last line.
    """

  @Test(
    "A page copied from a browser keeps its lines, lists and tables",
    arguments: ["firefox-page.html", "chromium-page.html"])
  func browserPage(name: String) throws {
    #expect(text(of: try Fixture.text(name)) == CapturedHTMLTests.page)
  }

  @Test("A copied image is its alternative text")
  func browserImage() throws {
    #expect(text(of: try Fixture.text("chromium-image.html")) == "a gradient")
  }

  @Test("A document of Writer has no closing NUL, and lists without blank lines between items")
  func writerDocument() throws {
    let expected = """
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
    #expect(text(of: try Fixture.text("libreoffice-document.html")) == expected)
  }

  @Test("A document of AbiWord is read as the list, the paragraphs and the table that it says")
  func abiWordDocument() throws {
    let expected = """
      Demo page

      Quarterly report

      This isbold,italic,both,code anda link.

      naïve – 日本語 🎉 <tag> & "quotes"

      Lists

      - first
      - second
        - nested
        - one
        - two

      let x = 1 < 2

      \u{A0}\u{A0}\u{A0}print(x) \u{A0}// tab, two spaces

      Name\tQty
      Crème\t3
      Brûlée\t4.50

      Last line.
      """
    #expect(text(of: try Fixture.text("abiword-document.html")) == expected)
  }

  @Test(
    "The text is the program's own, but for a closing line end",
    arguments: [
      "libreoffice-cells", "libreoffice-line", "ghostwriter-markdown", "retext-markdown",
    ])
  func equalsOwnText(name: String) throws {
    var expected = try Fixture.text(name + ".txt")
    if expected.hasSuffix("\n") { expected.removeLast() }
    #expect(text(of: try Fixture.text(name + ".html")) == expected)
  }

  @Test(
    "The words are the program's own; blank lines, list markers and indents are ours",
    arguments: ["firefox-page", "chromium-page"])
  func hasOwnWords(name: String) throws {
    let own = try Fixture.text(name + ".txt")
    #expect(words(of: text(of: try Fixture.text(name + ".html"))) == words(of: own))
  }

  /// The lines with text, without what comes before it.
  private func words(of text: String) -> [Substring] {
    text.split(separator: "\n").map { line in
      var line = line.drop { $0 == " " }
      for marker in ["- ", "1. ", "2. "] where line.hasPrefix(marker) {
        line = line.dropFirst(marker.count)
      }
      return line
    }.filter { !$0.isEmpty }
  }
}
