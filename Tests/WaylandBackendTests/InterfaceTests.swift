internal import CWayland
internal import CWaylandProtocols
import Testing

@testable import WaylandBackend

@Suite("Wayland interfaces")
struct InterfaceTests {
  private static func forms(_ messages: UnsafePointer<wl_message>?, _ count: Int32) -> [WireForm] {
    (0..<Int(count)).compactMap { index in
      guard let message = unsafe messages?[index] else { return nil }
      return unsafe WireForm(
        String(cString: message.name), String(cString: message.signature))
    }
  }

  @Test(
    "Each opcode has the name and the arguments that its table says", arguments: Interface.allCases)
  func interfaceTablesAgree(_ interface: Interface) {
    let table = unsafe interface.table.pointee
    #expect(unsafe Self.forms(table.methods, table.method_count) == interface.forms.requests)
    #expect(unsafe Self.forms(table.events, table.event_count) == interface.forms.events)
  }

  @Test("The cases of requests and events are named as their messages are, in this order")
  func opcodesAreNamed() {
    check(RegistryRequest.self)
    check(RegistryEvent.self)
    check(SeatRequest.self)
    check(SeatEvent.self)
    check(KeyboardEvent.self)
    check(DataDeviceManagerRequest.self)
    check(DataDeviceRequest.self)
    check(DataDeviceEvent.self)
    check(DataSourceRequest.self)
    check(DataSourceEvent.self)
    check(DataOfferRequest.self)
    check(DataOfferEvent.self)
    check(ControlManagerRequest.self)
    check(ControlDeviceRequest.self)
    check(ControlDeviceEvent.self)
    check(ControlSourceRequest.self)
    check(ControlSourceEvent.self)
    check(ControlOfferRequest.self)
    check(ControlOfferEvent.self)
    check(PrimaryManagerRequest.self)
    check(PrimaryDeviceRequest.self)
    check(PrimaryDeviceEvent.self)
    check(PrimarySourceRequest.self)
    check(PrimarySourceEvent.self)
    check(PrimaryOfferRequest.self)
    check(PrimaryOfferEvent.self)
    check(CompositorRequest.self)
    check(SurfaceRequest.self)
    check(SharedMemoryRequest.self)
    check(MemoryPoolRequest.self)
    check(BufferRequest.self)
    check(WindowBaseRequest.self)
    check(WindowBaseEvent.self)
    check(WindowSurfaceRequest.self)
    check(WindowSurfaceEvent.self)
    check(ToplevelRequest.self)
    check(ToplevelEvent.self)
    check(ActivationRequest.self)
  }

  private func check<Message: WireMessage>(_ messages: Message.Type) {
    let names = messages.allCases.map { message in
      // dataOffer is data_offer on the wire.
      "\(message)".map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
    }
    #expect(names == messages.forms.map(\.name), "\(messages)")
    #expect(messages.allCases.map(\.rawValue) == (0..<UInt32(messages.forms.count)).map { $0 })
  }

  @Test("Both data-control protocols have the same shape")
  func dataControlProtocolsAgree() {
    for (ext, wlr) in [
      (Interface.extManager, Interface.wlrManager), (.extDevice, .wlrDevice),
      (.extSource, .wlrSource), (.extOffer, .wlrOffer),
    ] {
      #expect(ext.forms.requests.map(\.name) == wlr.forms.requests.map(\.name))
      #expect(ext.forms.events.map(\.name) == wlr.forms.events.map(\.name))
    }
  }
}
