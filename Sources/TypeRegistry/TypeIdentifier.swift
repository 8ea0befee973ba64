/// The name of a type, such as `public.html`.
///
/// Equal names have equal values whatever the case of their letters; `description` gives the
/// spelling of the declaration. A value is a number and nothing more: copies are free, and
/// comparing or hashing does not touch the name.
///
/// Not every identifier is declared. One that is well formed but unknown conforms to nothing but
/// itself; a *dynamic* one (``isDynamic``) stands for a type described by a tag, and conforms to
/// the supertype it names, if any.
public struct TypeIdentifier: Hashable, Sendable, CustomStringConvertible,
  LosslessStringConvertible
{
  let rawValue: UInt32

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The identifier of that name, or nil when the name cannot be one.
  ///
  /// A name has letters, digits, dots, hyphens and characters beyond ASCII, in two or more labels.
  /// Names that begin with `dyn.` are accepted when they can be decoded. A process remembers all
  /// undeclared names it has met, up to a limit of some 100,000, past which new ones are refused.
  public init?(_ identifier: String) {
    guard let known = IdentifierTable.identifier(identifier) else { return nil }
    self = known
  }

  /// The name in the spelling of its declaration, or as first met when it has none.
  public var description: String {
    IdentifierTable.spelling(of: self)
  }

  /// Whether the identifier describes a type that nobody declared.
  public var isDynamic: Bool {
    rawValue & IdentifierTable.dynamicBit != 0
  }

  /// Whether the identifier begins with `public.`, the space of common types.
  public var isPublic: Bool {
    let storage = BuiltinDeclarations.storage
    if let index = storage.index(of: self) { return storage.types[index].isPublic }
    return !isDynamic && description.withTextSlice(IdentifierSyntax.isPublic)
  }

  /// Whether this is `other` or has it among its supertypes, however far.
  ///
  /// Takes no lock and a few nanoseconds for declared types.
  public func conforms(to other: TypeIdentifier, in registry: TypeRegistry = .builtin) -> Bool {
    registry.isType(self, conformingTo: other)
  }

  /// Whether `other` is among the supertypes of this type.
  ///
  /// No type is its own subtype.
  public func isSubtype(of other: TypeIdentifier, in registry: TypeRegistry = .builtin) -> Bool {
    self != other && registry.isType(self, conformingTo: other)
  }

  /// Whether this type is among the supertypes of `other`.
  ///
  /// No type is its own supertype.
  public func isSupertype(of other: TypeIdentifier, in registry: TypeRegistry = .builtin) -> Bool {
    self != other && registry.isType(other, conformingTo: self)
  }
}
