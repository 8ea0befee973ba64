/// The requestor's side of one conversion: from the request to the last byte, INCR included.
///
/// Without I/O: the shell feeds what happened and does what it is told. It reads the property
/// itself, since that needs the server, and feeds back what it found there.
package struct IncomingTransfer: Sendable {
  package enum State: Hashable, Sendable {
    /// Asked; no answer yet.
    case requested
    /// Answered; the shell is looking at the property.
    case reading
    /// Incremental: the owner is to set the property anew.
    case awaitingChunk
    /// Incremental: the shell is looking at the next chunk.
    case readingChunk
    case finished(Outcome)
  }

  /// What the shell found in the property.
  ///
  /// It has deleted the property by then, which is both the tidying up and the signal for the next
  /// chunk (ICCCM 2.7.2).
  package enum Finding: Hashable, Sendable {
    /// The answer announces chunks. Its number, a lower bound, is advice that peers get wrong.
    case announcement
    case content(count: Int)
    /// The property does not exist, though the owner said so.
    case nothing
    /// The property does not exist, and the owner did not say that it would: of several targets asked
    /// for at once, one of which nobody knows what became of it.
    case nothingPromised
  }

  package enum Event: Hashable, Sendable {
    case answered
    case refused
    case found(Finding)
    /// The property has a new value.
    case newValue
    case ownerGone
    case deadline
    /// The shell found more than the requestor wants to hold.
    case limitExceeded
    case connectionLost
  }

  package enum Action: Hashable, Sendable {
    case readProperty
    /// What was just read is content.
    case keep
    case restartDeadline
    case finish(Outcome)
  }

  package enum Outcome: Hashable, Sendable {
    case received
    case refused
    /// The owner announced something that was not there or broke the protocol half-way.
    case malformed
    case ownerGone
    case timedOut
    case tooLarge
    case connectionLost
  }

  package private(set) var state = State.requested

  package init() {}

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.requested, .answered):
      state = .reading
      return [.restartDeadline, .readProperty]
    case (.requested, .refused):
      return finish(.refused)
    case (.requested, .newValue):
      // The owner sets the property before it answers: the answer decides.
      return []

    case (.reading, .found(.announcement)):
      state = .awaitingChunk
      return [.restartDeadline]
    case (.reading, .found(.content)):
      return [.keep] + finish(.received)
    case (.reading, .found(.nothing)):
      return finish(.malformed)
    case (.reading, .found(.nothingPromised)):
      return finish(.refused)

    case (.awaitingChunk, .newValue):
      state = .readingChunk
      return [.readProperty]

    case (.readingChunk, .found(.content(let count))):
      // ICCCM 2.7.2: a value of zero length ends the transfer.
      if count == 0 { return finish(.received) }
      state = .awaitingChunk
      return [.keep, .restartDeadline]
    case (.readingChunk, .found(.announcement)):
      return finish(.malformed)
    case (.readingChunk, .found(.nothing)):
      // Two new values announced, both read at once with the first: wait for the next.
      state = .awaitingChunk
      return []

    case (.requested, .ownerGone), (.awaitingChunk, .ownerGone):
      return finish(.ownerGone)
    case (.requested, .deadline), (.awaitingChunk, .deadline):
      return finish(.timedOut)
    case (.reading, .limitExceeded), (.readingChunk, .limitExceeded):
      return finish(.tooLarge)
    case (.requested, .connectionLost), (.reading, .connectionLost),
      (.awaitingChunk, .connectionLost), (.readingChunk, .connectionLost):
      return finish(.connectionLost)

    // Peers may answer twice, or set the property when nobody waits for it.
    case (.awaitingChunk, .answered), (.awaitingChunk, .refused):
      return []

    // Late events after the end are routine.
    case (.finished, _):
      return []

    // Reading is one step of the shell: nothing is fed between its order and its finding.
    case (.reading, .answered), (.reading, .refused), (.reading, .newValue),
      (.reading, .ownerGone), (.reading, .deadline),
      (.readingChunk, .answered), (.readingChunk, .refused), (.readingChunk, .newValue),
      (.readingChunk, .ownerGone), (.readingChunk, .deadline),
      // Once chunks were announced there is a promise.
      (.readingChunk, .found(.nothingPromised)),
      (.requested, .found), (.awaitingChunk, .found),
      (.requested, .limitExceeded), (.awaitingChunk, .limitExceeded):
      preconditionFailure("illegal transition of an incoming transfer: \(state), \(event)")
    }
  }

  private mutating func finish(_ outcome: Outcome) -> [Action] {
    state = .finished(outcome)
    return [.finish(outcome)]
  }
}
