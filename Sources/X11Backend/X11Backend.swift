package import EventLoop
package import Pasteboard
package import SelectionCore
package import SystemIO

/// The selections of one X display.
package final class X11Backend: DisplayBackend {
  let connection: X11Connection
  let loop: any EventLoop
  private let worker: Worker
  private let requestor: X11Requestor
  private var publications: [X11Publication] = []
  private var ownerWatches: [AtomID: [OwnerWatch]] = [:]
  /// When the selections that are watched were changed, by the last event of each.
  private var changeTimes: [AtomID: ServerTime] = [:]
  private var watchToken: LoopToken?
  private var sourceToken: LoopToken?
  private var hasToldLoss = false
  private var hasPublished = false
  private var isWindowGone = false
  /// Who wants to know that a window is taken off the screen.
  let windowWatches = X11WindowWatches()
  let outgoing: X11OutgoingState

  /// The size of a list of targets beyond which it is no honest one: 65,536 names.
  static let maximumListSize = 1 << 18

  /// How many events are handled before the loop looks at its other sources.
  private static let eventsPerTurn = 64

  /// Connects to the display of that name, or to the one that `DISPLAY` names.
  ///
  /// - Parameters:
  ///   - authority: A file with keys to displays of this machine, tried before those of the environment.
  ///   - worker: Makes what readers ask for and is not there yet; nil for one of the back-end's own.
  ///   - patience: How long a reader may take nothing before its transfer is dropped; four times as long it
  ///     may wait for what is made.
  package init(
    displayName: String?, authority: FilePath? = nil, loop: any EventLoop, worker: Worker? = nil,
    patience: Duration = .seconds(15)
  ) throws(X11OpenFailure) {
    connection = try X11Connection(displayName: displayName, authority: authority)
    self.loop = loop
    self.worker = worker ?? Worker(on: loop)
    outgoing = X11OutgoingState(
      patience: patience, maximumRequestSize: connection.maximumRequestSize)
    requestor = X11Requestor(connection: connection, loop: loop)
    do {
      watchToken = try loop.watch(connection.descriptor, for: .readable) { _ in }
    } catch {
      throw .cannotOpen(displayName ?? "")
    }
    // Whatever woke the loop, Xlib may have read events meanwhile: its queue is what is looked at.
    sourceToken = loop.addSource { [unowned self] in handleEvents() }
  }

  package var supervisor: ServingSupervisor?

  package var kind: BackendKind { .x11 }
  package var isLost: Bool { connection.isLost }
  package var clock: Int64 { MonotonicTime.now.nanoseconds }
  package var displayName: String { connection.displayName }
  package var displayFacts: DisplayFacts { connection.displayFacts }
  /// The descriptor that a detached process must keep.
  package var descriptor: Int32 { connection.descriptor }

  package func synchronize() { connection.synchronize() }

  package func supports(_ selection: PasteboardName) -> Bool { true }

  // MARK: Events

  /// Handles what has arrived; true when anything had.
  private func handleEvents() -> Bool {
    var hadErrors = false
    var handled = 0
    while handled < Self.eventsPerTurn, let event = connection.nextEvent() {
      handled += 1
      // In the order of the wire: an error answers a request that was sent before this event.
      if handleErrors() { hadErrors = true }
      dispatch(event)
    }
    let hasMore = connection.flush()
    // Flushing reads, errors too: one that ends a transfer must not wait for the next event, and what
    // it ended may be what somebody waits for.
    if handleErrors() { hadErrors = true }
    return connection.isLost ? tellLoss() : handled > 0 || hadErrors || hasMore
  }

  /// Hands errors to the transfers that they are about; whether there were any.
  private func handleErrors() -> Bool {
    var hadErrors = false
    while let error = connection.takeError() {
      hadErrors = true
      for publication in publications { publication.handle(error) }
      requestor.handle(error)
    }
    return hadErrors
  }

  private func dispatch(_ event: X11Event) {
    switch event {
    case .selectionRequest(let request):
      // The newest publication is the one that owns; older ones only end their transfers.
      if let publication = publications.last(where: { $0.selection == request.selection }) {
        publication.handle(event)
      } else {
        connection.answer(request, property: .none)
      }
    case .selectionClear(let selection, _):
      let owner = connection.owner(of: selection)
      for publication in publications
      where publication.selection == selection && publication.window != owner {
        publication.lose()
      }
    case .ownerChanged(let selection, let owner, let time, let cause, _):
      // Some servers tell a client whose connection they close of its own end, if it is read in time: it
      // is the loss of the connection, and no change of its own.
      let isOurEnd =
        cause == .ownerDisconnected
        && publications.contains { $0.selection == selection && $0.isOwned }
      guard !isOurEnd else { return }
      requestor.handle(event)
      changeTimes[selection] = time == .current ? nil : time
      // The handlers may let go of their tokens, and of those of others.
      for watch in ownerWatches[selection] ?? [] where !watch.isEnded {
        watch.handler(SelectionChange(owner: owner, cause: cause))
      }
    case .windowDestroyed(connection.window):
      // Somebody destroyed our window: the server has taken the selections from us without a word, and
      // nothing comes to us any more. What is under way to readers goes on without it.
      isWindowGone = true
      let served = publications.filter { $0.window == connection.window }
      if served.isEmpty { return connection.giveUp() }
      for publication in served { publication.lose() }
    case .windowUnmapped(let window):
      windowWatches.report(window)
    default:
      for publication in publications { publication.handle(event) }
      requestor.handle(event)
    }
  }

  private func tellLoss() -> Bool {
    guard !hasToldLoss else { return false }
    hasToldLoss = true
    watchToken?.cancel()
    requestor.connectionLost()
    for publication in publications { publication.connectionLost() }
    return true
  }

  // MARK: Watching

  private final class OwnerWatch {
    let handler: (SelectionChange) -> Void
    var isEnded = false
    init(_ handler: @escaping (SelectionChange) -> Void) { self.handler = handler }
  }

  package func watch(
    _ selection: PasteboardName, _ handler: @escaping (SelectionChange) -> Void
  ) -> Result<SelectionWatchToken, WatchFailure> {
    watch(atom(of: selection), handler)
  }

  func watch(
    _ atom: AtomID, _ handler: @escaping (SelectionChange) -> Void
  ) -> Result<SelectionWatchToken, WatchFailure> {
    guard connection.watchOwner(of: atom) else {
      return .failure(connection.isLost ? .connectionLost : .unsupported)
    }
    connection.flush()
    let watch = OwnerWatch(handler)
    ownerWatches[atom, default: []].append(watch)
    return .success(SelectionWatchToken { [weak self] in self?.end(watch, of: atom) })
  }

  private func end(_ watch: OwnerWatch, of selection: AtomID) {
    watch.isEnded = true
    ownerWatches[selection]?.removeAll { $0 === watch }
    guard ownerWatches[selection]?.isEmpty == true else { return }
    ownerWatches[selection] = nil
    changeTimes[selection] = nil
    guard !requestor.isWatching(selection) else { return }
    connection.unwatchOwner(of: selection)
    connection.flush()
  }

  // MARK: Reading

  func atom(of selection: PasteboardName) -> AtomID {
    switch selection {
    case .clipboard: connection.atoms.clipboard
    case .primary: WellKnownAtoms.primary
    case .secondary: WellKnownAtoms.secondary
    default: connection.atom(named: selection.description)
    }
  }

  package func wakeOwner(of selection: PasteboardName) {
    connection.wake(connection.owner(of: atom(of: selection)))
  }

  package func hasOwner(_ selection: PasteboardName) -> Bool {
    connection.owner(of: atom(of: selection)) != .none
  }

  package func changeTime(of selection: PasteboardName) -> ServerTime? {
    changeTimes[atom(of: selection)]
  }

  package func ownerFacts(of selection: PasteboardName) -> SelectionOwnerFacts? {
    let window = connection.owner(of: atom(of: selection))
    guard window != .none else { return nil }
    return SelectionOwnerFacts(
      name: ownerName(of: window, on: connection), window: window.rawValue)
  }

  package func ownerNames(of selection: PasteboardName) -> [String] {
    let window = connection.owner(of: atom(of: selection))
    return window == .none ? [] : allNames(ofOwner: window, on: connection)
  }

  package func listTargets(
    of selection: PasteboardName, in ownership: ReadOwnership, deadline: ProgressDeadline,
    share: Double, _ completion: @escaping (Result<[String], ReadFailure>) -> Void
  ) {
    let request = X11Conversion.Request(
      selection: atom(of: selection), target: connection.atoms.targets, ownership: ownership,
      deadline: deadline, share: share, limit: Self.maximumListSize)
    requestor.convert(request) { [connection] result in
      completion(result.flatMap { Self.targetNames($0, connection) })
    }
  }

  /// The names in an answer to TARGETS; atoms that the server does not have are passed over.
  private static func targetNames(
    _ answer: X11Conversion.Answer, _ connection: X11Connection
  ) -> Result<[String], ReadFailure> {
    // ICCCM 2.6.2 says type ATOM; some owners say TARGETS. The format is what makes it readable.
    let isList = answer.type == WellKnownAtoms.atom || answer.type == connection.atoms.targets
    guard isList, answer.format == 32 else { return .failure(.malformed) }
    let atoms = answer.payload.words.map { AtomID($0) }
    return .success(connection.names(of: atoms).compactMap { $0 })
  }

  package func read(
    _ target: String, of selection: PasteboardName, in ownership: ReadOwnership,
    deadline: ProgressDeadline, limit: Int, into sink: (any ContentSink)?,
    _ completion: @escaping (Result<ReceivedRepresentation, ReadFailure>) -> Void
  ) {
    var request = X11Conversion.Request(
      selection: atom(of: selection), target: connection.atom(named: target),
      ownership: ownership, deadline: deadline, limit: limit)
    request.sink = sink
    requestor.convert(request) { [connection] result in
      completion(result.map { connection.representation($0, of: target) })
    }
  }

  package func readTogether(
    _ targets: [String], of selection: PasteboardName, in ownership: ReadOwnership,
    deadline: ProgressDeadline, limit: Int,
    _ completion:
      @escaping (Result<[Result<ReceivedRepresentation, ReadFailure>], ReadFailure>) -> Void
  ) {
    let request = X11Conversion.Request(
      selection: atom(of: selection), target: connection.servingAtoms.multiple,
      ownership: ownership,
      deadline: deadline, limit: limit)
    requestor.convertTogether(connection.atoms(named: targets), request) { [connection] result in
      completion(
        result.map { answers in
          zip(targets, answers).map { target, answer in
            answer.map { connection.representation($0, of: target) }
          }
        })
    }
  }

  // MARK: Values that are atoms

  package func atomNames(in value: Payload) -> [String?]? {
    connection.names(of: value.words.map { AtomID($0) })
  }

  package func atomList(_ names: [String?]) -> Payload {
    let known = connection.atoms(named: names.compactMap { $0 })
    var rest = known[...]
    let values = names.map { $0 == nil ? 0 : rest.popFirst()?.rawValue ?? 0 }
    return Payload(unsafe values.withUnsafeBytes { unsafe Array($0) })
  }

  // MARK: Owning

  package func publish(
    _ offer: Offer, to selection: PasteboardName, onEnd: @escaping () -> Void
  ) -> Result<Void, OwnershipFailure> {
    publish(offer, to: selection, continuing: nil, onEnd: onEnd)
  }

  package func publish(
    _ offer: Offer, to selection: PasteboardName, continuing earlier: ServerTime?,
    onEnd: @escaping () -> Void
  ) -> Result<Void, OwnershipFailure> {
    let atom = atom(of: selection)
    let names =
      offer.targets.map(\.name) + (offer.serving.isUnlimited ? [] : [ServingTerms.target])
    // The names that serving needs come in the same round trip.
    let interned = connection.atoms(named: names + ServingAtoms.names).prefix(names.count)
    let serving = connection.servingAtoms
    let targetAtoms = interned.filter { target in
      // These we answer ourselves, whatever an offer makes of them, and list anyway.
      target != .none && target != connection.atoms.targets && target != serving.timestamp
        && target != serving.multiple
    }
    connection.nameWindow()
    // The time of opening serves once, if nobody took the selection since, and saves a round trip; else
    // the server's time now. Of two ownerships at the same time nobody could tell which is which.
    var time = hasPublished ? connection.serverTime() : connection.openingTime
    hasPublished = true
    if let earlier, let age = connection.age(of: earlier) {
      // X11 protocol, SetSelectionOwner: a time before that of the last change has no effect, and the
      // server knows that one when the owner is gone, too. With the same time it is known again after us.
      connection.setOwner(connection.window, of: atom, at: earlier)
      let isOurs = connection.owner(of: atom) == connection.window
      if connection.isLost { return .failure(.connectionLost) }
      guard isOurs else { return .failure(.contested) }
      serve(offer, as: atom, of: selection, acquired: earlier, for: age, targetAtoms, onEnd)
      return .success(())
    }
    var contest = OwnershipContest()
    var clears = 0
    while true {
      connection.setOwner(connection.window, of: atom, at: time)
      // ICCCM 2.1: whether it worked is seen only by asking.
      let isOurs = connection.owner(of: atom) == connection.window
      if connection.isLost { return .failure(.connectionLost) }
      // The server tells whom it takes a selection from; whom it ignored hears nothing.
      let clearsNow = isOurs ? clears : connection.pendingClears(of: atom)
      switch contest.attempted(isOurs: isOurs, wasTakenBack: clearsNow > clears) {
      case .won:
        serve(offer, as: atom, of: selection, acquired: time, for: .zero, targetAtoms, onEnd)
        return .success(())
      case .tryAgain:
        clears = clearsNow
        time = connection.serverTime()
      case .givenUp:
        return .failure(.contested)
      }
    }
  }

  private func serve(
    _ offer: Offer, as selection: AtomID, of name: PasteboardName, acquired: ServerTime,
    for age: Duration, _ targetAtoms: [AtomID], _ onEnd: @escaping () -> Void
  ) {
    serve(
      offer, as: selection, by: connection.window, acquired: acquired, for: age, targetAtoms,
      sideEffect: nil, supervision: supervisor.map { ServingSupervision($0, of: name) }, onEnd)
  }

  /// Answers from now on for a selection that was just taken.
  @discardableResult
  func serve(
    _ offer: Offer, as selection: AtomID, by window: WindowID, acquired: ServerTime,
    for age: Duration = .zero, _ targetAtoms: [AtomID], sideEffect: X11SideEffect?,
    supervision: ServingSupervision? = nil, _ onEnd: @escaping () -> Void
  ) -> X11Publication {
    for publication in publications where publication.selection == selection { publication.lose() }
    let publication = X11Publication(
      offer, of: selection, by: window, acquired: acquired, age: age, targetAtoms: targetAtoms,
      sideEffect: sideEffect, connection: connection, loop: loop, worker: worker,
      outgoing: outgoing, supervision: supervision,
      onEnd: { [weak self] in
        self?.forgetEnded()
        onEnd()
      })
    publications.append(publication)
    return publication
  }

  package func isOurs(_ change: SelectionChange, of selection: PasteboardName) -> Bool {
    change == .taken(by: connection.window.rawValue)
  }

  package func isServing(_ selection: PasteboardName) -> Bool {
    let atom = atom(of: selection)
    return publications.contains { $0.selection == atom && $0.isOwned }
  }

  package func liftGuard(of selection: PasteboardName) {
    let atom = atom(of: selection)
    for publication in publications where publication.selection == atom { publication.liftGuard() }
  }

  private func forgetEnded() {
    publications.removeAll { $0.isEnded }
    // Whoever watches something would never hear of it again.
    guard isWindowGone, !ownerWatches.isEmpty else { return }
    if !publications.contains(where: { $0.window == connection.window }) { connection.giveUp() }
  }

  package func clear(_ selection: PasteboardName) -> Result<Void, OwnershipFailure> {
    let atom = atom(of: selection)
    var contest = OwnershipContest()
    var isEmpty = connection.owner(of: atom) == .none
    while true {
      if connection.isLost { return .failure(.connectionLost) }
      if isEmpty { return .success(()) }
      // Nobody tells us whether an attempt was ignored or undone, so each has the time of now.
      connection.setOwner(.none, of: atom, at: connection.serverTime())
      isEmpty = connection.owner(of: atom) == .none
      if contest.attempted(isOurs: isEmpty, wasTakenBack: true) == .givenUp {
        return .failure(connection.isLost ? .connectionLost : .contested)
      }
    }
  }
}

extension SelectionChange {
  fileprivate init(owner: WindowID, cause: X11Event.OwnerChange) {
    switch cause {
    case .newOwner: self = owner == .none ? .cleared : .taken(by: owner.rawValue)
    case .ownerDestroyed, .ownerDisconnected: self = .ownerEnded
    }
  }
}
