public import TypeRegistry

/// A representation as negotiation sees it: what it is, not what is in it.
///
/// An offer is a list of these in the owner's order.
public struct OfferedRepresentation: Hashable, Sendable {
  /// The type of the representation.
  public let type: TypeIdentifier

  /// Whether it is the owner's own or made from something else.
  public let origin: RepresentationOrigin

  /// Whether it only says something about the others, such as that files were cut.
  public let isMarker: Bool

  /// A representation as negotiation sees it.
  public init(
    type: TypeIdentifier, origin: RepresentationOrigin = .native, isMarker: Bool = false
  ) {
    self.type = type
    self.origin = origin
    self.isMarker = isMarker
  }
}

/// The one answer of a negotiation.
public struct NegotiatedChoice: Hashable, Sendable {
  /// Which representation of the offer is read.
  public let index: Int

  /// What it is then converted to; nil if it is taken as it is.
  public let conversion: TypeIdentifier?

  /// What the way from the original costs: zero for a native representation taken as it is.
  public let cost: Int

  /// The type of what the receiver gets.
  public let type: TypeIdentifier

  /// An answer: the representation at `index`, taken as it is or converted.
  public init(index: Int, conversion: TypeIdentifier?, cost: Int, type: TypeIdentifier) {
    self.index = index
    self.conversion = conversion
    self.cost = cost
    self.type = type
  }
}
