import EventLoop
import Glibc
import SystemIO
import Testing

@Suite("Turns", .timeLimit(.minutes(1)))
struct TurnTests {
  @Test("A source prepares once before each wait", arguments: LoopKind.allCases)
  func sourcesPrepare(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var count = 0
    let token = bench.loop.addSource {
      count += 1
      return false
    }
    for turn in 1...3 {
      try bench.turn()
      #expect(count == turn)
    }
    token.cancel()
    try bench.turn()
    #expect(count == 3)
  }

  @Test("Sources prepare in the order in which they were added", arguments: LoopKind.allCases)
  func sourcesInOrder(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var order: [Int] = []
    let tokens = (0..<4).map { index in
      bench.loop.addSource {
        order.append(index)
        return false
      }
    }
    try bench.turn()
    #expect(order == [0, 1, 2, 3])
    #expect(tokens.count == 4)
  }

  @Test("A source that did something keeps the loop from sleeping", arguments: LoopKind.allCases)
  func busySourcePreventsSleep(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let idle = bench.loop.addSource { false }
    let busy = bench.loop.addSource { true }
    let other = bench.loop.addSource { false }
    #expect(try bench.turnReturnsAtOnce())
    withExtendedLifetime((idle, busy, other)) {}
  }

  @Test("Every source prepares, though one of them is busy", arguments: LoopKind.allCases)
  func allSourcesPrepare(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var count = 0
    let tokens = (0..<3).map { _ in
      bench.loop.addSource {
        count += 1
        return true
      }
    }
    try bench.turn()
    #expect(count == 3)
    #expect(tokens.count == 3)
  }

  @Test("A source that another one ended does not prepare any more", arguments: LoopKind.allCases)
  func cancelledInSameRound(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var second: LoopToken?
    var count = 0
    let first = bench.loop.addSource {
      second?.cancel()
      return false
    }
    second = bench.loop.addSource {
      count += 1
      return false
    }
    try bench.turn()
    #expect(count == 0)
    withExtendedLifetime(first) {}
  }

  @Test(
    "A source that another one adds prepares from the next turn on", arguments: LoopKind.allCases)
  func addedInSameRound(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var second: LoopToken?
    var count = 0
    let loop = bench.loop
    let first = loop.addSource {
      if second == nil {
        second = loop.addSource {
          count += 1
          return false
        }
      }
      return false
    }
    try bench.turn()
    #expect(count == 0)
    try bench.turn()
    #expect(count == 1)
    withExtendedLifetime((first, second)) {}
  }

  @Test(
    "Deferred work runs at the end of the turn, behind timers and descriptors",
    arguments: LoopKind.allCases)
  func deferredWorkIsLast(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let channel = try Channel()
    var order: [String] = []
    bench.loop.defer { order.append("deferred") }
    let source = bench.loop.addSource {
      order.append("source")
      return false
    }
    let watch = try bench.loop.watch(channel.readEnd, for: .readable) { _ in
      order.append("descriptor")
      bench.loop.defer { order.append("deferred by descriptor") }
    }
    let timer = bench.loop.schedule(after: .zero) { order.append("timer") }
    try bench.feed(channel)
    try bench.turn()
    #expect(
      order == ["source", "timer", "descriptor", "deferred", "deferred by descriptor"])
    withExtendedLifetime((source, watch, timer)) {}
  }

  @Test("A source that is always busy does not starve the descriptors")
  func busySourceDoesNotStarve() throws {
    let bench = try LoopBench(.epoll)
    let channel = try Channel()
    var isSeen = false
    let source = bench.loop.addSource { true }
    let watch = try bench.loop.watch(channel.readEnd, for: .readable) { _ in isSeen = true }
    try bench.feed(channel)
    for _ in 0..<40 where !isSeen { try bench.turn() }
    #expect(isSeen)
    withExtendedLifetime((source, watch)) {}
  }

  @Test("Deferred work keeps the loop from sleeping", arguments: LoopKind.allCases)
  func deferredWorkPreventsSleep(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var count = 0
    bench.loop.defer { count += 1 }
    #expect(try bench.turnReturnsAtOnce())
    #expect(count == 1)
    // So does what a source defers while it prepares.
    var isFirst = true
    let source = bench.loop.addSource {
      if isFirst { bench.loop.defer { count += 1 } }
      isFirst = false
      return false
    }
    #expect(try bench.turnReturnsAtOnce())
    #expect(count == 2)
    withExtendedLifetime(source) {}
  }

  @Test("What deferred work defers runs in the next turn", arguments: LoopKind.allCases)
  func deferredAgain(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var count = 0
    func again() {
      count += 1
      bench.loop.defer(again)
    }
    bench.loop.defer(again)
    for turn in 1...3 {
      #expect(try bench.turnReturnsAtOnce())
      #expect(count == turn)
    }
  }

  @Test(
    "Running ends when the condition holds, without a turn where it holds already",
    arguments: LoopKind.allCases)
  func runningUntil(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var turns = 0
    let source = bench.loop.addSource {
      turns += 1
      return true
    }
    try bench.loop.run { true }
    #expect(turns == 0)
    try bench.loop.run { turns == 3 }
    #expect(turns == 3)
    withExtendedLifetime(source) {}
  }

  @Test("A loop with nothing to do does not wake up", arguments: LoopKind.allCases)
  func idleLoopSleeps(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let channel = try Channel()
    var wakings = 0
    let source = bench.loop.addSource {
      wakings += 1
      return false
    }
    let watch = try bench.loop.watch(channel.readEnd, for: .readable) { _ in wakings += 100 }
    let timer = bench.loop.schedule(after: .seconds(3600)) { wakings += 100 }
    let limit = bench.loop.now + .milliseconds(20)
    try bench.loop.turn(waitingUntil: limit)
    // One turn, and it lasted until its limit: nothing woke the loop on the way.
    #expect(wakings == 1)
    #expect(bench.loop.now >= limit)
    withExtendedLifetime((source, watch, timer)) {}
  }

  @Test("A limit in the past does not wait", arguments: LoopKind.allCases)
  func pastLimit(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let start = bench.loop.now
    try bench.loop.turn(waitingUntil: MonotonicTime(nanoseconds: 0))
    #expect(bench.loop.now >= start)
  }

  @Test("A timer that is due ends the wait though the limit is later", arguments: LoopKind.allCases)
  func timerEndsWait(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    var fired = false
    let timer = bench.loop.schedule(after: .milliseconds(1)) { fired = true }
    #expect(try bench.turnReturnsAtOnce())
    #expect(fired)
    withExtendedLifetime(timer) {}
  }
}

@Suite("Signals", .timeLimit(.minutes(1)), .serialized)
struct SignalTests {
  /// Blocks nothing beyond the test.
  ///
  /// Only signals that are ignored by default are used, so a mask that differs between threads
  /// harms nobody.
  private func withSignalMask(_ body: () throws -> Void) throws {
    var mask = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &mask, nil) }
    try body()
  }

  @Test("Signals are told by number, in turns of the loop")
  func signalsAreTold() throws {
    try withSignalMask {
      let bench = try LoopBench(.epoll)
      var seen: [Int32] = []
      let source = try SignalSource([SIGWINCH, SIGURG], on: bench.loop) { seen.append($0) }
      try bench.turn()
      #expect(seen == [])
      raise(SIGURG)
      #expect(seen == [])
      try bench.turn()
      #expect(seen == [SIGURG])
      raise(SIGWINCH)
      raise(SIGURG)
      try bench.turn()
      #expect(Set(seen.dropFirst()) == [SIGWINCH, SIGURG])
      #expect(seen.count == 3)
      withExtendedLifetime(source) {}
    }
  }

  @Test("A signal ends the wait")
  func signalEndsWait() throws {
    try withSignalMask {
      let bench = try LoopBench(.epoll)
      var seen: [Int32] = []
      let source = try SignalSource([SIGWINCH], on: bench.loop) { seen.append($0) }
      raise(SIGWINCH)
      #expect(try bench.turnReturnsAtOnce())
      #expect(seen == [SIGWINCH])
      withExtendedLifetime(source) {}
    }
  }
}
