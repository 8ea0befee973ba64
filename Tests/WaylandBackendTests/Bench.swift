import EventLoop
import Glibc
import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing

@testable import WaylandBackend

/// All that counts descriptors runs one at a time.
@Suite("Wayland back-end in a compositor of its own", .serialized)
enum InFakeCompositor {}

/// Both data-control protocols: callers do not know which is bound.
enum ControlProtocol: CaseIterable, CustomTestStringConvertible {
  case ext, wlr, wlr1

  var manager: (Interface, version: UInt32) {
    switch self {
    case .ext: (.extManager, 1)
    case .wlr: (.wlrManager, 2)
    case .wlr1: (.wlrManager, 1)
    }
  }

  var testDescription: String {
    switch self {
    case .ext: "ext-data-control"
    case .wlr: "wlr-data-control version 2"
    case .wlr1: "wlr-data-control version 1"
    }
  }
}

/// A compositor, a loop and back-ends on it, all turned by the test.
final class Bench {
  let compositor: FakeCompositor
  let loop: EpollEventLoop
  /// What the compositor does without data-control, kept for as long as there are clients.
  private var core: FakeCore?

  convenience init(_ core: FakeCore) throws {
    try self.init(core.compositor)
    self.core = core
  }

  init(_ compositor: FakeCompositor) throws {
    self.compositor = compositor
    loop = try EpollEventLoop()
    ignoreBrokenPipes()
  }

  convenience init(_ control: ControlProtocol = .ext) throws {
    try self.init(FakeCompositor([control.manager]))
  }

  func backend(
    by access: WaylandBackend.Access = .control, seat: String? = nil,
    activationToken: String? = nil,
    patience: Duration = .seconds(15)
  ) throws -> WaylandBackend {
    let compositor = compositor
    let backend = try WaylandBackend(
      try compositor.connect(), displayName: "test", by: access, seat: seat,
      activationToken: activationToken, loop: loop, patience: patience
    ) { _ in compositor.turn() }
    // What is there is told when somebody asks.
    _ = backend.hasOwner(.clipboard)
    return backend
  }

  /// Turns everything until the condition holds; false when it does not within ten seconds.
  func turn(within seconds: Double = 10, until isDone: () -> Bool) throws -> Bool {
    let deadline = Deadline(after: seconds)
    while !isDone() {
      if deadline.isOver { return false }
      compositor.turn()
      try loop.turn(waitingUntil: loop.now + .milliseconds(1))
    }
    return true
  }

  /// As many turns as whatever is under way may need, where nothing is to come of it.
  func settle() throws {
    for _ in 0..<20 {
      compositor.turn()
      try loop.turn(waitingUntil: loop.now)
    }
  }

  typealias ReadResult = Result<ReceivedRepresentation, ReadFailure>

  func deadline(_ seconds: Double = 5) -> ProgressDeadline {
    ProgressDeadline(
      .milliseconds(Int64(seconds * 1000)), startingAt: MonotonicTime.now.nanoseconds)
  }

  func read(
    _ target: String, of selection: PasteboardName = .clipboard, from backend: WaylandBackend,
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
    of selection: PasteboardName = .clipboard, from backend: WaylandBackend,
    in ownership: ReadOwnership = ReadOwnership()
  ) throws -> Result<[String], ReadFailure> {
    var result: Result<[String], ReadFailure>?
    backend.listTargets(of: selection, in: ownership, deadline: deadline(), share: 1) {
      result = $0
    }
    return try #require(result)
  }
}

/// An offer of these contents, in this order.
func offer(_ contents: KeyValuePairs<String, [UInt8]>) -> Offer {
  var offer = Offer()
  for (name, bytes) in contents {
    let payload = Payload(bytes)
    offer.add(OfferedTarget(name: name, payload))
  }
  return offer
}

extension Result where Success == ReceivedRepresentation, Failure == ReadFailure {
  var bytes: [UInt8]? { try? get().payload.bytes }
  var failure: ReadFailure? { if case .failure(let failure) = self { failure } else { nil } }
}

/// Whether nobody can write to a pipe any more, however much is still in it.
func hasHungUp(_ pipe: borrowing OwnedFD) -> Bool {
  var wait = pollfd(fd: pipe.rawValue, events: 0, revents: 0)
  return unsafe poll(&wait, 1, 0) == 1 && wait.revents & Int16(POLLHUP) != 0
}
