import EventLoop
import Glibc
import Synchronization
import SystemIO
import TestSupport
import Testing

/// What a job has to wait for, until a test opens it.
private final class Gate: Sendable {
  private let pipe: Mutex<(read: Int32, write: Int32)>
  private let readEnd: Int32
  /// How many jobs have come to it.
  let arrived = Mutex(0)

  init() throws {
    let ends = try Pipe().ends()
    readEnd = ends.read
    pipe = Mutex((ends.read, ends.write))
  }

  deinit {
    open()
    _ = pipe.withLock { close($0.read) }
  }

  func pass() {
    arrived.withLock { $0 += 1 }
    var byte: UInt8 = 0
    while unsafe read(readEnd, &byte, 1) < 0, errno == EINTR {}
  }

  /// Lets everybody through, now and later.
  func open() {
    pipe.withLock { ends in
      if ends.write >= 0 { _ = close(ends.write) }
      ends.write = -1
    }
  }
}

private struct Broken: Error {}

@Suite("The worker", .timeLimit(.minutes(1)))
struct WorkerTests {
  let loop: EpollEventLoop

  init() throws { loop = try EpollEventLoop() }

  private func turn(until isDone: () -> Bool) throws {
    let deadline = Deadline(after: 20)
    while !isDone(), !deadline.isOver {
      try loop.turn(waitingUntil: MonotonicTime.now + .milliseconds(20))
    }
    #expect(isDone())
  }

  @Test("Jobs run one after the other, elsewhere, and their results come back in order")
  func order() throws {
    let worker = Worker(on: loop)
    let here = pthread_self()
    let most = Most()
    var results: [Int] = []
    var threads: Set<pthread_t> = []
    var tokens: [LoopToken?] = []
    for index in 0..<200 {
      tokens.append(
        worker.run({ () -> (Int, pthread_t) in
          most.enter()
          defer { most.leave() }
          return (index, pthread_self())
        }) { result in
          guard let (number, thread) = try? result.get() else { return }
          results.append(number)
          threads.insert(thread)
        })
    }
    try turn { results.count == 200 }
    #expect(results == Array(0..<200))
    #expect(threads.count == 1 && !threads.contains(here))
    #expect(most.value == 1)
    #expect(tokens.allSatisfy { $0 != nil })
  }

  @Test("A job that fails says so, and the next one is done all the same")
  func failure() throws {
    let worker = Worker(on: loop)
    var failed = false
    var text: String?
    let tokens = [
      worker.run({ () throws -> Int in throw Broken() }) { result in
        if case .failure(let error) = result { failed = error is Broken }
      },
      worker.run({ "done" }) { text = try? $0.get() },
    ]
    try turn { text != nil }
    #expect(failed && text == "done")
    withExtendedLifetime(tokens) {}
  }

  @Test("The completion comes on the loop's thread, from a later turn")
  func completion() throws {
    let worker = Worker(on: loop)
    let here = pthread_self()
    var there: pthread_t?
    let token = worker.run({ 1 }) { _ in there = pthread_self() }
    #expect(there == nil)
    try turn { there != nil }
    #expect(there == here)
    withExtendedLifetime(token) {}
  }

  @Test("The loop goes on while a job runs")
  func loopGoesOn() throws {
    let worker = Worker(on: loop)
    let gate = try Gate()
    var isDone = false
    let token = worker.run({ gate.pass() }) { _ in isDone = true }
    var ticks = 0
    var timer: LoopToken?
    func tick() {
      ticks += 1
      timer = loop.schedule(after: .milliseconds(1), tick)
    }
    tick()
    try turn { ticks > 20 && gate.arrived.withLock { $0 } == 1 }
    #expect(!isDone)
    gate.open()
    try turn { isDone }
    withExtendedLifetime((token, timer)) {}
  }

  @Test("No more jobs are taken than there is room for, and there is room again afterwards")
  func bound() throws {
    let worker = Worker(on: loop, capacity: 3)
    let gate = try Gate()
    var results: [Int] = []
    func run(_ number: Int) -> LoopToken? {
      worker.run({
        gate.pass()
        return number
      }) { if let number = try? $0.get() { results.append(number) } }
    }
    let tokens = (0..<3).map { run($0) }
    #expect(tokens.allSatisfy { $0 != nil })
    #expect(run(3) == nil)
    // Whoever loses interest makes room.
    tokens[2]?.cancel()
    let late = run(4)
    #expect(late != nil && run(5) == nil)
    gate.open()
    try turn { results.count == 3 }
    #expect(results == [0, 1, 4])
    let more = run(6)
    try turn { results.count == 4 }
    withExtendedLifetime((tokens, late, more)) {}
  }

  @Test("A job that nobody is interested in any more is not begun, or its result goes nowhere")
  func cancelled() throws {
    let worker = Worker(on: loop)
    let gate = try Gate()
    let begun = Mutex<[Int]>([])
    var results: [Int] = []
    var tokens: [LoopToken?] = (0..<5).map { number in
      worker.run({
        begun.withLock { $0.append(number) }
        gate.pass()
        return number
      }) { if let number = try? $0.get() { results.append(number) } }
    }
    #expect(eventually { begun.withLock { $0 } == [0] })
    tokens[0]?.cancel()
    tokens[1] = nil
    tokens[3]?.cancel()
    gate.open()
    try turn { results.count == 2 }
    #expect(results == [2, 4])
    #expect(begun.withLock { $0 } == [0, 2, 4])
  }

  @Test("A completion may let go of the other jobs, and begin new ones")
  func completionsChangeJobs() throws {
    let worker = Worker(on: loop)
    var results: [Int] = []
    var tokens: [LoopToken?] = []
    tokens.append(
      worker.run({ 0 }) { _ in
        results.append(0)
        tokens[1] = nil
        tokens.append(worker.run({ 2 }) { _ in results.append(2) })
      })
    tokens.append(worker.run({ 1 }) { _ in results.append(1) })
    try turn { results.contains(2) }
    #expect(results == [0, 2])
  }

  @Test("A worker that goes drops what waits, and does not wait for what runs")
  func shutdown() throws {
    let gate = try Gate()
    let begun = Mutex<[Int]>([])
    weak var held: Held?
    var completions = 0
    do {
      let captured = Held()
      held = captured
      let worker = Worker(on: loop)
      let tokens = (0..<3).map { number in
        worker.run({
          begun.withLock { $0.append(number) }
          gate.pass()
          return captured
        }) { _ in completions += 1 }
      }
      #expect(eventually { begun.withLock { $0.count } == 1 })
      withExtendedLifetime(tokens) {}
    }
    gate.open()
    // The thread lets go of all it had when it ends.
    #expect(eventually { held == nil })
    try loop.turn(waitingUntil: loop.now)
    #expect(begun.withLock { $0 } == [0] && completions == 0)
  }

  @Test("Signals are for the loop's thread: the worker's has all of them blocked")
  func signals() throws {
    func isBlocked(_ signal: Int32) -> Bool {
      var set = sigset_t()
      unsafe pthread_sigmask(SIG_BLOCK, nil, &set)
      return unsafe sigismember(&set, signal) == 1
    }
    let signals = [SIGTERM, SIGALRM, SIGCHLD, SIGINT]
    let before = signals.map(isBlocked)
    let worker = Worker(on: loop)
    var there: [Bool]?
    let token = worker.run({
      signals.map { signal in
        var set = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &set)
        return unsafe sigismember(&set, signal) == 1
      }
    }) { there = try? $0.get() }
    #expect(signals.map(isBlocked) == before)
    try turn { there != nil }
    #expect(there == [true, true, true, true])
    withExtendedLifetime(token) {}
  }

  @Test("There is room for deep calls, however small the stacks of this system are")
  func stack() throws {
    let worker = Worker(on: loop)
    var depth: Int?
    let token = worker.run({ use(kibibytes: 3 << 10) }) { depth = try? $0.get() }
    try turn { depth != nil }
    #expect(depth == 3 << 10)
    withExtendedLifetime(token) {}
  }
}

/// Takes so much of the stack, a kibibyte a call.
@inline(never)
private func use(kibibytes: Int) -> Int {
  guard kibibytes > 0 else { return 0 }
  return unsafe withUnsafeTemporaryAllocation(byteCount: 700, alignment: 16) { buffer in
    unsafe buffer[0] = UInt8(truncatingIfNeeded: kibibytes)
    let below = use(kibibytes: kibibytes - 1)
    return unsafe buffer[0] == UInt8(truncatingIfNeeded: kibibytes) ? below + 1 : 0
  }
}

/// How many are inside at the most.
private final class Most: Sendable {
  private let counts = Mutex((now: 0, most: 0))

  func enter() {
    counts.withLock { counts in
      counts.now += 1
      counts.most = max(counts.most, counts.now)
    }
  }
  func leave() { counts.withLock { $0.now -= 1 } }
  var value: Int { counts.withLock { $0.most } }
}

/// Something that a job holds on to.
private final class Held: Sendable {}
