import ClipboardCore
import ControlProtocol
import DaemonBackend
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// One display that the service manages: it knows how often each selection has changed, publishes what
/// programs hand over, and comes back when the display does.
///
/// Programs read content from its owner themselves, by the display's own protocol: what is read is the
/// same, a process less stands between, and a large or slow read is nobody's business but theirs.
final class ManagedDisplay {
  let name: String
  private let choice: DisplayChoice
  private let loop: EpollEventLoop
  private let worker: Worker
  private let log: Log
  private let onChange: (PasteboardName, UInt64, ControlChange) -> Void
  private let guardian: PasteGuard
  private var backend: (any DisplayBackend)?
  private var selections: [PasteboardName: Selection] = [:]
  private var retry: LoopToken?
  private var lossCheck: LoopToken?
  /// The selection that is being cleared at this moment.
  private var clearing: PasteboardName?
  private var failures = 0
  /// What is kept of other programs' content: for each of the selections where something is.
  private var keeping: [PasteboardName: KeepingRules]
  /// Programs ask the one who is this to save what they have, before they end.
  private var clipboardManager: ClipboardManagerToken?
  private let copies: RuntimeCopies
  private let secrets: SecretMemory

  private struct Selection {
    var changeCount: UInt64 = 0
    var watch: SelectionWatchToken?
    /// Keeps what other programs have there; nil where that is not wanted.
    var keeper: SelectionKeeper?
    /// What of ours is on it; nil where it is not ours.
    var published: Published?
    /// What was there when the display went, for when it is back.
    var lost: Published?
    /// The wait until what a dead owner had is published.
    var revival: LoopToken?
    /// Whether the service was the last to take it, as far as was told.
    var isOurs = false
    /// What a service that is started again finds of it.
    var copy: SelectionCopy?
  }

  private final class Published {
    let offer: Offer
    let byteCount: Int
    let isSensitive: Bool
    private let beginning = timeSinceBoot()

    init(_ offer: Offer, byteCount: Int) {
      self.offer = offer
      self.byteCount = byteCount
      isSensitive = !SensitivityMarker.markers(among: offer.targets.map(\.name)).isEmpty
    }

    /// What was handed over, where it may be handed over again at once.
    private var received: (description: OfferDescription, contents: SealedFile?)?

    func note(_ description: OfferDescription, _ contents: SealedFile?) {
      if offer.serving.isUnlimited { received = (description, contents) }
    }

    /// Whether something is the very content that was handed over a moment ago.
    ///
    /// Who copies what it is told of, with each copy told as a change again, would go on for ever
    /// (`wl-paste --watch clipview copy`).
    func isJust(_ description: OfferDescription, _ contents: SealedFile?) -> Bool {
      guard let received, timeSinceBoot() - beginning < Self.moment else { return false }
      return received.description == description && received.contents.hasSameBytes(as: contents)
    }

    private static let moment = Duration.milliseconds(500)

    /// The same for another connection, its terms counted on; nil where it is not to be offered again:
    /// what is secret, what was for one paste, and what has come to its end.
    var again: Offer? {
      guard !isSensitive, !offer.serving.isOnce else { return nil }
      let elapsed = timeSinceBoot() - beginning
      var again = offer
      if let lifetime = offer.serving.lifetime {
        guard lifetime > elapsed else { return nil }
        again.serving.lifetime = lifetime - elapsed
      }
      again.serving.guardTime = offer.serving.guardTime.flatMap {
        $0 > elapsed ? $0 - elapsed : nil
      }
      return again
    }
  }

  private static let managed: [PasteboardName] = [.clipboard, .primary, .secondary]

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
    }
    log.write(.fault, "display-lost", ["display": name])
    wait()
    return true
  }

  /// What was on a selection of a display that is gone, its own or of a program that went with it.
  private func noteLost(_ selection: PasteboardName) {
    if let published = selections[selection]?.published {
      selections[selection]?.lost = published
    } else if let held = selections[selection]?.keeper?.held {
      selections[selection]?.lost = Published(held.offer, byteCount: held.byteCount)
    }
  }

  /// The display is back: what was there is there again, unless somebody was faster.
  private func restore(on backend: any DisplayBackend) {
    for selection in Self.managed {
      guard let lost = selections[selection]?.lost else { continue }
      selections[selection]?.lost = nil
      guard backend.supports(selection), !backend.hasOwner(selection), let offer = lost.again else {
        continue
      }
      let result = serve(offer, byteCount: lost.byteCount, on: selection, backend)
      log.write(
        .notice, "restored",
        [
          "display": name, "selection": selection, "targets": offer.targets.count,
          "bytes": lost.byteCount, "result": result,
        ])
    }
  }

  private func wait() {
    let seconds = Self.waits[min(failures, Self.waits.count - 1)]
    failures += 1
    retry = loop.schedule(after: .seconds(seconds)) { [weak self] in self?.connect() }
  }

  // MARK: Changes

  /// Sets what is kept from now on; it counts for what is there already, too.
  func keep(_ rules: [PasteboardName: KeepingRules]) {
    let changed = Self.managed.filter { keeping[$0] != rules[$0] }
    keeping = rules
    for selection in changed {
      selections[selection]?.keeper = nil
      if rules[selection] == nil, selections[selection]?.published == nil {
        selections[selection]?.copy?.forget()
      }
    }
    if let backend { beginKeeping(on: backend) }
  }

  /// What is there already is kept as if it had just been copied; its owner is not replaced.
  private func beginKeeping(on backend: any SelectionBackend) {
    for (selection, rules) in keeping
    where selections[selection]?.keeper == nil && backend.supports(selection) {
      let keeper = SelectionKeeper(
        selection, on: backend, loop: loop, worker: worker, rules: rules,
        onDeath: { [weak self] in self?.revive($0, $1, on: selection) },
        onEnrichment: { [weak self] in self?.enrich($0, $1, on: selection) })
      keeper.onDrop = { [weak self, log, name] in
        self?.selections[selection]?.copy?.forget()
        log.write(
          .notice, "not-kept",
          ["display": name, "selection": selection, "reason": "files that were cut have gone"])
      }
      keeper.onCapture = { [weak self] in self?.captured($0, isWhole: $1, on: selection) }
      keeper.secrets = secrets
      if rules.remembersSecrets, backend.kind == .x11 {
        keeper.secretReader = SecretReader(selection, on: backend, loop: loop, secrets: secrets)
      }
      selections[selection, default: Selection()].keeper = keeper
      let isOurs = selections[selection]?.published != nil
      if backend.hasOwner(selection) { keeper.changed(.taken(by: nil), isOurs: isOurs) }
    }
    if keeping[.clipboard] == nil {
      clipboardManager = nil
    } else if clipboardManager == nil {
      clipboardManager = backend.manageClipboard { [weak self] in self?.save($0) }
    }
  }

  /// A program asks for what it has copied to be saved: it is about to end, and waits.
  private func save(_ request: SaveRequest) {
    guard let keeper = selections[.clipboard]?.keeper else { return request.answer(false) }
    keeper.save(
      SaveRequest(request.targets) { [log, name] isSaved in
        log.write(.notice, "save", ["display": name, "result": isSaved ? "saved" : "refused"])
        request.answer(isSaved)
      })
  }

  /// The owner has died.
  private func revive(_ offer: Offer, _ byteCount: Int, on selection: PasteboardName) {
    guard backend?.kind == .wayland else { return republish(offer, byteCount, on: selection) }
    // A program may clear before it sets: a compositor that knows us for the newer owner meanwhile would
    // refuse what it sets.
    selections[selection]?.revival = loop.schedule(after: Self.pauseForSuccessor) { [weak self] in
      self?.selections[selection]?.revival = nil
      self?.republish(offer, byteCount, on: selection)
    }
  }

  private static let pauseForSuccessor = Duration.milliseconds(20)

  /// What a living owner has is published with what can be made of it.
  private func enrich(_ offer: Offer, _ byteCount: Int, on selection: PasteboardName) {
    // Not from inside of a read of the very owner.
    loop.defer { [weak self] in
      guard let self, let backend = self.backend, backend.hasOwner(selection) else { return }
      let result = self.serve(offer, byteCount: byteCount, on: selection, backend)
      self.log.write(
        .notice, "enriched",
        [
          "display": self.name, "selection": selection, "targets": offer.targets.count,
          "bytes": byteCount, "result": result,
        ])
    }
  }

  private func republish(_ offer: Offer, _ byteCount: Int, on selection: PasteboardName) {
    guard let backend else { return }
    // Somebody may have copied meanwhile: that is what the user wants.
    guard !backend.hasOwner(selection) else { return }
    if selections[selection]?.copy?.restorable != nil {
      return publishRestorable(selection, on: backend)
    }
    switch serve(offer, byteCount: byteCount, on: selection, backend) {
    case .success:
      log.write(
        .notice, "kept",
        [
          "display": name, "selection": selection, "targets": offer.targets.count,
          "bytes": byteCount,
        ])
    case .failure(let failure):
      log.write(
        .fault, "not-kept", ["display": name, "selection": selection, "reason": failure])
    }
  }

  // MARK: The copy for a service that is started again

  /// Brings back what a service before this one had there, or this one before the display was lost.
  private func restoreCopy(of selection: PasteboardName, on backend: any SelectionBackend) {
    guard backend.supports(selection) else { return }
    let copy = SelectionCopy(
      place(of: selection), in: copies, keepsCaptures: keeping[selection] != nil)
    let changeCount = selections[selection]?.changeCount ?? 0
    selections[selection, default: Selection()].changeCount = max(
      changeCount, copy.restorable?.changeCount ?? 0)
    selections[selection]?.copy = copy
    // A living owner is adopted, not replaced.
    if !backend.hasOwner(selection) { publishRestorable(selection, on: backend) }
  }

  private func place(of selection: PasteboardName) -> ControlPlace {
    ControlPlace(display: name, name: selection.description)
  }

  private func publishRestorable(
    _ selection: PasteboardName, on backend: any SelectionBackend
  ) {
    guard let restored = selections[selection]?.copy?.takeRestorable(on: backend) else { return }
    let result = serve(
      restored.offer, byteCount: restored.byteCount, on: selection, backend)
    log.write(
      .notice, "restored",
      ["display": name, "selection": selection, "bytes": restored.byteCount, "result": result])
  }

  /// The owner that was adopted may have died before it could be read again.
  private func ownerEnded(_ selection: PasteboardName) {
    guard let backend, selections[selection]?.published == nil, !backend.hasOwner(selection)
    else { return }
    publishRestorable(selection, on: backend)
  }

  private func captured(
    _ answers: [ReceivedRepresentation], isWhole: Bool, on selection: PasteboardName
  ) {
    guard let backend, let state = selections[selection] else { return }
    // Of one that was adopted and died at once, all that was known before is better.
    if !isWhole, state.copy?.restorable != nil { return }
    state.copy?.captured(answers, on: backend, changeCount: state.changeCount)
  }

  private func keepCopy(
    of description: OfferDescription, _ contents: SealedFile?, _ offer: Offer,
    on selection: PasteboardName
  ) {
    guard let state = selections[selection], state.isOurs else { return }
    state.copy?.handedOver(description, contents, offer, changeCount: state.changeCount)
  }

  private func changed(_ selection: PasteboardName, _ change: SelectionChange) {
    let count = (selections[selection]?.changeCount ?? 0) + 1
    selections[selection, default: Selection()].changeCount = count
    let isOurs = backend?.isOurs(change, of: selection) ?? false
    // Wayland tells no clear from a death: that it was meant is known of our own alone.
    let change = change == .ownerEnded && selection == clearing ? .cleared : change
    if case .taken = change { selections[selection]?.revival = nil }
    selections[selection]?.isOurs = isOurs
    if isOurs {
      selections[selection]?.copy?.settle()
    } else if change != .ownerEnded {
      selections[selection]?.copy?.forget()
    }
    selections[selection]?.keeper?.changed(change, isOurs: isOurs)
    if change == .ownerEnded { ownerEnded(selection) }
    switch change {
    case .taken: onChange(selection, count, .written)
    case .cleared: onChange(selection, count, .cleared)
    case .ownerEnded: onChange(selection, count, .ended)
    }
  }

  /// Has the display done all that it was asked to by anybody, and calls with the change count when
  /// everything that was to be told of it has been.
  func synchronize(
    _ selection: PasteboardName, _ completion: @escaping (Result<UInt64, ControlFailure>) -> Void
  ) {
    guard let backend, backend.supports(selection) else { return completion(.failure(.notManaged)) }
    backend.synchronize()
    settle(selection, after: nil, hops: 16, completion)
  }

  /// What the round trip brought is handled in the next turn; where that was much, in the one after.
  private func settle(
    _ selection: PasteboardName, after count: UInt64?, hops: Int,
    _ completion: @escaping (Result<UInt64, ControlFailure>) -> Void
  ) {
    settling.add(
      loop.schedule(after: .zero) { [weak self] in
        self?.settling.takeFirst()
        guard let self, self.backend != nil else { return completion(.failure(.connectionLost)) }
        let now = self.selections[selection]?.changeCount ?? 0
        if now == count || hops == 0 { return completion(.success(now)) }
        self.settle(selection, after: now, hops: hops - 1, completion)
      })
  }

  /// The waits of those who are answered in the next turn, in their order.
  private let settling = TokenQueue()

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
    if let present = selections[selection]?.published, present.isJust(description, contents) {
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
  private func serve(
    _ offer: Offer, byteCount: Int, on selection: PasteboardName, _ backend: any SelectionBackend
  ) -> Result<Void, OwnershipFailure> {
    let published = Published(offer, byteCount: byteCount)
    let result = backend.publish(offer, to: selection) { [weak self] in
      self?.ended(selection, published)
    }
    guard case .success = result else { return result }
    selections[selection, default: Selection()].published = published
    return result
  }

  private func ended(_ selection: PasteboardName, _ published: Published) {
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
    // What a dead owner had is not to come back either.
    selections[selection]?.revival = nil
    let result = backend.clear(selection)
    clearing = nil
    switch result {
    case .success: synchronize(selection, completion)
    case .failure(let failure): completion(.failure(ControlFailure(failure)))
    }
  }

  // MARK: The guard

  private var supervisor: ServingSupervisor {
    ServingSupervisor(
      isGuarded: { [guardian] selection in
        guardian.remaining(for: selection.description) != nil
      },
      onRefusal: { [guardian, name] selection, target in
        guardian.noteRefusal(
          display: name, name: selection.description, target: target,
          for: guardian.remaining(for: selection.description))
      })
  }

  /// Ends the guards that offers brought along.
  func liftGuards(of name: String?) {
    for selection in Self.managed where name == nil || selection.description == name {
      backend?.liftGuard(of: selection)
    }
  }

  /// The selections that other programs serve.
  func unguarded(_ name: String?) -> [ControlPlace] {
    guard let backend else { return [] }
    return Self.managed.filter { selection in
      (name == nil || selection.description == name) && backend.supports(selection)
        && selections[selection]?.published == nil && backend.hasOwner(selection)
    }.map { ControlPlace(display: self.name, name: $0.description) }
  }

  // MARK: State

  var status: [ControlStatus.Pasteboard] {
    guard let backend else { return [] }
    return Self.managed.filter { backend.supports($0) }.map { name in
      let selection = selections[name] ?? Selection()
      let published = selection.published
      let holder: ControlStatus.Holder =
        published != nil ? .service : backend.hasOwner(name) ? .otherProgram : .nobody
      return ControlStatus.Pasteboard(
        place: place(of: name),
        changeCount: selection.changeCount, holder: holder,
        targetCount: published?.offer.targets.count ?? 0,
        byteCount: published?.byteCount ?? selection.keeper?.byteCount ?? 0,
        isSensitive: published?.isSensitive ?? selection.keeper?.isSecret ?? false,
        leftOut: ControlStatus.Pasteboard.listing(selection.keeper?.leftOut ?? []))
    }
  }
}

extension SealedFile? {
  /// Larger ones are not compared: that would hold everybody up.
  private static var maximumCompared: Int { 16 << 20 }

  fileprivate func hasSameBytes(as other: SealedFile?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    guard self.count == other.count, self.count <= Self.maximumCompared else { return false }
    return unsafe self.bytes.elementsEqual(other.bytes)
  }
}

/// Timers that fire in the order in which they were set.
private final class TokenQueue {
  private var tokens: [LoopToken] = []
  func add(_ token: LoopToken) { tokens.append(token) }
  func takeFirst() { if !tokens.isEmpty { tokens.removeFirst() } }
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
