// How declarations of several sources become one registry.
//
// The first section holds the built-in declarations; its rows keep their positions, so that built-in
// types have the same numbers everywhere. All other rows may be about types that are declared already,
// and anything may be wrong with them: what cannot stay is noted and left out, the rest stays.

extension DeclarationTables {
  /// How many types may be added: the table of conformances grows with the square of that.
  static let addedTypeLimit = 4096

  /// A row of types that was added, while it is not settled what becomes of it.
  private struct AddedRow {
    var entry: DeclarationStorage.TypeEntry
    var names: Range<Int>
    /// The position of the type it is about.
    var type: Int

    var line: Int { Int(entry.line) }
  }

  /// Finishes as ``finish(_:)`` does, for text in sections.
  mutating func finishOverlay(_ text: TextSlice) {
    let builtinCount = BuiltinDeclarations.storage.types.count
    let rows = settleTypes(text, builtinCount)
    mergeNames(rows, text)
    insertNames(text)
    resolveParents(rows, builtinCount, text)
    addTargets(text)
    noteSharedTags(rows, text)
  }

  private mutating func note(
    _ finding: TypeDeclarationReport.Finding, _ row: AddedRow
  ) {
    findings.append(
      SectionFinding(section: Int(row.entry.section), line: row.line, finding: finding))
  }

  // MARK: Types

  /// Finds out which rows declare a type and which add to one, and leaves as many types.
  private mutating func settleTypes(_ text: TextSlice, _ builtinCount: Int) -> [AddedRow] {
    var candidates: [AddedRow] = []
    for position in types.indices.dropFirst(builtinCount) {
      let start = Int(types[position].tags.start) - 1
      let end = position + 1 < types.count ? Int(types[position + 1].tags.start) - 1 : names.count
      candidates.append(AddedRow(entry: types[position], names: start..<end, type: -1))
    }
    // What is imported belongs to somebody else, whose own declaration counts wherever it stands.
    let isImported = { [names] (row: AddedRow) in names[row.names.lowerBound].layer == .imported }
    candidates = candidates.filter { !isImported($0) } + candidates.filter(isImported)

    types.removeSubrange(builtinCount...)
    var rows: [AddedRow] = []
    var positions: [String: Int] = [:]
    var seen: Set<[Int]> = []
    for var row in candidates {
      let name = text[row.entry.identifier.range]
      let folded = name.string.asciiLowercased
      let known = BuiltinDeclarations.storage.index(ofIdentifier: name) ?? positions[folded]
      if let known {
        guard seen.insert([Int(row.entry.section), known]).inserted else {
          note(.fault(.duplicateIdentifier(name.string)), row)
          continue
        }
        let other = known < builtinCount ? nil : Int(types[known].section)
        if isImported(row) {
          note(.unusedImport(name.string, section: other), row)
          continue
        }
        note(.addsToType(name.string, section: other), row)
        if types[known].description.isEmpty { types[known].description = row.entry.description }
        row.type = known
      } else {
        guard types.count - builtinCount < Self.addedTypeLimit else {
          note(.fault(.tooManyIdentifiers), row)
          continue
        }
        row.type = types.count
        positions[folded] = row.type
        seen.insert([Int(row.entry.section), row.type])
        types.append(row.entry)
      }
      rows.append(row)
    }
    return rows
  }

  /// Puts the names of each type behind one another: its tags in the order of the rows about it, the
  /// built-in one last.
  private mutating func mergeNames(_ rows: [AddedRow], _ text: TextSlice) {
    let builtinNames = (types.count == 0) ? 0 : rowsOfNames(builtin: names)
    var merged = Array(names[..<builtinNames])
    merged.reserveCapacity(names.count)
    let old = names
    var rowsOfType: [Int: [AddedRow]] = [:]
    for row in rows { rowsOfType[row.type, default: []].append(row) }
    for type in types.indices {
      guard let own = rowsOfType[type] else { continue }
      let isBuiltin = Int(types[type].section) == 0
      if isBuiltin {
        // The entry of its identifier and its aliases stay where they are.
        for index in types[type].tags.indices { merged[index].owner = NameEntry.none }
      } else {
        merged.append(old[own[0].names.lowerBound])
      }
      let start = merged.count
      let rowTags = own.map { Array(old[$0.entry.tags.indices]) }
      let builtinTags = isBuiltin ? [Array(old[types[type].tags.indices])] : []
      var preferred: Set<UInt8> = []
      var known: Set<TagKey> = []
      for tags in rowTags + builtinTags {
        let settled = preferred
        for var tag in tags where known.insert(TagKey(tag, text)).inserted {
          if settled.contains(tag.namespace.rawValue) { tag.isPreferred = false }
          if tag.isPreferred { preferred.insert(tag.namespace.rawValue) }
          merged.append(tag)
        }
      }
      types[type].tags.start = UInt32(truncatingIfNeeded: start)
      types[type].tags.end = UInt32(truncatingIfNeeded: merged.count)
      for row in own {
        merged += old[Int(row.entry.tags.end)..<row.names.upperBound]
      }
      for index in start..<merged.count { merged[index].owner = UInt32(truncatingIfNeeded: type) }
      if !isBuiltin { merged[start - 1].owner = UInt32(truncatingIfNeeded: type) }
    }
    names = merged
  }

  /// How many names at the beginning are those of built-in rows.
  private func rowsOfNames(builtin names: [NameEntry]) -> Int {
    names.firstIndex { $0.layer != .system } ?? names.count
  }

  /// A name as it is compared.
  private struct TagKey: Hashable {
    var namespace: Namespace
    var name: String

    init(_ namespace: Namespace, _ name: TextSlice) {
      self.namespace = namespace
      self.name = namespace.ignoresCase ? name.string.asciiLowercased : name.string
    }

    init(_ entry: NameEntry, _ text: TextSlice) {
      self.init(entry.namespace, text[entry.name.range])
    }
  }

  // MARK: Names

  /// Fills the hash table: built-in names, then identifiers that were added, then all other names, so
  /// that an alias never hides a type.
  private mutating func insertNames(_ text: TextSlice) {
    makeSlots()
    func isIdentifierOfType(_ index: Int) -> Bool {
      let entry = names[index]
      return entry.namespace == .identifier && entry.layer != .system
        && Int(types[Int(entry.owner)].tags.start) == index + 1
    }
    let identifiers = names.indices.filter(isIdentifierOfType)
    let system = rowsOfNames(builtin: names)
    for index in 0..<system where names[index].owner != NameEntry.none { _ = insert(index, text) }
    for index in identifiers { _ = insert(index, text) }
    for index in system..<names.count where !isIdentifierOfType(index) {
      let entry = names[index]
      let name = text[entry.name.range]
      if entry.namespace == .identifier,
        case .found(let other) = look(for: name, in: .identifier, text)
      {
        if names[other].owner == entry.owner { continue }
        let type = types[Int(entry.owner)]
        findings.append(
          SectionFinding(
            section: Int(type.section), line: Int(type.line),
            finding: .fault(.duplicateIdentifier(name.string))))
        continue
      }
      _ = insert(index, text)
    }
  }

  // MARK: Parents

  /// Resolves the parents, those of built-in rows first; of the others none that nobody declares, and
  /// none by which a type would conform to itself.
  private mutating func resolveParents(
    _ rows: [AddedRow], _ builtinCount: Int, _ text: TextSlice
  ) {
    let builtin = BuiltinDeclarations.storage
    var lists = types.indices.map { position -> [UInt32] in
      position < builtinCount ? Array(builtin.parents[types[position].parents.indices]) : []
    }
    var walk = Walk(typeCount: types.count)
    for row in rows {
      for index in row.entry.parents.indices {
        do throws(TypeDeclarationError) {
          let parent = try declaredType(parentNames[index], line: row.line, text)
          if lists[row.type].contains(parent) { continue }
          if walk.leads(from: Int(parent), to: row.type, along: lists) {
            throw TypeDeclarationError(
              line: row.line, .conformanceCycle(text[parentNames[index].range].string))
          }
          lists[row.type].append(parent)
        } catch {
          note(error, in: row.entry.section)
        }
      }
    }
    parents = []
    for position in types.indices {
      types[position].parents.start = UInt32(truncatingIfNeeded: parents.count)
      parents += lists[position]
      types[position].parents.end = UInt32(truncatingIfNeeded: parents.count)
    }
    do throws(ConformanceCycle) {
      conformance = try ConformanceTable(types: types, parents: parents)
    } catch {
      preconditionFailure("a cycle of conformances among checked parents")
    }
  }

  /// Looks whether one type leads to another, with one memory of what was seen for all walks.
  private struct Walk {
    private var seen: [Int]
    private var number = 0
    private var stack: [Int] = []

    init(typeCount: Int) { seen = Array(repeating: 0, count: typeCount) }

    mutating func leads(from start: Int, to type: Int, along parents: [[UInt32]]) -> Bool {
      number += 1
      stack = [start]
      while let next = stack.popLast() {
        if next == type { return true }
        if seen[next] == number { continue }
        seen[next] = number
        stack.append(contentsOf: parents[next].map { Int($0) })
      }
      return false
    }
  }

  // MARK: Targets

  /// Adds the rows of targets, the built-in ones last: what stands first says what a name is for.
  private mutating func addTargets(_ text: TextSlice) {
    let rows = targets.filter { $0.section != 0 } + targets.filter { $0.section == 0 }
    var said: [TagKey: TargetRow] = [:]
    for row in rows {
      let name = TagKey(row.namespace, text[row.name.range])
      do throws(TypeDeclarationError) {
        try addTarget(row, text)
        if row.section != 0 { said[name] = row }
      } catch {
        if case .duplicateTarget = error.fault, let other = said[name],
          other.section != row.section
        {
          guard other.role != row.role else { continue }
          findings.append(
            SectionFinding(
              section: Int(other.section), line: other.line,
              finding: .overridesRole(text[other.name.range].string)))
        } else {
          note(error, in: row.section)
        }
      }
    }
  }

  // MARK: Conflicts

  /// Notes the added tags that have other owners too.
  private mutating func noteSharedTags(_ rows: [AddedRow], _ text: TextSlice) {
    var noted: Set<TagKey> = []
    for row in rows {
      let own = names[types[row.type].tags.indices].filter { $0.layer != .system }
      for tag in own {
        guard let tagClass = tag.namespace.tagClass,
          case .found(let first) = look(for: text[tag.name.range], in: tag.namespace, text)
        else { continue }
        var index = UInt32(truncatingIfNeeded: first)
        var isShared = false
        while index != NameEntry.none, !isShared {
          let entry = names[Int(index)]
          isShared = entry.owner != NameEntry.none && Int(entry.owner) != row.type
          index = entry.next
        }
        if isShared, noted.insert(TagKey(tag, text)).inserted {
          note(.sharesTag(text[tag.name.range].string, tagClass), row)
        }
      }
    }
  }
}
