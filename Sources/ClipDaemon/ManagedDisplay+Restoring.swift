import ClipboardCore
import ControlProtocol
import DaemonBackend
import Pasteboard
import SelectionCore
import SystemIO

/// What was there comes back: when the display does, and in a service that is started again.
extension ManagedDisplay {
  // MARK: After a loss

  /// What was on a selection of a display that is gone, its own or of a program that went with it.
  func noteLost(_ selection: PasteboardName) {
    guard let state = selections[selection] else { return }
    let held = state.keeper?.held.map {
      PublishedContent($0.offer, byteCount: $0.byteCount, loop: loop)
    }
    // Ours may have been replaced, and still be read by somebody.
    selections[selection]?.lost =
      state.isOurs ? state.published ?? held : held ?? state.published
    selections[selection]?.lostTime = state.changeTime
  }

  /// The display is back: what was there is there again, unless somebody was faster.
  func restore(on backend: any DisplayBackend) {
    for selection in Self.managed {
      guard let lost = selections[selection]?.lost else { continue }
      selections[selection]?.lost = nil
      guard backend.supports(selection), !backend.hasOwner(selection), let offer = lost.again else {
        continue
      }
      serve(
        offer, byteCount: lost.byteCount, on: selection, backend,
        continuing: selections[selection]?.lostTime, loggedAs: "restored")
    }
  }

  // MARK: The copy for a service that is started again

  /// Brings back what a service before this one had there, or this one before the display was lost.
  func restoreCopy(of selection: PasteboardName, on backend: any DisplayBackend) {
    guard backend.supports(selection) else { return }
    let copy = SelectionCopy(
      place(of: selection), in: copies, keepsCaptures: keeping[selection] != nil,
      onLate: { [weak self] in self?.publishLate(selection) })
    let changeCount = selections[selection]?.changeCount ?? 0
    selections[selection, default: Selection()].changeCount = max(
      changeCount, copy.restorable?.changeCount ?? 0)
    selections[selection]?.copy = copy
    // A living owner is adopted, not replaced.
    if backend.hasOwner(selection) {
      adopt(selection, on: backend)
    } else {
      publishRestorable(selection, on: backend)
    }
  }

  /// What could not be read or used at first can be now: it is published where nobody has come meanwhile.
  private func publishLate(_ selection: PasteboardName) {
    guard let backend, let state = selections[selection] else { return }
    selections[selection]?.changeCount = max(
      state.changeCount, state.copy?.restorable?.changeCount ?? 0)
    if !backend.hasOwner(selection) { publishRestorable(selection, on: backend) }
  }

  /// Asks an owner that was there already since when it is, which nobody else tells.
  private func adopt(_ selection: PasteboardName, on backend: any SelectionBackend) {
    guard backend.kind == .x11, let count = selections[selection]?.changeCount,
      selections[selection]?.changeTime == nil
    else { return }
    let deadline = ProgressDeadline(.seconds(5), startingAt: backend.clock)
    backend.read(
      "TIMESTAMP", of: selection, in: ReadOwnership(), deadline: deadline, limit: 64
    ) { [weak self] result in
      guard case .success(let answer) = result, answer.format == 32, answer.payload.count == 4,
        let self, self.selections[selection]?.changeCount == count
      else { return }
      let value = unsafe answer.payload.bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(as: UInt32.self)
      }
      if value != 0 { self.selections[selection]?.changeTime = ServerTime(value) }
    }
  }

  /// The owner has ended, which may have been found there and never read: what is known from before is
  /// not put in the place of something newer.
  func dropOlderCopy(of selection: PasteboardName) {
    guard let state = selections[selection], state.copy?.ownerEnded(since: state.changeTime) == true
    else { return }
    log.write(
      .notice, "not-restored", ["display": name, "selection": selection, "reason": "replaced"])
  }

  func publishRestorable(_ selection: PasteboardName, on backend: any DisplayBackend) {
    guard let restored = selections[selection]?.copy?.takeRestorable(on: backend) else { return }
    guard let files = restored.cutFiles else { return publish(restored, on: selection, backend) }
    // Whoever copies or clears meanwhile ends the wait.
    let check = CutFilesCheck(files, loop: loop, worker: worker)
    selections[selection]?.revival = check
    check.ask { [weak self] isGood in
      guard let self, let backend = self.backend else { return }
      self.selections[selection]?.revival = nil
      if !isGood { return self.dropCutFiles(on: selection) }
      if !backend.hasOwner(selection) { self.publish(restored, on: selection, backend) }
    }
  }

  /// Files that were cut are somewhere else by now: nothing of them is left to be pasted.
  func dropCutFiles(on selection: PasteboardName) {
    selections[selection]?.copy?.forget()
    log.write(
      .notice, "not-kept",
      ["display": name, "selection": selection, "reason": "files that were cut have gone"])
  }

  private func publish(
    _ restored: SelectionCopy.Restored, on selection: PasteboardName,
    _ backend: any DisplayBackend
  ) {
    let result = serve(
      restored.offer, byteCount: restored.byteCount, on: selection, backend,
      continuing: restored.changeTime, loggedAs: "restored")
    // Whoever has had it since, and is gone as well, or has cleared it, is not to be undone. Where the
    // display went, it is there for the next.
    if case .failure(.contested) = result { selections[selection]?.copy?.forget() }
  }

  /// The owner that was adopted may have died before it could be read again.
  func ownerEnded(_ selection: PasteboardName) {
    guard let state = selections[selection], state.copy?.restorable != nil, state.revival == nil
    else { return }
    awaitSuccessor(on: selection) { display in
      guard let backend = display.backend, !backend.hasOwner(selection) else { return }
      display.publishRestorable(selection, on: backend)
    }
  }

  func captured(
    _ answers: [ReceivedRepresentation], isWhole: Bool, on selection: PasteboardName
  ) {
    guard let backend, let state = selections[selection] else { return }
    // Of one that was adopted and died at once, all that was known before is better.
    if !isWhole, state.copy?.restorable != nil { return }
    state.copy?.captured(
      answers, on: backend, changeCount: state.changeCount, changeTime: state.changeTime)
  }

  func keepCopy(
    of description: OfferDescription, _ contents: SealedFile?, _ offer: Offer,
    on selection: PasteboardName
  ) {
    guard let state = selections[selection], state.isOurs else { return }
    state.copy?.handedOver(
      description, contents, offer, changeCount: state.changeCount, changeTime: state.changeTime)
  }
}
