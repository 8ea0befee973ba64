/// How large the chunks of all the transfers under way may be.
///
/// A chunk lies in the server's memory until its reader takes it, and readers that stall take
/// nothing. So all that lies there at once has a bound: `total`, and `least` for each transfer beyond
/// it, since a transfer that may send nothing would be a reader that hangs. Chunks that had to be small
/// grow with a reader that keeps taking. One or a few readers get the largest chunks, from the first
/// one on: every chunk costs a round trip between two programs, and growing ones cost readers that use
/// Xlib and glibc nearly twice the time, since malloc then gives each of the large buffers back to the
/// system and takes it anew page by page.
package struct ChunkAllowance: Sendable {
  /// Sizes in bytes.
  package struct Limits: Hashable, Sendable {
    /// Of one chunk at the most.
    package var largest: Int
    /// Of the first chunk of a transfer at the most; it is smaller than the largest only where many
    /// readers that take nothing must not fill what there is.
    package var first: Int
    /// Of a chunk at the least, where there are that many bytes left to send.
    package var least: Int
    /// Of what lies in properties at once, but for chunks of the least size.
    package var total: Int

    package init(
      largest: Int = 1 << 20, first: Int = 1 << 20, least: Int = 1 << 15, total: Int = 1 << 25
    ) {
      precondition(largest > 0 && first > 0 && least > 0, "a chunk has at least one byte")
      self.largest = largest
      self.first = min(first, largest)
      self.least = min(least, largest)
      self.total = total
    }
  }

  private let limits: Limits
  /// The transfers under way.
  package private(set) var transfers = 0
  /// The bytes that lie in properties.
  package private(set) var outstanding = 0

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  package mutating func beginTransfer() { transfers += 1 }

  /// - Parameter size: What the transfer still has in its property.
  package mutating func endTransfer(leaving size: Int) {
    transfers -= 1
    outstanding -= size
  }

  package mutating func put(_ size: Int) { outstanding += size }

  package mutating func take(_ size: Int) { outstanding -= size }

  /// The size of the next chunk of a transfer, at the most.
  ///
  /// - Parameter last: The size of the chunk before it, nil for the first one.
  package func nextSize(after last: Int?) -> Int {
    let grown = last.map { max($0, limits.first / 2) * 2 } ?? limits.first
    let share = limits.total / max(transfers, 1)
    return max(limits.least, min(limits.largest, grown, share, limits.total - outstanding))
  }
}
