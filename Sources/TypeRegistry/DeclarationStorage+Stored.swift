internal import CDeclaredTypes

// How the rows of the tables lie in memory: those that are part of the program were made beforehand.

extension DeclarationStorage.Name {
  init(stored: cdeclaredtypes_part) {
    self.init()
    offset = stored.offset
    count = stored.count
  }

  var stored: cdeclaredtypes_part { .init(offset: offset, count: count) }
}

extension DeclarationStorage.Span {
  init(stored: cdeclaredtypes_span) { self.init(start: stored.start, end: stored.end) }

  var stored: cdeclaredtypes_span { .init(start: start, end: end) }
}

extension DeclarationStorage.TypeEntry: StoredRow {
  init(stored: cdeclaredtypes_type) {
    self.init(line: Int(stored.line))
    identifier = .init(stored: stored.identifier)
    description = .init(stored: stored.description)
    parents = .init(stored: stored.parents)
    tags = .init(stored: stored.tags)
    section = stored.section
    isPublic = stored.is_public != 0
  }

  var stored: cdeclaredtypes_type {
    .init(
      identifier: identifier.stored, description: description.stored, parents: parents.stored,
      tags: tags.stored, line: line, section: section, is_public: isPublic ? 1 : 0, padding: 0)
  }
}

extension DeclarationStorage.NameEntry: StoredRow {
  init(stored: cdeclaredtypes_name) {
    self.init(
      name: .init(stored: stored.name), hash: stored.hash, owner: stored.owner,
      namespace: .init(stored: stored.name_space), isPreferred: stored.is_preferred != 0,
      role: .init(stored: stored.role), layer: DeclarationLayer(rawValue: stored.layer) ?? .system,
      next: stored.next)
  }

  var stored: cdeclaredtypes_name {
    .init(
      name: name.stored, hash: hash, owner: owner, next: next, name_space: namespace.rawValue,
      role: role.stored, layer: layer.rawValue, is_preferred: isPreferred ? 1 : 0)
  }
}

extension DeclarationStorage.Pattern: StoredRow {
  init(stored: cdeclaredtypes_pattern) {
    self.init(
      prefix: .init(stored: stored.prefix), namespace: .init(stored: stored.name_space),
      role: TargetRole?(stored: stored.role) ?? .content, owner: stored.owner)
  }

  var stored: cdeclaredtypes_pattern {
    .init(
      prefix: prefix.stored, owner: owner, name_space: namespace.rawValue,
      role: TargetRole?.some(role).stored, padding: 0)
  }
}

extension DeclarationStorage.Namespace {
  /// Only numbers of namespaces are ever stored.
  fileprivate init(stored: UInt8) { self = .init(rawValue: stored) ?? .identifier }
}

extension TargetRole? {
  fileprivate init(stored: UInt8) {
    switch stored {
    case 1: self = .content
    case 2: self = .marker
    case 3: self = .transferProtocol
    default: self = nil
    }
  }

  fileprivate var stored: UInt8 {
    switch self {
    case nil: 0
    case .content: 1
    case .marker: 2
    case .transferProtocol: 3
    }
  }
}
