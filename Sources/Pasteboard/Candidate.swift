internal import TypeRegistry

/// A representation of an offer that counts, with what negotiation needs to know of it.
struct Source {
  let index: Int
  let type: TypeIdentifier
  let origin: RepresentationOrigin
  let form: PlainTextForm?

  /// The representations that are content, in the owner's order: markers never count.
  static func all(in offer: [OfferedRepresentation]) -> [Source] {
    offer.enumerated().filter { !$1.isMarker }.map { index, offered in
      Source(
        index: index, type: offered.type, origin: offered.origin,
        form: PlainTextForm(of: offered.type))
    }
  }
}

/// One way to serve a receiver: a representation, as it is or converted.
struct Candidate {
  let source: Source
  let conversion: Conversion?
  let cost: Int

  /// The representation as it is; its cost is that of the way from the original.
  init(_ source: Source, cost: Int = ConversionCost.identity) {
    self.source = source
    self.cost = cost
    conversion = nil
  }

  init(_ source: Source, conversion: Conversion) {
    self.source = source
    self.conversion = conversion
    cost = conversion.cost
  }

  var isConverted: Bool { conversion != nil }

  /// The type of what the receiver gets.
  var type: TypeIdentifier { conversion?.to ?? source.type }
}
