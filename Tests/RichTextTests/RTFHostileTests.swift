import RichText
import TestSupport
import Testing

@Suite("Hostile RTF")
struct RTFHostileTests {
  private func repeated(_ piece: String, bytes: Int) -> [UInt8] {
    let piece = Array(piece.utf8)
    var rtf = Array(#"{\rtf1 "#.utf8)
    rtf.reserveCapacity(bytes + piece.count)
    while rtf.count < bytes { rtf += piece }
    return rtf
  }

  @Test("Millions of open groups do not hide the text within")
  func manyOpenGroups() {
    let rtf = repeated("{", bytes: 5_000_000) + Array("a{\\par}b".utf8)
    #expect(RTFPlainText.text(of: rtf) == Array("a\nb".utf8))
  }

  @Test("Groups beyond the limit end in their order, and the state before is as it was")
  func groupsBeyondTheLimit() {
    let open = String(repeating: "{", count: 6_000)
    let close = String(repeating: "}", count: 6_000)
    #expect(
      plainText(ofContent: #"a{\v"# + open + "b" + close + #"}c\par"# + open + "d") == "ac\nd")
    #expect(plainText(ofContent: open + #"{\listtext 1.}a{\*\x b}{\upr{c}{\*\ud d}}e"#) == "ae")
  }

  @Test("A marker that does not end is cut, and its item keeps its text")
  func endlessMarker() {
    let marker = String(repeating: #"a\u8364 ?\'e9"#, count: 1_000)
    #expect(plainText(ofContent: #"{\listtext "# + marker + "}b") == "- b")
  }

  @Test("Millions of escaped bytes are as many characters")
  func manyEscapedBytes() throws {
    let text = try #require(RTFPlainText.text(of: repeated(#"\'e9"#, bytes: 5_000_000)))
    #expect(text.count / 2 == (5_000_000 - 7 + 3) / 4)
    #expect(text.suffix(2) == [0xC3, 0xA9])
  }

  @Test(
    "Lists, tables, fields and quotes that nest ever deeper keep their text and are capped",
    arguments: [
      #"{\listtext 1.}\ls1\ilvlN x\par "#, #"{\listtext 1.}\lsN\liN00 x\par "#,
      #"\intbl\itapN x\nestcell "#, #"{\field{\*\fldinst HYPERLINK "N"}{\fldrslt x\par "#,
      #"{\shp{\*\shpinst{\shptxt x\par "#, #"\fi-9\liN00\bullet\tab x\par "#,
      #"{\*\generator clipview}{\listtext 1.}\ls1\li2147483647\ri-N x\par "#,
      #"{\*\generator clipview}\liN00\riN00 x\par "#, #"\trowd\clmrg\cellxN\intbl x\cell\row "#,
    ])
  func nesting(piece: String) throws {
    var rtf = #"{\rtf1 "#
    for number in 1...1_300 { rtf += piece.replacing("N", with: String(number)) }
    let text = try RTFReader().read(Array(rtf.utf8))
    #expect(text.string.utf8.count { $0 == UInt8(ascii: "x") } == 1_300)
    let depths = text.paragraphs.map(\.paragraph.containers.count)
    #expect(depths.max() ?? 0 <= AttributedTextBuilder.maximumDepth)
  }

  @Test(
    "The text is at most ten times as long as the RTF",
    arguments: [
      "\\\nx", #"\ls1\ilvl8{\listtext 1}x\#u{5C}\#u{A}"#, #"\u1 "#, #"\'ff"#, #"\cell "#,
      #"\intbl\itap16\nestcell "#, #"\row "#, #"{\listtext x"#, #"\intbl\itap16 x\nestrow "#,
      #"{\pntext 1.}x\par "#, #"\bin9 "#, #"{\fonttbl\f1 "#, #"{\upr"#, #"{\*\x "#,
      #"{\*\shpinst{\shptxt "#,
      #"\u55356"#, #"\uc99999 \u8364 "#, #"\tab"#, #"\par"#, #"{\*\htmltag <p>"#, "\\", "\\'", "}",
      "{}",
    ])
  func growthIsBounded(piece: String) throws {
    let rtf = repeated(piece, bytes: 200_000) + Array("x".utf8)
    let text = try #require(RTFPlainText.text(of: rtf))
    #expect(text.count <= 10 * rtf.count)
    let list = Array(#"{\rtf1{\listtext 1}\ilvl8\ls1 a"#.utf8) + rtf.dropFirst(7)
    #expect(try #require(RTFPlainText.text(of: list)).count <= 10 * list.count)
    let html = Array(#"{\rtf1\fromhtml1 "#.utf8) + rtf.dropFirst(7)
    #expect(try #require(RTFPlainText.text(of: html)).count <= 10 * html.count)
  }

  @Test(
    "An address around many paragraphs is not written in all of them", arguments: [20_000, 90_000])
  func longAddress(length: Int) throws {
    var rtf = #"{\rtf1{\field{\*\fldinst HYPERLINK ""# + String(repeating: "n", count: length)
    rtf += #""}{\fldrslt "# + String(repeating: #"\f1 x\f2 x\par "#, count: 3_000) + "}}}"
    let text = try RTFReader().read(Array(rtf.utf8))
    #expect(text.string.utf8.count { $0 == UInt8(ascii: "x") } == 6_000)
    let written = [MarkdownWriter(isExact: false).write(text), RTFWriter().write(text)]
    for written in written { #expect(written.count <= 30 * rtf.utf8.count + 4 << 20) }
  }

  @Test(
    "Every beginning of every capture has the text that it begins with", arguments: RTFFixture.all)
  func truncatedCaptures(name: String) throws {
    let rtf = try RTFFixture.bytes(name + ".rtf")
    let whole = try #require(RTFPlainText.text(of: rtf))
    // A prime number apart, so that all kinds of words are cut at all their bytes.
    for end in stride(from: 0, through: rtf.count, by: rtf.count > 10_000 ? 61 : 7) {
      guard let text = RTFPlainText.text(of: Array(rtf[..<end])) else {
        #expect(end < 5)
        continue
      }
      // The last character may be one whose second half is cut off.
      let known = text.suffix(3) == [0xEF, 0xBF, 0xBD] ? text.dropLast(3) : text[...]
      let isBeginning = whole.starts(with: known)
      #expect(isBeginning, "\(end) bytes")
    }
  }

  @Test("Captures with random damage have a text of valid UTF-8", arguments: RTFFixture.all, 1...3)
  func damagedCaptures(name: String, seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let rtf = try RTFFixture.bytes(name + ".rtf")
    let alphabet = Array("{}\\'*u0123 -;\n\0\u{E9}abfpv".utf8)
    for _ in 0..<20 {
      var damaged = rtf
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        let index = Int.random(in: 6..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[index] = alphabet.randomElement(using: &generator) ?? 0
        case 1: damaged.remove(at: index)
        default: damaged.insert(alphabet.randomElement(using: &generator) ?? 0, at: index)
        }
      }
      check(damaged)
    }
  }

  private static let pieces: [String] = [
    "{", "}", "{\\*", "{\\*\\x", "\\", "\\'", "\\'e9", "\\'95\\'5c", "\\u55356 ", "\\u-8311 ?",
    "\\u8364 ?", "\\uc0", "\\uc2 ", "\\bin3 ", "\\bin999999999 ", "\\par ", "\\line ", "\\\n",
    "\\tab ", "\\cell ", "\\row ", "\\nestcell ", "\\nestrow ", "\\intbl ", "\\itap2 ", "\\itap-1 ",
    "\\itap99999 ", "\\trowd ", "\\pard ", "\\plain ", "\\v ", "\\v0 ", "\\deleted ", "\\f0 ",
    "\\f1 ", "\\f2 ", "\\f3 ", "\\f-1 ", "\\deff2", "{\\fonttbl", "\\fcharset128 ", "\\fcharset2 ",
    "\\cpg65001 ", "\\ansicpg932 ", "\\ansicpg-535 ", "\\mac ", "Symbol;", "{\\listtext ", "\\ls1 ",
    "\\ilvl3 ", "\\ilvl-1 ", "{\\upr", "{\\*\\ud ", "{\\*\\shpinst ", "{\\shptxt ", "{\\sp ",
    "{\\pict ", "{\\NeXTGraphic ", "{\\field", "{\\*\\fldinst ", "{\\fldrslt ", "{\\footnote ",
    "{\\*\\htmltag <b>", "\\htmlrtf ", "\\htmlrtf0 ", "\\sect ", "\\page ", "\\bullet ", "\\~",
    "\\*",
    "a", "b ", " ", "\t", "\n", "\r\n", "\0", "<", "&",
  ]

  @Test("Random controls and text have a text of valid UTF-8", arguments: 1...12)
  func randomControls(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) << 16)
    for _ in 0..<60 {
      var rtf = Array((seed % 3 == 0 ? #"{\rtf1\fromhtml1 "# : #"{\rtf1 "#).utf8)
      rtf += #"{\fonttbl{\f0 A;}{\f1\fcharset128 B;}{\f2\fcharset2 Symbol;}{\f3\cpg65001 C;}}"#.utf8
      for _ in 0..<Int.random(in: 1...150, using: &generator) {
        rtf += (Self.pieces.randomElement(using: &generator) ?? "").utf8
        if Int.random(in: 0..<20, using: &generator) == 0 {
          rtf.append(UInt8.random(in: 0x80...0xFF, using: &generator))
        }
      }
      check(rtf)
    }
  }

  /// The promises that hold for whatever bytes.
  private func check(_ rtf: [UInt8]) {
    guard let text = RTFPlainText.text(of: rtf) else {
      Issue.record("no RTF: \(rtf)")
      return
    }
    #expect(text.count <= 10 * rtf.count, "\(rtf)")
    #expect(String(validating: text, as: UTF8.self) != nil, "\(rtf)")
    #expect(!text.contains { ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A) || $0 == 0x7F }, "\(rtf)")
    #expect(text.first != 0x0A && text.last != 0x0A, "\(rtf)")
  }
}
