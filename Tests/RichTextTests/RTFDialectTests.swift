import RichText
import TestSupport
import Testing

@Suite("RTF as programs write it")
struct RTFDialectTests {
  static let names = [
    "cocoa-textedit", "cocoa-notes-checklist", "word-document", "word-revisions", "word-toc",
    "word-japanese", "word-chinese-tables", "word6-lists", "mac-word", "richedit-wordpad",
    "pandoc-document", "outlook-plain", "outlook-html", "editor-raw-utf8", "nested-tables",
    "calc-late-trowd", "google-docs", "writer-document", "cocoa-table", "cocoa-pages", "jetbrains",
    "visual-studio", "java-swing", "abiword-lists", "asian-fonts", "japanese-raw", "word-cyrillic",
    "word-outline", "specials", "pandoc-table", "damaged", "outlook-newsletter", "word-footnotes",
    "word-merged", "wordpad-object", "fields", "word-noise", "openoffice", "mac-fonts",
    "richedit-polish",
  ]

  private func expectation(_ name: String) throws -> String {
    String(decoding: try RTFFixture.bytes("dialects/" + name), as: UTF8.self)
  }

  @Test("As plain text each is what a person would have typed", arguments: names)
  func plainText(name: String) throws {
    let text = try #require(RTFPlainText.text(of: RTFFixture.bytes("dialects/\(name).rtf")))
    let expected = try expectation(name + ".txt")
    #expect(String(decoding: text, as: UTF8.self) == expected)
  }

  @Test("As Markdown each is what a person would have typed", arguments: names)
  func markdown(name: String) throws {
    let text = try RTFReader().read(try RTFFixture.bytes("dialects/\(name).rtf"))
    let expected = try expectation(name + ".md")
    let markdown = MarkdownWriter(isExact: false).write(text)
    #expect(String(decoding: markdown, as: UTF8.self) == expected)
  }
}
