internal import TypeRegistry

/// Any bytes as declarations that are added to the built-in ones.
enum DeclarationsSubject {
  private static let header = Array(
    ("identifier\tconforms_to\textensions\tmime_types\ttargets\tpasteboard_names\tostypes\taliases"
      + "\tdescription\tnotes\n").utf8)

  /// Rows: two files with the same ones, with the line of column names in front and without.
  static func runRows(_ bytes: UnsafeRawBufferPointer) {
    let bytes = unsafe Array(bytes)
    check([
      TypeDeclarationSource(name: "one", bytes: header + bytes),
      TypeDeclarationSource(name: "two", bytes: bytes),
    ])
    // What is read with all checks is read the same way alone.
    if let registry = try? TypeRegistry(parsing: header + bytes) {
      for type in registry.declaredTypes { check(type, in: registry) }
    }
  }

  static func runPropertyList(_ bytes: UnsafeRawBufferPointer) {
    check([TypeDeclarationSource(name: "Info.plist", bytes: unsafe Array(bytes))])
  }

  private static func check(_ sources: [TypeDeclarationSource]) {
    let overlay = TypeOverlay(sources)
    let builtin = TypeRegistry.builtin
    let registry = overlay.registry
    for report in overlay.reports { precondition(report.line >= 1) }
    precondition(registry.isDeclared(.png) && TypeIdentifier.png.conforms(to: .image, in: registry))
    precondition(!TypeIdentifier.data.conforms(to: .png, in: registry))
    for type in registry.declaredTypes where !builtin.isDeclared(type) { check(type, in: registry) }
    for type in [TypeIdentifier.png, .plainText, .item] { check(type, in: registry) }
  }

  /// No type is its own supertype, and each of its tags leads back to it.
  private static func check(_ type: TypeIdentifier, in registry: TypeRegistry) {
    let supertypes = registry.supertypes(of: type)
    precondition(!supertypes.contains(type) && Set(supertypes).count == supertypes.count)
    for supertype in supertypes {
      precondition(type.isSubtype(of: supertype, in: registry))
      precondition(!supertype.conforms(to: type, in: registry))
    }
    for tagClass in TagClass.allCases {
      for tag in registry.tags(of: type, in: tagClass) {
        let owners = registry.declaredTypes(for: tag, in: tagClass)
        precondition(owners.contains(type))
        precondition(registry.type(for: tag, in: tagClass) == owners.first)
      }
    }
    _ = registry.description(of: type)
  }
}
