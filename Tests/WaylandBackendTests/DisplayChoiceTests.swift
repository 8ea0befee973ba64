import SystemIO
import TestSupport
import Testing

@testable import WaylandBackend

extension InFakeCompositor {
  /// The program itself, between a compositor of the test and an X server.
  @Suite("Which display is taken", .enabled(if: XServer.isExpected))
  struct DisplayChoiceTests {
    /// Runs clipview while the compositor is turned.
    private func clipview(
      _ arguments: [String], in compositor: FakeCompositor, _ environment: [String: String]
    ) throws -> ProcessResult {
      let child = try ChildProcess(
        Programs.clipview, arguments, environment: Programs.environment(environment))
      let hasEnded = child.settle(within: 20) { child in
        compositor.turn()
        return !child.isRunning
      }
      #expect(hasEnded)
      return child.finish(within: 10)
    }

    private func environment(
      _ directory: TemporaryDirectory, _ server: XServer
    ) -> [String: String] {
      [
        "WAYLAND_DISPLAY": "\(directory.path)/wayland-7", "DISPLAY": server.display,
        "XDG_RUNTIME_DIR": directory.path,
      ]
    }

    @Test("A compositor without data-control is passed over for the X server that is there")
    func withoutDataControlItIsX11() throws {
      let server = try XServer()
      let directory = TemporaryDirectory()
      let core = FakeCore()
      try core.compositor.listen(at: "\(directory.path)/wayland-7")
      core.own(ScriptedOwner(["text/plain": .bytes(Array("of Wayland".utf8))]))
      let environment = environment(directory, server)
      func clipview(_ arguments: String...) throws -> ProcessResult {
        try self.clipview(arguments, in: core.compositor, environment)
      }
      #expect(try clipview("copy", "--text", "of X").isSilentSuccess)
      let pasted = try clipview("paste", "-v")
      #expect(pasted.text == "of X", "\(pasted)")
      #expect(pasted.errors.contains("so it is the X display \(server.display)"), "\(pasted)")
      #expect(core.windowCount == 0, "nothing took the focus")
      // Asked for by name, it is Wayland, with a window for a moment.
      let named = try clipview("paste", "--backend", "wayland-core")
      #expect(named.text == "of Wayland", "\(named)")
      #expect(core.windowCount == 1)
      #expect(try clipview("clear").isSilentSuccess)
      core.compositor.hangUp()
    }

    @Test("With data-control it is Wayland, whatever the X server has")
    func withDataControlItIsWayland() throws {
      let server = try XServer()
      let directory = TemporaryDirectory()
      let compositor = FakeCompositor()
      try compositor.listen(at: "\(directory.path)/wayland-7")
      compositor.own(ScriptedOwner(["text/plain": .bytes(Array("of Wayland".utf8))]))
      let pasted = try clipview(["paste"], in: compositor, environment(directory, server))
      #expect(pasted.text == "of Wayland", "\(pasted)")
      compositor.hangUp()
    }
  }
}
