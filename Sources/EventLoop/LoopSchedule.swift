/// What every loop has beside descriptors: timers, sources, deferred work.
///
/// Without I/O.
struct LoopSchedule {
  private struct Timer {
    let due: MonotonicTime
    let number: UInt64
    let action: () -> Void
  }

  private struct Source {
    let number: UInt64
    let prepare: () -> Bool
  }

  // Sorted, latest first: the next one is popped off the end. Loops here have few timers, most of
  // them deadlines that are set and cancelled again near the end of the array.
  private var timers: [Timer] = []
  /// By their numbers, rising.
  private var sources: [Source] = []
  private var deferred: [() -> Void] = []
  private var lastNumber: UInt64 = 0

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  var nextDue: MonotonicTime? { timers.last?.due }
  var hasDeferredWork: Bool { !deferred.isEmpty }

  mutating func addTimer(at due: MonotonicTime, _ action: @escaping () -> Void) -> UInt64 {
    let number = nextNumber()
    // Among equal times the earlier set one is nearer to the end, so it fires first.
    var low = 0
    var high = timers.count
    while low < high {
      let middle = (low + high) / 2
      if timers[middle].due > due { low = middle + 1 } else { high = middle }
    }
    timers.insert(Timer(due: due, number: number, action: action), at: low)
    return number
  }

  mutating func removeTimer(_ number: UInt64) {
    if let index = timers.lastIndex(where: { $0.number == number }) { timers.remove(at: index) }
  }

  /// The number given last: what is set later comes in a later turn.
  var newestNumber: UInt64 { lastNumber }

  /// The next timer that is due and was not set after another number was given, taken out.
  ///
  /// A timer without an interval that sets itself anew would else keep its turn from ending.
  mutating func popTimer(dueBy now: MonotonicTime, upTo number: UInt64) -> (() -> Void)? {
    guard let last = timers.last, last.due <= now, last.number <= number else { return nil }
    return timers.removeLast().action
  }

  mutating func addSource(_ prepare: @escaping () -> Bool) -> UInt64 {
    let number = nextNumber()
    sources.append(Source(number: number, prepare: prepare))
    return number
  }

  mutating func removeSource(_ number: UInt64) { sources.removeAll { $0.number == number } }

  /// The sources that are there when a turn begins, one after the other: not those that were taken out
  /// meanwhile, by another one for instance, and not those that were added.
  struct Round {
    private let newest: UInt64
    private var last: UInt64 = 0

    init(_ schedule: LoopSchedule) { newest = schedule.lastNumber }

    /// The next of them, as the schedule is by now.
    mutating func next(in schedule: LoopSchedule) -> (() -> Bool)? {
      guard let source = schedule.sources.first(where: { $0.number > last }),
        source.number <= newest
      else { return nil }
      last = source.number
      return source.prepare
    }
  }

  mutating func addDeferred(_ action: @escaping () -> Void) { deferred.append(action) }

  mutating func takeDeferred() -> [() -> Void] {
    defer { deferred.removeAll() }
    return deferred
  }
}
