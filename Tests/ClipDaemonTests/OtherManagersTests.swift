import TestSupport
import Testing

extension OnService {
  @Suite("Beside another clipboard manager", .enabled(if: XServer.isExpected))
  struct OtherManagersTests {
    @Test(
      "What it put there is shown and outlives it, marks included; what is about a moment does not")
    func marks() throws {
      let desk = try ManagedDesk()
      let targets = [
        RawTarget("UTF8_STRING", "text"),
        RawTarget("application/x-copyq-owner", "copyq-session"),
        RawTarget("application/x-kde-onlyReplaceEmpty", "1"),
      ]
      var owner: BackgroundPeer? = try desk.owner(OwnerScript(targets))
      try desk.waitForCapture(bytes: 17)
      #expect(try desk.daemon.clipview("types", "--all").text.contains("x-copyq-owner"))
      desk.die(&owner)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "text")
      #expect(try desk.peer.ask("application/x-copyq-owner").value?.text == "copyq-session")
      #expect(try desk.peer.ask("application/x-kde-onlyReplaceEmpty") == .refused)
    }

    @Test("One that brings the content back itself is not fought, and what it has is kept in turn")
    func comesBack() throws {
      let desk = try ManagedDesk()
      var manager: BackgroundPeer? = try BackgroundPeer(desk.server)
      var owner: BackgroundPeer? = try desk.owner(OwnerScript("UTF8_STRING", "text"))
      try desk.waitForCapture(bytes: 4)
      desk.die(&owner)
      // It is slower than we are, and takes over what we have.
      var script = OwnerScript("UTF8_STRING", "text")
      script.targets.append(RawTarget("application/x-copyq-owner", "session"))
      script.takesBack = 3
      try manager?.own(script)
      try desk.waitForCapture(bytes: 11)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == manager?.window)
      #expect(manager?.log.contains(.cleared(selection: "CLIPBOARD")) == false)
      #expect(try desk.state()["change_count"]?.int == 4)
      withExtendedLifetime(manager) {}
      manager = nil
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD") != 0 })
      #expect(try desk.peer.ask("application/x-copyq-owner").value?.text == "session")
    }
  }
}
