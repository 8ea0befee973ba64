import ClipboardCore
import Pasteboard
import SystemIO
import TypeRegistry

/// `paste`: what is on the selection, as asked for, to standard output or a file.
struct PasteCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    let arguments = context.arguments
    let kinds: [Option] = [.type, .converted, .accept, .acceptAny].filter { arguments.has($0) }
    guard kinds.count <= 1 else {
      let names = kinds.map { "--\(OptionSpec.spec(of: $0).long)" }.joined(separator: " and ")
      throw .usage("\(names) exclude each other", hint: "give one of them")
    }
    if arguments.value(of: .type)?.bytes.isEmpty == true
      || arguments.value(of: .converted)?.bytes.isEmpty == true
    {
      throw .usage("the TYPE is empty", hint: "as in -t text/html")
    }
    try output.check()
    let wishes = try acceptedTypes()
    if arguments.value(of: .converted)?.text == "files" { return try pasteFiles() }
    if arguments.has(.null) {
      throw .usage("-0 ends the names of files", hint: "ask for them: clipview paste --as files -0")
    }
    var shaping = LineShaping()
    shaping.trimsFinalLineEnd = arguments.has(.trimNewline)
    shaping.flattening = arguments.flattening
    shaping.convertsToLF = arguments.has(.lf)
    let reader = context.reader(on: try context.openSession())
    guard shaping == LineShaping() else {
      let pasted = try content(reader, wishes)
      report(pasted)
      // Lines are a matter of text: the bytes of a picture that look like one stay.
      let hasLines = pasted.isPlainText || pasted.type.conforms(to: .text, in: .current)
      return try output.write(
        hasLines ? shaping.apply(to: pasted.payload) : pasted.payload,
        isText: pasted.method != .asOffered)
    }
    let early = output.early()
    reader.early = early
    let pasted = try content(reader, wishes)
    // Messages may go where the content goes: not into the middle of it.
    let isBegun = early.hasBegun
    if !isBegun { report(pasted) }
    try output.write(pasted, behind: early)
    if isBegun { report(pasted) }
  }

  private var output: OutputDestination { OutputDestination(context.arguments) }

  // MARK: What

  /// What `--accept` and `--accept-any` list; empty where neither was given.
  private func acceptedTypes() throws(Failure) -> [String] {
    let arguments = context.arguments
    guard let list = arguments.value(of: .accept) ?? arguments.value(of: .acceptAny) else {
      return []
    }
    let types = list.text.split(separator: ",").map { String($0.drop { $0 == " " }) }
      .filter { !$0.isEmpty }
    if types.isEmpty { throw .usage("no TYPE was given", hint: "as in --accept markdown,html") }
    return types
  }

  private func content(
    _ reader: ContentReader, _ wishes: [String]
  ) throws(Failure) -> PastedContent {
    do throws(Failure) {
      return try wantedContent(reader, wishes)
    } catch {
      guard let early = reader.early else { throw error }
      if let unwritable = early.failure { throw output.failure(unwritable, after: early) }
      throw early.hasBegun ? error.afterPart : error
    }
  }

  private func wantedContent(
    _ reader: ContentReader, _ wishes: [String]
  ) throws(Failure) -> PastedContent {
    let arguments = context.arguments
    if !wishes.isEmpty {
      return try context.reading(wishes.joined(separator: " or "), with: reader) {
        () throws(ReadProblem) in
        try reader.negotiated(wishes, isOrdered: arguments.has(.accept))
      }
    }
    if let type = arguments.value(of: .type)?.text {
      return try context.reading(type, with: reader) { () throws(ReadProblem) in
        try reader.representation(type)
      }
    }
    if let type = arguments.value(of: .converted)?.text ?? output.path.flatMap(knownEnding) {
      return try context.reading(type, with: reader) { () throws(ReadProblem) in
        try reader.converted(to: type)
      }
    }
    return try context.reading("text", with: reader) { () throws(ReadProblem) in
      try whatever(reader)
    }
  }

  /// The extension of a path as a TYPE, where it is that of some type.
  private func knownEnding(_ path: FilePath) -> String? {
    let registry = TypeRegistry.current
    guard let ending = registry.filenameExtension(of: path),
      registry.type(for: ending, in: .filenameExtension) != nil
    else { return nil }
    return ".\(ending)"
  }

  /// No type asked for: text, or for a program whatever there is.
  private func whatever(_ reader: ContentReader) throws(ReadProblem) -> PastedContent {
    let isForTerminal = output.path == nil && StandardStream.output.isTerminal
    guard isForTerminal else { return try reader.textOrFirstContent() }
    if let text = try reader.plainText() { return text }
    throw .notOffered(offered: try reader.listedNames())
  }

  // MARK: Files

  /// The paths of copied files, one a line, or each with a NUL behind it.
  private func pasteFiles() throws(Failure) {
    let arguments = context.arguments
    if let option: Option = [.flat, .lf].first(where: { arguments.has($0) }) {
      throw .usage(
        "--\(OptionSpec.spec(of: option).long) would change names of files",
        hint: "leave it out; -0 tells names with line ends apart")
    }
    let reader = context.reader(on: try context.openSession())
    let files = try context.reading("files", with: reader) { () throws(ReadProblem) in
      try reader.files()
    }
    context.say("took \(files.target) as paths: \(files.paths.count)")
    let isPerLine = !arguments.has(.null)
    let end = isPerLine ? UInt8(ascii: "\n") : 0
    if isPerLine, files.paths.contains(where: { $0.bytes.contains(end) }) {
      context.say("there are line ends in the names of files: -0 tells them apart")
    }
    var list = files.paths.flatMap { $0.bytes + [end] }
    if isPerLine, arguments.has(.trimNewline), !list.isEmpty { list.removeLast() }
    try output.write(Payload(list), isText: isPerLine)
  }

  private func report(_ pasted: PastedContent) {
    if pasted.isLossy {
      context.warn(
        "some of \(pasted.target) is not valid text, replaced by U+FFFD: "
          + "'clipview paste -t \(pasted.target)' gives the bytes")
    }
    switch pasted.method {
    case .asOffered: context.say("took \(pasted.target) as it is (\(pasted.type))")
    case .asText: context.say("took the text of \(pasted.target) (\(pasted.type))")
    case .converted(let source):
      context.say("took \(pasted.target) and converted \(source) to \(pasted.type)")
    }
  }
}
