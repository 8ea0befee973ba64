internal import CLinux
package import SystemIO

/// The loop that waits in epoll.
package final class EpollEventLoop: EventLoop {
  private final class Watch {
    let number: UInt64
    let handler: (Interest) -> Void

    init(_ number: UInt64, _ handler: @escaping (Interest) -> Void) {
      self.number = number
      self.handler = handler
    }
  }

  private let epoll: OwnedFD
  /// The timers that go on while the machine sleeps, as soon as there was one.
  private var bootTimers: BootTimers?
  private var bootWatch: LoopToken?
  private var schedule = LoopSchedule()
  // By the number that epoll hands back with an event, rising: numbers are given in this order. None
  // is used twice, so an event for a watch that has ended meanwhile finds nothing, whoever owns the
  // descriptor by then.
  private var watches: [Watch] = []
  package private(set) var now = MonotonicTime.now
  private var events = [clinux_epoll_event](repeating: clinux_epoll_event(), count: 64)
  private var busyTurns = 0

  package init() throws(Errno) {
    epoll = OwnedFD(adopting: try blockingSystemCall { clinux_epoll_create() })
  }

  /// The descriptors that a detached process must keep.
  package var descriptors: [Int32] {
    [epoll.rawValue] + (bootTimers.map { [$0.descriptor] } ?? [])
  }

  package func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void
  ) throws(Errno) -> LoopToken {
    let number = schedule.nextNumber()
    let epoll = self.epoll.rawValue
    try blockingSystemCall { clinux_epoll_add(epoll, descriptor, interest.epollEvents, number) }
    watches.append(Watch(number, handler))
    return LoopToken { [weak self] in
      guard let self, let index = self.indexOfWatch(number) else { return }
      self.watches.remove(at: index)
      _ = clinux_epoll_remove(self.epoll.rawValue, descriptor)
    }
  }

  private func indexOfWatch(_ number: UInt64) -> Int? {
    var low = 0
    var high = watches.count
    while low < high {
      let middle = (low + high) / 2
      if watches[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < watches.count && watches[low].number == number ? low : nil
  }

  package func schedule(after interval: Duration, _ action: @escaping () -> Void) -> LoopToken {
    let number = schedule.addTimer(at: MonotonicTime.now + interval, action)
    return LoopToken { [weak self] in self?.schedule.removeTimer(number) }
  }

  package var timeSinceBoot: Duration { currentTimeSinceBoot() }

  package func scheduleForUser(
    after interval: Duration, _ action: @escaping () -> Void
  ) -> LoopToken {
    do throws(Errno) {
      let timers = try openBootTimers()
      let number = timers.add(after: interval, action)
      return LoopToken { [weak timers] in timers?.remove(number) }
    } catch {
      // Without a descriptor to spare it comes late on a machine that slept, but it comes.
      return schedule(after: interval, action)
    }
  }

  private func openBootTimers() throws(Errno) -> BootTimers {
    if let bootTimers { return bootTimers }
    let timers = try BootTimers()
    bootWatch = try watch(timers.descriptor, for: .readable) { [weak timers] _ in timers?.fire() }
    bootTimers = timers
    return timers
  }

  package func addSource(prepare: @escaping () -> Bool) -> LoopToken {
    let number = schedule.addSource(prepare)
    return LoopToken { [weak self] in self?.schedule.removeSource(number) }
  }

  package func `defer`(_ action: @escaping () -> Void) { schedule.addDeferred(action) }

  package func turn(waitingUntil limit: MonotonicTime?) throws(Errno) {
    var didSomething = false
    var round = LoopSchedule.Round(schedule)
    while let prepare = round.next(in: schedule) {
      if prepare() { didSomething = true }
    }
    let mustNotSleep = didSomething || schedule.hasDeferredWork
    var count = 0
    // A source that is busy is not made to wait for a look at the descriptors in every turn, but
    // every few turns there is one, so that no other source starves.
    if didSomething, busyTurns < Self.busyTurnsWithoutLook {
      busyTurns += 1
    } else {
      busyTurns = 0
      count = try wait(until: mustNotSleep ? now : earlier(limit, schedule.nextDue))
    }
    now = .now

    let newest = schedule.newestNumber
    while let action = schedule.popTimer(dueBy: now, upTo: newest) { action() }
    for index in 0..<count {
      let event = events[index]
      guard let found = indexOfWatch(event.token) else { continue }
      watches[found].handler(Interest(epollEvents: event.events))
    }
    for action in schedule.takeDeferred() { action() }
  }

  private static let busyTurnsWithoutLook = 16

  /// Waits for descriptors, at most until then; how many have something to tell.
  private func wait(until limit: MonotonicTime?) throws(Errno) -> Int {
    let timeout = limit.map { max(0, $0.nanoseconds - MonotonicTime.now.nanoseconds) } ?? -1
    let epoll = self.epoll.rawValue
    let capacity = Int32(events.count)
    let result = try systemCall { unsafe clinux_epoll_wait(epoll, &events, capacity, timeout) }
    if case .done(let count) = result { return Int(count) }
    return 0
  }

  private func earlier(_ one: MonotonicTime?, _ other: MonotonicTime?) -> MonotonicTime? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}

extension Interest {
  fileprivate var epollEvents: UInt32 {
    var events: UInt32 = 0
    if contains(.readable) { events |= clinux_EPOLLIN }
    if contains(.writable) { events |= clinux_EPOLLOUT }
    return events
  }

  fileprivate init(epollEvents events: UInt32) {
    self = []
    if events & clinux_EPOLLIN != 0 { insert(.readable) }
    if events & clinux_EPOLLOUT != 0 { insert(.writable) }
    if events & (clinux_EPOLLHUP | clinux_EPOLLERR) != 0 { insert(.hangUp) }
  }
}
