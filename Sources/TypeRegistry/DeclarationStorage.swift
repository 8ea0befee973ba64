/// The declarations of one registry in the form that look-ups use.
///
/// It is never changed once made.
/// Nothing is copied out of the text of the declarations: names are ranges of it. All names, those
/// of types and of all tag classes, lie in one open hash table, whose slots lead to chains of
/// `NameEntry`. What a type conforms to is a set of bits, one for each type that is a supertype of
/// any other (about 110 of 770), so that asking is one load and one shift.
///
/// `@unchecked Sendable`: the text and the rows are what the compiler cannot see through. They are
/// either part of the program or owned by this object, and nobody writes to them.
@safe final class DeclarationStorage: @unchecked Sendable {
  /// A part of the text.
  struct Name: Equatable {
    var offset: UInt32 = 0
    var count: UInt32 = 0

    init() {}

    init(_ range: Range<Int>) {
      offset = UInt32(truncatingIfNeeded: range.lowerBound)
      count = UInt32(truncatingIfNeeded: range.count)
    }

    var isEmpty: Bool { count == 0 }
    var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
  }

  /// Which namespace a name belongs to.
  ///
  /// The raw value seeds the hash.
  enum Namespace: UInt8 {
    case identifier, filenameExtension, mimeType, x11Target, pasteboardName, osType

    init(_ tagClass: TagClass) {
      switch tagClass {
      case .filenameExtension: self = .filenameExtension
      case .mimeType: self = .mimeType
      case .x11Target: self = .x11Target
      case .pasteboardName: self = .pasteboardName
      case .osType: self = .osType
      }
    }

    /// The namespace of a tag class, the other way round.
    var tagClass: TagClass? {
      switch self {
      case .identifier: nil
      case .filenameExtension: .filenameExtension
      case .mimeType: .mimeType
      case .x11Target: .x11Target
      case .pasteboardName: .pasteboardName
      case .osType: .osType
      }
    }

    var ignoresCase: Bool {
      switch self {
      case .identifier, .filenameExtension, .mimeType: true
      case .x11Target, .pasteboardName, .osType: false
      }
    }
  }

  /// A name and the type that owns it; one name may have several entries.
  struct NameEntry: Equatable {
    /// Stands for "no type" and for the end of a chain.
    static let none = UInt32.max

    var name: Name
    var hash: UInt32 = 0
    var owner: UInt32
    var namespace: Namespace
    /// Whether it is the first tag of its class in the declaration of its owner.
    var isPreferred = false
    /// What the name is for, if a row of targets says so.
    var role: TargetRole?
    /// Who says that the name is the owner's.
    var layer = DeclarationLayer.system
    /// The next entry of the same name.
    var next = NameEntry.none
  }

  /// A part of a list.
  struct Span: Equatable {
    var start: UInt32 = 0
    var end: UInt32 = 0

    var indices: Range<Int> { Int(start)..<Int(end) }
  }

  /// A declared type.
  struct TypeEntry: Equatable {
    var identifier = Name()
    /// Its parents in the list of all parents.
    var parents = Span()
    /// The entries of its own tags, in the order of the declaration.
    var tags = Span()
    var description = Name()
    /// The line of the declaration, for errors, and the section that it is in.
    var line: UInt32
    var section: UInt16 = 0
    var isPublic = false

    init(line: Int) {
      self.line = UInt32(truncatingIfNeeded: line)
    }
  }

  /// A name that ends in a star, without the star.
  struct Pattern: Equatable {
    var prefix: Name
    var namespace: Namespace
    var role: TargetRole
    var owner: UInt32
  }

  private let text: UnsafeRawBufferPointer
  private let ownsText: Bool
  let types: RowTable<TypeEntry>
  let parents: RowTable<UInt32>
  let names: RowTable<NameEntry>
  let patterns: RowTable<Pattern>
  let slots: RowTable<UInt32>

  let conformance: ConformanceRows

  /// Keeps the rows; nil where they are part of the program.
  private let memory: RowMemory?

  /// How many types at the beginning are numbered as their identifiers are: the built-in ones, which
  /// are the first identifiers of all.
  private let builtinCount: Int

  /// For a registry of other declarations: the identifiers of its types, and the way back.
  private let identifiers: [TypeIdentifier]
  private let indices: [UInt32]

  /// Tables that are part of the program, as their text is.
  init(
    text: UnsafeRawBufferPointer, types: RowTable<TypeEntry>, parents: RowTable<UInt32>,
    names: RowTable<NameEntry>, patterns: RowTable<Pattern>, slots: RowTable<UInt32>,
    conformance: ConformanceRows
  ) {
    unsafe self.text = unsafe text
    ownsText = false
    self.types = types
    self.parents = parents
    self.names = names
    self.patterns = patterns
    self.slots = slots
    self.conformance = conformance
    memory = nil
    builtinCount = types.count
    identifiers = []
    indices = []
  }

  init(
    text: UnsafeRawBufferPointer, ownsText: Bool, tables: consuming DeclarationTables,
    builtinCount: Int, identifiers: [TypeIdentifier]
  ) {
    unsafe self.text = unsafe text
    self.ownsText = ownsText
    let memory = RowMemory()
    types = memory.table(of: tables.types)
    parents = memory.table(of: tables.parents)
    names = memory.table(of: tables.names)
    patterns = memory.table(of: tables.patterns)
    slots = memory.table(of: tables.slots)
    conformance = ConformanceRows(
      columns: memory.table(of: tables.conformance.columns),
      wordsPerType: tables.conformance.wordsPerType,
      bits: memory.table(of: tables.conformance.bits))
    self.memory = memory
    self.builtinCount = builtinCount
    self.identifiers = identifiers
    let highest = identifiers.map(\.rawValue).max()
    var indices = Array(repeating: NameEntry.none, count: highest.map { Int($0) + 1 } ?? 0)
    for (index, identifier) in identifiers.enumerated() {
      indices[Int(identifier.rawValue)] = UInt32(truncatingIfNeeded: builtinCount + index)
    }
    self.indices = indices
  }

  deinit {
    if ownsText { unsafe text.deallocate() }
  }

  /// The bytes of a name; valid as long as this object lives.
  func slice(_ name: Name) -> TextSlice {
    unsafe TextSlice(borrowing: text)[name.range]
  }

  func string(_ name: Name) -> String {
    slice(name).string
  }

  // MARK: Types

  /// The position of a type among the declared ones; nil for a type this registry lacks.
  func index(of type: TypeIdentifier) -> Int? {
    if type.rawValue < UInt32(truncatingIfNeeded: builtinCount) { return Int(type.rawValue) }
    guard type.rawValue < UInt32(indices.count) else { return nil }
    let index = indices[Int(type.rawValue)]
    return index == NameEntry.none ? nil : Int(index)
  }

  func identifier(at index: Int) -> TypeIdentifier {
    index < builtinCount
      ? TypeIdentifier(rawValue: UInt32(truncatingIfNeeded: index))
      : identifiers[index - builtinCount]
  }

  func conforms(_ index: Int, to other: Int) -> Bool {
    conformance.conforms(index, to: other)
  }

  // MARK: Names

  /// The entries of a name in one namespace, the first declared first.
  func entries(for name: TextSlice, in namespace: Namespace) -> NameEntries {
    NameEntries(storage: self, position: firstEntry(of: name, in: namespace))
  }

  /// The position of the first entry of a name; `NameEntry.none` where there is none.
  private func firstEntry(of name: TextSlice, in namespace: Namespace) -> UInt32 {
    let folding = namespace.ignoresCase
    let hash = name.hash(seed: UInt64(namespace.rawValue), folding: folding)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != NameEntry.none {
      let first = slots[slot]
      let entry = names[Int(first)]
      if entry.hash == hash && entry.namespace == namespace
        && slice(entry.name).isEqual(to: name, folding: folding)
      {
        return first
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return NameEntry.none
  }

  /// The position of the best owner of a name, by ``rank(of:)`` and the order of declarations.
  ///
  /// - Parameter supertype: The position of a type to which the owner has to conform; nil for any.
  func bestOwner(
    of name: TextSlice, in namespace: Namespace, conformingTo supertype: Int?
  ) -> Int? {
    var position = firstEntry(of: name, in: namespace)
    var best: (rank: Int, index: Int)?
    while position != NameEntry.none {
      let entry = names[Int(position)]
      position = entry.next
      guard entry.owner != NameEntry.none else { continue }
      let index = Int(entry.owner)
      if let supertype, !conforms(index, to: supertype) { continue }
      let rank = rank(of: entry)
      if let best, (best.rank, best.index) <= (rank, index) { continue }
      best = (rank, index)
    }
    return best?.index
  }

  /// How good an owner of a name is, the least the best: `TypeRegistry.type(for:in:conformingTo:)`
  /// tells the order.
  func rank(of entry: NameEntry) -> Int {
    (entry.layer == .system ? 8 : 0) + (types[Int(entry.owner)].isPublic ? 0 : 4)
      + (entry.isPreferred ? 0 : 2) + (entry.layer == .imported ? 1 : 0)
  }

  /// The chain of the entries of one name.
  struct NameEntries: Sequence, IteratorProtocol {
    let storage: DeclarationStorage
    /// The position of the next entry.
    fileprivate var position: UInt32

    var isEmpty: Bool { position == NameEntry.none }

    mutating func next() -> NameEntry? {
      guard position != NameEntry.none else { return nil }
      let entry = storage.names[Int(position)]
      position = entry.next
      return entry
    }
  }

  /// The position of the type of that name.
  func index(ofIdentifier name: TextSlice) -> Int? {
    var entries = entries(for: name, in: .identifier)
    return entries.next().map { Int($0.owner) }
  }

  /// The pattern that matches a name met on the wire.
  func pattern(matching name: TextSlice, in namespace: Namespace) -> Pattern? {
    patterns.first { $0.namespace == namespace && name.hasPrefix(slice($0.prefix)) }
  }
}
