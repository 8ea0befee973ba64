import Testing

@testable import TextEncoding

@Suite("Latin-1, ASCII and the charsets of iconv")
struct SingleByteTests {
  @Test(
    "ASCII in an ASCII superset is not copied",
    arguments: ["latin1", "ascii", "cp1252", "koi8-r", "euc-jp"])
  func leavesASCIIInPlace(label: String) throws {
    let charset = try #require(Charset(label: label))
    #expect(try decoded(Array("plain\ttext\r\n\0\0".utf8), as: charset) == .unchanged(0..<12))
  }

  @Test("STRING is Latin-1, every byte of it")
  func decodesLatin1() throws {
    #expect(try text([0xE9], as: .latin1) == "é")
    let all = (1...255).map { UInt8($0) }
    #expect(
      try text(all, as: .latin1) == String(String.UnicodeScalarView(all.map { Unicode.Scalar($0) }))
    )
    #expect(try text([0xE9, 0x00, 0xE8, 0x00, 0x00], as: .latin1) == "é\0è")
  }

  @Test("Latin-1 and ASCII put ? for each scalar they lack, and count")
  func substitutes() throws {
    #expect(
      try encoded("naïve – ÿ€🎉\r\n", to: .latin1)
        == EncodedText(
          bytes: [0x6E, 0x61, 0xEF, 0x76, 0x65, 0x20, 0x3F, 0x20, 0xFF, 0x3F, 0x3F, 0x0D, 0x0A],
          substitutions: 3))
    #expect(
      try encoded("naïve", to: .ascii)
        == EncodedText(bytes: Array("na?ve".utf8), substitutions: 1))
    // Scalars, not characters: a combining accent is one of its own.
    #expect(try encoded("e\u{301}", to: .latin1).substitutions == 1)
  }

  @Test("A high byte in ASCII throws with its offset, or becomes U+FFFD")
  func refusesHighBytesInASCII() throws {
    let bytes = Array("0123456789".utf8) + [0xE9, 0x61]
    #expect(throws: TextDecodingError.undecodable(.ascii, offset: 10)) {
      try decoded(bytes, as: .ascii)
    }
    #expect(try text(bytes, as: .ascii, repairing: true) == "0123456789\u{FFFD}a")
  }

  @Test(
    "iconv's charsets decode and encode to the same text",
    arguments: [
      (
        "windows-1252", "naïve – €",
        [0x6E, 0x61, 0xEF, 0x76, 0x65, 0x20, 0x96, 0x20, 0x80] as [UInt8]
      ),
      ("iso-8859-15", "€", [0xA4]),
      ("koi8-r", "Привет", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4]),
      ("windows-1251", "Привет", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]),
      ("euc-jp", "日本", [0xC6, 0xFC, 0xCB, 0xDC]),
      ("shift_jis", "日本", [0x93, 0xFA, 0x96, 0x7B]),
      ("gbk", "中文", [0xD6, 0xD0, 0xCE, 0xC4]),
      ("big5", "中文", [0xA4, 0xA4, 0xA4, 0xE5]),
      ("euc-kr", "한", [0xC7, 0xD1]),
      ("iso-2022-jp", "日本", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42]),
      ("utf-32le", "é🎉", [0xE9, 0, 0, 0, 0x89, 0xF3, 1, 0]),
      ("gb18030", "🎉", [0x94, 0x39, 0xBD, 0x35]),
    ])
  func convertsThroughIconv(label: String, string: String, bytes: [UInt8]) throws {
    let charset = try #require(Charset(label: label))
    #expect(try text(bytes, as: charset) == string)
    #expect(try encoded(string, to: charset) == EncodedText(bytes: bytes, substitutions: 0))
  }

  @Test("Text longer than one call to iconv comes out whole")
  func convertsLongText() throws {
    let charset = try #require(Charset(label: "euc-jp"))
    let long = String(repeating: "日本語のテキスト, ASCII. ", count: 4000)
    let bytes = try encoded(long, to: charset).bytes
    #expect(try text(bytes, as: charset) == long)
  }

  @Test("A scalar that the charset lacks becomes its question mark")
  func substitutesThroughIconv() throws {
    let windows = try #require(Charset(label: "windows-1252"))
    #expect(
      try encoded("a日本€🎉", to: windows)
        == EncodedText(bytes: [0x61, 0x3F, 0x3F, 0x80, 0x3F], substitutions: 3))
    // Between two characters of a shifting charset the mark needs shifts of its own.
    let japanese = try #require(Charset(label: "iso-2022-jp"))
    let mixed = try encoded("日🎉本", to: japanese)
    #expect(mixed.substitutions == 1)
    #expect(try text(mixed.bytes, as: japanese) == "日?本")
  }

  @Test("What iconv cannot decode throws with its offset, or becomes U+FFFD")
  func treatsInvalidInput() throws {
    let charset = try #require(Charset(label: "euc-jp"))
    let bytes: [UInt8] = [0xC6, 0xFC, 0xFF, 0x61, 0xCB]
    #expect(throws: TextDecodingError.undecodable(charset, offset: 2)) {
      try decoded(bytes, as: charset)
    }
    #expect(
      try decoded(bytes, as: charset, repairing: true)
        == .transcoded(Array("日\u{FFFD}a\u{FFFD}".utf8), isLossy: true))
    #expect(throws: TextDecodingError.undecodable(charset, offset: 2)) {
      try decoded([0xC6, 0xFC, 0xCB], as: charset)
    }
    let wide = try #require(Charset(label: "utf-32le"))
    #expect(
      try text([0x61, 0, 0, 0, 0, 0xD8, 0, 0, 0x62, 0, 0, 0], as: wide, repairing: true)
        == "a\u{FFFD}b")
  }

  @Test(
    "A character that iconv holds back, since the next may combine with it, is not lost",
    arguments: [
      ("windows-1258", [0xE2] as [UInt8], "â"), ("windows-1255", [0xE0], "א"),
      ("big5-hkscs", [0x88, 0x66], "Ê"), ("euc-jisx0213", [0xA4, 0xAB], "か"),
    ])
  func flushesHeldBackCharacters(label: String, bytes: [UInt8], expected: String) throws {
    let charset = try #require(Charset(label: label))
    #expect(try text([0x61, 0x0A] + bytes, as: charset) == "a\n" + expected)
    #expect(try text(bytes + [0xFF] + bytes, as: charset, repairing: true).hasPrefix(expected))
    let result = try encoded(expected, to: charset)
    #expect(result == EncodedText(bytes: bytes, substitutions: 0))
  }

  @Test("Closing NULs and byte order marks are cut off here too")
  func cutsMarkAndNULs() throws {
    let charset = try #require(Charset(label: "utf-32"))
    #expect(try text([0xFF, 0xFE, 0, 0, 0xE9, 0, 0, 0, 0, 0, 0, 0], as: charset) == "é")
    let marked = try #require(Charset(label: "gb18030"))
    #expect(try text([0x84, 0x31, 0x95, 0x33, 0xD6, 0xD0, 0], as: marked) == "中")
  }

  @Test(
    "Text that is not UTF-8 is not encoded",
    arguments: [Charset.utf8, .latin1, .compoundText, .utf16])
  func refusesInvalidSource(charset: Charset) {
    #expect(throws: TextEncodingError.notUTF8(offset: 1)) {
      try encoded([0x61, 0xE9], to: charset)
    }
  }

  @Test("UTF-8 to UTF-8 is a copy")
  func copiesUTF8() throws {
    let bytes = Array("naïve\0🎉".utf8)
    #expect(try encoded(bytes, to: .utf8) == EncodedText(bytes: bytes, substitutions: 0))
  }
}
