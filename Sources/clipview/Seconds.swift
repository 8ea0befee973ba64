/// Reading and writing of times.
extension Duration {
  /// Seconds as a user writes them: digits, at most one point, no exponent; nil where it is none, or
  /// is not between a nanosecond and the limit.
  init?(seconds text: String, atMost limit: Double) {
    guard isNumber(text), let seconds = Double(text), seconds <= limit else { return nil }
    let nanoseconds = Int64(seconds * 1e9)
    guard nanoseconds > 0 else { return nil }
    self = .nanoseconds(nanoseconds)
  }
}

/// Whether a word is a number rather than a name or an option: digits with at most one point.
///
/// What can be read as one otherwise (`nan`, `1e3`, `0x10`) may well be the name of a file, and `-0`
/// is an option.
func isNumber(_ word: String) -> Bool {
  let points = word.utf8.count { $0 == UInt8(ascii: ".") }
  return points <= 1 && word.utf8.count > points
    && word.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
}

/// A time for somebody who waits for its end: whole seconds, rounded up.
func spoken(_ time: Duration) -> String {
  let (seconds, attoseconds) = time.components
  return "\(attoseconds > 0 ? seconds + 1 : seconds) s"
}
