internal import EventLoop
internal import Pasteboard
internal import SelectionCore
internal import SystemIO

/// One selection that we own: answers requests and runs the transfers that they start, any number at
/// once, until the selection is lost and the last transfer has ended.
final class WaylandPublication {
  let selection: PasteboardName
  let offer: Offer
  /// Stands in the list of types of this publication alone.
  let marker = OwnMarker.make()
  private let source: DataSource
  private let loop: any EventLoop
  private let worker: Worker
  private let room: TransferRoom
  private let patience: Duration
  private let supervision: ServingSupervision?
  private let onEnd: () -> Void
  private(set) var isOwned = true
  private(set) var isEnded = false
  private var transfers: [PipeWriter] = []
  /// What keeps the offer's policy; nil where everybody is served until the selection is lost.
  private var gate: WaylandServingGate?

  /// Nil when the connection is lost.
  init?(
    _ offer: Offer, of selection: PasteboardName, _ manager: DataManager, loop: any EventLoop,
    worker: Worker, room: TransferRoom, patience: Duration, supervision: ServingSupervision?,
    onEnd: @escaping () -> Void
  ) {
    guard let source = DataSource(manager) else { return nil }
    self.source = source
    self.offer = offer
    self.selection = selection
    self.loop = loop
    self.worker = worker
    self.room = room
    self.patience = patience
    self.supervision = supervision
    self.onEnd = onEnd
    let terms = offer.serving.isUnlimited ? [] : [ServingTerms.target]
    for name in offer.targets.map(\.name) + terms + [marker] where WaylandObject.canCarry(name) {
      source.offer(name)
    }
    source.onEvent = { [weak self] event in
      switch consume event {
      case .send(let type, let pipe): self?.send(type, into: pipe)
      case .cancelled: self?.lose()
      }
    }
  }

  /// Takes the selection of the device, and begins to count time.
  func take(_ device: DataDevice, serial: UInt32 = 0) {
    device.setSelection(selection, to: source, serial: serial)
    guard !offer.serving.isUnlimited else { return }
    gate = WaylandServingGate(offer, loop: loop) { [weak self] in self?.lose() }
  }

  /// Ends the guard that the offer brought along.
  func liftGuard() { gate?.liftGuard() }

  /// The selection is not ours any more, or is given up: that ends the source, and where it still is on
  /// the selection the selection becomes empty.
  ///
  /// Transfers under way go on to their end.
  func lose() {
    guard isOwned else { return }
    isOwned = false
    gate?.stop()
    source.end()
    source.connection.flush()
    endIfDone()
  }

  func connectionLost() {
    guard isOwned else { return }
    isOwned = false
    gate?.stop()
    endIfDone()
  }

  private func endIfDone() {
    guard !isOwned, transfers.isEmpty, !isEnded else { return }
    isEnded = true
    // Not from inside an event: whoever is told may let go of us.
    loop.defer(onEnd)
  }

  // MARK: Requests

  private func send(_ type: String, into pipe: consuming OwnedFD) {
    // The pipe is closed, which is what a refusal is here.
    guard isOwned, let target = target(type), admits(target) else { return }
    let transfer = PipeWriter(to: pipe, on: loop, patience: patience) {
      [weak self] transfer, outcome in
      self?.finish(transfer, target, outcome)
    }
    transfers.append(transfer)
    room.enter(transfer)
    transfer.start(target.content, worker)
  }

  private func admits(_ target: OfferedTarget) -> Bool {
    // First: what nobody gets does not use up what is served once.
    if supervision?.refuses(target, of: offer) == true { return false }
    guard let gate, !gate.admits(target) else { return true }
    if gate.isGuarded { supervision?.noteRefusal(of: target) }
    return false
  }

  private func target(_ type: String) -> OfferedTarget? {
    if let gate, type == ServingTerms.target { return gate.terms }
    return offer.target(named: type)
  }

  private func finish(
    _ transfer: PipeWriter, _ target: OfferedTarget, _ outcome: OutgoingStream.Outcome
  ) {
    transfers.removeAll { $0 === transfer }
    room.leave(transfer)
    gate?.noteEnd(of: target, wasDelivered: outcome == .sent)
    endIfDone()
  }
}
