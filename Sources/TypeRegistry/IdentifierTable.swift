internal import Glibc
internal import Synchronization

/// All identifiers of the process, each under one number.
///
/// The built-in declared types come first, numbered by their rows; their names are in the
/// declarations and are found without a lock. Every other identifier, dynamic ones included, gets
/// the next number when it is first met and keeps it for the life of the process. Programs on the
/// other end of a selection choose such names, so there is an end to what is remembered.
enum IdentifierTable {
  /// Set in the number of a dynamic identifier.
  static let dynamicBit: UInt32 = 0x8000_0000

  /// How many identifiers beyond the built-in ones are remembered, and how many bytes of them.
  static let countLimit = 1 << 17
  static let byteLimit = 32 << 20

  private struct Entry {
    var spelling: String
    var isDeclared: Bool
    /// What a dynamic identifier says, with its supertypes as identifiers.
    var dynamic: (content: DynamicIdentifier, parents: [TypeIdentifier])?
  }

  private struct Interned {
    var entries: [Entry] = []
    /// From spellings in small letters.
    var numbers: [String: UInt32] = [:]
    var byteCount = 0
  }

  private static let interned = Mutex(Interned())

  /// For each identifier beyond the built-in ones, by its number without the dynamic bit, its only
  /// parent's number plus one, 0 for none.
  ///
  /// So conformance of dynamic types takes no lock. An element is written before its identifier gets
  /// out of the lock and never again; whoever has the identifier has it from there, so reading needs
  /// no more order than that. The memory comes as zeros, of which only what is used becomes real.
  private nonisolated(unsafe) static let onlyParents: UnsafeMutablePointer<UInt32> = {
    guard let memory = unsafe calloc(parentCapacity, MemoryLayout<UInt32>.stride) else {
      preconditionFailure("no memory for the table of identifiers")
    }
    return unsafe memory.bindMemory(to: UInt32.self, capacity: parentCapacity)
  }()

  /// Room for the numbers of built-in types too, which stand in front and are left empty.
  private static let parentCapacity = countLimit + (1 << 14)

  private static var builtinCount: UInt32 {
    UInt32(truncatingIfNeeded: BuiltinDeclarations.storage.types.count)
  }

  /// The identifier of that name; nil when the name is none, or one too many.
  static func identifier(_ name: String) -> TypeIdentifier? {
    let builtin = name.withTextSlice { BuiltinDeclarations.storage.index(ofIdentifier: $0) }
    if let builtin { return TypeIdentifier(rawValue: UInt32(truncatingIfNeeded: builtin)) }
    guard name.withTextSlice(IdentifierSyntax.isValid) else { return nil }
    if name.withTextSlice(IdentifierSyntax.isDynamic) {
      return identifier(dynamic: name.asciiLowercased, content: nil)
    }
    return intern(name, folded: name.asciiLowercased, isDeclared: false, dynamic: nil)
  }

  /// The identifier of a type that a registry declares, whose spelling is kept from now on.
  static func identifier(declared name: String) -> TypeIdentifier? {
    let builtin = name.withTextSlice { BuiltinDeclarations.storage.index(ofIdentifier: $0) }
    if let builtin { return TypeIdentifier(rawValue: UInt32(truncatingIfNeeded: builtin)) }
    return intern(name, folded: name.asciiLowercased, isDeclared: true, dynamic: nil)
  }

  /// The dynamic identifier of that content.
  static func identifier(dynamic content: DynamicIdentifier) -> TypeIdentifier? {
    identifier(dynamic: content.identifier, content: content)
  }

  private static func identifier(
    dynamic name: String, content: DynamicIdentifier?
  ) -> TypeIdentifier? {
    let known = interned.withLock { $0.numbers[name] }
    if let known { return TypeIdentifier(rawValue: known) }
    guard let content = content ?? DynamicIdentifier(identifier: name) else { return nil }
    // A supertype may itself be dynamic. Each of these is shorter than what contains it by three
    // eighths, so this ends soon.
    let parents = content.supertypes.compactMap { identifier($0) }
    guard parents.count == content.supertypes.count else { return nil }
    return intern(name, folded: name, isDeclared: false, dynamic: (content, parents))
  }

  private static func intern(
    _ spelling: String, folded: String, isDeclared: Bool,
    dynamic: (content: DynamicIdentifier, parents: [TypeIdentifier])?
  ) -> TypeIdentifier? {
    let firstNumber = builtinCount
    return interned.withLock { table in
      if let number = table.numbers[folded] {
        let index = Int(number & ~dynamicBit) - Int(firstNumber)
        if isDeclared && !table.entries[index].isDeclared {
          table.entries[index].spelling = spelling
          table.entries[index].isDeclared = true
        }
        return TypeIdentifier(rawValue: number)
      }
      let byteCount = table.byteCount + folded.utf8.count
      guard table.entries.count < countLimit, byteCount <= byteLimit else { return nil }
      var number = firstNumber + UInt32(truncatingIfNeeded: table.entries.count)
      if let dynamic {
        number |= dynamicBit
        if dynamic.parents.count == 1 {
          let index = Int(number & ~dynamicBit)
          precondition(index < parentCapacity, "more built-in types than there is room for")
          unsafe onlyParents[index] = dynamic.parents[0].rawValue &+ 1
        }
      }
      table.byteCount = byteCount
      table.numbers[folded] = number
      table.entries.append(Entry(spelling: spelling, isDeclared: isDeclared, dynamic: dynamic))
      return TypeIdentifier(rawValue: number)
    }
  }

  private static func withEntry<Result: Sendable>(
    of type: TypeIdentifier, _ body: (Entry) -> Result
  ) -> Result? {
    let index = Int(type.rawValue & ~dynamicBit) - Int(builtinCount)
    guard index >= 0 else { return nil }
    return interned.withLock { body($0.entries[index]) }
  }

  static func spelling(of type: TypeIdentifier) -> String {
    let storage = BuiltinDeclarations.storage
    if let index = storage.index(of: type) {
      return storage.string(storage.types[index].identifier)
    }
    return withEntry(of: type) { $0.spelling } ?? ""
  }

  /// The only supertype that a dynamic identifier names; nil where there is none, or more than one,
  /// which no identifier met so far has.
  static func onlyParent(ofDynamic type: TypeIdentifier) -> TypeIdentifier? {
    guard type.isDynamic else { return nil }
    let index = Int(type.rawValue & ~dynamicBit)
    precondition(index < parentCapacity, "an identifier that was never given out")
    let parent = unsafe onlyParents[index]
    return parent == 0 ? nil : TypeIdentifier(rawValue: parent &- 1)
  }

  /// The supertypes that a dynamic identifier names; none for other identifiers.
  static func parents(ofDynamic type: TypeIdentifier) -> [TypeIdentifier] {
    guard type.isDynamic else { return [] }
    return withEntry(of: type) { $0.dynamic?.parents ?? [] } ?? []
  }

  /// The tags that a dynamic identifier names; none for other identifiers.
  static func tags(ofDynamic type: TypeIdentifier, in tagClass: TagClass) -> [String] {
    guard type.isDynamic else { return [] }
    let name = tagClass.identifier
    return withEntry(of: type) { entry in
      entry.dynamic?.content.tags.first { $0.tagClass == name }?.values ?? []
    } ?? []
  }
}
