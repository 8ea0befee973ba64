import ControlProtocol
import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing
import TypeRegistry

@testable import DaemonBackend

/// What makes text of HTML in these tests; counts how often.
private final class Converter: Sendable {
  let table = ConversionTable([
    Conversion(
      from: .html, to: .utf8PlainText, cost: 1,
      convert: { Payload("made of \($0.count) bytes") })
  ])
}

@Suite("An offer that is handed over")
struct PackedOfferTests {
  private let table = Converter().table

  /// The offer as the other process has it.
  private func handedOver(_ offer: Offer) throws -> Offer {
    let packed = try PackedOffer(offer)
    // By way of the bytes of the message.
    let place = ControlPlace(display: nil, name: "n")
    let frame = ControlRequest.publish(place, packed.description)
      .frame(tag: 1, hasAttachment: packed.contents != nil)
    guard case .publish(_, let description) = try ControlRequest(frame) else {
      throw ControlFault.notAFrame
    }
    return try #require(
      Offer(description, contents: packed.contents, table: table, in: .builtin))
  }

  private func contents(_ offer: Offer) -> [String] {
    offer.targets.map { target in
      let bytes = (try? target.content.payload().bytes).map { text($0) } ?? "refused"
      return "\(target.name) \(target.typeName) \(target.format) \(bytes)"
    }
  }

  @Test("Representations, spellings, markers and bytes are the same on the other side")
  func isTheSame() throws {
    var item = PasteboardItem()
    item.set(Payload("<b>é</b>"), for: .html)
    item.set(Payload("pixels"), for: .png, target: "image/x-own")
    item.set(Payload("é"), for: .utf8PlainText, origin: .made(from: .html))
    var offer = Offer(item)
    offer.add(
      OfferedTarget(name: "x-mark", typeName: "INTEGER", format: 32, Payload([1, 0, 0, 0])))
    offer.add(OfferedTarget(name: "x-refused", content: .refused))
    offer.serving.isOnce = true
    offer.serving.lifetime = .milliseconds(1500)
    offer.serving.guardTime = .seconds(2)
    let other = try handedOver(offer)
    #expect(contents(other) == contents(offer))
    #expect(other.serving == offer.serving)
  }

  @Test("An offer that is no item goes over target by target")
  func targetsAlone() throws {
    var offer = Offer()
    for (index, name) in ["b", "a", "UTF8_STRING", "text/html"].enumerated() {
      offer.add(OfferedTarget(name: name, Payload("content \(index)")))
    }
    #expect(contents(try handedOver(offer)) == contents(offer))
  }

  @Test("A target that was put in the place of one of the item's stays there")
  func replacedTargets() throws {
    var item = PasteboardItem()
    item.set(Payload("text"), for: .utf8PlainText)
    var offer = Offer(item)
    offer.set(OfferedTarget(name: "TEXT", Payload("other")))
    #expect(contents(try handedOver(offer)) == contents(offer))
  }

  @Test("What is promised goes over as a promise and is made there")
  func promises() throws {
    var item = PasteboardItem()
    item.set(Payload("<p>12</p>"), for: .html)
    item.addConversions(from: table, to: [.utf8PlainText])
    let packed = try PackedOffer(Offer(item))
    #expect(
      packed.description.representations.map(\.content) == [
        .bytes(.init(offset: 0, count: 9)), .converted,
      ])
    #expect(packed.contents?.count == 9)
    let other = try handedOver(Offer(item))
    let target = try #require(other.target(named: "UTF8_STRING"))
    guard case .toBeMade = target.content.state else {
      Issue.record("it was made before anybody asked")
      return
    }
    #expect(try target.content.payload() == Payload("made of 9 bytes"))
  }

  @Test("The same bytes under several names go over once")
  func sharedBytes() throws {
    let shared = Payload(scrambledBytes(100_000))
    var item = PasteboardItem()
    item.set(shared, for: .html)
    item.set(shared, for: .html, target: "text/html;charset=utf-8")
    let packed = try PackedOffer(Offer(item))
    #expect(packed.contents?.count == 100_000)
  }

  @Test("Without a byte there is no file")
  func emptyContents() throws {
    var item = PasteboardItem()
    item.set(Payload([]), for: .utf8PlainText)
    #expect(try PackedOffer(Offer(item)).contents == nil)
    #expect(contents(try handedOver(Offer(item))) == contents(Offer(item)))
  }

  @Test("What cannot be is no offer")
  func senselessDescriptions() {
    func offer(_ change: (inout OfferDescription) -> Void) -> Offer? {
      var description = OfferDescription()
      change(&description)
      return Offer(description, contents: nil, table: table, in: .builtin)
    }
    #expect(offer { _ in }?.targets.isEmpty == true)
    // No such type, no such conversion, nothing to make it of, no such charset, no such bytes.
    for representation: OfferDescription.Representation in [
      .init(type: "", target: nil, source: nil, content: .refused),
      .init(type: "public.html", target: nil, source: "not a type", content: .refused),
      .init(type: "public.png", target: nil, source: "public.html", content: .converted),
      .init(
        type: "public.utf8-plain-text", target: nil, source: "public.html", content: .converted),
      .init(
        type: "public.png", target: nil, source: nil, content: .bytes(.init(offset: 0, count: 1))),
    ] {
      #expect(offer { $0.representations = [representation] } == nil, "\(representation)")
    }
    #expect(offer { $0.spellings = [.init(target: "x", replyType: "x", charset: "none")] } == nil)
  }
}
