import RichText
import TestSupport
import Testing

@Suite("HTML as attributed text")
struct HTMLReadingTests {
  private func outline(_ html: String) -> String {
    RichTextTests.outline(HTMLTextReader().read(Array(html.utf8)))
  }

  @Test(
    "The computed look decides what is emphasized, not the tag",
    arguments: [
      ("<b style='font-weight:normal'>a</b>", "body | a"),
      (
        "<b style='font-weight:400'>a<span style='font-weight:700'>b</span></b>",
        "body | a<strong>b</strong>"
      ),
      (
        "<span style='font-style:italic'>a</span><i style='font-style:normal'>b</i>",
        "body | <em>a</em>b"
      ),
      ("<p style='font-weight:600'>a</p>", "body | <strong>a</strong>"),
      ("<h1><b>a</b> <strong>b</strong></h1>", "heading1 | a <strong>b</strong>"),
      ("<h2 style='font-weight:400'>a<b>b</b></h2>", "heading2 | a<strong>b</strong>"),
      (
        "<s>a</s><del>b</del><span style='text-decoration:line-through'>c</span>",
        "body | <del>abc</del>"
      ),
      ("<i>a</i><i>b</i>", "body | <em>ab</em>"), ("a<b></b>b<i> </i>c", "body | ab c"),
      ("a<b> b </b>c", "body | a <strong>b</strong> c"),
      ("<em>a <em>b</em> c</em>", "body | <em>a <em>b</em> c</em>"),
      ("<b>a <b>b</b></b>", "body | <strong>a b</strong>"),
      (
        "<b><i>a</i></b><i><b>b</b></i>",
        "body | <strong><em>a</em></strong><em><strong>b</strong></em>"
      ),
      ("<code><b>a</b></code>", "body | <strong><code>a</code></strong>"),
      (
        "<font face='Courier New, monospace'>a</font> <font face=Arial>b</font>",
        "body | <code>a</code> b"
      ),
      (
        "<style>.x{font-weight:bold} p.y{font-style:italic}</style><p class=y>a<span class=x>b</span>",
        "body | <em>a<strong>b</strong></em>"
      ),
      (
        "<style><!-- b, .c { font-weight: normal } --></style><b>a</b><strong class='q c'>b</strong>",
        "body | ab"
      ),
    ])
  func looks(html: String, expected: String) { #expect(outline(html) == expected) }

  @Test(
    "Links, pictures and anchors",
    arguments: [
      ("<a href=' x\n'>a</a>", "body | <a x>a</a>"), ("<a name=x>a</a>", "body | a"),
      ("<a href='javascript:x()'>a</a>", "body | a"), ("<a href=x></a>b", "body | b"),
      ("<a href=x><h3>a</h3></a>", "heading3 | <a x>a</a>"),
      ("<h2>a<a class=anchor aria-hidden=true href=#a>#</a></h2>", "heading2 | a"),
      ("<img src=a.png alt='b\n c'>", "body | <img a.png \"b c\">"),
      ("<img src=a.png width=1 height=1>b", "body | b"),
      ("<img class=emoji src=a.png alt='🎉'>", "body | 🎉"),
      ("<img src='data:x,\(String(repeating: "y", count: 5000))' alt=b>", "body | b"),
    ])
  func links(html: String, expected: String) { #expect(outline(html) == expected) }

  @Test(
    "Lists nest where they stand, and go on where their writer only begins anew",
    arguments: [
      (
        "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>",
        "list1(-) item2 body | a\nlist1(-) item2 list3(-) item4 body | b\nlist1(-) item5 body | c"
      ),
      (
        "<ul><li>a</ul><ul><ul><li>b</ul></ul>",
        "list1(-) item2 body | a\nlist1(-) item2 list3(-) item4 body | b"
      ),
      ("<ul><li>a</ul><ul><li>b</ul>", "list1(-) item2 body | a\nlist3(-) item4 body | b"),
      (
        "<ul><li><p>a</p><li><p>b</p></ul>",
        "list1(- loose) item2 body | a\nlist1(- loose) item3 body | b"
      ),
      ("<ol start=3><li>a<li value=7>b</ol>", "list1(3.) item2 body | a\nlist3(7.) item4 body | b"),
      (
        "<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>",
        "list1(-) item2[x] body | a\nlist1(-) item3[ ] body | b"
      ),
      ("<ul><li></li><li>a</ul>", "list1(-) item2 vacant\nlist1(-) item3 body | a"),
      ("<ul>a<li>b</ul>", "list1(-) item2 body | a\nlist1(-) item3 body | b"),
      ("<ul></ul><blockquote></blockquote>a", "body | a"),
    ])
  func lists(html: String, expected: String) { #expect(outline(html) == expected) }

  @Test(
    "Code keeps its lines, and its language by all customs",
    arguments: [
      ("<pre>a\n  b\n</pre>", "code() | a<br>  b"), ("<pre>a<br>b</pre>", "code() | a<br>b"),
      ("<pre><code class='x language-py'>a</code></pre>", "code(py) | a"),
      ("<pre class=lang-c>a</pre>", "code(c) | a"), ("<pre data-lang=go>a</pre>", "code(go) | a"),
      ("<div class='highlight highlight-source-shell'><pre>a</pre></div>", "code(shell) | a"),
      ("<pre class='sourceCode haskell'><code>a</code></pre>", "code(haskell) | a"),
      ("<pre></pre>", "code()"), ("<pre>a&nbsp;b</pre>", "code() | a b"),
      ("<p><code> a  b </code>", "body | <code> a  b </code>"),
      ("<p><tt>a</tt><kbd>b</kbd>", "body | <code>ab</code>"),
    ])
  func code(html: String, expected: String) { #expect(outline(html) == expected) }

  @Test(
    "Tables have rows, heads and cells; those of a layout are none",
    arguments: [
      (
        "<table><tr><th>a<th align=right>b<tr><td>c<td>d</table>",
        "table1(-,right) head2 cell3 body | a\ntable1(-,right) head2 cell4 body | b\n"
          + "table1(-,right) row5 cell6 body | c\ntable1(-,right) row5 cell7 body | d"
      ),
      (
        "<table><tr><td><b>a</b><td><b>b</b><tr><td>c<td></table>",
        "table1(-,-) head2 cell3 body | a\ntable1(-,-) head2 cell4 body | b\n"
          + "table1(-,-) row5 cell6 body | c\ntable1(-,-) row5 cell7 vacant"
      ),
      ("<table><tr><td>a</table>", "body | a"),
      ("<table role=presentation><tr><td>a<td>b</table>", "body | a<br>b"),
      (
        "<table><caption>t</caption><tr><td>a<td>b</table>",
        "body | t\ntable1(-,-) row2 cell3 body | a\ntable1(-,-) row2 cell4 body | b"
      ),
      (
        "<table><tr><th><strong>a</strong><th><b>b</b></table>",
        "table1(-,-) head2 cell3 body | <strong>a</strong>\ntable1(-,-) head2 cell4 body | b"
      ),
    ])
  func tables(html: String, expected: String) { #expect(outline(html) == expected) }

  @Test(
    "What was copied within a line is a fragment, with blocks it is none",
    arguments: [
      ("a <b>b</b>", true), ("<meta charset=utf-8><span>a</span>", true), ("<p>a</p>", false),
      ("<div>a</div>", false), ("<pre>a</pre>", false), ("<ul><li>a</ul>", false), ("", false),
      ("<html><body><!--StartFragment-->a<!--EndFragment--></body></html>", true),
      ("<p><!--StartFragment-->a<!--EndFragment--></p>", true),
    ])
  func fragments(html: String, isFragment: Bool) {
    #expect(HTMLTextReader().read(Array(html.utf8)).isFragment == isFragment)
  }

  @Test(
    "A line end in the source is a soft break where a person may have written it",
    arguments: [
      ("<p>a\nb</p>", true), ("<p style='color:red'>a\nb</p>", false),
      ("<meta charset=utf-8><p>a\nb</p>", false),
      ("<!--StartFragment--><p>a\nb</p><!--EndFragment-->", false),
    ])
  func softBreaks(html: String, isSoft: Bool) {
    let text = HTMLTextReader().read(Array(html.utf8))
    #expect(text.runs.contains { $0.attributes.isSoftBreak } == isSoft)
  }
}

@Suite("HTML of office programs, editors and terminals")
struct HTMLDialectTests {
  private func outline(_ html: String) -> String {
    RichTextTests.outline(HTMLTextReader().read(Array(html.utf8)))
  }

  @Test("Google Docs: the look of spans, lists right in lists, paragraphs without margins")
  func googleDocs() {
    let html = """
      <meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1">\
      <h1 dir="ltr" style="margin-top:20pt"><span style="font-weight:400">Title</span></h1>\
      <p dir="ltr" style="margin-top:0pt;margin-bottom:0pt;">\
      <span style="white-space:pre-wrap;">Some </span>\
      <span style="font-weight:700;white-space:pre-wrap;">bold </span>\
      <span style="font-style:italic;">italic</span>\
      <span style="white-space:pre-wrap;">, </span>\
      <span style="font-family:'Courier New';">code()</span></p><br />\
      <p style="margin-top:0pt;margin-bottom:0pt;"><a href="https://x.example/" \
      style="text-decoration:none;"><span style="text-decoration:underline">link</span></a></p>\
      <p style="margin-top:0pt;margin-bottom:0pt;">next</p>\
      <ul><li aria-level="1"><p role="presentation"><span>one</span></p></li>\
      <ul><li aria-level="2"><p role="presentation">two</p></li></ul>\
      <li aria-level="1"><p role="presentation">three</p></li></ul></b>\
      <br class="Apple-interchange-newline">
      """
    #expect(
      outline(html) == """
        heading1 | Title
        body | Some <strong>bold</strong> <em>italic</em>, <code>code()</code>
        body | <a https://x.example/>link</a>
        body | next
        list1(-) item2 body | one
        list1(-) item2 list3(-) item4 body | two
        list1(-) item5 body | three
        """)
  }

  @Test("Word: lists as paragraphs, conditional comments, empty paragraphs, wrapped source")
  func word() {
    func item(_ level: String, _ marker: String, _ text: String) -> String {
      "<p class=MsoListParagraph style='mso-list:\(level) lfo1'><![if !supportLists]>"
        + "<span style='font-family:Symbol'><span style='mso-list:Ignore'>\(marker)"
        + "<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span></span></span>"
        + "<![endif]>\(text)<o:p></o:p></p>\r\n"
    }
    let html =
      "<html><head><meta name=Generator content=\"Microsoft Word 15\"><style><!--\r\n"
      + "p.MsoNormal {margin:0cm}\r\n--></style></head><body><!--StartFragment-->\r\n"
      + "<h1>Head\r\nline<o:p></o:p></h1>\r\n"
      + "<p class=MsoNormal>A <b>bold\r\nword</b><span style='mso-spacerun:yes'>&nbsp; </span>"
      + "end.<o:p></o:p></p>\r\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>\r\n"
      + "<!--[if gte mso 9]><xml>junk</xml><![endif]-->"
      + item("l0 level1", "·", "first") + item("l0 level2", "o", "nested")
      + item("l0 level1", "·", "second") + item("l1 level1", "3.", "three")
      + item("l1 level1", "4.", "four") + item("l1 level2", "a)", "letter")
      + "<p class=MsoNormal style='mso-list:none'>After</p><!--EndFragment--></body></html>"
    #expect(
      outline(html) == """
        heading1 | Head line
        body | A <strong>bold word</strong> end.
        list1(-) item2 body | first
        list1(-) item2 list3(-) item4 body | nested
        list1(-) item5 body | second
        list6(3.) item7 body | three
        list6(3.) item8 body | four
        list6(3.) item8 list9(1.) item10 body | letter
        body | After
        """)
  }

  @Test("Word for the web: a list for each item, marks at the ends of paragraphs")
  func wordOnline() {
    func item(_ level: Int, _ text: String) -> String {
      "<div class='ListContainerWrapper SCXW1'><ul><li data-aria-level='\(level)'><p>"
        + "<span class='TextRun SCXW1'>\(text)</span><span class='EOP SCXW1'>&nbsp;</span></p>"
        + "</li></ul></div>"
    }
    let html =
      "<div class='OutlineElement'><p role=heading aria-level=2><span class=TextRun>T</span>"
      + "<span class=EOP>&nbsp;</span></p></div>" + item(1, "a") + item(2, "b") + item(1, "c")
    #expect(
      outline(html) == """
        heading2 | T
        list1(-) item2 body | a
        list1(-) item2 list3(-) item4 body | b
        list1(-) item5 body | c
        """)
  }

  @Test("VS Code: a block whose white space is kept, a block for each line")
  func visualStudioCode() {
    let html = """
      <meta charset='utf-8'><div style="color: #d4d4d4;font-family: 'Droid Sans Mono', monospace;\
      white-space: pre;"><div><span style="color: #569cd6;">def</span><span> f():</span></div>\
      <div>&#160;&#160;<span>return 1</span></div><br><div>x = f()</div></div>
      """
    #expect(outline(html) == "code() | def f():<br>  return 1<br><br>x = f()")
  }

  @Test("Terminals: lines in a font of one width are code, a word is code within a line")
  func terminals() {
    let html = """
      <span style="font-family:monospace"><span style="color:#000000">$&nbsp;ls&nbsp;-l</span><br>\
      total&nbsp;0<br><br>$<br></span>
      """
    #expect(outline(html) == "code() | $ ls -l<br>total 0<br><br>$")
    #expect(outline("<span style=\"font-family:monospace\">ls</span>") == "body | <code>ls</code>")
  }

  @Test("Cocoa: bold in a style sheet, a paragraph for each line, empty ones between paragraphs")
  func cocoa() {
    let html = """
      <html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">
      p.p1 {margin: 0.0px 0.0px 0.0px 0.0px; font: 12.0px Helvetica}
      p.p2 {margin: 0.0px 0.0px 0.0px 0.0px; font: 12.0px Helvetica; min-height: 14.0px}
      span.s1 {font: bold 12.0px Helvetica}
      </style></head><body>
      <p class="p1">a <span class="s1">bold</span><span class="Apple-converted-space"> </span>x</p>
      <p class="p1">second</p>
      <p class="p2"><br></p>
      <p class="p1">third</p>
      </body></html>
      """
    #expect(outline(html) == "body | a <strong>bold</strong> x<br>second\nbody | third")
  }

  @Test("Excel: the fragment lies within the table, heads are bold by a class")
  func excel() {
    let html = """
      <html><head><meta name=ProgId content=Excel.Sheet><style><!--td {font-weight:400}
      .xl65 {font-weight:700;}--></style></head><body><table><!--StartFragment--><col width=64>
      <tr><td class=xl65>Name</td><td class=xl65>Qty</td></tr>
      <tr><td>a|b</td><td align=right>3</td></tr><!--EndFragment--></table></body></html>
      """
    #expect(
      outline(html) == """
        table1(-,-) head2 cell3 body | Name
        table1(-,-) head2 cell4 body | Qty
        table1(-,-) row5 cell6 body | a|b
        table1(-,-) row5 cell7 body | 3
        """)
  }

  @Test("GitHub: anchors and buttons beside what was written, tasks, languages")
  func gitHub() {
    let html = """
      <h2 class="heading-element">Install</h2><a class="anchor" aria-label="Permalink" \
      href="#install"><svg><title>t</title><path d="m7"></path></svg></a><div class="highlight \
      highlight-source-shell"><pre>npm i <span class="pl-k">&amp;&amp;</span> go
      </pre><div class="zeroclipboard-container"><clipboard-copy>Copy</clipboard-copy></div></div>\
      <ul><li class="task-list-item"><input type="checkbox" checked> done \
      <g-emoji>🎉</g-emoji></li></ul>
      """
    #expect(
      outline(html) == """
        heading2 | Install
        code(shell) | npm i && go
        list1(-) item2[x] body | done 🎉
        """)
  }
}
