internal import SelectionCore
internal import TypeRegistry

extension ReceivedRepresentation {
  /// Whether the answer's type is of another kind than what was asked for: an image for text.
  ///
  /// Spellings of text answer for each other, and what nothing is known of is taken as it comes:
  /// honest owners use types of their own.
  func isOfAnotherKind(than target: String) -> Bool {
    if typeName == target { return false }
    // Settled without the registry: the commonest paste asks for text and gets text.
    let isTextual = TextSpelling(typeName) != nil || typeName == "C_STRING"
    if isTextual, TextSpelling(target) != nil { return false }
    let registry = TypeRegistry.current
    guard let asked = kind(of: registry.type(forTarget: target)),
      let given = isTextual ? .text : kind(of: registry.type(forTarget: typeName))
    else { return false }
    return asked != given
  }

  private func kind(of type: TypeIdentifier) -> TypeIdentifier? {
    // An image that is written as text (SVG) is both; as what it is shown counts.
    let kinds: [TypeIdentifier] = [.image, .audiovisualContent, .text]
    return kinds.first { type.conforms(to: $0, in: .current) }
  }
}
