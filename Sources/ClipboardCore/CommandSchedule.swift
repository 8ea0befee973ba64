/// When a command runs for a selection that changes: one at a time, the latest change wins, and the
/// last one is never missed.
///
/// Without I/O: the shell feeds what happened and does what it is told. Content is read when it is
/// about to be used, so changes that come while a command runs cost their owners nothing.
package struct CommandSchedule: Sendable {
  package enum State: Hashable, Sendable, CaseIterable {
    case idle
    case reading
    /// Reading, and what is read may be from before the latest change.
    case readingOutdated
    case running
    /// Running, and there was a change since.
    case runningOutdated
  }

  package enum Event: Hashable, Sendable, CaseIterable {
    case changed
    /// There is something to run the command with.
    case read
    /// What is there cannot be had.
    case readFailed
    /// The command has ended, or could not be started at all.
    case commandEnded
  }

  package enum Action: Hashable, Sendable {
    /// Read the selection as it is now.
    case read
    /// Run the command with what was read.
    case run
    /// Say that what is there could not be read.
    case report
  }

  package private(set) var state = State.idle

  package init() {}

  package mutating func handle(_ event: Event) -> Action? {
    switch (state, event) {
    case (.idle, .changed):
      state = .reading
      return .read

    case (.reading, .changed):
      state = .readingOutdated
      return nil
    case (.reading, .read):
      state = .running
      return .run
    case (.reading, .readFailed):
      state = .idle
      return .report

    case (.readingOutdated, .changed):
      return nil
    case (.readingOutdated, .read):
      // Used all the same: under changes without end, waiting for quiet would mean never to run.
      state = .runningOutdated
      return .run
    case (.readingOutdated, .readFailed):
      // The owner was replaced under our hands, which is nothing to complain about.
      state = .reading
      return .read

    case (.running, .changed):
      state = .runningOutdated
      return nil
    case (.running, .commandEnded):
      state = .idle
      return nil

    case (.runningOutdated, .changed):
      return nil
    case (.runningOutdated, .commandEnded):
      state = .reading
      return .read

    // The shell reads only when told to, and has one command at most.
    case (.idle, .read), (.idle, .readFailed), (.idle, .commandEnded),
      (.reading, .commandEnded), (.readingOutdated, .commandEnded),
      (.running, .read), (.running, .readFailed),
      (.runningOutdated, .read), (.runningOutdated, .readFailed):
      preconditionFailure("illegal transition of a command's schedule: \(state), \(event)")
    }
  }
}
