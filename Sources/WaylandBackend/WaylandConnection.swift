internal import CWayland
internal import EventLoop
internal import Glibc
package import SystemIO

/// Why a Wayland display could not be opened.
package enum WaylandOpenFailure: Error, Hashable, Sendable {
  /// The system has no libwayland-client, or one that is too old.
  case noLibrary
  /// It ended the connection while it was being set up.
  case lost(WaylandLoss)
  /// The compositor lets nobody but the focused window use the clipboard.
  case noDataControl(compositor: String)
  case noSeat(compositor: String)
  /// The seat has no keyboard, so no window ever has its focus.
  case noKeyboard(compositor: String)
  /// The compositor shows no windows of programs like us.
  case noWindows(compositor: String)
  case noSuchSeat(String, known: [String])
}

/// How a connection ended.
package enum WaylandLoss: Hashable, Sendable {
  /// The compositor has gone, or hung up.
  case closed
  /// The compositor found fault with a request of ours, on an object of this interface.
  case protocolError(interface: String, code: UInt32)
  case system(Errno)
}

/// A connection to a compositor: with WaylandObject the only place where libwayland is called.
///
/// As a source of the loop it follows the order that libwayland asks for: dispatch what is queued,
/// prepare to read, flush, wait, read or cancel, dispatch. Survives the compositor: from its loss on calls
/// do nothing, and the loss is told once.
@safe package final class WaylandConnection {
  private let display: OpaquePointer
  package let descriptor: Int32
  package private(set) var loss: WaylandLoss?
  /// Told from a turn of the loop, or from whatever call found out.
  var onLoss: (() -> Void)?

  /// Waits until the display may have something to say; a test turns its compositor in place of that.
  private let awaitEvents: ((_ connection: Int32) -> Void)?
  private var isPrepared = false
  /// Bytes of requests that may lie in libwayland's buffer.
  private var unflushed = 0
  private var callbacks: [Callback] = []

  private var loop: (any EventLoop)?
  private var sourceToken: LoopToken?
  private var watchToken: LoopToken?
  private var isAwaitingRoom = false

  /// Objects that have not been ended: none when all who used the connection are gone.
  private(set) var livingObjects = 0

  /// - Parameter socket: Connected to a compositor.
  init(
    adopting socket: consuming OwnedFD, awaitEvents: ((_ connection: Int32) -> Void)? = nil
  ) throws(WaylandOpenFailure) {
    guard cwayland_load() != 0 else { throw .noLibrary }
    let descriptor = socket.take()
    guard let display = unsafe cwayland_display_connect_to_fd(descriptor) else {
      throw .lost(.system(.noMemory))
    }
    unsafe self.display = display
    self.descriptor = descriptor
    self.awaitEvents = awaitEvents
  }

  deinit {
    callbacks = []
    cancelRead()
    watchToken?.cancel()
    sourceToken?.cancel()
    unsafe cwayland_display_disconnect(display)
  }

  package var isLost: Bool { loss != nil }

  /// The program at the other end, as far as the system tells.
  var compositorName: String { peerName(ofSocket: descriptor) ?? "a compositor" }

  /// Lets go of what waits for answers, which would else keep the connection alive.
  func stop() {
    onLoss = nil
    callbacks = []
    sourceToken = nil
    watchToken = nil
    cancelRead()
  }

  func noteBirth() { livingObjects += 1 }
  func noteDeath() { livingObjects -= 1 }

  // MARK: The loop

  /// Becomes a source of the loop.
  func attach(to loop: any EventLoop) throws(Errno) {
    self.loop = loop
    try watch(for: .readable)
    sourceToken = loop.addSource { [unowned self] in prepare() }
  }

  private func watch(for interest: Interest) throws(Errno) {
    watchToken?.cancel()
    watchToken = try loop?.watch(descriptor, for: interest) { [unowned self] _ in
      // Writable or not: flushing is what the next turn begins with.
      readEvents()
      dispatchPending()
    }
  }

  /// Before each wait of the loop; true when something happened.
  private func prepare() -> Bool {
    guard loss == nil else { return false }
    cancelRead()
    var didSomething = dispatchPending()
    while loss == nil, unsafe cwayland_display_prepare_read(display) != 0 {
      didSomething = dispatchPending() || didSomething
    }
    isPrepared = loss == nil
    flush()
    return didSomething || loss != nil
  }

  private func cancelRead() {
    guard isPrepared else { return }
    isPrepared = false
    unsafe cwayland_display_cancel_read(display)
  }

  private func readEvents() {
    guard isPrepared else { return }
    isPrepared = false
    if unsafe cwayland_display_read_events(display) == -1 { noteLoss() }
  }

  /// Hands out what is queued; whether that was anything.
  @discardableResult
  private func dispatchPending() -> Bool {
    guard loss == nil else { return false }
    let count = unsafe cwayland_display_dispatch_pending(display)
    if count < 0 { noteLoss() }
    return count > 0
  }

  // MARK: Requests

  /// Empties libwayland's buffer before it is full, waiting for the compositor where it has to.
  ///
  /// It keeps requests in 4 KiB and ends the connection where one finds neither room there nor in the
  /// socket.
  func noteRequest(ofSize size: Int) {
    unflushed += size
    if unflushed > 2048 { flush(isWaiting: true) }
  }

  /// Sends what is buffered, as far as the socket takes it.
  ///
  /// - Parameter isWaiting: Whether to wait for the socket to take the rest.
  func flush(isWaiting: Bool = false) {
    guard loss == nil else { return }
    while unsafe cwayland_display_flush(display) == -1 {
      let error = Errno.current
      guard error == .wouldBlock else {
        // What the compositor said before it went is still to be read, which finds its end as well.
        if error != .brokenPipe { noteLoss() }
        return awaitRoom(false)
      }
      guard isWaiting else { return awaitRoom(true) }
      waitOnSocket(for: POLLOUT)
    }
    unflushed = 0
    awaitRoom(false)
  }

  private func awaitRoom(_ isNeeded: Bool) {
    guard loop != nil, isNeeded != isAwaitingRoom else { return }
    isAwaitingRoom = isNeeded
    do {
      try watch(for: isNeeded ? [.readable, .writable] : .readable)
    } catch {
      noteLoss(.system(error))
    }
  }

  // MARK: Round trips

  /// Calls when the compositor has handled all that it was asked for until now.
  func sync(_ completion: @escaping () -> Void) {
    guard loss == nil else { return }
    var arguments = unsafe [newObject]
    let made = unsafe cwayland_proxy_marshal_array_flags(
      display, 0, Interface.callback.table, 1, 0, &arguments)
    guard let proxy = unsafe made else { return noteLoss(.system(.noMemory)) }
    let callback = unsafe Callback(adopting: proxy, on: self) { [unowned self] callback in
      callbacks.removeAll { $0 === callback }
      completion()
    }
    callbacks.append(callback)
    noteRequest(ofSize: 12)
  }

  /// The list of what the compositor has.
  func makeRegistry() -> OpaquePointer? {
    guard loss == nil else { return nil }
    var arguments = unsafe [newObject]
    noteRequest(ofSize: 12)
    return unsafe cwayland_proxy_marshal_array_flags(
      display, 1, Interface.registry.table, 1, 0, &arguments)
  }

  /// Waits until the compositor has handled all that it was asked for; whether it has.
  @discardableResult
  package func roundTrip() -> Bool {
    var isDone = false
    sync { isDone = true }
    while !isDone, loss == nil { waitForEvents() }
    return isDone
  }

  /// One wait for the compositor, and what comes of it is dispatched.
  ///
  /// - Parameter limit: When the wait ends at the latest.
  func waitForEvents(until limit: MonotonicTime? = nil) {
    cancelRead()
    if dispatchPending() || loss != nil { return }
    guard unsafe cwayland_display_prepare_read(display) == 0 else { return }
    isPrepared = true
    flush()
    guard loss == nil else { return }
    waitOnSocket(for: isAwaitingRoom ? POLLIN | POLLOUT : POLLIN, until: limit)
    readEvents()
    dispatchPending()
  }

  private func waitOnSocket(for events: Int32, until limit: MonotonicTime? = nil) {
    if let awaitEvents { return awaitEvents(descriptor) }
    var wait = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    let left = limit.map { max(0, ($0 - MonotonicTime.now).nanoseconds / 1_000_000 + 1) }
    _ = unsafe poll(&wait, 1, left.map { Int32(clamping: $0) } ?? -1)
  }

  // MARK: Loss

  private func noteLoss(_ known: WaylandLoss? = nil) {
    guard loss == nil else { return }
    loss = known ?? foundLoss
    cancelRead()
    watchToken?.cancel()
    callbacks = []
    onLoss?()
  }

  private var foundLoss: WaylandLoss {
    let error = Errno(unsafe cwayland_display_get_error(display))
    switch error.code {
    case EPROTO:
      var interface: UnsafePointer<wl_interface>?
      var id: UInt32 = 0
      let code = unsafe cwayland_display_get_protocol_error(display, &interface, &id)
      let name = unsafe interface.map { unsafe String(cString: $0.pointee.name) } ?? ""
      return .protocolError(interface: name, code: code)
    case EPIPE, ECONNRESET, 0: return .closed
    default: return .system(error)
    }
  }
}

/// The answer to a question whether all is done.
private final class Callback: WaylandObject {
  private let completion: (Callback) -> Void

  init(
    adopting proxy: OpaquePointer, on connection: WaylandConnection,
    _ completion: @escaping (Callback) -> Void
  ) {
    self.completion = completion
    unsafe super.init(adopting: proxy, .callback, version: 1, endedBy: nil, on: connection)
  }

  override func handle(_ opcode: UInt32, _ arguments: EventArguments) {
    guard CallbackEvent(rawValue: opcode) == .done else { return }
    completion(self)
  }
}
