import TestSupport
import Testing

extension OnService {
  @Suite("Programs that list names without end", .enabled(if: XServer.isExpected))
  struct FloodTests {
    @Test("Two lists as long as there can be leave room for the types of everybody else")
    func flooded() throws {
      let desk = try ManagedDesk()
      // A process keeps 131,072 names that are no declared types; each of these lists has half as many.
      for prefix in ["x-flood-", "application/x-flood-"] {
        var script = OwnerScript("UTF8_STRING", "text")
        script.list = .flooding(prefix)
        let owner = try desk.owner(script)
        // What is read was listed before.
        #expect(eventually(within: 60) { owner.requests.contains("UTF8_STRING") })
      }
      let content = scrambledBytes(3000)
      // Nobody waits long for a service that is busy: until it is not, copies pass it by, with a word.
      #expect(
        try eventually(within: 60) {
          let copy = try desk.daemon.clipview("copy", "-t", "application/x-fresh", input: content)
          return copy.status == 0 && copy.errors.isEmpty
        }, "\(desk.daemon.log)")
      #expect(try desk.peer.ask("application/x-fresh").value?.bytes == content)
      let pasted = try desk.daemon.clipview("paste", "-t", "application/x-fresh")
      #expect(pasted.status == 0 && pasted.output == content)
      // Another program's is kept, as before.
      var owner: BackgroundPeer? = try desk.owner(
        OwnerScript([RawTarget("application/x-private", content + content)]))
      try desk.waitForCapture(bytes: 2 * content.count)
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(
        try eventually {
          try desk.peer.ask("application/x-private").value?.bytes == content + content
        }, "\(desk.daemon.log)")
    }

    @Test("An owner that goes while a long list is read ends nothing but that")
    func ownerOfLongListGoes() throws {
      let desk = try ManagedDesk()
      var script = OwnerScript("UTF8_STRING", "text")
      script.list = .exactly(["UTF8_STRING"] + (0..<4000).map { "x-many-\($0)" })
      var owner: BackgroundPeer? = try desk.owner(script)
      #expect(eventually(within: 60) { owner?.requests.contains("x-many-9") == true })
      owner = nil
      let next = try desk.owner(OwnerScript("UTF8_STRING", "another"))
      try desk.waitForCapture(bytes: 7)
      #expect(desk.daemon.process.isRunning)
      withExtendedLifetime(next) {}
    }
  }
}
