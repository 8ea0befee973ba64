internal import SelectionCore
internal import SystemIO

/// Tells our own offers from those of others: a type that our sources list and nobody asks for.
///
/// A device is shown the offers of its own sources like any others. What is ours is answered from where
/// it lies; through a pipe, whoever waits for the answer would be waiting for himself.
enum OwnMarker {
  private static let prefix = "application/x-clipview-source;id="

  /// A marker that nobody else has: of this process, and of this moment.
  static func make() -> String { prefix + String(uniqueNumber(), radix: 16) }

  /// Whether a type is some marker, of whomever: it says nothing to anybody else.
  static func isMarker(_ type: String) -> Bool { type.hasPrefix(prefix) }
}
