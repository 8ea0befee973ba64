import SelectionCore
import TestSupport
import Testing

@Suite("JSON")
struct JSONValueTests {
  private func parse(_ text: String) -> JSONValue? { JSONValue(parsing: Array(text.utf8)) }

  private static let document = JSONValue.object([
    .init("schema", .integer(1)), .init("empty", .object([])), .init("list", .array([])),
    .init(
      "values", .array([.null, .boolean(true), .boolean(false), .integer(-12), .integer(.max)])),
    .init("text", .string("naïve – 日本 🎉 \"quoted\" \\ / \n\r\t\u{1}\u{1B}[31m\u{202E}\u{0}")),
    .init("", .string("")), .init("deep", .array([.array([.object([.init("x", .null)])])])),
    .init("lowest", .integer(.min)),
  ])

  @Test("What is written is read back the same")
  func roundTrip() {
    let text = Self.document.description
    #expect(parse(text) == Self.document)
    #expect(parse(text)?.description == text)
  }

  @Test(
    "Every kind of value is written in one line without blanks",
    arguments: [
      (JSONValue.null, "null"), (.boolean(true), "true"), (.boolean(false), "false"),
      (.integer(0), "0"), (.integer(-7), "-7"), (.string(""), #""""#), (.array([]), "[]"),
      (.object([]), "{}"), (.array([.integer(1), .null]), "[1,null]"),
      (.object([.init("a", .integer(1)), .init("b", .string("c"))]), #"{"a":1,"b":"c"}"#),
    ])
  func writing(value: JSONValue, expected: String) {
    #expect(value.description == expected)
  }

  @Test(
    "Quotes, control characters and what a terminal acts on or nobody sees are escaped",
    arguments: [
      ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\r", #"\r"#), ("\t", #"\t"#),
      ("\u{0}", #"\u0000"#), ("\u{1B}", #"\u001b"#), ("\u{7F}", #"\u007f"#),
      ("\u{9B}", #"\u009b"#), ("\u{AD}", #"\u00ad"#), ("\u{200B}", #"\u200b"#),
      ("\u{202E}", #"\u202e"#), ("\u{2028}", #"\u2028"#), ("\u{2066}", #"\u2066"#),
      ("\u{FEFF}", #"\ufeff"#), ("\u{E0041}", #"\udb40\udc41"#), ("é", "é"), ("🎉", "🎉"),
      ("/", "/"), ("a\r\nb", #"a\r\nb"#),
    ])
  func escaping(text: String, expected: String) {
    let written = JSONValue.string(text).description
    #expect(written == "\"\(expected)\"")
    #expect(parse(written) == .string(text))
  }

  @Test(
    "What JSON allows is read",
    arguments: [
      (
        " \t\r\n{ \"a\" : [ 1 , 2 ] } \n",
        JSONValue.object([.init("a", .array([.integer(1), .integer(2)]))])
      ),
      (#""\u0041\u00e9\u65E5\ud83c\udf89""#, .string("Aé日🎉")),
      (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
      ("0", .integer(0)), ("-0", .integer(0)), ("-9223372036854775808", .integer(.min)),
      (#"{"a":1,"a":2}"#, .object([.init("a", .integer(1)), .init("a", .integer(2))])),
    ])
  func reading(text: String, expected: JSONValue) {
    #expect(parse(text) == expected)
  }

  @Test(
    "What is no JSON, or none of ours, is refused",
    arguments: [
      "", " ", "nul", "nulll", "True", "tru", "+1", "-", "--1", "1.5", "1e5", ".5", "01", "-012",
      "00", "0x10", "1 2", "9223372036854775808", "'a'", "\"", "\"a", "\"a\nb\"", "\"\\\"",
      #""\x""#, #""\u12""#, #""\u12g4""#, #""\u+123""#, #""\u-123""#, #""\u 123""#, #""\ud83c""#,
      #""\ud83cx""#, #""\ud83c\u0041""#, #""\udf89""#, #""\udf89\ud83c""#, "[", "]", "[1", "[1,",
      "[1,]", "[,1]", "[1 2]", "[1]]", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
      "{\"a\":1,}", "{,}", "{a:1}", "{1:2}", "{\"a\" 1}", "{\"a\"::1}", "[}", "{]", "\u{FEFF}1",
      "// c\n1", "nullnull", "[1]x",
    ])
  func refusing(text: String) {
    #expect(parse(text) == nil)
  }

  @Test("Text that is no UTF-8 is refused")
  func foreignBytes() {
    #expect(JSONValue(parsing: [0x22, 0xFF, 0x22]) == nil)
    #expect(JSONValue(parsing: [0x22, 0xC3, 0x22]) == nil)
    #expect(JSONValue(parsing: [0x22, 0xED, 0xA0, 0x80, 0x22]) == nil)
    #expect(JSONValue(parsing: [0x22, 0xC3, 0xA9, 0x22]) == .string("é"))
  }

  @Test(
    "Nesting is read to a depth of 32 and refused beyond, however far",
    arguments: [33, 1000, 500_000])
  func depth(count: Int) {
    func nested(_ count: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
    }
    #expect(parse(nested(32, "[", "]")) != nil)
    #expect(parse(nested(32, "{\"a\":", "}")) != nil)
    #expect(parse(nested(count, "[", "]")) == nil)
    #expect(parse(nested(count, "{\"a\":", "}")) == nil)
    #expect(parse(String(repeating: "[", count: count)) == nil)
  }

  @Test("Many values side by side are no nesting")
  func width() {
    let text = "[" + Array(repeating: "[[]]", count: 10_000).joined(separator: ",") + "]"
    #expect(parse(text)?.arrayValue?.count == 10_000)
  }

  @Test("A megabyte is read, more is refused")
  func size() {
    let limit = 1 << 20
    let fitting = [0x22] + [UInt8](repeating: 0x61, count: limit - 2) + [0x22]
    #expect(JSONValue(parsing: fitting)?.stringValue?.utf8.count == limit - 2)
    #expect(JSONValue(parsing: fitting + [0x20]) == nil)
  }

  @Test("A document cut off anywhere is refused, not trapped on")
  func everyBeginning() {
    let bytes = Array(Self.document.description.utf8)
    for end in 0..<bytes.count {
      #expect(JSONValue(parsing: Array(bytes[..<end])) == nil, "cut at \(end)")
    }
  }

  @Test("A document with any byte changed is read or refused, not trapped on")
  func changedBytes() {
    let bytes = Array(Self.document.description.utf8)
    var numbers = SeededGenerator(seed: 3)
    var readable = 0
    for _ in 0..<20_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &numbers) {
        let index = Int.random(in: 0..<changed.count, using: &numbers)
        changed[index] = UInt8.random(in: 0...255, using: &numbers)
      }
      guard let value = JSONValue(parsing: changed) else { continue }
      readable += 1
      #expect(JSONValue(parsing: Array(value.description.utf8)) == value)
    }
    #expect(readable > 0)
  }

  @Test("Members, texts and lists are looked up")
  func lookUp() {
    let value = Self.document
    #expect(value["schema"] == .integer(1))
    #expect(value["none"] == nil)
    #expect(value["list"]?.arrayValue == [])
    #expect(value["list"]?["a"] == nil)
    #expect(value[""]?.stringValue == "")
    #expect(value["schema"]?.stringValue == nil)
    #expect(value["schema"]?.arrayValue == nil)
    #expect(JSONValue.object([.init("a", .integer(1)), .init("a", .null)])["a"] == .integer(1))
  }
}

@Suite("Invisible characters")
struct InvisibleCharacterTests {
  @Test(
    "Controls, overrides, separators and invisible formatting are told",
    arguments: [
      0x00, 0x09, 0x0A, 0x1B, 0x1F, 0x7F, 0x80, 0x9B, 0x9F, 0xAD, 0x061C, 0x200B, 0x200E, 0x200F,
      0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0x206F, 0xFEFF, 0xFFF9, 0xFFFB,
      0xE0001, 0xE007F,
    ] as [UInt32])
  func invisible(value: UInt32) throws {
    #expect(try #require(Unicode.Scalar(value)).isInvisibleControl)
  }

  @Test(
    "What people read is not",
    arguments: [
      0x20, 0x7E, 0xA0, 0xAC, 0xAE, 0xE9, 0x0301, 0x061B, 0x061D, 0x200A, 0x2010, 0x2027, 0x202F,
      0x2070, 0x3000, 0x65E5, 0xFE0F, 0xFFFC, 0xFFFD, 0x1F389, 0xE0080, 0x10FFFF,
    ] as [UInt32])
  func visible(value: UInt32) throws {
    #expect(try !#require(Unicode.Scalar(value)).isInvisibleControl)
  }
}
