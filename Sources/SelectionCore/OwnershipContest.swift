/// When to give up a selection that somebody else takes at the same moment.
///
/// Whoever takes it back each time would go on for ever, and so would we: a fight that nobody wins
/// and that every other program watches as a flicker. A selection is really taken twice at the most.
package struct OwnershipContest: Sendable {
  package enum Verdict: Hashable, Sendable {
    case won
    /// Try again with a newer time of the server.
    case tryAgain
    case givenUp
  }

  /// How often a selection is really taken.
  package static let maximumTakings = 2
  /// Those attempts included that the server ignored because somebody took it later (ICCCM 2.1).
  package static let maximumAttempts = 3

  private var takings = 0
  private var attempts = 0

  package init() {}

  /// - Parameters:
  ///   - isOurs: Whether the selection is now as we wanted it.
  ///   - wasTakenBack: Whether it was, and is no more.
  package mutating func attempted(isOurs: Bool, wasTakenBack: Bool) -> Verdict {
    if isOurs { return .won }
    attempts += 1
    if wasTakenBack { takings += 1 }
    let isOver = takings >= Self.maximumTakings || attempts >= Self.maximumAttempts
    return isOver ? .givenUp : .tryAgain
  }
}
