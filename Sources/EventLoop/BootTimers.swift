internal import CLinux
internal import SystemIO

/// The timers of a loop that go on while the machine sleeps: one descriptor for all of them.
final class BootTimers {
  private var schedule = LoopSchedule()
  private let timer: OwnedFD
  /// What the descriptor is set to.
  private var armed: MonotonicTime?

  init() throws(Errno) {
    timer = OwnedFD(adopting: try blockingSystemCall { clinux_boot_timer() })
  }

  /// Readable when something is due.
  var descriptor: Int32 { timer.rawValue }

  func add(after interval: Duration, _ action: @escaping () -> Void) -> UInt64 {
    let number = schedule.addTimer(at: Self.now + interval, action)
    arm()
    return number
  }

  func remove(_ number: UInt64) {
    schedule.removeTimer(number)
    arm()
  }

  /// Does what is due.
  func fire() {
    let (now, newest) = (Self.now, schedule.newestNumber)
    while let action = schedule.popTimer(dueBy: now, upTo: newest) { action() }
    // The descriptor is readable until it is set anew.
    arm(always: true)
  }

  private func arm(always: Bool = false) {
    guard always || schedule.nextDue != armed else { return }
    armed = schedule.nextDue
    // A moment that has passed is due at once; 0 is never.
    _ = clinux_boot_timer_set(timer.rawValue, armed.map { max(1, $0.nanoseconds) } ?? 0)
  }

  private static var now: MonotonicTime {
    MonotonicTime(nanoseconds: currentTimeSinceBoot().nanoseconds)
  }
}
