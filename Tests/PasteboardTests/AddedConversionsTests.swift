import Pasteboard
import Testing
import TypeRegistry

@Suite("Conversions added to an item")
struct AddedConversionsTests {
  private func item(_ types: TypeIdentifier...) -> PasteboardItem {
    var item = PasteboardItem()
    for type in types { item.set(Payload(shortName(of: type)), for: type) }
    return item
  }

  private func text(_ item: PasteboardItem, _ type: TypeIdentifier) throws -> String? {
    try (item.representation(for: type)?.payload()).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  @Test("From Markdown come HTML, RTF and plain text, behind it, as promises")
  func fromMarkdown() throws {
    var item = item(.markdown)
    item.addConversions(from: .standard, to: [.html, .rtf, .utf8PlainText])
    #expect(item.representations.map(\.type) == [.markdown, .html, .rtf, .utf8PlainText])
    #expect(
      item.representations.map(\.origin) == [.native]
        + Array(repeating: .made(from: .markdown), count: 3))
    #expect(item.representations.dropFirst().allSatisfy { $0.availablePayload == nil })
    #expect(try text(item, .rtf) == "rtf(markdown)")
    #expect(try text(item, .utf8PlainText) == "utf8(markdown)")
  }

  @Test("Only the types asked for are added: no RTF beside HTML unless somebody wants it")
  func onlyWhatIsAskedFor() {
    var item = item(.html)
    item.addConversions(from: .standard, to: [.markdown, .utf8PlainText])
    #expect(item.representations.map(\.type) == [.html, .markdown, .utf8PlainText])
  }

  @Test("What is native stays, in its place and with its bytes")
  func nativeStays() throws {
    var item = item(.markdown, .html)
    item.addConversions(from: .standard, to: [.markdown, .html, .rtf])
    #expect(item.representations.map(\.type) == [.markdown, .html, .rtf])
    #expect(try text(item, .html) == "html")
  }

  @Test("What cannot be reached by one conversion is left out")
  func unreachableIsLeftOut() {
    var item = item(.utf8PlainText)
    item.addConversions(from: .standard, to: [.rtf, .png, .html])
    #expect(item.representations.map(\.type) == [.utf8PlainText, .html])
  }

  @Test("Nothing is made from what was made, nor by adding twice")
  func nothingFromMade() {
    var item = item(.utf8PlainText)
    item.addConversions(from: .standard, to: [.html])
    item.addConversions(from: .standard, to: [.html, .rtf, .markdown])
    #expect(item.representations.map(\.type) == [.utf8PlainText, .html])
  }

  @Test("Nothing is made from a marker")
  func nothingFromMarkers() {
    var item = PasteboardItem()
    item.set(Payload("1"), for: .markdown, target: "application/x-kde-cutselection")
    item.addConversions(from: .standard, to: [.html])
    #expect(item.representations.count == 1)
  }

  @Test("The source is the cheapest, then the first")
  func cheapestSource() throws {
    var one = item(.rtf, .markdown)
    one.addConversions(from: .standard, to: [.html])
    #expect(try text(one, .html) == "html(markdown)")
    var other = item(.rtf, .html)
    other.addConversions(from: .standard, to: [.markdown, .utf8PlainText])
    #expect(try text(other, .markdown) == "markdown(html)")
    #expect(try text(other, .utf8PlainText) == "utf8(rtf)")
  }

  @Test("The source of plain text is its best spelling, and plain text before rich text")
  func bestSpellingIsTheSource() throws {
    var one = item(.plainText, .utf8PlainText)
    one.addConversions(from: .standard, to: [.html])
    #expect(try text(one, .html) == "html(utf8)")
    var other = item(.markdown, .plainText)
    other.addConversions(from: .standard, to: [.utf8PlainText])
    #expect(try text(other, .utf8PlainText) == "utf8(plain)")
  }

  @Test("Where a subtype of the target is native, nothing else is the source")
  func subtypeOfTheTargetIsTheOnlySource() throws {
    let table = ConversionTable([tracing(.html, .url, cost: 1)])
    var one = item(.html, .fileURL)
    one.addConversions(from: table, to: [.url])
    #expect(one.representation(for: .url) == nil)
    var other = item(.html, .markdown)
    other.addConversions(
      from: ConversionTable([
        tracing(.html, .plainText, cost: 1), tracing(.markdown, .plainText, cost: 1),
      ]), to: [.plainText])
    #expect(try text(other, .plainText) == "plain(markdown)")
  }

  @Test("The source is asked once, and only when the result is wanted")
  func sourceIsAskedOnDemand() throws {
    let asked = Counter()
    var item = PasteboardItem()
    item.promise(.markdown) {
      asked.increment()
      return Payload("m")
    }
    item.addConversions(from: .standard, to: [.html, .rtf])
    #expect(asked.value == 0)
    #expect(try text(item, .html) == "html(m)")
    #expect(try text(item, .rtf) == "rtf(m)")
    #expect(asked.value == 1)
  }

  @Test("A receiver takes what was added instead of converting again")
  func addedIsTaken() {
    var item = item(.markdown)
    item.addConversions(from: .standard, to: [.html])
    #expect(
      Negotiator.standard.choose(.ordered([.html]), from: item) == .taken(1, .html, cost: 1))
  }
}
