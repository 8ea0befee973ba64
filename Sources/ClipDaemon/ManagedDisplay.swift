import ClipboardCore
import ControlProtocol
import DaemonBackend
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO

/// One display that the service manages: it knows how often each selection has changed, publishes what
/// programs hand over, and comes back when the display does.
///
/// Programs read content from its owner themselves, by the display's own protocol: what is read is the
/// same, a process less stands between, and a large or slow read is nobody's business but theirs.
final class ManagedDisplay {
  let name: String
  private var choice: DisplayChoice
  let loop: EpollEventLoop
  let worker: Worker
  let log: Log
  private let onChange: (PasteboardName, UInt64, ControlChange) -> Void
  let guardian: PasteGuard
  private(set) var backend: (any DisplayBackend)?
  var selections: [PasteboardName: Selection] = [:]
  private var retry: LoopToken?
  private var lossCheck: LoopToken?
  /// The selection that is being cleared at this moment.
  private var clearing: PasteboardName?
  private var failures = 0
  /// What is kept of other programs' content: for each of the selections where something is.
  var keeping: [PasteboardName: KeepingRules]
  /// Programs ask the one who is this to save what they have, before they end.
  var clipboardManager: ClipboardManagerToken?
  let copies: RuntimeCopies
  let secrets: SecretMemory
  /// The waits of those who are answered in the next turn, in their order.
  let settling = TokenQueue()

  struct Selection {
    var changeCount: UInt64 = 0
    /// When it was taken by whoever has it, by the display's clock, where that is known.
    var changeTime: ServerTime?
    var watch: SelectionWatchToken?
    /// Keeps what other programs have there; nil where that is not wanted.
    var keeper: SelectionKeeper?
    /// What the owner called itself when the keeper was replaced.
    var ownerNames: Set<String> = []
    /// What of ours was put there last, as long as anybody is served; it may have been replaced.
    var published: PublishedContent?
    /// What was there when the display went, for when it is back, and since when it was.
    var lost: PublishedContent?
    var lostTime: ServerTime?
    /// What is waited for before what was there is published anew.
    var revival: AnyObject?
    /// Whether the service was the last to take it, as far as was told.
    var isOurs = false
    /// What a service that is started again finds of it.
    var copy: SelectionCopy?
  }

  static let managed: [PasteboardName] = [.clipboard, .primary, .secondary]

  /// The waits before a display that is gone is looked for again, in seconds; the last one goes on.
  private static let waits: [Int] = [1, 1, 2, 4, 8, 15, 30]

  init(
    name: String, _ choice: DisplayChoice, loop: EpollEventLoop, worker: Worker, log: Log,
    keeping: [PasteboardName: KeepingRules], guardian: PasteGuard, copies: RuntimeCopies,
    secrets: SecretMemory,
    onChange: @escaping (PasteboardName, UInt64, ControlChange) -> Void
  ) {
    self.name = name
    self.choice = choice
    self.loop = loop
    self.worker = worker
    self.log = log
    self.keeping = keeping
    self.guardian = guardian
    self.copies = copies
    self.secrets = secrets
    self.onChange = onChange
    // Looked at in each turn: that a display is lost shows in whatever is done with it.
    lossCheck = loop.addSource { [weak self] in self?.noticeLoss() ?? false }
    connect()
  }

  var isConnected: Bool { backend != nil }

  func place(of selection: PasteboardName) -> ControlPlace {
    ControlPlace(display: name, name: selection.description)
  }

  /// What of ours is on a selection.
  func present(on selection: PasteboardName) -> PublishedContent? {
    backend?.isServing(selection) == true ? selections[selection]?.published : nil
  }

  // MARK: The connection

  private func connect() {
    retry = nil
    do throws(SessionFailure) {
      let backend = try ClipboardSession.backend(for: choice, on: loop, worker: worker)
      for selection in Self.managed where backend.supports(selection) {
        let watch = backend.watch(selection) { [weak self] in self?.changed(selection, $0) }
        guard case .success(let token) = watch else { continue }
        selections[selection, default: Selection()].watch = token
      }
      self.backend = backend
      backend.supervisor = supervisor
      beginKeeping(on: backend)
      failures = 0
      log.write(.notice, "display-connected", ["display": name])
      restore(on: backend)
      for selection in Self.managed { restoreCopy(of: selection, on: backend) }
    } catch {
      if failures == 0 { log.write(.fault, "display-missing", ["display": name, "reason": error]) }
      wait()
    }
  }

  /// Tries again at once, where the display is not there for us, with a file that may have the key to it.
  func connect(with authority: String) {
    guard backend == nil, choice.backend == .x11, choice.authority != authority else { return }
    choice.authority = authority
    connect()
  }

  private func noticeLoss() -> Bool {
    guard let backend, backend.isLost else { return false }
    self.backend = nil
    clipboardManager = nil
    for selection in selections.keys {
      noteLost(selection)
      selections[selection]?.watch = nil
      selections[selection]?.keeper = nil
      selections[selection]?.revival = nil
      // Whoever was served there is gone with it.
      selections[selection]?.published = nil
      selections[selection]?.isOurs = false
      selections[selection]?.changeTime = nil
    }
    log.write(.fault, "display-lost", ["display": name])
    wait()
    return true
  }

  private func wait() {
    let seconds = Self.waits[min(failures, Self.waits.count - 1)]
    failures += 1
    retry = loop.schedule(after: .seconds(seconds)) { [weak self] in self?.connect() }
  }

  // MARK: Changes

  private func changed(_ selection: PasteboardName, _ change: SelectionChange) {
    let count = (selections[selection]?.changeCount ?? 0) + 1
    selections[selection, default: Selection()].changeCount = count
    selections[selection]?.changeTime = backend?.changeTime(of: selection)
    let isOurs = backend?.isOurs(change, of: selection) ?? false
    // Wayland tells no clear from a death: that it was meant is known of our own alone.
    let change = change == .ownerEnded && selection == clearing ? .cleared : change
    if case .taken = change { selections[selection]?.revival = nil }
    selections[selection]?.ownerNames = []
    selections[selection]?.isOurs = isOurs
    if isOurs {
      selections[selection]?.copy?.settle()
      if let state = selections[selection], state.published?.isWrittenDown == true {
        state.copy?.note(state.changeTime)
      }
    } else if change != .ownerEnded {
      selections[selection]?.copy?.forget()
    } else {
      dropOlderCopy(of: selection)
    }
    selections[selection]?.keeper?.changed(change, isOurs: isOurs)
    if change == .ownerEnded { ownerEnded(selection) }
    switch change {
    case .taken: onChange(selection, count, .written)
    case .cleared: onChange(selection, count, .cleared)
    case .ownerEnded: onChange(selection, count, .ended)
    }
  }

  // MARK: Publishing

  func publish(
    _ description: OfferDescription, contents: SealedFile?, to selection: PasteboardName,
    _ completion: @escaping (Result<UInt64, ControlFailure>) -> Void
  ) {
    guard let backend, backend.supports(selection) else { return completion(.failure(.notManaged)) }
    let settled: (Result<UInt64, ControlFailure>) -> Void = { [weak self] result in
      guard let self else { return completion(result) }
      self.copies.settle(self.place(of: selection)) { completion(result) }
    }
    if let present = present(on: selection), present.isJust(description, contents) {
      return synchronize(selection, settled)
    }
    guard var offer = Offer(description, contents: contents, table: .standard, in: .current),
      !offer.targets.isEmpty
    else { return completion(.failure(.malformed)) }
    secrets.mark(&offer)
    switch serve(offer, byteCount: contents?.count ?? 0, on: selection, backend) {
    case .success:
      selections[selection]?.published?.note(description, contents)
      // Whoever copies is told that it is done when it is safe.
      synchronize(selection) { [weak self, offer] result in
        self?.keepCopy(of: description, contents, offer, on: selection)
        settled(result)
      }
    case .failure(let failure): completion(.failure(ControlFailure(failure)))
    }
  }

  /// Takes the selection and serves what is offered.
  ///
  /// - Parameters:
  ///   - time: When that one had taken it who is gone and whose content it is, where that is known.
  ///   - isWrittenDown: Whether it is what a service that is started again will find.
  func serve(
    _ offer: Offer, byteCount: Int, on selection: PasteboardName, _ backend: any DisplayBackend,
    continuing time: ServerTime? = nil, isWrittenDown: Bool = false
  ) -> Result<Void, OwnershipFailure> {
    let published = PublishedContent(
      offer, byteCount: byteCount, isWrittenDown: isWrittenDown, loop: loop)
    let result = backend.publish(offer, to: selection, continuing: time) { [weak self] in
      self?.ended(selection, published)
    }
    guard case .success = result else { return result }
    selections[selection, default: Selection()].published = published
    return result
  }

  /// The same for what nobody waits for: the log tells that it was done, or that it was not and why.
  @discardableResult
  func serve(
    _ offer: Offer, byteCount: Int, on selection: PasteboardName, _ backend: any DisplayBackend,
    continuing time: ServerTime?, loggedAs event: String
  ) -> Result<Void, OwnershipFailure> {
    let result = serve(
      offer, byteCount: byteCount, on: selection, backend, continuing: time, isWrittenDown: true)
    switch result {
    case .success:
      log.write(
        .notice, event,
        [
          "display": name, "selection": selection, "targets": offer.targets.count,
          "bytes": byteCount,
        ])
    case .failure(.contested) where time != nil:
      log.write(
        .notice, "not-\(event)", ["display": name, "selection": selection, "reason": "replaced"])
    case .failure(let failure):
      log.write(
        .fault, "not-\(event)", ["display": name, "selection": selection, "reason": failure])
    }
    return result
  }

  private func ended(_ selection: PasteboardName, _ published: PublishedContent) {
    // What a display took with it is looked at when the loss is noticed.
    guard selections[selection]?.published === published, backend?.isLost == false else { return }
    selections[selection]?.published = nil
    if published.byteCount > 1 << 20 { loop.defer { giveBackFreedMemory() } }
  }

  func clear(
    _ selection: PasteboardName, _ completion: @escaping (Result<UInt64, ControlFailure>) -> Void
  ) {
    guard let backend, backend.supports(selection) else { return completion(.failure(.notManaged)) }
    clearing = selection
    let result = backend.clear(selection)
    clearing = nil
    switch result {
    case .success:
      // Nothing of it is to come back: not what a dead owner had, nor what a living one wants saved.
      selections[selection]?.revival = nil
      selections[selection]?.keeper?.forget()
      selections[selection]?.copy?.forget()
      synchronize(selection, completion)
    case .failure(let failure): completion(.failure(ControlFailure(failure)))
    }
  }

  // MARK: State

  var status: [ControlStatus.Pasteboard] {
    guard let backend else { return [] }
    return Self.managed.filter { backend.supports($0) }.map { name in
      let selection = selections[name] ?? Selection()
      let published = present(on: name)
      let holder: ControlStatus.Holder =
        published != nil ? .service : backend.hasOwner(name) ? .otherProgram : .nobody
      return ControlStatus.Pasteboard(
        place: place(of: name),
        changeCount: selection.changeCount, holder: holder,
        targetCount: (published?.offer ?? selection.keeper?.held?.offer)?.targets.count ?? 0,
        byteCount: published?.byteCount ?? selection.keeper?.byteCount ?? 0,
        isSensitive: published?.isSensitive ?? selection.keeper?.isSecret ?? false,
        leftOut: ControlStatus.Pasteboard.listing(selection.keeper?.leftOut ?? []))
    }
  }
}

extension ControlFailure {
  fileprivate init(_ failure: OwnershipFailure) {
    switch failure {
    case .contested: self = .contested
    case .connectionLost: self = .connectionLost
    // A display that lets only the focused window have the selection cannot be managed either.
    case .unsupported, .unfocused, .notManaged: self = .notManaged
    case .tooLarge: self = .tooLarge
    case .noMemory: self = .busy
    }
  }
}
