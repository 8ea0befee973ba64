import TestSupport
import Testing

private let both = OwnerScript([
  RawTarget("UTF8_STRING", "text"), RawTarget("x/private", "private"),
])

extension OnService {
  @Suite("Settings of what is kept, read again", .enabled(if: XServer.isExpected))
  struct KeepingSettingsTests {
    @Test("Keeping begins with what is there already")
    func begins() throws {
      let desk = try ManagedDesk(settings: "keep = no\n")
      var owner: BackgroundPeer? = try desk.owner(both)
      #expect(try eventually { try desk.state()["owner"]?.string == "other" })
      #expect(owner?.requests == [])
      try desk.reload("keep = yes\n")
      try desk.waitForCapture(bytes: 11)
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD_MANAGER") != 0 })
      desk.die(&owner)
      #expect(try desk.peer.ask("x/private").value?.text == "private")
    }

    @Test("What is not to be kept any more is forgotten")
    func ends() throws {
      let desk = try ManagedDesk(settings: "keep-primary = yes\n")
      var owner: BackgroundPeer? = try desk.owner(both)
      try desk.waitForCapture(bytes: 11)
      try desk.reload("keep = no\n")
      #expect(try desk.state()["bytes"]?.int == 0)
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD_MANAGER") == 0 })
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(try eventually { try desk.state()["owner"] == .null })
      #expect(!desk.daemon.log.contains(" kept "))
    }

    @Test("What replaces ours, which somebody is still reading, is another program's, and is kept")
    func replacedWhileRead() throws {
      let desk = try ManagedDesk()
      func isTheirs() throws -> Bool {
        let state = try desk.state()
        return state["owner"]?.string == "other" && state["bytes"]?.int == 11
      }
      let copied = try desk.daemon.clipview(
        "copy", "-t", "x/data", input: scrambledBytes(5_000_001))
      #expect(copied.status == 0)
      let reader = try RawPeer(desk.server)
      _ = try reader.ask("x/data", chunkLimit: 1)
      var owner: BackgroundPeer? = try desk.owner(both)
      #expect(try eventually { try isTheirs() })
      // With other settings all is read anew.
      try desk.reload("ignore-types = x/nothing\n")
      #expect(try eventually { try isTheirs() })
      desk.die(&owner)
      #expect(try desk.peer.ask("x/private").value?.text == "private")
      withExtendedLifetime(reader) {}
    }

    @Test("Types and programs that are to be left alone are, from then on")
    func ignoring() throws {
      let desk = try ManagedDesk()
      var owner: BackgroundPeer? = try desk.owner(both)
      try owner?.perform { try $0.setClass("editor") }
      try desk.waitForCapture(bytes: 11)
      try desk.reload("ignore-types = x/private\n")
      #expect(try eventually { try desk.state()["bytes"]?.int == 4 })
      try desk.reload("ignore-applications = Editor\n")
      #expect(try eventually { try desk.state()["bytes"]?.int == 0 })
      // What does not change leaves alone what was read.
      try desk.reload("ignore-types = x/private\n")
      #expect(try eventually { try desk.state()["bytes"]?.int == 4 })
      let count = owner?.requests.count
      try desk.reload("ignore-types = x/private\nlog = verbose\n")
      #expect(try desk.state()["bytes"]?.int == 4)
      #expect(owner?.requests.count == count)
      desk.die(&owner)
      #expect(try !desk.contentTargets().contains("x/private"))
    }
  }
}
