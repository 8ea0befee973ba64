import TestSupport
import Testing

/// How long chaos lasts, and the seed of all that is left to chance in it.
///
/// `make test` has a short one, the same every time; `make chaos` sets both. Threads and processes
/// meet as they happen to, so a seed brings the same deeds back, not their exact order.
struct ChaosPlan: Sendable, CustomTestStringConvertible {
  let seed: UInt64
  let seconds: Double

  /// What the environment says.
  static let current = ChaosPlan(
    seed: Programs.variable("CLIPVIEW_CHAOS_SEED").flatMap(UInt64.init) ?? 1,
    seconds: Programs.variable("CLIPVIEW_CHAOS_SECONDS").flatMap(Double.init) ?? 2)

  var testDescription: String { "seed \(seed), \(seconds) seconds" }
}

/// Texts that say which they are, so that a reader knows what all of it should have been, whoever
/// owned the selection.
struct ChaosContents: Sendable {
  let texts: [[UInt8]]

  /// Around what changes the way in which a text goes: nothing, one property, the limits of one,
  /// chunks.
  static let all = ChaosContents(
    texts: [100, 5000, 262_143, 262_144, 262_145, 700_000, 1 << 20, 3_000_000].enumerated().map {
      number, count in
      Array(header(number).utf8) + numberedText(count - header(number).utf8.count)
    })

  private static func header(_ number: Int) -> String { "text \(number)\n" }

  /// What is wrong with bytes that somebody got; nil when they are one of the texts.
  func fault(of bytes: [UInt8]) -> String? {
    let first = text(Array(bytes.prefix(16)).prefix { $0 != 10 } + [])
    let number = texts.indices.first { "text \($0)" == first }
    guard let number else {
      return "\(bytes.count) bytes that begin with \(first.debugDescription)"
    }
    return difference(bytes, texts[number]).map { "text \(number): \($0)" }
  }
}
