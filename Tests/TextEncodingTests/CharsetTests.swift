import Testing

@testable import TextEncoding

@Suite("Charset labels")
struct CharsetTests {
  @Test(
    "A charset is known by every customary spelling",
    arguments: [
      ("UTF-8", Charset.utf8), ("utf8", .utf8), ("Utf_8", .utf8), (" utf-8\t", .utf8),
      ("UTF-16", .utf16), ("utf16", .utf16), ("UCS-2", .utf16), ("ISO-10646-UCS-2", .utf16),
      ("utf-16le", .utf16LE), ("UTF16BE", .utf16BE), ("iso10646-1", .utf16BE),
      ("ISO-8859-1", .latin1), ("iso8859-1", .latin1), ("ISO_8859-1:1987", .latin1),
      ("latin1", .latin1), ("l1", .latin1), ("CP819", .latin1), ("88591", .latin1),
      ("ANSI_X3.4-1968", .ascii), ("us-ascii", .ascii), ("ASCII", .ascii), ("646", .ascii),
      ("COMPOUND_TEXT", .compoundText), ("x-compound-text", .compoundText),
      ("x-ctext", .compoundText),
    ])
  func knowsEverySpelling(label: String, charset: Charset) {
    #expect(Charset(label: label) == charset)
  }

  @Test(
    "Two names of one charset are one charset",
    arguments: [
      ["windows-1252", "CP1252", "cp-1252", "x-cp1252", "microsoft-cp1252"],
      ["ISO-8859-15", "iso8859-15", "latin9", "LATIN-9"],
      ["ISO-8859-9", "latin5", "l5"],
      ["KOI8-R", "koi8r", "csKOI8R"],
      ["EUC-KR", "ks_c_5601-1987", "euckr"],
      ["GB2312", "euc-cn", "gb2312.1980-0"],
      ["Shift_JIS", "sjis", "x-sjis"],
    ])
  func foldsNames(labels: [String]) throws {
    let first = try #require(Charset(label: labels[0]))
    for label in labels {
      #expect(Charset(label: label) == first, "\(label)")
    }
  }

  @Test(
    "Any other name that iconv knows is a charset",
    arguments: ["BIG5", "gbk", "GB18030", "TIS-620", "ISO-2022-JP", "UTF-7", "utf-32le", "IBM037"])
  func asksIconv(label: String) throws {
    let charset = try #require(Charset(label: label))
    #expect(charset.name == label.uppercased())
    #expect(charset.description == charset.name)
  }

  @Test("An unregistered spelling with x- is tried without it")
  func dropsExperimentalPrefix() {
    #expect(Charset(label: "x-gbk") == Charset(label: "GBK"))
    #expect(Charset(label: "x-") == nil)
  }

  @Test(
    "A name that nobody knows is no charset",
    arguments: [
      "", " ", "nonsense", "iso8859-12", "iso-8859-99", "windows-1259", "latin99", "utf-8é",
      String(repeating: "a", count: 10_000),
    ])
  func refusesUnknownNames(label: String) {
    #expect(Charset(label: label) == nil)
  }

  @Test(
    "A peer cannot reach what glibc hides behind a name",
    arguments: [
      "UTF-8//IGNORE", "ASCII//TRANSLIT", "BIG5//", "/", "../../tmp/evil", "INTERNAL", "wchar_t",
      "x-internal", "X-WCHAR_T", "BIG5,ccs=X", "BIG5\u{0}",
    ])
  func refusesIconvSyntax(label: String) {
    #expect(Charset(label: label) == nil)
  }

  @Test("A charset says its customary name")
  func namesItself() {
    let names = [
      Charset.utf8, .utf16, .utf16LE, .utf16BE, .latin1, .ascii, .compoundText,
    ].map(\.name)
    #expect(
      names == [
        "UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "US-ASCII", "COMPOUND_TEXT",
      ])
    for name in names {
      #expect(Charset(label: name)?.name == name)
    }
  }
}
