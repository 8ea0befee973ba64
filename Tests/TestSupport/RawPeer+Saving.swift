internal import Synchronization

/// What a program does that is about to end, and what a manager of the clipboard does for it.
extension RawPeer {
  /// How a program names what it wants to be saved.
  package enum SaveForm: Hashable, Sendable {
    /// With no property in the request, as ICCCM's oldest clients ask: all of it.
    case bare
    /// With a property that has nothing in it, as Qt asks: all of it.
    case emptyProperty
    /// With a list of targets in the property, as GTK asks.
    case list([String])
  }

  /// Asks the clipboard manager to save what this peer has, and answers what it asks meanwhile.
  package func save(_ form: SaveForm, timeout: Double = 10) throws -> RawAnswer {
    guard case .list(let targets) = form else {
      return try ask(
        "SAVE_TARGETS", of: "CLIPBOARD_MANAGER",
        property: form == .bare ? "" : "CLIPVIEW_TEST", timeout: timeout)
    }
    let place = try atom("CLIPVIEW_TEST")
    let atoms = try targets.map { try atom($0) }
    try setProperty(place, of: window, type: try atom("ATOM"), format: 32, littleEndian(atoms))
    let asked = try convert("SAVE_TARGETS", of: "CLIPBOARD_MANAGER")
    let target = try atom("SAVE_TARGETS")
    switch try answer(to: target, in: place, at: asked, Deadline(after: timeout)) {
    case nil: return .unanswered
    case 0: return .refused
    case _?: return try take(place, timeout: timeout, chunkLimit: nil)
    }
  }

  // MARK: Windows

  /// Puts one of its windows on the screen.
  package func show(_ window: UInt32) throws {
    try send(opcode: 8, about: window)
  }

  /// Takes one of its windows off the screen.
  package func hide(_ window: UInt32) throws {
    try send(opcode: 10, about: window)
  }

  /// Tells which windows are shown, as a window manager does.
  package func listManagedWindows(_ windows: [UInt32]) throws {
    try setProperty(
      try atom("_NET_CLIENT_LIST"), of: wire.rootWindow, type: try atom("WINDOW"), format: 32,
      littleEndian(windows))
    try synchronize()
  }

  // MARK: Managers

  /// Has the coming of managers reported (ICCCM 2.8).
  package func watchManagers() throws {
    var select = WireRequest(opcode: 2)
    select.append([wire.rootWindow, 0x0800, 0x0002_0000])
    try wire.send(select)
    try synchronize()
  }

  /// Waits for the next manager to come; what it said: a time, its selection and its window.
  package func nextManager(
    within seconds: Double = 10
  ) throws -> (time: UInt32, selection: String, window: UInt32)? {
    let manager = try atom("MANAGER")
    let values = try wait(Deadline(after: seconds)) { event -> [UInt32]? in
      guard case .message(wire.rootWindow, manager, let values) = event else { return nil }
      return values
    }
    guard let values else { return nil }
    return (values[0], try name(of: values[1]), values[2])
  }
}

extension BackgroundPeer {
  /// Asks the clipboard manager to save what this peer has.
  package func save(_ form: RawPeer.SaveForm) throws -> RawAnswer {
    let answer = SavedAnswer()
    try perform { peer in
      let value = try peer.save(form)
      answer.value.withLock { $0 = value }
    }
    return answer.value.withLock { $0 }
  }
}

private final class SavedAnswer: Sendable {
  let value = Mutex(RawAnswer.unanswered)
}
