internal import EventLoop
internal import Pasteboard
internal import SelectionCore
internal import SystemIO

/// Writes content to whoever asked for it, as fast as that one reads and without ever waiting.
///
/// The bytes go from where they lie: content in a file is sent from the file.
final class PipeWriter {
  private var machine = OutgoingStream()
  private var pipe: OwnedFD?
  private let loop: any EventLoop
  private let patience: Duration
  private let onEnd: (PipeWriter, OutgoingStream.Outcome) -> Void
  private var content = Payload([])
  private var chunks: [ByteChunk] = []
  private var watchToken: LoopToken?
  private var deadlineTimer: LoopToken?
  /// When the reader last took something, or asked.
  private(set) var lastProgress: MonotonicTime
  /// The interest in the content while it is made.
  private var making: LoopToken?

  /// How much is written before the loop looks at its other sources.
  private static let bytesPerTurn = 4 << 20
  /// As much as a pipe holds at first.
  private static let pipeSize = 1 << 16

  /// - Parameters:
  ///   - pipe: What the reader sent us: ours, and nobody else writes to it.
  ///   - patience: How long the reader may take nothing.
  ///   - onEnd: Called once.
  init(
    to pipe: consuming OwnedFD, on loop: any EventLoop, patience: Duration,
    onEnd: @escaping (PipeWriter, OutgoingStream.Outcome) -> Void
  ) {
    self.pipe = consume pipe
    self.loop = loop
    self.patience = patience
    self.onEnd = onEnd
    lastProgress = loop.now
  }

  /// Ends the transfer as if its reader had run out of time.
  func giveUp() { feed(.deadline) }

  /// Starts with content, or ends for want of it.
  ///
  /// What is not there yet is made while others are served. Captured here: what is offered may change
  /// while the reader takes its time.
  func start(_ source: ContentSource, _ worker: Worker) {
    switch source.state {
    case .there(let payload): begin(payload)
    case .refused: feed(.contentFailed)
    case .toBeMade:
      watchReader()
      restartDeadline()
      making = worker.run({ try source.payload() }) { [weak self] result in
        self?.begin(try? result.get())
      }
      if making == nil { feed(.contentFailed) }
    }
  }

  private func begin(_ payload: Payload?) {
    making = nil
    watchToken = nil
    guard let payload, let descriptor = pipe?.rawValue,
      (try? pipe?.setNonBlocking()) != nil
    else { return feed(.contentFailed) }
    content = payload
    chunks = payload.chunks
    if payload.count > Self.pipeSize { Pipe.enlarge(descriptor) }
    feed(.contentReady(count: payload.count))
  }

  /// A reader that goes need not be made anything for.
  private func watchReader() {
    guard let descriptor = pipe?.rawValue else { return }
    watchToken = try? loop.watch(descriptor, for: []) { [weak self] _ in self?.feed(.readerGone) }
  }

  // MARK: The machine

  private func feed(_ event: OutgoingStream.Event) {
    var events = [event]
    while !events.isEmpty {
      for action in machine.handle(events.removeFirst()) {
        switch action {
        case .write(let offset): events += write(from: offset)
        case .awaitRoom:
          if let failure = awaitRoom() { events.append(failure) }
        case .restartDeadline: restartDeadline()
        case .finish(let outcome): finish(outcome)
        }
      }
    }
  }

  private func restartDeadline() {
    lastProgress = loop.now
    deadlineTimer = loop.schedule(after: patience) { [weak self] in self?.feed(.deadline) }
  }

  private func finish(_ outcome: OutgoingStream.Outcome) {
    // Before the descriptor: a watch must not outlive it.
    watchToken = nil
    deadlineTimer = nil
    making = nil
    pipe = nil
    content = Payload([])
    chunks = []
    onEnd(self, outcome)
  }

  private func awaitRoom() -> OutgoingStream.Event? {
    guard watchToken == nil, let descriptor = pipe?.rawValue else { return nil }
    do throws(Errno) {
      watchToken = try loop.watch(descriptor, for: .writable) { [weak self] happened in
        // A pipe that nobody reads is broken, whether there is room in it or not.
        self?.feed(happened.contains(.hangUp) ? .readerGone : .writable)
      }
      return nil
    } catch {
      // A file, which cannot be waited for and never has to be: in the next turn it goes on.
      loop.defer { [weak self] in self?.feed(.writable) }
      return nil
    }
  }

  // MARK: Writing

  private func write(from start: Int) -> [OutgoingStream.Event] {
    var written = 0
    while written < Self.bytesPerTurn, start + written < content.count {
      do throws(Errno) {
        switch try writeOnce(from: start + written) {
        case .wouldBlock, .done(0): return events(written) + [.pipeFull]
        case .done(let count): written += count
        }
      } catch {
        return [.readerGone]
      }
    }
    let isDone = start + written == content.count
    // More than a turn's work is left: the watch calls again at once, since there is room.
    return events(written) + (isDone ? [] : [.pipeFull])
  }

  private func events(_ written: Int) -> [OutgoingStream.Event] {
    written > 0 ? [.wrote(count: written)] : []
  }

  private func writeOnce(from offset: Int) throws(Errno) -> IOResult<Int> {
    guard let descriptor = pipe?.rawValue else { return .done(0) }
    // A list of a few, nearly always of one.
    var start = 0
    for chunk in chunks {
      let end = start + chunk.count
      defer { start = end }
      guard offset < end else { continue }
      let skipped = offset - start
      if let place = chunk.filePlace {
        do throws(Errno) {
          return try sendFile(
            place.descriptor, from: place.offset + skipped, count: chunk.count - skipped,
            to: descriptor)
        } catch .invalidArgument {
          // Whatever the reader has sent us takes bytes only.
        }
      }
      return try unsafe chunk.withUnsafeBytes { bytes throws(Errno) in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[skipped...].prefix(1 << 20))
        return try unsafe writeAvailable(rest, to: descriptor)
      }
    }
    return .done(0)
  }
}
