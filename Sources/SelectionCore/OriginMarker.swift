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
  package init?(parsing bytes: [UInt8]) {
    guard let document = JSONValue(parsing: bytes), document["schema"] == .integer(1),
      let native = document["native"]?.arrayValue
    else { return nil }
    self.native = native.compactMap { $0.stringValue.flatMap { TypeIdentifier($0) } }
    made = [:]
    guard case .object(let members)? = document["made"] else { return }
    for member in members {
      guard let type = TypeIdentifier(member.name),
        let source = member.value.stringValue.flatMap({ TypeIdentifier($0) })
      else { continue }
      made[type] = source
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
