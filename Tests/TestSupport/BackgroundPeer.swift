internal import Glibc
internal import Synchronization

/// A scripted peer on a thread and a connection of its own, for tests whose own thread waits for the
/// program under test.
package final class BackgroundPeer: Sendable {
  private let shared = Shared()
  private let thread: pthread_t

  /// Starts the peer; it owns nothing yet.
  package init(display: String) throws {
    let body = ThreadBody(shared, display)
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(body).toOpaque()
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        let body = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
        body.shared.serve(body.display)
        return nil
      }, context)
    precondition(code == 0, "no thread can be started")
    self.thread = thread
  }

  package convenience init(_ server: XServer) throws { try self.init(display: server.display) }

  /// Starts a peer and lets it own a selection.
  package convenience init(
    _ server: XServer, owning script: OwnerScript, selection: String = "CLIPBOARD"
  ) throws {
    try self.init(display: server.display)
    try own(script, selection: selection)
  }

  deinit {
    shared.state.withLock { $0.isStopped = true }
    _ = pthread_join(thread, nil)
  }

  /// Lets the peer do something on its own thread, without waiting for it.
  ///
  /// - Returns: The number of the order.
  @discardableResult
  package func start(_ order: @escaping @Sendable (RawPeer) throws -> Void) -> Int {
    shared.state.withLock { state in
      state.orders.append(order)
      return state.given + state.orders.count
    }
  }

  /// Lets the peer do something on its own thread, and waits until it is done.
  package func perform(_ order: @escaping @Sendable (RawPeer) throws -> Void) throws {
    let number = start(order)
    let isDone = eventually {
      shared.state.withLock { $0.done >= number || $0.failure != nil }
    }
    if let failure = shared.state.withLock({ $0.failure }) { throw failure }
    if !isDone { throw WireError.noReply }
  }

  package func own(_ script: OwnerScript, selection: String = "CLIPBOARD") throws {
    try perform { try $0.own(script, selection: selection) }
  }

  package func change(_ script: OwnerScript, selection: String = "CLIPBOARD") throws {
    try perform { $0.change(script, selection: selection) }
  }

  package func release(_ selection: String = "CLIPBOARD") throws {
    try perform { try $0.release(selection) }
  }

  /// Its window, which owns what it owns.
  package var window: UInt32 { shared.state.withLock { $0.window } }

  /// What others asked of it and did to it, in order.
  package var log: [OwnerRecord] { latest.log }

  /// The targets that others asked for, in order.
  package var requests: [String] { latest.log.compactMap(\.target) }

  /// The most requests for content that waited for their answers at one moment.
  package var mostOpen: Int { latest.mostOpen }

  /// How many requests it has answered, also with a refusal.
  package var answersSent: Int { latest.answersSent }

  /// How many chunks of answers by INCR it has sent.
  package var chunksSent: Int { latest.chunksSent }

  /// Errors of the server so far.
  package var errors: [WireProtocolError] { latest.errors }

  /// What the peer knows once its thread has looked up.
  ///
  /// Whatever it has answered is recorded then. Of a peer whose server is gone, what it knew last.
  private var latest: Shared.State {
    try? perform { [shared] peer in shared.record(peer) }
    return shared.state.withLock { $0 }
  }
}

/// What the two threads have in common.
private final class Shared: Sendable {
  struct State {
    var orders: [@Sendable (RawPeer) throws -> Void] = []
    /// Orders that the peer's thread has taken, and those it is done with.
    var given = 0
    var done = 0
    var log: [OwnerRecord] = []
    var errors: [WireProtocolError] = []
    var failure: (any Error)?
    var isStopped = false
    var window: UInt32 = 0
    var mostOpen = 0
    var chunksSent = 0
    var answersSent = 0
  }

  let state = Mutex(State())

  func record(_ peer: RawPeer) {
    state.withLock { state in
      state.log = peer.log
      state.mostOpen = peer.mostOpen
      state.chunksSent = peer.chunksSent
      state.answersSent = peer.answersSent
      state.errors = peer.errors
    }
  }

  func serve(_ display: String) {
    do {
      let peer = try RawPeer(display: display)
      state.withLock { $0.window = peer.window }
      while !state.withLock({ $0.isStopped }) {
        let orders = state.withLock { state in
          defer { state.orders = [] }
          state.given += state.orders.count
          return state.orders
        }
        for order in orders {
          try order(peer)
          state.withLock { $0.done += 1 }
        }
        _ = try peer.wait(Deadline(after: 0.001)) { _ -> Void? in nil }
        record(peer)
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }
}

private final class ThreadBody: Sendable {
  let shared: Shared
  let display: String

  init(_ shared: Shared, _ display: String) {
    self.shared = shared
    self.display = display
  }
}
