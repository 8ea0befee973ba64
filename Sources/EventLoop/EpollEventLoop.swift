internal import CLinux
package import SystemIO

/// The loop that waits in epoll.
package final class EpollEventLoop: EventLoop {
  private final class Watch {
    let handler: (Interest) -> Void
    init(_ handler: @escaping (Interest) -> Void) { self.handler = handler }
  }

  private let epoll: OwnedFD
  private var schedule = LoopSchedule()
  // Keyed by the number that epoll hands back with an event. A number is never used twice, so an
  // event for a watch that has ended meanwhile finds nothing, whoever owns the descriptor by then.
  private var watches: [UInt64: Watch] = [:]
  package private(set) var now = MonotonicTime.now

  package init() throws(Errno) {
    epoll = OwnedFD(adopting: try blockingSystemCall { clinux_epoll_create() })
  }

  /// The descriptor that a detached process must keep.
  package var descriptor: Int32 { epoll.rawValue }

  package func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void
  ) throws(Errno) -> LoopToken {
    let number = schedule.nextNumber()
    let epoll = self.epoll.rawValue
    try blockingSystemCall { clinux_epoll_add(epoll, descriptor, interest.epollEvents, number) }
    watches[number] = Watch(handler)
    return LoopToken { [weak self] in
      guard let self, self.watches.removeValue(forKey: number) != nil else { return }
      _ = clinux_epoll_remove(self.epoll.rawValue, descriptor)
    }
  }

  package func schedule(after interval: Duration, _ action: @escaping () -> Void) -> LoopToken {
    let number = schedule.addTimer(at: MonotonicTime.now + interval, action)
    return LoopToken { [weak self] in self?.schedule.removeTimer(number) }
  }

  package func addSource(prepare: @escaping () -> Bool) -> LoopToken {
    let number = schedule.addSource(prepare)
    return LoopToken { [weak self] in self?.schedule.removeSource(number) }
  }

  package func `defer`(_ action: @escaping () -> Void) { schedule.addDeferred(action) }

  package func turn(waitingUntil limit: MonotonicTime?) throws(Errno) {
    var mustNotSleep = schedule.hasDeferredWork
    for number in schedule.sourceNumbers {
      if let prepare = schedule.source(number), prepare() { mustNotSleep = true }
    }
    mustNotSleep = mustNotSleep || schedule.hasDeferredWork

    var timeout: Int64 = -1
    if mustNotSleep {
      timeout = 0
    } else if let due = [limit, schedule.nextDue].compactMap({ $0 }).min() {
      timeout = max(0, (due - MonotonicTime.now).nanoseconds)
    }
    var ready: [(number: UInt64, interest: Interest)] = []
    let epoll = self.epoll.rawValue
    try unsafe withUnsafeTemporaryAllocation(of: clinux_epoll_event.self, capacity: 64) {
      buffer throws(Errno) in
      let result = try systemCall {
        unsafe clinux_epoll_wait(epoll, buffer.baseAddress, 64, timeout)
      }
      guard case .done(let count) = result else { return }
      for index in 0..<Int(count) {
        let event = unsafe buffer[index]
        ready.append((event.token, Interest(epollEvents: event.events)))
      }
    }
    now = .now

    let newest = schedule.newestNumber
    while let action = schedule.popTimer(dueBy: now, upTo: newest) { action() }
    for event in ready { watches[event.number]?.handler(event.interest) }
    for action in schedule.takeDeferred() { action() }
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
