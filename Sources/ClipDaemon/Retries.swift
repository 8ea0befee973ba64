import EventLoop

/// What could not be done at first, for want of memory or descriptors, and is tried again and again: after
/// a second, and then at longer and longer intervals.
final class Retries {
  private let loop: any EventLoop
  private var attempts: [() -> Bool] = []
  private var timer: LoopToken?
  private var failures = 0

  /// The waits, in seconds; the last one goes on.
  private static let waits: [Int] = [1, 2, 4, 8, 15, 30]

  init(on loop: any EventLoop) { self.loop = loop }

  /// Whether something was tried more than once, so that it has been told of.
  var isRetrying: Bool { failures > 0 }

  /// Does something later, as often as it takes.
  ///
  /// - Parameter attempt: Whether it is done with.
  func add(_ attempt: @escaping () -> Bool) {
    attempts.append(attempt)
    if timer == nil { setTimer() }
  }

  private func setTimer() {
    let seconds = Self.waits[min(failures, Self.waits.count - 1)]
    timer = loop.schedule(after: .seconds(seconds)) { [weak self] in self?.tryAll() }
  }

  private func tryAll() {
    failures += 1
    timer = nil
    let due = attempts
    attempts = []
    let left = due.filter { !$0() }
    attempts = left + attempts
    if attempts.isEmpty { failures = 0 } else if timer == nil { setTimer() }
  }
}
