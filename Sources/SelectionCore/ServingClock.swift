internal import Pasteboard

/// Turns the rules of one publication with the time: what back-ends share of keeping to a policy.
///
/// It has no clock and no loop of its own; whoever makes it says how time is asked for and how a timer
/// is set. `Token` is what keeps a timer alive: letting it go ends the timer.
package final class ServingClock<Token> {
  /// How things stand.
  package private(set) var rules: ServingRules

  /// Called once, when the content is gone.
  package var onEnd: () -> Void = {}

  private let time: () -> Duration
  private let schedule: (Duration, @escaping () -> Void) -> Token
  private let beginning: Duration
  private var timer: Token?
  private var timerDeadline: Duration?

  /// - Parameters:
  ///   - policy: What is to be kept to.
  ///   - time: Since the machine was started; one that sleeps does not lengthen what was to last a
  ///     minute.
  ///   - schedule: Sets a timer to so long from now.
  package init(
    _ policy: ServingPolicy, time: @escaping () -> Duration,
    schedule: @escaping (Duration, @escaping () -> Void) -> Token
  ) {
    rules = ServingRules(policy)
    self.time = time
    self.schedule = schedule
    beginning = time()
    setTimer()
  }

  /// The mark that tells the terms, made at each request since they change with time.
  package var terms: OfferedTarget {
    OfferedTarget(name: ServingTerms.target, Payload(rules.terms(at: elapsed).bytes))
  }

  /// Whether nobody gets content yet.
  package var isGuarded: Bool { rules.terms(at: elapsed).guardTime != nil }

  /// Ends the guard before its time.
  package func liftGuard() { rules.liftGuard() }

  /// Tells the rules of an event; whether it was a request that is granted.
  @discardableResult
  package func feed(_ event: ServingRules.Event) -> Bool {
    var isGranted = false
    var isEnd = false
    for action in rules.handle(event, at: elapsed) {
      switch action {
      case .serve: isGranted = true
      case .refuse: isGranted = false
      case .end: isEnd = true
      }
    }
    if isEnd {
      stop()
      onEnd()
    } else {
      setTimer()
    }
    return isGranted
  }

  /// Nothing is left to be decided.
  package func stop() { timer = nil }

  private var elapsed: Duration { time() - beginning }

  private func setTimer() {
    let deadline = rules.nextDeadline
    guard deadline != timerDeadline || timer == nil else { return }
    timerDeadline = deadline
    timer = deadline.map { deadline in
      schedule(max(.zero, deadline - elapsed)) { [weak self] in
        self?.timer = nil
        self?.feed(.clock)
      }
    }
  }
}
