internal import CWayland
internal import SelectionCore
internal import SystemIO

/// What we have on a selection.
final class DataSource: WaylandObject {
  enum Event: ~Copyable {
    /// Somebody wants the content of a type, written there.
    case send(type: String, OwnedFD)
    /// Something else is on the selection now.
    case cancelled
  }

  private let dialect: Dialect
  var onEvent: ((consuming Event) -> Void)?

  init?(_ manager: DataManager) {
    dialect = manager.dialect
    guard let proxy = unsafe manager.makeSource() else { return nil }
    let destructor =
      switch manager.dialect {
      case .ext, .wlr: ControlSourceRequest.destroy.rawValue
      case .core: DataSourceRequest.destroy.rawValue
      case .primary: PrimarySourceRequest.destroy.rawValue
      }
    unsafe super.init(
      adopting: proxy, manager.dialect.source, version: manager.version, endedBy: destructor,
      on: manager.connection)
  }

  /// Adds a type, before the source is set on a selection.
  func offer(_ type: String) {
    // The first request of all of them.
    request(ControlSourceRequest.offer, name: type)
  }

  override func handle(_ opcode: UInt32, _ arguments: EventArguments) {
    let isSend: Bool
    switch dialect {
    case .ext, .wlr, .primary:
      switch ControlSourceEvent(rawValue: opcode) {
      case .send: isSend = true
      case .cancelled: isSend = false
      case nil: return
      }
    case .core:
      switch DataSourceEvent(rawValue: opcode) {
      case .send: isSend = true
      case .cancelled: isSend = false
      // Drag and drop, which we do not take part in.
      case .target, .dndDropPerformed, .dndFinished, .action, nil: return
      }
    }
    guard isSend else { return onEvent?(.cancelled) ?? () }
    guard let descriptor = arguments.descriptor(1) else { return }
    onEvent?(.send(type: arguments.name(0), descriptor))
  }
}
