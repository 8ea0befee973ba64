import EventLoop
import SystemIO
import TestSupport
import Testing

@Suite("Timers", .timeLimit(.minutes(1)))
struct TimerTests {
  @Test(
    "Timers fire in the order of their times, whatever order they were set in",
    arguments: LoopKind.allCases)
  func orderOfTimes(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var fired: [Int] = []
    var tokens: [LoopToken] = []
    for milliseconds in [3, 1, 4, 2, 0] {
      tokens.append(
        bench.loop.schedule(after: .milliseconds(milliseconds)) { fired.append(milliseconds) })
    }
    try bench.run { fired.count == 5 }
    #expect(fired == [0, 1, 2, 3, 4])
    #expect(tokens.count == 5)
  }

  @Test(
    "Timers for the user fire in order and once, unless cancelled", arguments: LoopKind.allCases)
  func timersForTheUser(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var fired: [Int] = []
    var tokens: [LoopToken] = []
    for milliseconds in [3, 1, 4, 2, 0] {
      tokens.append(
        bench.loop.scheduleForUser(after: .milliseconds(milliseconds)) {
          fired.append(milliseconds)
          // Due in the same moment as others are.
          if milliseconds == 0 { tokens[3].cancel() }
        })
    }
    let start = bench.loop.timeSinceBoot
    _ = bench.loop.scheduleForUser(after: .zero) { fired.append(-1) }
    try bench.run { fired.count == 4 }
    #expect(bench.loop.timeSinceBoot - start >= .milliseconds(3))
    let last = bench.loop.scheduleForUser(after: .milliseconds(1)) { fired.append(9) }
    try bench.run { fired.count == 5 }
    #expect(fired == [0, 1, 3, 4, 9])
    withExtendedLifetime((tokens, last)) {}
  }

  @Test("While the machine sleeps time goes on for the user, and not for what waits for others")
  func asleep() {
    let loop = ManualEventLoop()
    var fired: [String] = []
    let tokens = [
      loop.schedule(after: .seconds(5)) { fired.append("wait") },
      loop.scheduleForUser(after: .seconds(60)) { fired.append("minute") },
      loop.scheduleForUser(after: .seconds(3602)) { fired.append("hour") },
    ]
    let start = loop.timeSinceBoot
    loop.sleep(for: .seconds(3600))
    #expect(fired == ["minute"])
    #expect(loop.timeSinceBoot - start == .seconds(3600))
    loop.advance(by: .seconds(10))
    #expect(fired == ["minute", "hour", "wait"])
    withExtendedLifetime(tokens) {}
  }

  @Test("Among equal times the timer set first fires first", arguments: LoopKind.allCases)
  func equalTimes(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var fired: [Int] = []
    let tokens = (0..<20).map { index in
      bench.loop.schedule(after: .milliseconds(1)) { fired.append(index) }
    }
    try bench.run { fired.count == 20 }
    #expect(fired == Array(0..<20))
    #expect(tokens.count == 20)
  }

  @Test("A timer fires once, not before its time", arguments: LoopKind.allCases)
  func firesOnce(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let start = bench.loop.now
    var times: [MonotonicTime] = []
    let timer = bench.loop.schedule(after: .milliseconds(2)) { times.append(bench.loop.now) }
    var isLater = false
    let later = bench.loop.schedule(after: .milliseconds(8)) { isLater = true }
    try bench.run { isLater }
    #expect(times.count == 1)
    #expect(times.allSatisfy { $0 >= start + .milliseconds(2) })
    withExtendedLifetime((timer, later)) {}
  }

  @Test(
    "A cancelled timer does not fire, nor does one whose token was let go",
    arguments: LoopKind.allCases)
  func cancelledTimers(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var fired: [String] = []
    let cancelled = bench.loop.schedule(after: .milliseconds(1)) { fired.append("cancelled") }
    _ = bench.loop.schedule(after: .milliseconds(1)) { fired.append("let go") }
    let kept = bench.loop.schedule(after: .milliseconds(3)) { fired.append("kept") }
    cancelled.cancel()
    cancelled.cancel()
    try bench.run { !fired.isEmpty }
    #expect(fired == ["kept"])
    withExtendedLifetime((cancelled, kept)) {}
  }

  @Test(
    "A timer that is due is cancelled by one that fires before it", arguments: LoopKind.allCases)
  func cancelledByEarlierTimer(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var fired: [Int] = []
    var second: LoopToken?
    let first = bench.loop.schedule(after: .zero) {
      fired.append(1)
      second?.cancel()
    }
    second = bench.loop.schedule(after: .zero) { fired.append(2) }
    let third = bench.loop.schedule(after: .milliseconds(2)) { fired.append(3) }
    try bench.run { fired.contains(3) }
    #expect(fired == [1, 3])
    withExtendedLifetime((first, third)) {}
  }

  @Test("A timer may set another", arguments: LoopKind.allCases)
  func timersSetTimers(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var tokens: [LoopToken] = []
    var fired = 0
    func again() {
      fired += 1
      if fired < 5 { tokens.append(bench.loop.schedule(after: .microseconds(100), again)) }
    }
    tokens.append(bench.loop.schedule(after: .zero, again))
    try bench.run { fired == 5 }
    #expect(fired == 5)
  }

  @Test(
    "A timer without an interval that sets itself anew leaves room for the rest of the turn",
    arguments: LoopKind.allCases)
  func renewedTimerDoesNotStarve(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var token: LoopToken?
    var fired = 0
    func again() {
      fired += 1
      // Where the turn never ends, the test does all the same.
      if fired < 1000 { token = bench.loop.schedule(after: .zero, again) }
    }
    token = bench.loop.schedule(after: .zero, again)
    var deferredAfter = 0
    bench.loop.defer { deferredAfter = fired }
    try bench.turn()
    #expect(fired == 1)
    #expect(deferredAfter == 1)
    withExtendedLifetime(token) {}
  }

  @Test(
    "Thousands of timers fire in order, without those that were cancelled",
    arguments: LoopKind.allCases)
  func manyTimers(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var numbers = SeededGenerator(seed: 5)
    var fired: [Int] = []
    var tokens: [LoopToken] = []
    var expected: [(time: Int, index: Int)] = []
    for index in 0..<5000 {
      // Far enough apart for the clock that moves while they are set.
      let slot = Int.random(in: 0..<40, using: &numbers)
      let interval = Duration.seconds(slot * 1000)
      tokens.append(bench.loop.schedule(after: interval) { fired.append(index) })
      expected.append((slot, index))
    }
    var kept: [(time: Int, index: Int)] = []
    for (index, token) in tokens.enumerated() {
      if index % 3 == 0 { token.cancel() } else { kept.append(expected[index]) }
    }
    kept.sort { ($0.time, $0.index) < ($1.time, $1.index) }
    switch kind {
    case .manual:
      try bench.run { fired.count == kept.count }
      #expect(fired == kept.map(\.index))
    case .epoll:
      // The real clock is not waited for: those that are due now fire, the rest does not.
      try bench.turn()
      #expect(fired == kept.filter { $0.time == 0 }.map(\.index))
    }
  }

  @Test(
    "What a timer holds is let go when it has fired or was cancelled", arguments: LoopKind.allCases)
  func closuresAreLetGo(kind: LoopKind) throws {
    final class Witness {}
    let bench = try LoopBench(kind)
    weak var fired: Witness?
    weak var cancelled: Witness?
    var count = 0
    let tokens: [LoopToken]
    do {
      let (first, second) = (Witness(), Witness())
      (fired, cancelled) = (first, second)
      tokens = [
        bench.loop.schedule(after: .zero) { withExtendedLifetime(first) { count += 1 } },
        bench.loop.schedule(after: .zero) { withExtendedLifetime(second) { count += 1 } },
      ]
    }
    tokens[1].cancel()
    try bench.run { count == 1 }
    #expect(fired == nil)
    #expect(cancelled == nil)
    #expect(tokens.count == 2)
  }

  @Test("The time is the same throughout a turn", arguments: LoopKind.allCases)
  func timeStandsInTurn(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var times: [MonotonicTime] = []
    let timers = (0..<3).map { _ in
      bench.loop.schedule(after: .zero) { times.append(bench.loop.now) }
    }
    bench.loop.defer { times.append(bench.loop.now) }
    try bench.run { times.count == 4 }
    #expect(Set(times).count == 1)
    #expect(timers.count == 3)
  }

  @Test("Time that is let pass fires each timer at its own time")
  func advancing() {
    let loop = ManualEventLoop()
    var times: [Int64] = []
    var tokens = [7, 3, 5].map { seconds in
      loop.schedule(after: .seconds(seconds)) { times.append(loop.now.nanoseconds) }
    }
    tokens.append(
      loop.schedule(after: .seconds(4)) {
        tokens.append(loop.schedule(after: .seconds(2)) { times.append(loop.now.nanoseconds) })
      })
    loop.advance(by: .seconds(6))
    #expect(times == [3, 5, 6].map { $0 * 1_000_000_000 })
    #expect(loop.now == MonotonicTime(nanoseconds: 6_000_000_000))
    loop.advance(by: .seconds(1))
    #expect(times.count == 4)
  }
}

@Suite("Monotonic time")
struct MonotonicTimeTests {
  @Test(
    "Intervals become whole nanoseconds",
    arguments: [
      (Duration.zero, 0), (.nanoseconds(1), 1), (.seconds(2), 2_000_000_000),
      (.milliseconds(-1), -1_000_000), (.seconds(Int64.max), Int64.max),
      (.seconds(Int64.min), Int64.min), (Duration(secondsComponent: 0, attosecondsComponent: 1), 0),
      (.seconds(9_223_372_036) + .nanoseconds(854_775_807), Int64.max),
      (.seconds(9_223_372_036) + .nanoseconds(854_775_808), Int64.max),
    ] as [(Duration, Int64)])
  func nanoseconds(interval: Duration, expected: Int64) {
    #expect(interval.nanoseconds == expected)
  }

  @Test("A time so far away that it cannot be told is the last there is")
  func additionSaturates() {
    let time = MonotonicTime(nanoseconds: 5)
    #expect((time + .seconds(Int64.max)).nanoseconds == .max)
    #expect((time + .nanoseconds(7)).nanoseconds == 12)
  }

  @Test("Times compare and differ")
  func comparison() {
    let (early, late) = (MonotonicTime(nanoseconds: 5), MonotonicTime(nanoseconds: 12))
    #expect(early < late)
    #expect(!(late < early))
    #expect(late - early == .nanoseconds(7))
    #expect(MonotonicTime.now <= MonotonicTime.now)
  }
}
