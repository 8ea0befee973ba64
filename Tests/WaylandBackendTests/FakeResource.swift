internal import CWayland
internal import CWaylandServer
internal import Glibc
import SystemIO

@testable import WaylandBackend

/// An object of a client, at the compositor's side: what it asks comes to `onRequest`.
@safe class FakeResource {
  private(set) var resource: OpaquePointer?
  let client: FakeClient
  let interface: Interface
  let version: UInt32
  var onRequest: (UInt32, RequestArguments) -> Void = { _, _ in }

  /// - Parameter id: As the client chose it; 0 for an object that we make.
  init(_ client: FakeClient, _ interface: Interface, version: UInt32, id: UInt32 = 0) {
    self.client = client
    self.interface = interface
    self.version = version
    unsafe resource = wl_resource_create(
      client.client, interface.table, Int32(version), id)
    client.resources.append(self)
    // Retained until the client or the library ends it.
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe wl_resource_set_dispatcher(
      resource,
      { implementation, _, opcode, _, arguments in
        guard let implementation = unsafe implementation else { return 0 }
        let object = unsafe Unmanaged<FakeResource>.fromOpaque(implementation).takeUnretainedValue()
        unsafe object.onRequest(opcode, RequestArguments(arguments))
        return 0
      }, context, context,
      { resource in
        guard let context = unsafe wl_resource_get_user_data(resource) else { return }
        let object = unsafe Unmanaged<FakeResource>.fromOpaque(context).takeRetainedValue()
        unsafe object.resource = nil
        object.client.resources.removeAll { $0 === object }
        object.onEnd()
        // What they hold may hold the object.
        object.onEnd = {}
        object.onRequest = { _, _ in }
      })
  }

  var isAlive: Bool { unsafe resource != nil }
  var onEnd: () -> Void = {}
  /// What the compositor knows it by.
  weak var attachment: AnyObject?

  /// Ends the object, as its destructor does.
  func end() {
    if let resource = unsafe resource { unsafe wl_resource_destroy(resource) }
  }

  func isObject(_ other: OpaquePointer?) -> Bool {
    guard let other = unsafe other else { return false }
    return unsafe resource == other
  }

  /// The object as an argument of an event.
  var argument: wl_argument { unsafe wl_argument(o: resource) }

  func postError(_ code: UInt32, _ message: String) {
    if let resource = unsafe resource { unsafe cwayland_post_error(resource, code, message) }
  }

  // MARK: Events

  func post(_ opcode: some WireMessage) { unsafe post(opcode, []) }

  func post(_ opcode: some WireMessage, object: FakeResource?) {
    unsafe post(opcode, [wl_argument(o: object?.resource)])
  }

  func post(_ opcode: some WireMessage, name: String) { post(opcode, bytes: Array(name.utf8)) }

  func post(_ opcode: some WireMessage, bytes: [UInt8]) {
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    unsafe text.withUnsafeBufferPointer { text in
      unsafe post(opcode, [wl_argument(s: text.baseAddress)])
    }
  }

  func post(_ opcode: some WireMessage, number: UInt32) {
    unsafe post(opcode, [wl_argument(u: number)])
  }

  func post(_ opcode: some WireMessage, name: String, _ descriptor: borrowing OwnedFD) {
    let number = descriptor.rawValue
    let text = name.utf8.map { CChar(bitPattern: $0) } + [0]
    unsafe text.withUnsafeBufferPointer { text in
      unsafe post(opcode, [wl_argument(s: text.baseAddress), wl_argument(h: number)])
    }
  }

  func post(_ opcode: some WireMessage, _ arguments: [wl_argument]) {
    guard let resource = unsafe resource else { return }
    var arguments = unsafe arguments
    unsafe wl_resource_post_event_array(resource, opcode.rawValue, &arguments)
  }
}

/// The arguments of a request.
@safe struct RequestArguments {
  private let arguments: UnsafeMutablePointer<wl_argument>?

  fileprivate init(_ arguments: UnsafeMutablePointer<wl_argument>?) {
    unsafe self.arguments = arguments
  }

  func unsigned(_ index: Int) -> UInt32 { unsafe arguments?[index].u ?? 0 }
  func newID(_ index: Int) -> UInt32 { unsafe arguments?[index].n ?? 0 }
  func object(_ index: Int) -> OpaquePointer? { unsafe arguments?[index].o }

  func name(_ index: Int) -> String {
    guard let text = unsafe arguments?[index].s else { return "" }
    return unsafe String(cString: text)
  }

  func descriptor(_ index: Int) -> OwnedFD {
    OwnedFD(adopting: unsafe arguments?[index].h ?? -1)
  }
}

/// One connection, at the compositor's side.
@safe final class FakeClient {
  fileprivate let client: OpaquePointer
  var resources: [FakeResource] = []
  private(set) var isAlive = true

  /// - Parameter socket: The compositor's end.
  init(_ display: OpaquePointer, _ socket: consuming OwnedFD) {
    guard let client = unsafe wl_client_create(display, socket.take()) else {
      preconditionFailure("no client can be made")
    }
    unsafe self.client = client
    unsafe cwayland_on_client_gone(
      client,
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<FakeClient>.fromOpaque(context).takeRetainedValue().isAlive = false
      }, Unmanaged.passRetained(self).toOpaque())
  }

  /// Hangs up.
  func disconnect() {
    if isAlive { unsafe wl_client_destroy(client) }
  }

  /// Sends a descriptor with an event of an object that is not there, past the library.
  func sendStray(_ descriptor: borrowing OwnedFD) throws {
    let copy = unsafe fcntl(wl_client_get_fd(client), F_DUPFD_CLOEXEC, 0)
    let socket = LocalSocket(adopting: OwnedFD(adopting: copy))
    // The object's number, the size of the message and its opcode.
    let event: [UInt32] = [0x00ff_ffff, 8 << 16]
    let attached = descriptor.rawValue
    _ = try unsafe event.withUnsafeBytes { bytes throws(Errno) in
      try unsafe socket.send(bytes, descriptor: attached)
    }
  }

  func isClient(_ other: OpaquePointer?) -> Bool { unsafe client == other }

  /// How many objects the client has beside its display, callbacks included.
  var objectCount: Int {
    guard isAlive else { return 0 }
    var count = 0
    unsafe cwayland_each_resource(
      client, { _, context in unsafe context?.assumingMemoryBound(to: Int.self).pointee += 1 },
      &count)
    return count - 1
  }

  func first(_ interface: Interface) -> FakeResource? {
    resources.last { $0.interface == interface }
  }

  func all(_ interface: Interface) -> [FakeResource] {
    resources.filter { $0.interface == interface }
  }
}
