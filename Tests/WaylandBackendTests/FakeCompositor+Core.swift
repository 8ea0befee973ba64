internal import CWayland
import Pasteboard
import SystemIO

@testable import WaylandBackend

/// The core protocol of a compositor: windows, a keyboard that focuses them, and the clipboard of the
/// focused one.
final class FakeCore {
  let compositor: FakeCompositor
  private var keyboards: [FakeResource] = []
  private var dataDevices: [FakeResource] = []
  private var sources: [ObjectIdentifier: [String]] = [:]
  private var owner = FakeOwner.nothing
  private var ownSource: FakeResource?
  private(set) var focused: FakeResource?
  private var serial: UInt32 = 100
  /// How many windows were ever made.
  private(set) var windowCount = 0
  /// What the compositor does with windows that want the focus.
  var givesFocus = true
  /// What a window has to show before it has the focus; nil where none has to.
  var wantedToken: String?
  /// What windows have shown.
  private(set) var activationTokens: [String] = []
  /// Whether it passes over what is set, as for a serial that is too old.
  var ignoresSelections = false

  /// - Parameters:
  ///   - hasKeyboard: Whether the seat has one.
  ///   - hasWindows: Whether there are windows at all.
  init(hasKeyboard: Bool = true, hasWindows: Bool = true, seats: [String?] = ["seat0"]) {
    compositor = FakeCompositor([], seats: seats)
    if hasKeyboard { for seat in compositor.seats { seat.capabilities = 2 } }
    compositor.onKeyboard = { [unowned self] keyboard in
      keyboards.append(keyboard)
      keyboard.onRequest = { [unowned keyboard] _, _ in keyboard.end() }
      // Any descriptor: its client is to close it.
      if let keymap = try? MemoryFile(name: "keymap") {
        unsafe keyboard.post(
          KeyboardEvent.keymap,
          [wl_argument(u: 1), wl_argument(h: keymap.descriptor), wl_argument(u: 0)])
      }
    }
    addData()
    compositor.addGlobal(.sharedMemory, version: 1) { memory in
      memory.onRequest = { [unowned memory] _, arguments in
        _ = arguments.descriptor(1)
        let pool = FakeResource(memory.client, .memoryPool, version: 1, id: arguments.newID(0))
        pool.onRequest = { [unowned pool] opcode, arguments in
          guard MemoryPoolRequest(rawValue: opcode) == .createBuffer else { return pool.end() }
          let buffer = FakeResource(pool.client, .buffer, version: 1, id: arguments.newID(0))
          buffer.onRequest = { [unowned buffer] _, _ in buffer.end() }
        }
      }
    }
    if hasWindows { addWindows() }
  }

  /// Puts something on the clipboard, told to the focused window only.
  func own(_ script: ScriptedOwner) { own(.scripted(script), source: nil) }

  private func own(_ new: FakeOwner, source: FakeResource?) {
    ownSource?.post(DataSourceEvent.cancelled)
    ownSource = source
    owner = new
    if let focused { tell(focused.client) }
  }

  private func addWindows() {
    compositor.addGlobal(.compositor, version: 1) { [unowned self] global in
      global.onRequest = { [unowned self, unowned global] opcode, arguments in
        guard CompositorRequest(rawValue: opcode) == .createSurface else { return }
        let surface = FakeResource(global.client, .surface, version: 1, id: arguments.newID(0))
        var hasBuffer = false
        surface.onRequest = { [unowned self, unowned surface] opcode, arguments in
          switch SurfaceRequest(rawValue: opcode) {
          case .destroy: surface.end()
          case .attach: hasBuffer = unsafe arguments.object(0) != nil
          case .commit where hasBuffer && focused == nil && givesFocus && wantedToken == nil:
            focus(surface)
          default: break
          }
        }
        surface.onEnd = { [weak self, unowned surface] in
          if self?.focused === surface { self?.focused = nil }
        }
      }
    }
    compositor.addGlobal(.activation, version: 1) { [unowned self] activation in
      activation.onRequest = { [unowned self, unowned activation] opcode, arguments in
        switch ActivationRequest(rawValue: opcode) {
        case .destroy: activation.end()
        case .activate:
          let surface = unsafe arguments.object(1)
          let window = activation.client.resources.first { unsafe $0.isObject(surface) }
          activationTokens.append(arguments.name(0))
          if let window, let wantedToken, wantedToken == activationTokens.last { focus(window) }
        default: break
        }
      }
    }
    compositor.addGlobal(.windowBase, version: 1) { [unowned self] base in
      unsafe base.post(WindowBaseEvent.ping, [wl_argument(u: 7)])
      base.onRequest = { [unowned self, unowned base] opcode, arguments in
        switch WindowBaseRequest(rawValue: opcode) {
        case .destroy: base.end()
        case .getXdgSurface:
          let surface = FakeResource(
            base.client, .windowSurface, version: 1, id: arguments.newID(0))
          surface.onRequest = { [unowned self, unowned surface] opcode, arguments in
            switch WindowSurfaceRequest(rawValue: opcode) {
            case .destroy: surface.end()
            case .getToplevel:
              windowCount += 1
              let toplevel = FakeResource(
                surface.client, .toplevel, version: 1, id: arguments.newID(0))
              toplevel.onRequest = { [unowned toplevel] opcode, _ in
                if ToplevelRequest(rawValue: opcode) == .destroy { toplevel.end() }
              }
              surface.post(WindowSurfaceEvent.configure, number: 1)
            default: break
            }
          }
        default: break
        }
      }
    }
  }

  private func addData() {
    compositor.addGlobal(.dataDeviceManager, version: 3) { [unowned self] manager in
      manager.onRequest = { [unowned self, unowned manager] opcode, arguments in
        switch DataDeviceManagerRequest(rawValue: opcode) {
        case .createDataSource:
          let source = FakeResource(
            manager.client, .dataSource, version: manager.version, id: arguments.newID(0))
          source.onRequest = { [unowned self, unowned source] opcode, arguments in
            switch DataSourceRequest(rawValue: opcode) {
            case .offer: sources[ObjectIdentifier(source), default: []].append(arguments.name(0))
            case .destroy: source.end()
            default: break
            }
          }
          source.onEnd = { [weak self, unowned source] in
            guard let self else { return }
            sources[ObjectIdentifier(source)] = nil
            guard ownSource === source else { return }
            ownSource = nil
            own(.nothing, source: nil)
          }
        case .getDataDevice:
          let device = FakeResource(
            manager.client, .dataDevice, version: manager.version, id: arguments.newID(0))
          dataDevices.append(device)
          device.onRequest = { [unowned self, unowned device] opcode, arguments in
            switch DataDeviceRequest(rawValue: opcode) {
            case .setSelection:
              unsafe set(device.client, arguments.object(0), serial: arguments.unsigned(1))
            case .release: device.end()
            default: break
            }
          }
        case nil: break
        }
      }
    }
  }

  private func set(_ client: FakeClient, _ object: OpaquePointer?, serial: UInt32) {
    guard focused?.client === client, serial == self.serial, !ignoresSelections else { return }
    let source = client.resources.first { unsafe $0.isObject(object) }
    guard let source else { return own(.nothing, source: nil) }
    let types = sources[ObjectIdentifier(source)] ?? []
    // Its content goes through the source itself; the list is what is shown.
    own(.scripted(ScriptedOwner(listing: types)), source: source)
  }

  private func focus(_ surface: FakeResource) {
    focused = surface
    serial += 1
    tell(surface.client)
    for keyboard in keyboards where keyboard.client === surface.client {
      var keys = unsafe wl_array()
      unsafe withUnsafeMutablePointer(to: &keys) { keys in
        unsafe keyboard.post(
          KeyboardEvent.enter,
          [wl_argument(u: serial), surface.argument, wl_argument(a: keys)])
      }
    }
  }

  private func tell(_ client: FakeClient) {
    for device in dataDevices where device.client === client && device.isAlive {
      let offer = owner.types.map { types in
        let offer = FakeResource(client, .dataOffer, version: device.version)
        offer.onRequest = { [unowned self, unowned offer] opcode, arguments in
          switch DataOfferRequest(rawValue: opcode) {
          case .receive:
            let type = arguments.name(0)
            let pipe = arguments.descriptor(1)
            // Without the focus nothing is given.
            guard focused?.client === client else { return }
            if let ownSource {
              ownSource.post(DataSourceEvent.send, name: type, pipe)
            } else {
              owner.send(type, pipe)
            }
          case .destroy: offer.end()
          default: break
          }
        }
        device.post(DataDeviceEvent.dataOffer, object: offer)
        for type in types { offer.post(DataOfferEvent.offer, name: type) }
        return offer
      }
      device.post(DataDeviceEvent.selection, object: offer)
    }
  }
}
