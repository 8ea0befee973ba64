import ClipboardCore
import SelectionCore
import SystemIO
import TypeRegistry

/// What `registry` can do.
enum RegistrySubcommand: String, CaseIterable {
  case show, conforms, resolve, tree, list

  /// What stands behind it, and what it does.
  private var row: (arguments: String, summary: String) {
    switch self {
    case .show: ("TYPE", "all that is known of a type")
    case .conforms: ("TYPE OTHER", "exit code 0 where TYPE is or conforms to OTHER, else 1")
    case .resolve:
      ("--extension|--mime|--target|--file X", "the types that such a name may mean")
    case .tree: ("[TYPE]", "what conforms to what, below TYPE or all of it")
    case .list: ("", "the identifiers of all declared types")
    }
  }

  /// A list for help.
  static var help: String {
    allCases.map { subcommand in
      let (arguments, summary) = subcommand.row
      return
        "  \(subcommand.rawValue) \(arguments.isEmpty ? summary : "\(arguments): \(summary)")\n"
    }.joined()
  }

  var usage: String {
    "clipview registry \(rawValue)" + (row.arguments.isEmpty ? "" : " \(row.arguments)")
  }

  /// How many TYPEs it takes.
  var argumentCounts: ClosedRange<Int> {
    switch self {
    case .show: 1...1
    case .conforms: 2...2
    case .resolve, .list: 0...0
    case .tree: 0...1
    }
  }
}

/// `registry`: what the type registry knows, for people and for scripts.
struct RegistryCommand {
  private let context: CommandContext
  private let registry = TypeRegistry.current

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    let (subcommand, names) = try parsed()
    tellOfFiles()
    switch subcommand {
    case .show: try show(try type(named: names[0]))
    case .conforms: conforms(names[0], names[1])
    case .resolve: try resolve()
    case .tree:
      let root: TypeIdentifier? = if let name = names.first { try type(named: name) } else { nil }
      let tree = TypeTree(registry, below: root)
      try writeOutput(isJSON ? "\(tree.json)\n" : tree.text(.standardOutput))
    case .list: try list()
    }
  }

  private var isJSON: Bool { context.arguments.has(.json) }

  private func parsed() throws(Failure) -> (RegistrySubcommand, [String]) {
    let words = context.arguments.arguments.map(\.text)
    let known = RegistrySubcommand.allCases.map(\.rawValue)
    guard let word = words.first else {
      throw .usage(
        "'clipview registry' needs a subcommand", hint: "one of \(known.joined(separator: ", "))")
    }
    guard let subcommand = RegistrySubcommand(rawValue: word) else {
      throw .unknown("subcommand", word, among: known, hint: "see 'clipview help registry'")
    }
    let names = Array(words.dropFirst())
    guard subcommand.argumentCounts.contains(names.count) else {
      let happened =
        names.count < subcommand.argumentCounts.lowerBound
        ? "'registry \(word)' needs a TYPE"
        : "'registry \(word)' takes no argument '\(names.last ?? "")'"
      throw .usage(happened, hint: subcommand.usage)
    }
    let ofResolve: [Option] = [
      .fileExtension, .mimeType, .target, .file, .evidence, .conformingTo,
    ]
    if subcommand != .resolve, let option = ofResolve.first(where: context.arguments.has) {
      throw .usage(
        "'registry \(word)' has no option --\(OptionSpec.spec(of: option).long)",
        hint: subcommand.usage)
    }
    return (subcommand, names)
  }

  /// Whoever asks about types is told where some are missing.
  private func tellOfFiles() {
    let types = UserTypes.current
    for file in types.unreadable {
      context.warn("\(file.path) \(TypeFileWording.words(file.problem)): see 'clipview doctor'")
    }
    for report in types.reports where report.isFault {
      context.warn("\(TypeFileWording.words(report, types.files)): line left out")
    }
  }

  // MARK: Types

  private func knownType(named name: String) -> TypeIdentifier? {
    let type: TypeIdentifier
    switch TypeQuery(name, in: registry) {
    // Of `text`, which is plain text first, the family is meant.
    case .types(let types): type = types[types.count - 1]
    case .target(let name):
      if name.hasPrefix("."), TagClass.filenameExtension.canHave(String(name.dropFirst())) {
        let ending = String(name.dropFirst())
        return registry.types(for: ending, in: .filenameExtension, conformingTo: .data).first
      }
      type = registry.type(forTarget: name)
      // A word that nobody knows is a mistake more often than the name of a target.
      if type.isDynamic { return nil }
    }
    return type
  }

  private func type(named name: String) throws(Failure) -> TypeIdentifier {
    guard let type = knownType(named: name) else { throw .noType(name) }
    return type
  }

  private func conforms(_ name: String, _ other: String) {
    let conforms =
      if let type = knownType(named: name), let other = knownType(named: other) {
        MIMEDatabase.installed.isType(type, conformingTo: other, in: registry)
      } else {
        false
      }
    if !conforms { exitImmediately(ExitCode.nothingThere.rawValue) }
  }

  private func list() throws(Failure) {
    let types = registry.declaredTypes
    if isJSON {
      let rows = types.map { JSONValue.string($0.description) }
      return try writeOutput(
        "\(JSONValue.object([.init("schema", .integer(1)), .init("types", .array(rows))]))\n")
    }
    try writeOutput(types.map { "\(visible($0.description))\n" }.joined())
  }

  private func show(_ type: TypeIdentifier) throws(Failure) {
    let facts = TypeFacts(type, in: registry)
    try writeOutput(isJSON ? "\(facts.json)\n" : facts.text(.standardOutput))
  }

  // MARK: Resolving

  private func resolve() throws(Failure) {
    var owners = try self.owners()
    if let name = context.arguments.value(of: .conformingTo)?.text {
      let wanted = try type(named: name)
      owners = owners.filter {
        MIMEDatabase.installed.isType($0.type, conformingTo: wanted, in: registry)
      }
      if owners.isEmpty { throw .noType("that is \(name)") }
    }
    if isJSON {
      let rows = owners.map { owner -> JSONValue in
        .object([
          .init("identifier", .string(owner.type.description)),
          .init("mime_type", owner.mimeType.map { .string($0) } ?? .null),
        ])
      }
      return try writeOutput(
        "\(JSONValue.object([.init("schema", .integer(1)), .init("owners", .array(rows))]))\n")
    }
    let lines = owners.map { owner in
      visible(owner.type.description) + "\t" + visible(owner.mimeType ?? "-") + "\n"
    }
    try writeOutput(lines.joined())
  }

  private func owners() throws(Failure) -> [DetectedType] {
    let arguments = context.arguments
    let ways: [Option] = [.fileExtension, .mimeType, .target, .file]
    let given = ways.filter(arguments.has)
    guard given.count == 1, let value = arguments.value(of: given[0]) else {
      throw .usage(
        given.isEmpty ? "'registry resolve' needs something to look for" : "several were given",
        hint: "give one of --extension, --mime, --target and --file")
    }
    if arguments.has(.evidence), given[0] != .file {
      throw .usage("--by says how a file is looked at", hint: "give it with --file FILE")
    }
    let types: [TypeIdentifier]
    switch given[0] {
    case .fileExtension: types = try owners(ofExtension: value.text)
    case .mimeType: types = try owners(ofMIMEType: value.text)
    case .file: return try owners(ofFile: value)
    default: types = try owners(ofTarget: value.text)
    }
    return types.map { DetectedType(type: $0, mimeType: registry.preferredMIMEType(of: $0)) }
  }

  private func owners(ofExtension text: String) throws(Failure) -> [TypeIdentifier] {
    let ending = text.hasPrefix(".") ? String(text.dropFirst()) : text
    let found = registry.declaredTypes(for: ending, in: .filenameExtension)
    if !found.isEmpty { return found }
    let made = registry.types(for: ending, in: .filenameExtension, conformingTo: .data)
    guard !made.isEmpty else {
      throw .noTag("an extension", text, example: "--extension png")
    }
    return made
  }

  private func owners(ofMIMEType text: String) throws(Failure) -> [TypeIdentifier] {
    let found = registry.declaredTypes(for: text, in: .mimeType)
    if !found.isEmpty { return found }
    guard TagClass.mimeType.canHave(text) else {
      throw .noTag("a MIME type", text, example: "--mime image/png")
    }
    return [
      MIMEDatabase.installed.type(forMIMEType: text, in: registry) ?? registry.type(forTarget: text)
    ]
  }

  private func owners(ofTarget text: String) throws(Failure) -> [TypeIdentifier] {
    guard TagClass.x11Target.canHave(text) else {
      throw .noTag("a target", text, example: "--target UTF8_STRING")
    }
    return registry.types(forTarget: text)
  }

  private func owners(ofFile argument: Argument) throws(Failure) -> [DetectedType] {
    let name = context.arguments.value(of: .evidence)?.text ?? FileEvidence.both.rawValue
    guard let evidence = FileEvidence(rawValue: name) else {
      throw .unknown("evidence", name, among: FileEvidence.allCases.map(\.rawValue))
    }
    guard !argument.bytes.isEmpty else {
      throw .noTag("a file", "", example: "--file notes.md")
    }
    let path = FilePath(bytes: argument.bytes)
    do throws(Errno) {
      return try FileTypeDetection(registry: registry).types(ofFile: path, by: evidence)
    } catch {
      throw Failure(examining: path.description, error)
    }
  }
}
