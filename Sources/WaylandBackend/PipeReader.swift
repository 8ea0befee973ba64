internal import EventLoop
internal import Pasteboard
internal import SelectionCore
internal import SystemIO

/// Reads what a source writes into a pipe, without ever waiting for it.
final class PipeReader {
  typealias Completion = (Result<Payload, ReadFailure>) -> Void

  struct Terms {
    let deadline: ProgressDeadline
    let limit: Int
    /// How long after its last bytes a source that has written all of them may take to close the pipe.
    let closingTime: Duration
    /// Finds out whether the source still owns the selection, and calls back; with all the more care where
    /// what has come looks cut.
    let verify: (_ isCut: Bool, @escaping (Bool) -> Void) -> Void
  }

  private var machine = IncomingStream()
  private let readEnd: OwnedFD
  private let terms: Terms
  private let loop: any EventLoop
  private let completion: Completion
  private var content: StreamContent
  private var watchToken: LoopToken?
  private var deadlineTimer: LoopToken?
  /// Bytes read since the pipe was last found empty.
  private var run = 0
  private var lastBytes: MonotonicTime

  /// How much is read before the loop looks at its other sources.
  private static let bytesPerTurn = 4 << 20

  /// - Parameter readEnd: Of a pipe of ours; made non-blocking, which is this end alone.
  init(
    _ readEnd: consuming OwnedFD, _ content: StreamContent, _ terms: Terms, on loop: any EventLoop,
    _ completion: @escaping Completion
  ) throws(Errno) {
    self.readEnd = readEnd
    self.content = content
    self.terms = terms
    self.loop = loop
    self.completion = completion
    lastBytes = .now
    try self.readEnd.setNonBlocking()
    watchToken = try loop.watch(self.readEnd.rawValue, for: .readable) { [weak self] _ in
      self?.read()
    }
    armDeadline()
  }

  func connectionLost() { feed(.connectionLost) }

  private func read() {
    var left = Self.bytesPerTurn
    while left > 0, machine.state == .reading {
      do throws(Errno) {
        switch try content.read(from: readEnd) {
        case .wouldBlock:
          run = 0
          return
        case .done(0): return feed(end)
        case .done(let count):
          left -= count
          run += count
          if content.count > terms.limit || content.isUnwanted { return feed(.limitExceeded) }
          // Small contents fit, and never need it.
          if content.count == StreamContent.headSize { Pipe.enlarge(readEnd.rawValue) }
          feed(.bytes(count: count))
        }
      } catch {
        return feed(.failed)
      }
    }
  }

  /// What is known of the source behind its last byte.
  private var end: IncomingStream.Event {
    let isLate = .now - lastBytes > terms.closingTime
    // Of the first page a part may have been read before.
    let pipeWasFull = run >= IncomingStream.pipeSize - IncomingStream.page
    return .end(pipeWasFull: pipeWasFull, isLate: isLate)
  }

  private func armDeadline() {
    let due = MonotonicTime(nanoseconds: terms.deadline.lastProgress) + terms.deadline.interval
    deadlineTimer = loop.schedule(after: max(due - .now, .zero)) { [weak self] in
      guard let self else { return }
      // Another part of the operation may have moved since.
      let due = MonotonicTime(nanoseconds: terms.deadline.lastProgress) + terms.deadline.interval
      if loop.now < due { return armDeadline() }
      feed(.deadline)
    }
  }

  private func feed(_ event: IncomingStream.Event) {
    for action in machine.handle(event) {
      switch action {
      case .restartDeadline:
        lastBytes = .now
        terms.deadline.noteProgress(at: lastBytes.nanoseconds)
      case .verify:
        watchToken = nil
        terms.verify(content.count > 0) { [weak self] isSameOwner in
          self?.feed(.verified(isSameOwner: isSameOwner))
        }
      case .finish(let outcome): finish(outcome)
      }
    }
  }

  private func finish(_ outcome: IncomingStream.Outcome) {
    watchToken = nil
    deadlineTimer = nil
    let result: Result<Payload, ReadFailure> =
      switch outcome {
      case .received: .success(content.take())
      case .ownerGone: .failure(.ownerGone)
      case .malformed: .failure(.malformed)
      case .timedOut: .failure(.timedOut)
      case .tooLarge: .failure(.tooLarge)
      case .connectionLost: .failure(.connectionLost)
      }
    completion(result)
  }
}
