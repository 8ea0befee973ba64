import RichText
import Testing

@Suite("RTF out")
struct RTFWriterTests {
  private func rtf(
    isSafe: Bool = false, _ build: (inout AttributedTextBuilder) -> Void
  ) -> String {
    var builder = AttributedTextBuilder()
    build(&builder)
    return String(decoding: RTFWriter(isSafe: isSafe).write(builder.finish()), as: UTF8.self)
  }

  /// What stands behind the tables, without the closing brace.
  private func content(
    isSafe: Bool = false, _ build: (inout AttributedTextBuilder) -> Void
  ) -> String {
    let rtf = rtf(isSafe: isSafe, build)
    guard let start = rtf.firstRange(of: "\\trowd") ?? rtf.firstRange(of: "\\pard") else {
      return ""
    }
    let first = min(start.lowerBound, rtf.firstRange(of: "\\pard")?.lowerBound ?? start.lowerBound)
    return String(rtf[first...].dropLast(2))
  }

  private func markdown(_ markdown: String) throws -> String {
    let text = try MarkdownReader().read(Array(markdown.utf8))
    let rtf = String(decoding: RTFWriter().write(text), as: UTF8.self)
    guard let start = rtf.firstRange(of: "\\pard") else { return "" }
    return String(rtf[start.lowerBound...].dropLast(2))
  }

  private static let body = "\\pard\\plain\\s0\\sb0\\sa120\\f0\\fs24 "

  @Test("It begins with fonts, colours and styles that say nothing but their names")
  func header() {
    let rtf = rtf { $0.append("a") }
    #expect(
      rtf == #"""
        {\rtf1\ansi\ansicpg1252\uc1\deff0
        {\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fmodern\fcharset0 Courier New;}}
        {\colortbl;}
        {\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2 heading 2;}{\s3 heading 3;}\#
        {\s4 heading 4;}{\s5 heading 5;}{\s6 heading 6;}{\s7 Quote;}{\s8 HTML Preformatted;}\#
        {\*\cs9 HTML Code;}}
        {\*\generator clipview;}
        \pard\plain\s0\sb0\sa120\f0\fs24 a}

        """#)
    #expect(self.rtf { _ in }.hasSuffix("{\\*\\generator clipview;}\n}\n"))
  }

  @Test(
    "Only ASCII comes out; what is not, by its UTF-16, signed, with a fallback each",
    arguments: [
      ("a\\{}b", #"a\\\{\}b"#), ("a\tb\nc", #"a\tab b\line c"#), ("é", #"\u233?"#),
      ("€5", #"\u8364?5"#), ("\u{8000}\u{FFFD}", #"\u-32768?\u-3?"#), ("🎉", #"\u-10180?\u-8311?"#),
      ("\u{10FFFF}", #"\u-9217?\u-8193?"#), ("a\u{A0}b\u{AD}c\u{2011}d", #"a\~b\-c\_d"#),
      ("a\u{0}\u{1B}b\u{7F}", "ab"), ("a\u{2028}b", #"a\line b"#), ("  a  ", "  a  "),
    ])
  func escaping(text: String, expected: String) {
    #expect(content { $0.append(text) } == Self.body + expected)
  }

  @Test("Paragraphs are separated by marks, and the last has none")
  func paragraphs() throws {
    #expect(
      try markdown("# A *b* `c`\n\nd\ne  \nf\n\n***\n\n> g\n\n```\nh\n\n  i\n```\n") == #"""
        \pard\plain\s1\outlinelevel0\keepn\sb240\sa120\f0\fs48\b A {\i b} {\f1\fs40\cs9 c}\par
        \pard\plain\s0\sb0\sa120\f0\fs24 d e\line f\par
        \pard\plain\s0\brdrb\brdrs\brdrw10\brsp20\sb0\sa120\f0\fs24 \par
        \pard\plain\s7\sb0\sa120\li567\ri567\f0\fs24 g\par
        \pard\plain\s8\sb0\sa0\f1\fs20 h\line \line   i
        """#)
  }

  @Test("A fragment has neither a style nor a mark")
  func fragment() {
    let text = AttributedText("a b", attributes: TextAttributes(spans: [.strong]))
    let rtf = String(decoding: RTFWriter().write(text), as: UTF8.self)
    #expect(rtf.hasSuffix("\n\\pard\\plain {\\b a b}}\n"))
  }

  @Test("Lists are in the list table and have their markers typed out")
  func lists() throws {
    let rtf = String(
      decoding: RTFWriter().write(
        try MarkdownReader().read(
          Array("3. a\n   - b\n   - [x] c\n\n   d\n4. e\n\n- f\n- - g\n".utf8))),
      as: UTF8.self)
    #expect(
      rtf.contains(
        #"\levelnfc0\levelnfcn0\leveljc0\leveljcn0\levelfollow0\levelstartat3"#
          + #"{\leveltext\'02\'00.;}{\levelnumbers\'01;}\fi-360\li720}"#))
    #expect(
      rtf.contains(
        #"\levelnfc23\levelnfcn23\leveljc0\leveljcn0\levelfollow0\levelstartat1"#
          + #"{\leveltext\'01\u9702?;}{\levelnumbers;}\fi-360\li1440}"#))
    #expect(rtf.contains(#"{\listoverride\listid2\listoverridecount0\ls2}"#))
    let start = try #require(rtf.firstRange(of: "\\pard"))
    #expect(
      String(rtf[start.lowerBound...]) == #"""
        \pard\plain\s0\sb0\sa120\ls1\ilvl0\fi-360\li720\f0\fs24 {\listtext 3.\tab}a\par
        \pard\plain\s0\sb0\sa0\ls1\ilvl1\fi-360\li1440\f0\fs24 {\listtext \u9702?\tab}b\par
        \pard\plain\s0\sb0\sa0\ls1\ilvl1\fi-360\li1440\f0\fs24 {\listtext \u9702?\tab}\u9745? c\par
        \pard\plain\s0\sb0\sa120\li720\f0\fs24 d\par
        \pard\plain\s0\sb0\sa120\ls1\ilvl0\fi-360\li720\f0\fs24 {\listtext 4.\tab}e\par
        \pard\plain\s0\sb0\sa0\ls2\ilvl0\fi-360\li720\f0\fs24 {\listtext \u8226?\tab}f\par
        \pard\plain\s0\sb0\sa120\ls2\ilvl1\fi-360\li1440\f0\fs24 {\listtext \u9702?\tab}g}

        """#)
  }

  @Test("Numbers that begin anew within an item are those of another list")
  func listsInAnItem() throws {
    let content = try markdown("- a\n  1. b\n  2. c\n\n  d\n  1. e\n- f\n  1. g\n")
    #expect(content.contains(#"\ls1\ilvl1\fi-360\li1440\f0\fs24 {\listtext 2.\tab}c"#))
    #expect(content.contains(#"\ls2\ilvl1\fi-360\li1440\f0\fs24 {\listtext 1.\tab}e"#))
    #expect(content.contains(#"\ls1\ilvl1\fi-360\li1440\f0\fs24 {\listtext 1.\tab}g"#))
  }

  @Test("Items without text of their own have a paragraph")
  func emptyItems() throws {
    #expect(
      try markdown("1.\n2. - a\n3. | b |\n   | - |") == #"""
        \pard\plain\s0\sb0\sa0\ls1\ilvl0\fi-360\li720\f0\fs24 {\listtext 1.\tab}\par
        \pard\plain\s0\sb0\sa0\ls1\ilvl0\fi-360\li720\f0\fs24 {\listtext 2.\tab}\par
        \pard\plain\s0\sb0\sa0\ls1\ilvl1\fi-360\li1440\f0\fs24 {\listtext \u9702?\tab}a\par
        \pard\plain\s0\sb0\sa120\ls1\ilvl0\fi-360\li720\f0\fs24 {\listtext 3.\tab}\par
        \trowd\trgaph108\trleft720\trhdr\clbrdrt\brdrs\brdrw10\clbrdrl\brdrs\brdrw10\#
        \clbrdrb\brdrs\brdrw10\clbrdrr\brdrs\brdrw10\cellx9360
        \pard\plain\intbl\s0\sb0\sa0\f0\fs24\b b\cell
        \row
        \pard\plain\s0 
        """#)
  }

  @Test("Links are fields; those that act are text where that is asked for")
  func links() throws {
    #expect(
      try markdown(#"a [*b*`c`](</x y"é\\{}> "t\"{") d"#) == Self.body
        + #"a {\field{\*\fldinst{HYPERLINK "/x%20y%22%C3%A9%5C%7B%7D" \\o "t'\{"}}"#
        + #"{\fldrslt {\i\ul\cf1 b}{\f1\fs20\ul\cf1\cs9 c}}} d"#)
    func link(isSafe: Bool) -> String {
      content(isSafe: isSafe) { builder in
        let link = TextSpan.link(TextLink(destination: "javascript:a"))
        builder.attributes = TextAttributes(spans: [link])
        builder.append("a")
      }
    }
    #expect(link(isSafe: false).contains("HYPERLINK"))
    #expect(!link(isSafe: true).contains("HYPERLINK"))
  }

  @Test("Looks are control words; pictures are what is to be read in their place")
  func looks() {
    let content = content { builder in
      builder.attributes.style.foreground = TextColor(red: 1, green: 2, blue: 3)
      builder.attributes.style.fontFamily = "Fira; Sans"
      builder.attributes.style.fontSize = 105
      builder.attributes.style.baseline = .superscript
      builder.append("a")
      builder.attributes = TextAttributes(spans: [.strikethrough])
      builder.attributes.style.background = TextColor(red: 1, green: 2, blue: 3)
      builder.attributes.style.isUnderlined = true
      builder.append(TextImage(source: "x", alternative: "b{"))
      builder.attributes = TextAttributes(spans: [.markup])
      builder.append("<br>")
      builder.append("<i>")
    }
    #expect(
      content == Self.body
        + #"{\f2\fs21\cf1\super a}{\ul\strike\chshdng0\chcbpat1\cb1 b\{}\line "#)
  }

  @Test("Cells over columns and rows keep places; a table in a cell is one")
  func tables() {
    let border = ["t", "l", "b", "r"].map { "\\clbrdr\($0)\\brdrs\\brdrw10" }.joined()
    let content = content { builder in
      builder.open(.table(TextTable(alignments: [.center])))
      builder.open(.row(isHeader: true))
      builder.open(.cell(columns: 1, rows: 2))
      builder.append("a")
      builder.close()
      builder.open(.cell(columns: 2, rows: 1))
      builder.close()
      builder.close()
      builder.open(.row(isHeader: false))
      builder.open(.cell(columns: 1, rows: 1))
      builder.open(.table(TextTable()))
      builder.open(.row(isHeader: false))
      builder.open(.cell(columns: 1, rows: 1))
      builder.append("b")
      builder.close()
      builder.close()
      builder.close()
      builder.close()
    }
    let cell = #"\f0\fs24"#
    #expect(
      content == """
        \\trowd\\trgaph108\\trleft0\\trhdr\\clvmgf\(border)\\cellx3120\\clmgf\(border)\\cellx6240\
        \\clmrg\(border)\\cellx9360
        \\pard\\plain\\intbl\\s0\\sb0\\sa0\\qc\(cell)\\b a\\cell
        \\pard\\plain\\intbl\\s0\\cell
        \\pard\\plain\\intbl\\s0\\cell
        \\row
        \\trowd\\trgaph108\\trleft0\\clvmrg\(border)\\cellx3120\(border)\\cellx6240
        \\pard\\plain\\intbl\\s0\\cell
        \\pard\\plain\\intbl\\itap2\\s0\\sb0\\sa0\(cell) b\\nestcell
        {\\*\\nesttableprops\\trowd\\trgaph108\\trleft0\(border)\\cellx9360\\nestrow}\
        {\\nonesttables\\par}
        \\pard\\plain\\intbl\\s0\\cell
        \\row
        \\pard\\plain\\s0 
        """)
  }

  @Test("Two tables after each other stay two; a row has no more cells than readers know")
  func tablesApart() {
    let content = content { builder in
      for columns in [1, 70] {
        builder.open(.table(TextTable()))
        builder.open(.row(isHeader: false))
        for column in 0..<columns {
          builder.open(.cell(columns: 1, rows: 1))
          builder.append("c\(column)")
          builder.close()
        }
        builder.close()
        builder.close()
      }
    }
    #expect(content.contains("\\row\n\\pard\\plain\\s0\\par\n\\trowd"))
    #expect(content.ranges(of: "\\cellx").count == 64)
    #expect(content.ranges(of: "\\cell\n").count == 64)
    #expect(content.contains("c62\\par\n"))
    #expect(content.contains("c69\\cell\n\\row\n"))
  }

  @Test("Raw HTML is its text")
  func markup() throws {
    #expect(
      try markdown("<p>a\n\n<div>b</div><p>c</p>\n\nd<br>e<b>f</b>") == Self.body + "a\\par\n"
        + Self.body + "b\\par\n" + Self.body + "c\\par\n" + Self.body + "d\\line ef")
  }
}
