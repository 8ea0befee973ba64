internal import Glibc

/// A moment after which a wait is given up.
package struct Deadline: Sendable {
  private let end: Double

  package init(after seconds: Double) { end = Deadline.now + seconds }

  /// Seconds of the monotonic clock.
  package static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  package var isOver: Bool { Deadline.now >= end }

  package var remaining: Double { max(0, end - Deadline.now) }

  /// What `poll` takes, rounded up so that a wait never spins through its last millisecond.
  package var remainingMilliseconds: Int32 { Int32(min(remaining * 1000 + 1, 1_000_000)) }
}

/// Waits for something to become true.
///
/// Looks, and looks again a millisecond later, until the deadline: the only place in the tests where
/// time is let pass.
///
/// - Returns: Whether it became true.
package func eventually(
  within seconds: Double = 10, _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = Deadline(after: seconds)
  while true {
    if try condition() { return true }
    if deadline.isOver { return false }
    _ = poll(nil, 0, 1)
  }
}
