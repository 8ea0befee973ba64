internal import CWayland
internal import CWaylandServer
internal import Glibc
import Pasteboard
import SystemIO
import TestSupport

@testable import WaylandBackend

/// A compositor inside of the test: libwayland-server over a socketpair, turned by the test itself.
///
/// It does what a compositor does with selections, and the test may post whatever else to the objects of
/// its clients.
@safe final class FakeCompositor {
  private let display: OpaquePointer
  private let loop: OpaquePointer
  private var globals: [UInt: Global] = [:]
  private(set) var clients: [FakeClient] = []
  private(set) var devices: [FakeDevice] = []
  private(set) var seats: [FakeSeat] = []
  /// What tests look at: each request for content that came to an owner.
  private(set) var requestedTypes: [String] = []

  @safe private final class Global {
    unowned let compositor: FakeCompositor
    let interface: Interface
    let onBind: (FakeResource) -> Void
    var global: OpaquePointer?

    init(
      _ compositor: FakeCompositor, _ interface: Interface,
      _ onBind: @escaping (FakeResource) -> Void
    ) {
      self.compositor = compositor
      self.interface = interface
      self.onBind = onBind
    }
  }

  /// - Parameters:
  ///   - managers: The data-control protocols that it has, and the versions.
  ///   - seats: Their names; nil for one of version 1, which has none.
  init(
    _ managers: [(Interface, version: UInt32)] = [(.extManager, 1)], seats: [String?] = ["seat0"]
  ) {
    cwayland_keep_quiet()
    guard let display = unsafe wl_display_create(),
      let loop = unsafe wl_display_get_event_loop(display)
    else { preconditionFailure("no display can be made") }
    unsafe self.display = display
    unsafe self.loop = loop
    for seat in seats { addSeat(seat) }
    for manager in managers { addManager(manager.0, version: manager.version) }
  }

  deinit {
    // Before the clients: their resources are ours.
    for client in clients { client.disconnect() }
    unsafe wl_display_destroy(display)
  }

  /// A new connection; the client's end.
  func connect() throws -> OwnedFD {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try blockingSystemCall { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
    clients.append(unsafe FakeClient(display, OwnedFD(adopting: ends[0])))
    return OwnedFD(adopting: ends[1])
  }

  /// Takes connections at a path from now on, as real compositors do.
  func listen(at path: String) throws {
    listener = Listener(try LocalListener(at: FilePath(path)))
  }

  private final class Listener {
    let socket: LocalListener
    init(_ socket: consuming LocalListener) { self.socket = socket }
  }
  private var listener: Listener?

  private func takeConnections() {
    while let listener, case .done(let connection)? = try? listener.socket.accept() {
      clients.append(unsafe FakeClient(display, connection))
    }
  }

  /// Ends all connections.
  func hangUp() {
    for client in clients { client.disconnect() }
    clients = []
  }

  /// Does what the clients have asked for, and tells them.
  func turn() {
    takeConnections()
    unsafe wl_event_loop_dispatch(loop, 0)
    unsafe wl_display_flush_clients(display)
    clients.removeAll { !$0.isAlive }
  }

  // MARK: Globals

  @discardableResult
  func addGlobal(
    _ interface: Interface, version: UInt32, _ onBind: @escaping (FakeResource) -> Void
  ) -> UInt {
    let global = Global(self, interface, onBind)
    let context = unsafe Unmanaged.passUnretained(global).toOpaque()
    unsafe global.global = wl_global_create(
      display, interface.table, Int32(version), context,
      { client, context, version, id in
        guard let context = unsafe context else { return }
        let global = unsafe Unmanaged<Global>.fromOpaque(context).takeUnretainedValue()
        let owner = global.compositor.clients.first { unsafe $0.isClient(client) }
        guard let owner else { return }
        global.onBind(FakeResource(owner, global.interface, version: version, id: id))
      })
    let key = UInt(bitPattern: context)
    globals[key] = global
    return key
  }

  func removeGlobal(_ key: UInt) {
    guard let global = globals.removeValue(forKey: key) else { return }
    unsafe wl_global_destroy(global.global)
    keptGlobals.append(global)
  }

  // A client may bind what it has not heard is gone.
  private var keptGlobals: [Global] = []

  @discardableResult
  func addSeat(_ name: String?) -> FakeSeat {
    let seat = FakeSeat(name)
    seats.append(seat)
    seat.global = addGlobal(.seat, version: name == nil ? 1 : 5) { [unowned self] resource in
      seat.resources.append(resource)
      resource.onRequest = { [unowned resource] opcode, arguments in
        switch SeatRequest(rawValue: opcode) {
        case .release: resource.end()
        case .getKeyboard:
          self.onKeyboard(
            FakeResource(
              resource.client, .keyboard, version: resource.version, id: arguments.newID(0)))
        default: break
        }
      }
      resource.post(SeatEvent.capabilities, number: seat.capabilities)
      if let name = seat.name, resource.version >= 2 { resource.post(SeatEvent.name, name: name) }
    }
    return seat
  }

  /// Told of each keyboard that is asked for.
  var onKeyboard: (FakeResource) -> Void = { _ in }

  /// The seat goes, and so do the selections of its devices.
  func removeSeat(_ seat: FakeSeat) {
    if let global = seat.global { removeGlobal(global) }
    seats.removeAll { $0 === seat }
    for device in devices where device.seat === seat {
      device.resource.post(ControlDeviceEvent.finished)
    }
  }

  private func addManager(_ interface: Interface, version: UInt32) {
    addGlobal(interface, version: version) { [unowned self] manager in
      manager.onRequest = { [unowned self, unowned manager] opcode, arguments in
        switch ControlManagerRequest(rawValue: opcode) {
        case .createDataSource:
          let isExt = interface == .extManager
          _ = FakeSource(
            FakeResource(
              manager.client, isExt ? .extSource : .wlrSource, version: 1,
              id: arguments.newID(0)))
        case .getDataDevice: unsafe makeDevice(manager, arguments.newID(0), arguments.object(1))
        case .destroy: manager.end()
        case nil: break
        }
      }
    }
  }

  private func makeDevice(_ manager: FakeResource, _ id: UInt32, _ seat: OpaquePointer?) {
    let isExt = manager.interface == .extManager
    let resource = FakeResource(
      manager.client, isExt ? .extDevice : .wlrDevice, version: manager.version, id: id)
    let seat = seats.first { $0.resources.contains { unsafe $0.isObject(seat) } }
    guard let seat else { return }
    let device = FakeDevice(resource, of: seat, hasPrimary: isExt || manager.version >= 2)
    devices.append(device)
    resource.onEnd = { [weak self] in self?.devices.removeAll { $0.resource === resource } }
    resource.onRequest = { [unowned self, unowned resource] opcode, arguments in
      switch ControlDeviceRequest(rawValue: opcode) {
      case .setSelection: unsafe set(.clipboard, of: device, to: arguments.object(0))
      case .setPrimarySelection: unsafe set(.primary, of: device, to: arguments.object(0))
      case .destroy: resource.end()
      case nil: break
      }
    }
    tell(device, .clipboard)
    if device.hasPrimary { tell(device, .primary) }
  }

  // MARK: Selections

  /// Refuses what is set next, as if another client had been quicker.
  var stealsSelections = 0

  private func set(_ selection: PasteboardName, of device: FakeDevice, to object: OpaquePointer?) {
    let source = device.resource.client.resources.first { unsafe $0.isObject(object) }
    let owner = source.flatMap { FakeSource.of($0) }
    if let owner {
      // Both protocols: a source may be set once.
      if owner.isUsed { return device.resource.postError(1, "used source") }
      owner.isUsed = true
    }
    own(owner.map { .source($0) } ?? .nothing, selection, on: device.seat)
    if stealsSelections > 0 {
      stealsSelections -= 1
      own(.scripted(ScriptedOwner(["text/plain": .bytes(Array("theirs".utf8))])), selection)
    }
  }

  /// Puts something on a selection and tells all who can see it.
  func own(
    _ owner: FakeOwner, _ selection: PasteboardName = .clipboard, on seat: FakeSeat? = nil
  ) {
    guard let seat = seat ?? seats.first else { return }
    let present = seat[selection]
    seat[selection] = owner
    if case .source(let source) = present {
      if case .source(let same) = owner, same === source { return }
      source.resource.post(ControlSourceEvent.cancelled)
    }
    if case .source(let source) = owner {
      source.resource.onEnd = { [weak self, weak seat] in
        guard let self, let seat, case .source(let now) = seat[selection], now === source else {
          return
        }
        own(.nothing, selection, on: seat)
      }
    }
    for device in devices where device.seat === seat {
      if selection == .clipboard || device.hasPrimary { tell(device, selection) }
    }
  }

  func own(_ script: ScriptedOwner, _ selection: PasteboardName = .clipboard) {
    own(.scripted(script), selection)
  }

  private func tell(_ device: FakeDevice, _ selection: PasteboardName) {
    let owner = device.seat[selection]
    let offer = owner.types.map { types in introduce(types, to: device, of: owner, selection) }
    device.resource.post(
      selection == .primary ? ControlDeviceEvent.primarySelection : .selection, object: offer)
  }

  /// Makes an offer and lists its types; the test, or ``tell``, names it for a selection.
  @discardableResult
  func introduce(
    _ types: [String], to device: FakeDevice, of owner: FakeOwner,
    _ selection: PasteboardName = .clipboard
  ) -> FakeResource {
    let isExt = device.resource.interface == .extDevice
    let offer = FakeResource(
      device.resource.client, isExt ? .extOffer : .wlrOffer, version: device.resource.version)
    offer.onRequest = { [unowned self, unowned offer] opcode, arguments in
      switch ControlOfferRequest(rawValue: opcode) {
      case .receive:
        let type = arguments.name(0)
        let pipe = arguments.descriptor(1)
        requestedTypes.append(type)
        // Content that has been replaced is not to be had: the pipe is closed.
        if owner.isSame(as: device.seat[selection]) { owner.send(type, pipe) }
      case .destroy: offer.end()
      case nil: break
      }
    }
    device.resource.post(ControlDeviceEvent.dataOffer, object: offer)
    for type in types { offer.post(ControlOfferEvent.offer, name: type) }
    return offer
  }
}

/// A seat and what is on its selections.
final class FakeSeat {
  let name: String?
  fileprivate(set) var resources: [FakeResource] = []
  /// Whether some client ever looked at it.
  var wasBound: Bool { !resources.isEmpty }
  fileprivate var global: UInt?
  var capabilities: UInt32 = 0
  private var clipboard = FakeOwner.nothing
  private var primary = FakeOwner.nothing

  init(_ name: String?) { self.name = name }

  fileprivate(set) subscript(_ selection: PasteboardName) -> FakeOwner {
    get { selection == .primary ? primary : clipboard }
    set { if selection == .primary { primary = newValue } else { clipboard = newValue } }
  }
}

final class FakeDevice {
  let resource: FakeResource
  let seat: FakeSeat
  let hasPrimary: Bool

  init(_ resource: FakeResource, of seat: FakeSeat, hasPrimary: Bool) {
    self.resource = resource
    self.seat = seat
    self.hasPrimary = hasPrimary
  }
}

/// A source of a client.
final class FakeSource {
  let resource: FakeResource
  private(set) var types: [String] = []
  fileprivate var isUsed = false

  init(_ resource: FakeResource) {
    self.resource = resource
    resource.onRequest = { [unowned resource] opcode, arguments in
      switch ControlSourceRequest(rawValue: opcode) {
      case .offer:
        if self.isUsed { return resource.postError(1, "offer after the source was set") }
        self.types.append(arguments.name(0))
      case .destroy: resource.end()
      case nil: break
      }
    }
    resource.attachment = self
  }

  static func of(_ resource: FakeResource) -> FakeSource? { resource.attachment as? FakeSource }
}

/// What is on a selection of a seat.
enum FakeOwner {
  case nothing
  case source(FakeSource)
  case scripted(ScriptedOwner)

  var types: [String]? {
    switch self {
    case .nothing: nil
    case .source(let source): source.types
    case .scripted(let script): script.types
    }
  }

  func isSame(as other: FakeOwner) -> Bool {
    switch (self, other) {
    case (.source(let one), .source(let two)): one === two
    case (.scripted(let one), .scripted(let two)): one === two
    default: false
    }
  }

  func send(_ type: String, _ pipe: consuming OwnedFD) {
    switch self {
    case .nothing: break
    case .source(let source): source.resource.post(ControlSourceEvent.send, name: type, pipe)
    case .scripted(let script): script.send(type, pipe)
    }
  }
}

/// An owner that is no client: it answers as the test says.
final class ScriptedOwner {
  enum Answer {
    /// As much as a pipe takes at once.
    case bytes([UInt8])
    /// Nothing, the pipe closed.
    case refusal
    /// So many bytes, then the pipe is kept open and nothing comes.
    case stalling([UInt8])
  }

  let types: [String]
  private let answers: [String: Answer]
  private var held: [Held] = []

  private final class Held {
    let pipe: OwnedFD
    init(_ pipe: consuming OwnedFD) { self.pipe = pipe }
  }

  init(_ answers: KeyValuePairs<String, Answer>) {
    types = answers.map(\.key)
    self.answers = Dictionary(answers.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// One whose content somebody else gives.
  init(listing types: [String]) {
    self.types = types
    answers = [:]
  }

  /// Lets go of all pipes that it keeps.
  func hangUp() { held = [] }

  var heldCount: Int { held.count }

  fileprivate func send(_ type: String, _ pipe: consuming OwnedFD) {
    switch answers[type] {
    case .bytes(let bytes): try? Files.write(bytes, to: pipe)
    case .stalling(let bytes):
      try? Files.write(bytes, to: pipe)
      held.append(Held(pipe))
    case .refusal, nil: break
    }
  }
}
