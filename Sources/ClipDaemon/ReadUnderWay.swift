import SelectionCore

/// A read that has not ended yet.
final class ReadUnderWay {
  let name: String
  let deadline: ProgressDeadline
  let beginning: Int64

  /// How often it was found to be stalled.
  var stalls = 0
  /// Whether the back-end has given control back: an answer may come before that.
  var hasReturned = false

  init(_ name: String, _ deadline: ProgressDeadline, since beginning: Int64) {
    self.name = name
    self.deadline = deadline
    self.beginning = beginning
  }

  /// Whether anything has come.
  var hasBegun: Bool { deadline.lastProgress > beginning }

  /// Whether a part has come, and then nothing for so long.
  ///
  /// An owner that has not answered yet may still be making what it was asked for.
  func isStalled(for time: Duration, at now: Int64) -> Bool {
    hasBegun && .nanoseconds(now - deadline.lastProgress) >= time
  }
}
