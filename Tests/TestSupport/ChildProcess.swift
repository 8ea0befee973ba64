internal import Glibc
internal import SystemIO

/// How a child process is started.
package struct SpawnOptions: Sendable {
  /// Where what the child writes goes.
  package enum Outputs: Sendable {
    /// To us, the two streams apart.
    case captured
    /// To us, both in one, as `2>&1` does.
    case merged
    /// To `/dev/null`: for `xclip -i` and its like, which keep their outputs open.
    case discarded
    /// To a pseudo terminal that is also the standard input and the controlling terminal.
    case terminal
  }

  /// Where what the child reads comes from.
  package enum Input: Sendable {
    case nothing
    case bytes([UInt8])
    /// A pipe that stays open until ``ChildProcess/endInput()``, empty until something is written.
    case open
    /// No descriptor 0 at all.
    case closed
  }

  package var input: Input
  package var outputs: Outputs
  /// A process group of its own, whose number is that of the child.
  package var startsGroup = false

  package init(input: Input = .nothing, outputs: Outputs = .captured) {
    self.input = input
    self.outputs = outputs
  }
}

/// What became of a child process.
package struct ProcessResult: Sendable {
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// Killed by us after its time.
    case timedOut
    /// The process itself ended, but something that it left behind keeps its outputs open.
    case outputsHeldOpen(status: Int32)
  }

  package let ending: Ending
  package let output: [UInt8]
  package let errors: String

  /// The exit code; nil when there is none.
  package var status: Int32? { if case .exited(let code) = ending { code } else { nil } }

  package var text: String { TestSupport.text(output) }
}

extension ProcessResult: CustomStringConvertible {
  /// What a failure message shows.
  package var description: String {
    let shown = TestSupport.text(Array(output.prefix(400)))
    return "\(ending), \(output.count) bytes \(shown.debugDescription), \(errors.debugDescription)"
  }
}

/// A child process and our ends of its pipes.
///
/// Whoever lets go of it kills it.
///
/// Driven by the thread that waits for it: pipes move only inside ``finish(within:)``,
/// ``settle(within:until:)`` and ``write(_:)``.
package final class ChildProcess {
  package let pid: Int32
  private var input: OwnedFD?
  private var output: OwnedFD?
  private var errorOutput: OwnedFD?
  private var pending: [UInt8] = []
  private var pendingOffset = 0
  private var staysOpen = false
  private var waitStatus: Int32?

  /// What it has written so far.
  package private(set) var received: [UInt8] = []
  package private(set) var receivedErrors: [UInt8] = []

  /// Starts a program, which is looked up in our `PATH` when it has no slash.
  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String],
    options: SpawnOptions = SpawnOptions()
  ) throws {
    _ = ChildProcess.brokenPipesAreErrors
    var actions = try SpawnActions()
    switch options.input {
    case _ where options.isTerminal: break
    case .nothing: try actions.open("/dev/null", O_RDONLY, as: 0)
    case .closed: try actions.close(0)
    case .bytes(let bytes):
      pending = bytes
      input = try actions.pipe(into: 0)
    case .open:
      staysOpen = true
      input = try actions.pipe(into: 0)
    }
    switch options.outputs {
    case .captured:
      output = try actions.pipe(outOf: 1)
      errorOutput = try actions.pipe(outOf: 2)
    case .merged:
      output = try actions.pipe(outOf: 1)
      try actions.duplicate(1, as: 2)
    case .discarded:
      try actions.open("/dev/null", O_WRONLY, as: 1)
      try actions.open("/dev/null", O_WRONLY, as: 2)
    case .terminal:
      let terminal = try PseudoTerminal()
      // The child leads a session by then, so the first terminal it opens becomes its own.
      try actions.open(terminal.path, O_RDWR, as: 0)
      try actions.duplicate(0, as: 1)
      try actions.duplicate(0, as: 2)
      output = try terminal.takeControl()
      if case .bytes(let bytes) = options.input { pending = bytes }
    }
    pid = try actions.spawn(
      executable, arguments, environment: environment, startsSession: options.isTerminal,
      startsGroup: options.startsGroup)
    try input?.setNonBlocking()
  }

  deinit {
    guard waitStatus == nil else { return }
    _ = kill(pid, SIGKILL)
    _ = waitpid(pid, nil, 0)
  }

  /// A write to a child that reads no more must fail as an error, not end the tests.
  private static let brokenPipesAreErrors: Void = ignoreBrokenPipes()

  package func send(signal: Int32) { if waitStatus == nil { _ = kill(pid, signal) } }

  /// Sends a signal to all of the group that the child started.
  package func send(groupSignal signal: Int32) { if waitStatus == nil { _ = kill(-pid, signal) } }

  /// Whether the process itself still runs, whatever its pipes do.
  package var isRunning: Bool {
    reap()
    return waitStatus == nil
  }

  /// Whether it has written something that has not been taken yet.
  package var hasOutput: Bool {
    var wait = pollfd(fd: output?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wait, 1, 0) > 0
  }

  /// Hands the child more input; it goes out while we wait for the child.
  package func write(_ bytes: [UInt8]) { pending.append(contentsOf: bytes) }

  /// Ends the input after what is still to be written.
  package func endInput() { staysOpen = false }

  /// Closes our end of the child's standard output, so that its next write fails.
  package func closeOutput() { output = nil }

  /// Moves bytes until the condition holds or time is over.
  ///
  /// - Returns: Whether the condition held.
  @discardableResult
  package func settle(
    within seconds: Double = 10, until condition: (ChildProcess) throws -> Bool
  ) rethrows -> Bool {
    let deadline = Deadline(after: seconds)
    while try !condition(self) {
      if deadline.isOver { return false }
      turn(atMost: min(5, deadline.remainingMilliseconds))
    }
    return true
  }

  /// Waits for the end of the process and of everything that holds its outputs.
  ///
  /// After its time the process is killed.
  package func finish(within seconds: Double) -> ProcessResult {
    let deadline = Deadline(after: seconds)
    while waitStatus == nil || output != nil || errorOutput != nil {
      if deadline.isOver { return giveUp() }
      turn(atMost: min(20, deadline.remainingMilliseconds))
    }
    return result(ending)
  }

  private var ending: ProcessResult.Ending {
    guard let status = waitStatus else { return .timedOut }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  private func giveUp() -> ProcessResult {
    reap()
    if waitStatus != nil {
      guard case .exited(let status) = ending else { return result(ending) }
      return result(.outputsHeldOpen(status: status))
    }
    _ = kill(pid, SIGKILL)
    var status: Int32 = 0
    unsafe _ = waitpid(pid, &status, 0)
    waitStatus = status
    return result(.timedOut)
  }

  private func result(_ ending: ProcessResult.Ending) -> ProcessResult {
    ProcessResult(ending: ending, output: received, errors: text(receivedErrors))
  }

  private func reap() {
    guard waitStatus == nil else { return }
    var status: Int32 = 0
    if unsafe waitpid(pid, &status, WNOHANG) == pid { waitStatus = status }
  }
}

// MARK: - Moving bytes

extension ChildProcess {
  /// One wait, and whatever can be moved after it.
  private func turn(atMost milliseconds: Int32) {
    reap()
    let outFD = output?.rawValue ?? -1
    let errorFD = errorOutput?.rawValue ?? -1
    let isTerminal = outFD >= 0 && input == nil && pendingOffset < pending.count
    let inFD = input?.rawValue ?? (isTerminal ? outFD : -1)
    let hasInput = pendingOffset < pending.count || (input != nil && !staysOpen)
    var waits = [
      pollfd(fd: hasInput ? inFD : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: outFD, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorFD, events: Int16(POLLIN), revents: 0),
    ]
    // With all pipes closed only the exit is waited for, which nothing announces.
    let onlyExit = outFD < 0 && errorFD < 0
    unsafe _ = poll(&waits, 3, onlyExit ? 1 : milliseconds)
    if waits[0].revents != 0 { feed(inFD) }
    if waits[1].revents != 0, !read(outFD, into: &received) { output = nil }
    if waits[2].revents != 0, !read(errorFD, into: &receivedErrors) { errorOutput = nil }
    reap()
  }

  private func feed(_ descriptor: Int32) {
    if pendingOffset < pending.count {
      let count = unsafe pending.withUnsafeBytes { bytes in
        let end = min(bytes.count, pendingOffset + (1 << 16))
        let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[pendingOffset..<end])
        return unsafe Glibc.write(descriptor, piece.baseAddress, piece.count)
      }
      if count > 0 { pendingOffset += count }
      // The child reads no more.
      if count < 0, errno != EAGAIN, errno != EINTR {
        pendingOffset = pending.count
        staysOpen = false
      }
    }
    if pendingOffset == pending.count {
      pending = []
      pendingOffset = 0
      if !staysOpen { input = nil }
    }
  }

  /// Reads once; false at the end (which a terminal reports as an error).
  private func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
    let count = unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(buffer)[..<count]) }
      return count
    }
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN))
  }
}

extension SpawnOptions {
  var isTerminal: Bool { if case .terminal = outputs { true } else { false } }
}

/// Runs a program to its end.
package func run(
  _ executable: String, _ arguments: [String] = [], input: [UInt8]? = nil,
  outputs: SpawnOptions.Outputs = .captured, environment: [String: String], timeout: Double = 20
) throws -> ProcessResult {
  let options = SpawnOptions(input: input.map { .bytes($0) } ?? .nothing, outputs: outputs)
  return try ChildProcess(executable, arguments, environment: environment, options: options)
    .finish(within: timeout)
}
