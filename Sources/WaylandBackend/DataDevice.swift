internal import CWayland
internal import Pasteboard

/// Makes sources and devices of one of the protocols.
final class DataManager: WaylandObject {
  let dialect: Dialect
  let number: UInt32

  init?(_ registry: Registry, _ global: Registry.Global, _ dialect: Dialect) {
    self.dialect = dialect
    number = global.number
    let bound = unsafe registry.bind(global, as: dialect.manager, upTo: dialect.managerVersion)
    guard let (proxy, version) = unsafe bound else { return nil }
    let destructor: UInt32? =
      switch dialect {
      case .ext, .wlr: ControlManagerRequest.destroy.rawValue
      // The core protocol knows no end of a manager.
      case .core: nil
      case .primary: PrimaryManagerRequest.destroy.rawValue
      }
    unsafe super.init(
      adopting: proxy, dialect.manager, version: version, endedBy: destructor,
      on: registry.connection)
  }

  /// The selections that go by it.
  var selections: [PasteboardName] {
    switch dialect {
    case .ext: [.clipboard, .primary]
    case .wlr: version >= 2 ? [.clipboard, .primary] : [.clipboard]
    case .core: [.clipboard]
    case .primary: [.primary]
    }
  }

  // Sources come first, devices second, in all of them.
  fileprivate func makeDevice(_ seat: Seat) -> OpaquePointer? {
    unsafe make(
      dialect.device, by: ControlManagerRequest.getDataDevice,
      [newObject, WaylandObject.argument(seat)])
  }

  func makeSource() -> OpaquePointer? {
    unsafe make(dialect.source, by: ControlManagerRequest.createDataSource, [newObject])
  }
}

/// The selections of a seat.
final class DataDevice: WaylandObject {
  enum Event {
    /// A selection has new content now, or none.
    case selection(PasteboardName, DataOffer?)
    /// The seat has gone.
    case finished
  }

  let dialect: Dialect
  var onEvent: ((Event) -> Void)?

  /// Offers that no selection has been named for yet, the newest last.
  private var introduced: [DataOffer] = []
  // What each selection has; the backend owns them.
  private weak var clipboard: DataOffer?
  private weak var primary: DataOffer?

  /// One a selection in good order; what is dragged over a window of ours is never named for one.
  private static let maximumIntroduced = 4

  init?(_ manager: DataManager, _ seat: Seat) {
    dialect = manager.dialect
    guard let proxy = unsafe manager.makeDevice(seat) else { return nil }
    let destructor: UInt32? =
      switch manager.dialect {
      case .ext, .wlr: ControlDeviceRequest.destroy.rawValue
      case .core: manager.version >= 2 ? DataDeviceRequest.release.rawValue : nil
      case .primary: PrimaryDeviceRequest.destroy.rawValue
      }
    unsafe super.init(
      adopting: proxy, manager.dialect.device, version: manager.version, endedBy: destructor,
      on: manager.connection)
  }

  /// Puts a source on a selection, or nothing.
  ///
  /// - Parameter serial: Of the input event that is the reason, where the protocol asks for one.
  func setSelection(_ selection: PasteboardName, to source: DataSource?, serial: UInt32 = 0) {
    let source = unsafe WaylandObject.argument(source)
    switch dialect {
    case .ext, .wlr:
      if selection == .primary {
        unsafe request(ControlDeviceRequest.setPrimarySelection, [source])
      } else {
        unsafe request(ControlDeviceRequest.setSelection, [source])
      }
    case .core: unsafe request(DataDeviceRequest.setSelection, [source, wl_argument(u: serial)])
    case .primary:
      unsafe request(PrimaryDeviceRequest.setSelection, [source, wl_argument(u: serial)])
    }
  }

  override func handle(_ opcode: UInt32, _ arguments: EventArguments) {
    switch dialect {
    case .ext, .wlr:
      switch ControlDeviceEvent(rawValue: opcode) {
      case .dataOffer: unsafe introduce(arguments.object(0))
      case .selection: unsafe tell(.clipboard, arguments.object(0))
      case .primarySelection: unsafe tell(.primary, arguments.object(0))
      case .finished: onEvent?(.finished)
      case nil: break
      }
    case .core:
      switch DataDeviceEvent(rawValue: opcode) {
      case .dataOffer: unsafe introduce(arguments.object(0))
      case .selection: unsafe tell(.clipboard, arguments.object(0))
      // Drag and drop, which we do not take part in.
      case .enter, .leave, .motion, .drop, nil: break
      }
    case .primary:
      switch PrimaryDeviceEvent(rawValue: opcode) {
      case .dataOffer: unsafe introduce(arguments.object(0))
      case .selection: unsafe tell(.primary, arguments.object(0))
      case nil: break
      }
    }
  }

  private func introduce(_ proxy: OpaquePointer?) {
    guard let proxy = unsafe proxy else { return }
    unsafe introduced.append(DataOffer(adopting: proxy, from: self))
    if introduced.count > Self.maximumIntroduced { introduced.removeFirst() }
  }

  /// An offer belongs to the selection that it is named for first.
  ///
  /// One that is named for it again changes nothing, any other is as good as none.
  private func tell(_ selection: PasteboardName, _ named: OpaquePointer?) {
    let present = selection == .primary ? primary : clipboard
    if let present, unsafe present.isObject(named) { return }
    var offer: DataOffer?
    if let index = introduced.firstIndex(where: { unsafe $0.isObject(named) }) {
      offer = introduced.remove(at: index)
    }
    if selection == .primary { primary = offer } else { clipboard = offer }
    onEvent?(.selection(selection, offer))
  }
}
