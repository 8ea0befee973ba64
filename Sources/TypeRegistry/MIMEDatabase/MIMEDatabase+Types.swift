// What the database's answers are in type identifiers.
//
// There are two graphs on purpose. That of the database tells formats: a drawing may be a kind of
// zip archive, and JSON a kind of JavaScript. That of identifiers tells what something is for and
// what can read it, and knows images, movies, and documents. Declared types keep the parents of
// their declarations; only types that nobody declared take some from the database.
extension MIMEDatabase {
  /// The type that a MIME type means; nil for what is no MIME type.
  ///
  /// A MIME type that is a tag of a declared type means that one, whatever the database takes it
  /// for: `image/heic` is no HEIF in general, though the database has it as an alias of
  /// `image/heif`. One that is none means the declared type of the name that the database prefers,
  /// else that of the other names, where all of these lead to one.
  ///
  /// What is left has no declared type and gets the dynamic one of the preferred name, which is the
  /// same in every process and on every system, and which ``TypeRegistry`` makes without a database
  /// as well. What it conforms to is part of it as far as the name tells (images, audio, movies,
  /// text, fonts, 3D content, messages; XML, JSON and zip by the suffix); ``isType(_:conformingTo:in:)``
  /// knows the rest.
  public func type(
    forMIMEType name: String, in registry: TypeRegistry = .builtin
  ) -> TypeIdentifier? {
    guard var type = MIMEType(name) else { return nil }
    if let declared = registry.type(for: name, in: .mimeType) { return declared }
    let graph = overlay.graph
    let canonical = graph.canonicalName(of: type.essence)
    if let declared = registry.type(for: canonical, in: .mimeType) { return declared }
    if let declared = commonType(of: graph.aliases(of: canonical), in: registry) {
      return declared
    }
    type.essence = canonical.asciiLowercased
    return registry.dynamicType(forMIMEType: type)
  }

  /// The declared type that all names with one have, or that the types of the others conform to.
  private func commonType(of names: [String], in registry: TypeRegistry) -> TypeIdentifier? {
    var common: TypeIdentifier?
    for name in names {
      guard let type = registry.type(for: name, in: .mimeType) else { continue }
      guard let known = common else {
        common = type
        continue
      }
      if known.conforms(to: type, in: registry) {
        common = type
      } else if !type.conforms(to: known, in: registry) {
        return nil
      }
    }
    return common
  }

  // MARK: Files

  /// The type of a file with that name.
  ///
  /// What the database says and what the declared extensions say are put together: an extension
  /// tells apart what one MIME type covers (`m4a` and `mp4` are both `audio/mp4`), the database
  /// decides between formats. Always answers: a name that says nothing means a dynamic type of its
  /// extension, one without an extension ``TypeIdentifier/data``.
  ///
  /// - Parameters:
  ///   - name: A path or a name; what stands behind the last slash counts.
  ///   - registry: The declared types to tell by.
  public func type(
    forFileName name: String, in registry: TypeRegistry = .builtin
  ) -> TypeIdentifier {
    let named = mimeTypes(forFileName: name)
    if let type = type(named, best: named.first, name, registry) { return type }
    guard let ending = Self.filenameExtension(of: name, registry) else { return .data }
    return registry.dynamicType(for: ending, in: .filenameExtension)
  }

  /// The type of a file with that name and content.
  ///
  /// As ``type(forFileName:in:)``, with a look at the content where the name leaves several types or
  /// none.
  public func type(
    forFileName name: String, content: [UInt8], in registry: TypeRegistry = .builtin
  ) -> TypeIdentifier {
    let named = mimeTypes(forFileName: name)
    let all = mimeTypes(forFileName: name, content: content)
    let best = named.isEmpty ? nil : all.first
    return type(named, best: best, name, registry) ?? type(forContent: content, in: registry)
  }

  /// The type of content without a name.
  ///
  /// Content that no rule knows is plain text or ``TypeIdentifier/data``.
  public func type(
    forContent content: [UInt8], in registry: TypeRegistry = .builtin
  ) -> TypeIdentifier {
    let best = mimeTypes(forContent: content).first
    guard let best, best != "application/x-zerosize" else { return .data }
    return type(forMIMEType: best, in: registry) ?? .data
  }

  /// The type of a name for which the database has `named`, of which `best` is chosen.
  private func type(
    _ named: [String], best: String?, _ name: String, _ registry: TypeRegistry
  ) -> TypeIdentifier? {
    let owners = Self.owners(of: name, registry)
    guard let best else { return owners.first }
    guard let type = type(forMIMEType: best, in: registry) else { return owners.first }
    let graph = overlay.graph
    let closest = owners.first { owner in
      owner == type || owner.conforms(to: type, in: registry)
        || registry.tags(of: owner, in: .mimeType).contains { graph.canonicalName(of: $0) == best }
    }
    if let closest { return closest }
    // Where the database has nothing declared to say, the extension has; but not where it stands
    // for several formats, of which the declared types need not have this one.
    if !registry.isDeclared(type), named.count == 1, let owner = owners.first { return owner }
    return type
  }

  /// The declared types of the longest ending of the name that has any.
  private static func owners(
    of name: String, _ registry: TypeRegistry
  ) -> [TypeIdentifier] {
    guard let ending = filenameExtension(of: name, registry) else { return [] }
    return registry.declaredTypes(for: ending, in: .filenameExtension)
  }

  /// The extension of what stands behind the last slash.
  private static func filenameExtension(of path: String, _ registry: TypeRegistry) -> String? {
    let name = path.utf8.suffix(while: { $0 != UInt8(ascii: "/") })
    return String(name).flatMap { registry.filenameExtension(ofFileNamed: $0) }
  }

  // MARK: Conformance

  /// Whether a type is another one or conforms to it, what the database knows of undeclared types
  /// included.
  ///
  /// A type that is declared in `registry` conforms to what its declaration says and to nothing
  /// else. One that is not, but stands for a MIME type, conforms to what the name implies and to the
  /// types of its parents in the database; each `text/` type is plain text there.
  public func isType(
    _ type: TypeIdentifier, conformingTo other: TypeIdentifier,
    in registry: TypeRegistry = .builtin
  ) -> Bool {
    if type.conforms(to: other, in: registry) { return true }
    if registry.isDeclared(type) { return false }
    return supertypes(of: type, in: registry).contains(other)
  }

  /// All types that a type conforms to, itself excluded, by the rules of
  /// ``isType(_:conformingTo:in:)``, in the order of ``TypeRegistry/supertypes(of:)``.
  public func supertypes(
    of type: TypeIdentifier, in registry: TypeRegistry = .builtin
  ) -> [TypeIdentifier] {
    var result: [TypeIdentifier] = []
    var seen: Set<TypeIdentifier> = [type]
    var stack = Array(parents(of: type, in: registry).reversed())
    while let next = stack.popLast() {
      guard seen.insert(next).inserted else { continue }
      result.append(next)
      stack.append(contentsOf: parents(of: next, in: registry).reversed())
    }
    return result
  }

  /// The types that a type conforms to without others between them, by the rules of
  /// ``isType(_:conformingTo:in:)``.
  public func parents(
    of type: TypeIdentifier, in registry: TypeRegistry = .builtin
  ) -> [TypeIdentifier] {
    var parents = registry.parents(of: type)
    if registry.isDeclared(type) { return parents }
    let graph = overlay.graph
    for tag in registry.tags(of: type, in: .mimeType) {
      guard let name = MIMEType(tag)?.essence else { continue }
      var names = graph.parents(of: name)
      if MIMETypeGraph.isImplied("text/plain", by: name) { names.append("text/plain") }
      // A parent that is a kind of its child would make both the same.
      for parent in names where !graph.isKind(parent, of: name) {
        guard let parent = self.type(forMIMEType: parent, in: registry), parent != type,
          !parents.contains(parent)
        else { continue }
        parents.append(parent)
      }
    }
    return parents
  }
}

extension BidirectionalCollection {
  /// The longest end in which all elements are of a kind.
  fileprivate func suffix(while predicate: (Element) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex {
      let before = index(before: start)
      guard predicate(self[before]) else { break }
      start = before
    }
    return self[start...]
  }
}
