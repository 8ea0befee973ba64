/// What the parser of declarations collects, and the finishing work once all rows are known.
///
/// Not copyable for the same reason as the parser.
struct DeclarationTables: ~Copyable {
  typealias Name = DeclarationStorage.Name
  typealias NameEntry = DeclarationStorage.NameEntry
  typealias Namespace = DeclarationStorage.Namespace

  var types: [DeclarationStorage.TypeEntry] = []
  var parents: [UInt32] = []
  var names: [NameEntry] = []
  var patterns: [DeclarationStorage.Pattern] = []
  var slots: [UInt32] = []
  var conformance: ConformanceTable

  /// The parents of all types as they are written.
  var parentNames: [Name] = []

  /// A row of targets.
  struct TargetRow {
    var name: Name
    var namespace: Namespace
    var role: TargetRole
    var type: Name
    var line: Int
    var section: UInt16 = 0
    var layer = DeclarationLayer.system
  }
  var targets: [TargetRow] = []

  /// What was found in sections where a wrong line does not end the reading.
  var findings: [SectionFinding] = []

  init() {
    conformance = ConformanceTable()
  }

  // MARK: Rows

  /// Where the lists end, so that what half a row put there can be taken away.
  struct Mark {
    var names = 0
    var parentNames = 0
  }

  var mark: Mark { Mark(names: names.count, parentNames: parentNames.count) }

  mutating func cut(to mark: Mark) {
    names.removeSubrange(mark.names...)
    parentNames.removeSubrange(mark.parentNames...)
  }

  mutating func note(_ error: TypeDeclarationError, in section: UInt16) {
    findings.append(
      SectionFinding(section: Int(section), line: error.line, finding: .fault(error.fault)))
  }

  // MARK: Finishing

  /// Fills the hash table, then resolves what refers to names.
  mutating func finish(_ text: TextSlice) throws(TypeDeclarationError) {
    makeSlots()
    for index in names.indices {
      let entry = names[index]
      if let first = insert(index, text), entry.namespace == .identifier {
        let line = max(line(of: names[first].owner), line(of: entry.owner))
        throw TypeDeclarationError(
          line: line, .duplicateIdentifier(text[entry.name.range].string))
      }
    }
    try resolveParents(text)
    for row in targets { try addTarget(row, text) }
  }

  /// An empty hash table, at most half full later, names of targets included.
  mutating func makeSlots() {
    var slotCount = 16
    while slotCount < 2 * (names.count + targets.count) { slotCount *= 2 }
    slots = Array(repeating: NameEntry.none, count: slotCount)
  }

  private func line(of owner: UInt32) -> Int {
    owner == NameEntry.none ? 0 : Int(types[Int(owner)].line)
  }

  private mutating func resolveParents(_ text: TextSlice) throws(TypeDeclarationError) {
    parents.reserveCapacity(parentNames.count)
    for type in types {
      for index in type.parents.indices {
        parents.append(try declaredType(parentNames[index], line: Int(type.line), text))
      }
    }
    do throws(ConformanceCycle) {
      conformance = try ConformanceTable(types: types, parents: parents)
    } catch {
      throw TypeDeclarationError(
        line: Int(types[error.type].line),
        .conformanceCycle(text[types[error.parent].identifier.range].string))
    }
  }

  func declaredType(
    _ name: Name, line: Int, _ text: TextSlice
  ) throws(TypeDeclarationError) -> UInt32 {
    let slice = text[name.range]
    guard case .found(let index) = look(for: slice, in: .identifier, text) else {
      throw TypeDeclarationError(line: line, .undeclaredIdentifier(slice.string))
    }
    return names[index].owner
  }

  /// Notes the role of a name, and its type where the name is no tag in the type's own row.
  ///
  /// Where the role is known already, that one stays.
  mutating func addTarget(
    _ row: TargetRow, _ text: TextSlice
  ) throws(TypeDeclarationError) {
    var owner = NameEntry.none
    if !row.type.isEmpty { owner = try declaredType(row.type, line: row.line, text) }
    let slice = text[row.name.range]
    if !slice.isEmpty, slice[slice.count - 1] == UInt8(ascii: "*") {
      patterns.append(
        DeclarationStorage.Pattern(
          prefix: Name(row.name.range.dropLast()), namespace: row.namespace, role: row.role,
          owner: owner))
      return
    }
    var entry = NameEntry(
      name: row.name, owner: owner, namespace: row.namespace, layer: row.layer)
    if case .found(let first) = look(for: slice, in: row.namespace, text) {
      var hasOwner = false
      var hasRole = false
      var index = UInt32(truncatingIfNeeded: first)
      while index != NameEntry.none {
        let entry = names[Int(index)]
        if entry.role != nil { hasRole = true }
        if entry.owner == owner { hasOwner = true }
        index = entry.next
      }
      if !hasRole { names[first].role = row.role }
      if !hasOwner, owner != NameEntry.none {
        names.append(entry)
        _ = insert(names.count - 1, text)
      }
      if hasRole { throw TypeDeclarationError(line: row.line, .duplicateTarget(slice.string)) }
      return
    }
    entry.role = row.role
    names.append(entry)
    _ = insert(names.count - 1, text)
  }

  // MARK: The hash table

  enum Place {
    /// The first entry of the name.
    case found(Int)
    /// The slot where the name belongs.
    case free(Int)
  }

  func look(for name: TextSlice, in namespace: Namespace, _ text: TextSlice) -> Place {
    let hash = name.hash(seed: UInt64(namespace.rawValue), folding: namespace.ignoresCase)
    return look(for: name, in: namespace, hash: hash, text)
  }

  private func look(
    for name: TextSlice, in namespace: Namespace, hash: UInt32, _ text: TextSlice
  ) -> Place {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != NameEntry.none {
      let index = Int(slots[slot])
      let entry = names[index]
      if entry.hash == hash && entry.namespace == namespace
        && text[entry.name.range].isEqual(to: name, folding: namespace.ignoresCase)
      {
        return .found(index)
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return .free(slot)
  }

  /// Puts an entry into the table, behind others of the same name, the first of which is returned.
  mutating func insert(_ index: Int, _ text: TextSlice) -> Int? {
    let namespace = names[index].namespace
    let name = text[names[index].name.range]
    let hash = name.hash(seed: UInt64(namespace.rawValue), folding: namespace.ignoresCase)
    names[index].hash = hash
    switch look(for: name, in: namespace, hash: hash, text) {
    case .free(let slot):
      slots[slot] = UInt32(truncatingIfNeeded: index)
      return nil
    case .found(let first):
      var last = first
      while names[last].next != NameEntry.none { last = Int(names[last].next) }
      names[last].next = UInt32(truncatingIfNeeded: index)
      return first
    }
  }
}
