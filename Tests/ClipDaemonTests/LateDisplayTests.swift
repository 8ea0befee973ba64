import TestSupport
import Testing

extension OnService {
  @Suite("A service that was started before its display", .enabled(if: XServer.isExpected))
  struct LateDisplayTests {
    @Test(
      "C83: it serves named pasteboards, says that it knows no display, and manages the first it hears of"
    )
    func c83LateDisplay() throws {
      let daemon = try Daemon()
      #expect(daemon.settle("no-display"))
      try daemon.copy("named")
      let server = try XServer()
      let peer = try RawPeer(server)
      let copied = try daemon.clipview(
        "copy", "--text", "content", environment: ["DISPLAY": server.display])
      #expect(copied.status == 0, "\(copied)")
      #expect(Processes.running(Programs.clipview, display: server.display) == [])
      #expect(daemon.settle("display-connected"))
      #expect(try peer.ask("UTF8_STRING").value?.text == "content")
      #expect(try daemon.paste() == "named")
      // It is one that is managed now, not every one that anybody names.
      let other = try XServer()
      let elsewhere = try daemon.clipview(
        "copy", "--text", "elsewhere", environment: ["DISPLAY": other.display])
      #expect(elsewhere.status == 0)
      #expect(try daemon.json("status")["displays"]?.array?.count == 1)
    }

    @Test("It reads no secrets: the session may have Wayland, where that may be the one paste")
    func unknownSession() throws {
      let daemon = try Daemon(settings: "keep-primary = yes\n")
      let server = try XServer()
      let copied = try daemon.clipview(
        "copy", "--text", "content", environment: ["DISPLAY": server.display])
      #expect(copied.status == 0, "\(copied)")
      let owner = try BackgroundPeer(
        server, owning: try Capture("keepassxc-x11-password").script)
      func state(_ name: String) throws -> JSON? {
        try daemon.json("status")["pasteboards"]?.array?.first { $0["name"]?.string == name }
      }
      #expect(try eventually { try state("clipboard")?["sensitive"]?.bool == true })
      // What is selected later is read later.
      let other = try BackgroundPeer(
        server, owning: OwnerScript("UTF8_STRING", "selected"), selection: "PRIMARY")
      #expect(try eventually { try state("primary")?["bytes"]?.int == 8 })
      #expect(owner.requests == ["TARGETS"])
      withExtendedLifetime(other) {}
    }
  }
}
