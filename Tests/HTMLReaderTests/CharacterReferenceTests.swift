import Testing

@testable import HTMLReader

@Suite("Character references of HTML")
struct CharacterReferenceTests {
  @Test(
    "Numbers mean characters, not always the ones with that number",
    arguments: [
      ("&#65;", "A"), ("&#x41;", "A"), ("&#X4a;", "J"), ("&#65", "A"), ("&#65a", "Aa"),
      ("&#x41g", "Ag"), ("&#128;", "€"), ("&#x80;", "€"), ("&#x9f;", "Ÿ"), ("&#x99;", "™"),
      ("&#x81;", "\u{81}"), ("&#0;", "\u{FFFD}"), ("&#xD800;", "\u{FFFD}"),
      ("&#xDFFF;", "\u{FFFD}"), ("&#x110000;", "\u{FFFD}"), ("&#x10FFFF;", "\u{10FFFF}"),
      ("&#99999999999999999999;", "\u{FFFD}"), ("&#xFFFFFFFFFFFFFFFFFF;", "\u{FFFD}"),
      ("&#x1F389;", "🎉"), ("&#233;", "é"), ("&#;", "&#;"), ("&#x;", "&#x;"), ("&#", "&#"),
      ("&#x", "&#x"), ("&#xg;", "&#xg;"), ("&#a;", "&#a;"), ("&#00000000000065;", "A"),
    ])
  func numbers(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "The longest name counts; old names need no semicolon",
    arguments: [
      ("&amp;", "&"), ("&amp", "&"), ("&ampx", "&x"), ("&AMP;", "&"), ("&Amp;", "&Amp;"),
      ("&lt;&gt;&quot;&apos;", "<>\"'"), ("&apos", "&apos"), ("&hellip;", "…"),
      ("&hellip", "&hellip"), ("&notin;", "∉"), ("&notin", "¬in"), ("&notit;", "¬it;"),
      ("&not;in", "¬in"), ("&eacute;t&eacute", "été"), ("&frac12x", "½x"), ("&sup1", "¹"),
      ("&AElig;", "Æ"), ("&zwnj;", "\u{200C}"), ("&zwj;", "\u{200D}"), ("&nGt;", "≫⃒"),
      ("&NotEqualTilde;", "≂̸"), ("&fjlig;", "fj"), ("&Aopf;", "𝔸"),
      ("&CounterClockwiseContourIntegral;", "∳"),
      ("&CounterClockwiseContourIntegral", "&CounterClockwiseContourIntegral"),
      ("&CounterClockwiseContourIntegrals;", "&CounterClockwiseContourIntegrals;"),
      ("&foo;", "&foo;"), ("&;", "&;"), ("&", "&"), ("& amp;", "& amp;"), ("&&amp;", "&&"),
      ("&amp;amp;", "&amp;"), ("&no", "&no"), ("&g", "&g"), ("&zzzz;", "&zzzz;"),
      ("a&b;c", "a&b;c"), ("&shy;", "\u{AD}"), ("a&Tab;b&NewLine;c", "a\tb\nc"),
      ("&am<b>p;</b>", "&amp;"),
    ])
  func names(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "In attributes an old name before a letter, a digit or an equals sign is an address",
    arguments: [
      ("?a&copy=1", "?a&copy=1"), ("?a&copyx", "?a&copyx"), ("?a&copy1", "?a&copy1"),
      ("?a&copy", "?a©"), ("?a&copy;=1", "?a©=1"), ("a&copy b", "a© b"),
    ])
  func attributes(value: String, expected: String) throws {
    let document = HTMLDocument(parsing: Array("<img alt='\(value)'>".utf8))
    let image = try #require(document.nodes.firstIndex { $0.isElement(.img) })
    let alternative = try #require(document.attribute(.alt, of: Int32(image)))
    #expect(String(decoding: document.text[alternative], as: UTF8.self) == expected)
  }

  @Test("The list is sorted, whole, and each of its entries is found")
  func list() {
    let entries = String(describing: HTMLCharacterReference.names).split { $0 == " " || $0 == "\n" }
    #expect(entries.count == 2125)
    #expect(entries.filter { $0.contains("!") }.count == 106)
    let names = entries.map { $0.prefix { $0 != "!" && $0 != ":" } }
    #expect(zip(names, names.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    for (name, entry) in zip(names, entries) {
      let html = Array("\(name);".utf8)
      let numbers = entry.dropFirst(name.utf8.count + 1).split(separator: ".").compactMap {
        UInt32($0, radix: 16)
      }
      let found = HTMLCharacterReference.match(
        in: html, at: 0, before: html.count, inAttribute: false)
      #expect(found?.first == numbers.first && found?.end == html.count, "\(entry)")
      #expect(found?.second == numbers.dropFirst().first, "\(entry)")
      #expect(name.utf8.count <= 31 && !numbers.isEmpty, "\(entry)")
      #expect(!entry.contains("!") || name.utf8.count <= 6, "\(entry)")
    }
  }
}
