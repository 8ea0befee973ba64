internal import CWayland
internal import EventLoop
internal import SystemIO

/// A window of one pixel that has the keyboard's focus for a moment: the core protocol shows the
/// clipboard to whoever has it, and lets nobody else set it.
///
/// It is mapped when it is needed and at no other time.
final class FocusWindow {
  private let compositor: PlainObject
  private let memory: PlainObject
  private let base: WindowBase
  private let activation: PlainObject?
  private let activationToken: String?
  private let keyboard: Keyboard
  private let connection: WaylandConnection
  private var window: Window?

  /// What is mapped.
  private struct Window {
    let surface: PlainObject
    let role: WindowSurface
    let toplevel: Toplevel
    var buffer: PlainObject?
  }

  /// - Parameters:
  ///   - seat: One with a keyboard.
  ///   - activationToken: What the program that had the focus gave us on the way, as far as it did.
  init(
    _ registry: Registry, _ seat: Seat, activationToken: String?
  ) throws(WaylandOpenFailure) {
    connection = registry.connection
    guard let compositor = PlainObject(registry, .compositor),
      let memory = PlainObject(registry, .sharedMemory), let base = WindowBase(registry)
    else { throw .noWindows(compositor: registry.connection.compositorName) }
    guard seat.hasKeyboard, let keyboard = Keyboard(seat) else {
      throw .noKeyboard(compositor: registry.connection.compositorName)
    }
    self.compositor = compositor
    self.memory = memory
    self.base = base
    self.keyboard = keyboard
    // One that no message can carry is none.
    self.activationToken = activationToken.flatMap { WaylandObject.canCarry($0) ? $0 : nil }
    activation =
      self.activationToken == nil
      ? nil : PlainObject(registry, .activation, endedBy: ActivationRequest.destroy.rawValue)
  }

  var hasFocus: Bool { keyboard.focusSerial != nil && window != nil }

  /// The number of the event that gave us the focus, which is what lets us set a selection.
  var serial: UInt32 { keyboard.focusSerial ?? 0 }

  /// Shows the window and waits for the focus; whether it came in time.
  func acquire(within interval: Duration) -> Bool {
    if hasFocus { return true }
    let limit = MonotonicTime.now + interval
    if window == nil, !map(until: limit) { return false }
    while !hasFocus, !connection.isLost, MonotonicTime.now < limit {
      connection.waitForEvents(until: limit)
    }
    // What is on the selections was told just before, to this device or to another one of ours.
    return hasFocus && connection.roundTrip()
  }

  /// Takes the window away.
  func release() {
    guard var old = window.take() else { return }
    old.toplevel.end()
    old.role.end()
    old.surface.end()
    old.buffer?.end()
    old.buffer = nil
    connection.flush()
  }

  private func map(until limit: MonotonicTime) -> Bool {
    guard
      let surface = PlainObject(
        compositor, .surface, by: CompositorRequest.createSurface,
        endedBy: SurfaceRequest.destroy.rawValue),
      let role = WindowSurface(base, surface), let toplevel = Toplevel(role)
    else { return false }
    toplevel.request(ToplevelRequest.setTitle, name: "clipview")
    toplevel.request(ToplevelRequest.setAppId, name: "clipview")
    // One size only: tiling compositors leave such a window where it disturbs nobody.
    let pixel = unsafe [wl_argument(i: 1), wl_argument(i: 1)]
    unsafe toplevel.request(ToplevelRequest.setMinSize, pixel)
    unsafe toplevel.request(ToplevelRequest.setMaxSize, pixel)
    surface.request(SurfaceRequest.commit)
    window = Window(surface: surface, role: role, toplevel: toplevel)
    // The first picture may be shown only when the compositor has said how.
    while role.configuration == nil, !connection.isLost, MonotonicTime.now < limit {
      connection.waitForEvents(until: limit)
    }
    guard role.configuration != nil, let buffer = makeBuffer() else {
      release()
      return false
    }
    window?.buffer = buffer
    let origin = unsafe [WaylandObject.argument(buffer), wl_argument(i: 0), wl_argument(i: 0)]
    unsafe surface.request(SurfaceRequest.attach, origin)
    unsafe surface.request(
      SurfaceRequest.damage, [wl_argument(i: 0), wl_argument(i: 0)] + pixel)
    surface.request(SurfaceRequest.commit)
    activate(surface)
    connection.flush()
    return true
  }

  /// Compositors that let no new window have the focus do so for one whose starter had it.
  private func activate(_ surface: PlainObject) {
    guard let activation, let activationToken else { return }
    unsafe activation.request(
      ActivationRequest.activate, name: activationToken, [WaylandObject.argument(surface)])
  }

  /// One pixel that can be seen through.
  private func makeBuffer() -> PlainObject? {
    let side: Int32 = 1
    let stride: Int32 = 4
    guard let file = try? MemoryFile(name: "clipview"),
      (try? unsafe file.append(upTo: Int(stride), { _ in Int(stride) })) != nil
    else { return nil }
    let descriptor = unsafe wl_argument(h: file.descriptor)
    let size = unsafe wl_argument(i: stride * side)
    let made = unsafe memory.make(
      .memoryPool, by: SharedMemoryRequest.createPool, [newObject, descriptor, size])
    guard let proxy = unsafe made else { return nil }
    let pool = unsafe PlainObject(
      adopting: proxy, .memoryPool, version: 1, endedBy: MemoryPoolRequest.destroy.rawValue,
      on: connection)
    // Format 0: eight bits each of alpha, red, green and blue.
    let shape = unsafe [0, side, side, stride, 0].map { unsafe wl_argument(i: $0) }
    let buffer = unsafe pool.make(
      .buffer, by: MemoryPoolRequest.createBuffer, [newObject] + shape)
    guard let proxy = unsafe buffer else { return nil }
    return unsafe PlainObject(
      adopting: proxy, .buffer, version: 1, endedBy: BufferRequest.destroy.rawValue,
      on: connection)
  }
}

/// An object whose events, if it has any, are no business of ours.
final class PlainObject: WaylandObject {
  /// A global; nil where the compositor does not have it.
  init?(_ registry: Registry, _ interface: Interface, endedBy destructor: UInt32? = nil) {
    guard let global = registry.first(interface),
      let (proxy, version) = unsafe registry.bind(global, as: interface, upTo: 1)
    else { return nil }
    unsafe super.init(
      adopting: proxy, interface, version: version, endedBy: destructor, on: registry.connection)
  }

  override init(
    adopting proxy: OpaquePointer, _ interface: Interface, version: UInt32,
    endedBy destructor: UInt32?, on connection: WaylandConnection
  ) {
    unsafe super.init(
      adopting: proxy, interface, version: version, endedBy: destructor, on: connection)
  }

  /// What a request without further arguments makes.
  init?(
    _ maker: WaylandObject, _ interface: Interface, by opcode: some WireMessage,
    endedBy destructor: UInt32?
  ) {
    guard let proxy = unsafe maker.make(interface, by: opcode, [newObject]) else { return nil }
    unsafe super.init(
      adopting: proxy, interface, version: maker.version, endedBy: destructor,
      on: maker.connection)
  }
}

/// Makes windows of surfaces, and asks now and then whether we are alive.
private final class WindowBase: WaylandObject {
  init?(_ registry: Registry) {
    guard let global = registry.first(.windowBase),
      let (proxy, version) = unsafe registry.bind(global, as: .windowBase, upTo: 1)
    else { return nil }
    unsafe super.init(
      adopting: proxy, .windowBase, version: version,
      endedBy: WindowBaseRequest.destroy.rawValue, on: registry.connection)
  }

  override func handle(_ opcode: UInt32, _ arguments: EventArguments) {
    guard WindowBaseEvent(rawValue: opcode) == .ping else { return }
    unsafe request(WindowBaseRequest.pong, [wl_argument(u: arguments.unsigned(0))])
  }
}

private final class WindowSurface: WaylandObject {
  /// What was configured last; nil before the first time.
  private(set) var configuration: UInt32?

  init?(_ base: WindowBase, _ surface: PlainObject) {
    let made = unsafe base.make(
      .windowSurface, by: WindowBaseRequest.getXdgSurface,
      [newObject, WaylandObject.argument(surface)])
    guard let proxy = unsafe made else { return nil }
    unsafe super.init(
      adopting: proxy, .windowSurface, version: base.version,
      endedBy: WindowSurfaceRequest.destroy.rawValue, on: base.connection)
  }

  override func handle(_ opcode: UInt32, _ arguments: EventArguments) {
    guard WindowSurfaceEvent(rawValue: opcode) == .configure else { return }
    configuration = arguments.unsigned(0)
    unsafe request(
      WindowSurfaceRequest.ackConfigure, [wl_argument(u: arguments.unsigned(0))])
  }
}

private final class Toplevel: WaylandObject {
  init?(_ surface: WindowSurface) {
    let made = unsafe surface.make(
      .toplevel, by: WindowSurfaceRequest.getToplevel, [newObject])
    guard let proxy = unsafe made else { return nil }
    unsafe super.init(
      adopting: proxy, .toplevel, version: surface.version,
      endedBy: ToplevelRequest.destroy.rawValue, on: surface.connection)
  }
}

private final class Keyboard: WaylandObject {
  /// The number of the event that gave us the focus; nil while we do not have it.
  private(set) var focusSerial: UInt32?

  init?(_ seat: Seat) {
    guard let proxy = unsafe seat.makeKeyboard() else { return nil }
    unsafe super.init(
      adopting: proxy, .keyboard, version: seat.version,
      endedBy: seat.version >= 3 ? KeyboardRequest.release.rawValue : nil, on: seat.connection)
  }

  override func handle(_ opcode: UInt32, _ arguments: EventArguments) {
    switch KeyboardEvent(rawValue: opcode) {
    // The descriptor is ours, and of no use.
    case .keymap: _ = arguments.descriptor(1)
    case .enter: focusSerial = arguments.unsigned(0)
    case .leave: focusSerial = nil
    // Keys that are pressed in that moment are not for us.
    case .key, .modifiers, .repeatInfo, nil: break
    }
  }
}
