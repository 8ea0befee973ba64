import Testing

@testable import RichText

@Suite("Addresses in Markdown that is written")
struct MarkdownAddressTests {
  static let text = AttributedText("see http://a.bc, www.d.ef or g@h.ij")

  @Test("Addresses of foreign text stay as they are, and become links where a reader makes links")
  func foreign() {
    let written = MarkdownWriter(isExact: false).write(Self.text)
    #expect(String(decoding: written, as: UTF8.self) == "see http://a.bc, www.d.ef or g@h.ij")
  }

  @Test("Where the text is to read again exactly, they are no links afterwards either")
  func exact() throws {
    let written = MarkdownWriter().write(Self.text)
    let again = try MarkdownReader().read(written)
    #expect(again.string == Self.text.string)
    #expect(again.runs.allSatisfy { $0.attributes.link == nil })
  }
}
