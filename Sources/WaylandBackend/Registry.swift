internal import CWayland

/// What the compositor has to offer, as it comes and goes.
final class Registry: WaylandObject {
  /// Something of the kinds that we can use: a compositor has dozens of others.
  struct Global {
    let number: UInt32
    let interface: Interface
    let version: UInt32
  }

  private static let known: [Interface] = [
    .seat, .extManager, .wlrManager, .dataDeviceManager, .primaryManager, .compositor,
    .sharedMemory, .windowBase, .activation,
  ]

  private(set) var globals: [Global] = []
  /// More than any honest compositor has of these, seats included.
  static let maximumGlobals = 256
  /// Told of what comes after the beginning, and of all that goes.
  var onAppearance: ((Global) -> Void)?
  var onRemoval: ((UInt32) -> Void)?

  init?(_ connection: WaylandConnection) {
    guard let proxy = unsafe connection.makeRegistry() else { return nil }
    // The protocol knows no end of a registry.
    unsafe super.init(adopting: proxy, .registry, version: 1, endedBy: nil, on: connection)
  }

  override func handle(_ opcode: UInt32, _ arguments: EventArguments) {
    switch RegistryEvent(rawValue: opcode) {
    case .global:
      guard globals.count < Self.maximumGlobals,
        let interface = Self.known.first(where: { arguments.isName(of: $0, at: 1) })
      else { return }
      let global = Global(
        number: arguments.unsigned(0), interface: interface, version: arguments.unsigned(2))
      globals.append(global)
      onAppearance?(global)
    case .globalRemove:
      let number = arguments.unsigned(0)
      globals.removeAll { $0.number == number }
      onRemoval?(number)
    case nil: break
    }
  }

  func first(_ interface: Interface) -> Global? {
    globals.first { $0.interface == interface }
  }

  func all(_ interface: Interface) -> [Global] {
    globals.filter { $0.interface == interface }
  }

  /// Makes an object of a global.
  ///
  /// - Parameter version: The latest that we know; the compositor may have an earlier one.
  /// - Returns: The proxy and the version that both know.
  func bind(
    _ global: Global, as interface: Interface, upTo version: UInt32
  ) -> (proxy: OpaquePointer, version: UInt32)? {
    let version = min(version, global.version)
    let table = unsafe interface.table
    let arguments = unsafe [
      wl_argument(u: global.number), wl_argument(s: table.pointee.name),
      wl_argument(u: version), newObject,
    ]
    let made = unsafe make(interface, version: version, by: RegistryRequest.bind, arguments)
    guard let proxy = unsafe made else { return nil }
    return unsafe (proxy, version)
  }
}
