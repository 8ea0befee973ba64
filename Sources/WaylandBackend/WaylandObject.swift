internal import CWayland
internal import Glibc
internal import SelectionCore
internal import SystemIO

/// An object of the protocol: owns its proxy and ends it, at the display too, in `deinit`.
///
/// The base of all wrappers. It is not generic, since the one function that C calls cannot refer to a
/// generic parameter. An object that was ended before is inert: what it is asked to do does nothing.
@safe class WaylandObject {
  let connection: WaylandConnection
  let interface: Interface
  let version: UInt32
  private var proxy: OpaquePointer?
  /// The request that ends it at the display; nil where there is none.
  private let destructor: UInt32?

  /// - Parameter proxy: Nobody else will destroy it.
  init(
    adopting proxy: OpaquePointer, _ interface: Interface, version: UInt32,
    endedBy destructor: UInt32?, on connection: WaylandConnection
  ) {
    unsafe self.proxy = proxy
    self.interface = interface
    self.version = version
    self.destructor = destructor
    self.connection = connection
    connection.noteBirth()
    // Unretained: the proxy, and with it whatever could still be dispatched, ends with this object.
    let implementation = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe cwayland_proxy_add_dispatcher(proxy, dispatchEvent, implementation)
  }

  deinit { end() }

  /// Ends the object, as letting go of it does.
  final func end() {
    guard let proxy = unsafe proxy else { return }
    unsafe self.proxy = nil
    connection.noteDeath()
    guard let destructor else { return unsafe cwayland_proxy_destroy(proxy) }
    // The flag destroys the proxy together with the request.
    _ = unsafe cwayland_proxy_marshal_array_flags(proxy, destructor, nil, version, 1, nil)
    connection.noteRequest(ofSize: 8)
  }

  final var isEnded: Bool { unsafe proxy == nil }

  /// The object as an argument of a request; nil as no object.
  static func argument(_ object: WaylandObject?) -> wl_argument {
    unsafe wl_argument(o: object?.proxy)
  }

  /// Whether this is the object that an event names.
  final func isObject(_ other: OpaquePointer?) -> Bool {
    guard let other = unsafe other else { return false }
    return unsafe proxy == other
  }

  // MARK: Requests

  /// The longest name that fits into a message: libwayland ends the connection over a longer one.
  static let maximumNameSize = 4000

  static func canCarry(_ name: String) -> Bool {
    !name.utf8.contains(0) && name.wireBytes.count <= maximumNameSize
  }

  final func request(_ opcode: some WireMessage) { unsafe request(opcode, []) }

  final func request(_ opcode: some WireMessage, _ arguments: [wl_argument]) {
    guard let proxy = unsafe proxy else { return }
    var arguments = unsafe arguments
    _ = unsafe cwayland_proxy_marshal_array_flags(
      proxy, opcode.rawValue, nil, version, 0, &arguments)
    unsafe connection.noteRequest(ofSize: 8 + 4 * arguments.count)
  }

  final func request(_ opcode: some WireMessage, name: String) {
    unsafe request(opcode, name: name, [])
  }

  /// A request with a name in front, as the bytes that it is on the wire.
  final func request(
    _ opcode: some WireMessage, name: String, _ more: [wl_argument]
  ) {
    let bytes = name.wireBytes.map { CChar(bitPattern: $0) } + [0]
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe request(opcode, [wl_argument(s: bytes.baseAddress)] + more)
    }
    connection.noteRequest(ofSize: bytes.count)
  }

  /// A request that makes an object; nil when this object is inert.
  ///
  /// - Parameter arguments: All of them, any value in the place of the new object.
  final func make(
    _ made: Interface, version: UInt32? = nil, by opcode: some WireMessage,
    _ arguments: [wl_argument]
  ) -> OpaquePointer? {
    guard let proxy = unsafe proxy else { return nil }
    var arguments = unsafe arguments
    unsafe connection.noteRequest(ofSize: 8 + 4 * arguments.count)
    return unsafe cwayland_proxy_marshal_array_flags(
      proxy, opcode.rawValue, made.table, version ?? self.version, 0, &arguments)
  }

  // MARK: Events

  /// Called for each event, in order; descriptors in it are the callee's.
  func handle(_ opcode: UInt32, _ arguments: EventArguments) {}
}

/// The place of a new object in a request.
var newObject: wl_argument { unsafe wl_argument(n: 0) }

/// The one function that libwayland calls.
private let dispatchEvent: wl_dispatcher_func_t = { implementation, _, opcode, _, arguments in
  guard let implementation = unsafe implementation else { return 0 }
  // Held until the handler is done, whatever it lets go of.
  let object = unsafe Unmanaged<WaylandObject>.fromOpaque(implementation).takeUnretainedValue()
  unsafe object.handle(opcode, EventArguments(arguments))
  return 0
}

/// The arguments of an event, decoded by whoever knows their types.
@safe struct EventArguments {
  private let arguments: UnsafeMutablePointer<wl_argument>?

  fileprivate init(_ arguments: UnsafeMutablePointer<wl_argument>?) {
    unsafe self.arguments = arguments
  }

  func unsigned(_ index: Int) -> UInt32 { unsafe arguments?[index].u ?? 0 }

  /// A name, copied; any bytes.
  func name(_ index: Int) -> String {
    guard let text = unsafe arguments?[index].s else { return "" }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
    return unsafe String(wireBytes: Array(bytes))
  }

  /// Whether a name is that of an interface, told without a copy of it.
  func isName(of interface: Interface, at index: Int) -> Bool {
    guard let text = unsafe arguments?[index].s else { return false }
    return unsafe strcmp(text, interface.table.pointee.name) == 0
  }

  func object(_ index: Int) -> OpaquePointer? { unsafe arguments?[index].o }

  /// A descriptor, which is ours from then on: to be called once.
  func descriptor(_ index: Int) -> OwnedFD? {
    guard let descriptor = unsafe arguments?[index].h, descriptor >= 0 else { return nil }
    return OwnedFD(adopting: descriptor)
  }
}
