import RichText
import Testing

@Suite("Characters in RTF")
struct RTFCharacterTests {
  // MARK: Code pages

  @Test(
    "Escaped bytes are in the charset of their font",
    arguments: [
      (0, "e9", "é"), (1, "e9", "é"), (77, "8e", "é"), (256, "8e", "é"), (78, "93fa967b", "日本"),
      (79, "c7d1b1b9", "한국"), (80, "d6d0cec4", "中文"), (81, "a4a4a4e5", "中文"),
      (83, "f9ece5ed", "שלום"), (84, "d3e4c7e5", "سلام"), (85, "a1e5e9c0", "Γειά"),
      (86, "dddbdf", "ığş"), (87, "e4b7c2", "ไทย"), (88, "fc976490", "Łódź"),
      (89, "8ff0e8e2e5f2", "Привет"), (128, "955c8ea6b6", "表示ｶ"), (129, "8c63b9e6", "똠방"),
      (130, "d0658a82", "한국"), (134, "e946bbf980", "镕基€"), (136, "a55cafe0", "功能"),
      (161, "c3e5e9dc", "Γειά"), (162, "fdf0fe", "ığş"), (163, "f0f5", "đơ"),
      (177, "f9ece5ed", "שלום"), (178, "d3e1c7e3", "سلام"), (186, "f0fb", "šū"),
      (204, "cff0e8e2e5f2", "Привет"), (222, "e4b7c2", "ไทย"), (238, "a3f3649f", "Łódź"),
      (254, "82ce", "é╬"), (255, "9bbe", "ø¥"), (99, "e9", "é"),
    ])
  func fontCharset(charset: Int, bytes: String, expected: String) {
    var escaped = ""
    var digits = bytes[...]
    while !digits.isEmpty {
      escaped += "\\'" + digits.prefix(2)
      digits = digits.dropFirst(2)
    }
    let content = #"{\fonttbl{\f7\fnil\fcharset\#(charset) Some Font;}}\f7 \#(escaped)"#
    #expect(plainText(ofContent: content) == expected)
  }

  @Test(
    "Without a font that tells, the document's code page counts",
    arguments: [
      (#"{\rtf1 \'e9}"#, "é"), (#"{\rtf1\ansi \'80}"#, "€"), (#"{\rtf1\mac \'8e}"#, "é"),
      (#"{\rtf1\pc \'82}"#, "é"), (#"{\rtf1\pca \'9b}"#, "ø"),
      (#"{\rtf1\ansi\ansicpg1251 \'cf}"#, "П"), (#"{\rtf1\ansicpg1251\ansi \'cf}"#, "П"),
      (#"{\rtf1\ansi\ansicpg10000 \'8e}"#, "é"), (#"{\rtf1\ansi\ansicpg932 \'93\'fa}"#, "日"),
      (#"{\rtf1\ansi\ansicpg0 \'e9}"#, "é"), (#"{\rtf1\ansi\ansicpg4711 \'e9}"#, "é"),
      (#"{\rtf1\ansi\ansicpg1200 \'e9}"#, "é"),
      (#"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 A;}}\f0 \'cf}"#, "П"),
      (#"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset1 A;}}\f0 \'cf}"#, "П"),
      (#"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset0 A;}}\f0 \'e9}"#, "é"),
      (#"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0\cpg1251 A;}}\f0 \'cf}"#, "П"),
      (#"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\cpg1251\fcharset0 A;}}\f0 \'cf}"#, "П"),
    ])
  func documentCodePage(rtf: String, expected: String) {
    #expect(plainText(ofRTF: rtf) == expected)
  }

  @Test(
    "UTF-8 as the document's code page counts for raw and for escaped bytes",
    arguments: [
      #"{\rtf1\ansi\ansicpg65001 caf\'c3\'a9 \'f0\'9f\'8e\'89!}"#,
      #"{\rtf1\ansi\ansicpg65001 caf\#u{C3}\#u{A9} \#u{F0}\#u{9F}\#u{8E}\#u{89}!}"#,
      #"{\rtf1\ansi\ansicpg-535{\fonttbl{\f0\fcharset0 A;}}\f0 caf\'c3\'a9 \'f0\'9f\'8e\'89!}"#,
    ])
  func utf8Document(rtf: String) {
    #expect(plainText(ofRTF: rtf) == "café 🎉!")
  }

  @Test("Raw UTF-8 in a document that claims windows-1252 is UTF-8, what is none is not")
  func rawUTF8() {
    #expect(plainText(ofContent: "caf\u{C3}\u{A9}") == "café")
    #expect(plainText(ofContent: "caf\u{E9} \u{93}a\u{94}") == "café “a”")
    #expect(plainText(ofContent: #"caf\'c3\'a9"#) == "cafÃ©")
  }

  @Test(
    "The font is the group's, its number and the default font's are looked up",
    arguments: [
      (#"\f1 \'cf{\f2 \'cf}\'cf"#, "ПΟП"), (#"\'cf"#, "П"), (#"\f2 \'cf\plain \'cf"#, "ΟП"),
      (#"\f9 \'cf"#, "Ï"), (#"{\f2}\'cf"#, "П"), (#"\hich\af2\dbch\af2\loch\f1 \'cf"#, "П"),
    ])
  func currentFont(content: String, expected: String) {
    let fonts =
      #"{\fonttbl{\f0\fcharset0 Arial;}{\f1\froman\fcharset204{\*\panose 020b}A{\*\falt B};}"#
      + #"{\f2\fcharset161 C;}}"#
    #expect(plainText(ofRTF: #"{\rtf1\ansi\deff1"# + fonts + content + "}") == expected)
  }

  @Test("Fonts may stand in the table without groups of their own")
  func flatFontTable() {
    let content = #"{\fonttbl\f0\fswiss\fcharset0 A;\f1\fcharset204 B;}\f1 \'cf\f0 \'cf"#
    #expect(plainText(ofContent: content) == "ПÏ")
  }

  @Test(
    "The second byte of two may be raw, ASCII or an escaped backslash or brace",
    arguments: [
      (#"\'95\'5c"#, "表"), (#"\'95\\"#, "表"), ("\u{95}\\\\", "表"), ("\u{93}\u{FA}", "日"),
      (#"\'8c\'a9"#, "見"), (#"\'83A"#, "ア"), (#"\'83AB"#, "アB"), (#"\'83\{"#, "ボ"),
      (#"a\'b6b"#, "aｶb"), (#"\'83\'41\'83\'42"#, "アィ"), (#"\'83\#u{A}A"#, "ア"),
      (#"\'83\b A"#, "ア"),
    ])
  func doubleBytes(bytes: String, expected: String) {
    let content = #"{\fonttbl{\f0\fcharset128 MS Mincho;}}\f0 "#
    #expect(plainText(ofContent: content + bytes) == expected)
  }

  @Test(
    "Bytes that are no characters are replaced, and nothing behind them is lost",
    arguments: [
      (#"\'83\par a"#, "\u{FFFD}\na"), (#"\'83{a}"#, "\u{FFFD}a"), (#"\'83\'20a"#, "\u{FFFD} a"),
      (#"\'83"#, "\u{FFFD}"), (#"\'83\f1 \'e9"#, "\u{FFFD}é"), (#"\'83\u8364 ?a"#, "\u{FFFD}€a"),
      (#"\f1 \'81\'8da"#, "\u{FFFD}\u{FFFD}a"), (#"\f2 \'c3\'a9\'ffa"#, "é\u{FFFD}a"),
      (#"\f2 \'c3{a}\'a9"#, "\u{FFFD}a\u{FFFD}"),
    ])
  func invalidBytes(bytes: String, expected: String) {
    let content =
      #"{\fonttbl{\f0\fcharset128 A;}{\f1\fcharset0 B;}{\f2\fcharset0\cpg65001 C;}}\f0 "#
    #expect(plainText(ofContent: content + bytes) == expected)
  }

  @Test(
    "Fonts of symbols have the characters that show their glyphs",
    arguments: [
      (#"\f1 abc\'b7"#, "αβχ•"), (#"\f2 J \'fc\'e0"#, "☺ ✓→"), (#"\f3 abc\'b7"#, "abc•"),
      (#"\f1\u-3913 ?"#, "•"), (#"\f1\u61537 ?"#, "α"), (#"\f2\u-3910 ?"#, "\u{F0BA}"),
      (#"\f0\u-3913 ?"#, "•"), (#"\f0\u-3999 ?"#, "\u{F061}"),
    ])
  func symbolFonts(content: String, expected: String) {
    let fonts =
      #"{\fonttbl{\f0\fcharset0 Arial;}{\f1\froman\fcharset2\fprq2 Symbol;}"#
      + #"{\f2\fcharset2 Wingdings;}{\f3\fcharset2 Dings;}}"#
    #expect(plainText(ofContent: fonts + content) == expected)
  }

  @Test(
    "Damaged escapes take nothing",
    arguments: [
      (#"a\'zzb"#, "azzb"), (#"a\'4gb"#, "a4gb"), (#"a\'"#, "a"), (#"a\' b"#, "a b"),
      (#"\'41\'4A\'4a"#, "AJJ"),
    ])
  func damagedHex(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  // MARK: Unicode

  @Test(
    "A character number is followed by as many fallback units as are announced",
    arguments: [
      (#"\u8364 ?a"#, "€a"), (#"\u8364?a"#, "€a"), (#"\u8364\'80a"#, "€a"),
      (#"\uc0\u8364 a"#, "€a"), (#"\uc0\u8364a"#, "€a"), (#"\uc2\u8364 ??a"#, "€a"),
      (#"\uc2\u8364\'93\'faa"#, "€a"), (#"\u8364 \bullet a"#, "€a"), (#"\u8364\~a"#, "€a"),
      (#"\u8364\bin3 }{\a"#, "€a"), (#"\u8364 {}?a"#, "€?a"), (#"{\u8364 }?a"#, "€?a"),
      (#"\u8364\#u{D}\#u{A}?a"#, "€a"), (#"\u8364\{a"#, "€a"), (#"\uc3\u8364 ab"#, "€"),
      (#"\uc2\u8364 ?\emdash a"#, "€a"), (#"\uc9\u8364 abc\par d"#, "€\nd"),
      (#"\uc1\u945 a{\uc0\u945 a}\u945 ab"#, "ααaαb"), (#"\uc-5\u8364 a"#, "€a"),
      (#"{\uc0{\u945 a}}\u945 ab"#, "αaαb"), (#"\uc1\u945\u946 ?"#, "αβ"),
      (#"\u945 \uc0\u946 a"#, "αβa"), (#"\v\u945 ?\v0 a"#, "a"), (#"\u a"#, ""),
    ])
  func unicodeFallback(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  @Test(
    "Character numbers are 16 bits with or without a sign, or more",
    arguments: [
      (#"\u-257 ?"#, "\u{FEFF}"), (#"\u65279 ?"#, "\u{FEFF}"), (#"\u-30050 ?"#, "語"),
      (#"\u127881 ?"#, "🎉"), (#"\u1114112 ?"#, "\u{FFFD}"), (#"\u-65537 ?"#, "\u{FFFD}"),
      (#"\u99999999999999999999 ?"#, "\u{FFFD}"), (#"\u0 ?a"#, "a"), (#"\u27 ?a"#, "a"),
      (#"\u150 ?"#, "–"), (#"\u129 ?a"#, "a"), (#"a\u9 ?b"#, "a\tb"), (#"a\u10 ?b"#, "a\nb"),
    ])
  func unicodeNumbers(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  @Test(
    "Surrogate pairs come in two numbers, with what not between",
    arguments: [
      (#"\u55356?\u57225?"#, "🎉"), (#"\u-10180?\u-8311?"#, "🎉"),
      (#"\uc0 \u55356\uc1 \u57225\'3f"#, "🎉"), (#"\uc0\u-10180\uc1\u-8311\'3f a"#, "🎉 a"),
      (#"\uc0\u55356 {\b\u57225 }"#, "🎉"), (#"\u55356?a"#, "\u{FFFD}a"),
      (#"\u57225?a"#, "\u{FFFD}a"),
      (#"\u55356?"#, "\u{FFFD}"), (#"\u55356?\u55356?\u57225?"#, "\u{FFFD}🎉"),
      (#"\u55356?\'e9"#, "\u{FFFD}é"), (#"\u55356?\par\u57225?"#, "\u{FFFD}\n\u{FFFD}"),
      (#"\u55356?\tab a"#, "\u{FFFD}\ta"), (#"\u55356?\u8364 ?"#, "\u{FFFD}€"),
    ])
  func surrogates(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  // MARK: Words and symbols that are characters

  @Test(
    "Words and symbols stand for characters",
    arguments: [
      (#"a\~b"#, "a\u{A0}b"), (#"a\-b"#, "a\u{AD}b"), (#"a\_b"#, "a\u{2011}b"),
      (#"a\tab b"#, "a\tb"), ("a\tb", "a\tb"), ("a\\\tb", "a\tb"), (#"a\line b"#, "a\nb"),
      (#"a\emdash b"#, "a—b"), (#"a\endash b"#, "a–b"), (#"\lquote a\rquote"#, "‘a’"),
      (#"\ldblquote a\rdblquote"#, "“a”"), (#"\bullet a"#, "•a"), (#"a\emspace b"#, "a\u{2003}b"),
      (#"a\enspace b"#, "a\u{2002}b"), (#"a\qmspace b"#, "a\u{2005}b"),
      (#"a\zwj b"#, "a\u{200D}b"), (#"a\zwnj b"#, "a\u{200C}b"), (#"a\ltrmark b"#, "a\u{200E}b"),
      (#"a\rtlmark b"#, "a\u{200F}b"), (#"a\softline b"#, "ab"), (#"a\chpgn\chdate b"#, "ab"),
      (#"\\\{\}"#, #"\{}"#), (#"a\:b\|c"#, "abc"), (#"a\'09b"#, "a\tb"), (#"a\'1bb"#, "ab"),
    ])
  func specialCharacters(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }

  @Test(
    "Control words end at a blank, which is theirs, or at what no longer belongs to them",
    arguments: [
      (#"\b a"#, "a"), (#"\b  a"#, " a"), (#"\b\i a"#, "a"), (#"\b0a"#, "a"), (#"\fs24a"#, "a"),
      (#"\fi-360a"#, "a"), (#"\b-a"#, "-a"), ("\\b\na", "a"), ("a\r\nb\nc", "abc"),
      (#"\b.a"#, ".a"), ("a\u{0}b\u{1B}c", "abc"), (#"\B a"#, "a"), ("a\\\u{1}", "a"),
      (#"\abcdefghijabcdefghijabcdefghijabcd"#, "cd"), (#"\PAR a"#, "a"), (#"a\ b"#, "a b"),
    ])
  func controlWords(content: String, expected: String) {
    #expect(plainText(ofContent: content) == expected)
  }
}
