/// The receiver's side of one transfer through a pipe, as Wayland has it: from the request to the end
/// of the file.
///
/// Without I/O: the shell feeds what happened and does what it is told.
///
/// A pipe has one end for "that was all", "you cannot have it" and "I was killed". What tells them
/// apart, as far as anything does, is whether the source still owns the selection: the display is asked
/// where the end is doubtful (decision 0009). Nothing at all may be a refusal. A source that is killed in the
/// middle of a long write, or while it waits for room, has mostly written whole pages, since that is what a
/// pipe is made of. And one that has written all that it has closes at once: an end that comes late is that of a
/// program that hung, or had more to make. Any other end is that of the whole: programs that serve one paste
/// are gone right behind it.
package struct IncomingStream: Sendable {
  package enum State: Hashable, Sendable {
    case reading
    /// The end has come, and the shell finds out who owns the selection now.
    case verifying
    case finished(Outcome)
  }

  package enum Event: Hashable, Sendable {
    case bytes(count: Int)
    /// - Parameters:
    ///   - pipeWasFull: Whether the source of short content may have been waiting for room.
    ///   - isLate: Whether it wrote nothing for a while before.
    case end(pipeWasFull: Bool, isLate: Bool)
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
  /// What a pipe holds at first, in bytes: what is longer is written while it is read.
  package static let pipeSize = 1 << 16

  package private(set) var state = State.reading
  package private(set) var count = 0

  package init() {}

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.reading, .bytes(let more)):
      count += more
      return [.restartDeadline]
    case (.reading, .end(let pipeWasFull, let isLate)):
      let isCut = count.isMultiple(of: Self.page) && (pipeWasFull || count > Self.pipeSize)
      guard count == 0 || isCut || isLate else { return finish(.received) }
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
