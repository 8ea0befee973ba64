internal import Glibc

/// The time that the user's clock shows.
package struct TimeOfDay: Hashable, Sendable, CustomStringConvertible {
  package let hour: Int
  package let minute: Int
  package let second: Int

  package init(hour: Int, minute: Int, second: Int) {
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Local time, now.
  package static var now: TimeOfDay {
    var seconds = time(nil)
    var fields = unsafe tm()
    _ = unsafe localtime_r(&seconds, &fields)
    return unsafe TimeOfDay(
      hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec))
  }

  /// `09:05:00`.
  package var description: String {
    [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
