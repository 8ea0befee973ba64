internal import CLinux
internal import Glibc
internal import Synchronization
internal import SystemIO

/// The one thread beside the loop's: for what takes long, such as conversions and the disk.
///
/// Jobs run one after the other, in their order; their results come back on the loop's thread, from a
/// later turn. Jobs and results are `Sendable` values, everything else stays with the loop.
///
/// The thread is started by the first job: who has none pays nothing, and may still fork.
package final class Worker {
  /// More jobs at once than anything honest asks for: as many as there may be transfers.
  package static let defaultCapacity = 1024

  private let loop: any EventLoop
  private let capacity: Int
  private var queue: WorkerQueue?
  private var watch: LoopToken?
  private var handlers: [UInt64: () -> Void] = [:]
  private var lastNumber: UInt64 = 0

  /// - Parameter capacity: The most jobs that may wait for their turn or their completion.
  package init(on loop: any EventLoop, capacity: Int = Worker.defaultCapacity) {
    self.loop = loop
    self.capacity = capacity
  }

  /// What waits is dropped; the job that runs is not waited for, and its result goes nowhere.
  deinit { queue?.stop() }

  /// Has a job done on the worker's thread.
  ///
  /// - Parameter completion: Called once, on the loop's thread, with what the job returned or threw;
  ///   not if the token was let go before.
  /// - Returns: What the interest in the job hangs on: a job that was not begun when it is let go is
  ///   never begun. Nil where there are too many jobs already, or the system has no thread to give;
  ///   the completion is not called then.
  package func run<Value: Sendable>(
    _ job: @escaping @Sendable () throws -> Value,
    _ completion: @escaping (Result<Value, any Error>) -> Void
  ) -> LoopToken? {
    guard handlers.count < capacity, let queue = startedQueue() else { return nil }
    lastNumber += 1
    let number = lastNumber
    let outcome = Outcome<Value>()
    handlers[number] = {
      if let result = outcome.take() { completion(result) }
    }
    queue.add(.init(number: number) { outcome.set(Result(catching: job)) })
    return LoopToken { [weak self] in
      // Not there any more: it was completed.
      guard let self, self.handlers.removeValue(forKey: number) != nil else { return }
      self.queue?.remove(number)
    }
  }

  private func startedQueue() -> WorkerQueue? {
    if let queue { return queue }
    do {
      let queue = try WorkerQueue()
      watch = try loop.watch(queue.doneDescriptor, for: .readable) { [weak self] _ in
        self?.complete()
      }
      try queue.startThread()
      self.queue = queue
      return queue
    } catch {
      watch = nil
      return nil
    }
  }

  private func complete() {
    // The handlers may let go of their tokens, and of those of others.
    for number in queue?.takeDone() ?? [] { handlers.removeValue(forKey: number)?() }
  }
}

/// What a job returned or threw, on its way from one thread to the other.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  func set(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }
  func take() -> Result<Value, any Error>? { result.withLock { $0.take() } }
}

/// What the two threads have in common: the jobs that wait, and the numbers of those that are done.
private final class WorkerQueue: Sendable {
  struct Job: Sendable {
    let number: UInt64
    let perform: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Job] = []
    /// How many of the waiting, from the front, are begun: they are taken out by the dozen.
    var begun = 0
    var done: [UInt64] = []
    var isStopped = false
  }

  /// Deep documents are read without recursion, but what a converter needs beside that should not
  /// depend on how the system was set up (`ulimit -s`).
  private static let stackSize = 8 << 20

  private let state = Mutex(State())
  // Each wakes one thread: a blocking one for the worker to sleep in, one for the loop to watch.
  private let toDo: OwnedFD
  private let done: OwnedFD

  init() throws(Errno) {
    toDo = OwnedFD(adopting: try blockingSystemCall { clinux_eventfd(1) })
    done = OwnedFD(adopting: try blockingSystemCall { clinux_eventfd(0) })
  }

  var doneDescriptor: Int32 { done.rawValue }

  // MARK: The loop's side

  func startThread() throws(Errno) {
    var attributes = pthread_attr_t()
    var thread = pthread_t()
    var all = sigset_t()
    var before = sigset_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { throw .noMemory }
    defer { _ = unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, Self.stackSize)
    // Nobody waits for its end: it has its own hold on all that it uses.
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Signals are for the loop's thread, which reads them or is interrupted by them.
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let held = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, &attributes,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<WorkerQueue>.fromOpaque(context).takeRetainedValue().work()
        }
        return nil
      }, held.toOpaque())
    guard code == 0 else {
      unsafe held.release()
      throw Errno(code)
    }
  }

  func add(_ job: Job) {
    state.withLock { $0.waiting.append(job) }
    signal(toDo)
  }

  func remove(_ number: UInt64) {
    state.withLock { state in
      let rest = state.waiting[state.begun...]
      if let place = rest.firstIndex(where: { $0.number == number }) {
        state.waiting.remove(at: place)
      }
    }
  }

  func takeDone() -> [UInt64] {
    _ = clinux_eventfd_read(done.rawValue)
    return state.withLock { state in
      defer { state.done = [] }
      return state.done
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting = []
      state.begun = 0
    }
    signal(toDo)
  }

  // MARK: The worker's side

  private func work() {
    while true {
      while let job = next() {
        job.perform()
        state.withLock { $0.done.append(job.number) }
        signal(done)
      }
      if state.withLock({ $0.isStopped }) { return }
      _ = clinux_eventfd_read(toDo.rawValue)
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard state.begun < state.waiting.count else { return nil }
      let job = state.waiting[state.begun]
      state.begun += 1
      if state.begun == state.waiting.count || state.begun >= 64 {
        state.waiting.removeFirst(state.begun)
        state.begun = 0
      }
      return job
    }
  }

  private func signal(_ event: borrowing OwnedFD) { _ = clinux_eventfd_signal(event.rawValue) }
}
