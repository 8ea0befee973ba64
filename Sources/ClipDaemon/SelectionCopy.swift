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
  /// What of another program's content is written down.
  private var captured: [String]?
  private let place: ControlPlace
  private let copies: RuntimeCopies

  /// - Parameter keepsCaptures: Whether content of other programs is kept at all.
  init(_ place: ControlPlace, in copies: RuntimeCopies, keepsCaptures: Bool) {
    self.place = place
    self.copies = copies
    restorable = copies.copy(of: place)
    if case .captured? = restorable?.content, !keepsCaptures { forget() }
  }

  /// The selection is ours: what is to be there is.
  func settle() { restorable = nil }

  /// It was cleared or replaced.
  func forget() {
    restorable = nil
    captured = nil
    copies.remove(place)
  }

  /// All was read that another program has; nothing of what is not to be kept.
  func captured(
    _ answers: [ReceivedRepresentation], on backend: any SelectionBackend, changeCount: UInt64
  ) {
    restorable = nil
    guard !answers.isEmpty else { return forget() }
    let targets = answers.map(\.target)
    if targets == captured { return }
    captured = targets
    let representations = answers.map { answer in
      SavedClipboard.Representation(answer.target, Self.content(of: answer, on: backend))
    }
    copies.put(KeptCopy(place: place, changeCount: changeCount, .captured(representations)))
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
    _ description: OfferDescription, _ contents: SealedFile?, _ offer: Offer, changeCount: UInt64
  ) {
    restorable = nil
    captured = nil
    copies.put(description, contents, offer, at: place, changeCount: changeCount)
  }

  // MARK: Bringing back

  struct Restored {
    let offer: Offer
    let byteCount: Int
    /// Those that are to be there yet; nil where none were cut.
    var cutFiles: CutFiles?
  }

  /// What is to be published where nobody has the selection: once.
  func takeRestorable(on backend: any SelectionBackend) -> Restored? {
    guard let copy = restorable else { return nil }
    restorable = nil
    switch copy.content {
    case .handedOver(let description, let payload):
      let offer = (try? SealedFile(copyOf: payload)).flatMap {
        Offer(description, contents: $0, table: .standard, in: .current)
      }
      guard let offer, !offer.targets.isEmpty else { return nil }
      return Restored(offer: offer, byteCount: payload.count)
    case .captured(let representations):
      let answers = representations.compactMap { Self.answer($0, on: backend) }
      guard !answers.isEmpty else { return nil }
      let wire: TextSpelling.Wire = backend.kind == .x11 ? .x11 : .wayland
      return Restored(
        offer: Offer(republishing: answers, on: wire), byteCount: copy.size,
        cutFiles: CutFiles(answers))
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
    at place: ControlPlace, changeCount: UInt64
  ) {
    guard offer.serving.isUnlimited,
      SensitivityMarker.markers(among: offer.targets.map(\.name)).isEmpty
    else { return remove(place) }
    let payload = contents.map { Payload(0..<$0.count, of: $0) } ?? Payload([])
    put(KeptCopy(place: place, changeCount: changeCount, .handedOver(description, payload)))
  }
}
