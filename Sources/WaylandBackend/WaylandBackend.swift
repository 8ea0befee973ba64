package import EventLoop
package import Pasteboard
package import SelectionCore
package import SystemIO

/// The selections of one seat of a Wayland display: by data-control, where the compositor lets programs
/// without a window see them; else by the core protocol, with a window for a moment.
package final class WaylandBackend: DisplayBackend {
  private let connection: WaylandConnection
  private let registry: Registry
  /// One for both selections, or one for each of them.
  private let managers: [DataManager]
  private let loop: any EventLoop
  private let worker: Worker
  private let patience: Duration
  package let displayName: String
  private let wantedSeat: String?
  private var seat: Seat?
  /// As many as managers, or none where there is no seat.
  private var devices: [DataDevice] = []
  /// Only where nobody without the focus can do anything.
  private var focus: FocusWindow?
  /// Seats that still are listed and have no device any more.
  private var finishedSeats: [UInt32] = []

  private var clipboard = Selection()
  private var primary = Selection()
  private var lastGeneration: UInt32 = 0
  private var areSelectionsKnown = false
  private var readers: [Reading] = []
  /// How long a source may take to close the pipe behind its last bytes: longer than the system may keep
  /// it waiting on a busy machine, shorter than people wait before they end a program that hangs.
  var closingTime = Duration.milliseconds(250)
  private var publications: [WaylandPublication] = []
  private let transferRoom = TransferRoom()

  /// What is on a selection.
  private struct Selection {
    var offer: DataOffer?
    /// Which of all the offers that were seen; what an owner is known by here.
    var generation: UInt32 = 0
    var watches: [OwnerWatch] = []
  }

  private final class OwnerWatch {
    let handler: (SelectionChange) -> Void
    var isEnded = false
    init(_ handler: @escaping (SelectionChange) -> Void) { self.handler = handler }
  }

  /// Which way leads to the selections.
  package enum Access: Hashable, Sendable {
    case control
    case focus
  }

  /// A read under way.
  private final class Reading {
    var reader: PipeReader?
    /// The interest in content of our own while it is made.
    var making: LoopToken?
    /// The wait before the compositor is asked a second time.
    var secondLook: LoopToken?
  }

  /// Sets up the selections of a display.
  ///
  /// - Parameters:
  ///   - socket: Connected to the compositor.
  ///   - displayName: What it is called.
  ///   - access: By which protocol.
  ///   - seat: The name of the seat; nil for the first one that there is.
  ///   - activationToken: Lets a window have the focus, where compositors ask for that.
  ///   - worker: Makes what readers ask for and is not there yet; nil for one of the back-end's own.
  ///   - patience: How long a reader may take nothing before its transfer is dropped. People page
  ///     through what is pasted into a pager, and a transfer that rests costs a descriptor.
  ///   - awaitEvents: For tests: turns a compositor in the same thread in place of waiting for it.
  package init(
    _ socket: consuming OwnedFD, displayName: String, by access: Access = .control,
    seat wantedSeat: String? = nil,
    activationToken: String? = nil, loop: any EventLoop, worker: Worker? = nil,
    patience: Duration = .seconds(600),
    awaitEvents: ((_ connection: Int32) -> Void)? = nil
  ) throws(WaylandOpenFailure) {
    let connection = try WaylandConnection(adopting: socket, awaitEvents: awaitEvents)
    self.connection = connection
    self.displayName = displayName
    self.wantedSeat = wantedSeat
    self.loop = loop
    self.worker = worker ?? Worker(on: loop)
    self.patience = patience
    guard let registry = Registry(connection), connection.roundTrip() else {
      throw .lost(connection.loss ?? .closed)
    }
    self.registry = registry
    managers = Self.dialects(of: registry, by: access).compactMap { dialect in
      registry.first(dialect.manager).flatMap { DataManager(registry, $0, dialect) }
    }
    if managers.isEmpty { throw .noDataControl(compositor: connection.compositorName) }
    do throws(Errno) {
      try connection.attach(to: loop)
    } catch {
      throw .lost(.system(error))
    }
    try findSeat(mustHaveKeyboard: access == .focus)
    if access == .focus, let seat {
      focus = try FocusWindow(registry, seat, activationToken: activationToken)
    }
    registry.onAppearance = { [unowned self] in consider($0) }
    registry.onRemoval = { [unowned self] in disappear($0) }
    connection.onLoss = { [unowned self] in tellLoss() }
  }

  /// Waits for what is on the selections, which is told behind the device, when somebody first asks:
  /// whoever publishes does not, and has a round trip of his own.
  private func learnSelections() {
    guard !areSelectionsKnown else { return }
    areSelectionsKnown = true
    connection.roundTrip()
  }

  /// What there is of the protocols that lead there.
  private static func dialects(of registry: Registry, by access: Access) -> [Dialect] {
    switch access {
    // ext first: it is the standard, and compositors that have both mean to give up the other.
    case .control: Array([.ext, .wlr].filter { registry.first($0.manager) != nil }.prefix(1))
    case .focus: [.core, .primary].filter { registry.first($0.manager) != nil }
    }
  }

  deinit { connection.stop() }

  package var supervisor: ServingSupervisor?

  package var kind: BackendKind { .wayland }
  package var isLost: Bool { connection.isLost }
  package var clock: Int64 { MonotonicTime.now.nanoseconds }
  /// The descriptor that a detached process must keep.
  package var descriptor: Int32 { connection.descriptor }

  package var displayFacts: DisplayFacts {
    let protocols = managers.map { "\($0.dialect.name) version \($0.version)" }
    return DisplayFacts(
      server: "\(connection.compositorName), \(protocols.joined(separator: ", "))",
      reportsOwnerChanges: focus == nil)
  }

  /// Objects that are ours at the compositor: what it has of this client, where nothing leaks.
  var livingObjects: Int { connection.livingObjects }

  /// How the connection ended; nil while it lives.
  package var loss: WaylandLoss? { connection.loss }

  /// What was sent is read to its end, whoever sent it and has gone.
  package func synchronize() { connection.flush() }

  package func supports(_ selection: PasteboardName) -> Bool {
    managers.contains { $0.selections.contains(selection) }
  }

  private func device(for selection: PasteboardName) -> (device: DataDevice, manager: DataManager)?
  {
    zip(devices, managers).first { $1.selections.contains(selection) }.map { ($0, $1) }
  }

  /// Whether the window has the focus, or none is needed.
  private func acquireFocus(within interval: Duration) -> Bool {
    focus?.acquire(within: interval) ?? true
  }

  // MARK: Seats

  private func findSeat(mustHaveKeyboard: Bool) throws(WaylandOpenFailure) {
    var seats: [Seat] = []
    for global in registry.all(.seat) {
      guard let seat = Seat(registry, global) else { continue }
      seats.append(seat)
      // The first one is taken without a question.
      if wantedSeat == nil, !mustHaveKeyboard { break }
    }
    // Names and devices come behind the seats.
    if wantedSeat != nil || mustHaveKeyboard { connection.roundTrip() }
    if let loss = connection.loss { throw .lost(loss) }
    let able = seats.first { $0.hasKeyboard || !mustHaveKeyboard } ?? seats.first
    let found = wantedSeat.map { name in seats.first { $0.name == name } } ?? able
    guard let found else {
      if let wantedSeat, !seats.isEmpty { throw .noSuchSeat(wantedSeat, known: seats.map(\.name)) }
      throw .noSeat(compositor: connection.compositorName)
    }
    use(found)
  }

  private func use(_ seat: Seat) {
    self.seat = seat
    devices = managers.compactMap { DataDevice($0, seat) }
    for device in devices {
      device.onEvent = { [unowned self] event in
        switch event {
        case .selection(let selection, let offer): change(selection, to: offer)
        case .finished: loseSeat()
        }
      }
    }
  }

  /// Takes a seat that is there, where ours has gone and this is the one, or one as good.
  private func consider(_ global: Registry.Global) {
    guard global.interface == .seat, devices.isEmpty, let seat = Seat(registry, global) else {
      return
    }
    guard wantedSeat != nil else { return use(seat) }
    // Its name comes behind it.
    connection.sync { [weak self] in
      guard let self, devices.isEmpty, seat.name == wantedSeat else { return }
      use(seat)
    }
  }

  private func considerSeats() {
    for global in registry.all(.seat) where !finishedSeats.contains(global.number) {
      consider(global)
    }
  }

  private func disappear(_ number: UInt32) {
    if seat?.number == number { loseSeat() }
    finishedSeats.removeAll { $0 == number }
  }

  /// The seat has gone, and its selections with it.
  private func loseSeat() {
    guard !devices.isEmpty else { return }
    for device in devices { device.end() }
    devices = []
    // Not to be tried again while its number lives: it would be finished again.
    if let seat { finishedSeats.append(seat.number) }
    seat = nil
    for publication in publications { publication.lose() }
    change(.clipboard, to: nil)
    change(.primary, to: nil)
    // Behind what has already been said of the others: they may have gone together.
    connection.sync { [weak self] in self?.considerSeats() }
  }

  // MARK: Selections

  private func present(_ selection: PasteboardName) -> Selection {
    selection == .primary ? primary : clipboard
  }

  /// What is on a selection; nil also where it is none that there is.
  private func presentOffer(on selection: PasteboardName) -> DataOffer? {
    supports(selection) ? present(selection).offer : nil
  }

  private func change(_ selection: PasteboardName, to offer: DataOffer?) {
    var changed = present(selection)
    // Nothing in place of nothing is no change.
    if offer == nil, changed.offer == nil { return }
    lastGeneration &+= 1
    // The one before is ended with this: nothing can be asked of it any more.
    changed.offer = offer
    changed.generation = lastGeneration
    if selection == .primary { primary = changed } else { clipboard = changed }
    let change = offer == nil ? SelectionChange.ownerEnded : .taken(by: lastGeneration)
    // The handlers may let go of their tokens, and of those of others.
    for watch in changed.watches where !watch.isEnded { watch.handler(change) }
  }

  package func hasOwner(_ selection: PasteboardName) -> Bool {
    learnSelections()
    return presentOffer(on: selection) != nil
  }

  package func ownerFacts(of selection: PasteboardName) -> SelectionOwnerFacts? {
    guard hasOwner(selection) else { return nil }
    return SelectionOwnerFacts(name: nil, window: present(selection).generation)
  }

  package func watch(
    _ selection: PasteboardName, _ handler: @escaping (SelectionChange) -> Void
  ) -> Result<SelectionWatchToken, WatchFailure> {
    // What is there is no change.
    learnSelections()
    if isLost { return .failure(.connectionLost) }
    // The focused window alone is told, and looking again and again would take the focus each time.
    guard supports(selection), focus == nil else { return .failure(.unsupported) }
    let watch = OwnerWatch(handler)
    if selection == .primary {
      primary.watches.append(watch)
    } else {
      clipboard.watches.append(watch)
    }
    return .success(
      SelectionWatchToken { [weak self] in
        watch.isEnded = true
        self?.primary.watches.removeAll { $0 === watch }
        self?.clipboard.watches.removeAll { $0 === watch }
      })
  }

  package func isOurs(_ change: SelectionChange, of selection: PasteboardName) -> Bool {
    let present = present(selection)
    guard change == .taken(by: present.generation), let types = present.offer?.types else {
      return false
    }
    return publications.contains { $0.selection == selection && types.contains($0.marker) }
  }

  package func isServing(_ selection: PasteboardName) -> Bool {
    publications.contains { $0.selection == selection && $0.isOwned }
  }

  package func liftGuard(of selection: PasteboardName) {
    for publication in publications where publication.selection == selection {
      publication.liftGuard()
    }
  }

  private func tellLoss() {
    for reading in readers { reading.reader?.connectionLost() }
    for publication in publications { publication.connectionLost() }
  }

  // MARK: Reading

  /// What the operation is about: nil where it has to begin anew.
  private func bind(
    _ ownership: ReadOwnership, to selection: PasteboardName, within deadline: ProgressDeadline
  ) -> Result<DataOffer, ReadFailure> {
    learnSelections()
    // Kept to the end of the process: an offer lasts as long as the focus.
    let hasFocus = acquireFocus(within: deadline.interval)
    if isLost { return .failure(.connectionLost) }
    if !hasFocus { return .failure(.timedOut) }
    let generation = present(selection).generation
    guard let offer = presentOffer(on: selection) else {
      return .failure(ownership.owner == nil ? .noOwner : .ownerGone)
    }
    guard let owner = ownership.owner else {
      ownership.bind(to: generation, at: .current, isFresh: true)
      return .success(offer)
    }
    return owner == generation ? .success(offer) : .failure(.ownerGone)
  }

  package func listTargets(
    of selection: PasteboardName, in ownership: ReadOwnership, deadline: ProgressDeadline,
    share: Double, _ completion: @escaping (Result<[String], ReadFailure>) -> Void
  ) {
    let offer = bind(ownership, to: selection, within: deadline)
    completion(offer.map { offer in offer.types.filter { !OwnMarker.isMarker($0) } })
  }

  package func read(
    _ target: String, of selection: PasteboardName, in ownership: ReadOwnership,
    deadline: ProgressDeadline, limit: Int, into sink: (any ContentSink)?,
    _ completion: @escaping (Result<ReceivedRepresentation, ReadFailure>) -> Void
  ) {
    let offer: DataOffer
    switch bind(ownership, to: selection, within: deadline) {
    case .success(let bound): offer = bound
    case .failure(let failure): return completion(.failure(failure))
    }
    // Whatever an owner is asked for that it does not list, it may answer with anything.
    guard offer.types.contains(where: { ExactName($0) == ExactName(target) }),
      WaylandObject.canCarry(target)
    else { return completion(.failure(.refused)) }
    func answer(_ result: Result<Payload, ReadFailure>) {
      completion(result.map { ReceivedRepresentation(target, $0) })
    }
    // Only what we own: a manager that took over may list our marker with all the rest.
    if let own = publications.last(where: { $0.isOwned && offer.types.contains($0.marker) }) {
      return read(own.offer.target(named: target)?.content ?? .refused, answer)
    }
    let reading = Reading()
    do throws(Errno) {
      let (readEnd, writeEnd) = try Pipe().ends()
      let content = StreamContent(of: target, into: sink)
      let terms = PipeReader.Terms(deadline: deadline, limit: limit, closingTime: closingTime) {
        [weak self] isCut, verified in
        self?.verify(ownership, of: selection, again: isCut ? reading : nil, verified)
      }
      offer.receive(target, into: OwnedFD(adopting: writeEnd))
      reading.reader = try PipeReader(OwnedFD(adopting: readEnd), content, terms, on: loop) {
        [weak self] result in
        reading.reader = nil
        self?.readers.removeAll { $0 === reading }
        answer(result)
      }
      readers.append(reading)
    } catch {
      answer(.failure(.malformed))
    }
  }

  /// What is ours is answered from where it lies, made where it has to be.
  private func read(
    _ content: ContentSource, _ answer: @escaping (Result<Payload, ReadFailure>) -> Void
  ) {
    switch content.state {
    case .there(let payload): answer(.success(payload))
    case .refused: answer(.failure(.refused))
    case .toBeMade:
      let reading = Reading()
      reading.making = worker.run({ try content.payload() }) { [weak self] result in
        self?.readers.removeAll { $0 === reading }
        answer(result.mapError { _ in .refused })
      }
      if reading.making == nil { return answer(.failure(.refused)) }
      readers.append(reading)
    }
  }

  /// How long the connection of a program that is killed may stay open behind its pipes: the system closes
  /// the files of a process in no promised order.
  private static let dyingTime = Duration.milliseconds(2)

  /// Whether the owner that an operation is about still is the owner, once the compositor has looked.
  ///
  /// - Parameter again: The read for which it is asked a second time where it still is.
  private func verify(
    _ ownership: ReadOwnership, of selection: PasteboardName, again: Reading?,
    _ verified: @escaping (Bool) -> Void
  ) {
    connection.sync { [weak self] in
      guard let self else { return }
      let isSame = hasOwner(selection) && present(selection).generation == ownership.owner
      guard isSame, let again else { return verified(isSame) }
      again.secondLook = loop.schedule(after: Self.dyingTime) { [weak self] in
        self?.verify(ownership, of: selection, again: nil, verified)
      }
    }
  }

  /// How long the compositor may take to give the focus to a window that is to set something.
  private let focusPatience = Duration.seconds(3)

  // MARK: Owning

  package func publish(
    _ offer: Offer, to selection: PasteboardName, onEnd: @escaping () -> Void
  ) -> Result<Void, OwnershipFailure> {
    if isLost { return .failure(.connectionLost) }
    guard supports(selection) else { return .failure(.unsupported) }
    defer { focus?.release() }
    guard acquireFocus(within: focusPatience) else {
      return .failure(isLost ? .connectionLost : .unfocused)
    }
    // Readers that go away are part of the day.
    ignoreBrokenPipes()
    var contest = OwnershipContest()
    while true {
      guard let (device, manager) = device(for: selection) else {
        return .failure(isLost ? .connectionLost : .unsupported)
      }
      // A source can be set once, so each attempt has one of its own.
      var isServing = false
      let publication = WaylandPublication(
        offer, of: selection, manager, loop: loop, worker: worker, room: transferRoom,
        patience: patience,
        supervision: supervisor.map { ServingSupervision($0, of: selection) },
        onEnd: { [weak self] in
          self?.publications.removeAll { $0.isEnded }
          if isServing { onEnd() }
        })
      guard let publication else { return .failure(.connectionLost) }
      publications.append(publication)
      publication.take(device, serial: focus?.serial ?? 0)
      areSelectionsKnown = true
      // Behind this the compositor has either put it on the selection or said that it has not.
      connection.roundTrip()
      if isLost { return .failure(.connectionLost) }
      // The core protocol passes over in silence what comes too late, and shows what is there.
      let isSeen =
        focus == nil || presentOffer(on: selection)?.types.contains(publication.marker) == true
      let isOurs = publication.isOwned && isSeen
      if !isOurs { publication.lose() }
      switch contest.attempted(isOurs: isOurs, wasTakenBack: true) {
      case .won:
        isServing = true
        for older in publications where older.selection == selection && older !== publication {
          older.lose()
        }
        return .success(())
      case .tryAgain: continue
      case .givenUp: return .failure(.contested)
      }
    }
  }

  package func clear(_ selection: PasteboardName) -> Result<Void, OwnershipFailure> {
    guard supports(selection) else { return .failure(isLost ? .connectionLost : .unsupported) }
    defer { focus?.release() }
    let hasFocus = acquireFocus(within: focusPatience)
    var contest = OwnershipContest()
    while true {
      if isLost { return .failure(.connectionLost) }
      if !hasFocus { return .failure(.unfocused) }
      if !hasOwner(selection) { return .success(()) }
      guard let (device, _) = device(for: selection) else { return .failure(.unsupported) }
      device.setSelection(selection, to: nil, serial: focus?.serial ?? 0)
      connection.roundTrip()
      let isEmpty = !hasOwner(selection)
      if contest.attempted(isOurs: isEmpty, wasTakenBack: true) == .givenUp {
        return .failure(isLost ? .connectionLost : .contested)
      }
    }
  }
}
