import Pasteboard
import Testing
import TypeRegistry

@Suite("Pasteboard item")
struct PasteboardItemTests {
  private func text(_ item: PasteboardItem, _ type: TypeIdentifier) throws -> String? {
    try (item.representation(for: type)?.payload()).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  private func item(_ types: TypeIdentifier...) -> PasteboardItem {
    var item = PasteboardItem()
    for type in types { item.set(Payload(shortName(of: type)), for: type) }
    return item
  }

  @Test("Representations stay in the owner's order")
  func ownersOrderIsKept() {
    var item = PasteboardItem()
    #expect(item.isEmpty)
    item.set([1], for: .png)
    item.promise(.html) { Payload("h") }
    item.set(Payload("t"), for: .utf8PlainText)
    #expect(item.representations.map(\.type) == [.png, .html, .utf8PlainText])
    #expect(item.representations.allSatisfy { $0.origin == .native && $0.target == nil })
    #expect(!item.isEmpty)
  }

  @Test("Setting a representation again replaces it where it stands")
  func settingAgainReplacesInPlace() throws {
    var item = item(.html, .utf8PlainText)
    item.set(Payload("new"), for: .html)
    #expect(item.representations.map(\.type) == [.html, .utf8PlainText])
    #expect(try text(item, .html) == "new")
    item.promise(.html) { Payload("promised") }
    #expect(item.representations.count == 2)
    #expect(try text(item, .html) == "promised")
  }

  @Test("One type stands there once for each spelling")
  func onePerTypeAndTarget() {
    var item = PasteboardItem()
    item.set(Payload("1"), for: .utf8PlainText, target: "UTF8_STRING")
    item.set(Payload("2"), for: .utf8PlainText, target: "text/plain;charset=utf-8")
    item.set(Payload("3"), for: .utf8PlainText)
    item.set(Payload("4"), for: .utf8PlainText, target: "UTF8_STRING")
    #expect(
      item.representations.map(\.target) == ["UTF8_STRING", "text/plain;charset=utf-8", nil])
    #expect(
      item.representations.map { $0.availablePayload }
        == [Payload("4"), Payload("2"), Payload("3")])
  }

  @Test("A copy is not changed by what happens to the original")
  func copiesAreIndependent() {
    var item = item(.html)
    let copy = item
    item.set(Payload("new"), for: .html)
    #expect(copy.representation(for: .html)?.availablePayload == Payload("html"))
  }

  @Test("A made representation never replaces a native one")
  func madeNeverReplacesNative() throws {
    var item = item(.markdown, .html)
    item.promise(.html, from: .markdown) { Payload("made") }
    item.set(Payload("made"), for: .html, origin: .made(from: .markdown))
    #expect(item.representation(for: .html)?.origin == .native)
    #expect(try text(item, .html) == "html")
  }

  @Test("A native representation replaces a made one, and a made one another")
  func nativeReplacesMade() throws {
    var item = item(.markdown)
    item.promise(.html, from: .markdown) { Payload("1") }
    #expect(item.representation(for: .html)?.origin == .made(from: .markdown))
    item.set(Payload("2"), for: .html, origin: .made(from: .rtf))
    #expect(item.representation(for: .html)?.origin == .made(from: .rtf))
    item.set(Payload("3"), for: .html)
    #expect(item.representation(for: .html)?.origin == .native)
    #expect(try text(item, .html) == "3")
  }

  @Test("The best type goes by the order of the caller and converts nothing")
  func bestTypeGoesByTheCallersOrder() {
    let item = item(.png, .html, .utf8PlainText)
    #expect(item.bestType(matching: [.rtf, .html, .plainText]) == .html)
    #expect(item.bestType(matching: [.plainText, .html]) == .utf8PlainText)
    #expect(item.bestType(matching: [.image]) == .png)
    #expect(item.bestType(matching: [.text]) == .html)
    #expect(item.bestType(matching: [.rtf, .pdf]) == nil)
    #expect(item.bestType(matching: []) == nil)
  }

  @Test("The best type may be one that was promised")
  func bestTypeMayBePromised() {
    var item = item(.markdown)
    item.promise(.html, from: .markdown) { Payload("made") }
    #expect(item.bestType(matching: [.html]) == .html)
    #expect(item.representation(for: .html)?.availablePayload == nil)
  }

  @Test("The offer of an item tells origins, and markers by their target")
  func offerTellsOriginsAndMarkers() {
    var item = item(.fileURL)
    item.set(Payload("1"), for: .privateFormat, target: "application/x-kde-cutselection")
    item.promise(.html, from: .fileURL) { Payload("made") }
    #expect(
      item.offer() == [
        .native(.fileURL), .marker(.privateFormat), .made(.html, from: .fileURL),
      ])
    #expect(item.bestType(matching: [.privateFormat]) == nil)
  }

  @Test(
    "A marker is known by its type where no target is given",
    arguments: [
      TypeIdentifier.kdeCutSelection, .passwordManagerHint, .concealed, .clipviewOrigin,
      .named("org.nspasteboard.TransientType"),
    ])
  func markersAreKnownByTheirType(type: TypeIdentifier) {
    #expect(item(.html, type).offer() == [.native(.html), .marker(type)])
  }

  @Test("What a target is for counts more than the type that was given for it")
  func protocolTargetsAreNoContent() {
    var item = item(.html)
    item.set(Payload("1"), for: .utf8PlainText, target: "TIMESTAMP")
    #expect(item.offer() == [.native(.html), .marker(.utf8PlainText)])
    #expect(item.bestType(matching: [.utf8PlainText]) == nil)
  }

  @Test("The payload of a choice is the representation, or its one conversion")
  func payloadOfAChoice() throws {
    let item = item(.png, .markdown)
    let negotiator = Negotiator.standard
    func read(_ request: TypeRequest) throws -> Payload? {
      try negotiator.choose(request, from: item).flatMap {
        try negotiator.payload(for: $0, of: item)
      }
    }
    #expect(try read(.ordered([.image])) == Payload("public.png"))
    #expect(try read(.ordered([.html, .image])) == Payload("html(markdown)"))
  }

  @Test("A choice that does not fit the item has no payload")
  func foreignChoiceHasNoPayload() throws {
    var item = item(.markdown)
    item.promise(.html, from: .markdown) { Payload("made") }
    let negotiator = Negotiator.standard
    #expect(try negotiator.payload(for: .taken(7, .html), of: item) == nil)
    #expect(try negotiator.payload(for: .taken(-1, .html), of: item) == nil)
    #expect(try negotiator.payload(for: .taken(0, .html), of: item) == nil)
    #expect(try negotiator.payload(for: .converted(0, to: .png, cost: 0), of: item) == nil)
    // Never from a made representation, not even where a conversion would be there.
    #expect(try negotiator.payload(for: .converted(1, to: .rtf, cost: 2), of: item) == nil)
  }
}
