/// The source's side of one transfer through a pipe, as Wayland has it.
///
/// Without I/O: the shell feeds what happened and does what it is told, in order. Whoever asked learns of
/// the end by the end of the file, so every request ends in `finish`, which closes the pipe.
package struct OutgoingStream: Sendable {
  package enum State: Hashable, Sendable {
    /// The content is being made.
    case filling
    /// Bytes up to this offset are in the pipe or behind it.
    case writing(offset: Int)
    case finished(Outcome)
  }

  package enum Event: Hashable, Sendable {
    case contentReady(count: Int)
    case contentFailed
    /// So many bytes went into the pipe.
    case wrote(count: Int)
    /// The pipe is full.
    case pipeFull
    /// There is room in the pipe again.
    case writable
    /// Nobody reads any more.
    case readerGone
    case deadline
    case connectionLost
  }

  package enum Action: Hashable, Sendable {
    /// Put what fits into the pipe, from this offset on, and tell how much that was.
    case write(from: Int)
    case awaitRoom
    case restartDeadline
    case finish(Outcome)
  }

  package enum Outcome: Hashable, Sendable {
    case sent
    case refused
    case readerGone
    case stalled
  }

  package private(set) var state = State.filling
  private var count = 0

  package init() {}

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.filling, .contentReady(let count)):
      self.count = count
      if count == 0 { return finish(.sent) }
      state = .writing(offset: 0)
      return [.restartDeadline, .write(from: 0)]
    case (.filling, .contentFailed):
      return finish(.refused)
    case (.filling, .readerGone):
      return finish(.readerGone)
    case (.filling, .deadline):
      return finish(.stalled)

    case (.writing(let offset), .wrote(let more)):
      precondition(more > 0 && more <= count - offset, "more was written than there is")
      if offset + more == count { return finish(.sent) }
      state = .writing(offset: offset + more)
      return [.restartDeadline]
    case (.writing, .pipeFull):
      return [.awaitRoom]
    case (.writing(let offset), .writable):
      return [.write(from: offset)]
    case (.writing, .readerGone):
      return finish(.readerGone)
    case (.writing, .deadline):
      return finish(.stalled)
    // What the reader asked for, it gets: the pipe leads to it, not through the display.
    case (.filling, .connectionLost), (.writing, .connectionLost):
      return []

    // Late events after the end are routine.
    case (.finished, _):
      return []

    // Content is made once, and nothing is written before.
    case (.filling, .wrote), (.filling, .pipeFull), (.filling, .writable),
      (.writing, .contentReady), (.writing, .contentFailed):
      preconditionFailure("illegal transition of an outgoing stream: \(state), \(event)")
    }
  }

  private mutating func finish(_ outcome: Outcome) -> [Action] {
    state = .finished(outcome)
    return [.finish(outcome)]
  }
}
