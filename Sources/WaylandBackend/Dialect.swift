/// The protocols that selections go by.
///
/// They say the same in different numbers: callers of the wrappers do not know which of them is spoken.
enum Dialect {
  /// ext-data-control: the standard.
  case ext
  /// wlr-data-control: what it was made from.
  case wlr
  /// The core protocol: the clipboard of the focused window.
  case core
  /// The primary selection of the focused window.
  case primary

  var manager: Interface {
    switch self {
    case .ext: .extManager
    case .wlr: .wlrManager
    case .core: .dataDeviceManager
    case .primary: .primaryManager
    }
  }

  var device: Interface {
    switch self {
    case .ext: .extDevice
    case .wlr: .wlrDevice
    case .core: .dataDevice
    case .primary: .primaryDevice
    }
  }

  var source: Interface {
    switch self {
    case .ext: .extSource
    case .wlr: .wlrSource
    case .core: .dataSource
    case .primary: .primarySource
    }
  }

  var offer: Interface {
    switch self {
    case .ext: .extOffer
    case .wlr: .wlrOffer
    case .core: .dataOffer
    case .primary: .primaryOffer
    }
  }

  /// The latest version of the manager that we know.
  var managerVersion: UInt32 {
    switch self {
    case .ext, .primary: 1
    case .wlr, .core: 2
    }
  }

  /// As displays are described to people.
  var name: String {
    switch self {
    case .ext: "ext-data-control"
    case .wlr: "wlr-data-control"
    case .core: "the core protocol"
    case .primary: "primary-selection"
    }
  }
}
