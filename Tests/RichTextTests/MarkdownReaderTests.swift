import RichText
import Testing

/// What Markdown says, beyond the examples of CommonMark: how it stands in the model, and where md4c is
/// put right.
@Suite("Markdown reader")
struct MarkdownReaderTests {
  private func outline(of markdown: String) throws -> String {
    RichTextTests.outline(try MarkdownReader().read(Array(markdown.utf8)))
  }

  @Test(
    "Blocks stand in their containers",
    arguments: [
      ("> # A *b*\n\nc", "quote1 heading1 | A <em>b</em>\nbody | c"),
      (
        "- a\n- b\n  - c",
        "list1(-) item2 body | a\nlist1(-) item3 body | b\nlist1(-) item3 list4(-) item5 body | c"
      ),
      ("- a\n\n- b", "list1(- loose) item2 body | a\nlist1(- loose) item3 body | b"),
      ("7. a\n8. b", "list1(7.) item2 body | a\nlist1(7.) item3 body | b"),
      ("- a\n* b", "list1(-) item2 body | a\nlist3(-) item4 body | b"),
      (
        "- [x] a\n- [ ] b\n- c",
        "list1(-) item2[x] body | a\nlist1(-) item3[ ] body | b\nlist1(-) item4 body | c"
      ),
      ("-\n- a", "list1(-) item2 vacant\nlist1(-) item3 body | a"),
      (">", "quote1 vacant"),
      ("```swift x\na\n\nb\n```", "code(swift x) | a<br><br>b"),
      ("```\n```\n\n    a", "code()\ncode() | a"),
      ("~~~ a&amp;b\\*\n\n\n~~~", "code(a&b*) | <br>"),
      ("<div>\n*a*\n</div>", "markup | <div><br>*a*<br></div>"),
      ("***", "break"),
      ("", ""),
    ])
  func blocksStandInTheirContainers(markdown: String, expected: String) throws {
    #expect(try outline(of: markdown) == expected)
  }

  @Test(
    "Spans keep the order in which they nest",
    arguments: [
      ("*a **b** c*", "body | <em>a <strong>b</strong> c</em>"),
      ("***a***", "body | <em><strong>a</strong></em>"),
      ("*a *b* c*", "body | <em>a <em>b</em> c</em>"),
      ("**[a *b*](c \"d\")**", "body | <strong><a c \"d\">a <em>b</em></a></strong>"),
      ("~~a~~ `b  c`", "body | <del>a</del> <code>b  c</code>"),
      ("a<b c='\n'>d", "body | a<html><b c='<br>'></html>d"),
      ("![a *b* `c` [d](e)](f 'g')", "body | <img f \"a b c d\" \"g\">"),
      ("![a ![b](c)\nd](e)", "body | <img e \"a b d\">"),
      ("a\nb\\\nc  \nd", "body | a~b<br>c<br>d"),
      (
        "[](a%20b'&amp; \"<\")",
        "body | <html><a href=\"a%20b&#x27;&amp;\" title=\"&lt;\"></a></html>"
      ),
    ])
  func spansKeepTheirOrder(markdown: String, expected: String) throws {
    #expect(try outline(of: markdown) == expected)
  }

  @Test(
    "References to characters are the characters, where there is one",
    arguments: [
      ("&amp;&copy;&ngE;&#65;&#x1F600;", "&©≧̸A😀"), ("&nothing;&copy", "&nothing;&copy"),
      ("&#0;&#xD800;&#1114112;", "���"), ("&#128;", "\u{80}"), ("a&#10;b", "a~b"),
      ("&#32;a&#9;", " a\t"), ("\\&amp;", "&amp;"),
    ])
  func referencesAreCharacters(markdown: String, expected: String) throws {
    #expect(try outline(of: markdown) == "body | " + expected)
  }

  @Test("Destinations and titles are unescaped")
  func destinationsAreUnescaped() throws {
    #expect(
      try outline(of: "[a](<b\\)&quot; c> '\\'&auml;')") == "body | <a b)\" c \"'ä\">a</a>")
    #expect(try outline(of: "[a]\n\n[A]: b\\* \"c\nd\"") == "body | <a b* \"c\nd\">a</a>")
  }

  @Test(
    "Bare links are links, but for those in links",
    arguments: [
      ("https://a.bc/d", "<a https://a.bc/d>https://a.bc/d</a>"),
      ("www.a.bc", "<a http://www.a.bc>www.a.bc</a>"),
      ("d@a.bc", "<a mailto:d@a.bc>d@a.bc</a>"),
      ("[a https://b.cd e](f)", "<a f>a https://b.cd e</a>"),
    ])
  func bareLinksAreLinks(markdown: String, expected: String) throws {
    #expect(try outline(of: markdown) == "body | " + expected)
  }

  @Test(
    "Tables are read as on GitHub, where md4c reads them otherwise",
    arguments: [
      (
        "|a|b|\n|:-|-:|\n|c|",
        "table1(left,right) head2 cell3 body | a\ntable1(left,right) head2 cell4 body | b\n"
          + "table1(left,right) row5 cell6 body | c\ntable1(left,right) row5 cell7 vacant"
      ),
      // Example 200: a bar in code.
      (
        "| f`\\|`o |\n|---|\n| `a\\|b` \\| |",
        "table1(-) head2 cell3 body | f<code>|</code>o\ntable1(-) row4 cell5 body | <code>a|b</code> |"
      ),
      // Example 203: as many cells in the delimiter row as in the head.
      ("| a | b |\n| --- |\n| c |", "body | | a | b |~| --- |~| c |"),
      ("| a |\n|---|---|", "body | | a |~|---|---|"),
      ("> - | a |\n>   |---|---|\n\n`c", "quote1 list2(-) item3 body | | a |~|---|---|\nbody | `c"),
      // Cells without even a blank.
      (
        "|a||\n|-|:-:|\n||b|",
        "table1(-,center) head2 cell3 body | a\ntable1(-,center) head2 cell4 vacant\n"
          + "table1(-,center) row5 cell6 vacant\ntable1(-,center) row5 cell7 body | b"
      ),
      // What is put in for md4c does not show where no table is.
      ("    |a|\n    |-|-|", "code() | |a|<br>|-|-|"),
      ("`|a|\n|-|-|` |a|\n|-|\n`||`", "body | <code>|a| |-|-|</code> |a|~|-|~<code>||</code>"),
      ("<!--\n|a|\n|-|-|\n-->", "markup | <!--<br>|a|<br>|-|-|<br>-->"),
      ("```\n|a|\n|-|\n||\n", "code() | |a|<br>|-|<br>||"),
    ])
  func tablesAreReadAsOnGitHub(markdown: String, expected: String) throws {
    #expect(try outline(of: markdown) == expected)
  }

  @Test("What is not UTF-8 and NUL become the replacement character; closing NULs and marks go")
  func foreignBytesAreRepaired() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0x61, 0xFF, 0x62, 0, 0x63, 0x0A, 0]
    #expect(RichTextTests.outline(try MarkdownReader().read(bytes)) == "body | a\u{FFFD}b\u{FFFD}c")
  }

  @Test("Without extensions it is CommonMark")
  func extensionsCanBeLeftOut() throws {
    let text = try MarkdownReader(extensions: []).read(
      Array("|a|\n|-|\n\n- [x] ~~b~~ www.c.de".utf8))
    #expect(
      RichTextTests.outline(text) == "body | |a|~|-|\nlist1(-) item2 body | [x] ~~b~~ www.c.de")
  }

  @Test("White space at the ends of lines is none of the text, tabs neither")
  func lineEndsAreTrimmed() throws {
    #expect(try outline(of: "#\ta\t\n\nb\t\n\tc *d*\t") == "heading1 | a\nbody | b~c <em>d</em>")
  }
}

/// Markdown that was made to cost much: what is read of it is no larger than it should be.
@Suite("Lists in Markdown, wherever they stand")
struct MarkdownListTests {
  /// md4c takes the offset of a line for a kind of block, once in 256 offsets.
  @Test(
    "A list goes on behind any block, at whatever offset",
    arguments: [
      "- a\n\n  - b\n\n    ***\n\n  - c\n", "- a\n\n  - b\n\n    # b\n\n  - c\n",
      "- a\n\n  - b\n\n    ```\n    code\n    ```\n\n  - c\n",
      "- a\n\n  - b\n\n    ```\n    code\n\n    ```\n\n  - c\n",
      "- a\n\n  - b\n\n\n  - c\n", "- a\n\n\n  b\n- c\n", "- a\n\n      code\n\n\n  b\n- c\n",
      "- a\n\n  <div>\n  b\n\n\n  b\n- c\n", "> - - a\n>\n>   ***\n>\n>   b\n",
      "1. - > a\n\n     ***\n\n     b\n",
    ])
  func listsGoOn(markdown: String) throws {
    let expected = try outline(of: markdown)
    for length in 1...260 {
      // A line in front that is long, and many that are empty or short: what moves, moves others too.
      for start in [String(repeating: "x", count: length), String(repeating: "\n", count: length)] {
        let moved = try outline(of: start + "\n\n" + markdown)
        #expect(
          moved == (start.hasPrefix("x") ? "body | \(start)\n" : "") + expected,
          "moved by \(length)")
      }
    }
  }

  @Test("Lines of a list stay what they are, however many stand in front of it")
  func longLists() throws {
    let item =
      "- [ ] a\n\n  > - b `c`\n  >\n  >   ***\n  >\n  > - b\n  >   c\n\n  ```x\n  d\n  ```\n\n"
    let one = try outline(of: item).split(separator: "\n").count
    let text = try MarkdownReader().read(Array(String(repeating: item, count: 300).utf8))
    #expect(text.paragraphs.count == one * 300)
    #expect(
      Set(text.paragraphs.map { $0.paragraph.containers.first?.identity }).count == 1)
    #expect(try MarkdownReader().read(MarkdownWriter().write(text)) == text)
  }

  @Test("Ends of lines are those of any system", arguments: ["\r\n", "\r"])
  func lineEnds(end: String) throws {
    let markdown =
      "- a\n\n  ```\n  b\n\n  c\n  ```\n\n- `d\n  e`\\\n  <i\n  f>\n\n| a |\n|-|\n| b |\n"
    let other = markdown.split(separator: "\n", omittingEmptySubsequences: false).joined(
      separator: end)
    #expect(try outline(of: other) == outline(of: markdown))
  }

  private func outline(of markdown: String) throws -> String {
    RichTextTests.outline(try MarkdownReader().read(Array(markdown.utf8)))
  }
}

@Suite("Hostile Markdown")
struct HostileMarkdownTests {
  /// md4c looks beyond the end of some of these; what it finds there must not count.
  @Test(
    "A text that breaks off is read without a look at what lies behind it",
    arguments: [
      "![a&#10;](x", "[a](x", "[a](<x", "[a](x 'y'", "[a](", "<div>\n  ", "<pre>\n </pr",
      "<!--\n--", "-",
      "1", "12.", ">", "a\n  ", "[a]: b\n  ", "- [ ]", "&", "<", "<!", "`", "|a|\n|-", "~~",
    ])
  func brokenOff(markdown: String) throws {
    let expected = outline(try MarkdownReader().read(Array((markdown + "\n").utf8)))
    for behind in [")", "](x)", "\n)", "re>", ">", "x"] {
      // The same memory, as a rule: what lay behind the text before.
      _ = try MarkdownReader().read(Array((markdown + behind).utf8))
      #expect(outline(try MarkdownReader().read(Array(markdown.utf8))) == expected)
    }
  }

  @Test("References do not repeat a long destination without end")
  func referencesAreBounded() throws {
    let url = String(repeating: "u", count: 20_000)
    let references = String(repeating: "[x] ", count: 20_000)
    let text = try MarkdownReader().read(Array("[x]: /\(url)\n\n\(references)".utf8))
    #expect(text.length > 100_000)
    #expect(text.runs.allSatisfy { $0.attributes.link == nil })
    #expect(MarkdownWriter().write(text).count < 200_000)
  }

  @Test("A wide head over many short rows is no table")
  func widthsAreBounded() throws {
    let head = String(repeating: "|a", count: 20_000) + "|\n"
    let delimiters = String(repeating: "|-", count: 20_000) + "|\n"
    let rows = String(repeating: "|b\n", count: 20_000)
    let text = try MarkdownReader().read(Array((head + delimiters + rows).utf8))
    #expect(text.paragraphs.count == 1)
  }

  /// What each table may be filled up by must not add up either.
  @Test(
    "Short rows are not filled up without end",
    arguments: [
      String(repeating: "|a", count: 60) + "|\n" + String(repeating: "|-", count: 60) + "|\n"
        + String(repeating: "b\n", count: 50_000),
      String(
        repeating: String(repeating: "|a", count: 500) + "|\n" + String(repeating: "|-", count: 500)
          + "|\n" + String(repeating: "b\n", count: 100) + "\n", count: 100),
    ])
  func paddingIsBounded(markdown: String) throws {
    let text = try MarkdownReader().read(Array(markdown.utf8))
    #expect(text.paragraphs.count < 3 * markdown.utf8.count + 100_000)
  }

  @Test("A large table of full rows is a table, whatever stands around it")
  func largeTables() throws {
    let row = String(repeating: "|a", count: 100) + "|\n"
    let table =
      row + String(repeating: "|-", count: 100) + "|\n" + String(repeating: row, count: 1_000)
    let text = try MarkdownReader().read(Array((table + "\n" + table).utf8))
    #expect(text.paragraphs.count == 2 * 100 * 1_001)
  }

  @Test(
    "Whatever nests without end is cut off",
    arguments: [
      String(repeating: ">", count: 100_000), String(repeating: "*a ", count: 50_000),
      String(repeating: "1. ", count: 50_000) + "a", String(repeating: "[", count: 100_000),
      String(repeating: "*a ", count: 20_000) + String(repeating: "b* ", count: 20_000),
      String(repeating: "> ", count: 300) + String(repeating: "a\n", count: 50_000),
    ])
  func nestingIsBounded(markdown: String) throws {
    let text = try MarkdownReader().read(Array(markdown.utf8))
    #expect(text.paragraphs.allSatisfy { $0.paragraph.containers.count <= 256 })
    #expect(text.runs.allSatisfy { $0.attributes.spans.count <= 50 })
    #expect(try MarkdownReader().read(MarkdownWriter().write(text)) == text)
  }
}
