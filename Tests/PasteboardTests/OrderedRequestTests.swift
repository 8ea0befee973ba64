import Pasteboard
import Testing
import TypeRegistry

@Suite("Ordered request")
struct OrderedRequestTests {
  let negotiator = Negotiator.standard

  @Test("The first preference that is there wins, whatever the owner's order")
  func callersOrderIsThePreference() {
    let offer = natives(.html, .png, .rtf)
    #expect(negotiator.choose(.ordered([.rtf, .html]), from: offer) == .taken(2, .rtf))
    #expect(negotiator.choose(.ordered([.html, .rtf]), from: offer) == .taken(0, .html))
    #expect(negotiator.choose(.preferring(.png, .rtf), from: offer) == .taken(1, .png))
  }

  @Test("A conversion to a better preference beats a native lesser one")
  func conversionToAnEarlierPreferenceWins() {
    #expect(
      negotiator.choose(.ordered([.html, .png]), from: natives(.png, .markdown))
        == .converted(1, to: .html, cost: 1))
    #expect(
      negotiator.choose(.ordered([.html, .utf8PlainText]), from: natives(.utf8PlainText))
        == .converted(0, to: .html, cost: 5))
  }

  @Test("A preference that nothing reaches is passed over")
  func unreachablePreferencesArePassedOver() {
    #expect(
      negotiator.choose(.ordered([.pdf, .image, .html]), from: natives(.markdown))
        == .converted(0, to: .html, cost: 1))
    #expect(negotiator.choose(.ordered([.pdf, .image]), from: natives(.markdown)) == nil)
    #expect(negotiator.choose(.ordered([.rtf]), from: natives(.utf8PlainText)) == nil)
  }

  @Test("Without preferences, or without an offer, there is no answer")
  func emptyRequestsAndOffers() {
    #expect(negotiator.choose(.ordered([]), from: natives(.html)) == nil)
    #expect(negotiator.choose(.ordered([.html]), from: []) == nil)
  }

  @Test("For one preference a native representation is taken before a conversion")
  func nativeBeforeConversion() {
    #expect(
      negotiator.choose(.ordered([.html]), from: natives(.markdown, .html)) == .taken(1, .html))
  }

  @Test("An abstract preference is met by whatever conforms to it")
  func abstractPreference() {
    let offer = natives(.utf8PlainText, .png, .jpeg)
    #expect(negotiator.choose(.ordered([.image]), from: offer) == .taken(1, .png))
    #expect(negotiator.choose(.ordered([.image, .text]), from: offer) == .taken(1, .png))
    #expect(negotiator.choose(.ordered([.text, .image]), from: offer) == .taken(0, .utf8PlainText))
  }

  @Test("Among texts that meet an abstract preference the richest is taken")
  func abstractTextPreference() {
    let offer = natives(.utf8PlainText, .html, .rtf, .markdown)
    #expect(negotiator.choose(.ordered([.text]), from: offer) == .taken(3, .markdown))
    #expect(
      negotiator.choose(.ordered([.text]), from: natives(.utf8PlainText, .html))
        == .taken(1, .html))
  }

  @Test("Markdown is plain text where there is no other")
  func markdownConformsToPlainText() {
    #expect(
      negotiator.choose(.ordered([.plainText]), from: natives(.html, .markdown))
        == .taken(1, .markdown))
  }

  @Test(
    "Who names plain text gets plain text before what merely conforms to it",
    arguments: [
      natives(.markdown, .utf8PlainText), natives(.markdown, .plainText),
      natives(.swiftSource, .utf8PlainText), natives(.markdown, .utf16PlainText),
    ])
  func plainTextBeforeItsSubtypes(offer: [OfferedRepresentation]) {
    #expect(
      negotiator.choose(.ordered([.plainText]), from: offer) == .taken(1, offer[1].type))
  }

  @Test("The named type is taken before a subtype of it that the owner offers first")
  func namedTypeBeforeItsSubtype() {
    #expect(
      negotiator.choose(.ordered([.url]), from: natives(.fileURL, .url)) == .taken(1, .url))
    #expect(negotiator.choose(.ordered([.url]), from: natives(.fileURL)) == .taken(0, .fileURL))
  }

  @Test("A conversion to a subtype meets an abstract preference")
  func conversionMeetsAnAbstractPreference() {
    #expect(
      negotiator.choose(.ordered([.plainText]), from: natives(.rtf))
        == .converted(0, to: .utf8PlainText, cost: 1))
  }
}
