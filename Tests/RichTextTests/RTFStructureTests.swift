import RichText
import Testing

@Suite("What RTF says of its text")
struct RTFStructureTests {
  private static let head = #"""
    {\fonttbl{\f0\fswiss Arial;}{\f1\fmodern\fprq1 Courier New;}{\f2\fmodern\fprq1\fcharset128 MS Mincho;}}
    {\colortbl;\red255\green0\blue0;\red0\green0\blue0;}
    {\stylesheet{Normal;}{\s1\b\fs32\outlinelevel0 Heading One;}{\s2\b\sbasedon1 Mine;}
    {\s3\i HEADING 4;}{\s4\i Intense Quote;}{\s5\f1 HTML Preformatted;}{\s6\b Shout;}
    {\s7\outlinelevel9\sbasedon1 TOC Heading;}{\*\cs10\b Strong;}{\*\cs11\f1 Source Text;}}
    {\*\listtable{\list{\listlevel\levelnfc23}{\listlevel\levelnfc0\levelstartat4}\listid7}
    {\list{\listlevel\levelnfc2\levelstartat3}\listid8}{\list{\listlevel\levelnfc255}\listid9}}
    {\*\listoverridetable{\listoverride\listid7\listoverridecount0\ls1}
    {\listoverride\listid8\listoverridecount1{\lfolevel\listoverridestartat\levelstartat9}\ls2}
    {\listoverride\listid9\listoverridecount0\ls3}{\listoverride\listid7\listoverridecount0\ls4}}
    """#

  private func outline(_ content: String) throws -> String {
    let rtf = #"{\rtf1\ansi "# + Self.head + content + "}"
    return RichTextTests.outline(try RTFReader().read(Array(rtf.utf8)))
  }

  // MARK: Paragraphs

  @Test(
    "Headings are those with an outline level or the name of one, of their own or by their style",
    arguments: [
      (#"\pard\outlinelevel1 a\par"#, "heading2 | a"), (#"\pard\s1\b a\par"#, "heading1 | a"),
      (#"\pard\s2\b a\par"#, "heading1 | a"), (#"\pard\s3 a\par"#, "heading4 | a"),
      (#"\pard\s1\outlinelevel9\i a\par"#, "body | <em>a</em>"),
      (#"\pard\s7 a\par"#, "body | a"), (#"\pard\outlinelevel8 a\par"#, "heading6 | a"),
      (#"\pard\s1 a\par\pard b\par"#, "heading1 | a\nbody | b"),
      (#"{\pard\s1\b a}\par"#, "heading1 | a"), (#"\pard\s1\par"#, "body"),
      (#"\pard{\listtext 1.2\tab}\s1\ls1 a\par"#, "heading1 | 1.2 a"),
      (#"\pard{\listtext\tab}\s1\ls3 a\par\pard\ls3 b\par"#, "heading1 | a\nbody | b"),
    ])
  func headings(content: String, expected: String) throws {
    #expect(try outline(content) == expected)
  }

  @Test(
    "Emphasis is what differs from the paragraph's own look",
    arguments: [
      (
        #"\pard a{\b b}{\i c}{\b\i d}{\strike e}"#,
        "body | a<strong>b</strong><em>c</em><strong><em>d</em></strong><del>e</del>"
      ),
      (#"\pard\s6\b a{\i b}"#, "body | a<em>b</em>"),
      (#"\pard\b a\b0 b"#, "body | <strong>a</strong>b"),
      (#"\pard\s1\b a{\i b}\par"#, "heading1 | a<em>b</em>"),
      (#"\pard\outlinelevel0\b\fs36 a {\i b}\par"#, "heading1 | a <em>b</em>"),
      (#"\pard\outlinelevel0 a {\b b}\par"#, "heading1 | a <strong>b</strong>"),
      (#"\pard a{\cs10 b}"#, "body | a<strong>b</strong>"), (#"\pard a{\ab b}"#, "body | ab"),
      (#"\pard\s4\i a{\b b}\par"#, "quote1 body | a<strong>b</strong>"),
      (#"\pard {\b a}{\b b}\plain c"#, "body | <strong>ab</strong>c"),
      (#"{\b a\plain b}"#, "body | <strong>a</strong>b"),
    ])
  func emphasis(content: String, expected: String) throws {
    #expect(try outline(content) == expected)
  }

  @Test("Lines under text, colours and places above and below the line are styles")
  func styles() throws {
    let rtf =
      #"{\rtf1"# + Self.head + #"\ul a\ulnone{\cf1 b}{\cf2 c}{\super d}{\sub e}\highlight1 f}"#
    let text = try RTFReader().read(Array(rtf.utf8))
    let red = TextColor(red: 255, green: 0, blue: 0)
    let styles = text.runs.map(\.attributes.style)
    #expect(text.string == "abcdef\n")
    #expect(styles.map(\.isUnderlined) == [true, nil, nil, nil, nil, nil, nil])
    #expect(styles.map(\.foreground) == [nil, red, nil, nil, nil, nil, nil])
    #expect(styles.map(\.baseline) == [nil, nil, nil, .superscript, .subscripted, nil, nil])
    #expect(styles.map(\.background) == [nil, nil, nil, nil, nil, red, nil])
  }

  @Test(
    "Code is a style of preformatted text, or a font of one width against the text around it",
    arguments: [
      (#"\pard\s5\f1 a\par b\par\pard\plain c"#, "code() | a<br>b\nbody | c"),
      (#"\pard\s5\f1 a\par\par b\par\par\pard\plain c"#, "code() | a<br><br>b\nbody\nbody | c"),
      (#"\pard x\par\pard\f1 a\line  b\par\pard\plain c"#, "body | x\ncode() | a<br> b\nbody | c"),
      (#"\pard a {\f1 b} c"#, "body | a <code>b</code> c"),
      (#"\pard {\f1 a}\par b\par"#, "body | <code>a</code>\nbody | b"),
      (#"\pard {\cs11\f1 a}\par b\par"#, "body | <code>a</code>\nbody | b"),
      (#"\pard\f1{\cf1 a}\line b\line"#, "code() | a<br>b"), (#"\pard\f1 a"#, "body | a"),
      (#"\pard a {\f2 b} c"#, "body | a b c"), (#"\f1 a\par b\par"#, "code() | a<br>b"),
      (#"\f1\pard\s1 a\par\pard\s0 b\par"#, "heading1 | a\nbody | b"),
      (#"\pard a\par\f1 b\par{\f0 c }d\par"#, "body | a\ncode() | b\nbody | c <code>d</code>"),
    ])
  func code(content: String, expected: String) throws {
    #expect(try outline(content) == expected)
  }

  @Test(
    "Lines across are empty paragraphs with a border, or pandoc's dashes",
    arguments: [
      (#"\pard a\par\pard\brdrb\brdrs\par\pard b\par"#, "body | a\nbreak\nbody | b"),
      (#"\pard\qc\emdash\emdash\emdash\par"#, "break"),
      (#"\pard\brdrb\brdrs a\par"#, "body | a"),
    ])
  func thematicBreaks(content: String, expected: String) throws {
    #expect(try outline(content) == expected)
  }

  @Test("A document is a fragment if it is one paragraph without a mark")
  func fragments() throws {
    func isFragment(_ rtf: String) throws -> Bool {
      try RTFReader().read(Array(rtf.utf8)).isFragment
    }
    #expect(try isFragment(#"{\rtf1 a}"#))
    #expect(try isFragment(#"{\rtf1{\b a}\line b}"#))
    #expect(try !isFragment(#"{\rtf1 a\par}"#))
    #expect(try !isFragment(#"{\rtf1 a\par b}"#))
    #expect(try !isFragment(#"{\rtf1\outlinelevel0 a}"#))
    #expect(try !isFragment(#"{\rtf1\intbl a\cell\row}"#))
  }

  // MARK: Lists

  @Test(
    "Lists are numbered and begin as the tables and the markers say",
    arguments: [
      (
        #"\pard\ls1{\listtext\bullet\tab}a\par\ilvl1{\listtext 4.\tab}b\par"#,
        "list1(-) item2 body | a\nlist1(-) item2 list3(4.) item4 body | b"
      ),
      (
        #"\pard\ls1 a\par\ilvl1 b\par c\par"#,
        "list1(-) item2 body | a\nlist1(-) item2 list3(4.) item4 body | b\n"
          + "list1(-) item2 list3(4.) item5 body | c"
      ),
      (#"\pard\ls2 a\par b\par"#, "list1(9.) item2 body | a\nlist1(9.) item3 body | b"),
      (#"\pard\ls1{\listtext\u65288 ?3\u65289 ?\tab}a\par"#, "list1(3.) item2 body | a"),
      (#"\pard\ls2{\listtext xii.\tab}a\par"#, "list1(12.) item2 body | a"),
      (
        #"\pard\ls1{\listtext\bullet\tab}a\par\pard b\par\ls1{\listtext\bullet\tab}c\par"#,
        "list1(-) item2 body | a\nbody | b\nlist3(-) item4 body | c"
      ),
      (
        #"\pard\ls1{\listtext\bullet\tab}a\par\ls4{\listtext\bullet\tab}b\par"#,
        "list1(-) item2 body | a\nlist1(-) item3 body | b"
      ),
      (
        #"\pard\ls1{\listtext\bullet\tab}a\par\pard\ls1 b\par{\listtext\bullet\tab}c\par"#,
        "list1(- loose) item2 body | a\nlist1(- loose) item2 body | b\nlist1(- loose) item3 body | c"
      ),
      (
        #"\pard\ls1{\listtext\bullet\tab}\par{\listtext\bullet\tab}b\par"#,
        "list1(-) item2 vacant\nlist1(-) item3 body | b"
      ),
      (
        #"\pard\ls1{\listtext\u9744 ?\tab}a\par{\listtext\bullet\tab}\u9746 ? b\par"#,
        "list1(-) item2[ ] body | a\nlist1(-) item3[x] body | b"
      ),
      (
        #"\pard\li360\fi-360\bullet\tab a\par\pard\li360 b\par\pard\li720\fi-360 1.\tab c\par"#,
        "list1(- loose) item2 body | a\nlist1(- loose) item2 body | b\n"
          + "list1(- loose) item2 list3(1.) item4 body | c"
      ),
      (#"\pard\bullet\tab a\par"#, "body | •\ta"),
      (#"\pard\li360\fi-360 a\tab b\par"#, "body | a\tb"),
      (
        #"\pard{\pntext c)\tab}{\*\pn\pnlvlbody\pnlcltr\pnstart3}a\par{\pntext d)\tab}b\par\pard c\par"#,
        "list1(3.) item2 body | a\nlist1(3.) item3 body | b\nbody | c"
      ),
      (#"\pard\s4\ls1{\listtext\bullet\tab}a\par"#, "quote1 list2(-) item3 body | a"),
      (
        #"\pard\ls1{\listtext\bullet\tab}a\par\pard\s5\f1\ls1 b\par"#,
        "list1(-) item2 body | a\nlist1(-) item2 code() | b"
      ),
    ])
  func lists(content: String, expected: String) throws {
    #expect(try outline(content) == expected)
  }

  // MARK: Links and pictures

  @Test(
    "Links are found in fields of every shape, and the results of others are kept",
    arguments: [
      (#"{\field{\*\fldinst{HYPERLINK "http://x/"}}{\fldrslt{a}}}"#, "<a http://x/>a</a>"),
      (#"{\field{\*\fldinst HYPERLINK http://x/ }{\fldrslt a}}"#, "<a http://x/>a</a>"),
      (
        #"{\field{\*\fldinst hyperlink "http://x/" \\l "m" \\o "tip" \\t "_top"}{\fldrslt a}}"#,
        #"<a http://x/#m "tip">a</a>"#
      ),
      (#"{\field{\*\fldinst HYPERLINK \\\\l "m"}{\fldrslt a}}"#, "<a #m>a</a>"),
      (#"{\field{\*\fldinst HYPERLINK "C:\\a\\b"}{\fldrslt a}}"#, #"<a C:\a\b>a</a>"#),
      (
        #"{\field\fldlock{\*\fldinst{\f1\cf1 HYPER}{LINK "http://x/"}}{\fldrslt a{\b b}}}c"#,
        "<a http://x/>a<strong>b</strong></a>c"
      ),
      (
        #"{\field{\*\fldinst TOC}{\fldrslt{\field{\*\fldinst HYPERLINK "x"}{\fldrslt a}}b}}"#,
        "<a x>a</a>b"
      ),
      (
        #"{\field{\*\fldinst HYPERLINK "x"}{\fldrslt{\field{\*\fldinst PAGE}{\fldrslt 1}}}}"#,
        "<a x>1</a>"
      ),
      (#"{\field{\*\fldinst HYPERLINK}{\fldrslt a}}b"#, "ab"),
      (#"{\field{\*\fldinst FORMTEXT{\*\formfield{\ffname x}}}{\fldrslt a}}"#, "a"),
      (#"{\field{\*\fldinst SYMBOL 97 \\f "Symbol"}{\fldrslt}}"#, "α"),
      (#"{\field{\*\fldinst SYMBOL 97 \\f "Symbol"}{\fldrslt b}}"#, "b"),
      (#"a{\field{\*\fldinst INCLUDEPICTURE "x.png" \\d}}"#, #"a<img x.png "">"#),
      (#"a{\pict\pngblip 89}"#, #"a<img  "">"#),
      (#"a{\pict{\*\picprop{\sp{\sn wzDescription}{\sv b c}}}\pngblip 89}"#, #"a<img  "b c">"#),
      (#"a{\*\shppict{\pict\pngblip 89}}{\nonshppict{\pict\wmetafile8 01}}b"#, #"a<img  "">b"#),
      (
        #"{\shp{\*\shpinst{\sp{\sn pib}{\sv{\pict\pngblip 89}}}{\sp{\sn wzDescription}{\sv d}}}{\shprslt{\pict 0}}}a"#,
        #"<img  "d">a"#
      ),
      (#"{\v{\pict\pngblip 89}}a"#, "a"),
    ])
  func fields(content: String, expected: String) throws {
    #expect(try outline(content) == "body | " + expected)
  }

  // MARK: Tables

  @Test(
    "Rows, heads, cells that span others, and how columns are aligned",
    arguments: [
      (
        #"\trowd\trhdr\cellx1\cellx2\intbl\b a\cell b\cell\row\trowd\cellx1\cellx2\intbl\b0 c\cell\qr d\cell\row"#,
        "table1(-,right) head2 cell3 body | a\ntable1(-,right) head2 cell4 body | b\n"
          + "table1(-,right) row5 cell6 body | c\ntable1(-,right) row5 cell7 body | d"
      ),
      (
        #"\intbl{\b a}\cell{\b b}\cell\row\intbl c\cell{\b d}\cell\row"#,
        "table1() head2 cell3 body | a\ntable1() head2 cell4 body | b\n"
          + "table1() row5 cell6 body | c\ntable1() row5 cell7 body | <strong>d</strong>"
      ),
      (#"\intbl{\b a}\cell\row\pard b"#, "table1() row2 cell3 body | <strong>a</strong>\nbody | b"),
      (
        #"\intbl a\cell\row\pard\par\intbl b\cell\row"#,
        "table1() row2 cell3 body | a\nbody\ntable4() row5 cell6 body | b"
      ),
      (
        #"\intbl a\par b\cell\cell\row"#,
        "table1() row2 cell3 body | a\ntable1() row2 cell3 body | b\ntable1() row2 cell4 vacant"
      ),
      (
        #"\trowd\cellx9\pard x\par y\cell\row\pard z"#,
        "table1() row2 cell3 body | x\ntable1() row2 cell3 body | y\nbody | z"
      ),
      (
        #"\pard\ls1{\listtext\bullet\tab}a\par\trowd\cellx1\pard\intbl b\cell\row"#,
        "list1(-) item2 body | a\ntable3() row4 cell5 body | b"
      ),
      (
        #"\intbl\ls1{\listtext\bullet\tab}a\cell\pard\intbl b\cell\row"#,
        "table1() row2 cell3 list4(-) item5 body | a\ntable1() row2 cell6 body | b"
      ),
    ])
  func tables(content: String, expected: String) throws {
    #expect(try outline(content) == expected)
  }

  @Test("Merged cells are one that spans columns and rows")
  func mergedCells() throws {
    let rtf =
      #"{\rtf1\trowd\clvmgf\cellx1000\clmgf\cellx2000\clmrg\cellx3000\intbl a\cell b\cell\cell\row"#
      + #"\trowd\clvmrg\cellx1000\cellx2000\cellx3000\intbl\cell c\cell d\cell\row"#
      + #"\trowd\cellx2000\cellx3000\intbl e\cell f\cell\row}"#
    let text = try RTFReader().read(Array(rtf.utf8))
    let cells = text.paragraphs.compactMap { $0.paragraph.containers.last?.kind }
    #expect(
      cells == [
        .cell(columns: 1, rows: 2), .cell(columns: 2, rows: 1), .cell(columns: 1, rows: 1),
        .cell(columns: 1, rows: 1), .cell(columns: 2, rows: 1), .cell(columns: 1, rows: 1),
      ])
    #expect(text.string == "a\nb\nc\nd\ne\nf\n")
  }

  // MARK: The whole

  @Test(
    "Notes stand behind the text, numbered where the text has their numbers",
    arguments: [
      (#"a{\super\chftn{\footnote\chftn  b}}c"#, "body | a[1]c\nbody | [1] b"),
      (#"a*{\footnote *b\par c}d\par e"#, "body | a*d\nbody | e\nbody | *b\nbody | c"),
      (
        #"a\chftn{\footnote\ftnalt\chftn b}\par c\chftn{\*\footnote\chftn d}\par"#,
        "body | a[1]\nbody | c[2]\nbody | [1]b\nbody | [2]d"
      ),
      (
        #"\trowd\cellx9\intbl a\chftn{\footnote\chftn b}\cell\row"#,
        "table1() row2 cell3 body | a[1]\nbody | [1]b"
      ),
      (#"{\b a{\footnote b}}"#, "body | <strong>a</strong>\nbody | b"),
      (#"a{\v{\footnote b}}c"#, "body | ac"),
      (#"a{\footnote b{\footnote c}}"#, "body | a\nbody | b"),
      (#"a{\footnote b"#, "body | a\nbody | b"), (#"{\header a{\footnote b}}c"#, "body | c"),
    ])
  func notes(content: String, expected: String) throws {
    #expect(try outline(content) == expected)
  }

  @Test("An embedded object is left out, its data as well as what stands for it")
  func objects() throws {
    let object = #"{\object\objlink{\*\objclass X}{\*\objname y}{\*\objdata 01}{\result {\b b}}}"#
    #expect(try outline("a " + object + " c") == "body | a  c")
  }

  @Test(
    "Boxes of forms are checked or not",
    arguments: [
      (#"\ffres1\ffdefres0"#, "☒"), (#"\ffres0\ffdefres1"#, "☐"), (#"\ffres25\ffdefres1"#, "☒"),
      (#"\ffres25"#, "☐"), ("", "☐"),
    ])
  func boxes(state: String, expected: String) throws {
    let field =
      #"{\field{\*\fldinst{FORMCHECKBOX{\*\formfield{\fftype1"# + state
      + #"{\*\ffname a}{\*\ffdeftext b}}}}}{\fldrslt}}"#
    #expect(try outline(field + " c") == "body | " + expected + " c")
  }

  @Test(
    "Backslashes of an address are single where all of them are doubled",
    arguments: [
      (#"C:\\\\a\\\\b"#, #"C:\a\b"#), (#"C:\\a\\b"#, #"C:\a\b"#), (#"\\\\s\\b"#, #"\\s\b"#),
      (#"\\\\\\\\s\\\\b"#, #"\\s\b"#), (#"\\\\s"#, #"\\s"#),
    ])
  func addresses(written: String, expected: String) throws {
    let rtf = #"{\rtf1{\field{\*\fldinst HYPERLINK ""# + written + #""}{\fldrslt a}}}"#
    let text = try RTFReader().read(Array(rtf.utf8))
    #expect(text.runs.first?.attributes.link?.destination == expected)
  }

  @Test("What does not begin as RTF is refused")
  func failures() {
    #expect(throws: RTFReader.Failure.notRTF) { try RTFReader().read(Array("<p>a</p>".utf8)) }
    #expect(throws: RTFReader.Failure.notRTF) { try RTFReader().read([]) }
  }
}
