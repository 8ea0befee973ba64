package import Pasteboard
package import SelectionCore
package import TypeRegistry

/// What an owner offers, understood: its targets grouped into representations.
package struct OfferedContent: Sendable {
  /// One representation: its type and the targets that carry it, the one to read first in front.
  package struct Entry: Hashable, Sendable {
    package let type: TypeIdentifier
    package let targets: [String]
    package let origin: RepresentationOrigin
    package let isMarker: Bool
    /// Whether the targets are spellings of plain text.
    package let isPlainText: Bool
  }

  /// Everything the owner lists, in its order and spelling, repetitions and all.
  package let names: [String]
  /// Content and markers, in the owner's order, each target once.
  package let entries: [Entry]

  package init(
    _ names: [String], marker: OriginMarker? = nil, on wire: TextSpelling.Wire,
    in registry: TypeRegistry = .current
  ) {
    self.names = names
    var entries: [Entry] = []
    let plainText = TextSpelling.ranked(among: names, on: wire).map(\.target)
    var hasPlainText = false
    for name in names.eachOnce {
      let role = registry.role(ofTarget: name)
      guard role != .transferProtocol else { continue }
      if TextSpelling(name) != nil {
        guard !hasPlainText else { continue }
        hasPlainText = true
        entries.append(
          Entry(
            type: .utf8PlainText, targets: plainText.eachOnce,
            origin: Self.origin(of: .utf8PlainText, marker), isMarker: false, isPlainText: true))
        continue
      }
      let type = registry.type(forTarget: name)
      entries.append(
        Entry(
          type: type, targets: [name], origin: Self.origin(of: type, marker),
          isMarker: role == .marker, isPlainText: false))
    }
    self.entries = entries
  }

  private static func origin(
    of type: TypeIdentifier, _ marker: OriginMarker?
  ) -> RepresentationOrigin {
    marker?.made[type].map { .made(from: $0) } ?? .native
  }

  /// What negotiation looks at.
  package var offer: [OfferedRepresentation] {
    entries.map { OfferedRepresentation(type: $0.type, origin: $0.origin, isMarker: $0.isMarker) }
  }

  /// The names of content and markers, in the owner's order, each once.
  package static func contentNames(
    _ names: [String], in registry: TypeRegistry = .current
  ) -> [String] {
    names.filter { registry.role(ofTarget: $0) != .transferProtocol }.eachOnce
  }
}
