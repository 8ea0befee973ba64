import ClipboardCore
import ControlProtocol
import DaemonBackend
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// The runtime copy of one selection of a display: written when content is there, read when the
/// display is opened.
final class SelectionCopy {
  /// What was there when the display was opened, as long as nothing else is known of the selection.
  private(set) var restorable: KeptCopy?
  /// Whether there may be something that could not be read yet.
  private var isUnread = false
  /// Whether meanwhile an owner has ended, of which nothing else may tell whether it came later.
  private var hasOwnerEnded = false
  /// Called when something was read, or can be used, only later.
  private let onLate: () -> Void
  /// What of another program's content is written down.
  private var captured: [String]?
  /// The time that is written down with it.
  private var writtenTime: ServerTime?
  /// How often a time was to be noted, or what is written down was to be something else.
  private var notes = 0
  private let place: ControlPlace
  private let copies: RuntimeCopies

  /// - Parameter keepsCaptures: Whether content of other programs is kept at all.
  init(
    _ place: ControlPlace, in copies: RuntimeCopies, keepsCaptures: Bool,
    onLate: @escaping () -> Void
  ) {
    self.place = place
    self.copies = copies
    self.onLate = onLate
    read(keepsCaptures: keepsCaptures)
    guard isUnread else { return }
    copies.retries.add { [weak self] in
      guard let self, self.isUnread else { return true }
      self.read(keepsCaptures: keepsCaptures)
      if self.restorable != nil { self.onLate() }
      return !self.isUnread
    }
  }

  private func read(keepsCaptures: Bool) {
    isUnread = false
    switch copies.copy(of: place) {
    case .nothing: break
    case .unreadable: isUnread = true
    case .copy(let copy):
      restorable = copy
      writtenTime = copy.changeTime
      if case .captured = copy.content, !keepsCaptures { forget() }
      if hasOwnerEnded, copy.changeTime == nil { forget() }
    }
  }

  /// The selection is ours: what is to be there is.
  func settle() {
    restorable = nil
    isUnread = false
  }

  /// What is written down is on the selection since another time than that which stands there.
  func note(_ time: ServerTime?) {
    notes += 1
    write(time, notes)
  }

  /// - Parameter note: Which note it is: later ones, and whatever is written down anew, put an end to it.
  private func write(_ time: ServerTime?, _ note: Int) {
    guard note == notes, time != writtenTime else { return }
    if copies.isWriting(place) {
      return copies.settle(place) { [weak self] in self?.write(time, note) }
    }
    switch copies.copy(of: place) {
    case .nothing: break
    case .unreadable:
      copies.retries.add { [weak self] in
        self?.write(time, note)
        return true
      }
    case .copy(let copy):
      writtenTime = time
      copies.put(
        KeptCopy(place: place, changeCount: copy.changeCount, changeTime: time, copy.content),
        isSame: true)
    }
  }

  /// It was cleared or replaced.
  func forget() {
    notes += 1
    restorable = nil
    isUnread = false
    captured = nil
    copies.remove(place)
  }

  /// The owner that was found on the selection has ended before it could be read: what is known is of that
  /// very owner, or of one before it and does not come back.
  ///
  /// - Parameter time: When that owner had taken the selection.
  /// - Returns: Whether something is forgotten.
  func ownerEnded(since time: ServerTime?) -> Bool {
    if isUnread { hasOwnerEnded = true }
    guard let restorable, restorable.changeTime == nil || restorable.changeTime != time else {
      return false
    }
    forget()
    return true
  }

  /// All was read that another program has; nothing of what is not to be kept.
  func captured(
    _ answers: [ReceivedRepresentation], on backend: any SelectionBackend, changeCount: UInt64,
    changeTime: ServerTime?
  ) {
    restorable = nil
    isUnread = false
    guard !answers.isEmpty else { return forget() }
    let targets = answers.map(\.target)
    if targets == captured { return }
    captured = targets
    notes += 1
    writtenTime = changeTime
    let representations = answers.map { answer in
      SavedClipboard.Representation(answer.target, Self.content(of: answer, on: backend))
    }
    copies.put(
      KeptCopy(
        place: place, changeCount: changeCount, changeTime: changeTime, .captured(representations)))
  }

  /// Numbers of atoms mean something to this server only, which may be another one next time.
  private static func content(
    of answer: ReceivedRepresentation, on backend: any SelectionBackend
  ) -> SavedClipboard.Content {
    let form = SavedClipboard.Form(type: answer.typeName, format: answer.format)
    if SavedClipboard.isBound(answer.target, form) {
      return .bound(form, size: answer.payload.count)
    }
    guard SavedClipboard.isAtomList(form) else { return .bytes(form, answer.payload) }
    guard answer.payload.count <= SavedClipboard.maximumAtoms * 4,
      let names = backend.atomNames(in: answer.payload)
    else { return .bound(form, size: answer.payload.count) }
    return .atoms(form, names)
  }

  /// A program has handed over content, which is on the selection now.
  func handedOver(
    _ description: OfferDescription, _ contents: SealedFile?, _ offer: Offer, changeCount: UInt64,
    changeTime: ServerTime?
  ) {
    restorable = nil
    isUnread = false
    captured = nil
    notes += 1
    writtenTime = changeTime
    copies.put(
      description, contents, offer, at: place, changeCount: changeCount, changeTime: changeTime)
  }

  // MARK: Bringing back

  struct Restored {
    let offer: Offer
    let byteCount: Int
    /// When the one had taken the selection whose it was, where that is known.
    let changeTime: ServerTime?
    /// Those that are to be there yet; nil where none were cut.
    var cutFiles: CutFiles?
  }

  /// What is to be published where nobody has the selection: once.
  func takeRestorable(on backend: any SelectionBackend) -> Restored? {
    guard let copy = restorable else { return nil }
    restorable = nil
    switch copy.content {
    case .handedOver(let description, let payload):
      let contents: SealedFile
      do throws(Errno) {
        contents = try SealedFile(copyOf: payload)
      } catch {
        waitForRoom(for: copy, error)
        return nil
      }
      let offer = Offer(description, contents: contents, table: .standard, in: .current)
      guard let offer, !offer.targets.isEmpty else { return nil }
      return Restored(offer: offer, byteCount: payload.count, changeTime: copy.changeTime)
    case .captured(let representations):
      let answers = representations.compactMap { Self.answer($0, on: backend) }
      guard !answers.isEmpty else { return nil }
      let wire: TextSpelling.Wire = backend.kind == .x11 ? .x11 : .wayland
      return Restored(
        offer: Offer(republishing: answers, on: wire), byteCount: copy.size,
        changeTime: copy.changeTime, cutFiles: CutFiles(answers))
    }
  }

  /// There is no memory or descriptor for it now.
  private func waitForRoom(for copy: KeptCopy, _ reason: Errno) {
    restorable = copy
    copies.noteUnused(place, reason)
    copies.retries.add { [weak self] in
      if self?.restorable != nil { self?.onLate() }
      // Where there is no room yet that is waited for anew.
      return true
    }
  }

  private static func answer(
    _ representation: SavedClipboard.Representation, on backend: any SelectionBackend
  ) -> ReceivedRepresentation? {
    switch representation.content {
    case .bytes(let form, let payload):
      ReceivedRepresentation(
        target: representation.target, typeName: form.type, format: form.format, payload: payload)
    case .atoms(let form, let names):
      ReceivedRepresentation(
        target: representation.target, typeName: form.type, format: form.format,
        payload: backend.atomList(names))
    case .refused, .bound, .redacted: nil
    }
  }
}

extension RuntimeCopies {
  /// Writes down what was handed over, unless it is secret or served on terms: that ends with the
  /// service, and what was there before has ended already.
  func put(
    _ description: OfferDescription, _ contents: SealedFile?, _ offer: Offer,
    at place: ControlPlace, changeCount: UInt64, changeTime: ServerTime? = nil
  ) {
    guard offer.serving.isUnlimited,
      SensitivityMarker.markers(among: offer.targets.map(\.name)).isEmpty
    else { return remove(place) }
    let payload = contents.map { Payload(0..<$0.count, of: $0) } ?? Payload([])
    put(
      KeptCopy(
        place: place, changeCount: changeCount, changeTime: changeTime,
        .handedOver(description, payload)))
  }
}
