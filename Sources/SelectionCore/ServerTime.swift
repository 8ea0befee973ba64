/// A time stamp of the X server: milliseconds in 32 bits, which wrap around every 49.7 days.
package struct ServerTime: Hashable, Sendable {
  package let rawValue: UInt32

  package init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// "Now", for requests whose event is not known.
  ///
  /// Never a time of ownership (ICCCM 2.1).
  package static let current = ServerTime(0)

  /// Whether this time lies before another.
  ///
  /// Half of the circle counts as past, half as future.
  package func isBefore(_ other: ServerTime) -> Bool {
    Int32(bitPattern: rawValue &- other.rawValue) < 0
  }

  /// Whether a request of this time concerns an ownership that began then.
  ///
  /// ICCCM 2.2: the owner refuses requests outside of the period in which it owned the selection.
  /// `current` always concerns the present owner; the moment of acquisition itself counts.
  ///
  /// - Parameter age: How long it has been owned. Times wrap: those more than 24.8 days after the
  ///   beginning look as if they lay before it.
  package func concerns(ownershipSince acquired: ServerTime, for age: Duration = .zero) -> Bool {
    if self == .current || !isBefore(acquired) { return true }
    let elapsed = Int64(rawValue &- acquired.rawValue)
    // Our clock and the server's may differ by a little after so many days.
    return .milliseconds(elapsed) <= age + .seconds(3600)
  }
}
