import ClipboardCore
import Pasteboard
import SelectionCore
import SystemIO

/// `save`: everything that is on the selection, to a file or a directory.
///
/// All of it is read before anything is written.
struct SaveCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  private enum Destination {
    case output
    case file(FilePath)
    case directory(FilePath)
  }

  func run() throws(Failure) {
    let arguments = context.arguments
    let destination = try destination()
    let session = try context.openSession()
    let reader = context.reader(on: session)
    let everything = try context.reading("representation", with: reader) {
      () throws(ReadProblem) in
      try reader.everything(acceptsSecrets: arguments.has(.sensitive))
    }
    guard var saved = everything else { throw .secret(context.selection) }
    saved.program = "clipview \(programVersion)"
    report(saved)
    if arguments.has(.redact) { saved = saved.redacted }
    try write(saved, to: destination)
  }

  private func destination() throws(Failure) -> Destination {
    let arguments = context.arguments
    let hint = "as in 'clipview save FILE', or '-' for standard output"
    if arguments.arguments.count > 1 {
      throw .usage("several files were given", hint: "save to one of them")
    }
    let file = arguments.arguments.first
    if let directory = arguments.value(of: .directory) {
      if file != nil { throw .usage("a FILE and --dir were given", hint: "give one of them") }
      if directory.bytes.isEmpty { throw .usage("--dir needs a name", hint: hint) }
      return .directory(FilePath(bytes: directory.bytes))
    }
    guard let file, !file.bytes.isEmpty else {
      throw .usage("no FILE was given", hint: hint)
    }
    guard StandardStream.isOutput(file.text) else { return .file(FilePath(bytes: file.bytes)) }
    if StandardStream.output.isTerminal, !arguments.has(.redact) {
      throw .usage(
        "a terminal cannot show a saved clipboard unharmed",
        hint: "name a file, or look at 'clipview save --redact -'")
    }
    return .output
  }

  private func report(_ saved: SavedClipboard) {
    for representation in saved.representations {
      switch representation.content {
      case .bytes, .atoms, .redacted: break
      case .refused:
        context.say("\(representation.target): its owner lists it and does not give it")
      case .bound:
        context.say(
          "\(representation.target) is not saved: it means nothing without its owner and X server")
      }
    }
    context.say("read \(saved.representations.count) representations, \(saved.size) bytes")
  }

  // MARK: Writing

  private func write(_ saved: SavedClipboard, to destination: Destination) throws(Failure) {
    let isPrivate = context.arguments.has(.sensitive)
    switch destination {
    case .output:
      do throws(Errno) {
        try unsafe Self.write(saved.encoded()) { bytes throws(Errno) in
          try unsafe StandardStream.output.write(bytes)
        }
      } catch {
        throw outputFailure(error)
      }
    case .file(let path):
      do throws(Errno) {
        let file = saved.encoded()
        try unsafe replaceFile(at: path, isPrivate: isPrivate) { write throws(Errno) in
          try unsafe Self.write(file, write)
        }
      } catch {
        throw Failure(writing: path, error)
      }
    case .directory(let path):
      let files = saved.encodedForDirectory()
      do throws(Errno) {
        try unsafe replaceDirectory(
          at: path, isPrivate: isPrivate, names: files.map(\.name),
          mayReplace: { Self.isSaved(path, holding: $0) },
          filling: { index, write throws(Errno) in
            try unsafe Self.write(files[index].content, write)
          })
      } catch {
        if error == .exists {
          throw Failure(
            .unreadable, "'\(path.description)' holds something else than a saved clipboard",
            hint: "nothing was written; name a directory that is not there yet")
        }
        throw Failure(writing: path, error)
      }
    }
  }

  private static func write(
    _ payload: Payload, _ write: (UnsafeRawBufferPointer) throws(Errno) -> Void
  ) throws(Errno) {
    try unsafe payload.forEachChunk { bytes throws(Errno) in try unsafe write(bytes) }
  }

  /// Whether a directory with these names in it is one that `save` made, and nothing more.
  private static func isSaved(_ path: FilePath, holding names: [String]) -> Bool {
    guard names.contains(SavedClipboard.indexFile),
      let file = try? openRegularFile(path.appending(SavedClipboard.indexFile)),
      let contents = try? readToEnd(of: file.rawValue, limit: .max),
      let index = try? SavedIndex(parsing: Payload(contents))
    else { return false }
    let known = Set([SavedClipboard.indexFile] + index.files)
    return names.allSatisfy { name in
      known.contains(name) && (try? openRegularFile(path.appending(name))) != nil
    }
  }
}

extension StandardStream {
  /// Whether a name on the command line means standard output.
  ///
  /// Renaming a file over what standard output is would lose what others have written there.
  static func isOutput(_ name: String) -> Bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(name)
  }
}
