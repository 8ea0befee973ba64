/// Declarations from outside, such as a file.
public struct TypeDeclarationSource: Sendable {
  /// What the source is called in reports.
  public let name: String
  /// The declarations: rows in the format of the package's `data` directory, or, where the name ends
  /// in `.plist`, an app's property list in XML with `UTExportedTypeDeclarations` or
  /// `UTImportedTypeDeclarations`.
  public let bytes: [UInt8]

  /// A source of that name with these declarations.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  var isPropertyList: Bool { name.asciiLowercased.hasSuffix(".plist") }
}

/// The built-in declarations with others added to them, and what there is to say about those.
///
/// Nothing in the added declarations can do harm: a line that cannot be read is left out and reported,
/// and so are parents that nobody declares or that would make a type conform to itself. A type that is
/// declared twice conforms to all the parents and has all the tags, so what is built in can be added to
/// and not be taken away.
///
/// Of several owners of a tag, those that have it by an added declaration come before those that have
/// it by a built-in one; see ``TypeRegistry/type(for:in:conformingTo:)``.
public struct TypeOverlay: Sendable {
  /// The registry of all declarations.
  public let registry: TypeRegistry
  /// What was found in the sources, in their order: what is wrong, and what meets other declarations.
  public let reports: [TypeDeclarationReport]

  /// Adds the declarations of `sources`; of two that differ, the later one counts more.
  public init(_ sources: [TypeDeclarationSource]) {
    // What counts more stands in front, and what an app imports behind all that somebody declares.
    let parts = sources.indices.reversed().flatMap { Self.parts(of: sources[$0], position: $0) }
    guard !parts.isEmpty else {
      registry = .builtin
      reports = []
      return
    }
    var text = BuiltinDeclarations.bytes
    var sections = [DeclarationSection(range: 0..<text.count, layer: .system)]
    for part in parts {
      let start = text.count
      text += part.rows
      sections.append(DeclarationSection(range: start..<text.count, layer: part.layer))
    }
    let tables = Self.read(text, sections)
    registry = TypeRegistry(storage: tables.storage)
    // Reports name lines of the sources: those of a property list are not those of its rows.
    var reports: [(source: Int, report: TypeDeclarationReport)] = []
    func add(_ part: Part, line: Int, _ finding: TypeDeclarationReport.Finding) {
      let report = TypeDeclarationReport(
        source: sources[part.source].name, line: line, finding: finding)
      reports.append((part.source, report))
    }
    for part in parts {
      for fault in part.faults { add(part, line: fault.line, .fault(fault.fault)) }
    }
    for found in tables.findings where found.section > 0 {
      let part = parts[found.section - 1]
      let line = part.lines.isEmpty ? found.line : part.lines[found.line - 1]
      add(part, line: line, Self.placed(found.finding, parts))
    }
    // `sorted` need not keep the order of what is equal, so nothing is left equal.
    self.reports = reports.enumerated()
      .sorted { one, other in
        (one.element.source, one.element.report.line, one.offset)
          < (other.element.source, other.element.report.line, other.offset)
      }
      .map(\.element.report)
  }

  /// A source, or what an app exports or imports.
  private struct Part {
    var source: Int
    var rows: [UInt8]
    var layer: DeclarationLayer
    /// For rows that stand for something else: the line of each.
    var lines: [Int] = []
    var faults: [TypeDeclarationError] = []
  }

  private static func parts(of source: TypeDeclarationSource, position: Int) -> [Part] {
    guard source.bytes.count < Int(UInt32.max) / 16 else {
      let fault = TypeDeclarationError(line: 1, .tooLarge)
      return [Part(source: position, rows: [], layer: .added, faults: [fault])]
    }
    guard source.isPropertyList else {
      return [Part(source: position, rows: source.bytes, layer: .added)]
    }
    let declarations = PropertyListDeclarations(source.bytes)
    return [
      Part(
        source: position, rows: declarations.exported.text, layer: .added,
        lines: declarations.exported.lines, faults: declarations.faults),
      Part(
        source: position, rows: declarations.imported.text, layer: .imported,
        lines: declarations.imported.lines),
    ]
  }

  /// A finding with the position of the source in place of that of the section.
  private static func placed(
    _ finding: TypeDeclarationReport.Finding, _ parts: [Part]
  ) -> TypeDeclarationReport.Finding {
    func source(_ section: Int?) -> Int? { section.map { parts[$0 - 1].source } }
    switch finding {
    case .addsToType(let name, let section):
      return .addsToType(name, section: source(section))
    case .unusedImport(let name, let section):
      return .unusedImport(name, section: source(section))
    case .fault, .overridesRole, .sharesTag: return finding
    }
  }

  private static func read(
    _ declarations: [UInt8], _ sections: [DeclarationSection]
  ) -> (storage: DeclarationStorage, findings: [SectionFinding]) {
    let text = UnsafeMutableRawBufferPointer.allocate(byteCount: declarations.count, alignment: 8)
    unsafe text.copyBytes(from: declarations)
    let bytes = UnsafeRawBufferPointer(text)
    let slice = unsafe TextSlice(borrowing: bytes)
    var tables = DeclarationParser.parse(slice, sections: sections)
    let builtinCount = BuiltinDeclarations.storage.types.count
    var identifiers: [TypeIdentifier] = []
    for type in tables.types.dropFirst(builtinCount) {
      let name = slice[type.identifier.range].string
      // A process that met so many names that no more fit goes on with the built-in types.
      guard let identifier = IdentifierTable.identifier(declared: name) else {
        tables.note(
          TypeDeclarationError(line: Int(type.line), .tooManyIdentifiers), in: type.section)
        let findings = tables.findings
        unsafe text.deallocate()
        return (BuiltinDeclarations.storage, findings)
      }
      identifiers.append(identifier)
    }
    let findings = tables.findings
    let storage = unsafe DeclarationStorage(
      text: bytes, ownsText: true, tables: tables, builtinCount: builtinCount,
      identifiers: identifiers)
    return (storage, findings)
  }
}
