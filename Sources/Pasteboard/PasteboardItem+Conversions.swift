public import TypeRegistry

extension PasteboardItem {
  /// Adds what can be made from the native representations, as promises, behind what is there.
  ///
  /// For each of `targets`, in their order: what the item has under that type stays as it is; else
  /// the source is the native representation that gets there at the least cost, in the best
  /// encoding, and among equals the first in the owner's order. Where a native representation
  /// conforms to the target no other is the source: nothing makes better HTML than the HTML that is
  /// there. Types that cannot be reached by one conversion are left out.
  ///
  /// Call it when the native representations are complete: what is made is made from those that
  /// stand there now.
  public mutating func addConversions(
    from table: ConversionTable, to targets: [TypeIdentifier],
    in registry: TypeRegistry = .builtin
  ) {
    let natives = Source.all(in: offer(in: registry)).filter { $0.origin == .native }
    for target in targets where representation(for: target) == nil {
      let demand = Demand(registry, table) { $0 == target }
      let best = demand.conversion(in: natives)
      let own = natives.filter { $0.type.conforms(to: target, in: registry) }
      // Another encoding of the text that is there costs nothing, so it is that text.
      let isFree = best?.cost == ConversionCost.characterSet
      let way = own.isEmpty || isFree ? best : demand.conversion(in: own)
      guard let way, let conversion = way.conversion else { continue }
      let source = representations[way.source.index]
      promise(target, from: source.type) {
        try conversion.convert(source.payload(), target: source.target)
      }
    }
  }
}
