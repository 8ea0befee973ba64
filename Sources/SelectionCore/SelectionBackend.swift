package import Pasteboard

/// Which way leads to the display.
package enum BackendKind: String, Hashable, Sendable {
  case x11
  case wayland
  /// By way of `clipd`, to pasteboards that no display knows.
  case daemon
}

/// One target of another owner, as it came.
package struct ReceivedRepresentation: Sendable {
  package let target: String
  /// The type of the property that answered; the target's own name on Wayland.
  package let typeName: String
  package let format: Int
  package let payload: Payload

  package init(target: String, typeName: String, format: Int, payload: Payload) {
    self.target = target
    self.typeName = typeName
    self.format = format
    self.payload = payload
  }
}

/// Why nothing could be read.
package enum ReadFailure: Error, Hashable, Sendable {
  case noOwner
  /// The owner says that it has no such target.
  case refused
  case timedOut
  /// The owner went away without an answer, or the selection is no longer what it was when the
  /// operation began: everything is to be asked anew.
  case ownerGone
  /// The owner broke the protocol.
  case malformed
  /// More came than was wanted; the rest was not taken.
  case tooLarge
  case connectionLost
}

/// Why a selection could not be taken or cleared.
package enum OwnershipFailure: Error, Hashable, Sendable {
  /// Somebody else took it at the same moment, repeatedly.
  case contested
  case connectionLost
  /// The display has no such selection, or does not let us have it.
  case unsupported
  /// Only the focused window may, and the display does not give us the focus.
  case unfocused
  /// `clipd` does not manage the display.
  case notManaged
  /// It is more than `clipd` takes.
  case tooLarge
  /// There is no room for it.
  case noMemory
}

/// What is known of the program that owns a selection.
package struct SelectionOwnerFacts: Hashable, Sendable {
  package let name: String?
  package let window: UInt32

  package init(name: String?, window: UInt32) {
    self.name = name
    self.window = window
  }
}

/// The time an operation may go without progress, its fallbacks included.
///
/// Shared by every step of one operation: a step that ends in nothing does not wind it up again,
/// only bytes do.
package final class ProgressDeadline {
  package let interval: Duration
  /// The time since when nothing has moved, on the clock of the loop, in nanoseconds.
  package private(set) var lastProgress: Int64

  private let isTotal: Bool

  /// - Parameter isTotal: Whether the interval is all the time there is, progress or not.
  package init(_ interval: Duration, startingAt nanoseconds: Int64, isTotal: Bool = false) {
    self.interval = interval
    self.isTotal = isTotal
    lastProgress = nanoseconds
  }

  package func noteProgress(at nanoseconds: Int64) {
    if !isTotal { lastProgress = nanoseconds }
  }
}

/// A display that selections live on.
///
/// Completions are called once, from a later turn of the loop or before the call returns.
package protocol SelectionBackend: AnyObject {
  var kind: BackendKind { get }
  /// Whether the connection broke; nothing works any more.
  var isLost: Bool { get }
  /// The clock that deadlines are measured on, in nanoseconds.
  var clock: Int64 { get }
  /// What the display is called, as in `DISPLAY`; known without asking it.
  var displayName: String { get }
  /// What the display says of itself when asked.
  var displayFacts: DisplayFacts { get }

  /// Returns when the display has done all that it was asked to.
  ///
  /// Call it before the process ends: an X server that finds a client gone does not look at what it
  /// had sent last.
  func synchronize()

  /// Whether the display has such a selection.
  func supports(_ selection: PasteboardName) -> Bool

  func hasOwner(_ selection: PasteboardName) -> Bool
  /// Has something come to the owner that means nothing, for programs that look at what they were asked only
  /// when something comes.
  func wakeOwner(of selection: PasteboardName)
  func ownerFacts(of selection: PasteboardName) -> SelectionOwnerFacts?

  /// Everything that the owner calls itself: its windows, its process; nothing where nobody knows.
  func ownerNames(of selection: PasteboardName) -> [String]

  /// Reports every change of the selection's owner from now on, in order, from turns of the loop,
  /// until the token is let go.
  ///
  /// A program that takes anew what it has is reported too. Nothing is looked at again and again: as
  /// long as nothing changes nothing happens.
  func watch(
    _ selection: PasteboardName, _ handler: @escaping (SelectionChange) -> Void
  ) -> Result<SelectionWatchToken, WatchFailure>

  /// When the selection was changed last, by the display's own clock, as far as those who watch it were
  /// told; nil where it has not changed since, and on displays that do not tell.
  ///
  /// That an owner ends is no change of this kind: of one that has just ended it is the time at which it
  /// had taken the selection.
  func changeTime(of selection: PasteboardName) -> ServerTime?

  /// The names of everything the owner has, as it lists them, repetitions and all.
  ///
  /// - Parameters:
  ///   - ownership: The operation that this is a part of.
  ///   - share: The part of the deadline after which a silent owner is taken for one that does not
  ///     list, so that time is left to ask it for text.
  func listTargets(
    of selection: PasteboardName, in ownership: ReadOwnership, deadline: ProgressDeadline,
    share: Double, _ completion: @escaping (Result<[String], ReadFailure>) -> Void)

  /// - Parameters:
  ///   - ownership: The operation that this is a part of.
  ///   - limit: The number of bytes from which on an incremental answer is broken off.
  ///   - sink: Takes long content as it comes; the answer then has only what it did not take. Content that
  ///     comes at once is not handed on.
  func read(
    _ target: String, of selection: PasteboardName, in ownership: ReadOwnership,
    deadline: ProgressDeadline, limit: Int, into sink: (any ContentSink)?,
    _ completion: @escaping (Result<ReceivedRepresentation, ReadFailure>) -> Void)

  /// Asks for several targets by one request, as ICCCM's MULTIPLE has it.
  ///
  /// For a few targets at a time: each takes a property of its own meanwhile.
  ///
  /// - Parameters:
  ///   - ownership: The operation that this is a part of.
  ///   - limit: The number of bytes of one target from which on an incremental answer is broken off.
  ///   - completion: Gets one result for each target, in their order, or why the request as a whole
  ///     came to nothing: ``ReadFailure/refused`` where the owner, or the display system, does not
  ///     know such requests.
  func readTogether(
    _ targets: [String], of selection: PasteboardName, in ownership: ReadOwnership,
    deadline: ProgressDeadline, limit: Int,
    _ completion:
      @escaping (Result<[Result<ReceivedRepresentation, ReadFailure>], ReadFailure>) -> Void)

  /// The names of the atoms that a value lists, nil for each that has none; nil as a whole where the
  /// display has no atoms.
  func atomNames(in value: Payload) -> [String?]?

  /// The value that lists these atoms on this display; what has no name here or there is None.
  func atomList(_ names: [String?]) -> Payload

  /// Takes the selection and serves the offer. Succeeds only when the server confirms that it is
  /// ours; `onEnd` is called once it has been lost and every transfer that was under way has ended.
  func publish(
    _ offer: Offer, to selection: PasteboardName, onEnd: @escaping () -> Void
  ) -> Result<Void, OwnershipFailure>

  /// Leaves the selection without an owner.
  func clear(_ selection: PasteboardName) -> Result<Void, OwnershipFailure>

  /// Is the one that programs ask to save their content when they end, from now on until the token is let
  /// go: as soon as no other program is that, and until another one wants to be.
  ///
  /// Nil where programs cannot ask.
  func manageClipboard(_ onSave: @escaping (SaveRequest) -> Void) -> ClipboardManagerToken?

  /// Reports when a window of the program that owns the selection is taken off the screen, until the
  /// token is let go; nil where that is not to be had, or it has no window.
  func watchWindows(
    ofOwnerOf selection: PasteboardName, _ onUnmap: @escaping () -> Void
  ) -> SelectionWatchToken?
}

extension SelectionBackend {
  /// Reads all of a target before it says anything.
  package func read(
    _ target: String, of selection: PasteboardName, in ownership: ReadOwnership,
    deadline: ProgressDeadline, limit: Int,
    _ completion: @escaping (Result<ReceivedRepresentation, ReadFailure>) -> Void
  ) {
    read(
      target, of: selection, in: ownership, deadline: deadline, limit: limit, into: nil, completion)
  }
}

/// What there is on X11 alone.
extension SelectionBackend {
  package func ownerNames(of selection: PasteboardName) -> [String] { [] }

  package func changeTime(of selection: PasteboardName) -> ServerTime? { nil }

  package func readTogether(
    _ targets: [String], of selection: PasteboardName, in ownership: ReadOwnership,
    deadline: ProgressDeadline, limit: Int,
    _ completion:
      @escaping (Result<[Result<ReceivedRepresentation, ReadFailure>], ReadFailure>) -> Void
  ) {
    completion(.failure(.refused))
  }

  package func wakeOwner(of selection: PasteboardName) {}
  package func atomNames(in value: Payload) -> [String?]? { nil }
  package func atomList(_ names: [String?]) -> Payload { Payload([]) }
}
