/// Whether memory for long content is worth asking for in large pages, of 2 MiB, by how long the last ones took.
///
/// Where the system has them at hand, one takes a seventh of the time of the 512 small pages that it stands for. Where
/// it has not, each takes eight times theirs: the system moves others' pages until 2 MiB in a row are free, or, in a
/// virtual machine that hands free memory back to its host, the host fetches them anew. So one that was slow
/// is followed by small pages, by more of them each time.
struct LargePagePolicy: Sendable {
  static let size = 1 << 21
  /// What 512 small pages never take on a machine that is up to its work.
  static let slowTime = Duration.microseconds(1200)
  private static let shortestPause = 1 << 10
  private static let longestPause = 1 << 14

  private var pause = Self.shortestPause
  private var left = 0

  /// Whether the next 2 MiB are to be a large page.
  mutating func takesLarge() -> Bool {
    if left > 0 { left -= 1 }
    return left == 0
  }

  /// Told how long a large page took to come.
  mutating func note(_ time: Duration) {
    if time > Self.slowTime {
      left = pause + 1
      pause = min(pause * 4, Self.longestPause)
    } else {
      pause = max(pause / 4, Self.shortestPause)
    }
  }
}
