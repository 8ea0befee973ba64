import ClipboardCore
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// `copy`: reads everything first, then takes the selection; where anything cannot be read nothing
/// is touched.
struct CopyCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    let arguments = context.arguments
    let serving = try arguments.servingPolicy()
    if arguments.has(.sensitive) {
      keepMemoryPrivate()
      Argument.hideText()
    }
    var offer = try offer()
    offer.serving = serving
    if arguments.has(.sensitive) { for mark in SensitivityMarker.published { offer.set(mark) } }
    let session = try context.openSession()
    try context.publish(offer, on: session, inForeground: arguments.has(.foreground))
  }

  private func offer() throws(Failure) -> Offer {
    let arguments = context.arguments
    let limit = try arguments.maximumSize()
    if let files = try FileNames(arguments) {
      var assembly = CopyAssembly()
      assembly.publishesOnlyGiven = arguments.has(.only)
      return assembly.offer(of: try files.list(limit: limit))
    }
    try checkNames()
    var sources = [try mainSource(limit: limit)]
    for also in arguments.allValues(of: .also) { sources.append(try source(also, limit: limit)) }

    var assembly = CopyAssembly()
    assembly.publishesOnlyGiven = arguments.has(.only)
    assembly.shaping.trimsFinalLineEnd = arguments.has(.trimNewline)
    assembly.shaping.flattening = arguments.flattening
    do throws(CopyProblem) {
      return try assembly.offer(of: sources)
    } catch {
      throw Failure(error)
    }
  }

  /// What cannot be meant: standard input twice, a TYPE that is none.
  private func checkNames() throws(Failure) {
    let arguments = context.arguments
    let alsos = arguments.allValues(of: .also).compactMap { also in
      Self.splitIndex(also.bytes).map { (type: also.bytes[..<$0], file: also.bytes[($0 + 1)...]) }
    }
    let readsInput = !arguments.has(.text) && (arguments.arguments.first?.text ?? "-") == "-"
    let inputs = alsos.count { $0.file == [UInt8(ascii: "-")] } + (readsInput ? 1 : 0)
    if inputs > 1 {
      throw .usage("standard input can be read once", hint: "name a file in place of one '-'")
    }
    let given = arguments.value(of: .type).map { [$0.bytes[...]] } ?? []
    for bytes in given + alsos.map(\.type) {
      let isTooLong = bytes.count > 65_535
      if bytes.isEmpty || isTooLong {
        throw .usage("the TYPE is \(isTooLong ? "too long" : "empty")", hint: "as in -t text/html")
      }
      let type = String(decoding: bytes, as: UTF8.self)
      if TypeRegistry.current.role(ofTarget: type) == .transferProtocol {
        throw .usage("'\(type)' is part of the protocol, not a type", hint: "as in -t text/html")
      }
      if let meant = TypeQuery.extensionMeant(by: type) {
        context.warn(
          "the content is offered as '\(type)' and nothing else: did you mean '\(meant)'?")
      }
    }
  }

  private func mainSource(limit: Int) throws(Failure) -> CopySource {
    let arguments = context.arguments
    let type = arguments.value(of: .type)?.text
    let files = arguments.arguments
    if let text = arguments.value(of: .text) {
      if let extra = files.first {
        throw .usage("both --text and '\(extra.text)' were given", hint: "copy one of them")
      }
      guard text.bytes.count <= limit else {
        throw Failure(reading: "--text", .tooLarge(limit: limit))
      }
      return CopySource(Payload(text.bytes), type: type ?? "plain")
    }
    guard files.count <= 1 else {
      throw .usage(
        "several files were given",
        hint: "to copy them as a file manager does: clipview copy --files, or --cut to move them")
    }
    guard let file = files.first, file.text != "-" else {
      return CopySource(try readInput(limit: limit), type: type)
    }
    let path = FilePath(bytes: file.bytes)
    let payload = try read(path, limit: limit)
    let ending = type == nil ? TypeRegistry.current.filenameExtension(of: path) : nil
    return CopySource(payload, type: type, filenameExtension: ending)
  }

  /// `TYPE=FILE`: split at the first `=` behind the parameters of the TYPE, which may hold some
  /// themselves (`text/plain;charset=utf-8=notes.txt`).
  private func source(_ also: Argument, limit: Int) throws(Failure) -> CopySource {
    guard let split = Self.splitIndex(also.bytes), split > 0, split + 1 < also.bytes.count else {
      throw .usage(
        "--also needs TYPE=FILE, not '\(also.text)'", hint: "as in --also html=page.html")
    }
    let type = String(decoding: also.bytes[..<split], as: UTF8.self)
    let file = FilePath(bytes: Array(also.bytes[(split + 1)...]))
    let payload =
      file == "-" ? try readInput(limit: limit) : try read(file, limit: limit)
    return CopySource(payload, type: type)
  }

  static func splitIndex(_ bytes: [UInt8]) -> Int? {
    var index = 0
    func firstEquals(from start: Int) -> Int? {
      bytes[start...].firstIndex(of: UInt8(ascii: "="))
    }
    while let equals = firstEquals(from: index) {
      // A parameter is `;name=value`: its `=` has a `;` before it and only a name between.
      let name = bytes[index..<equals]
      guard let semicolon = name.lastIndex(of: UInt8(ascii: ";")),
        !name[semicolon...].contains(UInt8(ascii: "/"))
      else { return equals }
      // Behind the value comes the next parameter or the `=` that splits.
      var end = equals + 1
      if end < bytes.count, bytes[end] == UInt8(ascii: "\"") {
        end += 1
        // A backslash takes away the meaning of what follows (RFC 2045 by way of RFC 822).
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
          end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
      }
      while end < bytes.count, bytes[end] != UInt8(ascii: "="), bytes[end] != UInt8(ascii: ";") {
        end += 1
      }
      index = end
      if end < bytes.count, bytes[end] == UInt8(ascii: "=") { return end }
      if end >= bytes.count { return nil }
    }
    return nil
  }

  private func read(_ path: FilePath, limit: Int) throws(Failure) -> Payload {
    let file: OwnedFD
    do throws(Errno) {
      file = try openForReading(path)
    } catch {
      throw Failure(reading: path.description, error)
    }
    return try readContents(of: file.rawValue, limit: limit) {
      Failure(reading: path.description, $0)
    }
  }
}

/// All of standard input.
func readInput(limit: Int) throws(Failure) -> Payload {
  try readContents(of: StandardStream.input.rawValue, limit: limit) {
    Failure(reading: Failure.standardInput, $0)
  }
}

/// - Parameter failure: How it is told that the contents cannot be read.
func readContents(
  of descriptor: Int32, limit: Int, or failure: (ReadContentsError) -> Failure
) throws(Failure) -> Payload {
  do throws(ReadContentsError) {
    return Payload(try readToEnd(of: descriptor, limit: limit))
  } catch {
    throw failure(error)
  }
}

extension ParsedArguments {
  /// What `--flat` and `--flat=join` say.
  var flattening: LineShaping.Flattening? {
    guard has(.flat) else { return nil }
    return value(of: .flat) == nil ? .blanks : .joined
  }
}
