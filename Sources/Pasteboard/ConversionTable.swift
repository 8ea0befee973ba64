public import TypeRegistry

/// The conversions that a program has, one for each pair of types.
///
/// What can be offered is computed from the table; what is converted is only what somebody asks
/// for. A conversion also serves the types that conform to its source (what escapes plain text to
/// HTML escapes source code too), unless one from a nearer type leads to the same place. The one
/// exception is text in an encoding of its own: nothing that reads plain text is let loose on
/// UTF-16, which needs an entry of its own.
public struct ConversionTable: Sendable {
  /// All conversions, in the order in which they were added.
  public private(set) var conversions: [Conversion] = []

  /// A table of these conversions; of two for the same pair the later counts.
  public init(_ conversions: [Conversion] = []) {
    for conversion in conversions { add(conversion) }
  }

  /// Adds a conversion; one for the same pair of types is replaced where it stands.
  public mutating func add(_ conversion: Conversion) {
    let place = conversions.firstIndex { $0.from == conversion.from && $0.to == conversion.to }
    if let place {
      conversions[place] = conversion
    } else {
      conversions.append(conversion)
    }
  }

  /// The conversions whose result is accepted.
  func leading(to accepts: (TypeIdentifier) -> Bool) -> ConversionTable {
    var table = self
    table.conversions.removeAll { !accepts($0.to) }
    return table
  }

  /// What a representation of this type can be converted to, at most one way to each type.
  public func conversions(
    from type: TypeIdentifier, in registry: TypeRegistry = .builtin
  ) -> [Conversion] {
    // A table has some dozen entries: a second list beats a dictionary, and keeps their order.
    var found: [Conversion] = []
    for conversion in conversions where conversion.applies(to: type, in: registry) {
      if let place = found.firstIndex(where: { $0.to == conversion.to }) {
        if conversion.isNearer(than: found[place], in: registry) { found[place] = conversion }
      } else {
        found.append(conversion)
      }
    }
    return found
  }

  /// How a representation of one type becomes one of exactly the other; nil if there is no way.
  public func conversion(
    from type: TypeIdentifier, to target: TypeIdentifier, in registry: TypeRegistry = .builtin
  ) -> Conversion? {
    var found: Conversion?
    for conversion in conversions
    where conversion.to == target && conversion.applies(to: type, in: registry) {
      if found.map({ conversion.isNearer(than: $0, in: registry) }) ?? true { found = conversion }
    }
    return found
  }
}

extension Conversion {
  fileprivate func applies(to type: TypeIdentifier, in registry: TypeRegistry) -> Bool {
    guard type != from else { return true }
    return type != to && type.conforms(to: from, in: registry)
      && !PlainTextForm.unreadable.contains { encoded in
        type.conforms(to: encoded, in: registry) && !from.conforms(to: encoded, in: registry)
      }
  }

  /// Whether it starts closer to a type that both apply to: from a subtype of where the other
  /// starts, or, where neither is one, at less cost.
  fileprivate func isNearer(than other: Conversion, in registry: TypeRegistry) -> Bool {
    if from.conforms(to: other.from, in: registry) { return from != other.from }
    return !other.from.conforms(to: from, in: registry) && cost < other.cost
  }
}
