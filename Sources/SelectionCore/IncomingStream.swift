/// The receiver's side of one transfer through a pipe, as Wayland has it: from the request to the end
/// of the file.
///
/// Without I/O: the shell feeds what happened and does what it is told.
///
/// A pipe has one end for "that was all", "you cannot have it" and "I was killed". What tells them
/// apart, as far as anything does, is whether the source still owns the selection: the display is asked
/// where the number of bytes makes it worth a question. Nothing at all may be a refusal; and a source that
/// is killed while it waits for room in the pipe has filled whole pages, since that is what a pipe is made
/// of. Any other number is taken for the whole: programs that serve one paste are gone right behind it
/// (decision 0009).
package struct IncomingStream: Sendable {
  package enum State: Hashable, Sendable {
    case reading
    /// The end has come, and the shell finds out who owns the selection now.
    case verifying
    case finished(Outcome)
  }

  package enum Event: Hashable, Sendable {
    case bytes(count: Int)
    case end
    /// The pipe broke.
    case failed
    /// The answer of the display.
    case verified(isSameOwner: Bool)
    case deadline
    /// The shell found more than the receiver wants to hold.
    case limitExceeded
    case connectionLost
  }

  package enum Action: Hashable, Sendable {
    case restartDeadline
    case verify
    case finish(Outcome)
  }

  package enum Outcome: Hashable, Sendable {
    case received
    case ownerGone
    case malformed
    case timedOut
    case tooLarge
    case connectionLost
  }

  /// What a pipe is made of, in bytes.
  package static let page = 4096

  package private(set) var state = State.reading
  package private(set) var count = 0

  package init() {}

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.reading, .bytes(let more)):
      count += more
      return [.restartDeadline]
    case (.reading, .end):
      guard count.isMultiple(of: Self.page) else { return finish(.received) }
      state = .verifying
      return [.restartDeadline, .verify]
    case (.reading, .failed):
      return finish(.malformed)
    case (.reading, .limitExceeded):
      return finish(.tooLarge)

    case (.verifying, .verified(let isSameOwner)):
      return finish(isSameOwner ? .received : .ownerGone)

    case (.reading, .deadline), (.verifying, .deadline):
      return finish(.timedOut)
    case (.reading, .connectionLost), (.verifying, .connectionLost):
      return finish(.connectionLost)

    // Late events after the end are routine.
    case (.finished, _):
      return []

    // Asked for by the machine only, and nothing is read behind the end.
    case (.reading, .verified), (.verifying, .bytes), (.verifying, .end), (.verifying, .failed),
      (.verifying, .limitExceeded):
      preconditionFailure("illegal transition of an incoming stream: \(state), \(event)")
    }
  }

  private mutating func finish(_ outcome: Outcome) -> [Action] {
    state = .finished(outcome)
    return [.finish(outcome)]
  }
}
