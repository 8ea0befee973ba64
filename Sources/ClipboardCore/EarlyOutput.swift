package import Pasteboard
package import SelectionCore
package import SystemIO
internal import TextEncoding

/// Where long content goes while the rest of it is still on its way: an output that can be taken back,
/// since nobody is to find a part of what was pasted.
package final class EarlyOutput: ContentSink {
  /// How content is handed on.
  enum Form {
    /// Untouched.
    case bytes
    /// As text, where it says that it is UTF-8.
    case text
  }

  private let open: () throws(Errno) -> (any RetractableOutput)?
  private var output: (any RetractableOutput)?
  private var form = Form.bytes
  private var text = TextRelay()
  /// The target of which something was handed on.
  private var target: String?
  /// Why nothing can be written any more.
  package private(set) var failure: Errno?

  /// - Parameter open: Opens the output when there is long content; nil where what is written there
  ///   cannot be taken back.
  package init(_ open: @escaping () throws(Errno) -> (any RetractableOutput)?) { self.open = open }

  /// Whether a part of the content has been handed on.
  package var hasBegun: Bool { target != nil }

  /// Itself, to take content in this form; nil where it has taken other content, which is there still.
  func sink(for form: Form?) -> EarlyOutput? {
    guard let form, !hasBegun else { return nil }
    self.form = form
    text = TextRelay()
    return self
  }

  /// Whether what was handed on is the beginning of this answer.
  func holdsBeginning(of answer: ReceivedRepresentation) -> Bool { target == answer.target }

  // MARK: While it comes

  package func begin(_ head: ReceivedRepresentation) -> Bool {
    guard !head.isOfAnotherKind(than: head.target), form == .bytes || head.charset == .utf8 else {
      return false
    }
    do throws(Errno) {
      if output == nil { output = try open() }
    } catch {
      // Nothing is lost yet: it will be tried again with all of the content.
      return false
    }
    guard output != nil else { return false }
    target = head.target
    var answer = ContentSinkAnswer.taken
    unsafe head.payload.forEachChunk { chunk in
      if answer == .taken { answer = unsafe take(chunk) }
    }
    // What was taken of a head that has to be held is taken back: with nothing behind it, it can be.
    if answer == .declined { takeBack() }
    return answer != .declined
  }

  package func take(_ bytes: UnsafeRawBufferPointer) -> ContentSinkAnswer {
    guard failure == nil else { return .brokenOff }
    // What is waited for here is no display.
    Watchdog.pause()
    defer { Watchdog.restart() }
    do throws(Errno) {
      switch form {
      case .bytes: try unsafe write(bytes)
      case .text:
        let isText = try unsafe text.pass(bytes) { piece throws(Errno) in try unsafe write(piece) }
        if !isText { return .declined }
      }
      return .taken
    } catch {
      failure = error
      return .brokenOff
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    try unsafe output?.write(bytes)
  }

  // MARK: When it is there

  /// The text that is to come behind what was handed on; nil where it is not UTF-8 to its end.
  ///
  /// - Parameters:
  ///   - held: What was not taken.
  ///   - repairing: Whether what cannot be decoded becomes U+FFFD.
  func rest(_ held: Payload, repairing: Bool) -> DecodedPayload? {
    if held.isEmpty, text.pending.isEmpty {
      return DecodedPayload(payload: held, isLossy: false)
    }
    guard repairing else { return nil }
    do throws(Errno) {
      try unsafe text.release { bytes throws(Errno) in try unsafe write(bytes) }
    } catch {
      failure = error
    }
    return repairedContinuation(Payload(chunks: [ByteChunk(text.pending)] + held.chunks))
  }

  /// Writes the rest, and that is all.
  package func finish(with rest: Payload) throws(Errno) {
    if let failure { throw failure }
    try unsafe rest.forEachChunk { chunk throws(Errno) in try unsafe write(chunk) }
    try output?.finish()
  }

  /// Takes back all that was handed on; whether that could be done.
  @discardableResult
  func takeBack() -> Bool {
    guard hasBegun, let output else { return true }
    do throws(Errno) {
      try output.takeBack()
    } catch {
      if failure == nil { failure = error }
      return false
    }
    target = nil
    return true
  }
}
