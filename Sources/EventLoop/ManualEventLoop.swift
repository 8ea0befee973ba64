package import SystemIO

/// A loop for tests: time moves only when told, descriptors are ready only when told.
package final class ManualEventLoop: EventLoop {
  private var schedule = LoopSchedule()
  /// The timers that go on while the machine sleeps, by the time since it was started.
  private var bootSchedule = LoopSchedule()
  private var slept = Duration.zero
  private var watches:
    [UInt64: (descriptor: Int32, interest: Interest, handler: (Interest) -> Void)] =
      [:]
  private var ready: [(descriptor: Int32, interest: Interest)] = []
  package private(set) var now: MonotonicTime

  package init(startingAt now: MonotonicTime = MonotonicTime(nanoseconds: 0)) { self.now = now }

  package func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void
  ) throws(Errno) -> LoopToken {
    let number = schedule.nextNumber()
    watches[number] = (descriptor, interest, handler)
    return LoopToken { [weak self] in self?.watches.removeValue(forKey: number) }
  }

  package func schedule(after interval: Duration, _ action: @escaping () -> Void) -> LoopToken {
    let number = schedule.addTimer(at: now + interval, action)
    return LoopToken { [weak self] in self?.schedule.removeTimer(number) }
  }

  package var timeSinceBoot: Duration { .nanoseconds(now.nanoseconds) + slept }

  package func scheduleForUser(
    after interval: Duration, _ action: @escaping () -> Void
  ) -> LoopToken {
    let number = bootSchedule.addTimer(at: now + slept + interval, action)
    return LoopToken { [weak self] in self?.bootSchedule.removeTimer(number) }
  }

  /// Lets the machine sleep for so long, and wake.
  package func sleep(for interval: Duration) {
    slept += interval
    runTurn()
  }

  /// When the next timer of either kind is due, if the machine does not sleep.
  private var nextDue: MonotonicTime? {
    [schedule.nextDue, bootSchedule.nextDue.map { $0 + (.zero - slept) }].compactMap { $0 }.min()
  }

  package func addSource(prepare: @escaping () -> Bool) -> LoopToken {
    let number = schedule.addSource(prepare)
    return LoopToken { [weak self] in self?.schedule.removeSource(number) }
  }

  package func `defer`(_ action: @escaping () -> Void) { schedule.addDeferred(action) }

  /// Marks a descriptor as ready for the next turn.
  package func makeReady(_ descriptor: Int32, for interest: Interest) {
    ready.append((descriptor, interest))
  }

  /// Lets time pass, firing what comes due on the way, each at its own time.
  package func advance(by interval: Duration) {
    let end = now + interval
    while let due = nextDue, due <= end {
      now = max(now, due)
      runTurn()
    }
    now = end
    runTurn()
  }

  package func turn(waitingUntil limit: MonotonicTime?) throws(Errno) {
    let mustNotSleep = runSources() || schedule.hasDeferredWork || !ready.isEmpty
    if !mustNotSleep, let due = [limit, nextDue].compactMap({ $0 }).min() {
      now = max(now, due)
    }
    dispatch()
  }

  private func runTurn() {
    _ = runSources()
    dispatch()
  }

  private func runSources() -> Bool {
    var hasMore = false
    var round = LoopSchedule.Round(schedule)
    while let prepare = round.next(in: schedule) {
      if prepare() { hasMore = true }
    }
    return hasMore
  }

  private func dispatch() {
    // As in epoll: what is ready is ready for the watches there are now, not for later ones of the
    // same descriptor.
    let events = ready.flatMap { event in
      watches.filter { $0.value.descriptor == event.descriptor }
        .map { (number: $0.key, interest: event.interest) }
    }
    ready.removeAll()
    let newest = schedule.newestNumber
    while let action = schedule.popTimer(dueBy: now, upTo: newest) { action() }
    let newestOfBoot = bootSchedule.newestNumber
    while let action = bootSchedule.popTimer(dueBy: now + slept, upTo: newestOfBoot) { action() }
    for event in events {
      guard let watch = watches[event.number] else { continue }
      let happened = event.interest.intersection(watch.interest.union(.hangUp))
      if !happened.isEmpty { watch.handler(happened) }
    }
    for action in schedule.takeDeferred() { action() }
  }
}
