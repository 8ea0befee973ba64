/// What a program asks of `clipd`.
package enum ControlRequest: Hashable, Sendable {
  /// What it is, what it manages and what it holds.
  case status
  /// Has the display done all that it was asked to, and tells the change count behind that.
  case synchronize(ControlPlace)
  /// The targets that are offered.
  case list(ControlPlace)
  /// The bytes of one target, of the content with this change count.
  case read(ControlPlace, changeCount: UInt64, target: String)
  /// Publishes; the contents go along in one memory file.
  case publish(ControlPlace, OfferDescription)
  case clear(ControlPlace)
  /// Tells each change from now on, until the connection is closed.
  case watch(ControlPlace)
  /// The guard: of a selection on every display, or the pasteboard of that name; of everything where
  /// there is none.
  case guarding(GuardOrder, name: String?)
  /// Tells of an X display of this machine and of a file that has the key to it.
  case introduce(display: String, authority: String)

  private enum Kind {
    static let status: UInt8 = 1
    static let synchronize: UInt8 = 2
    static let list: UInt8 = 3
    static let read: UInt8 = 4
    static let publish: UInt8 = 5
    static let clear: UInt8 = 6
    static let watch: UInt8 = 7
    static let guarding: UInt8 = 8
    static let introduce: UInt8 = 9
  }

  /// - Parameter hasAttachment: Whether a memory file goes along.
  package func frame(tag: UInt32, hasAttachment: Bool = false) -> ControlFrame {
    var writer = ControlWriter()
    let kind: UInt8
    switch self {
    case .status: kind = Kind.status
    case .synchronize(let place):
      kind = Kind.synchronize
      writer.value(place)
    case .list(let place):
      kind = Kind.list
      writer.value(place)
    case .read(let place, let changeCount, let target):
      kind = Kind.read
      writer.value(place)
      writer.uint64(changeCount)
      writer.text(target)
    case .publish(let place, let offer):
      kind = Kind.publish
      writer.value(place)
      writer.value(offer)
    case .clear(let place):
      kind = Kind.clear
      writer.value(place)
    case .watch(let place):
      kind = Kind.watch
      writer.value(place)
    case .guarding(let order, let name):
      kind = Kind.guarding
      writer.value(order)
      writer.optional(name) { $0.text($1) }
    case .introduce(let display, let authority):
      kind = Kind.introduce
      writer.text(display)
      writer.text(authority)
    }
    return ControlFrame(kind: kind, hasAttachment: hasAttachment, tag: tag, body: writer.bytes)
  }

  /// Reads what some program sent.
  package init(_ frame: ControlFrame) throws(ControlFault) {
    var reader = ControlReader(frame.body)
    guard let request = Self.request(frame.kind, &reader), reader.isAtEnd else {
      throw .malformed(kind: frame.kind)
    }
    // A descriptor that nobody asked for would stay open with whoever did not look for it.
    if frame.hasAttachment, frame.kind != Kind.publish { throw .malformed(kind: frame.kind) }
    self = request
  }

  private static func request(_ kind: UInt8, _ reader: inout ControlReader) -> ControlRequest? {
    if kind == Kind.status { return .status }
    if kind == Kind.guarding { return guarding(&reader) }
    if kind == Kind.introduce { return introduction(&reader) }
    guard let place: ControlPlace = reader.value() else { return nil }
    switch kind {
    case Kind.synchronize: return .synchronize(place)
    case Kind.list: return .list(place)
    case Kind.read:
      guard let changeCount = reader.uint64(), let target = reader.text() else { return nil }
      return .read(place, changeCount: changeCount, target: target)
    case Kind.publish:
      guard let offer: OfferDescription = reader.value() else { return nil }
      return .publish(place, offer)
    case Kind.clear: return .clear(place)
    case Kind.watch: return .watch(place)
    default: return nil
    }
  }

  private static func guarding(_ reader: inout ControlReader) -> ControlRequest? {
    guard let order: GuardOrder = reader.value(), let name = reader.optional({ $0.text() }),
      name.map({ !$0.isEmpty && $0.utf8.count <= ControlPlace.maximumNameSize }) ?? true
    else { return nil }
    return .guarding(order, name: name)
  }

  /// The longest path that the system takes.
  private static let maximumPathSize = 4095

  private static func introduction(_ reader: inout ControlReader) -> ControlRequest? {
    guard let display = reader.text(), display.utf8.count <= ControlPlace.maximumNameSize,
      let path = reader.text(), path.utf8.first == UInt8(ascii: "/"),
      path.utf8.count <= maximumPathSize, !path.utf8.contains(0)
    else { return nil }
    return .introduce(display: display, authority: path)
  }
}
