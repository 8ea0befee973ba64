internal import TypeRegistry

/// Any bytes as a MIME type, an identifier, a tag of each class and the name of a file.
enum NamesSubject {
  private static let registry = TypeRegistry.builtin

  static func run(_ bytes: UnsafeRawBufferPointer) {
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    checkMIMEType(text)
    checkIdentifier(text)
    for tagClass in TagClass.allCases {
      let types = registry.types(for: text, in: tagClass)
      precondition(types.isEmpty == !tagClass.canHave(text) || registry.isDeclared(types[0]))
      precondition(Set(types).count == types.count)
      for type in types where type.isDynamic {
        precondition(types.count == 1 && TypeIdentifier(type.description) == type)
      }
    }
    let target = registry.type(forTarget: text)
    precondition(registry.types(forTarget: text).contains(target))
    _ = registry.role(ofTarget: text)
    _ = registry.types(forFileNamed: text, conformingTo: .data)
  }

  /// The canonical spelling means the same, and is its own canonical spelling.
  private static func checkMIMEType(_ text: String) {
    guard let type = MIMEType(text) else { return }
    guard let again = MIMEType(type.description) else {
      preconditionFailure("the canonical spelling is no MIME type")
    }
    precondition(again == type && again.description == type.description)
    precondition(again.hashValue == type.hashValue)
  }

  /// The name of an identifier leads back to it, in small letters too.
  private static func checkIdentifier(_ text: String) {
    guard let type = TypeIdentifier(text) else { return }
    precondition(TypeIdentifier(type.description) == type)
    precondition(type.conforms(to: type) && !type.isSubtype(of: type))
    for supertype in registry.supertypes(of: type) {
      precondition(type.conforms(to: supertype) && supertype != type)
    }
    precondition(!(type.isDynamic && (type.isPublic || registry.isDeclared(type))))
  }
}
