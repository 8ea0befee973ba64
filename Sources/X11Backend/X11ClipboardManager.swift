package import SelectionCore

/// Holds `CLIPBOARD_MANAGER`: what programs ask, when they end, to save what they have on the clipboard.
///
/// The shell around ``ManagerSelection``. Answers, to `SAVE_TARGETS` above all, are given by an ordinary
/// publication that has nothing to offer.
final class X11ClipboardManager {
  private static let selectionName = "CLIPBOARD_MANAGER"
  private static let saveTargetsName = "SAVE_TARGETS"

  private unowned let backend: X11Backend
  private let selection: AtomID
  private let saveTargets: AtomID
  private let onSave: (SaveRequest) -> Void
  private var machine = ManagerSelection()
  private var watch: SelectionWatchToken?
  private var publication: X11Publication?
  private var clipboardWatch: SelectionWatchToken?
  /// The clipboard's owner as far as was told, nil where the server does not tell.
  ///
  /// What counts is who owned it when the request was made, not who does now: the server tells all of it
  /// in its order, and a program may be gone as soon as it has asked.
  private var clipboardOwner: WindowID?

  init(_ backend: X11Backend, onSave: @escaping (SaveRequest) -> Void) {
    self.backend = backend
    self.onSave = onSave
    let atoms = backend.connection.atoms(
      named: [Self.selectionName, Self.saveTargetsName] + ServingAtoms.names
        + [X11SideEffect.resultType, "MANAGER"])
    (selection, saveTargets) = (atoms[0], atoms[1])
    // Where the server does not tell who comes and goes, the first moment is the only one.
    if case .success(let token) = backend.watch(selection, { [weak self] _ in self?.changed() }) {
      watch = token
    }
    watchClipboard()
    if backend.connection.owner(of: selection) == .none { feed(.vacant) }
  }

  private func watchClipboard() {
    let clipboard = backend.connection.atoms.clipboard
    let result = backend.watch(clipboard) { [weak self] change in
      if case .taken(let window?) = change {
        self?.clipboardOwner = WindowID(window)
      } else {
        self?.clipboardOwner = WindowID.none
      }
    }
    guard case .success(let token) = result else { return }
    clipboardWatch = token
    clipboardOwner = backend.connection.owner(of: clipboard)
  }

  /// The convention (freedesktop.org, ClipboardManager) is for the owner alone, by whichever of its
  /// windows: nobody else knows whether the content is about to go, and what a program leaves on its way
  /// out is kept, which nobody but itself may bring about.
  private func isOfOwner(_ requestor: WindowID) -> Bool {
    let connection = backend.connection
    let owner = clipboardOwner ?? connection.owner(of: connection.atoms.clipboard)
    return owner != .none && connection.client(of: owner) == connection.client(of: requestor)
  }

  private func changed() {
    // What is told may be over: what counts is who has it now.
    let owner = backend.connection.owner(of: selection)
    if owner == .none {
      feed(.vacant)
    } else if owner != publication?.window {
      feed(.taken)
    }
  }

  /// Leaves the selection, so that another manager can have it.
  func end() {
    watch = nil
    clipboardWatch = nil
    feed(.ended)
  }

  private func feed(_ event: ManagerSelection.Event) {
    for action in machine.handle(event) {
      switch action {
      case .take: take()
      case .announce:
        guard let publication else { continue }
        backend.connection.announceManager(
          publication.window, of: selection, since: publication.acquired)
      case .release: release()
      }
    }
  }

  private func take() {
    let connection = backend.connection
    let window = connection.makeWindow(ofClass: "clipd\0clipd\0")
    // ICCCM 2.1: a time of the server, and whether it worked is seen only by asking.
    let time = connection.serverTime()
    connection.setOwner(window, of: selection, at: time)
    guard !connection.isLost, connection.owner(of: selection) == window else {
      connection.destroy(window)
      return feed(.beaten)
    }
    let effect = X11SideEffect(
      target: saveTargets, admits: { [weak self] in self?.isOfOwner($0) ?? false },
      perform: { [weak self] in self?.save($0, $1) })
    publication = backend.serve(
      Offer(), as: selection, by: window, acquired: time, [saveTargets], sideEffect: effect
    ) { [weak connection] in
      // Those who had asked were answered.
      connection?.destroy(window)
    }
    feed(.won)
  }

  private func release() {
    guard let publication else { return }
    self.publication = nil
    publication.release()
    publication.lose()
  }

  private func save(_ targets: [AtomID]?, _ completion: @escaping (Bool) -> Void) {
    let names = targets.map { backend.connection.names(of: $0).compactMap { $0 } }
    onSave(SaveRequest(names, onAnswer: completion))
  }
}

extension X11Backend {
  package func manageClipboard(
    _ onSave: @escaping (SaveRequest) -> Void
  ) -> ClipboardManagerToken? {
    let manager = X11ClipboardManager(self, onSave: onSave)
    connection.flush()
    return ClipboardManagerToken { [weak self] in
      // Where the display is gone there is nothing to be left.
      if self != nil { manager.end() }
    }
  }
}
