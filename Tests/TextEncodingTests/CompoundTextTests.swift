import Testing

@testable import TextEncoding

/// COMPOUND_TEXT written as in the standard: ESC for the escape, CSI for 9B, other words byte by byte
/// as ASCII, numbers in hexadecimal behind `=`.
func compound(_ notation: String) -> [UInt8] {
  notation.split(separator: " ").flatMap { word -> [UInt8] in
    switch word {
    case "ESC": [0x1B]
    case "CSI": [0x9B]
    case "STX": [0x02]
    case "SP": [0x20]
    case _ where word.hasPrefix("="):
      stride(from: 1, to: word.utf8.count, by: 2).compactMap { start in
        UInt8(word.dropFirst(start).prefix(2), radix: 16)
      }
    default: Array(word.utf8)
    }
  }
}

/// `ESC % / F M L name STX content`.
func extendedSegment(_ name: String, _ content: [UInt8], width: String = "1") -> [UInt8] {
  let body = Array(name.utf8) + [0x02] + content
  return compound("ESC % / \(width)") + [
    UInt8(0x80 + body.count / 128), UInt8(0x80 + body.count % 128),
  ]
    + body
}

@Suite("COMPOUND_TEXT decoding")
struct CompoundTextDecodingTests {
  @Test("ASCII without escapes is not copied")
  func leavesASCIIInPlace() throws {
    #expect(try decoded(Array("two\nlines\t\0".utf8), as: .compoundText) == .unchanged(0..<10))
    #expect(try decoded([], as: .compoundText) == .unchanged(0..<0))
  }

  @Test(
    "Sets are designated to either half",
    arguments: [
      // The initial state.
      ("a =E9 b", "aéb"),
      // Parts of ISO 8859 and their successors, to the right.
      ("ESC - A =E9", "é"), ("ESC - B =A1", "Ą"), ("ESC - C =A1", "Ħ"), ("ESC - D =A2", "ĸ"),
      ("ESC - F =E1", "α"), ("ESC - G =C7", "ا"), ("ESC - H =E0", "א"), ("ESC - L =B0", "А"),
      ("ESC - M =DD", "İ"), ("ESC - V =A2", "Ē"), ("ESC - T =A1", "ก"), ("ESC - Y =A1", "”"),
      ("ESC - _ =A1", "Ḃ"), ("ESC - b =A4", "€"), ("ESC - f =AA", "Ș"),
      ("ESC - L a =B0B1 b =B2", "aАБbВ"),
      // 96 characters: the no-break space is one of them.
      ("a =A0 b", "a\u{A0}b"), ("ESC - b =A0", "\u{A0}"),
      // JIS X 0201.
      ("ESC ( J a \\ ~", "a¥‾"), ("ESC ) I =B1B2DF", "ｱｲﾟ"), ("ESC ( I 12", "ｱｲ"),
      ("ESC ( T $ \\", "¥\\"), ("ESC ) B =C1", "A"), ("ESC ) J =DC", "¥"),
      // Two bytes a character, to either half.
      ("ESC $ ( A HU1>", "日本"), ("ESC $ ) A =C8D5B1BE", "日本"),
      ("ESC $ ( B F|K\\", "日本"), ("ESC $ ) B =C6FCCBDC", "日本"),
      ("ESC $ ( C GQ", "한"), ("ESC $ ) C =C7D1", "한"),
      ("ESC $ ( D 0!", "丂"), ("ESC $ ) D =B0A1", "丂"),
      ("ESC $ ( G D!", "一"), ("ESC $ ( H !!", "乂"), ("ESC $ ) H =A1A1", "乂"),
      ("ESC $ ( O .!", "俱"), ("ESC $ ( P !!", "𠂉"),
      // The shorter form of three sets.
      ("ESC $ A HU ESC ( B x", "日x"), ("ESC $ B F|", "日"), ("ESC $ @ F|", "日"),
      // Both halves at once, blanks and line feeds between.
      ("ESC $ ( B F| =E9 ESC ( B a", "日éa"),
      ("ESC $ ( B F| SP K\\ =0A F|", "日 本\n日"),
      ("ESC $ ) C a =C7D1 b =C7D1", "a한b한"),
      // The set's revision, the version of the encoding, ISO 2022's announcements say nothing new.
      ("ESC & @ ESC $ B F|", "日"), ("ESC # SP 0 a", "a"), ("ESC # ! 1 a", "a"), ("ESC SP C a", "a"),
    ])
  func designates(notation: String, expected: String) throws {
    let result = try decoded(compound(notation), as: .compoundText)
    #expect(result == .transcoded(Array(expected.utf8), isLossy: false))
  }

  @Test("UTF-8 segments leave the halves as they were")
  func decodesUTF8Segments() throws {
    let text = { (notation: String) in
      try TextEncodingTests.text(compound(notation), as: .compoundText)
    }
    #expect(try text("a ESC % G =E28093 ESC % @ =E9") == "a–é")
    #expect(try text("ESC $ ( B F| ESC % G =E28093 ESC % @ K\\") == "日–本")
    #expect(try text("ESC % G =F09F8E89") == "🎉", "a segment may last to the end")
    #expect(try text("ESC % / I =E28093 ESC % @ =E9") == "–é")
    #expect(try text("ESC % @ a") == "a")
    #expect(try text("ESC % G ESC [ =E28093 ESC % @ =E9") == "\u{1B}[–é")
  }

  @Test("Directions are passed over")
  func skipsDirections() throws {
    #expect(
      try text(compound("a CSI 2 ] ESC - H =E0E1 CSI 1 ] b CSI ] CSI ]"), as: .compoundText)
        == "aאבb")
  }

  @Test(
    "Extended segments are decoded by the name of their charset",
    arguments: [
      ("iso8859-15", [0xA4] as [UInt8], "€"), ("big5-0", [0xA4, 0xA4, 0xA4, 0xE5], "中文"),
      ("gbk-0", [0xD6, 0xD0], "中"), ("gb18030.2000-0", [0x94, 0x39, 0xBD, 0x35], "🎉"),
      ("koi8-r", [0xF0, 0xD2], "Пр"), ("microsoft-cp1251", [0xCF, 0xF0], "Пр"),
      ("tis620-0", [0xA1], "ก"), ("iso10646-1", [0x65, 0xE5, 0x4E, 0x00], "日一"),
      ("ISO8859-1", [0xE9], "é"), ("UTF-8", [0xC3, 0xA9], "é"),
      ("jisx0213.2000-0", [0xAE, 0xA1], "俱"),
      ("ksc5601.1992-3", [0x88, 0x61], "가"), ("big5hkscs-0", [0xA4, 0xA4], "中"),
    ])
  func decodesExtendedSegments(name: String, content: [UInt8], expected: String) throws {
    let bytes = Array("a".utf8) + extendedSegment(name, content) + [0xE9]
    #expect(try text(bytes, as: .compoundText) == "a\(expected)é")
  }

  @Test("A segment at the end keeps the zero bytes that belong to it")
  func keepsZeroBytesOfSegments() throws {
    let bytes = extendedSegment("iso10646-1", [0x4E, 0x00], width: "2")
    #expect(try text(bytes, as: .compoundText) == "一")
    #expect(try text(bytes + [0, 0], as: .compoundText) == "一")
  }

  @Test("A segment longer than 127 bytes has its length in two digits")
  func decodesLongSegments() throws {
    let content = [UInt8](repeating: 0xA4, count: 300)
    let bytes = extendedSegment("iso8859-15", content) + Array("!".utf8)
    #expect(try text(bytes, as: .compoundText) == String(repeating: "€", count: 300) + "!")
  }

  @Test("NUL separates elements, each of which begins with the initial state")
  func resetsAtNUL() throws {
    #expect(
      try text(compound("ESC $ ( B F| =00 a =E9 ESC - L =B0 =00 =E9 =00"), as: .compoundText)
        == "日\0aéА\0é")
  }

  @Test(
    "What cannot be decoded throws with its offset, or becomes U+FFFD",
    arguments: [
      // Escapes cut off or unknown.
      ("a ESC", 1, "a\u{FFFD}"), ("a ESC (", 1, "a\u{FFFD}"), ("a ESC $ (", 1, "a\u{FFFD}"),
      ("a ESC [31m", 1, "a\u{FFFD}[31m"), ("ESC ( =E9", 0, "\u{FFFD}é"),
      ("ESC ! @ a", 0, "\u{FFFD}a"),
      ("ESC ESC - L =B0", 0, "\u{FFFD}А"), ("ESC $ ( ( B a", 0, "\u{FFFD}a"),
      // Control characters of the right.
      ("a =80 b", 1, "a\u{FFFD}b"), ("=9A", 0, "\u{FFFD}"), ("=C397", 1, "Ã\u{FFFD}"),
      ("CSI", 0, "\u{FFFD}"), ("CSI 2", 0, "\u{FFFD}"), ("CSI 31m a", 0, "\u{FFFD}a"),
      ("CSI =E9", 0, "\u{FFFD}é"),
      // Bytes that no set has there.
      ("ESC $ ) B =A0", 4, "\u{FFFD}"), ("ESC ) I =B1 =FF", 4, "ｱ\u{FFFD}"),
      ("ESC ( I 1z", 4, "ｱ\u{FFFD}"), ("ESC - C =A5", 3, "\u{FFFD}"),
      // Half a character.
      ("ESC $ ( B F|K", 6, "日\u{FFFD}"), ("ESC $ ( B F =0A", 4, "\u{FFFD}\n"),
      ("ESC $ ( B F| ~~ K\\", 6, "日\u{FFFD}本"),
      // Sets that nobody knows: one to four bytes a character.
      ("ESC ( 0 ab", 3, "\u{FFFD}\u{FFFD}"), ("ESC - 5 =E9", 3, "\u{FFFD}"),
      ("ESC $ ( Z abcd ESC ( B e", 4, "\u{FFFD}\u{FFFD}e"),
      ("ESC $ ( a abcd", 4, "\u{FFFD}\u{FFFD}"), ("ESC $ ( p abcd", 4, "\u{FFFD}"),
      // UTF-8 that is none.
      ("ESC % G a =E9 b ESC % @ c", 4, "a\u{FFFD}bc"), ("ESC % G =E280", 3, "\u{FFFD}"),
      // Segments: no length, one too long, no name, one nobody knows, one within the other.
      ("ESC % / 1", 0, "\u{FFFD}"), ("ESC % / 1 =80", 0, "\u{FFFD}\u{FFFD}"),
      ("ESC % / 1 =8041 b", 0, "\u{FFFD}\u{FFFD}Ab"),
      ("a ESC % / 1 =FFFF big5-0 STX =A4", 1, "a\u{FFFD}"),
      ("ESC % / 1 =8082 ab c", 0, "\u{FFFD}c"), ("ESC % / 1 =8080 c", 0, "\u{FFFD}c"),
      ("ESC % / 1 =8087 nobody STX c", 0, "\u{FFFD}c"),
      ("ESC % / 1 =808E COMPOUND_TEXT STX c", 0, "\u{FFFD}c"),
      ("ESC % / 1 =8089 INTERNAL STX c", 0, "\u{FFFD}c"),
    ])
  func treatsMalformedText(notation: String, offset: Int, repaired: String) throws {
    let bytes = compound(notation)
    #expect(throws: TextDecodingError.undecodable(.compoundText, offset: offset)) {
      try decoded(bytes, as: .compoundText)
    }
    let result = try decoded(bytes, as: .compoundText, repairing: true)
    #expect(result == .transcoded(Array(repaired.utf8), isLossy: true))
  }

  @Test("An error within a segment has its offset in the whole text")
  func offsetsInSegments() {
    let bytes = Array("ab".utf8) + extendedSegment("euc-jp", [0xC6, 0xFC, 0xFF])
    #expect(throws: TextDecodingError.undecodable(.compoundText, offset: 2 + 6 + 7 + 2)) {
      try decoded(bytes, as: .compoundText)
    }
  }

  @Test("A text that names charsets without end gets sixteen")
  func boundsConverters() throws {
    let names = (1251...1258).map { "microsoft-cp\($0)" } + (2...9).map { "iso8859-\($0)" }
    let segments = names.flatMap { extendedSegment($0, [0x61]) }
    let seventeenth = extendedSegment("koi8-r", [0x62])
    #expect(try text(segments, as: .compoundText) == String(repeating: "a", count: 16))
    #expect(
      try text(segments + seventeenth + segments, as: .compoundText, repairing: true)
        == String(repeating: "a", count: 16) + "\u{FFFD}" + String(repeating: "a", count: 16))
  }
}

@Suite("COMPOUND_TEXT encoding")
struct CompoundTextEncodingTests {
  @Test(
    "ASCII and Latin-1 mean themselves, all else stands in UTF-8 segments",
    arguments: [
      ("", ""), ("plain", "plain"), ("naïve", "na =EF ve"), ("\u{A0}ÿÀ¿", "=A0FFC0BF"),
      ("a–b", "a ESC % G =E28093 ESC % @ b"), ("–é", "ESC % G =E28093 ESC % @ =E9"),
      ("日本", "ESC % G =E697A5E69CAC ESC % @"), ("🎉", "ESC % G =F09F8E89 ESC % @"),
      // CSI would command the reader, and the other controls of the right are not allowed.
      ("\u{9B}\u{85}", "ESC % G =C29BC285 ESC % @"), ("a\t\r\nb", "a =090D0A b"),
    ])
  func encodes(string: String, notation: String) throws {
    let result = try encoded(string, to: .compoundText)
    #expect(result == EncodedText(bytes: compound(notation), substitutions: 0))
    #expect(try text(result.bytes, as: .compoundText) == string)
  }

  @Test("An escape in the text does not reach the reader")
  func replacesEscapes() throws {
    let result = try encoded("\u{1B}%Ga\u{1B}[0m é\u{1B}", to: .compoundText)
    #expect(result.substitutions == 3)
    #expect(result.bytes == compound("?%Ga?[0m SP =E9 ?"))
  }

  @Test("Every scalar but ESC and NUL survives the way there and back")
  func roundTripsEveryBlock() throws {
    var scalars = String.UnicodeScalarView()
    for value in stride(from: UInt32(1), to: 0x11_0000, by: 61) {
      if value != 0x1B, let scalar = Unicode.Scalar(value) {
        scalars.append(scalar)
      }
    }
    for value in UInt32(1)...0x1FF where value != 0x1B {
      if let scalar = Unicode.Scalar(value) {
        scalars.append(scalar)
      }
    }
    let string = String(scalars)
    let result = try encoded(string, to: .compoundText)
    #expect(result.substitutions == 0)
    #expect(try text(result.bytes, as: .compoundText) == string)
  }
}
