import EventLoop
import Pasteboard
import SelectionCore

/// What other programs copied outlives them.
extension ManagedDisplay {
  /// Sets what is kept from now on; it counts for what is there already, too.
  func keep(_ rules: [PasteboardName: KeepingRules]) {
    let changed = Self.managed.filter { keeping[$0] != rules[$0] }
    keeping = rules
    for selection in changed {
      if let names = selections[selection]?.keeper?.ownerNames {
        selections[selection]?.ownerNames = names
      }
      selections[selection]?.keeper = nil
      if rules[selection] == nil, present(on: selection) == nil {
        selections[selection]?.revival = nil
        selections[selection]?.copy?.forget()
      }
    }
    if let backend { beginKeeping(on: backend) }
  }

  /// What is there already is kept as if it had just been copied; its owner is not replaced.
  func beginKeeping(on backend: any DisplayBackend) {
    for (selection, rules) in keeping
    where selections[selection]?.keeper == nil && backend.supports(selection) {
      let keeper = SelectionKeeper(
        selection, on: backend, loop: loop, worker: worker, rules: rules,
        onDeath: { [weak self] in self?.revive($0, $1, on: selection) },
        onEnrichment: { [weak self] in self?.enrich($0, $1, on: selection) })
      keeper.onDrop = { [weak self] in self?.dropCutFiles(on: selection) }
      keeper.onCapture = { [weak self] in self?.captured($0, isWhole: $1, on: selection) }
      keeper.secrets = secrets
      if rules.remembersSecrets, backend.kind == .x11 {
        keeper.secretReader = SecretReader(selection, on: backend, loop: loop, secrets: secrets)
      }
      selections[selection, default: Selection()].keeper = keeper
      if backend.hasOwner(selection) {
        keeper.changed(
          .taken(by: nil), isOurs: backend.isServing(selection),
          by: selections[selection]?.ownerNames ?? [])
      }
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
    awaitSuccessor(on: selection) { $0.republish(offer, byteCount, on: selection) }
  }

  /// Goes on when it is known that nobody follows a dead owner, unless somebody does.
  func awaitSuccessor(
    on selection: PasteboardName, _ proceed: @escaping (ManagedDisplay) -> Void
  ) {
    guard let backend else { return proceed(self) }
    let wait = SuccessorWait.begin(on: backend.kind, loop) { [weak self] in
      guard let self else { return }
      self.selections[selection]?.revival = nil
      proceed(self)
    }
    if let wait { selections[selection]?.revival = wait }
  }

  /// What a living owner has is published with what can be made of it.
  private func enrich(_ offer: Offer, _ byteCount: Int, on selection: PasteboardName) {
    let count = selections[selection]?.changeCount
    // Not from inside of a read of the very owner.
    loop.defer { [weak self] in
      guard let self, let backend = self.backend, backend.hasOwner(selection),
        self.selections[selection]?.changeCount == count
      else { return }
      self.serve(
        offer, byteCount: byteCount, on: selection, backend, continuing: nil, loggedAs: "enriched")
    }
  }

  private func republish(_ offer: Offer, _ byteCount: Int, on selection: PasteboardName) {
    guard let backend else { return }
    // Somebody may have copied meanwhile: that is what the user wants.
    guard !backend.hasOwner(selection) else { return }
    if selections[selection]?.copy?.restorable != nil {
      return publishRestorable(selection, on: backend)
    }
    serve(
      offer, byteCount: byteCount, on: selection, backend,
      continuing: selections[selection]?.changeTime, loggedAs: "kept")
  }
}
