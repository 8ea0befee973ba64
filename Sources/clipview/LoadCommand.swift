import ClipboardCore
import Pasteboard
import SelectionCore
import SystemIO

/// `load`: a saved clipboard, checked to its last byte, then published as it was.
struct LoadCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    let limit = try context.arguments.maximumSize()
    let (path, saved) = try read(limit: limit)
    if saved.isRedacted {
      throw Failure(
        .unreadable,
        "\(Failure.named(path)) was saved without contents (--redact), nothing changed",
        hint: "save it again without --redact")
    }
    for representation in saved.representations {
      guard case .bound = representation.content else { continue }
      context.say("\(representation.target) is left out: it could not be saved")
    }
    let names = saved.representations.map(\.target)
    if !SensitivityMarker.markers(among: names).isEmpty { keepMemoryPrivate() }
    let session = try context.openSession()
    let offer = saved.offer(on: session)
    if offer.targets.isEmpty {
      throw Failure(
        .unreadable,
        "\(Failure.named(path)) holds nothing that could be put on the \(context.selection.spoken)",
        hint: "nothing changed; save another one")
    }
    try context.publish(
      offer, on: session, inForeground: context.arguments.has(.foreground))
  }

  private func read(limit: Int) throws(Failure) -> (path: String, saved: SavedClipboard) {
    let arguments = context.arguments
    let hint = "as in 'clipview load FILE', or '-' for standard input"
    let directory = arguments.value(of: .directory)
    guard arguments.arguments.count + (directory == nil ? 0 : 1) <= 1 else {
      throw .usage("more than one saved clipboard was given", hint: "load one of them")
    }
    guard let name = directory ?? arguments.arguments.first, !name.bytes.isEmpty else {
      throw .usage("no FILE was given", hint: hint)
    }
    let path = FilePath(bytes: name.bytes)
    if directory != nil { return (name.text, try load(directory: path, limit: limit)) }
    if name.text == "-" {
      let title = Failure.standardInput
      return (title, try load(StandardStream.input.rawValue, title, limit: limit))
    }
    let file: OwnedFD
    do throws(Errno) {
      file = try openForReading(path)
    } catch {
      if error == .isDirectory { return (name.text, try load(directory: path, limit: limit)) }
      throw Failure(loading: name.text, error)
    }
    return (name.text, try load(file.rawValue, name.text, limit: limit))
  }

  private func load(
    _ descriptor: Int32, _ title: String, limit: Int
  ) throws(Failure) -> SavedClipboard {
    let contents = try readContents(of: descriptor, limit: limit) { Failure(loading: title, $0) }
    return try understanding(title) { () throws(SavedClipboardFault) in
      try SavedClipboard(decoding: contents)
    }
  }

  private func load(directory path: FilePath, limit: Int) throws(Failure) -> SavedClipboard {
    let title = path.description
    let indexFile = try contents(ofFile: SavedClipboard.indexFile, in: path, limit: limit)
    let index = try understanding("\(title)/\(SavedClipboard.indexFile)") {
      () throws(SavedClipboardFault) in
      try SavedIndex(parsing: indexFile)
    }
    var room = limit - indexFile.count
    var files: [Payload] = []
    for name in index.files {
      let file = try contents(ofFile: name, in: path, limit: room)
      room -= file.count
      files.append(file)
    }
    return try understanding(title) { () throws(SavedClipboardFault) in
      try SavedClipboard(index, of: indexFile, contents: files)
    }
  }

  private func understanding<Value>(
    _ title: String, _ body: () throws(SavedClipboardFault) -> Value
  ) throws(Failure) -> Value {
    do throws(SavedClipboardFault) {
      return try body()
    } catch {
      throw Failure(loading: title, error)
    }
  }

  private func contents(
    ofFile name: String, in directory: FilePath, limit: Int
  ) throws(Failure) -> Payload {
    let path = directory.appending(name)
    let file: OwnedFD
    do throws(Errno) {
      file = try openRegularFile(path)
    } catch {
      throw Failure(loading: path.description, error)
    }
    return try readContents(of: file.rawValue, limit: limit) {
      Failure(loading: path.description, $0)
    }
  }
}
