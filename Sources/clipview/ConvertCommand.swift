import ClipboardCore
import Pasteboard
import SystemIO
import TypeRegistry

/// `convert`: a text from one format to another, without a clipboard.
struct ConvertCommand {
  private let context: CommandContext
  private let output: OutputDestination

  init(_ context: CommandContext) {
    self.context = context
    output = OutputDestination(context.arguments)
  }

  private static let limit = 1 << 30

  func run() throws(Failure) {
    let arguments = context.arguments
    try output.check()
    if let extra = arguments.arguments.dropFirst().first {
      throw .usage("'\(extra.text)' is one FILE too many", hint: "convert one after the other")
    }
    let file = arguments.arguments.first.flatMap { $0.text == "-" ? nil : $0 }
    if file?.bytes.isEmpty == true {
      throw .usage("the name of the FILE is empty", hint: "as in clipview convert -t html notes.md")
    }
    let target = try targetFormat()
    let named = try namedSource()
    let name = file?.text ?? Failure.standardInput
    let payload = try read(file, name)
    var source = named
    if source == nil { source = try knownSource(file, name) }
    let format = source ?? TextFormat(looksOf: payload)
    guard var conversion = TextConversion(from: format, to: target) else {
      throw .notInThisVersion(
        "converting \(format.type) to \(target.type)", hint: "see 'clipview help convert'")
    }
    conversion.isSafe = arguments.has(.safe)
    conversion.purpose = output.path == nil ? .stream : .file
    try output.write(try convert(payload, conversion, name), isText: true)
    context.say("converted \(name) from \(format.type) to \(target.type)")
  }

  // MARK: Types

  private static let known = "Markdown, HTML, RTF, plain text, CSV and TSV"

  private func format(_ text: String, _ option: String) throws(Failure) -> TextFormat {
    guard let format = TextFormat(TypeQuery(text).types()[0]) else {
      throw .usage(
        "\(option) does not take '\(text)'",
        hint: TypeQuery.extensionMeant(by: text).map { "did you mean '\($0)'?" }
          ?? "convert knows \(Self.known)")
    }
    return format
  }

  private func targetFormat() throws(Failure) -> TextFormat {
    if let type = context.arguments.value(of: .type) { return try format(type.text, "--type") }
    guard let path = output.path else {
      throw .usage("no TYPE was given", hint: "as in clipview convert -t html notes.md")
    }
    guard let type = Self.type(ofExtensionOf: path), let format = TextFormat(type) else {
      throw .usage(
        "the name '\(path.description)' does not tell the TYPE",
        hint: "say it, as in -t markdown; convert knows \(Self.known)")
    }
    return format
  }

  private func namedSource() throws(Failure) -> TextFormat? {
    guard let type = context.arguments.value(of: .from) else { return nil }
    return try format(type.text, "--from")
  }

  /// What the extension of the input's name says; nil where it says nothing.
  private func knownSource(_ file: Argument?, _ name: String) throws(Failure) -> TextFormat? {
    guard let file, let type = Self.type(ofExtensionOf: FilePath(bytes: file.bytes)) else {
      return nil
    }
    guard let format = TextFormat(type) else { throw Failure(converting: name, type) }
    return format
  }

  private static func type(ofExtensionOf path: FilePath) -> TypeIdentifier? {
    let registry = TypeRegistry.current
    return registry.filenameExtension(of: path).flatMap {
      registry.type(for: $0, in: .filenameExtension)
    }
  }

  // MARK: Content

  private func read(_ file: Argument?, _ name: String) throws(Failure) -> Payload {
    guard let file else {
      return try readContents(of: StandardStream.input.rawValue, limit: Self.limit) {
        Failure(converting: name, $0)
      }
    }
    let opened: OwnedFD
    do throws(Errno) {
      opened = try openForReading(FilePath(bytes: file.bytes))
    } catch {
      throw Failure(converting: name, .system(error))
    }
    return try readContents(of: opened.rawValue, limit: Self.limit) {
      Failure(converting: name, $0)
    }
  }

  private func convert(
    _ payload: Payload, _ conversion: TextConversion, _ name: String
  ) throws(Failure) -> Payload {
    var payload = payload
    if let type = context.arguments.value(of: .from)?.text {
      guard let decoded = conversion.decoded(payload, asTold: type) else {
        throw Failure(converting: name, notInCharsetOf: type)
      }
      payload = decoded
    }
    do {
      return try conversion.convert(payload)
    } catch {
      throw Failure(converting: name, conversion, error as? TextConversionFailure)
    }
  }
}
