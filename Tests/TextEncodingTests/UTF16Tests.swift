import Testing

@testable import TextEncoding

/// UTF-16 by the standard library.
func utf16(_ string: String, bigEndian: Bool = false) -> [UInt8] {
  string.utf16.flatMap { unit in
    let low = UInt8(truncatingIfNeeded: unit)
    let high = UInt8(truncatingIfNeeded: unit >> 8)
    return bigEndian ? [high, low] : [low, high]
  }
}

@Suite("UTF-16")
struct UTF16Tests {
  private static let samples = [
    "", "a", "abc", "abcd", "abcdefgh\n", "naïve – 日本語 🎉 <tag>", "日本語", "🎉🎉", "\u{FFFD}\u{FFFF}",
    "\u{10FFFF}\u{10000}\u{E000}\u{D7FF}", "a\0b", String(repeating: "0123456789 é ", count: 40),
  ]

  @Test("Either order decodes and encodes to the same text", arguments: samples)
  func roundTrips(sample: String) throws {
    for (charset, isBig) in [(Charset.utf16LE, false), (.utf16BE, true)] {
      let bytes = utf16(sample, bigEndian: isBig)
      #expect(try text(bytes, as: charset) == sample)
      #expect(try encoded(sample, to: charset) == EncodedText(bytes: bytes, substitutions: 0))
    }
  }

  @Test("A byte order mark decides and is cut off, whatever the label says")
  func markDecides() throws {
    for charset in [Charset.utf16, .utf16LE, .utf16BE] {
      #expect(try text([0xFF, 0xFE] + utf16("日本"), as: charset) == "日本")
      #expect(try text([0xFE, 0xFF] + utf16("日本", bigEndian: true), as: charset) == "日本")
    }
  }

  @Test("Without a mark the zeros beside ASCII decide, else the order of the machine")
  func looksDecide() throws {
    #expect(try text(utf16("日本 a"), as: .utf16) == "日本 a")
    #expect(try text(utf16("日本 a", bigEndian: true), as: .utf16) == "日本 a")
    let isBig = UInt16(bigEndian: 1) == 1
    #expect(try text(utf16("日本", bigEndian: isBig), as: .utf16) == "日本")
  }

  @Test("UTF-16 without an order is written in the machine's order and without a mark")
  func writesNativeOrder() throws {
    let isBig = UInt16(bigEndian: 1) == 1
    #expect(try encoded("aé", to: .utf16).bytes == utf16("aé", bigEndian: isBig))
  }

  @Test("Closing NULs are cut off, as units or as one byte too many")
  func cutsClosingNULs() throws {
    #expect(try text(utf16("ab\0\0"), as: .utf16) == "ab")
    #expect(try text(utf16("ab\0", bigEndian: true), as: .utf16) == "ab")
    #expect(try text(utf16("ab") + [0], as: .utf16LE) == "ab")
    #expect(try text(utf16("ab") + [0, 0, 0], as: .utf16LE) == "ab")
    // The zero byte of U+4E00 is none.
    #expect(try text([0x4E, 0x00], as: .utf16BE) == "一")
    #expect(try text([0], as: .utf16) == "")
    #expect(try text([0xFF, 0xFE], as: .utf16) == "")
  }

  @Test(
    "A lone surrogate throws with its offset, or becomes U+FFFD",
    arguments: [
      ([0x61, 0x00, 0x3C, 0xD8] as [UInt8], 2, "a\u{FFFD}"),
      ([0x61, 0x00, 0x89, 0xDF, 0x62, 0x00], 2, "a\u{FFFD}b"),
      ([0x3C, 0xD8, 0x3C, 0xD8, 0x89, 0xDF], 0, "\u{FFFD}🎉"),
      ([0x3C, 0xD8, 0x62, 0x00], 0, "\u{FFFD}b"),
      ([0x61, 0x00, 0x62], 2, "a\u{FFFD}"),
      ([0x61], 0, "\u{FFFD}"),
    ])
  func treatsIllFormedText(bytes: [UInt8], offset: Int, repaired: String) throws {
    #expect(throws: TextDecodingError.undecodable(.utf16LE, offset: offset)) {
      try decoded(bytes, as: .utf16LE)
    }
    let result = try decoded(bytes, as: .utf16LE, repairing: true)
    #expect(result == .transcoded(Array(repaired.utf8), isLossy: true))
  }

  @Test("Offsets of errors count the byte order mark")
  func offsetCountsMark() {
    #expect(throws: TextDecodingError.undecodable(.utf16, offset: 4)) {
      try decoded([0xFF, 0xFE, 0x61, 0x00, 0x00, 0xDC], as: .utf16)
    }
  }
}

@Suite("Guessing UTF-16 in text/html")
struct UTF16GuessTests {
  private static let markup = [
    "<p>é</p>", "<meta http-equiv=\"content-type\"><b>naïve – 日本語 🎉</b>", "a",
    "<p>日本語の文章はここにあります。</p><p>見出し</p>",
  ]

  @Test("Markup is what it is in, with and without a byte order mark", arguments: markup)
  func recognizesEveryForm(markup: String) {
    let utf8 = Array(markup.utf8)
    #expect(guessedCharset(utf8) == .utf8)
    #expect(guessedCharset([0xEF, 0xBB, 0xBF] + utf8) == .utf8)
    #expect(guessedCharset(utf16(markup)) == .utf16LE)
    #expect(guessedCharset(utf16(markup, bigEndian: true)) == .utf16BE)
    #expect(guessedCharset([0xFF, 0xFE] + utf16(markup)) == .utf16LE)
    #expect(guessedCharset([0xFE, 0xFF] + utf16(markup, bigEndian: true)) == .utf16BE)
  }

  @Test("Zeros in text that is otherwise ASCII do not make it UTF-16")
  func staysWithUTF8() {
    #expect(guessedCharset(Array("<p>one</p>\0\0\0".utf8)) == .utf8)
    #expect(guessedCharset(Array("first line\0second line\0x\0".utf8)) == .utf8)
    #expect(guessedCharset([]) == .utf8)
    #expect(guessedCharset([0x61]) == .utf8)
    #expect(guessedCharset([0, 0, 0, 0]) == .utf8)
    #expect(guessedCharset(Array("日本語".utf8)) == .utf8)
  }

  @Test("A long text is judged by its beginning, whatever follows")
  func judgesByBeginning() {
    let page = String(repeating: "<p>long page</p>\n", count: 2000)
    let bytes = Array(page.utf8)
    #expect(bytes.count > 2 * UTF16Guess.sampleSize)
    // What follows is far more, and would decide otherwise.
    let wide = utf16(String(repeating: page, count: 3))
    #expect(guessedCharset(bytes + wide) == .utf8)
    #expect(guessedCharset(utf16(page) + Array(String(repeating: page, count: 9).utf8)) == .utf16LE)
    #expect(
      guessedCharset(utf16(page, bigEndian: true) + wide) == .utf16BE)
    // As much as is looked at decides, not a byte less: ASCII in bytes up to the very end of it.
    let narrow = Array(bytes.prefix(UTF16Guess.sampleSize / 2 + 2))
    let half = utf16(page).prefix(UTF16Guess.sampleSize / 2 - 2)
    #expect(guessedCharset(narrow + half) == .utf8)
    #expect(guessedCharset(half + narrow) == .utf8)
    #expect(guessedCharset(Array(narrow.dropLast(4)) + utf16(page)) == .utf16LE)
  }
}
