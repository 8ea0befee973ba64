import ClipboardCore
import ControlProtocol
import DaemonBackend
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// What is on one pasteboard, as it is written down for a service that is started again: a saved
/// clipboard (Documentation/saved-clipboard.md), which `clipview load` reads too.
///
/// Content of another program stands there as its owner had it. Content that was handed over stands
/// there piece by piece, and behind the pieces what was asked for then, in the words of the control
/// protocol: to bring it back is to do the same again, so that what was promised is promised again.
struct KeptCopy: Sendable {
  enum Content: Sendable {
    /// As another program had it.
    case captured([SavedClipboard.Representation])
    /// As a program handed it over: the bytes are the memory file that came with it.
    case handedOver(OfferDescription, Payload)
  }

  let place: ControlPlace
  let changeCount: UInt64
  /// When the selection was taken by the owner whose content it is, by the display's clock; nil where that
  /// is not known.
  ///
  /// By it a service that is started again sees whether somebody has had the selection since.
  let changeTime: ServerTime?
  let content: Content

  /// How often the pasteboard had changed.
  static let stateTarget = "application/x-clipview-kept"
  /// The request by which content was handed over.
  static let requestTarget = "application/x-clipview-request"

  /// The bytes of its contents.
  var size: Int {
    switch content {
    case .captured(let representations):
      representations.reduce(0) { sum, representation in
        switch representation.content {
        case .bytes(_, let payload): sum + payload.count
        case .atoms, .refused, .bound, .redacted: sum
        }
      }
    case .handedOver(_, let payload): payload.count
    }
  }

  // MARK: Writing

  var saved: SavedClipboard {
    var saved = SavedClipboard()
    saved.program = "clipd \(programVersion)"
    saved.selection = place.name
    saved.backend = place.display.map { $0.hasPrefix("x11:") ? "x11" : "wayland" } ?? "daemon"
    switch content {
    case .captured(let representations):
      saved.representations = representations.filter { !Self.privateTargets.contains($0.target) }
    case .handedOver(let description, let payload):
      saved.representations = Self.pieces(of: payload, description).map { name, piece in
        .init(name, .bytes(.init(type: name, format: 8), piece))
      }
      saved.append(
        Self.requestTarget, ControlRequest.publish(place, description).frame(tag: 0).bytes)
    }
    var state: [JSONValue.Member] = [
      .init("schema", .integer(1)), .init("change_count", .integer(Int(clamping: changeCount))),
    ]
    if let changeTime { state.append(.init("time", .integer(Int(changeTime.rawValue)))) }
    saved.append(Self.stateTarget, Array(JSONValue.object(state).description.utf8))
    return saved
  }

  /// The contents by the names of what they are, where the description cuts them into such pieces.
  private static func pieces(
    of payload: Payload, _ description: OfferDescription
  ) -> [(name: String, piece: Payload)] {
    var parts: [(range: Range<Int>, name: String)] = []
    func note(_ content: OfferDescription.Content, _ name: String) {
      guard case .bytes(let attached) = content, attached.count > 0,
        let range = attached.range(within: payload.count),
        !parts.contains(where: { $0.range == range })
      else { return }
      parts.append((range, name))
    }
    for representation in description.representations {
      note(representation.content, representation.target ?? wireName(of: representation.type))
    }
    for target in description.targets { note(target.content, target.name) }
    parts.sort { $0.range.lowerBound < $1.range.lowerBound }
    // What was cut in another way is one piece.
    var end = 0
    var names: Set<ExactName> = []
    for part in parts {
      guard part.range.lowerBound == end, names.insert(ExactName(part.name)).inserted,
        isSavedAsIs(part.name)
      else { return [(contentsTarget, payload)] }
      end = part.range.upperBound
    }
    guard end == payload.count else { return [(contentsTarget, payload)] }
    return parts.map { ($0.name, payload[$0.range]) }
  }

  private static let contentsTarget = "application/x-clipview-contents"
  private static let privateTargets: Set = [stateTarget, requestTarget, contentsTarget]

  private static func wireName(of type: String) -> String {
    guard let identifier = TypeIdentifier(type) else { return type }
    if identifier == .utf8PlainText { return "UTF8_STRING" }
    return TypeRegistry.current.preferredMIMEType(of: identifier) ?? type
  }

  /// Whether the format takes a name for bytes like any other.
  private static func isSavedAsIs(_ name: String) -> Bool {
    SavedClipboard.isWireName(Array(name.utf8)) && !SavedClipboard.isProtocolTarget(name)
      && !SavedClipboard.isBound(name, .init(type: name, format: 8))
      && !privateTargets.contains(name)
  }

  // MARK: Reading

  init(
    place: ControlPlace, changeCount: UInt64, changeTime: ServerTime? = nil, _ content: Content
  ) {
    self.place = place
    self.changeCount = changeCount
    self.changeTime = changeTime
    self.content = content
  }

  /// Why a file is not used.
  enum Fault: Error, CustomStringConvertible {
    case damaged
    /// Written by a version of the service that said things in another way.
    case foreign

    var description: String {
      switch self {
      case .damaged: "damaged"
      case .foreign: "foreign"
      }
    }
  }

  /// Reads what ``saved`` wrote.
  ///
  /// - Parameter place: Where it was, as far as the file's name tells; nil where the request tells it.
  init(decoding file: Payload, at place: ControlPlace?) throws(Fault) {
    let saved: SavedClipboard
    do throws(SavedClipboardFault) {
      saved = try SavedClipboard(decoding: file)
    } catch {
      throw .damaged
    }
    var pieces: [ByteChunk] = []
    var others: [SavedClipboard.Representation] = []
    var request: ControlRequest?
    var count: UInt64 = 0
    var time: ServerTime?
    for representation in saved.representations {
      switch (representation.target, representation.content) {
      case (Self.stateTarget, .bytes(_, let payload)):
        let state = JSONValue(parsing: payload.bytes)
        guard case .integer(let number)? = state?["change_count"],
          let known = UInt64(exactly: number)
        else { throw .foreign }
        count = known
        if case .integer(let number)? = state?["time"] {
          time = UInt32(exactly: number).map { ServerTime($0) }
        }
      case (Self.requestTarget, .bytes(_, let payload)):
        request = Self.request(payload.bytes)
        if request == nil { throw .foreign }
      default:
        others.append(representation)
        if case .bytes(_, let payload) = representation.content { pieces += payload.chunks }
      }
    }
    changeCount = count
    changeTime = time
    switch request {
    case .publish(let where_, let description)?:
      if let place, where_ != place { throw .foreign }
      self.place = where_
      content = .handedOver(description, Payload(chunks: pieces))
    case nil:
      guard let place else { throw .foreign }
      self.place = place
      content = .captured(others)
    default: throw .foreign
    }
  }

  private static func request(_ bytes: [UInt8]) -> ControlRequest? {
    var decoder = ControlFrameDecoder()
    decoder.append(bytes)
    guard let frame = try? decoder.next(), frame.version == ControlFrame.currentVersion else {
      return nil
    }
    return try? ControlRequest(frame)
  }
}

extension SavedClipboard {
  fileprivate mutating func append(_ target: String, _ bytes: [UInt8]) {
    representations.append(.init(target, .bytes(.init(type: target, format: 8), Payload(bytes))))
  }
}
