import RichText
import Testing

@Suite("Plain text out of the model")
struct PlainTextWriterTests {
  private func build(_ build: (inout AttributedTextBuilder) -> Void) -> AttributedText {
    var builder = AttributedTextBuilder()
    build(&builder)
    return builder.finish()
  }

  private func plain(
    _ text: AttributedText, _ change: (inout PlainTextWriter) -> Void = { _ in }
  ) -> String {
    var writer = PlainTextWriter()
    change(&writer)
    return String(decoding: writer.write(text), as: UTF8.self)
  }

  private func flat(
    _ text: AttributedText, _ change: (inout PlainTextWriter) -> Void = { _ in }
  ) -> String {
    var writer = PlainTextWriter.flat
    change(&writer)
    return String(decoding: writer.write(text), as: UTF8.self)
  }

  private func item(
    _ builder: inout AttributedTextBuilder, _ isDone: Bool? = nil,
    _ content: (inout AttributedTextBuilder) -> Void
  ) {
    builder.open(.item(isDone: isDone))
    content(&builder)
    builder.close()
  }

  private func list(
    _ builder: inout AttributedTextBuilder, _ list: TextList = TextList(),
    _ content: (inout AttributedTextBuilder) -> Void
  ) {
    builder.open(.list(list))
    content(&builder)
    builder.close()
  }

  // MARK: Lines

  @Test("Blank lines separate paragraphs, and nothing stands at either end")
  func paragraphs() {
    let text = build { builder in
      builder.beginParagraph()
      builder.beginParagraph(.heading(level: 1))
      builder.append("Title")
      builder.beginParagraph()
      builder.append("one")
      builder.appendSoftBreak()
      builder.append("two\nthree")
      builder.beginParagraph(.code(info: "c"))
      builder.append("  x\n\n\ty ")
      builder.beginParagraph(.thematicBreak)
      builder.beginParagraph()
      builder.append("end\n")
      builder.beginParagraph()
    }
    #expect(plain(text) == "Title\n\none two\nthree\n\n  x\n\n\ty \n\n---\n\nend")
    #expect(
      plain(text) { $0.hasBlankLines = false } == "Title\none two\nthree\n  x\n\n\ty \n---\nend")
  }

  @Test("An empty paragraph is an empty line")
  func emptyParagraphs() {
    let text = build { builder in
      for line in ["a", "", "b", "", "", "c"] {
        builder.beginParagraph()
        builder.append(line)
      }
    }
    #expect(plain(text) == "a\n\n\nb\n\n\n\nc")
    #expect(plain(text) { $0.hasBlankLines = false } == "a\n\nb\n\n\nc")
  }

  @Test("Lists have markers and indents; loose ones have blank lines")
  func lists() {
    let text = build { builder in
      builder.append("x")
      list(&builder) { builder in
        item(&builder) { builder in
          builder.append("a\nb")
          list(&builder, TextList(numbering: .decimal, start: 9)) { builder in
            item(&builder) { $0.append("c") }
            item(&builder) { _ in }
            item(&builder, true) { $0.append("d") }
          }
        }
        item(&builder, false) { _ in }
        item(&builder) { builder in
          builder.append("e")
          builder.beginParagraph(.code(info: ""))
          builder.append("f\ng")
        }
        item(&builder) { $0.append("h") }
      }
      list(&builder, TextList(numbering: .lowerRoman, start: 3, isTight: false)) { builder in
        item(&builder) { builder in
          builder.append("i")
          builder.beginParagraph()
          builder.append("j")
        }
        item(&builder) { $0.append("k") }
      }
    }
    #expect(
      plain(text) == """
        x

        - a
          b
          9. c
          11. [x] d
        - [ ] 
        - e

          f
          g

        - h

        iii. i

          j

        iv. k
        """)
  }

  @Test("Of items that begin in one line only the last has a bullet; indents end somewhere")
  func nestedMarkers() {
    let nested = build { builder in
      list(&builder) { builder in
        item(&builder) { builder in
          list(&builder) { builder in
            item(&builder) { $0.append("a") }
          }
        }
      }
    }
    #expect(plain(nested) == "  - a")
    let deep = build { builder in
      for _ in 0..<12 {
        builder.open(.list(TextList()))
        builder.open(.item(isDone: nil))
      }
      builder.append("a\nb")
    }
    let expected =
      String(repeating: " ", count: 16) + "- a\n" + String(repeating: " ", count: 16) + "b"
    #expect(plain(deep) == expected)
  }

  @Test("Quotes have a mark before each line, empty ones between their paragraphs too")
  func quotes() {
    let text = build { builder in
      builder.append("x")
      builder.open(.quote)
      builder.beginParagraph()
      builder.append("a\nb")
      builder.open(.quote)
      builder.append("c")
      builder.close()
      list(&builder) { builder in
        item(&builder) { builder in
          builder.append("d")
          builder.beginParagraph()
          builder.append("e")
        }
      }
      builder.close()
      builder.open(.quote)
      builder.append("f")
      builder.close()
      builder.append("y")
    }
    #expect(
      plain(text) == """
        x

        > a
        > b
        >
        > > c
        >
        > - d
        >
        >   e

        > f

        y
        """)
  }

  // MARK: Within lines

  @Test("The URL of a link follows its text, unless that is the URL")
  func links() {
    func link(_ text: String, _ destination: String) -> AttributedText {
      build { builder in
        builder.append("x ")
        builder.attributes = TextAttributes(spans: [.link(TextLink(destination: destination))])
        builder.append(text)
        builder.attributes.spans.append(.strong)
        builder.append("!")
        builder.attributes = .plain
        builder.append(" y")
      }
    }
    #expect(plain(link("a", "https://x/")) == "x a! (https://x/) y")
    #expect(plain(link("a", "https://x/")) { $0.showsLinks = false } == "x a! y")
    #expect(plain(link("a", "#b")) == "x a! y")
    #expect(plain(link("a", "")) == "x a! y")
    #expect(plain(link("https://x/", "https://x/!")) == "x https://x/! y")
    #expect(plain(link("www.x.org", "http://www.x.org!")) == "x www.x.org! y")
    #expect(plain(link("a@b", "mailto:a@b!")) == "x a@b! y")
    #expect(plain(link("x.org", "https://x.org!/")) == "x x.org! y")
  }

  @Test("Pictures are what is to be read in their place, tags nothing")
  func picturesAndTags() {
    let text = build { builder in
      builder.append("a ")
      builder.append(TextImage(source: "x", alternative: "picture"))
      builder.attributes = TextAttributes(spans: [.markup])
      builder.append("<b>")
      builder.append("<!-- x -->")
      builder.attributes = .plain
      builder.append(" b")
      builder.attributes = TextAttributes(spans: [.markup])
      builder.append("<br/>")
      builder.attributes = .plain
      builder.append("c")
      builder.beginParagraph(.markup)
      builder.append("<p>d</p>\n<p>e</p>")
    }
    #expect(plain(text) == "a picture b\nc\n\nd\n\ne")
  }

  // MARK: Tables

  private func table() -> AttributedText {
    build { builder in
      builder.append("x")
      builder.open(.table(TextTable(alignments: [nil, .right, .center])))
      for (index, row) in [
        ["Sort", "Price", "Of"], ["茶", "3.50", "x"], ["Crème\nbrûlée", "10", ""], ["", "", "👩‍🔬"],
      ].enumerated() {
        builder.open(.row(isHeader: index == 0))
        for cell in row {
          builder.open(.cell(columns: 1, rows: 1))
          builder.append(cell)
          builder.close()
        }
        builder.close()
      }
      builder.close()
      builder.append("y")
    }
  }

  @Test("Columns are as wide as their widest cell, and aligned as the table says")
  func alignedTable() {
    #expect(
      plain(table()) == """
        x

        Sort    Price  Of
        ------  -----  --
        茶       3.50  x
        Crème      10
        brûlée
                       👩‍🔬

        y
        """)
  }

  @Test("Cells can be separated by tabs")
  func tabbedTable() {
    #expect(
      plain(table()) {
        $0.cells = .tabbed
        $0.hasBlankLines = false
      } == "x\nSort\tPrice\tOf\n茶\t3.50\tx\nCrème\nbrûlée\t10\n\t\t👩‍🔬\ny")
  }

  @Test("Cells over columns and rows leave those empty; cells hold lists and tables")
  func spansInTables() {
    let text = build { builder in
      builder.open(.quote)
      builder.open(.table(TextTable()))
      builder.open(.row(isHeader: false))
      builder.open(.cell(columns: 2, rows: 2))
      list(&builder) { builder in
        item(&builder) { $0.append("a") }
        item(&builder) { $0.append("b") }
      }
      builder.close()
      builder.open(.cell(columns: 1, rows: 1))
      builder.append("c")
      builder.close()
      builder.close()
      builder.open(.row(isHeader: false))
      builder.open(.cell(columns: 1, rows: 1))
      builder.open(.table(TextTable()))
      builder.open(.row(isHeader: false))
      builder.open(.cell(columns: 1, rows: 1))
      builder.append("d")
      builder.close()
      builder.open(.cell(columns: 1, rows: 1))
      builder.append("e")
    }
    #expect(plain(text) { $0.cells = .tabbed } == "> - a\n> - b\t\tc\n> \t\td\te")
    #expect(plain(text) == "> - a  c\n> - b\n>     d  e")
  }

  @Test("No cell can fill up a table with blanks")
  func hostileTables() {
    let text = build { builder in
      builder.open(.table(TextTable()))
      for row in 0..<400 {
        builder.open(.row(isHeader: false))
        for column in 0..<60 {
          builder.open(.cell(columns: row == 0 ? .max : 1, rows: row == 1 ? .max : 1))
          if row == 0 || column == 59 { builder.append(String(repeating: "a", count: 70)) }
          builder.close()
        }
        builder.close()
      }
    }
    #expect(PlainTextWriter().write(text).count < 20 * text.length)
    var tabbed = PlainTextWriter()
    tabbed.cells = .tabbed
    #expect(tabbed.write(text).count < 20 * text.length)
  }

  // MARK: Flat

  @Test(
    "Lines are joined by one blank, none between ideographs or behind a soft hyphen",
    arguments: [
      ("a\nb", "a b"), ("a \n b", "a b"), ("a\n\n\nb", "a b"), ("日本\n語", "日本語"),
      ("日本\na", "日本 a"), ("한국\n어", "한국 어"), ("。\n「", "。「"), ("co\u{AD}\nop", "coop"),
      ("co\u{AD}op\nx", "co\u{AD}op x"), ("a  b", "a  b"), ("\na\n", "a"), ("", ""),
    ])
  func joins(lines: String, expected: String) {
    #expect(flat(AttributedText(lines)) == expected)
    let paragraphs = build { builder in
      for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
        builder.beginParagraph()
        builder.append(String(line))
      }
    }
    #expect(flat(paragraphs) == expected)
  }

  @Test("Code keeps its lines; markers, quotes and links go, unless they are asked for")
  func flatDocument() {
    let text = build { builder in
      builder.beginParagraph(.heading(level: 1))
      builder.append("A")
      list(&builder, TextList(numbering: .decimal, start: 2)) { builder in
        item(&builder) { builder in
          builder.append("b")
          builder.appendSoftBreak()
          builder.append("c")
          list(&builder) { builder in
            item(&builder, true) { $0.append("d") }
          }
        }
        item(&builder) { $0.append("e") }
      }
      builder.open(.quote)
      builder.attributes = TextAttributes(spans: [.link(TextLink(destination: "x"))])
      builder.append("f")
      builder.attributes = .plain
      builder.close()
      builder.beginParagraph(.thematicBreak)
      builder.beginParagraph(.code(info: ""))
      builder.append("g\n  h\n")
      builder.beginParagraph(.code(info: ""))
      builder.append("i  j")
    }
    #expect(flat(text) == "A b c d e f\ng\n  h\n\ni  j")
    #expect(flat(text) { $0.keepsMarkers = true } == "A 2. b c • [x] d 3. e f\ng\n  h\n\ni  j")
    #expect(flat(text) { $0.keepsParagraphEnds = true } == "A\nb c\nd\ne\nf\ng\n  h\n\ni  j")
  }
}
