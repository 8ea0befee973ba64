import Pasteboard
import SelectionCore
import Testing
import TypeRegistry

@Suite("Looking up an offer")
struct OfferTests {
  private func offer(_ names: String...) -> Offer {
    var offer = Offer()
    for (index, name) in names.enumerated() {
      offer.add(OfferedTarget(name: name, Payload("content \(index)")))
    }
    return offer
  }

  private func content(_ offer: Offer, _ name: String) throws -> String? {
    guard let target = offer.target(named: name) else { return nil }
    return String(decoding: try target.content.payload().bytes, as: UTF8.self)
  }

  @Test("What is a mark, the registry in use says")
  func marks() throws {
    let registry = try TypeRegistry(
      parsing: Array("name\tclass\trole\ttype\tnote\napplication/x-mine\tmime\tmarker\n".utf8)
        + TypeRegistry.builtinDeclarations)
    let item = item(
      ("application/x-mine", "1"), ("x-kde-passwordManagerHint", "secret"), ("text/html", "x"))
    func isMark(_ offer: Offer) -> [Bool] { offer.targets.map { offer.isMark($0) } }
    #expect(isMark(Offer(item)) == [false, true, false])
    #expect(isMark(Offer(item, in: registry)) == [true, true, false])
    #expect(Offer(in: registry).isMark(OfferedTarget(name: "application/x-mine", Payload("1"))))
  }

  /// An item of targets with content.
  private func item(_ contents: (target: String, text: String)...) -> PasteboardItem {
    var item = PasteboardItem()
    for (target, text) in contents {
      item.set(
        Payload(text), for: TypeRegistry.builtin.type(forTarget: target), target: target)
    }
    return item
  }

  @Test("Targets are listed in the order in which they were added")
  func order() {
    #expect(offer("b", "a", "c/d").targets.map(\.name) == ["b", "a", "c/d"])
  }

  @Test("Of several targets of one name the first stays")
  func firstStays() throws {
    let offer = offer("a", "b", "a")
    #expect(offer.targets.map(\.name) == ["a", "b"])
    #expect(try content(offer, "a") == "content 0")
  }

  @Test("A target is found by its name, whose case counts")
  func exactName() throws {
    let offer = offer("UTF8_STRING", "image/png")
    #expect(try content(offer, "UTF8_STRING") == "content 0")
    #expect(offer.contains("UTF8_STRING"))
    #expect(offer.target(named: "utf8_string") == nil)
    #expect(!offer.contains("utf8_string"))
  }

  @Test(
    "A MIME type is found in every spelling of it",
    arguments: [
      "text/plain;charset=utf-8", "text/plain;charset=UTF-8", "text/plain; charset=utf-8",
      "text/plain;  charset=\"utf-8\"", "text/plain;charset=\"UTF-8\"", "TEXT/PLAIN;CHARSET=UTF-8",
      "Text/Plain ; Charset=\"Utf-8\"",
    ])
  func equalMIMETypes(name: String) throws {
    let offer = offer("text/plain", "text/plain;charset=utf-8", "text/html")
    #expect(try content(offer, name) == "content 1")
    // The answer says what was asked for.
    #expect(offer.target(named: name)?.name == name)
    #expect(offer.target(named: name)?.typeName == name)
  }

  @Test("The order of parameters does not matter, the exact spelling comes first")
  func parameters() throws {
    let offer = offer("a/b;y=2;x=1", "a/b;x=1;y=2")
    #expect(try content(offer, "a/b;x=1;y=2") == "content 1")
    #expect(try content(offer, "a/b; x=1; y=\"2\"") == "content 0")
  }

  @Test(
    "What is not offered is not found",
    arguments: [
      "text/plain", "text/html;charset=iso-8859-1", "text/plain;charset=utf-16", "image/png",
      "UTF8_STRING", "STRING", "", "/", "text", "TARGETS", "text/",
    ])
  func refusal(name: String) {
    let offer = offer("text/html;charset=utf-8", "text/plain;charset=utf-8")
    #expect(offer.target(named: name) == nil)
  }

  @Test("A target has its name for its type and bytes for its unit, unless it is told otherwise")
  func wireForm() {
    let plain = OfferedTarget(name: "a", Payload([]))
    #expect(plain.typeName == "a")
    #expect(plain.format == 8)
    let other = OfferedTarget(name: "a", typeName: "INTEGER", format: 32, Payload([]))
    #expect(other.typeName == "INTEGER")
    #expect(other.format == 32)
  }
}

@Suite("An item as an offer")
struct ItemOfferTests {
  private static let textNames = [
    "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING", "COMPOUND_TEXT",
  ]

  private func item(_ representations: (TypeIdentifier, String)...) -> PasteboardItem {
    var item = PasteboardItem()
    for (type, text) in representations { item.set(Payload(text), for: type) }
    return item
  }

  private func bytes(_ offer: Offer, _ name: String) throws -> [UInt8] {
    try #require(offer.target(named: name)).content.payload().bytes
  }

  @Test("Plain text gets all of its spellings")
  func textSpellings() throws {
    let text = "naïve"
    let offer = Offer(item((.utf8PlainText, text)))
    #expect(offer.targets.map(\.name) == Self.textNames)
    for name in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT"] {
      #expect(try bytes(offer, name) == Array(text.utf8))
    }
    #expect(try bytes(offer, "STRING") == [0x6E, 0x61, 0xEF, 0x76, 0x65])
  }

  @Test(
    "STRING never holds UTF-8",
    arguments: ["", "plain", "é", "ÿ", "€", "日本語", "🎉", "naïve – 日本 🎉", "e\u{301}"])
  func stringIsLatin1(text: String) throws {
    let bytes = try bytes(Offer(item((.utf8PlainText, text))), "STRING")
    // One byte for each scalar; a question mark for those that Latin-1 lacks.
    let expected = text.unicodeScalars.map {
      $0.value <= 0xFF ? UInt8($0.value) : UInt8(ascii: "?")
    }
    #expect(bytes == expected)
  }

  @Test("COMPOUND_TEXT begins in Latin-1 and is no bare UTF-8")
  func compoundText() throws {
    #expect(try bytes(Offer(item((.utf8PlainText, "é"))), "COMPOUND_TEXT") == [0xE9])
    let japanese = try bytes(Offer(item((.utf8PlainText, "日"))), "COMPOUND_TEXT")
    #expect(japanese.first == 0x1B)
    #expect(japanese.last != 0)
  }

  @Test("TEXT is answered in an encoding that says what it is")
  func textReplyType() throws {
    let offer = Offer(item((.utf8PlainText, "é")))
    let types = Dictionary(uniqueKeysWithValues: offer.targets.map { ($0.name, $0.typeName) })
    #expect(types["TEXT"] == "UTF8_STRING")
    for name in Self.textNames where name != "TEXT" { #expect(types[name] == name) }
    #expect(offer.targets.allSatisfy { $0.format == 8 })
  }

  @Test("Only the spellings that are wanted are published")
  func chosenSpellings() {
    let offer = Offer(item((.utf8PlainText, "x")), textSpellings: PublishedTextSpelling.utf8)
    #expect(offer.targets.map(\.name) == ["UTF8_STRING", "text/plain;charset=utf-8"])
    #expect(offer.target(named: "STRING") == nil)
    #expect(offer.target(named: "text/plain") == nil)
  }

  @Test("RTF gets its three names, with the same bytes")
  func rtfNames() throws {
    let offer = Offer(item((.rtf, "{\\rtf1 x}")))
    #expect(offer.targets.map(\.name) == ["text/rtf", "text/richtext", "application/rtf"])
    for target in offer.targets { #expect(try target.content.payload() == Payload("{\\rtf1 x}")) }
  }

  @Test(
    "Everything else goes by its MIME type",
    arguments: [
      (TypeIdentifier.html, "text/html"), (.png, "image/png"), (.markdown, "text/markdown"),
      (.fileURL, "text/uri-list"), (.pdf, "application/pdf"),
    ])
  func preferredNames(type: TypeIdentifier, name: String) {
    #expect(Offer(item((type, "x"))).targets.map(\.name) == [name])
  }

  @Test("A type without a MIME type goes by its identifier")
  func identifierAsName() throws {
    let type = try #require(TypeIdentifier("org.example.nothing-known"))
    #expect(Offer(item((type, "x"))).targets.map(\.name) == ["org.example.nothing-known"])
  }

  @Test("A representation with a spelling of its own goes by that and no other")
  func ownSpelling() {
    var item = PasteboardItem()
    item.set(Payload("x"), for: .html, target: "text/html;charset=utf-8")
    item.set(Payload("y"), for: .rtf, target: "application/x-odd")
    item.set(Payload("z"), for: .utf8PlainText, target: "text/plain;charset=UTF-8")
    #expect(
      Offer(item).targets.map(\.name) == [
        "text/html;charset=utf-8", "application/x-odd", "text/plain;charset=UTF-8",
      ])
  }

  @Test("Representations keep their order")
  func order() {
    let offer = Offer(item((.png, "p"), (.utf8PlainText, "t"), (.html, "h")))
    #expect(offer.targets.map(\.name) == ["image/png"] + Self.textNames + ["text/html"])
  }

  @Test("A promise is kept when somebody asks, not before")
  func promises() throws {
    final class Count: @unchecked Sendable { var made = 0 }  // Touched by this test alone.
    let count = Count()
    var item = PasteboardItem()
    item.promise(.utf8PlainText) {
      count.made += 1
      return Payload("é")
    }
    let offer = Offer(item)
    #expect(count.made == 0)
    #expect(try bytes(offer, "STRING") == [0xE9])
    #expect(try bytes(offer, "UTF8_STRING") == Array("é".utf8))
    #expect(count.made == 1)
  }

  @Test("A promise that cannot be kept is an error of that target")
  func brokenPromise() {
    struct Broken: Error {}
    var item = PasteboardItem()
    item.promise(.html) { throw Broken() }
    #expect(throws: Broken.self) { try Offer(item).target(named: "text/html")?.content.payload() }
  }

  @Test("Where something is made, a marker says what from what, behind everything else")
  func originMarker() throws {
    var item = item((.markdown, "# x"))
    item.promise(.html, from: .markdown) { Payload("<h1>x</h1>") }
    item.set(Payload("# x"), for: .utf8PlainText, origin: .made(from: .markdown))
    let offer = Offer(item)
    #expect(
      offer.targets.map(\.name) == ["text/markdown", "text/html"] + Self.textNames
        + [OriginMarker.target])
    let marker = OriginMarker(parsing: try bytes(offer, OriginMarker.target))
    #expect(
      marker
        == OriginMarker(
          native: [.markdown], made: [.html: .markdown, .utf8PlainText: .markdown]))
  }

  @Test("Where nothing is made there is no marker")
  func noOriginMarker() {
    let offer = Offer(item((.html, "<b>x</b>"), (.utf8PlainText, "x"), (.png, "p")))
    #expect(offer.target(named: OriginMarker.target) == nil)
    #expect(Offer(PasteboardItem()).targets.isEmpty)
  }
}

@Suite("Origin marker")
struct OriginMarkerTests {
  private func parse(_ text: String) -> OriginMarker? { OriginMarker(parsing: Array(text.utf8)) }

  private static let marker = OriginMarker(
    native: [.markdown, .png], made: [.html: .markdown, .rtf: .markdown, .utf8PlainText: .html])

  @Test("What is written is read back the same")
  func roundTrip() {
    #expect(OriginMarker(parsing: Self.marker.bytes) == Self.marker)
    let empty = OriginMarker(native: [], made: [:])
    #expect(OriginMarker(parsing: empty.bytes) == empty)
  }

  @Test("Of a registry, only what it declares is read")
  func declaredOnly() {
    let text =
      #"{"schema":1,"native":["com.example.nobody","public.rtf"],"made":{"public.html":"public.rtf","#
      + #""com.example.no":"public.rtf","public.png":"com.example.nobody"}}"#
    #expect(
      OriginMarker(parsing: Array(text.utf8), of: .builtin)
        == OriginMarker(native: [.rtf], made: [.html: .rtf]))
    #expect(parse(text)?.native.count == 2)
  }

  @Test("It is written as documented, the same every time")
  func form() {
    let text = String(decoding: Self.marker.bytes, as: UTF8.self)
    #expect(
      text == """
        {"schema":1,"native":["net.daringfireball.markdown","public.png"],\
        "made":{"public.html":"net.daringfireball.markdown",\
        "public.rtf":"net.daringfireball.markdown","public.utf8-plain-text":"public.html"}}
        """)
  }

  @Test("Identifiers are read without regard to case, members in any order, more of them ignored")
  func tolerance() {
    let text = #"{"made":{"PUBLIC.HTML":"public.RTF"},"x":[1],"native":["Public.Rtf"],"schema":1}"#
    #expect(parse(text) == OriginMarker(native: [.rtf], made: [.html: .rtf]))
    #expect(parse(#"{"schema":1,"native":[]}"#) == OriginMarker(native: [], made: [:]))
  }

  @Test(
    "What is not understood in a marker is left out",
    arguments: [
      #"{"schema":1,"native":[1,null,"no identifier","public.html"],"made":{}}"#,
      #"{"schema":1,"native":["public.html"],"made":{"bad name":"public.html"}}"#,
      #"{"schema":1,"native":["public.html"],"made":{"public.rtf":5}}"#,
      #"{"schema":1,"native":["public.html"],"made":{"public.rtf":"bad name"}}"#,
      #"{"schema":1,"native":["public.html"],"made":[1]}"#,
    ])
  func partsLeftOut(text: String) {
    #expect(parse(text) == OriginMarker(native: [.html], made: [:]))
  }

  @Test(
    "What is no marker of ours is none",
    arguments: [
      "", "x", "null", "[]", "{}", #"{"schema":2,"native":[]}"#, #"{"schema":"1","native":[]}"#,
      #"{"native":[]}"#, #"{"schema":1}"#, #"{"schema":1,"native":{}}"#,
      #"{"schema":1,"native":"public.html"}"#, #"{"schema":1,"native":[]"#,
    ])
  func refusal(text: String) {
    #expect(parse(text) == nil)
  }

  @Test("A marker cut off anywhere is none")
  func everyBeginning() {
    let bytes = Self.marker.bytes
    for end in 0..<bytes.count { #expect(OriginMarker(parsing: Array(bytes[..<end])) == nil) }
  }

  @Test("A marker as large as can be is read, more is none")
  func size() {
    let start = #"{"schema":1,"native":["#
    let many = start + Array(repeating: "\"public.html\"", count: 50_000).joined(separator: ",")
    #expect(parse(many + "]}")?.native.count == 50_000)
    #expect(parse(many + "," + many + "]}") == nil)
    #expect(parse(start + String(repeating: " ", count: 1 << 20) + "]}") == nil)
  }
}
