internal import ControlProtocol
package import EventLoop
package import Pasteboard
package import SelectionCore
package import SystemIO

/// The pasteboards that `clipd` keeps, as a display has selections.
///
/// Each call is a question that is waited for: `clipd` answers from memory, or has a deadline itself.
package final class DaemonBackend: SelectionBackend {
  private let connection: ControlConnection
  private let loop: any EventLoop
  private let path: FilePath
  /// The display whose selections are meant; nil for pasteboards of `clipd`'s own.
  private let display: String?
  package private(set) var isLost = false
  /// Why it is lost, where that is not just the end of `clipd`.
  package private(set) var failure: ControlConnectionFailure?
  private var counts: [PasteboardName: UInt64] = [:]

  /// How long `clipd` may take over something that it has in memory.
  private static let patience = Duration.seconds(10)

  /// - Parameter display: The display, as ``DisplayName`` has it.
  package init(
    display: String?, loop: any EventLoop, path: FilePath? = ControlSocket.path
  ) throws(ControlConnectionFailure) {
    connection = try ControlConnection(path: path)
    self.loop = loop
    self.display = display
    self.path = path ?? ""
  }

  package var kind: BackendKind { .daemon }
  package var clock: Int64 { MonotonicTime.now.nanoseconds }
  package var displayName: String { path.description }
  package var displayFacts: DisplayFacts {
    DisplayFacts(server: "clipd", reportsOwnerChanges: true)
  }
  package var descriptor: Int32 { connection.descriptor }

  /// Everything was done before it was answered.
  package func synchronize() {}

  /// Has `clipd` make a round trip to the display and learns the change count behind it.
  package func synchronize(
    _ selection: PasteboardName, timeout: Duration
  ) throws(ControlConnectionFailure) {
    let answer = try ask(.synchronize(place(selection)), within: timeout).get()
    guard case .done(let count) = answer.reply else { throw .brokenOff }
    counts[selection] = count
  }

  /// Tells `clipd` where the key to the display is.
  package func introduce(authority path: String, timeout: Duration) throws(ControlConnectionFailure)
  {
    let request = ControlRequest.introduce(display: display ?? "", authority: path)
    let answer = try ask(request, within: timeout).get()
    guard case .done = answer.reply else { throw .notManaged }
  }

  private func place(_ selection: PasteboardName) -> ControlPlace {
    ControlPlace(display: display, name: selection.description)
  }

  private func ask(
    _ request: ControlRequest, attaching file: SealedFile? = nil, within time: Duration = patience
  ) -> Result<ControlAnswer, ControlConnectionFailure> {
    if isLost { return .failure(failure ?? .brokenOff) }
    do throws(ControlConnectionFailure) {
      let answer = try connection.call(request, attaching: file, timeout: time)
      if answer.reply == .failure(.notManaged) { throw .notManaged }
      return .success(answer)
    } catch {
      // An answer that comes later would be taken for that of another question.
      isLost = true
      failure = error
      return .failure(error)
    }
  }

  /// How long `clipd` refuses the content that it serves there; nil where it does not, or where another
  /// program serves it.
  package func guardTime(of selection: PasteboardName) -> Duration? {
    let request = ControlRequest.guarding(.ask, name: selection.description)
    guard case .success(let answer) = ask(request, within: .seconds(1)),
      case .guarding(let state) = answer.reply, state.milliseconds > 0,
      !state.unguarded.contains(place(selection))
    else { return nil }
    return .milliseconds(state.milliseconds)
  }

  /// Whether `clipd` knows that what is there is secret, also where nothing says so.
  package func isSecret(_ selection: PasteboardName) -> Bool {
    guard case .success(let answer) = ask(.status, within: .seconds(1)),
      case .status(let status) = answer.reply
    else { return false }
    return status.pasteboards.contains { $0.place == place(selection) && $0.isSensitive }
  }

  // MARK: What is there

  /// How often the pasteboard has changed, as far as was learnt.
  package func changeCount(of selection: PasteboardName) -> Int? {
    counts[selection].flatMap { Int(exactly: $0) }
  }

  /// Whatever its name: it begins to be when something is written to it.
  package func supports(_ selection: PasteboardName) -> Bool { true }

  package func hasOwner(_ selection: PasteboardName) -> Bool {
    if case .success = targets(of: selection, within: Self.patience) { true } else { false }
  }

  /// There are no windows: an ownership is told from another by its change count.
  package func ownerFacts(of selection: PasteboardName) -> SelectionOwnerFacts? {
    guard case .success(let listing) = targets(of: selection, within: Self.patience) else {
      return nil
    }
    return SelectionOwnerFacts(name: "clipd", window: UInt32(truncatingIfNeeded: listing.count))
  }

  private func targets(
    of selection: PasteboardName, within time: Duration
  ) -> Result<(count: UInt64, names: [String]), ReadFailure> {
    switch ask(.list(place(selection)), within: time) {
    case .failure(let failure): return .failure(Self.readFailure(failure))
    case .success(let answer):
      switch answer.reply {
      case .listing(let count, let names):
        counts[selection] = count
        return .success((count, names))
      case .failure(let failure): return .failure(Self.readFailure(failure))
      default: return .failure(.malformed)
      }
    }
  }

  package func listTargets(
    of selection: PasteboardName, in ownership: ReadOwnership, deadline: ProgressDeadline,
    share: Double, _ completion: @escaping (Result<[String], ReadFailure>) -> Void
  ) {
    let result = targets(of: selection, within: deadline.interval * share)
    completion(
      result.flatMap { listing in
        bind(ownership, to: listing.count) ? .success(listing.names) : .failure(.ownerGone)
      })
  }

  /// Whether what the operation reads belongs to this change; the first sight of one settles it.
  private func bind(_ ownership: ReadOwnership, to count: UInt64) -> Bool {
    let number = UInt32(truncatingIfNeeded: count)
    guard let owner = ownership.owner else {
      ownership.bind(to: number, at: .current, isFresh: true)
      return true
    }
    return owner == number
  }

  package func read(
    _ target: String, of selection: PasteboardName, in ownership: ReadOwnership,
    deadline: ProgressDeadline, limit: Int, into sink: (any ContentSink)?,
    _ completion: @escaping (Result<ReceivedRepresentation, ReadFailure>) -> Void
  ) {
    if ownership.owner == nil {
      switch targets(of: selection, within: deadline.interval) {
      case .failure(let failure): return completion(.failure(failure))
      case .success(let listing): _ = bind(ownership, to: listing.count)
      }
    }
    guard let count = counts[selection], bind(ownership, to: count) else {
      return completion(.failure(.ownerGone))
    }
    let request = ControlRequest.read(place(selection), changeCount: count, target: target)
    completion(
      ask(request, within: deadline.interval).mapError { Self.readFailure($0) }
        .flatMap { Self.representation(of: target, from: $0, limit: limit) })
  }

  private static func representation(
    of target: String, from answer: ControlAnswer, limit: Int
  ) -> Result<ReceivedRepresentation, ReadFailure> {
    switch answer.reply {
    case .content(let content):
      guard let range = content.range.range(within: answer.attachment?.count ?? 0) else {
        return .failure(.malformed)
      }
      guard range.count <= limit else { return .failure(.tooLarge) }
      let payload = answer.attachment.map { Payload(range, of: $0) } ?? Payload([])
      return .success(
        ReceivedRepresentation(
          target: target, typeName: content.typeName, format: Int(content.format),
          payload: payload))
    case .failure(let failure): return .failure(readFailure(failure))
    default: return .failure(.malformed)
    }
  }

  // MARK: Writing

  package func publish(
    _ offer: Offer, to selection: PasteboardName, onEnd: @escaping () -> Void
  ) -> Result<Void, OwnershipFailure> {
    let packed: PackedOffer
    do throws(Errno) {
      packed = try PackedOffer(offer)
    } catch {
      return .failure(.noMemory)
    }
    return settled(
      ask(.publish(place(selection), packed.description), attaching: packed.contents), selection)
  }

  package func clear(_ selection: PasteboardName) -> Result<Void, OwnershipFailure> {
    settled(ask(.clear(place(selection))), selection)
  }

  private func settled(
    _ result: Result<ControlAnswer, ControlConnectionFailure>, _ selection: PasteboardName
  ) -> Result<Void, OwnershipFailure> {
    switch result {
    case .failure(.system(.tooLarge)): return .failure(.tooLarge)
    case .failure(.notManaged): return .failure(.notManaged)
    case .failure: return .failure(.connectionLost)
    case .success(let answer):
      switch answer.reply {
      case .done(let count):
        counts[selection] = count
        return .success(())
      case .failure(.contested): return .failure(.contested)
      case .failure(.tooLarge), .failure(.busy): return .failure(.tooLarge)
      default: return .failure(.connectionLost)
      }
    }
  }

  // MARK: Watching

  package func watch(
    _ selection: PasteboardName, _ handler: @escaping (SelectionChange) -> Void
  ) -> Result<SelectionWatchToken, WatchFailure> {
    do throws(ControlConnectionFailure) {
      let watch = try ChangeWatch(path: path, place: place(selection), loop: loop) {
        [weak self] event in
        switch event {
        case .change(let count, let change):
          self?.counts[selection] = count
          handler(change)
        case .lost: self?.isLost = true
        }
      }
      return .success(SelectionWatchToken { watch.end() })
    } catch {
      isLost = true
      failure = error
      return .failure(.connectionLost)
    }
  }

  // MARK: Failures

  private static func readFailure(_ failure: ControlConnectionFailure) -> ReadFailure {
    switch failure {
    case .timedOut: .timedOut
    case .notRunning, .notManaged, .foreign, .otherVersion, .brokenOff, .system: .connectionLost
    }
  }

  private static func readFailure(_ failure: ControlFailure) -> ReadFailure {
    switch failure {
    case .empty: .noOwner
    case .refused, .guarded: .refused
    case .changed: .ownerGone
    case .timedOut: .timedOut
    case .tooLarge: .tooLarge
    case .connectionLost, .notManaged, .contested, .version: .connectionLost
    case .malformed, .busy: .malformed
    }
  }
}

/// The changes of one pasteboard, over a connection of their own: what is asked meanwhile has the
/// other one to itself.
private final class ChangeWatch {
  enum Event {
    case change(UInt64, SelectionChange)
    case lost
  }

  private let connection: ControlConnection
  private let onEvent: (Event) -> Void
  private var token: LoopToken?

  init(
    path: FilePath, place: ControlPlace, loop: any EventLoop,
    _ onEvent: @escaping (Event) -> Void
  ) throws(ControlConnectionFailure) {
    connection = try ControlConnection(path: path)
    self.onEvent = onEvent
    // Answered when it has begun: what changes after that is told.
    let answer = try connection.call(.watch(place), timeout: .seconds(10))
    guard case .done = answer.reply else { throw .brokenOff }
    do throws(Errno) {
      token = try loop.watch(connection.descriptor, for: .readable) { [weak self] _ in
        self?.read()
      }
    } catch {
      throw .system(error)
    }
  }

  func end() { token = nil }

  private func read() {
    do throws(ControlConnectionFailure) {
      try connection.take()
      while let (_, answer) = try connection.nextAnswer() {
        guard case .changed(let count, let change) = answer.reply else { continue }
        switch change {
        case .written: onEvent(.change(count, .taken(by: nil)))
        case .cleared: onEvent(.change(count, .cleared))
        case .ended: onEvent(.change(count, .ownerEnded))
        }
      }
    } catch {
      end()
      onEvent(.lost)
    }
  }
}
