/// Reads declarations: rows of tab-separated columns under a line that names the columns.
///
/// The two kinds of rows, types and targets, are told apart by that line and may follow one another
/// in one text. Empty columns at the end of a row may be left out. Lines that begin with `#` are
/// comments. `data/README.md` describes the format for people.
///
/// Not copyable, so that its methods work in place: a copy would count references to every table.
struct DeclarationParser: ~Copyable {
  private typealias Name = DeclarationStorage.Name
  private typealias Namespace = DeclarationStorage.Namespace

  private let text: TextSlice
  /// Whether names and tags are checked.
  ///
  /// The built-in declarations are checked by a test instead of at every start of the program.
  private var checks: Bool
  /// Where the rows come from, and its place among other such sections.
  private var layer = DeclarationLayer.system
  private var section: UInt16 = 0
  private var tables = DeclarationTables()
  private var line = 0
  private var position = 0
  private var lineEnd = 0
  /// Where the lists ended when the line began.
  private var rowStart = DeclarationTables.Mark()

  /// What the rows that follow are; `unreadable` behind a row that no line of column names precedes.
  private enum RowKind { case none, unreadable, type, target }
  private var kind = RowKind.none

  static var typeHeader: TextSlice {
    """
    identifier\tconforms_to\textensions\tmime_types\ttargets\tpasteboard_names\tostypes\taliases\t\
    description\tnotes
    """
  }
  private static var targetHeader: TextSlice { "name\tclass\trole\ttype\tnote" }

  private init(text: TextSlice, checks: Bool) {
    self.text = text
    self.checks = checks
  }

  static func parse(
    _ text: TextSlice, checks: Bool
  ) throws(TypeDeclarationError) -> DeclarationTables {
    guard text.count < Int(UInt32.max) else { throw TypeDeclarationError(line: 1, .tooLarge) }
    var parser = DeclarationParser(text: text, checks: checks)
    parser.makeRoom()
    try parser.parseLines(in: 0..<text.count)
    try parser.tables.finish(text)
    return parser.tables
  }

  /// Reads declarations of several origins; what is wrong with a line is noted, and the line left
  /// out.
  ///
  /// - Parameter sections: The built-in declarations, then the others, what wins in front.
  static func parse(_ text: TextSlice, sections: [DeclarationSection]) -> DeclarationTables {
    var parser = DeclarationParser(text: text, checks: false)
    parser.makeRoom()
    for (number, section) in sections.enumerated() { parser.parse(section, number) }
    parser.tables.finishOverlay(text)
    return parser.tables
  }

  // MARK: Lines

  /// Room for the built-in declarations; growing would cost more than the memory is worth.
  private mutating func makeRoom() {
    tables.types.reserveCapacity(text.count / 128)
    tables.parentNames.reserveCapacity(text.count / 96)
    tables.names.reserveCapacity(text.count / 48)
  }

  private mutating func parseLines(in range: Range<Int>) throws(TypeDeclarationError) {
    position = range.lowerBound
    while position < range.upperBound {
      line += 1
      let end =
        text.firstIndex(of: UInt8(ascii: "\n"), in: position..<range.upperBound)
        ?? range.upperBound
      lineEnd = end
      if lineEnd > position, text[lineEnd - 1] == UInt8(ascii: "\r") { lineEnd -= 1 }
      rowStart = tables.mark
      if lineEnd > position, text[position] != UInt8(ascii: "#") { try parseLine() }
      position = end + 1
    }
  }

  /// Reads one section, from one line to the next that is right.
  private mutating func parse(_ section: DeclarationSection, _ number: Int) {
    checks = section.layer != .system
    layer = section.layer
    self.section = UInt16(truncatingIfNeeded: number)
    kind = .none
    line = 0
    var rest = section.range
    while !rest.isEmpty {
      do throws(TypeDeclarationError) {
        try parseLines(in: rest)
        return
      } catch {
        tables.cut(to: rowStart)
        tables.note(error, in: self.section)
        if case .missingHeader = error.fault { kind = .unreadable }
        let end = text.firstIndex(of: UInt8(ascii: "\n"), in: lineEnd..<rest.upperBound)
        rest = min((end ?? rest.upperBound) + 1, rest.upperBound)..<rest.upperBound
      }
    }
  }

  private mutating func parseLine() throws(TypeDeclarationError) {
    if checks, !text[position..<lineEnd].isValidUTF8 { throw fault(.notUTF8) }
    if startsWithHeader {
      let header = text[position..<lineEnd]
      if header.isEqual(to: Self.typeHeader, folding: false) {
        kind = .type
      } else if header.isEqual(to: Self.targetHeader, folding: false) {
        kind = .target
      } else {
        throw TypeDeclarationError(line: line, .missingHeader)
      }
      return
    }
    switch kind {
    case .none: throw TypeDeclarationError(line: line, .missingHeader)
    case .unreadable: break
    case .type: try parseType()
    case .target: try parseTarget()
    }
  }

  /// Whether the line names columns: its first word is that of a header, which is no identifier.
  private var startsWithHeader: Bool {
    let first = text[position]
    guard first == UInt8(ascii: "i") || first == UInt8(ascii: "n") else { return false }
    func begins(with word: TextSlice) -> Bool {
      lineEnd - position >= word.count
        && text[position..<position + word.count].isEqual(to: word, folding: false)
    }
    return begins(with: "identifier\t") || begins(with: "name\t")
  }

  /// The next column of the line, empty when the line has ended.
  private mutating func nextField() -> Range<Int> {
    let start = min(position, lineEnd)
    let end = text.firstIndex(of: UInt8(ascii: "\t"), in: start..<lineEnd) ?? lineEnd
    position = end &+ 1
    return start..<end
  }

  private func fault(_ fault: TypeDeclarationError.Fault) -> TypeDeclarationError {
    TypeDeclarationError(line: line, fault)
  }

  // MARK: Types

  /// The columns of a type that matter here, in their order.
  private enum Column: Int {
    case identifier, parents, extensions, mimeTypes, targets, pasteboardNames, osTypes, aliases
    case description, notes

    var namespace: Namespace {
      switch self {
      case .extensions: .filenameExtension
      case .mimeTypes: .mimeType
      case .targets: .x11Target
      case .pasteboardNames: .pasteboardName
      case .osTypes: .osType
      case .identifier, .parents, .aliases, .description, .notes: .identifier
      }
    }
  }

  /// Reads a row up to the description; commas divide lists, though not within quotes.
  private mutating func parseType() throws(TypeDeclarationError) {
    let text = text
    let owner = UInt32(truncatingIfNeeded: tables.types.count)
    var type = DeclarationStorage.TypeEntry(line: line)
    type.section = section
    type.parents.start = UInt32(truncatingIfNeeded: tables.parentNames.count)
    var column = Column.identifier
    var isFirst = true
    var quote: UInt8 = 0
    var start = position
    var index = start
    while column != .description {
      index = min(text.firstIndexBelowHyphen(from: index), lineEnd)
      let byte = index < lineEnd ? text[index] : UInt8(ascii: "\t")
      if byte == UInt8(ascii: "\t") || (byte == UInt8(ascii: ",") && quote == 0) {
        if index > start || byte == UInt8(ascii: ",") || !isFirst || column == .identifier {
          try addElement(start..<index, column, owner, isFirst, &type)
        }
        start = index &+ 1
        isFirst = false
        if byte == UInt8(ascii: "\t") {
          if column == .osTypes { type.tags.end = UInt32(truncatingIfNeeded: tables.names.count) }
          column = Column(rawValue: column.rawValue &+ 1) ?? .notes
          if column == .extensions {
            type.parents.end = UInt32(truncatingIfNeeded: tables.parentNames.count)
            type.tags.start = UInt32(truncatingIfNeeded: tables.names.count)
          }
          isFirst = true
          quote = 0
        }
      } else if byte == quote {
        quote = 0
      } else if quote == 0 && (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")) {
        quote = byte
      }
      index &+= 1
    }
    position = start
    type.description = Name(nextField())
    try checkEnd(columnsLeft: 1)
    tables.types.append(type)
  }

  /// Takes one element of a column; `isFirst` tells the preferred tag.
  private mutating func addElement(
    _ range: Range<Int>, _ column: Column, _ owner: UInt32, _ isFirst: Bool,
    _ type: inout DeclarationStorage.TypeEntry
  ) throws(TypeDeclarationError) {
    var range = trimmed(range)
    switch column {
    case .identifier:
      // Only the first column of a row names the type, so a list there is a mistake.
      guard isFirst else { throw fault(.invalidIdentifier(text[range].string)) }
      try checkIdentifier(range)
      type.identifier = Name(range)
      type.isPublic = IdentifierSyntax.isPublic(text[range])
      tables.names.append(
        .init(name: Name(range), owner: owner, namespace: .identifier, layer: layer))
    case .parents:
      tables.parentNames.append(Name(range))
    case .aliases:
      try checkIdentifier(range)
      tables.names.append(
        .init(name: Name(range), owner: owner, namespace: .identifier, layer: layer))
    case .osTypes:
      // In quotes, since blanks count.
      guard range.count == 6, text[range.lowerBound] == UInt8(ascii: "'") else {
        throw fault(.invalidTag(text[range].string))
      }
      range = range.dropFirst().dropLast()
      tables.names.append(
        .init(
          name: Name(range), owner: owner, namespace: .osType, isPreferred: isFirst, layer: layer))
    case .extensions, .mimeTypes, .targets, .pasteboardNames:
      try checkTag(range, in: column.namespace)
      tables.names.append(
        .init(
          name: Name(range), owner: owner, namespace: column.namespace, isPreferred: isFirst,
          layer: layer))
    case .description, .notes:
      break
    }
  }

  private func checkIdentifier(_ range: Range<Int>) throws(TypeDeclarationError) {
    guard checks else { return }
    let name = text[range]
    guard IdentifierSyntax.isValid(name), !IdentifierSyntax.isDynamic(name) else {
      throw fault(.invalidIdentifier(name.string))
    }
  }

  /// Checks that no more columns follow than the format has; those left are for people.
  private func checkEnd(columnsLeft: Int) throws(TypeDeclarationError) {
    guard checks, position < lineEnd else { return }
    var tabs = 0
    for index in position..<lineEnd where text[index] == UInt8(ascii: "\t") { tabs += 1 }
    if tabs >= columnsLeft { throw fault(.tooManyColumns) }
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, text[start] == UInt8(ascii: " ") { start += 1 }
    while start < end, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }

  private func checkTag(
    _ range: Range<Int>, in namespace: Namespace
  ) throws(TypeDeclarationError) {
    guard checks else { return }
    let tag = text[range]
    let isValid =
      switch namespace {
      case .identifier, .osType: true
      case .pasteboardName, .x11Target: !tag.isEmpty
      case .filenameExtension:
        !tag.isEmpty && tag[0] != UInt8(ascii: ".") && !tag.contains(UInt8(ascii: "/"))
          && !tag.contains(UInt8(ascii: " "))
      case .mimeType: isCanonicalMIMEType(tag)
      }
    guard isValid else { throw fault(.invalidTag(tag.string)) }
  }

  /// Tags are found by their bytes, so those with parameters have to be in one of the spellings
  /// that `MIMEType` makes of all.
  private func isCanonicalMIMEType(_ tag: TextSlice) -> Bool {
    guard let type = MIMEType(tag.string) else { return false }
    return [type.lookupKey, type.quotedLookupKey].contains { key in
      key.withTextSlice { $0.isEqual(to: tag, folding: true) }
    }
  }

  // MARK: Targets

  private mutating func parseTarget() throws(TypeDeclarationError) {
    let name = nextField()
    let namespace = try targetNamespace(nextField())
    let role = try targetRole(nextField())
    let type = nextField()
    try checkEnd(columnsLeft: 1)
    if checks {
      let slice = text[name]
      let isPattern = !slice.isEmpty && slice[slice.count - 1] == UInt8(ascii: "*")
      if slice.isEmpty || (namespace == .mimeType && !isPattern && !isCanonicalMIMEType(slice)) {
        throw fault(.invalidTag(slice.string))
      }
    }
    tables.targets.append(
      .init(
        name: Name(name), namespace: namespace, role: role, type: Name(type), line: line,
        section: section, layer: layer))
  }

  private func targetNamespace(_ range: Range<Int>) throws(TypeDeclarationError) -> Namespace {
    let word = text[range]
    if word.isEqual(to: "mime", folding: false) { return .mimeType }
    if word.isEqual(to: "target", folding: false) { return .x11Target }
    if word.isEqual(to: "pasteboard", folding: false) { return .pasteboardName }
    throw fault(.unknownTargetClass(word.string))
  }

  private func targetRole(_ range: Range<Int>) throws(TypeDeclarationError) -> TargetRole {
    let word = text[range]
    if word.isEqual(to: "content", folding: false) { return .content }
    if word.isEqual(to: "marker", folding: false) { return .marker }
    if word.isEqual(to: "protocol", folding: false) { return .transferProtocol }
    throw fault(.unknownRole(word.string))
  }
}
