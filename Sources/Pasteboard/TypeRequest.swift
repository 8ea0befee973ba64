public import TypeRegistry

/// What a receiver accepts, in types that may be abstract such as `public.text`.
public enum TypeRequest: Hashable, Sendable {
  /// Preferences, the first one best: a lesser preference counts only where nothing gets to a
  /// better one, not even a conversion.
  case ordered([TypeIdentifier])

  /// A set without an order: whatever the owner has itself comes before anything converted.
  case unordered([TypeIdentifier])

  /// This very type as it is offered: no subtype, nothing converted.
  case exactly(TypeIdentifier)

  /// Whatever there is, as it is offered.
  case any

  /// Any text, the richest the owner has.
  public static let text = TypeRequest.unordered([.text])

  /// The types in this order of preference.
  public static func preferring(_ types: TypeIdentifier...) -> TypeRequest {
    .ordered(types)
  }
}
