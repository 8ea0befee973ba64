internal import EventLoop
internal import Pasteboard
internal import SelectionCore

/// One selection that we own: answers requests and runs the transfers that they start, any number
/// at once, until the selection is lost and the last transfer has ended.
final class X11Publication {
  private final class Transfer {
    var machine: OutgoingTransfer
    let destination: Destination
    let target: OfferedTarget
    let type: AtomID
    let answer: Answer
    /// Where this transfer's pair stands in the list of a MULTIPLE.
    let pair: Int?
    var payload = Payload([])
    /// The interest in the content while it is made.
    var making: LoopToken?
    var deadlineTimer: LoopToken?
    /// Whether the requestor's window is watched, and whether content goes there in chunks.
    var isWatching = false
    var isIncremental = false
    /// The size of the chunk that was sent last; nil before the first one.
    var lastChunk: Int?
    /// What lies in the property, to be taken.
    var outstanding = 0
    /// The serials of our requests on the requestor's window: an error among them means that the
    /// window is gone.
    var serials: [ClosedRange<UInt>] = []

    init(
      machine: OutgoingTransfer, destination: Destination, target: OfferedTarget, type: AtomID,
      answer: Answer, pair: Int?
    ) {
      self.pair = pair
      self.machine = machine
      self.destination = destination
      self.target = target
      self.type = type
      self.answer = answer
    }

    /// Remembers requests whose errors concern this transfer.
    ///
    /// Errors come in order, so the few latest are enough.
    func note(_ range: ClosedRange<UInt>) {
      serials.append(range)
      if serials.count > 8 { serials.removeFirst(serials.count - 8) }
    }
  }

  /// The one answer that a request gets, when all of its parts (one, or the pairs of MULTIPLE) have
  /// had their turn.
  private final class Answer {
    let request: X11Event.SelectionRequest
    /// MULTIPLE: target and property of each pair; a property that failed becomes None.
    var pairs: [UInt32]?
    var waitingFor: Int
    /// Whether one of the pairs was for something that is done.
    var hasSideEffect = false

    init(request: X11Event.SelectionRequest, pairs: [UInt32]? = nil, waitingFor: Int) {
      self.request = request
      self.pairs = pairs
      self.waitingFor = waitingFor
    }
  }

  /// The most pairs of a MULTIPLE: far more than anybody has targets.
  private static let maximumPairs = 4096

  let selection: AtomID
  /// The window through which it is owned.
  let window: WindowID
  private let connection: X11Connection
  private let loop: any EventLoop
  private let worker: Worker
  private let offer: Offer
  let acquired: ServerTime
  private let acquiredAt: MonotonicTime
  private let outgoing: X11OutgoingState
  private let targetAtoms: [AtomID]
  private let sideEffect: X11SideEffect?
  private let supervision: ServingSupervision?
  private let onEnd: () -> Void
  private(set) var isOwned = true
  private(set) var isEnded = false
  private var transfers: [Destination: Transfer] = [:]
  /// What keeps the offer's policy; nil where everybody is served until the selection is lost.
  private var gate: X11ServingGate?

  /// - Parameters:
  ///   - age: How long ago that time of acquisition is.
  ///   - sideEffect: What is done at a request for a certain target, listed among the others.
  init(
    _ offer: Offer, of selection: AtomID, by window: WindowID, acquired: ServerTime,
    age: Duration = .zero, targetAtoms: [AtomID], sideEffect: X11SideEffect? = nil,
    connection: X11Connection, loop: any EventLoop, worker: Worker, outgoing: X11OutgoingState,
    supervision: ServingSupervision?, onEnd: @escaping () -> Void
  ) {
    self.window = window
    self.sideEffect = sideEffect
    self.worker = worker
    self.offer = offer
    self.selection = selection
    self.acquired = acquired
    acquiredAt = MonotonicTime.now + (.zero - age)
    self.outgoing = outgoing
    self.targetAtoms = targetAtoms
    self.connection = connection
    self.loop = loop
    self.supervision = supervision
    self.onEnd = onEnd
    guard !offer.serving.isUnlimited else { return }
    gate = X11ServingGate(offer, connection: connection, loop: loop) { [weak self] in
      self?.release()
    }
  }

  // MARK: Events

  func handle(_ event: X11Event) {
    switch event {
    case .selectionRequest(let request):
      if request.selection == selection { respond(to: request) }
    case .propertyChanged(let window, let property, isDeleted: true, _):
      let destination = Destination(requestor: window, property: property)
      if let transfer = transfers[destination] { chunkIsTaken(of: transfer) }
    case .windowDestroyed(let window):
      for transfer in transfers.values where transfer.destination.requestor == window {
        feed(.requestorGone, to: transfer)
      }
      gate?.windowDestroyed(window)
    default:
      break
    }
  }

  /// An error answers one of our requests; those on windows that went away are routine.
  ///
  /// A window that is gone ends all transfers to it, not only the one whose request found that out:
  /// the next window may have its number, and what we send there is no error then. Requests of that
  /// one come behind the error.
  func handle(_ error: X11Connection.ReportedError) {
    let hit = transfers.values.filter { transfer in
      transfer.destination.requestor == error.goneWindow
        || transfer.serials.contains { $0.contains(error.serial) }
    }
    for transfer in hit { feed(.requestorGone, to: transfer) }
  }

  /// Ends the guard that the offer brought along.
  func liftGuard() { gate?.liftGuard() }

  /// The selection belongs to somebody else now.
  ///
  /// Transfers under way go on to their end.
  func lose() {
    isOwned = false
    gate?.stop()
    endIfDone()
  }

  /// Gives the selection up, if it is still ours.
  ///
  /// It ends with the notice that it is lost, which comes behind every request that was made before:
  /// those are refused, not left without an answer. The time of acquisition cannot hit an owner that
  /// came after us.
  func release() {
    guard isOwned, connection.owner(of: selection) == window else { return }
    connection.setOwner(.none, of: selection, at: acquired)
  }

  func connectionLost() {
    isOwned = false
    gate?.stop()
    for transfer in transfers.values {
      transfer.deadlineTimer?.cancel()
      transfer.making?.cancel()
      outgoing.occupants[transfer.destination] = nil
    }
    transfers.removeAll()
    endIfDone()
  }

  private func endIfDone() {
    guard !isOwned, transfers.isEmpty, !isEnded else { return }
    isEnded = true
    // Not from inside an event: the answers must be on their way first.
    loop.defer(onEnd)
  }

  // MARK: Requests

  private func respond(to request: X11Event.SelectionRequest) {
    // ICCCM 2.2: requests outside of our ownership are refused; so are our own, which could only
    // wait for us.
    guard isOwned, request.time.concerns(ownershipSince: acquired, for: .now - acquiredAt),
      !connection.isOurs(request.requestor), gate?.hasEnded != true
    else { return connection.answer(request, property: .none) }

    // ICCCM 2.2: obsolete requestors give no property; the target serves as its name.
    let property = request.property == .none ? request.target : request.property
    let destination = Destination(requestor: request.requestor, property: property)
    if request.target == connection.servingAtoms.multiple {
      // ICCCM 2.6.2: the property holds the list, so without one there is nothing to do.
      guard request.property != .none else { return connection.answer(request, property: .none) }
      respondToMultiple(request, destination)
    } else {
      let answer = Answer(request: request, waitingFor: 1)
      let name = connection.name(of: request.target)
      start(request.target, named: name, to: destination, answer, pair: nil)
    }
  }

  private func respondToMultiple(_ request: X11Event.SelectionRequest, _ list: Destination) {
    let limit = Self.maximumPairs * 8
    let value = connection.readProperty(list.property, of: list.requestor, limit: limit)
    guard let value, value.format == 32, value.payload.count <= limit else {
      return connection.answer(request, property: .none)
    }
    let atoms = value.payload.words.map { AtomID($0) }
    guard !atoms.isEmpty, atoms.count.isMultiple(of: 2) else {
      return connection.answer(request, property: .none)
    }
    // All at once: a round trip for each of thousands of atoms would keep everybody else waiting.
    let names = connection.names(of: atoms)
    let answer = Answer(
      request: request, pairs: atoms.map(\.rawValue), waitingFor: atoms.count / 2)
    // The list must be left to be answered in, and a property holds one value.
    var taken: Set<AtomID> = [list.property]
    for index in stride(from: 0, to: atoms.count, by: 2) {
      let (target, property) = (atoms[index], atoms[index + 1])
      guard target != connection.servingAtoms.multiple, names[index + 1] != nil,
        !taken.contains(property)
      else {
        complete(answer, pair: index, success: false)
        continue
      }
      let destination = Destination(requestor: list.requestor, property: property)
      if start(target, named: names[index], to: destination, answer, pair: index) {
        taken.insert(property)
      }
    }
  }

  /// Begins to answer a request or a pair; whether there will be content.
  @discardableResult
  private func start(
    _ target: AtomID, named name: String?, to destination: Destination, _ answer: Answer, pair: Int?
  ) -> Bool {
    // A new request for the same property ends the transfer that fills it, of another selection or
    // of what was published before, too.
    outgoing.occupants[destination]?.leave(destination)
    let (atoms, serving) = (connection.atoms, connection.servingAtoms)
    switch target {
    case atoms.targets:
      let values = [atoms.targets, serving.timestamp, serving.multiple] + targetAtoms
      connection.setProperty(
        destination.property, of: destination.requestor, type: WellKnownAtoms.atom,
        values: values.map(\.rawValue))
      complete(answer, pair: pair, success: true)
      return true
    case serving.timestamp:
      connection.setProperty(
        destination.property, of: destination.requestor, type: WellKnownAtoms.integer,
        values: [acquired.rawValue])
      complete(answer, pair: pair, success: true)
      return true
    case sideEffect?.target:
      return perform(target, to: destination, answer, pair: pair)
    default:
      break
    }
    guard let name, let offered = offered(name), admits(offered, to: destination.requestor) else {
      complete(answer, pair: pair, success: false)
      return false
    }
    let type =
      offered.typeName == name ? target : connection.atom(named: offered.typeName)
    // The size of chunks is set before each of them.
    let limits = OutgoingTransfer.Limits(
      single: outgoing.singleLimit, chunk: outgoing.nextChunkSize(after: nil))
    let transfer = Transfer(
      machine: OutgoingTransfer(limits: limits), destination: destination, target: offered,
      type: type, answer: answer, pair: pair)
    transfers[destination] = transfer
    outgoing.occupants[destination] = self
    switch offered.content.state {
    case .there(let payload): return begin(transfer, with: payload)
    case .toBeMade: return make(offered.content, for: transfer)
    case .refused: return begin(transfer, with: nil)
    }
  }

  /// Has done what the target stands for, and answers when it is (ICCCM 2.6.3): with nothing, of type
  /// NULL; whether it is being done.
  private func perform(
    _ target: AtomID, to destination: Destination, _ answer: Answer, pair: Int?
  ) -> Bool {
    guard let sideEffect, !answer.hasSideEffect, sideEffect.admits(destination.requestor) else {
      complete(answer, pair: pair, success: false)
      return false
    }
    // Once is enough, whatever comes with the others: to look at that is a round trip for each.
    answer.hasSideEffect = true
    let isBare = pair == nil && answer.request.property == .none
    let arguments = isBare ? nil : self.arguments(in: destination)
    let transfer = Transfer(
      machine: OutgoingTransfer(limits: .init(single: outgoing.singleLimit, chunk: 1)),
      destination: destination,
      target: OfferedTarget(name: X11SideEffect.resultType, Payload([])),
      type: connection.atom(named: X11SideEffect.resultType), answer: answer, pair: pair)
    transfers[destination] = transfer
    outgoing.occupants[destination] = self
    noting(for: transfer) { watch(transfer) }
    restartDeadline(of: transfer, after: outgoing.patience)
    sideEffect.perform(arguments) { [weak self, weak transfer] isDone in
      guard let self, let transfer else { return }
      begin(transfer, with: isDone ? Payload([]) : nil)
    }
    return true
  }

  /// The atoms that stand in the property for the answer; nil where there are none.
  private func arguments(in place: Destination) -> [AtomID]? {
    let limit = X11Backend.maximumListSize
    let value = connection.readProperty(place.property, of: place.requestor, limit: limit)
    guard let value, value.format == 32, value.payload.count <= limit else { return nil }
    let atoms = value.payload.words.map { AtomID($0) }
    return atoms.isEmpty ? nil : atoms
  }

  /// Begins to send; whether there is something to be sent.
  @discardableResult
  private func begin(_ transfer: Transfer, with content: Payload?) -> Bool {
    // Beyond a number that no honest set of readers reaches, long contents are refused.
    guard let content, content.count <= outgoing.singleLimit || !outgoing.isFull else {
      feed(.contentFailed, to: transfer)
      return false
    }
    transfer.payload = content
    feed(.contentReady(count: content.count), to: transfer)
    return true
  }

  /// Has the content made, while others are served; whether it is being made.
  private func make(_ content: ContentSource, for transfer: Transfer) -> Bool {
    transfer.making = worker.run({ try content.payload() }) { [weak self] result in
      self?.begin(transfer, with: try? result.get())
    }
    guard transfer.making != nil else { return begin(transfer, with: nil) }
    // Whoever goes meanwhile is not to be kept a place for.
    noting(for: transfer) { watch(transfer) }
    // Some programs wait as long as it takes; the place is given up when no other does.
    restartDeadline(of: transfer, after: outgoing.patience * 4)
    return true
  }

  /// Remembers the requests made meanwhile: their errors concern this transfer.
  private func noting(for transfer: Transfer, _ requests: () -> Void) {
    let first = connection.nextSerial
    requests()
    let next = connection.nextSerial
    if next > first { transfer.note(first...next - 1) }
  }

  private func watch(_ transfer: Transfer) {
    guard !transfer.isWatching else { return }
    transfer.isWatching = true
    connection.watch(transfer.destination.requestor)
  }

  private func restartDeadline(of transfer: Transfer, after patience: Duration) {
    transfer.deadlineTimer = loop.schedule(after: patience) { [weak self] in
      self?.feed(.deadline, to: transfer)
    }
  }

  private func admits(_ target: OfferedTarget, to requestor: WindowID) -> Bool {
    // First: what nobody gets does not use up what is served once.
    if supervision?.refuses(target, of: offer) == true { return false }
    guard let gate, !gate.admits(target, to: requestor) else { return true }
    if gate.isGuarded { supervision?.noteRefusal(of: target) }
    return false
  }

  private func offered(_ name: String) -> OfferedTarget? {
    if let gate, name == ServingTerms.target { return gate.terms }
    return offer.target(named: name)
  }

  /// The size of a chunk at the most.
  ///
  /// A requestor waits for every chunk, so for most their number is what a long transfer costs. Our
  /// own, known by the property that it names, is quick to take one: for it what counts too is that a
  /// chunk is still in the processor's cache at each of its stations. Half a mebibyte is best where
  /// there is a processor for each and where there is not (Documentation/performance.md).
  private func largestChunk(for property: AtomID) -> Int {
    connection.atoms.transferProperties.contains(property) ? 1 << 19 : .max
  }

  private func complete(_ answer: Answer, pair: Int?, success: Bool) {
    if let pair, !success { answer.pairs?[pair + 1] = AtomID.none.rawValue }
    answer.waitingFor -= 1
    guard answer.waitingFor == 0 else { return }
    let request = answer.request
    if let pairs = answer.pairs {
      // ICCCM 2.6.2: pairs that failed are marked in the list; the request as a whole succeeds.
      connection.setProperty(
        request.property, of: request.requestor, type: connection.servingAtoms.atomPair,
        values: pairs)
      connection.answer(request, property: request.property)
    } else {
      let property = request.property == .none ? request.target : request.property
      connection.answer(request, property: success ? property : .none)
    }
  }

  // MARK: The machine

  private func leave(_ destination: Destination) {
    if let transfer = transfers[destination] { feed(.superseded, to: transfer) }
  }

  /// The reader asks for the next chunk by taking the last one away.
  private func chunkIsTaken(of transfer: Transfer) {
    outgoing.allowance.take(transfer.outstanding)
    transfer.outstanding = 0
    let chunkSize = outgoing.nextChunkSize(after: transfer.lastChunk)
    let largest = largestChunk(for: transfer.destination.property)
    transfer.machine.limitChunks(to: min(chunkSize, largest))
    feed(.propertyDeleted, to: transfer)
  }

  private func feed(_ event: OutgoingTransfer.Event, to transfer: Transfer) {
    noting(for: transfer) {
      for action in transfer.machine.handle(event) { perform(action, for: transfer) }
    }
  }

  private func perform(_ action: OutgoingTransfer.Action, for transfer: Transfer) {
    let (requestor, property) = (transfer.destination.requestor, transfer.destination.property)
    switch action {
    case .setContent(let range):
      put(range, of: transfer)
    case .setChunk(let range):
      put(range, of: transfer)
      transfer.lastChunk = range.count
      transfer.outstanding = range.count
      outgoing.allowance.put(range.count)
    case .announce(let count):
      // Watch first: the deletion of the announcement must not be missed.
      watch(transfer)
      transfer.isIncremental = true
      outgoing.allowance.beginTransfer()
      connection.setProperty(
        property, of: requestor, type: connection.atoms.incremental,
        values: [UInt32(clamping: count)])
    case .setEnd:
      unsafe connection.setProperty(
        property, of: requestor, type: transfer.type, format: transfer.target.format,
        bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    case .answer(let success):
      complete(transfer.answer, pair: transfer.pair, success: success)
    case .restartDeadline:
      restartDeadline(of: transfer, after: outgoing.patience)
    case .finish(let outcome):
      finish(transfer, outcome)
    }
  }

  private func put(_ range: Range<Int>, of transfer: Transfer) {
    unsafe transfer.payload.withUnsafeBytes(in: range) { bytes in
      unsafe connection.setProperty(
        transfer.destination.property, of: transfer.destination.requestor, type: transfer.type,
        format: transfer.target.format, bytes: bytes)
    }
  }

  private func finish(_ transfer: Transfer, _ outcome: OutgoingTransfer.Outcome) {
    transfer.deadlineTimer?.cancel()
    transfer.making?.cancel()
    transfers[transfer.destination] = nil
    outgoing.occupants[transfer.destination] = nil
    if transfer.isWatching { connection.unwatch(transfer.destination.requestor) }
    if transfer.isIncremental { outgoing.allowance.endTransfer(leaving: transfer.outstanding) }
    gate?.noteEnd(
      of: transfer.target, to: transfer.destination.requestor, wasDelivered: outcome == .sent)
    endIfDone()
  }
}
