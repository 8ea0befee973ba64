import RichText
import Testing

/// What is written for texts that were made by hand: each line of what converters are complained of.
@Suite("Markdown writer")
struct MarkdownWriterTests {
  /// Running text with spans, in one paragraph.
  private func paragraph(
    _ parts: (String, [TextSpan])..., kind: Paragraph.Kind = .body
  ) -> AttributedText {
    var builder = AttributedTextBuilder()
    builder.beginParagraph(kind)
    for (string, spans) in parts {
      builder.attributes = TextAttributes(spans: spans)
      builder.append(string)
    }
    return builder.finish()
  }

  private func markdown(_ text: AttributedText) -> String {
    String(decoding: MarkdownWriter().write(text), as: UTF8.self)
  }

  private func written(_ parts: (String, [TextSpan])...) -> String {
    var builder = AttributedTextBuilder()
    builder.beginParagraph()
    for (string, spans) in parts {
      builder.attributes = TextAttributes(spans: spans)
      builder.append(string)
    }
    let written = markdown(builder.finish())
    return String(written.dropLast())
  }

  @Test("Blanks at the edges of emphasis stand outside of it, and one that is nothing else goes")
  func blanksMoveOutOfEmphasis() {
    #expect(written(("a", []), (" b ", [.strong]), ("c", [])) == "a **b** c")
    #expect(written(("a ", [.emphasis]), ("b", [.emphasis, .strong])) == "*a **b***")
    #expect(written(("a", []), (" ", [.strong]), ("b", [])) == "a b")
    #expect(written(("a\u{A0}", [.strong]), ("b", [])) == "**a**\u{A0}b")
    #expect(written(("a\n", [.strong]), ("b", [])) == "**a**\\\nb")
  }

  @Test("Emphasis side by side has different delimiters or is one")
  func adjacentEmphasisIsTold() {
    #expect(written(("1", [.emphasis]), ("2", [.strong])) == "*1*__2__")
    #expect(written(("1", [.strong]), ("2", [.strong])) == "**12**")
    var coloured = AttributedTextBuilder()
    coloured.attributes = TextAttributes(spans: [.strong])
    coloured.append("a")
    coloured.attributes.style.foreground = TextColor(red: 1, green: 2, blue: 3)
    coloured.append("b")
    #expect(markdown(coloured.finish()) == "**ab**\n")
  }

  @Test("Emphasis within words is marked where delimiters work, else by HTML")
  func emphasisWithinWords() {
    #expect(written(("a", []), ("b", [.strong]), ("c", [])) == "a**b**c")
    #expect(written(("a", []), ("\"b\"", [.strong]), ("c", [])) == "a<strong>\"b\"</strong>c")
    #expect(written(("a", []), ("(b)", [.emphasis]), (" c", [])) == "a<em>(b)</em> c")
    // A currency sign is punctuation for some parsers and none for others.
    #expect(written(("£", [.emphasis]), ("b", [])) == "<em>£</em>b")
    #expect(written(("a", []), ("\"b\"", [.strikethrough]), ("c", [])) == "a<del>\"b\"</del>c")
  }

  @Test("Spans in each other are told apart whatever their order")
  func nestedSpans() {
    #expect(written(("a", [.emphasis, .strong])) == "***a***")
    #expect(written(("a", [.strong, .emphasis])) == "**_a_**")
    #expect(written(("a", [.strong]), ("b", [.strong, .emphasis])) == "**a*b***")
    #expect(written(("a", [.emphasis, .emphasis])) == "*_a_*")
    #expect(
      written(("a ", [.strikethrough]), ("b", [.strikethrough, .strong, .code])) == "~~a **`b`**~~")
  }

  @Test("Looks without structure are marked too")
  func styleOnlyLooksAreMarked() {
    var text = AttributedText("bold slanted struck code coloured")
    text.updateAttributes(in: 0..<4) { $0.style.weight = 700 }
    text.updateAttributes(in: 5..<12) { $0.style.isItalic = true }
    text.updateAttributes(in: 13..<19) { $0.style.isStruckThrough = true }
    text.updateAttributes(in: 20..<24) { $0.style.isMonospaced = true }
    text.updateAttributes(in: 25..<33) {
      $0.style.background = TextColor(red: 0, green: 0, blue: 9)
    }
    #expect(markdown(text) == "**bold** *slanted* ~~struck~~ `code` coloured")
  }

  @Test(
    "Only what would mean something is escaped",
    arguments: [
      "2 * 3", "C:\\dir", "C:\\", "1_2_3", "snake_case and __init__.py stay", "a < b > c", "x & y;",
      "AT&T", "[x]", "array[0](", "a (b) [c] d", "~/.config", "100%!", "f(*args, **kwargs)",
      "a `lone tick", "50 * 2 = 100", "a|b", "#tag", "1.5 times", "-1", "+1", "x --- y", "http://a",
      "me @home", "www.", "\"quotes\" — 'dashes'", "é*", "!", "a_", "&nothing;",
    ])
  func harmlessCharactersStay(text: String) {
    let expected =
      [
        "snake_case and __init__.py stay": "snake_case and \\_\\_init\\_\\_.py stay",
        "array[0](": "array[0\\](",
      ][text] ?? text
    #expect(written((text, [])) == expected)
  }

  @Test(
    "What would be read as a mark is escaped",
    arguments: [
      ("*a*", "\\*a\\*"), ("_a_ b", "\\_a\\_ b"), ("2*3*4", "2\\*3\\*4"),
      ("~~a~~", "\\~\\~a\\~\\~"),
      ("a `b` c", "a \\`b\\` c"), ("[a](b)", "[a\\](b)"), ("List<String> a", "List\\<String> a"),
      ("<!-- a -->", "\\<!-- a -->"), ("&copy; &#65;", "\\&copy; \\&#65;"), ("\\*", "\\\\*"),
      ("https://a.bc/d", "https\\://a.bc/d"), ("see www.a.bc", "see www\\.a.bc"),
      ("mail a@b.cd", "mail a\\@b.cd"), ("a\u{C}b\r", "a&#12;b&#13;"),
    ])
  func marksAreEscaped(text: String, expected: String) {
    #expect(written((text, [])) == expected)
  }

  @Test(
    "What would begin a block is escaped at each beginning of a line",
    arguments: [
      ("# a", "\\# a"), ("+ a", "\\+ a"), ("- a", "\\- a"), ("* a", "\\* a"), ("4) a", "4\\) a"),
      ("12. a", "12\\. a"), ("> a", "\\> a"), ("---", "\\---"), ("* * *", "\\* * *"),
      ("_ _ _", "\\_ _ _"), ("```", "\\```"), ("~~~ a", "\\~~~ a"), ("<div", "\\<div"),
      ("[a]: b", "\\[a]: b"), ("-", "\\-"), ("+", "\\+"),
    ])
  func lineStartsAreEscaped(text: String, expected: String) throws {
    #expect(written((text, [])) == expected)
    // Behind a line break and behind a soft break as well, where a heading's line could stand too.
    for soft in [false, true] {
      var builder = AttributedTextBuilder()
      builder.append("x")
      if soft { builder.appendSoftBreak() } else { builder.appendLineBreak() }
      builder.append(text)
      let sample = builder.finish()
      let again = try MarkdownReader().read(MarkdownWriter().write(sample))
      #expect(again == sample)
    }
    #expect(written(("x\n===", [])) == "x\\\n\\===")
    #expect(written(("=== ", [])) == "===&#32;")
  }

  @Test("A table does not come of a line of bars and hyphens")
  func delimiterRowsAreEscaped() throws {
    var builder = AttributedTextBuilder()
    builder.append("a | b")
    builder.appendSoftBreak()
    builder.append("--|--")
    #expect(markdown(builder.finish()) == "a | b\n\\--|--\n")
  }

  @Test("Code has delimiters that are not in it")
  func codeDelimiters() {
    #expect(written(("a", [.code])) == "`a`")
    #expect(written(("a`b", [.code])) == "``a`b``")
    #expect(written(("`", [.code])) == "`` ` ``")
    #expect(written((" a ", [.code])) == "`  a  `")
    #expect(written((" ", [.code])) == "` `")
    #expect(written(("a ``", []), ("b", [.code])) == "a \\`\\``b`")
    #expect(written(("a\\", [.code]), ("*", [])) == "`a\\`*")
  }

  @Test("A fence is longer than any in the code; the info string stays")
  func fences() {
    #expect(
      markdown(paragraph(("```\na", []), kind: .code(info: "md"))) == "````md\n```\na\n````\n")
    #expect(markdown(paragraph(("a", []), kind: .code(info: "a`b"))) == "~~~a`b\na\n~~~\n")
    #expect(markdown(paragraph(("~~~", []), kind: .code(info: "`"))) == "~~~~`\n~~~\n~~~~\n")
    #expect(
      markdown(paragraph(("", []), kind: .code(info: "a\\*&amp;"))) == "```a\\\\*\\&amp;\n```\n")
    #expect(
      markdown(paragraph(("\ta\n\n  b", []), kind: .code(info: ""))) == "```\n\ta\n\n  b\n```\n")
  }

  @Test("Links are escaped; a link that is its own text is short")
  func links() {
    func link(_ destination: String, _ title: String? = nil, text: String = "a") -> String {
      written((text, [.link(TextLink(destination: destination, title: title))]))
    }
    #expect(link("b(c)d") == "[a](b(c)d)")
    #expect(link("b)c") == "[a](<b)c>)")
    #expect(link("b c") == "[a](<b c>)")
    #expect(link("") == "[a]()")
    #expect(link("", "t") == "[a](<> \"t\")")
    #expect(link("b", "\"c\" \\\" & &amp;\nd") == "[a](b \"\\\"c\\\" \\\\\\\" & \\&amp;&#10;d\")")
    #expect(link("b&copy;\\*") == "[a](b\\&copy;\\\\*)")
    #expect(link("https://a.bc", text: "https://a.bc") == "<https://a.bc>")
    #expect(link("mailto:a@b.cd", text: "a@b.cd") == "<a@b.cd>")
    #expect(link("https://a.bc", "t", text: "https://a.bc") == "[https://a.bc](https://a.bc \"t\")")
    #expect(link("http://www.a.bc", text: "www.a.bc") == "[www.a.bc](http://www.a.bc)")
    #expect(link("b", text: "[x] ]") == "[\\[x\\] \\]](b)")
    #expect(link("data:" + String(repeating: "x", count: 5_000)) == "a")
    #expect(written(("!", []), ("a", [.link(TextLink(destination: "b"))])) == "\\![a](b)")
  }

  @Test("Pictures have their text in brackets, which in it are escaped; long data is left out")
  func pictures() {
    func picture(_ image: TextImage) -> String {
      var builder = AttributedTextBuilder()
      builder.append(image)
      return String(markdown(builder.finish()).dropLast())
    }
    #expect(picture(TextImage(source: "b c", alternative: "a")) == "![a](<b c>)")
    #expect(
      picture(TextImage(source: "b", alternative: "[x] *y*", title: "t"))
        == "![\\[x\\] \\*y\\*](b \"t\")")
    let long = "data:image/png;base64," + String(repeating: "A", count: 5_000)
    #expect(picture(TextImage(source: long, alternative: "a *b*")) == "a \\*b\\*")
    #expect(picture(TextImage(source: "data:,x", alternative: "a")) == "![a](data:,x)")
  }

  /// A list of items, each of which writes its content.
  private func list(
    _ kind: TextList, in builder: inout AttributedTextBuilder,
    _ items: ((inout AttributedTextBuilder) -> Void)...
  ) {
    builder.open(.list(kind))
    for item in items {
      builder.open(.item(isDone: nil))
      item(&builder)
      builder.close()
    }
    builder.close()
  }

  @Test("Lists in lists are indented by the width of the marks around them")
  func nestedLists() {
    var builder = AttributedTextBuilder()
    list(
      TextList(numbering: .decimal, start: 9), in: &builder,
      { $0.append("a") },
      { builder in
        builder.append("b")
        list(
          TextList(), in: &builder,
          { builder in
            builder.append("c")
            list(TextList(numbering: .lowerAlpha), in: &builder, { $0.append("d") })
          })
      })
    #expect(markdown(builder.finish()) == "9. a\n10. b\n    - c\n      1. d\n")
  }

  @Test("Paragraphs of an item of a list from 10 on stay in it")
  func itemsBeyondTen() {
    var builder = AttributedTextBuilder()
    list(
      TextList(numbering: .decimal, start: 10, isTight: false), in: &builder,
      { builder in
        builder.append("a")
        builder.beginParagraph()
        builder.append("b")
        builder.beginParagraph(.code(info: ""))
        builder.append("c\n\nd")
      })
    #expect(markdown(builder.finish()) == "10. a\n\n    b\n\n    ```\n    c\n\n    d\n    ```\n")
  }

  @Test("Two lists after each other have different marks")
  func listsAfterEachOther() {
    var builder = AttributedTextBuilder()
    for _ in 0..<3 { list(TextList(), in: &builder, { $0.append("a") }) }
    for _ in 0..<2 { list(TextList(numbering: .decimal), in: &builder, { $0.append("b") }) }
    #expect(markdown(builder.finish()) == "- a\n\n* a\n\n- a\n\n1. b\n\n1) b\n")
  }

  @Test("Task boxes, and text that only looks like one")
  func taskBoxes() {
    var builder = AttributedTextBuilder()
    builder.open(.list(TextList()))
    for (isDone, text) in [(true, "a"), (false, "b"), (nil, "[ ] c"), (nil, "[x]")]
      as [(Bool?, String)]
    {
      builder.open(.item(isDone: isDone))
      builder.append(text)
      builder.close()
    }
    #expect(markdown(builder.finish()) == "- [x] a\n- [ ] b\n- \\[ ] c\n- \\[x]\n")
  }

  @Test("Vacant items and quotes, and lines across, also right behind a mark")
  func vacantContainersAndBreaks() {
    var builder = AttributedTextBuilder()
    list(
      TextList(), in: &builder, { _ in },
      { $0.beginParagraph(.thematicBreak) },
      { builder in
        builder.open(.quote)
        builder.close()
      })
    builder.append("a")
    builder.beginParagraph(.thematicBreak)
    builder.endParagraph()
    builder.open(.quote)
    builder.append("b")
    builder.beginParagraph()
    builder.append("c\nd")
    #expect(markdown(builder.finish()) == "-\n- ___\n- >\n\na\n\n***\n\n> b\n>\n> c\\\n> d\n")
  }

  @Test("Headings: of one line behind number signs, of more lines above a line")
  func headings() {
    #expect(markdown(paragraph(("a #", []), kind: .heading(level: 2))) == "## a \\#\n")
    #expect(markdown(paragraph(("a#", []), kind: .heading(level: 6))) == "###### a#\n")
    #expect(markdown(paragraph(("", []), kind: .heading(level: 1))) == "#\n")
    #expect(markdown(paragraph(("a\n- b", []), kind: .heading(level: 1))) == "a\\\n\\- b\n===\n")
    #expect(markdown(paragraph(("a\nb", []), kind: .heading(level: 3))) == "### a<br>b\n")
  }

  /// A table of rows of cells.
  private func table(
    _ rows: [[String]], hasHead: Bool = true, alignments: [Paragraph.Alignment?] = [],
    spans: [TextSpan] = []
  ) -> String {
    var builder = AttributedTextBuilder()
    builder.open(.table(TextTable(alignments: alignments)))
    for (index, row) in rows.enumerated() {
      builder.open(.row(isHeader: hasHead && index == 0))
      for cell in row {
        builder.open(.cell(columns: 1, rows: 1))
        builder.attributes = TextAttributes(spans: spans)
        builder.append(cell)
        builder.attributes = .plain
        builder.close()
      }
      builder.close()
    }
    return markdown(builder.finish())
  }

  @Test("Tables have a head, a row of alignments, and never a line break in a cell")
  func tables() {
    #expect(
      table([["a", "b"], ["c"]], alignments: [.center, .right])
        == "| a | b |\n| :-: | --: |\n| c |  |\n")
    #expect(table([["a"], ["b"]], hasHead: false) == "| a |\n| --- |\n| b |\n")
    #expect(table([["a\nb"]]) == "| a<br>b |\n| --- |\n")
    #expect(table([["a|b\\"]]) == "| a\\|b\\ |\n| --- |\n")
    // What begins in one cell must not end in another one.
    #expect(table([["<!-- a", "-->"]]) == "| \\<!-- a | --> |\n| --- | --- |\n")
    #expect(table([["a|b`c"]], spans: [.code]) == "| ``a\\|b`c`` |\n| --- |\n")
    #expect(
      table([["a"]], spans: [.link(TextLink(destination: "b|c"))]) == "| [a](b\\|c) |\n| --- |\n")
  }

  @Test("Blocks in a cell stand behind each other; cells over several columns leave room")
  func blocksInCells() {
    var builder = AttributedTextBuilder()
    builder.open(.table(TextTable()))
    builder.open(.row(isHeader: true))
    builder.open(.cell(columns: 2, rows: 2))
    builder.append("a")
    builder.beginParagraph(.code(info: ""))
    builder.append("b\nc")
    list(TextList(), in: &builder, { $0.append("d") }, { $0.append("e") })
    builder.close()
    builder.open(.cell(columns: 1, rows: 1))
    builder.append("f")
    builder.close()
    builder.close()
    builder.open(.row(isHeader: false))
    builder.open(.cell(columns: 1, rows: 1))
    builder.append("g")
    #expect(
      markdown(builder.finish())
        == "| a<br>`b`<br>`c`<br>• d<br>• e |  | f |\n| --- | --- | --- |\n|  |  | g |\n")
  }

  @Test("Soft breaks are line ends where Markdown lets them be")
  func softBreaks() {
    var builder = AttributedTextBuilder()
    builder.appendSoftBreak()
    builder.append("a")
    builder.appendSoftBreak()
    builder.append("b")
    builder.appendSoftBreak()
    builder.appendSoftBreak()
    builder.append("c")
    builder.appendSoftBreak()
    #expect(markdown(builder.finish()) == "&#10;a\nb&#10;\nc&#10;\n")
  }

  @Test("Blanks at the ends of lines are kept, or left out where nobody means them")
  func blanksAtLineEnds() {
    let text = paragraph(("\t a ", []), ("\n b  ", []))
    #expect(markdown(text) == "&#9; a&#32;\\\n&#32;b &#32;\n")
    let short = MarkdownWriter(isExact: false).write(text)
    #expect(String(decoding: short, as: UTF8.self) == "a\\\nb\n")
  }

  @Test("Paragraphs without text and breaks at the end of one are nothing")
  func emptyParagraphs() {
    var builder = AttributedTextBuilder()
    builder.beginParagraph()
    builder.append("a\n")
    builder.beginParagraph()
    builder.beginParagraph()
    builder.append("b")
    #expect(markdown(builder.finish()) == "a\n\nb\n")
    #expect(markdown(AttributedText()) == "")
    #expect(markdown(AttributedText("a\n\n")) == "a")
  }

  @Test("HTML in Markdown is written as it was read, and text beside it does not join it")
  func htmlIsKept() throws {
    var builder = AttributedTextBuilder()
    builder.append("a")
    builder.beginParagraph(.markup)
    builder.append("<div>\n*b*\n</div>")
    builder.beginParagraph()
    builder.append("c ")
    builder.attributes.spans = [.markup]
    builder.append("<b d='e'>")
    builder.attributes = .plain
    builder.append("f")
    #expect(markdown(builder.finish()) == "a\n\n<div>\n*b*\n</div>\n\nc <b d='e'>f\n")
  }
}
