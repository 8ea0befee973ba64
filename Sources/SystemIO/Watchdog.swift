internal import CLinux

/// Ends the process when it stays in one place for too long.
///
/// Xlib waits for its server without a deadline. Whoever promises one sets the watchdog before each
/// step that may talk to the server, for longer than any wait of its own, and calls it off when done.
package enum Watchdog {
  /// - Parameters:
  ///   - message: One line for standard error.
  ///   - status: The exit status.
  package static func set(for interval: Duration, message: String, status: Int32) {
    _ = unsafe clinux_set_watchdog(
      max(nanoseconds(in: interval), 1000), message + "\n", status)
  }

  /// Sets it for another time, with the message and the status that it was last set with.
  package static func set(for interval: Duration) {
    _ = clinux_set_watchdog(max(nanoseconds(in: interval), 1000), nil, 0)
  }

  private static func nanoseconds(in interval: Duration) -> Int64 {
    let (seconds, attoseconds) = interval.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Stops the time until ``restart()``: what is waited for meanwhile is not what it watches.
  package static func pause() { _ = clinux_pause_watchdog() }

  /// Starts the time anew, where one is set.
  package static func restart() { _ = clinux_restart_watchdog() }

  package static func callOff() { _ = clinux_set_watchdog(0, nil, 0) }
}
