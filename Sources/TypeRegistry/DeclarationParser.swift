/// Reads declarations: rows of tab-separated columns under a line that names the columns.
///
/// The two kinds of rows, types and targets, are told apart by that line and may follow one another
/// in one text. Empty columns at the end of a row may be left out. Lines that begin with `#` are
/// comments. `data/README.md` describes the format for people.
struct DeclarationParser {
  private typealias Name = DeclarationStorage.Name
  private typealias Namespace = DeclarationStorage.Namespace

  private let text: TextSlice
  /// Whether names and tags are checked. The built-in declarations are checked by a test instead
  /// of at every start of the program.
  private let checks: Bool
  private var tables = DeclarationTables()
  private var line = 0
  private var position = 0
  private var lineEnd = 0

  private enum RowKind { case none, type, target }
  private var kind = RowKind.none

  private static var typeHeader: TextSlice {
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
    try parser.parseLines()
    try parser.tables.finish(text)
    return parser.tables
  }

  // MARK: Lines

  private mutating func parseLines() throws(TypeDeclarationError) {
    // Room for the built-in declarations; growing would cost more than the memory is worth.
    tables.types.reserveCapacity(text.count / 128)
    tables.parentNames.reserveCapacity(text.count / 96)
    tables.names.reserveCapacity(text.count / 48)
    while position < text.count {
      line += 1
      let end = text.firstIndex(of: UInt8(ascii: "\n"), from: position) ?? text.count
      lineEnd = end
      if lineEnd > position, text[lineEnd - 1] == UInt8(ascii: "\r") { lineEnd -= 1 }
      if lineEnd > position, text[position] != UInt8(ascii: "#") { try parseLine() }
      position = end + 1
    }
  }

  private mutating func parseLine() throws(TypeDeclarationError) {
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
    case .type: try parseType()
    case .target: try parseTarget()
    }
  }

  /// Whether the line names columns: its first word is that of a header, which is no identifier.
  private var startsWithHeader: Bool {
    func begins(with word: TextSlice) -> Bool {
      lineEnd - position >= word.count
        && text[position..<position + word.count].isEqual(to: word, folding: false)
    }
    return begins(with: "identifier\t") || begins(with: "name\t")
  }

  /// The next column of the line, empty when the line has ended.
  private mutating func nextField() -> Range<Int> {
    let start = min(position, lineEnd)
    var end = start
    while end < lineEnd, text[end] != UInt8(ascii: "\t") { end &+= 1 }
    position = end &+ 1
    return start..<end
  }

  private func fault(_ fault: TypeDeclarationError.Fault) -> TypeDeclarationError {
    TypeDeclarationError(line: line, fault)
  }

  // MARK: Types

  private mutating func parseType() throws(TypeDeclarationError) {
    let identifier = nextField()
    try checkIdentifier(identifier)
    let owner = UInt32(truncatingIfNeeded: tables.types.count)
    tables.names.append(.init(name: Name(identifier), owner: owner, namespace: .identifier))

    let firstParent = tables.parentNames.count
    try forEachElement(of: nextField()) { (parser, range) throws(TypeDeclarationError) in
      parser.tables.parentNames.append(Name(range))
    }
    let firstTag = tables.names.count
    try parseTags(in: .filenameExtension, of: owner)
    try parseTags(in: .mimeType, of: owner)
    try parseTags(in: .x11Target, of: owner)
    try parseTags(in: .pasteboardName, of: owner)
    try parseTags(in: .osType, of: owner)
    let tags = firstTag..<tables.names.count
    try forEachElement(of: nextField()) { (parser, range) throws(TypeDeclarationError) in
      try parser.checkIdentifier(range)
      parser.tables.names.append(.init(name: Name(range), owner: owner, namespace: .identifier))
    }
    let description = nextField()
    try checkEnd(columnsLeft: 1)

    tables.types.append(
      DeclarationStorage.TypeEntry(
        identifier: Name(identifier), parents: firstParent..<tables.parentNames.count, tags: tags,
        description: Name(description), line: line,
        isPublic: IdentifierSyntax.isPublic(text[identifier])))
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

  /// Calls `body` with each element of a list, which commas divide, though not within quotes.
  private mutating func forEachElement(
    of list: Range<Int>,
    _ body: (inout DeclarationParser, Range<Int>) throws(TypeDeclarationError) -> Void
  ) throws(TypeDeclarationError) {
    guard !list.isEmpty else { return }
    var start = list.lowerBound
    var quote: UInt8?
    for index in list {
      let byte = text[index]
      if byte == quote {
        quote = nil
      } else if quote == nil {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
          quote = byte
        case UInt8(ascii: ","):
          try body(&self, trimmed(start..<index))
          start = index + 1
        default:
          break
        }
      }
    }
    try body(&self, trimmed(start..<list.upperBound))
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, text[start] == UInt8(ascii: " ") { start += 1 }
    while start < end, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }

  private mutating func parseTags(
    in namespace: Namespace, of owner: UInt32
  ) throws(TypeDeclarationError) {
    let field = nextField()
    guard !field.isEmpty else { return }
    var isPreferred = true
    try forEachElement(of: field) { (parser, range) throws(TypeDeclarationError) in
      var range = range
      if namespace == .osType {
        // In quotes, since blanks count.
        guard range.count == 6, parser.text[range.lowerBound] == UInt8(ascii: "'") else {
          throw parser.fault(.invalidTag(parser.text[range].string))
        }
        range = range.dropFirst().dropLast()
      }
      try parser.checkTag(range, in: namespace)
      parser.tables.names.append(
        .init(name: Name(range), owner: owner, namespace: namespace, isPreferred: isPreferred))
      isPreferred = false
    }
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

  /// Tags are found by their bytes, so those with parameters have to be in the one spelling that
  /// `MIMEType` makes of all.
  private func isCanonicalMIMEType(_ tag: TextSlice) -> Bool {
    guard let key = MIMEType(tag.string)?.lookupKey else { return false }
    return key.withTextSlice { $0.isEqual(to: tag, folding: true) }
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
      .init(name: Name(name), namespace: namespace, role: role, type: Name(type), line: line))
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
