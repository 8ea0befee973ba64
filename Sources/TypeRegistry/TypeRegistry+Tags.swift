extension TypeRegistry {
  /// The type that a tag means, or nil when no declared type has it.
  ///
  /// Several types may have a tag. Those that do not conform to `supertype` do not count; of the
  /// others the best one is, in this order,
  ///
  /// 1. one that has the tag by a declaration that was added (``TypeOverlay``), before one that has
  ///    it by a built-in one,
  /// 2. one of the `public.` space before others,
  /// 3. one that the tag is the preferred one of, before one that has it among others,
  /// 4. one that an app exports before one that it imports,
  /// 5. the one that was declared first.
  ///
  /// Filename extensions come without the dot. A MIME type with parameters is looked for as it is,
  /// then with its charset alone, then without parameters. So `text/plain;charset=utf-8` means
  /// `public.utf8-plain-text`, and with any charset that has no type of its own,
  /// `public.plain-text`.
  public func type(
    for tag: String, in tagClass: TagClass, conformingTo supertype: TypeIdentifier? = nil
  ) -> TypeIdentifier? {
    let storage = storage
    var demanded: Int?
    if let supertype {
      guard let index = storage.index(of: supertype) else { return nil }
      demanded = index
    }
    let namespace = DeclarationStorage.Namespace(tagClass)
    let literal = tag.withTextSlice { slice in
      storage.bestOwner(of: slice, in: namespace, conformingTo: demanded)
    }
    if let literal { return storage.identifier(at: literal) }
    guard tagClass == .mimeType else { return nil }
    let other = firstMIMEKey(of: tag) { slice in
      storage.bestOwner(of: slice, in: namespace, conformingTo: demanded)
    }
    return other.map { storage.identifier(at: $0) }
  }

  /// All types that a tag means, the best first, in the order of `type(for:in:conformingTo:)`.
  ///
  /// A tag that no declared type has means one dynamic type, which conforms to `supertype`
  /// (``dynamicType(for:in:conformingTo:)``). Empty for what can be no tag of the class
  /// (``TagClass/canHave(_:)``).
  public func types(
    for tag: String, in tagClass: TagClass, conformingTo supertype: TypeIdentifier? = nil
  ) -> [TypeIdentifier] {
    let found = declaredTypes(for: tag, in: tagClass, conformingTo: supertype)
    guard found.isEmpty, tagClass.canHave(tag) else { return found }
    let spelled = tagClass == .mimeType ? MIMEType(tag)?.description ?? tag : tag
    return [dynamicType(for: spelled, in: tagClass, conformingTo: supertype)]
  }

  /// All declared types that a tag means, the best first, in the order of
  /// `type(for:in:conformingTo:)`.
  ///
  /// Empty when there is none.
  public func declaredTypes(
    for tag: String, in tagClass: TagClass, conformingTo supertype: TypeIdentifier? = nil
  ) -> [TypeIdentifier] {
    let found = firstOwned(of: tag, in: tagClass) { entries in
      var owners: [(rank: Int, index: Int)] = []
      for entry in entries where isOwned(entry, conformingTo: supertype) {
        owners.append((storage.rank(of: entry), Int(entry.owner)))
      }
      owners.sort { ($0.rank, $0.index) < ($1.rank, $1.index) }
      var types: [TypeIdentifier] = []
      for owner in owners {
        let type = storage.identifier(at: owner.index)
        if !types.contains(type) { types.append(type) }
      }
      return types.isEmpty ? nil : types
    }
    return found ?? []
  }

  /// The type that stands for a tag which no declared type has, made from the tag itself.
  ///
  /// The identifier begins with `dyn.` and is the one that macOS makes for the tag. It conforms to
  /// `supertype` and what that conforms to. The tag of an extension or a MIME type is taken in
  /// small letters. Should the process have met too many such tags, the answer is `supertype`
  /// itself, or ``TypeIdentifier/data``.
  public func dynamicType(
    for tag: String, in tagClass: TagClass, conformingTo supertype: TypeIdentifier? = .data
  ) -> TypeIdentifier {
    dynamicType(for: tag, in: tagClass, conformingToAll: supertype.map { [$0] } ?? [])
  }

  /// As above; of several supertypes the first one stands in for a type that is one too many.
  func dynamicType(
    for tag: String, in tagClass: TagClass, conformingToAll supertypes: [TypeIdentifier]
  ) -> TypeIdentifier {
    let content = DynamicIdentifier(
      tag: tagClass.ignoresCase ? tag.asciiLowercased : tag, tagClass: tagClass.identifier,
      supertypes: supertypes.map(\.description))
    return IdentifierTable.identifier(dynamic: content) ?? supertypes.first ?? .data
  }

  /// The tags in the type's own declaration, the preferred one first; none of its supertypes'.
  ///
  /// For a dynamic type, the tag it was made from.
  public func tags(of type: TypeIdentifier, in tagClass: TagClass) -> [String] {
    guard let index = storage.index(of: type) else {
      return IdentifierTable.tags(ofDynamic: type, in: tagClass)
    }
    let namespace = DeclarationStorage.Namespace(tagClass)
    return storage.names[storage.types[index].tags.indices].compactMap { entry in
      entry.namespace == namespace ? storage.string(entry.name) : nil
    }
  }

  /// The extension that files of the type should have, without the dot.
  public func preferredFilenameExtension(of type: TypeIdentifier) -> String? {
    preferredTag(of: type, in: .filenameExtension)
  }

  /// The MIME type under which data of the type should be offered.
  public func preferredMIMEType(of type: TypeIdentifier) -> String? {
    preferredTag(of: type, in: .mimeType)
  }

  private func preferredTag(of type: TypeIdentifier, in tagClass: TagClass) -> String? {
    guard let index = storage.index(of: type) else {
      return IdentifierTable.tags(ofDynamic: type, in: tagClass).first
    }
    let namespace = DeclarationStorage.Namespace(tagClass)
    return storage.names[storage.types[index].tags.indices]
      .first { $0.isPreferred && $0.namespace == namespace }
      .map { storage.string($0.name) }
  }

  // MARK: Owners

  private func isOwned(
    _ entry: DeclarationStorage.NameEntry, conformingTo supertype: TypeIdentifier?
  ) -> Bool {
    guard entry.owner != DeclarationStorage.NameEntry.none else { return false }
    guard let supertype else { return true }
    guard let index = storage.index(of: supertype) else { return false }
    return storage.conforms(Int(entry.owner), to: index)
  }

  private func firstOwned<Result>(
    of tag: String, in tagClass: TagClass,
    _ body: (DeclarationStorage.NameEntries) -> Result?
  ) -> Result? {
    if tagClass == .mimeType { return firstMIMEEntries(for: tag, body) }
    return tag.withTextSlice { slice in
      body(storage.entries(for: slice, in: DeclarationStorage.Namespace(tagClass)))
    }
  }

  /// What `body` makes of the entries of a MIME type: in the spelling given and, while that leads
  /// to nothing, in its canonical spelling, with its charset alone and without parameters.
  func firstMIMEEntries<Result>(
    for string: String, _ body: (DeclarationStorage.NameEntries) -> Result?
  ) -> Result? {
    let literal = string.withTextSlice { slice in body(storage.entries(for: slice, in: .mimeType)) }
    if let literal { return literal }
    return firstMIMEKey(of: string) { slice in body(storage.entries(for: slice, in: .mimeType)) }
  }

  /// What `body` makes of the other spellings under which a MIME type is looked for, the most exact
  /// first, until that leads to something.
  private func firstMIMEKey<Result>(
    of string: String, _ body: (TextSlice) -> Result?
  ) -> Result? {
    // Without parameters and blanks there is only one spelling.
    let hasMore = string.utf8.contains { $0 == 0x3b || $0 == 0x20 || $0 == 0x09 }
    guard hasMore, let type = MIMEType(string) else { return nil }
    var tried = string
    for key in type.lookupKeys where key != tried {
      tried = key
      if let found = key.withTextSlice(body) { return found }
    }
    return nil
  }
}
