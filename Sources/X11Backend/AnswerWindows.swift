/// The windows that answers come to: one for each conversion under way at the same time.
///
/// Programs go on with one answer by INCR to a window and forget the others there: GTK's, and Qt's on
/// their way out. So each conversion has a window to itself, the first one that of the connection; others
/// are made as needed and used again. Only the parts of a MULTIPLE share one, which it says itself.
///
/// A window where a conversion was given up is not used again: GTK holds it for occupied for half a
/// minute. It is destroyed, but not before its owner has done what it was about to do: many programs die
/// of the error that writing to a window brings which has just gone.
struct AnswerWindows {
  /// More than this many are never kept for owners that may be dead.
  private static let maximumSpoiled = 32

  private let connection: X11Connection
  private let main: AnswerWindow
  private var others: [AnswerWindow] = []

  init(_ connection: X11Connection) {
    self.connection = connection
    main = AnswerWindow(connection.window, names: connection.atoms.transferProperties)
  }

  /// A place for an answer, on a window to itself where none is given.
  mutating func take(on window: AnswerWindow? = nil) -> AnswerPlace {
    let window = window ?? idle()
    let property = window.take { [connection] in connection.atom(named: "_CLIPVIEW_\($0)") }
    return AnswerPlace(window: window, property: property)
  }

  private mutating func idle() -> AnswerWindow {
    if main.isIdle { return main }
    for window in others where window.isIdle { return window }
    let window = AnswerWindow(
      connection.makeAnswerWindow(), names: connection.atoms.transferProperties)
    others.append(window)
    return window
  }

  /// Gives a place back whose value was taken.
  mutating func putBack(_ place: AnswerPlace) {
    place.window.giveBack(place.property)
    settle(place.window)
  }

  /// Gives a place back where nothing is expected.
  ///
  /// What lies there all the same, put there by us or by an owner that then refused, must not be taken
  /// for the answer of the next.
  mutating func clearAndPutBack(_ place: AnswerPlace) {
    connection.deleteProperty(place.property, of: place.window.id)
    place.window.giveBack(place.property)
    settle(place.window)
  }

  /// Gives a place up where something may still come.
  mutating func giveUp(_ place: AnswerPlace, awaiting what: AnswerWindow.Awaited) {
    place.window.giveUp(place.property, awaiting: what)
    settle(place.window)
    let spoiled = others.filter { $0.isSpoiled && $0.users == 0 }
    if spoiled.count > Self.maximumSpoiled { destroy(spoiled[0]) }
  }

  // MARK: What comes late

  /// The window that an answer came to.
  ///
  /// Answers say so themselves, and owners say what they like; what names no window of ours came to
  /// one of them all the same.
  func window(named id: WindowID) -> WindowID { find(id)?.id ?? main.id }

  /// An answer came that nobody waits for any more: it must not lie about in the server.
  ///
  /// Properties that were not given up are left alone, whoever names them.
  mutating func discardLateAnswer(in property: AtomID, on id: WindowID) {
    guard let window = find(id), window.hasCome(.answer, in: property) else { return }
    // To take an announcement away is to ask for the first chunk.
    if let value = connection.readProperty(property, of: id, limit: 0),
      value.type != connection.atoms.incremental
    {
      connection.deleteProperty(property, of: id)
    }
    settle(window)
  }

  mutating func noteLateRefusal(on id: WindowID) {
    guard let window = find(id), window.hasCome(.answer, in: nil) else { return }
    settle(window)
  }

  mutating func noteLateValue(in property: AtomID, on id: WindowID) {
    guard let window = find(id), window.hasCome(.value, in: property) else { return }
    settle(window)
  }

  private func find(_ id: WindowID) -> AnswerWindow? {
    if id == main.id { return main }
    for window in others where window.id == id { return window }
    return nil
  }

  private mutating func settle(_ window: AnswerWindow) {
    if window.isDoneWith { destroy(window) }
  }

  /// That of the connection stays, and is used for no more answers.
  private mutating func destroy(_ window: AnswerWindow) {
    guard window !== main else { return }
    others.removeAll { $0 === window }
    connection.destroy(window.id)
  }
}
