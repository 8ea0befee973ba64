package import Pasteboard
package import SelectionCore
package import SystemIO
internal import TextEncoding

/// Where long content goes while the rest of it is still on its way.
///
/// Nobody is to find a part of what was pasted: what was written to a file is taken back where the rest
/// does not come. What went through a pipe cannot be, so that is only for contents which are so long
/// that holding all of them would be worse. A reader who takes his time is not waited for: the program that
/// owns the selection would wait with us, and some of them stand still meanwhile.
package final class EarlyOutput: ContentSink {
  /// How content is handed on.
  enum Form {
    /// Untouched.
    case bytes
    /// As text, where it says that it is UTF-8.
    case text
  }

  private let open: () throws(Errno) -> (any ProgressiveOutput)?
  // Nil inside where nothing can be written before all is there.
  private var opened: (any ProgressiveOutput)??
  private var form = Form.bytes
  private var text = TextRelay()
  /// What the reader let us wait with.
  private var unwritten: [UInt8] = []
  /// How long a reader may let us wait with what came at a time.
  private static let patience = Duration.milliseconds(100)
  /// How much has gone out.
  private var writtenCount = 0
  /// The target of which something was handed on.
  private var target: String?
  /// Why nothing can be written any more.
  package private(set) var failure: Errno?

  /// - Parameter open: Opens the output when there is long content; nil where that has to be whole.
  package init(_ open: @escaping () throws(Errno) -> (any ProgressiveOutput)?) { self.open = open }

  private var output: (any ProgressiveOutput)? {
    if let opened { return opened }
    // Where it cannot be opened nothing is lost yet: it is tried again with all of the content.
    let output = try? open()
    opened = .some(output)
    return output
  }

  /// Whether a part of the content has been handed on.
  package var hasBegun: Bool { target != nil }

  /// Whether something else may take the place of what was handed on.
  var canBeTakenBack: Bool { writtenCount == 0 || output?.canBeTakenBack == true }

  /// Itself, to take content in this form; nil where it has taken other content, which is there still.
  func sink(for form: Form?) -> EarlyOutput? {
    guard let form, !hasBegun else { return nil }
    self.form = form
    return self
  }

  /// Whether what was handed on is the beginning of this target's content.
  func holdsBeginning(of target: String) -> Bool { self.target == target }

  // MARK: While it comes

  package var minimumHead: Int { output?.minimumHead ?? .max }

  package func begin(_ head: ReceivedRepresentation) -> Bool {
    guard !head.isOfAnotherKind(than: head.target), form == .bytes || isText(head) else {
      return false
    }
    target = head.target
    let content = form == .text ? head.payload.withoutByteOrderMark : head.payload
    let deadline = currentTimeSinceBoot() + Self.patience
    unsafe content.forEachChunk { chunk in _ = unsafe pass(chunk, until: deadline) }
    return true
  }

  /// Whether it is UTF-8 so far, and says so.
  private func isText(_ head: ReceivedRepresentation) -> Bool {
    guard head.charset == .utf8 else { return false }
    var validator = UTF8ChunkValidator()
    var isText = true
    unsafe head.payload.forEachChunk { chunk in
      isText = unsafe isText && validator.accept(chunk)
    }
    return isText
  }

  package func take(_ bytes: UnsafeRawBufferPointer) -> ContentSinkAnswer {
    guard failure == nil else { return .brokenOff }
    guard unwritten.isEmpty else { return .declined }
    let isPassed = unsafe pass(bytes, until: currentTimeSinceBoot() + Self.patience)
    return failure != nil ? .brokenOff : isPassed ? .taken : .declined
  }

  /// Writes what came next; false where it is to be held.
  ///
  /// Why nothing can be written is kept.
  private func pass(_ bytes: UnsafeRawBufferPointer, until deadline: Duration) -> Bool {
    // What is waited for here is no display.
    Watchdog.pause()
    defer { Watchdog.restart() }
    do throws(Errno) {
      switch form {
      case .bytes: try unsafe writeSoon(bytes, until: deadline)
      case .text:
        return try unsafe text.pass(bytes) { piece throws(Errno) in
          try unsafe writeSoon(piece, until: deadline)
        }
      }
    } catch {
      failure = error
    }
    return true
  }

  private func writeSoon(
    _ bytes: UnsafeRawBufferPointer, until deadline: Duration
  ) throws(Errno) {
    guard failure == nil else { return }
    let isHeld = !unwritten.isEmpty
    let written = isHeld ? 0 : try unsafe output?.writeSoon(bytes, until: deadline) ?? 0
    writtenCount += written
    unsafe unwritten.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[written...]))
  }

  // MARK: When it is there

  /// The text that is to come behind what was handed on; nil where it is not UTF-8 to its end.
  ///
  /// - Parameters:
  ///   - held: What was not taken.
  ///   - repairing: Whether what cannot be decoded becomes U+FFFD.
  func rest(_ held: Payload, repairing: Bool) -> DecodedPayload? {
    var validator = text.validator
    var isText = true
    unsafe held.forEachChunk { chunk in
      isText = unsafe isText && validator.accept(chunk)
    }
    let rest = Payload(chunks: text.heldBack + held.chunks)
    if isText, validator.isComplete {
      return DecodedPayload(payload: rest.withoutClosingNULs, isLossy: false)
    }
    return repairing ? repairedContinuation(rest) : nil
  }

  /// Writes the rest of the target's content, and that is all; where that fails nothing remains that can be
  /// taken back.
  package func finish(with rest: Payload, of target: String) throws(Errno) {
    guard let output, target == self.target else {
      preconditionFailure("the rest of something else than was begun")
    }
    do throws(Errno) {
      if let failure { throw failure }
      try unsafe ByteChunk(unwritten).withUnsafeBytes { bytes throws(Errno) in
        try unsafe output.write(bytes)
      }
      try unsafe rest.forEachChunk { chunk throws(Errno) in try unsafe output.write(chunk) }
      try output.finish()
    } catch {
      // Some of it may be out.
      writtenCount += 1
      _ = takeBack()
      throw error
    }
  }

  /// Takes back all that was handed on; why that cannot be done, where it cannot.
  func takeBack() -> Errno? {
    guard hasBegun, let output else { return nil }
    do throws(Errno) {
      if writtenCount > 0 { try output.takeBack() }
    } catch {
      return error
    }
    target = nil
    unwritten = []
    writtenCount = 0
    text = TextRelay()
    return nil
  }
}
