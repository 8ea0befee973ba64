import Pasteboard
import Testing
import TypeRegistry

@Suite("Spellings of plain text")
struct PlainTextSpellingTests {
  let negotiator = Negotiator.standard

  @Test(
    "Of several encodings the best is read, never the first that comes",
    arguments: [
      TypeRequest.text, .any, .ordered([.text]), .ordered([.plainText]), .unordered([.plainText]),
    ])
  func bestSpelling(request: TypeRequest) {
    for types in permutations(of: [TypeIdentifier.plainText, .utf16PlainText, .utf8PlainText]) {
      let offer = types.map { OfferedRepresentation.native($0) }
      #expect(negotiator.choose(request, from: offer)?.type == .utf8PlainText)
      let withoutUTF8 = offer.filter { $0.type != .utf8PlainText }
      #expect(negotiator.choose(request, from: withoutUTF8)?.type == .utf16PlainText)
    }
  }

  @Test("Plain text stands where its first spelling stands")
  func placeOfTheFirstSpelling() {
    #expect(
      negotiator.choose(.text, from: natives(.plainText, .csv, .utf8PlainText))
        == .taken(2, .utf8PlainText))
    #expect(
      negotiator.choose(.text, from: natives(.csv, .plainText, .utf8PlainText))
        == .taken(0, .csv))
  }

  @Test("Conversions start from the best spelling")
  func conversionsStartFromTheBestSpelling() {
    #expect(
      negotiator.choose(.ordered([.html]), from: natives(.plainText, .utf8PlainText))
        == .converted(1, to: .html, cost: 5))
  }

  @Test("The spelling that was asked for is taken as it is where it is offered")
  func askedSpellingAsItIs() {
    let offer = natives(.utf8PlainText, .plainText, .utf16PlainText)
    #expect(
      negotiator.choose(.ordered([.utf16PlainText]), from: offer) == .taken(2, .utf16PlainText))
    #expect(
      negotiator.choose(.unordered([.utf16PlainText]), from: offer)
        == .taken(2, .utf16PlainText))
  }

  @Test("Another encoding of a native text counts as native")
  func changeOfEncodingCountsAsNative() {
    #expect(
      negotiator.choose(.unordered([.utf8PlainText, .png]), from: natives(.plainText, .png))
        == .converted(0, to: .utf8PlainText, cost: 0))
    #expect(
      negotiator.choose(.ordered([.utf8PlainText]), from: natives(.html, .plainText, .markdown))
        == .converted(1, to: .utf8PlainText, cost: 0))
  }

  @Test("Among encodings to convert from UTF-8 is the best")
  func changeOfEncodingStartsFromUTF8() {
    #expect(
      negotiator.choose(.ordered([.utf16PlainText]), from: natives(.plainText, .utf8PlainText))
        == .converted(1, to: .utf16PlainText, cost: 0))
  }

  @Test("A made text is not transcoded either")
  func madeTextIsNotTranscoded() {
    #expect(
      negotiator.choose(
        .ordered([.utf16PlainText]),
        from: [.native(.png), .made(.utf8PlainText, from: .openDocument)]) == nil)
  }
}
