import RichText
import Testing

@Suite("RTF as plain text")
struct RTFLayoutTests {
  @Test(
    "What does not begin as RTF is none",
    arguments: [
      "", "{", "{\\rt", "a{\\rtf1 b}", "{\\rtfa b}", "{rtf1 b}", "{\\urtf1 b}", "\\rtf1 b",
    ])
  func notRTF(rtf: String) {
    #expect(plainText(ofRTF: rtf) == nil)
  }

  @Test(
    "Any version is RTF, behind white space and a mark as well",
    arguments: [
      (#"{\rtf a}"#, "a"), (#"{\rtf1 a}"#, "a"), (#"{\rtf1{a}}"#, "a"), (#" \#u{A}{\rtf1 a}"#, "a"),
      ("\u{EF}\u{BB}\u{BF}{\\rtf1 a}", "a"), (#"{\rtf"#, ""), (#"{\rtf1}"#, ""),
    ])
  func beginning(rtf: String, expected: String) {
    #expect(plainText(ofRTF: rtf) == expected)
  }

  @Test(
    "Nothing behind the last brace counts",
    arguments: [
      #"{\rtf1 a}b"#, "{\\rtf1 a}\r\n\u{0}", #"{\rtf1 a}}}{b}"#, #"{\rtf1 {a}}{\rtf1 b}"#,
    ])
  func afterTheEnd(rtf: String) {
    #expect(plainText(ofRTF: rtf) == "a")
  }

  // MARK: Paragraphs

  @Test(
    "Paragraphs are lines, and no line end stands at either end",
    arguments: [
      (#"A\par B\par"#, "A\nB"), (#"A\par B"#, "A\nB"), (#"A\par\par B"#, "A\n\nB"),
      (#"\par A\par\par"#, "A"), ("A\\\nB\\\r\nC\\\rD", "A\nB\nC\nD"),
      (#"A\line B\par C"#, "A\nB\nC"),
      (#"A\lbr3 B"#, "A\nB"), (#"A\page B"#, "A\nB"), (#"A\par\page B"#, "A\nB"),
      (#"A\sect\sectd B"#, "A\nB"), (#"{A\par}{B\par}"#, "A\nB"), (#"  A \par  B "#, "  A \n B "),
      (#"A\par \pard \par B"#, "A\n\nB"), (#"A\'0aB"#, "A\nB"),
    ])
  func paragraphs(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  // MARK: What is not text

  @Test(
    "Destinations that are not text are skipped",
    arguments: [
      #"{\*\unknown x{y}\par}"#, #"{\*\unknown\bin3 }}}x}"#, #"{\colortbl;\red0;}"#,
      #"{\stylesheet{\s0 Normal;}}"#, #"{\info{\title x}{\author y}}"#, #"{\header x\par}"#,
      #"{\footerf x}"#, #"{\pict\pngblip 89504e47}"#, #"{\*\shppict{\pict\pngblip 8950}}"#,
      #"{\nonshppict{\pict 00}}"#, #"{\object\objemb{\*\objclass W.8}{\*\objdata 0105}}"#,
      #"{\*\generator x;}"#, #"{\*\annotation x}"#, #"{\*\bkmkstart x}"#,
      #"{\xe x}"#, #"{\tc x}"#, #"{\listtable{\list x}}"#, #"{\listoverridetable x}"#,
      #"{\*\pnseclvl1\pnucrm{\pntxtb x}}"#, #"{\pict\bin5 }{}\}ffd8}"#, #"{\*\themedata 504b{x}}"#,
      #"{\fonttbl{\f0 Name;}}"#, #"{\*\expandedcolortbl;;}"#, #"{\*\ftnsep\chftnsep x}"#,
      #"{\*\htmltag64 <p>}"#, #"{\*\abilist{\abiliststyle x}}"#, #"{\pict \'7d\}\{00}"#,
    ])
  func skippedDestinations(group: String) {
    #expect(plainText(ofContent: "a" + group + "b") == "ab")
  }

  @Test(
    "Unknown words and groups that are not starred keep their text",
    arguments: [
      (#"a{\unknown b}c"#, "abc"), (#"a\unknown3 b"#, "ab"), (#"{\b a}{\i0 b}"#, "ab"),
      (#"{\*\fldrslt a}"#, "a"), (#"a\*\unknown b"#, "ab"), (#"{\* a}"#, " a"),
      (#"a\header b"#, "ab"),
    ])
  func keptText(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  @Test(
    "Of a field the result is shown",
    arguments: [
      (#"{\field{\*\fldinst HYPERLINK "http://x/"}{\fldrslt{\ul a}}}b"#, "ab"),
      (#"{\field{\fldinst PAGE}{\fldrslt 3}}b"#, "3b"),
      (
        #"{\field\fldedit{\*\fldinst REF {\field{\*\fldinst x}{\fldrslt y}}}{\*\fldrslt a}}b"#, "ab"
      ),
    ])
  func fields(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  @Test(
    "Hidden and deleted text is dropped, with its paragraph ends",
    arguments: [
      (#"a{\v b}c"#, "ac"), (#"a\v b\v0 c"#, "ac"), (#"a\v b\plain c"#, "ac"),
      (#"a{\deleted b}c"#, "ac"), (#"a\deleted b\deleted0 c"#, "ac"), (#"a{\v b\par}c"#, "ac"),
      (#"a{\v{\v0 b}c}d"#, "abd"), (#"a\v\u8364 ?\'e9\tab\emdash\~\v0 b"#, "ab"),
      (#"a\v\pard b"#, "a"),
    ])
  func hiddenText(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  @Test(
    "Of two alternatives the one in Unicode is read",
    arguments: [
      (#"{\upr{a?\par}{\*\ud{a\u8364 ?}}}b"#, "a€b"), (#"{\upr a?{\*\ud a\uc0\u8364}}b"#, "a€b"),
      (#"{\upr{\*\bkmkstart x?}{\*\ud{\*\bkmkstart x}}}b"#, "b"),
      (#"{\info{\upr{\title x}{\*\ud{\title y}}}}b"#, "b"),
    ])
  func alternatives(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  @Test("The data of \\bin are skipped, as many as there are")
  func binary() {
    #expect(plainText(ofContent: #"a\bin4 }{\}b"#) == "ab")
    #expect(plainText(ofContent: #"a\bin0 b"#) == "ab")
    #expect(plainText(ofContent: #"a\bin-3 b"#) == "ab")
    #expect(plainText(ofContent: #"a\bin b"#) == "ab")
    #expect(plainText(ofContent: #"a\bin99999999999999999999 b"#) == "a")
  }

  @Test("The character that stands for a file attached by Cocoa is not shown")
  func attachment() {
    let content = "a{{\\NeXTGraphic b.png \\width320\n}\u{AC}}c{{\\NeXTGraphic d}\\'ac}e"
    #expect(plainText(ofContent: content) == "ace")
  }

  @Test("The text of a shape has its own lines, and none amid a sentence")
  func shape() {
    let shape =
      #"{\shp{\*\shpinst\shpleft0{\sp{\sn pib}{\sv x}}{\shptxt \pard b\par c\par}}{\shprslt y}}"#
    #expect(plainText(ofContent: shape + #"a\par d"#) == "b\nc\na\nd")
    #expect(plainText(ofContent: #"a"# + shape + "d") == "ad\nb\nc")
    #expect(plainText(ofContent: #"a"# + shape + #"d\par e"# + shape) == "ad\nb\nc\ne\nb\nc")
    #expect(plainText(ofContent: #"\intbl a"# + shape + #"\cell\row"#) == "a\nb\nc")
  }

  // MARK: Lists

  private static let fonts = #"{\fonttbl{\f0 A;}{\f1\fcharset2 Symbol;}{\f2\fcharset2 Webdings;}}"#

  @Test(
    "The marker before an item is its number, or a dash in place of a bullet",
    arguments: [
      (#"{\listtext\bullet\tab}a"#, "- a"), (#"{\listtext\u9702 ?\tab}a"#, "- a"),
      (#"{\listtext\f1\'b7\tab}a"#, "- a"), (#"{\listtext\f2 n\tab}a"#, "- a"),
      (#"{\listtext o\tab}a"#, "- a"), ("{\\listtext\t\\u8259 \t}a", "- a"),
      (#"{\listtext 1.\tab}a"#, "1. a"), (#"{\listtext (iv)\tab}a"#, "iv. a"),
      (#"{\listtext\pard\plain  2)\tab}a"#, "2. a"), (#"{\listtext\u9312 ?\tab}a"#, "1. a"),
      (#"{\pntext\f1\'b7\tab}{\*\pn\pnlvlblt\pnf1{\pntxtb\'b7}}a"#, "- a"),
      (#"{\pntext 3.\tab}a"#, "3. a"), (#"{\listtext\tab}a"#, "a"), (#"{\listtext}a"#, "a"),
      (#"{\listtext 1.\tab}\par a"#, "a"), (#"b\par{\listtext 1.\tab}\par a"#, "b\na"),
      (#"{\*\listtext 1.\tab}a"#, "1. a"), (#"{\listtext\v 1.\tab}a"#, "a"),
      (#"{\listtext\u55356 ?}a"#, "- a"), (#"{\listtext 1.\par\tab}a"#, "1. a"),
      (#"{\listtext 1.{\listtext 2.}\tab}a"#, "2. a"),
      (#"{\*\pn\pnlvlblt{\pntxtb x}}a"#, "- a"),
    ])
  func listMarkers(content: String, expected: String) {
    #expect(plainText(ofContent: RTFLayoutTests.fonts + content) == expected)
  }

  @Test("Items are indented by their level, lines and further paragraphs of them by one more")
  func listLevels() {
    let content =
      #"x\par\pard{\listtext 1.\tab}\ls1\ilvl0 a\line b\par"#
      + #"\pard{\listtext\bullet\tab}\ls1\ilvl1 c\par"#
      + #"\pard\ls1\ilvl0 d\par"#
      + #"{\listtext 2.\tab}e\par\pard y\par\pard\ls1 z"#
    let expected = """
      x
      1. a
        b
        - c
        d
      2. e
      y
      z
      """
    #expect(plainText(ofContent: content) == expected)
  }

  @Test("Levels come before or behind the marker, and those that are skipped are not there")
  func listLevelOrder() {
    let outer = #"{\listtext 1.}\ls1 x\par"#
    #expect(plainText(ofContent: outer + #"\ilvl1{\listtext a.}a"#) == "1. x\n  a. a")
    let grouped = #"{\listtext a.}\pard\plain{\ls1\ilvl1{\b a}}"#
    #expect(plainText(ofContent: outer + grouped) == "1. x\n  a. a")
    #expect(plainText(ofContent: outer + #"{\listtext a.}\ilvl999999 a"#) == "1. x\n  a. a")
    #expect(plainText(ofContent: #"{\listtext 1.}\ls1\ilvl-7 a"#) == "1. a")
    #expect(plainText(ofContent: #"{\listtext 1.}\ls1\ilvl3 a"#) == "1. a")
  }

  @Test("Headings whose outline has no digits are no items")
  func headingOutline() {
    #expect(plainText(ofContent: #"{\listtext\pard\plain \tab}\ls1 a\par\pard\ls1 b"#) == "a\nb")
  }

  // MARK: Tables

  @Test(
    "Cells are separated by a TAB and rows are lines",
    arguments: [
      (#"\trowd\cellx1\cellx2\pard\intbl a\cell b\cell\row\pard c"#, "a\tb\nc"),
      (
        #"x\par\trowd\intbl a\cell b\cell\row\trowd\intbl c\cell d\cell\row\pard y"#,
        "x\na\tb\nc\td\ny"
      ),
      (#"\intbl\cell b\cell\row"#, "\tb"), (#"\intbl a\cell\cell\row\pard c"#, "a\nc"),
      (#"a\par\intbl\cell\cell\row\pard c"#, "a\nc"),
      (#"\intbl a\par b\cell c\par\cell d\cell\row"#, "a\nb\tc\td"),
      (#"\intbl\par a\cell\par b\cell\row"#, "a\tb"),
      (#"\pard\intbl{a}\cell{b}\cell{\trowd\row}\pard c"#, "a\tb\nc"),
      (#"\intbl a\cell\pard\plain\intbl b\cell\pard\row\pard c"#, "a\tb\nc"),
      (#"a\cell b\cell\row c\cell\cell\row d"#, "a\tb\nc\nd"),
      (#"\intbl a\cell b\cell\pard c\par"#, "a\tb\nc"), (#"\intbl a\cell b"#, "a\tb"),
      (#"x\trowd\intbl a\cell\row"#, "x\na"), (#"\row a\row b"#, "a\nb"),
      (#"\intbl{\listtext 1.\tab}a\cell{\listtext 2.\tab}b\cell\row"#, "1. a\t2. b"),
    ])
  func tables(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  @Test("A table in a cell has its rows there")
  func nestedTable() {
    let nested =
      #"\pard\intbl\itap2 c\nestcell d\nestcell{\*\nesttableprops\trowd\cellx1\nestrow}"#
      + #"{\nonesttables\par}"#
    let content =
      #"\pard\intbl a\cell b\par "# + nested + nested + #"\pard\intbl e\cell f\cell\row\pard g"#
    #expect(plainText(ofContent: content) == "a\tb\nc\td\nc\td\ne\tf\ng")
    #expect(
      plainText(ofContent: #"\intbl a\cell "# + nested + #"\pard\intbl\cell\row\pard g"#)
        == "a\tc\td\ng")
    #expect(plainText(ofContent: #"\nestcell a\nestrow\nestcell\row\cell b"#) != nil)
  }

  // MARK: Encapsulated HTML

  @Test("HTML that Outlook encapsulated is read as HTML")
  func encapsulatedHTML() {
    let rtf = #"""
      {\rtf1\ansi\ansicpg1252\fromhtml1 \fbidis \deff0{\fonttbl
      {\f0\fswiss Arial;}{\f1\fswiss\fcharset238 Calibri;}}
      {\*\htmltag19 <html>}{\*\htmltag34 <head>}{\*\htmltag241 <style>p \{ margin: 1cm \}</style>}
      {\*\htmltag1 \par }{\*\htmltag50 <body>}
      {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Hello {\*\htmltag84 <b>}\htmlrtf {\b \htmlrtf0 w\'f6rld
      {\*\htmltag92 </b>}\htmlrtf }\htmlrtf0 1 {\*\htmltag84 &lt;}\htmlrtf <\htmlrtf0  2 & a <b>
      \htmlrtf\par}\htmlrtf0
      {\*\htmltag72 </p>}{\*\mhtmltag84 <a href="x">}
      {\*\htmltag64 <ul>}{\*\htmltag64 <li>}{\pntext\'b7\tab}\htmlrtf {\f1\htmlrtf0 \'9c
      {\*\htmltag84 &nbsp;}\htmlrtf\'a0\htmlrtf0 \u8364?\htmlrtf\par}\htmlrtf0
      {\*\htmltag72 </ul>}{\*\htmltag58 </body>}{\*\htmltag27 </html>}}
      """#
    #expect(plainText(ofRTF: rtf) == "Hello wörld1 < 2 & a <b>\n\n- ś\u{A0}€")
  }

  @Test("RTF made of plain text, or promising HTML that it does not have, is read as RTF")
  func noEncapsulatedHTML() {
    #expect(plainText(ofRTF: #"{\rtf1\fromtext a\par b}"#) == "a\nb")
    #expect(plainText(ofRTF: #"{\rtf1\fromhtml0 a\par b}"#) == "a\nb")
    #expect(plainText(ofRTF: #"{\rtf1\fromhtml1{\*\htmltag1 <p>}\htmlrtf a\par b}"#) == "a\nb")
  }
}
