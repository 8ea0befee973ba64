import Pasteboard
import Testing
import TypeRegistry

/// What must hold for every answer, tried on all offers of up to three representations of a small
/// world: the texts of the cost table, a picture, something private; native, made, markers.
@Suite("Negotiation over all small offers")
struct NegotiationPropertyTests {
  private static let world: [OfferedRepresentation] = [
    .native(.markdown), .native(.rtf), .native(.html), .native(.utf8PlainText),
    .native(.plainText), .native(.png), .native(.privateFormat),
    .made(.html, from: .markdown), .made(.rtf, from: .markdown), .made(.markdown, from: .rtf),
    .made(.html, from: .plainText), .made(.utf8PlainText, from: .html),
    .marker(.html),
  ]

  private static let offers: [[OfferedRepresentation]] = {
    let one = world.map { [$0] }
    let two = one.flatMap { offer in world.map { offer + [$0] } }
    let three = two.flatMap { offer in world.map { offer + [$0] } }
    return one + two + three
  }()

  private static let wanted: [TypeIdentifier] = [
    .markdown, .rtf, .html, .utf8PlainText, .plainText, .text, .image, .privateFormat,
  ]

  private static let sets: [[TypeIdentifier]] = [
    [.html, .rtf], [.markdown, .html], [.utf8PlainText, .image], [.html, .plainText], [.text],
    [.image, .text, .privateFormat],
  ]

  private let negotiator = Negotiator.standard

  /// All that could be done for a receiver that accepts `types`, found by trying everything:
  /// natives as they are, made ones as they are, natives converted once.
  private func possibilities(
    _ types: [TypeIdentifier], _ offer: [OfferedRepresentation]
  ) -> [(choice: NegotiatedChoice, isNative: Bool)] {
    func accepts(_ type: TypeIdentifier) -> Bool { types.contains { type.conforms(to: $0) } }
    var found: [(NegotiatedChoice, Bool)] = []
    for (index, offered) in offer.enumerated() where !offered.isMarker {
      switch offered.origin {
      case .native:
        if accepts(offered.type) { found.append((.taken(index, offered.type), true)) }
        for way in ConversionTable.standard.conversions(from: offered.type) where accepts(way.to) {
          found.append((.converted(index, to: way.to, cost: way.cost), way.cost == 0))
        }
      case .made(let original):
        guard accepts(offered.type) else { continue }
        let way = ConversionTable.standard.conversion(from: original, to: offered.type)
        found.append((.taken(index, offered.type, cost: way?.cost ?? 0), false))
      }
    }
    return found
  }

  /// Calls `body` with every offer; fails once and not a thousand times.
  private func forAllOffers(_ body: ([OfferedRepresentation]) -> String?) {
    for offer in Self.offers {
      if let complaint = body(offer) {
        Issue.record("\(complaint): \(offer)")
        return
      }
    }
  }

  @Test("An answer is possible, native where a native one is, and never dearer than need be")
  func answersArePossibleNativeAndCheapest() {
    let requests =
      Self.wanted.map { (TypeRequest.ordered([$0]), [$0]) }
      + Self.sets.map { (TypeRequest.unordered($0), $0) }
    forAllOffers { offer in
      for (request, types) in requests {
        let possible = possibilities(types, offer)
        guard let choice = negotiator.choose(request, from: offer) else {
          guard possible.isEmpty else { return "no answer to \(request)" }
          continue
        }
        guard let own = possible.first(where: { $0.choice == choice }) else {
          return "impossible answer \(choice) to \(request)"
        }
        if possible.contains(where: \.isNative) {
          guard own.isNative else { return "made before native for \(request)" }
        } else if possible.contains(where: { $0.choice.cost < choice.cost }) {
          return "too dear an answer to \(request)"
        }
      }
      return nil
    }
  }

  @Test("The answer to two preferences is that to the first, else that to the second")
  func preferencesAreTriedInOrder() {
    forAllOffers { offer in
      let answers = Self.wanted.map { negotiator.choose(.ordered([$0]), from: offer) }
      for first in Self.wanted.indices {
        for second in Self.wanted.indices {
          let request = TypeRequest.ordered([Self.wanted[first], Self.wanted[second]])
          guard negotiator.choose(request, from: offer) == answers[first] ?? answers[second] else {
            return "preferences mixed up for \(request)"
          }
        }
      }
      return nil
    }
  }

  @Test("Of native texts no richer one is passed over where text comes first")
  func richestNativeTextWins() {
    let ladder: [TypeIdentifier] = [.markdown, .rtf, .html, .utf8PlainText, .plainText]
    forAllOffers { offer in
      let native = offer.filter { $0.origin == .native && !$0.isMarker }.map(\.type)
      let choice = negotiator.choose(.unordered([.image, .text]), from: offer)
      let first = native.first { $0.conforms(to: .text) || $0.conforms(to: .image) }
      switch first {
      case nil:
        return choice.map { offer[$0.index].origin != .native } ?? true
          ? nil : "native out of thin air"
      case .png?:
        return choice?.type == .png ? nil : "the owner's first family passed over"
      default:
        return choice?.type == ladder.first { native.contains($0) }
          ? nil : "richer text passed over"
      }
    }
  }

  @Test("Markers change nothing, wherever they stand")
  func markersChangeNothing() {
    for offer in Self.offers where offer.contains(where: \.isMarker) {
      let kept = offer.indices.filter { !offer[$0].isMarker }
      let content = kept.map { offer[$0] }
      for types in Self.sets {
        let choice = negotiator.choose(.unordered(types), from: offer)
        let same = negotiator.choose(.unordered(types), from: content).map {
          NegotiatedChoice(
            index: kept[$0.index], conversion: $0.conversion, cost: $0.cost, type: $0.type)
        }
        guard choice == same else {
          Issue.record("a marker counted: \(offer)")
          return
        }
      }
    }
  }

  @Test("What the owner adds by the same conversions makes no answer better or worse")
  func addedConversionsChangeNoCost() {
    forAllOffers { offer in
      let natives = offer.filter { $0.origin == .native && !$0.isMarker }
      guard natives.count == offer.count else { return nil }
      var item = PasteboardItem()
      for native in natives { item.set([], for: native.type) }
      var richer = item
      richer.addConversions(from: .standard, to: [.html, .rtf, .markdown, .utf8PlainText])
      for type in Self.wanted {
        let before = negotiator.choose(.ordered([type]), from: item)
        let after = negotiator.choose(.ordered([type]), from: richer)
        guard before?.cost == after?.cost else { return "another cost for \(type)" }
        guard after?.conversion == nil || after?.cost == 0 || after?.type == .utf16PlainText else {
          return "converted again for \(type)"
        }
      }
      return nil
    }
  }

  @Test("No content is ever converted twice")
  func nothingIsConvertedTwice() throws {
    for offer in Self.offers {
      var item = PasteboardItem()
      for offered in offer where !offered.isMarker {
        // A made one looks as if its owner had made it, so that a second conversion shows.
        let text =
          offered.origin == .native ? "native" : "\(shortName(of: offered.type))(native)"
        item.set(Payload(text), for: offered.type, origin: offered.origin)
      }
      item.addConversions(from: .standard, to: [.html, .rtf, .markdown, .utf8PlainText])
      var contents = try item.representations.map { try $0.payload() }
      for types in Self.sets {
        guard let choice = negotiator.choose(.unordered(types), from: item) else { continue }
        contents.append(try #require(try negotiator.payload(for: choice, of: item)))
      }
      for content in contents {
        let conversions = content.bytes.count { $0 == UInt8(ascii: "(") }
        guard conversions <= 1 else {
          Issue.record("\(String(decoding: content.bytes, as: UTF8.self)) from \(offer)")
          return
        }
      }
    }
  }
}
