import TestSupport
import Testing

extension InSway {
  @Suite("A Wayland display and an X display at once", .enabled(if: XServer.isExpected))
  struct TwoDisplaysTests {
    let desk: SwayDesk
    let server: XServer

    init() throws {
      desk = try SwayDesk()
      // One of its own: nobody else clears it.
      server = try XServer()
    }

    private func both(_ arguments: String...) throws -> ProcessResult {
      try run(
        Programs.clipview, arguments,
        environment: desk.compositor.environment(["DISPLAY": server.display]), timeout: 20)
    }

    @Test("C68: an X side that is cleared, loses its owner or never had one leaves Wayland alone")
    func c68EmptyXSide() throws {
      try desk.copy(Array("of Wayland".utf8))
      let watching = try ChildProcess(
        Programs.clipview, ["watch", "-v"],
        environment: desk.compositor.environment(["DISPLAY": server.display]))
      #expect(watching.settle { text($0.receivedErrors).contains("watching the ") })
      func expectWayland(_ what: String) throws {
        #expect(try both("paste").text == "of Wayland", "\(what)")
        #expect(try desk.wlPaste("-n").text == "of Wayland", "\(what)")
      }
      try expectWayland("the X side never had anything")
      #expect(try both("paste", "--backend", "x11").isFailure(1))
      try expectWayland("it was asked")

      #expect(try both("copy", "--backend", "x11", "--text", "of X").isSilentSuccess)
      #expect(try both("paste", "--backend", "x11").text == "of X")
      #expect(try both("clear", "--backend", "x11").isSilentSuccess)
      try expectWayland("it was cleared")

      let owner = try ChildProcess(
        Programs.clipview, ["copy", "--foreground", "--backend", "x11", "--text", "of X"],
        environment: desk.compositor.environment(["DISPLAY": server.display]))
      let isOwned = try owner.settle { _ in try both("paste", "--backend", "x11").status == 0 }
      #expect(isOwned)
      owner.send(signal: 9)
      _ = owner.finish(within: 10)
      #expect(try both("paste", "--backend", "x11").isFailure(1))
      try expectWayland("its owner was killed")

      server.crash()
      try expectWayland("the server has gone")
      #expect(TestSupport.lines(watching.received) == [], "no change of Wayland was reported")
    }
  }
}
