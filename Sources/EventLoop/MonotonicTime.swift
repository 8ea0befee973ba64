internal import Glibc

/// A point on the machine's monotonic clock, which no change of the wall clock moves.
package struct MonotonicTime: Comparable, Hashable, Sendable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The clock's value at this moment.
  package static var now: MonotonicTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  package static func + (time: Self, interval: Duration) -> Self {
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(interval.nanoseconds)
    return MonotonicTime(nanoseconds: overflow ? .max : sum)
  }

  package static func - (later: Self, earlier: Self) -> Duration {
    .nanoseconds(later.nanoseconds - earlier.nanoseconds)
  }
}

extension Duration {
  /// Whole nanoseconds; intervals longer than 292 years count as that long.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carry ? .max : sum
  }
}
