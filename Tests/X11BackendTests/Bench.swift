import EventLoop
import Pasteboard
import SelectionCore
import TestSupport
import Testing
import TypeRegistry

@testable import X11Backend

/// All that opens a display runs one at a time: the selections of a display are there once.
@Suite("X11 back-end on a display", .serialized, .enabled(if: XServer.isExpected))
enum OnDisplay {}

/// A back-end and its loop, turned by the test.
struct Bench {
  let server: XServer
  let loop: EpollEventLoop
  let backend: X11Backend

  // Other suites of this process have a display of their own: selections are there once.
  private static let ownServer = Result { try XServer() }

  static func sharedServer() throws -> XServer { try ownServer.get() }

  /// - Parameter patience: How long a reader may take nothing.
  init(_ server: XServer? = nil, patience: Duration = .seconds(15)) throws {
    let server = try server ?? Self.sharedServer()
    self.server = server
    loop = try EpollEventLoop()
    backend = try X11Backend(displayName: server.display, loop: loop, patience: patience)
  }

  /// Turns the loop until the condition holds; false when it does not within ten seconds.
  func turn(within seconds: Double = 10, until isDone: () -> Bool) throws -> Bool {
    let deadline = Deadline(after: seconds)
    while !isDone() {
      if deadline.isOver { return false }
      try loop.turn(waitingUntil: loop.now + .milliseconds(5))
    }
    return true
  }

  /// One turn that does not wait long, for peers that wait on this thread.
  func idle() throws { try loop.turn(waitingUntil: MonotonicTime.now + .milliseconds(1)) }

  func deadline(_ seconds: Double = 5) -> ProgressDeadline {
    ProgressDeadline(.milliseconds(Int64(seconds * 1000)), startingAt: backend.clock)
  }

  typealias ReadResult = Result<ReceivedRepresentation, ReadFailure>

  func read(
    _ target: String, of selection: PasteboardName = .clipboard,
    in ownership: ReadOwnership = ReadOwnership(), patience: Double = 5, limit: Int = .max
  ) throws -> ReadResult {
    var result: ReadResult?
    backend.read(
      target, of: selection, in: ownership, deadline: deadline(patience), limit: limit
    ) { result = $0 }
    _ = try turn(within: 30) { result != nil }
    return try #require(result)
  }

  func targets(
    of selection: PasteboardName = .clipboard, in ownership: ReadOwnership = ReadOwnership(),
    patience: Double = 5
  ) throws -> Result<[String], ReadFailure> {
    var result: Result<[String], ReadFailure>?
    backend.listTargets(
      of: selection, in: ownership, deadline: deadline(patience), share: 1
    ) { result = $0 }
    _ = try turn { result != nil }
    return try #require(result)
  }

  typealias TogetherResult = Result<[ReadResult], ReadFailure>

  func together(
    _ targets: [String], of selection: PasteboardName = .clipboard,
    in ownership: ReadOwnership = ReadOwnership(), patience: Double = 5, limit: Int = .max
  ) throws -> TogetherResult {
    var result: TogetherResult?
    backend.readTogether(
      targets, of: selection, in: ownership, deadline: deadline(patience), limit: limit
    ) { result = $0 }
    _ = try turn(within: 30) { result != nil }
    return try #require(result)
  }

  /// Publishes bytes under these targets; calls back when they have been lost and done with.
  func publish(
    _ contents: [String: [UInt8]], to selection: PasteboardName = .clipboard,
    onEnd: @escaping () -> Void = {}
  ) throws {
    var offer = Offer()
    for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      offer.add(OfferedTarget(name: name, Payload(bytes)))
    }
    try backend.publish(offer, to: selection, onEnd: onEnd).get()
  }

  /// The names of the properties that lie on the windows of this display.
  func propertiesOfWindows() throws -> [String] {
    let peer = try peer()
    return try peer.topLevelWindows().flatMap { try peer.propertyNames(of: $0) }
  }

  /// A peer of this thread that keeps the back-end turning while it waits.
  func peer() throws -> RawPeer {
    let peer = try RawPeer(server)
    peer.idle = { try self.idle() }
    return peer
  }
}

extension Result where Success == ReceivedRepresentation, Failure == ReadFailure {
  var failure: ReadFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension OfferedTarget {
  /// One that is made when somebody asks for it.
  static func promised(
    _ name: String, _ make: @escaping @Sendable () throws -> Payload
  ) -> OfferedTarget {
    var item = PasteboardItem()
    item.promise(.data, make)
    return OfferedTarget(name: name, content: ContentSource(item.representations[0]))
  }
}
