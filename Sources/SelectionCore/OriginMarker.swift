package import TypeRegistry

/// Which representations of an offer are native and which were made from which: what
/// `application/x-clipview-origin` says, so that a reader can go to the original.
///
/// `{"schema":1,"native":["public.html"],"made":{"public.utf8-plain-text":"public.html"}}`; see
/// Documentation/protocols/origin-marker.md.
package struct OriginMarker: Hashable, Sendable {
  package static let target = "application/x-clipview-origin"

  package var native: [TypeIdentifier]
  package var made: [TypeIdentifier: TypeIdentifier]

  package init(native: [TypeIdentifier], made: [TypeIdentifier: TypeIdentifier]) {
    self.native = native
    self.made = made
  }

  /// Reads a marker that some peer sent; nil when it is none that we understand.
  ///
  /// - Parameter registry: The types that count: those that it declares; nil for any. A process keeps all
  ///   others that it has met, so one that runs for weeks asks for no more than it needs.
  package init?(parsing bytes: [UInt8], of registry: TypeRegistry? = nil) {
    func type(_ name: String?) -> TypeIdentifier? {
      guard let name else { return nil }
      return if let registry { registry.declaredType(named: name) } else { TypeIdentifier(name) }
    }
    guard let document = JSONValue(parsing: bytes), document["schema"] == .integer(1),
      let native = document["native"]?.arrayValue
    else { return nil }
    self.native = native.compactMap { type($0.stringValue) }
    made = [:]
    guard case .object(let members)? = document["made"] else { return }
    for member in members {
      guard let made = type(member.name), let source = type(member.value.stringValue) else {
        continue
      }
      self.made[made] = source
    }
  }

  package var bytes: [UInt8] {
    let made = made.sorted { $0.key.description < $1.key.description }
    let document = JSONValue.object([
      .init("schema", .integer(1)),
      .init("native", .array(native.map { .string($0.description) })),
      .init(
        "made", .object(made.map { .init($0.key.description, .string($0.value.description)) })),
    ])
    return Array(document.description.utf8)
  }
}
