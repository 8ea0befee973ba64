import ClipboardCore
import Pasteboard
import SystemIO

/// Where content goes: a file that is replaced as a whole, or standard output.
struct OutputDestination {
  private let name: Argument?

  /// What `--output` says.
  init(_ arguments: ParsedArguments) { name = arguments.value(of: .output) }

  func check() throws(Failure) {
    if name?.bytes.isEmpty == true {
      throw .usage("the name of the FILE is empty", hint: "as in -o notes.md, or -o - for a pipe")
    }
  }

  /// The file; nil for standard output.
  var path: FilePath? {
    guard let name, !StandardStream.isOutput(name.text) else { return nil }
    return FilePath(bytes: name.bytes)
  }

  /// Takes long content while it comes, so that it need not be held.
  func early() -> EarlyOutput {
    let path = path
    return EarlyOutput { () throws(Errno) in
      guard let path else { return StandardStream.output.progressive() }
      let replacement = try FileReplacement(of: path)
      replacement?.cleanUpAtSignals()
      return replacement
    }
  }

  /// Writes what there is to come behind what was handed on, or all of it.
  func write(_ pasted: PastedContent, behind early: EarlyOutput) throws(Failure) {
    guard early.hasBegun else {
      return try write(pasted.payload, isText: pasted.method != .asOffered)
    }
    do throws(Errno) {
      try early.finish(with: pasted.payload, of: pasted.target)
    } catch {
      throw failure(error, after: early)
    }
  }

  /// Why nothing could be written there any more.
  func failure(_ error: Errno, after early: EarlyOutput) -> Failure {
    let failure = path.map { Failure(writing: $0, error) } ?? outputFailure(error)
    return early.hasBegun ? failure.afterPart : failure
  }

  /// - Parameter isText: Whether a line end is wanted at its end on a terminal.
  func write(_ payload: Payload, isText: Bool) throws(Failure) {
    if let path {
      do throws(Errno) {
        try unsafe replaceFile(at: path) { write throws(Errno) in
          for chunk in payload.chunks {
            try unsafe chunk.withUnsafeBytes { bytes throws(Errno) in try unsafe write(bytes) }
          }
        }
      } catch {
        throw Failure(writing: path, error)
      }
      return
    }
    if payload.count > Self.longSize, let output = StandardStream.output.progressive() {
      return try writeAll(payload, to: output)
    }
    do throws(Errno) {
      try unsafe payload.forEachChunk { bytes throws(Errno) in
        try unsafe StandardStream.output.write(bytes)
      }
      if isText, !payload.isEmpty, StandardStream.output.isTerminal, !endsLine(payload) {
        try StandardStream.output.write("\n")
      }
    } catch {
      throw outputFailure(error)
    }
  }

  /// What is written in so many system calls that something may come between them.
  private static let longSize = 1 << 16

  /// Writes to what is no terminal, and leaves nothing where that fails or a signal ends it, as far as that
  /// can be.
  private func writeAll(_ payload: Payload, to output: any ProgressiveOutput) throws(Failure) {
    do throws(Errno) {
      try unsafe payload.forEachChunk { bytes throws(Errno) in try unsafe output.write(bytes) }
      try output.finish()
    } catch {
      let failure = outputFailure(error)
      do throws(Errno) { try output.takeBack() } catch { throw failure.afterPart }
      throw failure
    }
  }

  private func endsLine(_ payload: Payload) -> Bool {
    let count = payload.count
    let tail = unsafe payload.withUnsafeBytes(in: max(0, count - 1)..<count) { unsafe Array($0) }
    return tail == [UInt8(ascii: "\n")]
  }
}
