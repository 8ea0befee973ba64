import TestSupport
import Testing

extension OnService {
  @Suite("Files that were cut, whose file manager has ended", .enabled(if: XServer.isExpected))
  struct CutFilesKeepTests {
    private func script(_ operation: String, _ paths: [String]) -> OwnerScript {
      let urls = paths.map { "file://\($0)" }
      return OwnerScript([
        RawTarget("x-special/gnome-copied-files", ([operation] + urls).joined(separator: "\n")),
        RawTarget("text/uri-list", urls.map { $0 + "\r\n" }.joined()),
      ])
    }

    /// How many bytes a script offers.
    private func size(_ script: OwnerScript) -> Int {
      script.targets.reduce(0) { $0 + $1.bytes.count }
    }

    @Test("They can still be moved, byte for byte, where they are still there")
    func present() throws {
      let desk = try ManagedDesk()
      let file = try desk.daemon.directory.write([1], to: "file")
      let script = script("cut", [file, "/never/was/there"])
      var owner: BackgroundPeer? = try desk.owner(script)
      try desk.waitForCapture(bytes: size(script))
      desk.die(&owner)
      for target in script.targets {
        #expect(try desk.peer.ask(target.name).value?.bytes == target.bytes, "\(target.name)")
      }
    }

    @Test("Where one has gone since, nothing is offered", arguments: ["cut", "copy"])
    func gone(operation: String) throws {
      let desk = try ManagedDesk()
      let files = try ["a", "b"].map { try desk.daemon.directory.write([1], to: $0) }
      let script = script(operation, files)
      var owner: BackgroundPeer? = try desk.owner(script)
      try desk.waitForCapture(bytes: size(script))
      // It is known which there are when the service has found nothing to do.
      #expect(try desk.daemon.clipview("copy", "-s", "other", "--text", "x").status == 0)
      try Files.remove(files[1])
      withExtendedLifetime(owner) {}
      owner = nil
      let isCut = operation == "cut"
      #expect(desk.daemon.settle(isCut ? " not-kept " : " kept "), "\(desk.daemon.log)")
      #expect(try (desk.peer.owner(of: "CLIPBOARD") == 0) == isCut)
    }
  }
}
