internal import CWayland
internal import SelectionCore
internal import SystemIO

/// What some program has on a selection: the types, and the way to their content.
final class DataOffer: WaylandObject {
  private let dialect: Dialect
  /// As they are listed, repetitions and all.
  private(set) var types: [String] = []
  private var room = DataOffer.maximumSize

  /// More than any honest list of types takes, in bytes.
  private static let maximumSize = 1 << 20

  /// - Parameter proxy: The new object of a `data_offer` event.
  init(adopting proxy: OpaquePointer, from device: DataDevice) {
    dialect = device.dialect
    let destructor =
      switch device.dialect {
      case .ext, .wlr: ControlOfferRequest.destroy.rawValue
      case .core: DataOfferRequest.destroy.rawValue
      case .primary: PrimaryOfferRequest.destroy.rawValue
      }
    unsafe super.init(
      adopting: proxy, device.dialect.offer, version: device.version, endedBy: destructor,
      on: device.connection)
  }

  override func handle(_ opcode: UInt32, _ arguments: EventArguments) {
    // The first event of all of them; what else there is concerns drag and drop.
    guard ControlOfferEvent(rawValue: opcode) == .offer else { return }
    let type = arguments.name(0)
    room -= type.utf8.count + 1
    if room >= 0 { types.append(type) }
  }

  /// Asks the source to write the content into a pipe.
  func receive(_ type: String, into writeEnd: consuming OwnedFD) {
    let descriptor = unsafe wl_argument(h: writeEnd.rawValue)
    switch dialect {
    case .ext, .wlr: unsafe request(ControlOfferRequest.receive, name: type, [descriptor])
    case .core: unsafe request(DataOfferRequest.receive, name: type, [descriptor])
    case .primary: unsafe request(PrimaryOfferRequest.receive, name: type, [descriptor])
    }
    // libwayland has made a copy of it; at the end of this one we do not write any more.
    connection.flush()
  }
}
