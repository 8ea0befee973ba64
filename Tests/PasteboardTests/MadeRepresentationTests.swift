import Pasteboard
import Testing
import TypeRegistry

@Suite("Made representations and markers")
struct MadeRepresentationTests {
  let negotiator = Negotiator.standard

  @Test("What the owner made is taken as it is instead of made again")
  func offeredMadeRepresentationIsTaken() {
    let offer: [OfferedRepresentation] = [.native(.markdown), .made(.html, from: .markdown)]
    #expect(negotiator.choose(.ordered([.html]), from: offer) == .taken(1, .html, cost: 1))
    #expect(negotiator.choose(.unordered([.html]), from: offer) == .taken(1, .html, cost: 1))
  }

  @Test("A made representation is never converted: the original is")
  func originalIsConverted() {
    let offer: [OfferedRepresentation] = [.made(.html, from: .markdown), .native(.markdown)]
    #expect(
      negotiator.choose(.ordered([.rtf]), from: offer) == .converted(1, to: .rtf, cost: 2))
  }

  @Test(
    "Where only made representations would get there, there is no answer",
    arguments: [
      [OfferedRepresentation.native(.openDocument), .made(.html, from: .openDocument)],
      [.native(.utf8PlainText), .made(.html, from: .utf8PlainText)],
      [.made(.markdown, from: .rtf)],
    ])
  func noConversionFromMade(offer: [OfferedRepresentation]) {
    #expect(negotiator.choose(.ordered([.rtf]), from: offer) == nil)
    #expect(negotiator.choose(.unordered([.rtf]), from: offer) == nil)
  }

  @Test("Markdown to RTF to Markdown cannot happen")
  func noRoundTrip() {
    #expect(
      negotiator.choose(
        .ordered([.markdown]), from: [.made(.rtf, from: .markdown), .native(.png)]) == nil)
    #expect(
      negotiator.choose(
        .ordered([.markdown]), from: [.made(.rtf, from: .markdown), .native(.markdown)])
        == .taken(1, .markdown))
  }

  @Test("Native comes before made")
  func nativeBeforeOfferedMade() {
    let offer: [OfferedRepresentation] = [
      .made(.markdown, from: .html), .native(.html), .made(.rtf, from: .html),
    ]
    #expect(negotiator.choose(.text, from: offer) == .taken(1, .html))
    #expect(negotiator.choose(.any, from: offer) == .taken(1, .html))
    #expect(
      negotiator.choose(.unordered([.rtf, .markdown, .html]), from: offer) == .taken(1, .html))
  }

  @Test("A conversion that loses less beats what the owner made at a greater loss")
  func cheaperConversionBeatsOfferedMade() {
    let offer: [OfferedRepresentation] = [
      .native(.utf8PlainText), .native(.rtf), .made(.html, from: .utf8PlainText),
    ]
    #expect(
      negotiator.choose(.ordered([.html]), from: offer) == .converted(1, to: .html, cost: 2))
  }

  @Test("What the owner made in a way of its own is taken")
  func unknownWayIsTrusted() {
    let offer: [OfferedRepresentation] = [
      .native(.openDocument), .native(.utf8PlainText), .made(.html, from: .openDocument),
    ]
    #expect(negotiator.choose(.ordered([.html]), from: offer) == .taken(2, .html))
  }

  @Test("Of two made ones that cost the same the owner's first is taken")
  func offeredMadeInTheOwnersOrder() {
    let offer: [OfferedRepresentation] = [
      .native(.png), .made(.rtf, from: .markdown), .made(.rtf, from: .html),
    ]
    #expect(negotiator.choose(.ordered([.rtf]), from: offer) == .taken(1, .rtf, cost: 2))
  }

  @Test("Without conversions made representations are taken all the same")
  func madeWithoutConversions() {
    let offer: [OfferedRepresentation] = [.native(.markdown), .made(.html, from: .markdown)]
    #expect(
      Negotiator.withoutConversions.choose(.ordered([.html]), from: offer) == .taken(1, .html))
    #expect(Negotiator.withoutConversions.choose(.ordered([.rtf]), from: offer) == nil)
  }

  @Test("Who names plain text gets that of a copy of HTML, not the Markdown made beside it")
  func plainTextBeforeItsKinds() {
    let offer: [OfferedRepresentation] = [
      .native(.html), .made(.markdown, from: .html), .made(.utf8PlainText, from: .html),
    ]
    for preference in [TypeIdentifier.plainText, .utf8PlainText] {
      #expect(
        Negotiator.withoutConversions.choose(.ordered([preference]), from: offer)
          == .taken(2, .utf8PlainText))
    }
    #expect(
      Negotiator.withoutConversions.choose(.ordered([.markdown]), from: offer)
        == .taken(1, .markdown))
  }

  @Test(
    "Markers never count, whatever is asked",
    arguments: [
      TypeRequest.any, .text, .ordered([.html]), .unordered([.html]), .exactly(.html),
      .ordered([.utf8PlainText]), .ordered([.item]),
    ])
  func markersNeverCount(request: TypeRequest) {
    #expect(negotiator.choose(request, from: [.marker(.html)]) == nil)
    #expect(
      negotiator.choose(
        request,
        from: [
          OfferedRepresentation(
            type: .html, origin: .made(from: .markdown), isMarker: true)
        ]) == nil)
  }

  @Test("A marker in front leaves the index that of the whole offer")
  func indexCountsMarkers() {
    #expect(
      negotiator.choose(.ordered([.html]), from: [.marker(.privateFormat), .native(.markdown)])
        == .converted(1, to: .html, cost: 1))
  }
}
