extension TypeRegistry {
  /// What a name on the wire means: an X11 target, or a MIME type on X11 or Wayland.
  ///
  /// The name is looked for as an X11 target, as a MIME type, as a legacy pasteboard name, as a
  /// type identifier, and among the patterns; what is still unknown becomes a dynamic type. There
  /// is always an answer, and it never throws away what the sender said: unknown text is text, an
  /// unknown image is an image, anything else is data.
  public func type(forTarget name: String) -> TypeIdentifier {
    if let type = declaredType(forTarget: name) { return type }
    if let type = MIMEType(name) { return dynamicType(forMIMEType: type) }
    let isPasteboardName = isKnown(name, in: .pasteboardName)
    return dynamicType(for: name, in: isPasteboardName ? .pasteboardName : .x11Target)
  }

  /// What a name on the wire means, where a declaration says so.
  package func declaredType(forTarget name: String) -> TypeIdentifier? {
    if let type = type(for: name, in: .x11Target) ?? type(for: name, in: .mimeType)
      ?? type(for: name, in: .pasteboardName)
    {
      return type
    }
    if let index = name.withTextSlice({ storage.index(ofIdentifier: $0) }) {
      return storage.identifier(at: index)
    }
    if let owner = pattern(matching: name)?.owner, owner != DeclarationStorage.NameEntry.none {
      return storage.identifier(at: Int(owner))
    }
    return nil
  }

  /// The declared type with this identifier.
  package func declaredType(named identifier: String) -> TypeIdentifier? {
    identifier.withTextSlice { storage.index(ofIdentifier: $0) }.map { storage.identifier(at: $0) }
  }

  /// Whether the type of ``type(forTarget:)`` conforms to another one.
  ///
  /// A name that nobody declared gets no identifier by that, which the process would keep for ever: for
  /// those that run for weeks and are told names by anybody.
  package func isTarget(_ name: String, conformingTo type: TypeIdentifier) -> Bool {
    if let declared = declaredType(forTarget: name) { return isType(declared, conformingTo: type) }
    // Who asks for a dynamic type has made it already.
    if type.isDynamic { return isType(self.type(forTarget: name), conformingTo: type) }
    let supertypes = MIMEType(name)?.impliedSupertypes ?? [.data]
    return supertypes.contains { isType($0, conformingTo: type) }
  }

  /// All types that a name on the wire means, the best first: the owners of the first class of tags
  /// in which it has any, else the one type of ``type(forTarget:)``.
  public func types(forTarget name: String) -> [TypeIdentifier] {
    for tagClass in [TagClass.x11Target, .mimeType, .pasteboardName] {
      let owners = declaredTypes(for: name, in: tagClass)
      if !owners.isEmpty { return owners }
    }
    return [type(forTarget: name)]
  }

  /// What a name on the wire is for; content when nothing is known of it.
  public func role(ofTarget name: String) -> TargetRole {
    for namespace in [DeclarationStorage.Namespace.x11Target, .pasteboardName] {
      let role = name.withTextSlice { slice in
        Self.role(of: storage.entries(for: slice, in: namespace))
      }
      if let role { return role }
    }
    return firstMIMEEntries(for: name, Self.role) ?? pattern(matching: name)?.role ?? .content
  }

  private static func role(of entries: DeclarationStorage.NameEntries) -> TargetRole? {
    for entry in entries {
      if let role = entry.role { return role }
    }
    return nil
  }

  private func isKnown(_ name: String, in namespace: DeclarationStorage.Namespace) -> Bool {
    name.withTextSlice { slice in
      !storage.entries(for: slice, in: namespace).isEmpty
        || storage.pattern(matching: slice, in: namespace) != nil
    }
  }

  private func pattern(matching name: String) -> DeclarationStorage.Pattern? {
    name.withTextSlice { slice in
      storage.pattern(matching: slice, in: .x11Target)
        ?? storage.pattern(matching: slice, in: .mimeType)
        ?? storage.pattern(matching: slice, in: .pasteboardName)
    }
  }

  /// The dynamic type of a MIME type that no declared type has.
  func dynamicType(forMIMEType type: MIMEType) -> TypeIdentifier {
    dynamicType(
      for: type.description, in: .mimeType, conformingToAll: type.impliedSupertypes)
  }
}
