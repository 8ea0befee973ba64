public import TypeRegistry

/// One copied thing in several representations.
///
/// ```swift
/// var item = PasteboardItem()
/// item.set(bytes, for: .png)
/// item.promise(.html) { try HTMLWriter.data(from: document) }
/// item.bestType(matching: [.rtf, .html, .plainText])   // .html
/// ```
///
/// The representations stand in the owner's order, the best first. There is one for each pair of
/// type and target; setting it again replaces it where it stands.
public struct PasteboardItem: Sendable {
  /// The representations in the owner's order.
  public private(set) var representations: [Representation] = []

  /// An item without representations.
  public init() {}

  /// Whether there is nothing in it.
  public var isEmpty: Bool { representations.isEmpty }

  /// Sets the bytes of a type as the owner's own.
  public mutating func set(_ bytes: [UInt8], for type: TypeIdentifier) {
    set(Payload(bytes), for: type)
  }

  /// Sets the bytes of a type, or of one spelling of it.
  ///
  /// What is there under the same type and target is replaced where it stands, except that a made
  /// representation never replaces a native one: such a call changes nothing.
  public mutating func set(
    _ payload: Payload, for type: TypeIdentifier, target: String? = nil,
    origin: RepresentationOrigin = .native
  ) {
    put(
      Representation(type: type, origin: origin, target: target, content: .bytes(payload)))
  }

  /// Promises the bytes of a type: `make` is called when somebody asks for them, at most once.
  ///
  /// Whoever makes it from another representation names the type of that in `source`; without it
  /// the representation counts as the owner's own. A made representation never replaces a native
  /// one. `make` is called on the thread that asks first.
  public mutating func promise(
    _ type: TypeIdentifier, from source: TypeIdentifier? = nil, target: String? = nil,
    _ make: @escaping @Sendable () throws -> Payload
  ) {
    let origin = source.map { RepresentationOrigin.made(from: $0) } ?? .native
    put(
      Representation(type: type, origin: origin, target: target, content: .promise(Promise(make))))
  }

  /// The first representation of exactly this type, whatever its target.
  public func representation(for type: TypeIdentifier) -> Representation? {
    representations.first { $0.type == type }
  }

  /// The type of the best representation for a receiver; the order of `preferences` decides.
  ///
  /// Preferences may be abstract (`public.text`). Nothing is converted: the answer is a type that
  /// the item has. Use ``Negotiator`` to take conversions into account.
  public func bestType(
    matching preferences: [TypeIdentifier], in registry: TypeRegistry = .builtin
  ) -> TypeIdentifier? {
    Negotiator(table: ConversionTable(), registry: registry)
      .choose(.ordered(preferences), from: offer(in: registry))?.type
  }

  /// What negotiation looks at; the indices are those of ``representations``.
  public func offer(in registry: TypeRegistry = .builtin) -> [OfferedRepresentation] {
    representations.map { representation in
      OfferedRepresentation(
        type: representation.type, origin: representation.origin,
        isMarker: representation.isMarker(in: registry))
    }
  }

  private mutating func put(_ representation: Representation) {
    let place = representations.firstIndex {
      $0.type == representation.type && $0.target == representation.target
    }
    guard let place else {
      representations.append(representation)
      return
    }
    guard representation.origin == .native || representations[place].origin != .native else {
      return
    }
    representations[place] = representation
  }
}

extension Representation {
  /// Whether it only says something about the others: the role of its target tells, or of the name
  /// under which its type stands on the wire.
  func isMarker(in registry: TypeRegistry) -> Bool {
    let name =
      target ?? registry.tags(of: type, in: .x11Target).first
      ?? registry.preferredMIMEType(of: type) ?? type.description
    return registry.role(ofTarget: name) != .content
  }
}
