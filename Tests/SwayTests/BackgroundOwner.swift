import EventLoop
import Glibc
import Pasteboard
import SelectionCore
import Synchronization
import SystemIO
import TestSupport
import WaylandBackend

/// An owner of the clipboard on a thread and a connection of its own, for tests whose own thread waits
/// for the program under test: it offers what real applications do, which wl-copy cannot.
final class BackgroundOwner: Sendable {
  private let shared: Shared
  private let thread: pthread_t

  enum StartError: Error { case failed(String) }

  /// - Parameter contents: The types in their order; nil for one that is listed and not given.
  init(
    _ compositor: SwayCompositor, offering contents: [(type: String, bytes: [UInt8]?)],
    on selection: PasteboardName = .clipboard
  ) throws {
    var offer = Offer()
    for (type, bytes) in contents {
      let content = bytes.map { ContentSource(Payload($0)) } ?? .refused
      offer.add(OfferedTarget(name: type, content: content))
    }
    let shared = Shared("\(compositor.directory)/\(compositor.display)", offer, selection)
    self.shared = shared
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(shared).toOpaque()
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Shared>.fromOpaque(context).takeRetainedValue().serve()
        return nil
      }, context)
    precondition(code == 0, "no thread can be started")
    self.thread = thread
    let isReady = eventually { shared.state.withLock { $0.isOwned || $0.failure != nil } }
    if let failure = shared.state.withLock({ $0.failure }) { throw StartError.failed(failure) }
    if !isReady { throw StartError.failed("it never owned the selection") }
  }

  deinit {
    shared.state.withLock { $0.isStopped = true }
    _ = pthread_join(thread, nil)
  }

  private final class Shared: Sendable {
    struct State {
      var isOwned = false
      var isStopped = false
      var failure: String?
    }

    let state = Mutex(State())
    private let path: String
    private let offer: Offer
    private let selection: PasteboardName

    init(_ path: String, _ offer: Offer, _ selection: PasteboardName) {
      self.path = path
      self.offer = offer
      self.selection = selection
    }

    func serve() {
      do {
        let loop = try EpollEventLoop()
        let backend = try WaylandBackend(
          try connectToSocket(at: path), displayName: path, loop: loop)
        try backend.publish(offer, to: selection, onEnd: {}).get()
        state.withLock { $0.isOwned = true }
        while !state.withLock({ $0.isStopped }), !backend.isLost {
          try loop.turn(waitingUntil: MonotonicTime.now + .milliseconds(1))
        }
      } catch {
        state.withLock { $0.failure = "\(error)" }
      }
    }
  }
}
