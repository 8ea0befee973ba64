import ClipboardCore
import ControlProtocol
import DaemonBackend
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// The pasteboards that no display knows: each has a name, content, and a count of its changes.
final class NamedPasteboards {
  /// One change, told to those who watch.
  struct Change {
    let name: String
    let count: UInt64
    let kind: ControlChange
  }

  var limits: Limits
  private var slots: [ExactName: Slot] = [:]
  private let loop: any EventLoop
  private let worker: Worker
  private let guardian: PasteGuard
  private let copies: RuntimeCopies
  private let secrets: SecretMemory
  private let onChange: (Change) -> Void
  private var making: [UInt64: LoopToken] = [:]
  private var lastMaking: UInt64 = 0

  /// A pasteboard stays for its count, also when there is nothing on it.
  private struct Slot {
    var changeCount: UInt64 = 0
    var content: ServedContent?
    var byteCount: Int { content?.byteCount ?? 0 }
  }

  struct Limits {
    var pasteboards = 1000
    var totalBytes = 4 << 30
  }

  init(
    limits: Limits, loop: any EventLoop, worker: Worker, guardian: PasteGuard,
    copies: RuntimeCopies, secrets: SecretMemory,
    onChange: @escaping (Change) -> Void
  ) {
    self.limits = limits
    self.loop = loop
    self.worker = worker
    self.guardian = guardian
    self.copies = copies
    self.secrets = secrets
    self.onChange = onChange
  }

  func changeCount(of name: String) -> UInt64 {
    slots[ExactName(name)]?.changeCount ?? 0
  }

  // MARK: Writing

  /// Puts an offer on a pasteboard, in the place of what is there.
  func publish(
    _ description: OfferDescription, contents file: SealedFile?, on name: String
  ) -> Result<UInt64, ControlFailure> {
    let result = serve(description, contents: file, on: name)
    if case .success(let count) = result, let content = content(of: name) {
      let place = ControlPlace(display: nil, name: name)
      copies.put(description, file, content.offer, at: place, changeCount: count)
    }
    return result
  }

  private func serve(
    _ description: OfferDescription, contents file: SealedFile?, on name: String
  ) -> Result<UInt64, ControlFailure> {
    guard
      var offer = Offer(description, contents: file, table: .standard, in: .current),
      !offer.targets.isEmpty
    else { return .failure(.malformed) }
    secrets.mark(&offer)
    let key = ExactName(name)
    let held = slots.filter { $0.key != key }.values.reduce(0) { $0 + $1.byteCount }
    guard held + (file?.count ?? 0) <= limits.totalBytes,
      slots[key] != nil || slots.count < limits.pasteboards
    else { return .failure(.busy) }
    let isSensitive = !SensitivityMarker.markers(among: offer.targets.map(\.name)).isEmpty
    let served = ServedContent(offer, contents: file, isSensitive: isSensitive, loop: loop) {
      [weak self] in self?.end(name)
    }
    return .success(replace(name, by: served, .written))
  }

  /// Brings back what a service before this one had, with the counts that it had.
  ///
  /// - Parameter onRestore: Called for each that is there again, at once or when it could be read.
  func restore(_ onRestore: @escaping (KeptCopy) -> Void) {
    copies.restoreNamed { [weak self] copy in
      guard let self, copy.place.display == nil,
        case .handedOver(let description, let payload) = copy.content
      else { return true }
      let contents: SealedFile
      do throws(Errno) {
        contents = try SealedFile(copyOf: payload)
      } catch {
        self.copies.noteUnused(copy.place, error)
        return false
      }
      let count = max(self.changeCount(of: copy.place.name), copy.changeCount)
      self.slots[ExactName(copy.place.name)] = Slot(changeCount: max(1, count) - 1)
      let result = self.serve(description, contents: contents, on: copy.place.name)
      if case .success = result { onRestore(copy) }
      return true
    }
  }

  func clear(_ name: String) -> UInt64 {
    // An empty one is done already.
    guard content(of: name) != nil else { return changeCount(of: name) }
    return replace(name, by: nil, .cleared)
  }

  /// The terms on which it was served are at their end.
  private func end(_ name: String) {
    if content(of: name) != nil { _ = replace(name, by: nil, .ended) }
  }

  private func content(of name: String) -> ServedContent? { slots[ExactName(name)]?.content }

  private func replace(
    _ name: String, by served: ServedContent?, _ kind: ControlChange
  ) -> UInt64 {
    var slot = slots[ExactName(name)] ?? Slot()
    let old = slot.content
    old?.stop()
    slot.content = served
    if served == nil { copies.remove(ControlPlace(display: nil, name: name)) }
    slot.changeCount += 1
    slots[ExactName(name)] = slot
    onChange(Change(name: name, count: slot.changeCount, kind: kind))
    // What was large leaves holes behind in what the process has of the system.
    if let old, old.byteCount > 1 << 20 { loop.defer { giveBackFreedMemory() } }
    return slot.changeCount
  }

  // MARK: Reading

  func targets(of name: String) -> [String]? { content(of: name)?.names }

  enum Answer {
    case content(ControlContent, SealedFile?)
    case failure(ControlFailure)
  }

  /// Reads a target; what has to be made is made on the worker, and others are served meanwhile.
  ///
  /// - Parameter completion: Called once, before the call returns or later, with the content's own
  ///   way of being told whether it arrived.
  func read(
    _ target: String, of name: String, changeCount count: UInt64, by reader: ReaderID,
    _ completion: @escaping (Answer, _ noteEnd: @escaping (_ wasDelivered: Bool) -> Void) -> Void
  ) {
    func fail(_ failure: ControlFailure) { completion(.failure(failure), { _ in }) }
    guard let served = content(of: name) else { return fail(.empty) }
    guard count == changeCount(of: name) else { return fail(.changed) }
    if target == ServingTerms.target, let terms = served.terms {
      return completion(Self.answer(with: terms, of: target), { _ in })
    }
    guard let offered = served.offer.target(named: target) else { return fail(.refused) }
    func refuse(for time: Duration) {
      guardian.noteRefusal(display: nil, name: name, target: offered.name, for: time)
      fail(.guarded(milliseconds: time.wholeMilliseconds))
    }
    // First: what nobody gets does not use up what is served once.
    if let time = guardian.remaining(for: name), !served.offer.isMark(offered) {
      return refuse(for: time)
    }
    switch served.admits(offered, to: reader) {
    case .granted: break
    case .refused: return fail(.refused)
    case .guarded(let time): return refuse(for: time)
    }
    func finish(_ payload: Payload?) {
      guard let payload, let found = try? served.file(for: payload, of: offered.name) else {
        served.noteEnd(of: offered, to: reader, wasDelivered: false)
        return fail(.refused)
      }
      let content = ControlContent(
        typeName: offered.typeName, format: UInt8(clamping: offered.format), range: found.range)
      completion(.content(content, found.file)) { wasDelivered in
        served.noteEnd(of: offered, to: reader, wasDelivered: wasDelivered)
      }
    }
    switch offered.content.state {
    case .there(let payload): finish(payload)
    case .refused: finish(nil)
    case .toBeMade: make(offered.content, finish)
    }
  }

  private func make(_ content: ContentSource, _ completion: @escaping (Payload?) -> Void) {
    lastMaking += 1
    let number = lastMaking
    let token = worker.run({ try content.payload() }) { [weak self] result in
      self?.making[number] = nil
      completion(try? result.get())
    }
    guard let token else { return completion(nil) }
    making[number] = token
  }

  /// Something small that changes from moment to moment.
  private static func answer(with payload: Payload, of target: String) -> Answer {
    guard let file = try? SealedFile(copyOf: payload) else { return .failure(.busy) }
    return .content(
      ControlContent(
        typeName: target, format: 8, range: AttachedRange(offset: 0, count: payload.count)), file)
  }

  /// Ends the guards that offers brought along.
  func liftGuards(of name: String?) {
    for (key, slot) in slots where name == nil || name.map(ExactName.init) == key {
      slot.content?.liftGuard()
    }
  }

  /// A program that may have read something is gone.
  func readerGone(_ reader: ReaderID) {
    for slot in slots.values { slot.content?.readerGone(reader) }
  }

  // MARK: State

  /// In the order of their names.
  var status: [ControlStatus.Pasteboard] {
    let named = slots.map { (name: $0.key.name, slot: $0.value) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return named.map { name, slot in
      ControlStatus.Pasteboard(
        place: ControlPlace(display: nil, name: name), changeCount: slot.changeCount,
        holder: slot.content == nil ? .nobody : .service,
        targetCount: slot.content?.names.count ?? 0, byteCount: slot.byteCount,
        isSensitive: slot.content?.isSensitive ?? false)
    }
  }
}
