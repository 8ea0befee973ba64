import EventLoop
import SelectionCore
import SystemIO

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
  private let file: GuardFile?
  private let retries: Retries
  /// Whether it is not known yet what a service before this one had to refuse.
  private var isUnread = false

  /// - Parameter file: What a service that is started again learns of it by; nil for nothing.
  init(loop: any EventLoop, log: Log, file: GuardFile? = nil) {
    self.loop = loop
    self.log = log
    self.file = file
    retries = Retries(on: loop)
    load()
    if isUnread {
      retries.add { [weak self] in
        guard let self, self.isUnread else { return true }
        self.load()
        return !self.isUnread
      }
    }
  }

  // MARK: Over a restart

  /// Goes on with what a service before this one had to refuse.
  private func load() {
    isUnread = false
    do {
      switch try file?.read() {
      case nil: break
      case .useless?:
        log.write(.fault, "guard-unreadable", ["reason": "damaged"])
        save()
      case .entries(let entries)?: restore(entries)
      }
    } catch {
      if !retries.isRetrying {
        let reason = (error as? Errno)?.message ?? "\(error)"
        log.write(.fault, "guard-not-read", ["reason": reason])
      }
      isUnread = true
    }
  }

  private func restore(_ entries: [GuardFile.Entry]) {
    if entries.isEmpty { return }
    let now = loop.timeSinceBoot
    for entry in entries where entry.end > now {
      if let name = entry.name {
        let key = ExactName(name)
        guard named[key] != nil || named.count < Self.maximumNames else { continue }
        named[key] = max(named[key] ?? .zero, entry.end)
      } else {
        everything = max(everything ?? .zero, entry.end)
      }
      log.write(
        .notice, "guard-restored",
        ["name": entry.name ?? "all", "milliseconds": (entry.end - now).wholeMilliseconds])
    }
    changed()
  }

  private func save() {
    // What stands there is not known, and not to be lost.
    guard !isUnread, let file else { return }
    do throws(Errno) {
      try file.write(
        active.map { GuardFile.Entry(name: $0.name, end: $0.end) })
    } catch {
      log.write(.fault, "guard-not-kept-over-restart", ["reason": error.message])
    }
  }

  /// All that there are, that of everything first, then in the order of their names.
  private var active: [(name: String?, end: Duration)] {
    let names = named.map { (name: $0.key.name, end: $0.value) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return (everything.map { [(name: nil, end: $0)] } ?? []) + names.map { ($0.name, $0.end) }
  }

  /// The same, with how long each lasts yet.
  var guards: [(name: String?, remaining: Duration)] {
    let now = loop.timeSinceBoot
    return active.filter { $0.end > now }.map { ($0.name, $0.end - now) }
  }

  // MARK: State

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
    changed()
    return true
  }

  /// - Parameter name: Nil for all that there is.
  func lift(_ name: String?) {
    if isUnread { load() }
    if let name {
      named[ExactName(name)] = nil
    } else {
      everything = nil
      named = [:]
    }
    // Whoever lifts all of it means what was before as well.
    if name == nil { isUnread = false }
    log.write(.notice, "guard-lifted", ["name": name ?? "all"])
    changed()
  }

  private func changed() {
    save()
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
    changed()
  }
}

extension Duration {
  /// Rounded up: whoever waits that long has waited long enough.
  var wholeMilliseconds: UInt64 {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return UInt64(clamping: rest > 0 ? whole + 1 : whole)
  }
}
