import ClipboardCore
import Pasteboard
import SystemIO

/// The names that `copy --files` and `copy --cut` are given, as arguments or on standard input.
struct FileNames {
  private let arguments: ParsedArguments
  private let operation: FileList.Operation

  /// Nil where neither option was given.
  init?(_ arguments: ParsedArguments) throws(Failure) {
    guard arguments.has(.files) || arguments.has(.cut) else {
      if arguments.has(.null) {
        throw .usage("-0 ends the names of files", hint: "say --files or --cut, or leave it out")
      }
      return nil
    }
    self.arguments = arguments
    operation = arguments.has(.cut) ? .cut : .copy
    try check()
  }

  /// What cannot be meant beside files.
  private func check() throws(Failure) {
    if arguments.has(.files), arguments.has(.cut) {
      throw .usage("--files and --cut exclude each other", hint: "give one of them")
    }
    let name = operation == .cut ? "--cut" : "--files"
    // The content of the files is not read, so there is nothing to be said about it.
    let excluded: [Option] = [.type, .text, .also, .flat, .trimNewline]
    if let option = excluded.first(where: { arguments.has($0) }) {
      let other = "--\(OptionSpec.spec(of: option).long)"
      throw .usage(
        "\(name) copies files, not what is in them, so \(other) says nothing",
        hint: "leave out \(name) or \(other)")
    }
    if operation == .cut, arguments.has(.only) {
      throw .usage(
        "a text/uri-list alone does not tell that files were cut",
        hint: "leave out --only, or give --files")
    }
    let inputs = arguments.arguments.count { $0.isStandardInput }
    if inputs > 1 {
      throw .usage("standard input can be read once", hint: "name a file '-' as ./-")
    }
    if arguments.has(.null), inputs == 0, !arguments.arguments.isEmpty {
      throw .usage(
        "-0 ends names on standard input, which is not read",
        hint: "leave it out, or give '-' among the files")
    }
  }

  /// The files, each of which is there.
  ///
  /// - Parameter limit: What is read of standard input at most.
  func list(limit: Int) throws(Failure) -> FileList {
    let given = arguments.arguments
    var names: [[UInt8]] = []
    for argument in given.isEmpty ? [Argument("-")] : given {
      names += argument.isStandardInput ? try namesOnInput(limit: limit) : [argument.bytes]
    }
    if names.isEmpty {
      throw Failure(
        .unreadable, "no name of a file on standard input, nothing copied",
        hint: "give names, one a line, or with -0 each with a NUL behind it")
    }
    var paths: [FilePath] = []
    for name in names {
      let path = FilePath(bytes: name)
      do throws(Errno) {
        paths.append(try absolutePath(of: path))
      } catch {
        throw Failure(copying: path, error)
      }
    }
    return FileList(operation, paths)
  }

  private func namesOnInput(limit: Int) throws(Failure) -> [[UInt8]] {
    let bytes = try readInput(limit: limit).bytes
    guard arguments.has(.null) else {
      if bytes.contains(0) {
        throw Failure(
          .unreadable, "there is a NUL in the names on standard input, nothing copied",
          hint: "for names that end with one, say -0")
      }
      return bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }
    var names = bytes.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    // Behind the last NUL nothing comes; without one, a name.
    if names.last?.isEmpty == true { names.removeLast() }
    return names
  }
}

extension Argument {
  /// The `-` that stands for standard input.
  fileprivate var isStandardInput: Bool { bytes == [UInt8(ascii: "-")] }
}
