import Synchronization
import TestSupport

/// What peers on other threads brought back.
final class Collected: Sendable {
  private let results = Mutex<[[UInt8]?]>([])

  func add(_ bytes: [UInt8]?) { results.withLock { $0.append(bytes) } }
  var count: Int { results.withLock { $0.count } }
  var all: [[UInt8]?] { results.withLock { $0 } }
}
