package import SystemIO

/// What a descriptor is watched for, and what happened to it.
package struct Interest: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = Interest(rawValue: 1)
  package static let writable = Interest(rawValue: 2)
  /// The other end is gone or broken; always watched for.
  package static let hangUp = Interest(rawValue: 4)
}

/// A watch, timer or source in a loop: ends when cancelled or let go.
package final class LoopToken {
  private var onCancel: (() -> Void)?

  init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  package func cancel() {
    onCancel?()
    onCancel = nil
  }

  deinit { onCancel?() }
}

/// One thread's loop over descriptors and timers.
///
/// Each turn: the sources prepare (flush what they wrote, handle what their libraries have queued),
/// the loop waits, timers fire, descriptors are dispatched, deferred work runs. Nothing in a turn may
/// wait for a peer. A loop is not `Sendable`: whatever it drives stays on its thread.
package protocol EventLoop: AnyObject {
  /// The time at which this turn's waiting ended; the same for the whole turn.
  var now: MonotonicTime { get }

  /// Watches a descriptor that stays open at least as long as the token lives.
  func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void
  ) throws(Errno) -> LoopToken

  /// The time since the machine was started, that in which it slept included, at this moment.
  var timeSinceBoot: Duration { get }

  /// Calls once, when the interval has passed; while the machine sleeps it does not.
  ///
  /// For what waits for others, who sleep too: not all of it is to be over when the machine wakes.
  func schedule(after interval: Duration, _ action: @escaping () -> Void) -> LoopToken

  /// Calls once, when so much time has passed for the user, whether or not the machine slept.
  ///
  /// For what somebody was promised to last a minute. At the earliest when the machine is awake again.
  func scheduleForUser(after interval: Duration, _ action: @escaping () -> Void) -> LoopToken

  /// Calls before each wait. A source that did something, or has more to do, answers true and the
  /// loop does not sleep in that turn: what somebody waits for may have come about.
  func addSource(prepare: @escaping () -> Bool) -> LoopToken

  /// Calls at the end of this turn.
  func `defer`(_ action: @escaping () -> Void)

  /// One turn; waits at most until the limit.
  func turn(waitingUntil limit: MonotonicTime?) throws(Errno)
}

extension EventLoop {
  /// Turns until the condition holds.
  package func run(until isDone: () -> Bool) throws(Errno) {
    while !isDone() { try turn(waitingUntil: nil) }
  }
}
