import TestSupport
import Testing

extension OnService {
  @Suite("More than is kept", .enabled(if: XServer.isExpected))
  struct LimitTests {
    @Test("status names what was left out, while its owner lives and when the rest was published")
    func leftOut() throws {
      let desk = try ManagedDesk(settings: "keep-representation = 1K\nkeep-offer = 1500\n")
      let script = OwnerScript([
        .patterned("UTF8_STRING", count: 1000), .patterned("x/large", count: 1025),
        .patterned("x/beyond", count: 501), .patterned("x/small", count: 500),
      ])
      var owner: BackgroundPeer? = try desk.owner(script)
      #expect(try eventually { try desk.state()["left_out"]?.array?.count == 2 })
      #expect(
        try Set(desk.state()["left_out"]?.array?.compactMap(\.string) ?? [])
          == ["x/large", "x/beyond"])
      let text = try desk.daemon.clipview("status").text
      #expect(text.contains("more than is kept (keep-representation, keep-offer): x/"))
      try desk.waitForCapture(bytes: 1500)
      desk.die(&owner)
      #expect(try desk.state()["left_out"]?.array?.count == 2)
      #expect(try desk.peer.ask("x/large") == .refused)
      #expect(try desk.peer.ask("x/small").value?.bytes.count == 500)
      #expect(try desk.daemon.clipview("copy", "--text", "x").status == 0)
      #expect(try desk.state()["left_out"]?.array == [])
    }
  }
}
