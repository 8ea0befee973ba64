internal import CWayland

/// A group of input devices, which has selections of its own.
final class Seat: WaylandObject {
  let number: UInt32
  /// Empty as well where the compositor does not tell.
  private(set) var name = ""
  private(set) var hasKeyboard = false
  /// Told when the compositor says which devices it has.
  var onCapabilities: (() -> Void)?

  private static let keyboardCapability: UInt32 = 2

  init?(_ registry: Registry, _ global: Registry.Global) {
    number = global.number
    guard let (proxy, version) = unsafe registry.bind(global, as: .seat, upTo: 5) else {
      return nil
    }
    unsafe super.init(
      adopting: proxy, .seat, version: version,
      endedBy: version >= 5 ? SeatRequest.release.rawValue : nil, on: registry.connection)
  }

  override func handle(_ opcode: UInt32, _ arguments: EventArguments) {
    switch SeatEvent(rawValue: opcode) {
    case .capabilities:
      hasKeyboard = arguments.unsigned(0) & Self.keyboardCapability != 0
      onCapabilities?()
    case .name: name = arguments.name(0)
    case nil: break
    }
  }

  func makeKeyboard() -> OpaquePointer? {
    unsafe make(.keyboard, by: SeatRequest.getKeyboard, [newObject])
  }
}
