package import DaemonBackend
package import EventLoop
internal import Pasteboard
package import SelectionCore
internal import SystemIO

/// Which display to talk to and through what.
package struct DisplayChoice: Hashable, Sendable {
  package enum Backend: String, Hashable, Sendable, CaseIterable {
    case auto
    case x11
    case wayland
    case waylandCore = "wayland-core"
    case daemon
    case osc52
  }

  package var backend = Backend.auto
  /// An X display; nil for the one that `DISPLAY` names.
  package var display: String?
  /// The path of a file with keys to X displays of this machine, beside those of the environment.
  package var authority: String?
  /// A Wayland display, or the path of its socket; nil for the one that `WAYLAND_DISPLAY` names.
  package var waylandDisplay: String?
  /// The name of a Wayland seat; nil for the first one.
  package var seat: String?

  package init() {}
}

/// Why there is no session.
package enum SessionFailure: Error, Hashable, Sendable {
  /// Nothing names a display.
  case noDisplay
  case cannotOpen(display: String)
  case wayland(WaylandProblem)
  case notBuilt(DisplayChoice.Backend)
}

/// A session on one display: reads what others offer, publishes what we have, serves until lost.
///
/// The commands of `clipview` and the process that a copy leaves behind both work through it.
package final class ClipboardSession {
  package let loop: EpollEventLoop
  package let backend: any SelectionBackend
  private let connectionDescriptor: Int32
  /// Makes what readers ask for while others are served.
  private let worker: Worker
  /// Why a Wayland display that the environment names was passed over; nil where it was not.
  package let passedOver: WaylandProblem?
  /// Whether a window has to take the focus for whatever is done.
  package let needsFocus: Bool
  /// The `clipd` that manages the display; nil where none does, or nobody has asked.
  package internal(set) var manager: DaemonBackend?
  /// The `clipd` that was asked whether it refuses what was refused.
  var askedService: DaemonBackend?

  package init(_ choice: DisplayChoice) throws(SessionFailure) {
    do {
      loop = try EpollEventLoop()
    } catch {
      throw .noDisplay
    }
    worker = Worker(on: loop)
    let opened = try Self.open(choice, loop, worker)
    backend = opened.backend
    connectionDescriptor = opened.descriptor
    passedOver = opened.passedOver
    needsFocus = opened.needsFocus
  }

  init(
    _ backend: any SelectionBackend, descriptor: Int32, loop: EpollEventLoop, worker: Worker
  ) {
    self.loop = loop
    self.backend = backend
    self.worker = worker
    passedOver = nil
    needsFocus = false
    connectionDescriptor = descriptor
  }

  /// What a detached process needs of the session.
  package var descriptors: [Int32] {
    let own = [connectionDescriptor] + loop.descriptors
    // Through a pipe, contents are sent from the files that hold them.
    return backend.kind == .wayland ? own + MemoryFile.openDescriptors : own
  }

  /// Turns the loop until the operation calls back.
  package func wait<Value>(_ start: (@escaping (Value) -> Void) -> Void) -> Value {
    var result: Value?
    start { result = $0 }
    while true {
      if let result { return result }
      // Each turn is a sign of life: only a call that hangs in the middle of one is bitten.
      Watchdog.restart()
      turn()
    }
  }

  /// Turns the loop until the condition holds, for so long at the most; whether it held.
  func wait(atMost time: Duration, until isDone: () -> Bool) -> Bool {
    let end = MonotonicTime.now + time
    while !isDone() {
      guard MonotonicTime.now < end, !backend.isLost else { return false }
      turn(until: min(end, MonotonicTime.now + .milliseconds(2)))
    }
    return true
  }

  /// Turns the loop until the condition holds or the connection is lost.
  func run(until isDone: () -> Bool) {
    while !isDone(), !backend.isLost { turn() }
  }

  /// Serves until everything that was published has been lost and taken leave of.
  package func serve(until isDone: () -> Bool) {
    run(until: isDone)
    // Whoever reads through a pipe of its own gets to the end without the display.
    let limit = MonotonicTime.now + Self.farewell
    while !isDone(), MonotonicTime.now < limit { turn(until: limit) }
    // What the last turn answered is still to be sent, and to arrive before we are gone.
    turn(until: loop.now)
    backend.synchronize()
  }

  /// How long transfers may take that were under way when the display went.
  private static let farewell = Duration.seconds(5)

  private func turn(until limit: MonotonicTime? = nil) {
    do {
      try loop.turn(waitingUntil: limit)
    } catch {
      preconditionFailure("the loop cannot wait: \(error)")
    }
  }
}
