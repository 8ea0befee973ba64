import RichText
import Testing

@Suite("HTML out")
struct HTMLWriterTests {
  private func html(
    isSafe: Bool = false, isDocument: Bool = false, _ build: (inout AttributedTextBuilder) -> Void
  ) -> String {
    var builder = AttributedTextBuilder()
    build(&builder)
    let writer = HTMLWriter(isSafe: isSafe, isDocument: isDocument)
    return String(decoding: writer.write(builder.finish()), as: UTF8.self)
  }

  private func inline(_ runs: [(String, TextAttributes)], isSafe: Bool = false) -> String {
    html(isSafe: isSafe) { builder in
      for (text, attributes) in runs {
        builder.attributes = attributes
        builder.append(text)
      }
    }
  }

  @Test("Paragraphs, headings, code and lines across are elements on lines of their own")
  func blocks() {
    let html = html { builder in
      builder.beginParagraph(.heading(level: 2))
      builder.append("a & <b>")
      builder.beginParagraph()
      builder.append("one")
      builder.appendSoftBreak()
      builder.append("two\nthree")
      builder.beginParagraph(.thematicBreak)
      builder.beginParagraph(.code(info: "swift x"))
      builder.append("\nlet a = \"<\"\n")
      builder.beginParagraph(.code(info: ""))
      builder.beginParagraph(.markup)
      builder.append("<x>\n y")
      builder.beginParagraph(alignment: .center)
      builder.append("\r\u{0}")
      builder.beginParagraph()
    }
    #expect(
      html == """
        <h2>a &amp; &lt;b&gt;</h2>
        <p>one
        two<br />
        three</p>
        <hr />
        <pre><code class="language-swift">
        let a = &quot;&lt;&quot;

        </code></pre>
        <pre><code></code></pre>
        <x>
         y
        <p style="text-align:center">&#13;\u{FFFD}</p>
        <p><br /></p>

        """)
  }

  @Test("Tight items hold text, loose ones paragraphs; tasks have boxes; vacant containers nothing")
  func lists() {
    let html = html { builder in
      builder.open(.list(TextList(numbering: .decimal, start: 3)))
      builder.open(.item(isDone: nil))
      builder.append("a")
      builder.open(.list(TextList()))
      builder.open(.item(isDone: true))
      builder.append("b")
      builder.close()
      builder.open(.item(isDone: nil))
      builder.close()
      builder.close()
      builder.close()
      builder.open(.item(isDone: nil))
      builder.beginParagraph()
      builder.append("two")
      builder.beginParagraph()
      builder.append("paragraphs")
      builder.close()
      builder.close()
      builder.open(.quote)
      builder.close()
      builder.open(.list(TextList(numbering: .lowerRoman, isTight: false)))
      builder.open(.item(isDone: false))
      builder.append("c")
    }
    #expect(
      html == """
        <ol start="3">
        <li>a
        <ul>
        <li><input checked="" disabled="" type="checkbox"> b</li>
        <li></li>
        </ul>
        </li>
        <li>
        <p>two</p>
        <p>paragraphs</p>
        </li>
        </ol>
        <blockquote>
        </blockquote>
        <ol type="i">
        <li>
        <p><input disabled="" type="checkbox"> c</p>
        </li>
        </ol>

        """)
  }

  @Test("Tables have a head, a body, alignments and cells over columns and rows")
  func tables() {
    let html = html { builder in
      builder.open(.table(TextTable(alignments: [nil, .right, .center])))
      builder.open(.row(isHeader: true))
      builder.open(.cell(columns: 1, rows: 1))
      builder.append("a")
      builder.close()
      builder.open(.cell(columns: 2, rows: 1))
      builder.append("b")
      builder.close()
      builder.close()
      builder.open(.row(isHeader: false))
      builder.open(.cell(columns: 1, rows: 2))
      builder.beginParagraph()
      builder.append("c")
      builder.beginParagraph(.code(info: ""))
      builder.append("d")
      builder.close()
      builder.open(.cell(columns: 1, rows: 1))
      builder.close()
      builder.close()
      builder.open(.row(isHeader: false))
      builder.open(.cell(columns: 1, rows: 1))
      builder.append("e")
    }
    #expect(
      html == """
        <table>
        <thead>
        <tr>
        <th>a</th>
        <th align="right" colspan="2">b</th>
        </tr>
        </thead>
        <tbody>
        <tr>
        <td rowspan="2">c
        <pre><code>d
        </code></pre>
        </td>
        <td align="right"></td>
        </tr>
        <tr>
        <td align="right">e</td>
        </tr>
        </tbody>
        </table>

        """)
  }

  @Test("Spans nest in their order; what they share stays open")
  func spans() {
    let link = TextSpan.link(TextLink(destination: "/a b\\\"'&é%20[", title: "x\"y"))
    #expect(
      inline([
        ("a", TextAttributes(spans: [.emphasis])),
        ("b", TextAttributes(spans: [.emphasis, .strong])),
        ("c", TextAttributes(spans: [.emphasis, link])),
        ("d", TextAttributes(spans: [.emphasis, link, .code])),
        ("e", TextAttributes(spans: [.strikethrough])),
      ])
        == "<p><em>a<strong>b</strong><a href=\"/a%20b%5C%22&#x27;&amp;%C3%A9%20%5B\" "
        + "title=\"x&quot;y\">c<code>d</code></a></em><del>e</del></p>\n")
  }

  @Test("Looks are elements where there is one, else an inline style")
  func looks() {
    func styled(_ change: (inout TextStyle) -> Void) -> String {
      var style = TextStyle()
      change(&style)
      return inline([("a", TextAttributes(style: style))])
    }
    #expect(styled { $0.isUnderlined = true } == "<p><u>a</u></p>\n")
    #expect(styled { $0.weight = 700 } == "<p><b>a</b></p>\n")
    #expect(styled { $0.weight = 400 } == "<p>a</p>\n")
    #expect(
      styled { $0.weight = 900 } == "<p><span style=\"font-weight:900\"><b>a</b></span></p>\n")
    #expect(
      styled {
        $0.isItalic = true
        $0.isStruckThrough = true
      } == "<p><i><s>a</s></i></p>\n")
    #expect(styled { $0.baseline = .superscript } == "<p><sup>a</sup></p>\n")
    #expect(
      styled {
        $0.foreground = TextColor(red: 0x05, green: 0x63, blue: 0xC1)
        $0.fontSize = 105
        $0.fontFamily = "A;\"'b<"
        $0.isMonospaced = true
      }
        == "<p><span style=\"font-family:'Ab',monospace;font-size:10.5pt;color:#0563c1\">a"
        + "</span></p>\n")
  }

  @Test("Pictures are elements, one each")
  func pictures() {
    let html = html { builder in
      builder.append(TextImage(source: "a.png", alternative: "x\"", title: "t"))
      builder.append(TextImage(source: "a.png", alternative: "x\"", title: "t"))
    }
    let picture = "<img src=\"a.png\" alt=\"x&quot;\" title=\"t\" />"
    #expect(html == "<p>\(picture)\(picture)</p>\n")
  }

  @Test("A fragment has no paragraph; a document names its encoding")
  func wholes() {
    let fragment = AttributedText("a\nb", attributes: TextAttributes(spans: [.strong]))
    #expect(
      String(decoding: HTMLWriter().write(fragment), as: UTF8.self)
        == "<strong>a<br />\nb</strong>")
    let document = html(isDocument: true) { builder in
      builder.beginParagraph(.heading(level: 1))
      builder.append("é & x")
    }
    #expect(
      document == """
        <!DOCTYPE html>
        <html>
        <head>
        <meta charset="utf-8">
        <title>é &amp; x</title>
        </head>
        <body>
        <h1>é &amp; x</h1>
        </body>
        </html>

        """)
    #expect(html { _ in } == "")
  }
}
