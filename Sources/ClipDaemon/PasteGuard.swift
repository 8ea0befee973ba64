import EventLoop
import SelectionCore

/// Refuses the content of everything that the service serves for a while, or that of one name: a
/// selection on every display, and the pasteboard that is called so.
///
/// It lifts itself: whether it lasts is told by the clock when somebody asks, also on a machine that
/// slept meanwhile. The timer is there for the line in the log.
final class PasteGuard {
  private let loop: any EventLoop
  private let log: Log
  /// The ends, on the clock that goes on while the machine sleeps.
  private var everything: Duration?
  private var named: [ExactName: Duration] = [:]
  private var timer: LoopToken?

  init(loop: any EventLoop, log: Log) {
    self.loop = loop
    self.log = log
  }

  /// How long the content of that name is refused yet; nil where it is not.
  ///
  /// - Parameter name: Nil for what is refused whatever its name.
  func remaining(for name: String?) -> Duration? {
    let ends = [everything, name.flatMap { named[ExactName($0)] }].compactMap { $0 }
    guard let end = ends.max() else { return nil }
    let left = end - loop.timeSinceBoot
    return left > .zero ? left : nil
  }

  /// More names than anybody has pasteboards.
  private static let maximumNames = 1024

  /// Begins anew, however long it would have lasted yet; false where too many names have one.
  func arm(_ name: String?, for time: Duration) -> Bool {
    if let name, named[ExactName(name)] == nil, named.count >= Self.maximumNames { return false }
    let end = loop.timeSinceBoot + time
    if let name { named[ExactName(name)] = end } else { everything = end }
    log.write(
      .notice, "guard-armed", ["name": name ?? "all", "milliseconds": time.wholeMilliseconds])
    setTimer()
    return true
  }

  /// - Parameter name: Nil for all that there is.
  func lift(_ name: String?) {
    if let name {
      named[ExactName(name)] = nil
    } else {
      everything = nil
      named = [:]
    }
    log.write(.notice, "guard-lifted", ["name": name ?? "all"])
    setTimer()
  }

  /// A request for content that was refused.
  func noteRefusal(display: String?, name: String, target: String, for time: Duration?) {
    log.write(
      .notice, "guard-refused",
      [
        "display": display ?? "none", "name": name, "target": target,
        "milliseconds": time?.wholeMilliseconds ?? 0,
      ])
  }

  private func setTimer() {
    let ends = named.values + (everything.map { [$0] } ?? [])
    guard let next = ends.min() else { return timer = nil }
    timer = loop.scheduleForUser(after: max(.zero, next - loop.timeSinceBoot)) { [weak self] in
      self?.forgetPast()
    }
  }

  private func forgetPast() {
    let now = loop.timeSinceBoot
    if let end = everything, end <= now {
      everything = nil
      log.write(.notice, "guard-ended", ["name": "all"])
    }
    for (name, end) in named where end <= now {
      named[name] = nil
      log.write(.notice, "guard-ended", ["name": name.name])
    }
    setTimer()
  }
}

extension Duration {
  /// Rounded up: whoever waits that long has waited long enough.
  var wholeMilliseconds: UInt64 {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return UInt64(clamping: rest > 0 ? whole + 1 : whole)
  }
}
