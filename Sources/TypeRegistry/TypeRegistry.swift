/// What types there are, what they conform to, and what they are called elsewhere.
///
/// A registry never changes; copies share it. Most programs use ``builtin``.
public struct TypeRegistry: Sendable {
  /// The declarations of a registry of its own; nil for the built-in ones, which are part of the program.
  private let ownStorage: DeclarationStorage?

  var storage: DeclarationStorage { ownStorage ?? BuiltinDeclarations.storage }

  /// The declarations that come with the library.
  ///
  /// They have Apple's types and what Linux programs put on the clipboard, and are part of the program,
  /// tables for look-ups included: the first question costs no more than any other.
  public static let builtin = TypeRegistry()

  /// The text of the built-in declarations.
  ///
  /// A registry that knows more is made from it and declarations of one's own:
  ///
  ///     try TypeRegistry(parsing: mine + TypeRegistry.builtinDeclarations)
  ///
  /// What stands first wins ties.
  public static var builtinDeclarations: [UInt8] {
    BuiltinDeclarations.bytes
  }

  private init() { ownStorage = nil }

  init(storage: DeclarationStorage) { ownStorage = storage }

  /// Reads declarations in the format of the package's `data` directory.
  ///
  /// The registry has these types alone, none of the built-in ones. Throws for the first row that
  /// is wrong.
  public init(parsing declarations: [UInt8]) throws(TypeDeclarationError) {
    guard String(validating: declarations, as: UTF8.self) != nil else {
      throw TypeDeclarationError(line: 1, .notUTF8)
    }
    let text = UnsafeMutableRawBufferPointer.allocate(
      byteCount: declarations.count, alignment: 8)
    unsafe text.copyBytes(from: declarations)
    do throws(TypeDeclarationError) {
      let bytes = UnsafeRawBufferPointer(text)
      let slice = unsafe TextSlice(borrowing: bytes)
      let tables = try DeclarationParser.parse(slice, checks: true)
      var identifiers: [TypeIdentifier] = []
      identifiers.reserveCapacity(tables.types.count)
      for type in tables.types {
        let name = slice[type.identifier.range].string
        guard let identifier = IdentifierTable.identifier(declared: name) else {
          throw TypeDeclarationError(line: Int(type.line), .tooManyIdentifiers)
        }
        identifiers.append(identifier)
      }
      ownStorage = unsafe DeclarationStorage(
        text: bytes, ownsText: true, tables: tables, builtinCount: 0, identifiers: identifiers)
    } catch {
      unsafe text.deallocate()
      throw error
    }
  }

  // MARK: Types

  /// Whether the registry has a declaration of the type.
  public func isDeclared(_ type: TypeIdentifier) -> Bool {
    storage.index(of: type) != nil
  }

  /// All declared types, in the order of their declarations.
  public var declaredTypes: [TypeIdentifier] {
    storage.types.indices.map { storage.identifier(at: $0) }
  }

  /// The types that `type` is declared to conform to, in the order of the declaration.
  ///
  /// For a dynamic type, the supertype it names.
  public func parents(of type: TypeIdentifier) -> [TypeIdentifier] {
    guard let index = storage.index(of: type) else {
      return IdentifierTable.parents(ofDynamic: type)
    }
    return storage.parents[storage.types[index].parents.indices].map {
      storage.identifier(at: Int($0))
    }
  }

  /// All types that `type` conforms to, itself excluded: each parent, followed by its own
  /// supertypes, in the order of the declarations.
  public func supertypes(of type: TypeIdentifier) -> [TypeIdentifier] {
    var result: [TypeIdentifier] = []
    var seen: Set<TypeIdentifier> = [type]
    var stack = Array(parents(of: type).reversed())
    while let next = stack.popLast() {
      guard seen.insert(next).inserted else { continue }
      result.append(next)
      stack.append(contentsOf: parents(of: next).reversed())
    }
    return result
  }

  /// A few words on the type, its own or those of the first supertype that has any.
  ///
  /// Nil for types that are not declared.
  public func description(of type: TypeIdentifier) -> String? {
    guard let index = storage.index(of: type) else { return nil }
    let own = storage.types[index].description
    if !own.isEmpty { return storage.string(own) }
    for supertype in supertypes(of: type) {
      guard let index = storage.index(of: supertype) else { continue }
      let description = storage.types[index].description
      if !description.isEmpty { return storage.string(description) }
    }
    return nil
  }

  func isType(_ type: TypeIdentifier, conformingTo other: TypeIdentifier) -> Bool {
    // Undeclared: what a dynamic type conforms to is part of its name.
    var type = type
    while type != other, let parent = IdentifierTable.onlyParent(ofDynamic: type) { type = parent }
    if type == other { return true }
    if ownStorage == nil {
      let conformance = BuiltinDeclarations.conformance
      let count = UInt32(truncatingIfNeeded: conformance.columns.count)
      if type.rawValue < count {
        return other.rawValue < count
          && conformance.conforms(Int(type.rawValue), to: Int(other.rawValue))
      }
    }
    // Taken once: each time costs more than the question itself.
    let storage = storage
    if let index = storage.index(of: type) {
      guard let otherIndex = storage.index(of: other) else { return false }
      return storage.conforms(index, to: otherIndex)
    }
    guard type.isDynamic else { return false }
    return IdentifierTable.parents(ofDynamic: type).contains { isType($0, conformingTo: other) }
  }
}
