import RichText
import Testing

/// A table of these cells; a cell is its text, columns and rows.
private func table(_ rows: [[(String, Int, Int)]], before: String = "") -> AttributedText {
  var builder = AttributedTextBuilder()
  if !before.isEmpty {
    builder.beginParagraph(.body)
    builder.append(before)
    builder.endParagraph()
  }
  builder.open(.table(TextTable()))
  for row in rows {
    builder.open(.row(isHeader: false))
    for (text, columns, height) in row {
      builder.open(.cell(columns: columns, rows: height))
      for line in text.split(separator: "¶", omittingEmptySubsequences: false) {
        builder.beginParagraph(.body)
        builder.append(String(line))
        builder.endParagraph()
      }
      builder.close()
    }
    builder.close()
  }
  builder.close()
  return builder.finish()
}

private func table(_ rows: [String]...) -> AttributedText {
  table(rows.map { $0.map { ($0, 1, 1) } })
}

private func written(
  _ text: AttributedText, _ separator: DelimitedTextWriter.Separator = .comma
) -> String? {
  DelimitedTextWriter(separator).write(text).map { String(decoding: $0, as: UTF8.self) }
}

@Suite("Tables as values with separators")
struct DelimitedTextTests {
  @Test("Rows are lines, and values stand in quotation marks where they have to")
  func commas() {
    #expect(
      written(table(["a", "b", ""], ["1, 2", "say \"x\"", "two¶lines"], [" é ", "a;b", "\t"]))
        == "a,b,\n\"1, 2\",\"say \"\"x\"\"\",\"two\nlines\"\n é ,a;b,\t\n")
  }

  @Test("Between tabs nothing stands in quotation marks; tabs and line ends are blanks")
  func tabs() {
    #expect(
      written(table(["a", "b, c", "say \"x\""], ["two¶lines", "tab\tin", ""]), .tab)
        == "a\tb, c\tsay \"x\"\ntwo lines\ttab in\t\n")
  }

  @Test("Cells over columns and rows keep the columns where they are")
  func spans() {
    let text = table([
      [("wide", 2, 1), ("c", 1, 1)],
      [("high", 1, 2), ("b", 1, 1), ("c", 1, 2)],
      [("b2", 1, 1)],
      [("a3", 1, 1), ("both", 2, 2)],
      [("a4", 1, 1)],
      [("a5", 1, 1), ("b5", 1, 1)],
    ])
    #expect(written(text) == "wide,,c\nhigh,b,c\n,b2,\na3,both,\na4,,\na5,b5\n")
  }

  @Test("Spans without end cost no more than the cells there are")
  func hostileSpans() throws {
    let row = [(String, Int, Int)](repeating: ("x", 1000, 65_534), count: 40)
    let bytes = try #require(
      DelimitedTextWriter(.comma).write(table(.init(repeating: row, count: 40))))
    #expect(bytes.count < 1_200_000)
    #expect(bytes.count { $0 == UInt8(ascii: "x") } == 1600)
    #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 40)
    let least = written(table([[("x", 0, 0), ("y", -1, .max)], [("z", 1, 1)]]))
    #expect(least == "x,y\nz,\n")
  }

  @Test("What stands around a table is left out, and so are tables behind the first")
  func firstTable() {
    var text = table([[("a", 1, 1)]], before: "Title")
    text.append(table(["b"]))
    #expect(written(text) == "a\n")
    #expect(written(AttributedText("no table")) == nil)
    #expect(written(AttributedText()) == nil)
  }

  @Test("Text in cells is text: marks are left out, pictures are what to read in their place")
  func inlineContent() {
    var builder = AttributedTextBuilder()
    builder.open(.table(TextTable()))
    builder.open(.row(isHeader: true))
    builder.open(.cell(columns: 1, rows: 1))
    builder.attributes = TextAttributes(spans: [.strong])
    builder.append("bold ")
    builder.attributes = TextAttributes(spans: [.markup])
    builder.append("<br>")
    var image = TextAttributes()
    image.image = TextImage(source: "x.png", alternative: "a picture")
    builder.attributes = image
    builder.append("\u{FFFC}")
    builder.close()
    builder.open(.cell(columns: 1, rows: 1))
    builder.close()
    builder.close()
    builder.close()
    #expect(written(builder.finish()) == "bold a picture,\n")
  }

  @Test("A table in a cell is text of that cell, and one in a list or quote is a table")
  func nested() {
    var builder = AttributedTextBuilder()
    builder.open(.quote)
    builder.open(.table(TextTable()))
    builder.open(.row(isHeader: false))
    builder.open(.cell(columns: 1, rows: 1))
    builder.append("outer")
    builder.open(.table(TextTable()))
    builder.open(.row(isHeader: false))
    for name in ["x", "y"] {
      builder.open(.cell(columns: 1, rows: 1))
      builder.append(name)
      builder.close()
    }
    builder.close()
    builder.close()
    builder.close()
    builder.close()
    builder.close()
    builder.close()
    #expect(written(builder.finish()) == "\"outer\nx\ny\"\n")
  }
}
