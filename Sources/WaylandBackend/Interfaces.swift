internal import CWayland
internal import CWaylandProtocols

/// The interfaces of which we have objects, by their numbers in CWaylandProtocols.
enum Interface: UInt32, CaseIterable {
  case registry, callback, seat, keyboard, compositor, surface, sharedMemory, memoryPool, buffer
  case dataDeviceManager, dataDevice, dataSource, dataOffer
  case extManager, extDevice, extSource, extOffer
  case wlrManager, wlrDevice, wlrSource, wlrOffer
  case primaryManager, primaryDevice, primarySource, primaryOffer
  case windowBase, windowSurface, toplevel, activation

  /// The table that libwayland is told.
  var table: UnsafePointer<wl_interface> {
    guard let table = unsafe cwayland_interface(cwayland_interface(rawValue)) else {
      preconditionFailure("an interface without a table: \(self)")
    }
    return unsafe table
  }

  /// Its name on the wire.
  var name: String { unsafe String(cString: table.pointee.name) }

  /// What it has, in the order of the opcodes: written here by hand a second time, so that a test can
  /// tell when a table and the code that uses it no longer mean the same.
  var forms: (requests: [WireForm], events: [WireForm]) {
    switch self {
    case .registry: (RegistryRequest.forms, RegistryEvent.forms)
    case .callback: ([], CallbackEvent.forms)
    case .seat: (SeatRequest.forms, SeatEvent.forms)
    case .keyboard: (KeyboardRequest.forms, KeyboardEvent.forms)
    case .compositor: (CompositorRequest.forms, [])
    case .surface: (SurfaceRequest.forms, SurfaceEvent.forms)
    case .sharedMemory: (SharedMemoryRequest.forms, SharedMemoryEvent.forms)
    case .memoryPool: (MemoryPoolRequest.forms, [])
    case .buffer: (BufferRequest.forms, BufferEvent.forms)
    case .dataDeviceManager: (DataDeviceManagerRequest.forms, [])
    case .dataDevice: (DataDeviceRequest.forms, DataDeviceEvent.forms)
    case .dataSource: (DataSourceRequest.forms, DataSourceEvent.forms)
    case .dataOffer: (DataOfferRequest.forms, DataOfferEvent.forms)
    case .extManager, .wlrManager: (ControlManagerRequest.forms, [])
    case .extDevice: (ControlDeviceRequest.forms, ControlDeviceEvent.forms)
    case .wlrDevice: (ControlDeviceRequest.wlrForms, ControlDeviceEvent.wlrForms)
    case .extSource, .wlrSource: (ControlSourceRequest.forms, ControlSourceEvent.forms)
    case .extOffer, .wlrOffer: (ControlOfferRequest.forms, ControlOfferEvent.forms)
    case .primaryManager: (PrimaryManagerRequest.forms, [])
    case .primaryDevice: (PrimaryDeviceRequest.forms, PrimaryDeviceEvent.forms)
    case .primarySource: (PrimarySourceRequest.forms, PrimarySourceEvent.forms)
    case .primaryOffer: (PrimaryOfferRequest.forms, PrimaryOfferEvent.forms)
    case .windowBase: (WindowBaseRequest.forms, WindowBaseEvent.forms)
    case .windowSurface: (WindowSurfaceRequest.forms, WindowSurfaceEvent.forms)
    case .toplevel: (ToplevelRequest.forms, ToplevelEvent.forms)
    case .activation: (ActivationRequest.forms, [])
    }
  }
}

/// A message as the tables have it: its name, and the version and arguments that it has.
struct WireForm: Hashable {
  let name: String
  let signature: String

  init(_ name: String, _ signature: String) {
    self.name = name
    self.signature = signature
  }
}

/// The requests or the events of an interface; the raw value is the opcode.
protocol WireMessage: RawRepresentable, CaseIterable where RawValue == UInt32 {
  static var forms: [WireForm] { get }
}

// MARK: - Data control

enum ControlManagerRequest: UInt32, WireMessage {
  case createDataSource, getDataDevice, destroy

  static let forms: [WireForm] = [
    .init("create_data_source", "n"), .init("get_data_device", "no"), .init("destroy", ""),
  ]
}

enum ControlDeviceRequest: UInt32, WireMessage {
  case setSelection, destroy, setPrimarySelection

  static let forms: [WireForm] = [
    .init("set_selection", "?o"), .init("destroy", ""), .init("set_primary_selection", "?o"),
  ]

  /// As ext has it, but that the primary selection came later.
  static let wlrForms: [WireForm] =
    Array(forms.dropLast()) + [WireForm("set_primary_selection", "2?o")]
}

enum ControlDeviceEvent: UInt32, WireMessage {
  case dataOffer, selection, finished, primarySelection

  static let forms: [WireForm] = [
    .init("data_offer", "n"), .init("selection", "?o"), .init("finished", ""),
    .init("primary_selection", "?o"),
  ]

  /// As ext has it, but that the primary selection came later.
  static let wlrForms: [WireForm] = Array(forms.dropLast()) + [WireForm("primary_selection", "2?o")]
}

enum ControlSourceRequest: UInt32, WireMessage {
  case offer, destroy

  static let forms: [WireForm] = [
    .init("offer", "s"), .init("destroy", ""),
  ]
}

enum ControlSourceEvent: UInt32, WireMessage {
  case send, cancelled

  static let forms: [WireForm] = [
    .init("send", "sh"), .init("cancelled", ""),
  ]
}

enum ControlOfferRequest: UInt32, WireMessage {
  case receive, destroy

  static let forms: [WireForm] = [
    .init("receive", "sh"), .init("destroy", ""),
  ]
}

enum ControlOfferEvent: UInt32, WireMessage {
  case offer

  static let forms: [WireForm] = [
    .init("offer", "s")
  ]
}

// MARK: - The core protocol

enum RegistryRequest: UInt32, WireMessage {
  case bind

  static let forms: [WireForm] = [
    .init("bind", "usun")
  ]
}

enum RegistryEvent: UInt32, WireMessage {
  case global, globalRemove

  static let forms: [WireForm] = [
    .init("global", "usu"), .init("global_remove", "u"),
  ]
}

enum CallbackEvent: UInt32, WireMessage {
  case done

  static let forms: [WireForm] = [
    .init("done", "u")
  ]
}

enum SeatRequest: UInt32, WireMessage {
  case getPointer, getKeyboard, getTouch, release

  static let forms: [WireForm] = [
    .init("get_pointer", "n"), .init("get_keyboard", "n"), .init("get_touch", "n"),
    .init("release", "5"),
  ]
}

enum SeatEvent: UInt32, WireMessage {
  case capabilities, name

  static let forms: [WireForm] = [
    .init("capabilities", "u"), .init("name", "2s"),
  ]
}

enum KeyboardRequest: UInt32, WireMessage {
  case release

  static let forms: [WireForm] = [
    .init("release", "3")
  ]
}

enum KeyboardEvent: UInt32, WireMessage {
  case keymap, enter, leave, key, modifiers, repeatInfo

  static let forms: [WireForm] = [
    .init("keymap", "uhu"), .init("enter", "uoa"), .init("leave", "uo"), .init("key", "uuuu"),
    .init("modifiers", "uuuuu"), .init("repeat_info", "4ii"),
  ]
}

enum DataDeviceManagerRequest: UInt32, WireMessage {
  case createDataSource, getDataDevice

  static let forms: [WireForm] = [
    .init("create_data_source", "n"), .init("get_data_device", "no"),
  ]
}

enum DataDeviceRequest: UInt32, WireMessage {
  case startDrag, setSelection, release

  static let forms: [WireForm] = [
    .init("start_drag", "?oo?ou"), .init("set_selection", "?ou"), .init("release", "2"),
  ]
}

enum DataDeviceEvent: UInt32, WireMessage {
  case dataOffer, enter, leave, motion, drop, selection

  static let forms: [WireForm] = [
    .init("data_offer", "n"), .init("enter", "uoff?o"), .init("leave", ""), .init("motion", "uff"),
    .init("drop", ""), .init("selection", "?o"),
  ]
}

enum DataSourceRequest: UInt32, WireMessage {
  case offer, destroy, setActions

  static let forms: [WireForm] = [
    .init("offer", "s"), .init("destroy", ""), .init("set_actions", "3u"),
  ]
}

enum DataSourceEvent: UInt32, WireMessage {
  case target, send, cancelled, dndDropPerformed, dndFinished, action

  static let forms: [WireForm] = [
    .init("target", "?s"), .init("send", "sh"), .init("cancelled", ""),
    .init("dnd_drop_performed", "3"), .init("dnd_finished", "3"), .init("action", "3u"),
  ]
}

enum DataOfferRequest: UInt32, WireMessage {
  case accept, receive, destroy, finish, setActions

  static let forms: [WireForm] = [
    .init("accept", "u?s"), .init("receive", "sh"), .init("destroy", ""), .init("finish", "3"),
    .init("set_actions", "3uu"),
  ]
}

enum DataOfferEvent: UInt32, WireMessage {
  case offer, sourceActions, action

  static let forms: [WireForm] = [
    .init("offer", "s"), .init("source_actions", "3u"), .init("action", "3u"),
  ]
}

// MARK: - The primary selection of the focused window

enum PrimaryManagerRequest: UInt32, WireMessage {
  case createSource, getDevice, destroy

  static let forms: [WireForm] = [
    .init("create_source", "n"), .init("get_device", "no"), .init("destroy", ""),
  ]
}

enum PrimaryDeviceRequest: UInt32, WireMessage {
  case setSelection, destroy

  static let forms: [WireForm] = [
    .init("set_selection", "?ou"), .init("destroy", ""),
  ]
}

enum PrimaryDeviceEvent: UInt32, WireMessage {
  case dataOffer, selection

  static let forms: [WireForm] = [
    .init("data_offer", "n"), .init("selection", "?o"),
  ]
}

enum PrimarySourceRequest: UInt32, WireMessage {
  case offer, destroy

  static let forms: [WireForm] = [
    .init("offer", "s"), .init("destroy", ""),
  ]
}

enum PrimarySourceEvent: UInt32, WireMessage {
  case send, cancelled

  static let forms: [WireForm] = [
    .init("send", "sh"), .init("cancelled", ""),
  ]
}

enum PrimaryOfferRequest: UInt32, WireMessage {
  case receive, destroy

  static let forms: [WireForm] = [
    .init("receive", "sh"), .init("destroy", ""),
  ]
}

enum PrimaryOfferEvent: UInt32, WireMessage {
  case offer

  static let forms: [WireForm] = [
    .init("offer", "s")
  ]
}

// MARK: - Windows

enum CompositorRequest: UInt32, WireMessage {
  case createSurface, createRegion

  static let forms: [WireForm] = [
    .init("create_surface", "n"), .init("create_region", "n"),
  ]
}

enum SurfaceRequest: UInt32, WireMessage {
  case destroy, attach, damage, frame, setOpaqueRegion, setInputRegion, commit

  static let forms: [WireForm] = [
    .init("destroy", ""), .init("attach", "?oii"), .init("damage", "iiii"), .init("frame", "n"),
    .init("set_opaque_region", "?o"), .init("set_input_region", "?o"), .init("commit", ""),
  ]
}

enum SurfaceEvent: UInt32, WireMessage {
  case enter, leave

  static let forms: [WireForm] = [
    .init("enter", "o"), .init("leave", "o"),
  ]
}

enum SharedMemoryRequest: UInt32, WireMessage {
  case createPool

  static let forms: [WireForm] = [
    .init("create_pool", "nhi")
  ]
}

enum SharedMemoryEvent: UInt32, WireMessage {
  case format

  static let forms: [WireForm] = [
    .init("format", "u")
  ]
}

enum MemoryPoolRequest: UInt32, WireMessage {
  case createBuffer, destroy, resize

  static let forms: [WireForm] = [
    .init("create_buffer", "niiiiu"), .init("destroy", ""), .init("resize", "i"),
  ]
}

enum BufferRequest: UInt32, WireMessage {
  case destroy

  static let forms: [WireForm] = [
    .init("destroy", "")
  ]
}

enum BufferEvent: UInt32, WireMessage {
  case release

  static let forms: [WireForm] = [
    .init("release", "")
  ]
}

enum WindowBaseRequest: UInt32, WireMessage {
  case destroy, createPositioner, getXdgSurface, pong

  static let forms: [WireForm] = [
    .init("destroy", ""), .init("create_positioner", "n"), .init("get_xdg_surface", "no"),
    .init("pong", "u"),
  ]
}

enum WindowBaseEvent: UInt32, WireMessage {
  case ping

  static let forms: [WireForm] = [
    .init("ping", "u")
  ]
}

enum WindowSurfaceRequest: UInt32, WireMessage {
  case destroy, getToplevel, getPopup, setWindowGeometry, ackConfigure

  static let forms: [WireForm] = [
    .init("destroy", ""), .init("get_toplevel", "n"), .init("get_popup", "n?oo"),
    .init("set_window_geometry", "iiii"), .init("ack_configure", "u"),
  ]
}

enum WindowSurfaceEvent: UInt32, WireMessage {
  case configure

  static let forms: [WireForm] = [
    .init("configure", "u")
  ]
}

enum ToplevelRequest: UInt32, WireMessage {
  case destroy, setParent, setTitle, setAppId, showWindowMenu, move, resize, setMaxSize
  case setMinSize, setMaximized, unsetMaximized, setFullscreen, unsetFullscreen, setMinimized

  static let forms: [WireForm] = [
    .init("destroy", ""), .init("set_parent", "?o"), .init("set_title", "s"),
    .init("set_app_id", "s"), .init("show_window_menu", "ouii"), .init("move", "ou"),
    .init("resize", "ouu"), .init("set_max_size", "ii"), .init("set_min_size", "ii"),
    .init("set_maximized", ""), .init("unset_maximized", ""), .init("set_fullscreen", "?o"),
    .init("unset_fullscreen", ""), .init("set_minimized", ""),
  ]
}

enum ToplevelEvent: UInt32, WireMessage {
  case configure, close

  static let forms: [WireForm] = [
    .init("configure", "iia"), .init("close", ""),
  ]
}

enum ActivationRequest: UInt32, WireMessage {
  case destroy, getActivationToken, activate

  static let forms: [WireForm] = [
    .init("destroy", ""), .init("get_activation_token", "n"), .init("activate", "so"),
  ]
}
