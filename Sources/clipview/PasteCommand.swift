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
    let session = try context.openSession()
    let pasted = try content(context.reader(on: session))
    report(pasted)

    var shaping = LineShaping()
    shaping.trimsFinalLineEnd = arguments.has(.trimNewline)
    shaping.flattening = arguments.flattening
    shaping.convertsToLF = arguments.has(.lf)
    try write(shaping.apply(to: pasted.payload), isText: pasted.method != .asOffered)
  }

  private var output: FilePath? {
    guard let name = context.arguments.value(of: .output) else { return nil }
    // Renaming a file over what standard output is would lose what others have written there.
    if ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(name.text) { return nil }
    return FilePath(bytes: name.bytes)
  }

  // MARK: What

  private func content(_ reader: ContentReader) throws(Failure) -> PastedContent {
    let arguments = context.arguments
    if let type = arguments.value(of: .type)?.text {
      return try context.reading(type) { () throws(ReadProblem) in try reader.representation(type) }
    }
    if let type = arguments.value(of: .converted)?.text {
      return try context.reading(type) { () throws(ReadProblem) in try reader.converted(to: type) }
    }
    if let list = arguments.value(of: .accept)?.text {
      let request = TypeRequest.ordered(try types(list, reader))
      return try context.reading(list) { () throws(ReadProblem) in try reader.negotiated(request) }
    }
    if let list = arguments.value(of: .acceptAny)?.text {
      let request = TypeRequest.unordered(try types(list, reader))
      return try context.reading(list) { () throws(ReadProblem) in try reader.negotiated(request) }
    }
    if let ending = output?.filenameExtension, isKnown(ending) {
      return try context.reading(".\(ending)") { () throws(ReadProblem) in
        try reader.converted(to: ".\(ending)")
      }
    }
    return try whatever(reader)
  }

  private func isKnown(_ ending: String) -> Bool {
    TypeRegistry.builtin.type(for: ending, in: .filenameExtension) != nil
  }

  private func types(_ list: String, _ reader: ContentReader) throws(Failure) -> [TypeIdentifier] {
    let names = try context.reading(nil) { () throws(ReadProblem) in
      try reader.targetNames() ?? []
    }
    let types = list.split(separator: ",").flatMap { name in
      TypeQuery(String(name.drop { $0 == " " }), offered: names).types()
    }
    if types.isEmpty { throw .usage("no TYPE was given", hint: "as in --accept markdown,html") }
    return types
  }

  /// No type asked for: text, or for a program whatever there is.
  private func whatever(_ reader: ContentReader) throws(Failure) -> PastedContent {
    let text = try context.reading(nil) { () throws(ReadProblem) in try reader.plainText() }
    if let text {
      return text
    }
    let offered = try context.reading(nil) { () throws(ReadProblem) in
      try reader.targetNames() ?? []
    }
    let isForTerminal = output == nil && StandardStream.output.isTerminal
    if !isForTerminal {
      let first = try context.reading { () throws(ReadProblem) in try reader.firstContent() }
      if let first { return first }
    }
    throw Failure(
      .notOffered(offered: offered), wanted: "text", selection: context.selection.description,
      timeout: context.timeoutText)
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

  // MARK: Where

  private func write(_ payload: Payload, isText: Bool) throws(Failure) {
    if let output {
      do throws(Errno) {
        try unsafe replaceFile(at: output) { write throws(Errno) in
          for chunk in payload.chunks {
            try unsafe chunk.withUnsafeBytes { bytes throws(Errno) in try unsafe write(bytes) }
          }
        }
      } catch {
        throw Failure(writing: output.description, error)
      }
      return
    }
    do throws(Errno) {
      for chunk in payload.chunks {
        try unsafe chunk.withUnsafeBytes { bytes throws(Errno) in
          try unsafe StandardStream.output.write(bytes)
        }
      }
      if isText, StandardStream.output.isTerminal, !endsLine(payload) {
        try StandardStream.output.write("\n")
      }
    } catch {
      throw outputFailure(error)
    }
  }

  private func endsLine(_ payload: Payload) -> Bool {
    let count = payload.count
    let tail = unsafe payload.withUnsafeBytes(in: max(0, count - 1)..<count) { unsafe Array($0) }
    return tail == [UInt8(ascii: "\n")]
  }
}
