import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

extension OnDisplay {
  @Suite("Errors of the server")
  struct ErrorTests {
    @Test("Each is kept with its serial until it is taken, however many come at once")
    func everyErrorIsKept() throws {
      let connection = try X11Connection(displayName: try Bench.sharedServer().display)
      let nowhere = WindowID(connection.window.rawValue + 0x1000)
      for _ in 0..<2 {
        let first = connection.nextSerial
        for _ in 0..<1000 {
          connection.setProperty(
            WellKnownAtoms.string, of: nowhere, type: WellKnownAtoms.integer, values: [1])
        }
        // The answer to a question comes after them.
        _ = connection.owner(of: WellKnownAtoms.primary)
        var errors: [X11Connection.ReportedError] = []
        while let error = connection.takeError() { errors.append(error) }
        #expect(errors.map(\.serial) == (0..<1000).map { first + UInt($0) })
        let areOfTheWindow = errors.allSatisfy { $0.resource == nowhere.rawValue }
        #expect(areOfTheWindow)
      }
    }

    @Test("What the display is called is known without asking it")
    func displayNameIsKnown() throws {
      let display = try Bench.sharedServer().display
      let connection = try X11Connection(displayName: display)
      let before = connection.nextSerial
      #expect(connection.displayName == display)
      #expect(connection.nextSerial == before)
    }

    /// A back-end and the window that it has.
    private func benchWithWindow() throws -> (bench: Bench, peer: RawPeer, window: UInt32) {
      let peer = try RawPeer(try Bench.sharedServer())
      let before = Set(try peer.topLevelWindows())
      let bench = try Bench()
      let windows = try peer.topLevelWindows().filter { !before.contains($0) }
      try #require(windows.count == 1)
      return (bench, peer, windows[0])
    }

    @Test(
      "Whoever reads when our window is destroyed is told at once, and does not blame the owner")
    func readerWithoutWindow() throws {
      let (bench, peer, window) = try benchWithWindow()
      var script = OwnerScript("UTF8_STRING", "text")
      script.silent = ["UTF8_STRING"]
      let owner = try BackgroundPeer(bench.server, owning: script)
      var result: Bench.ReadResult?
      bench.backend.read(
        "UTF8_STRING", of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(60),
        limit: .max
      ) { result = $0 }
      #expect(try bench.turn { owner.requests.contains("UTF8_STRING") })
      try peer.destroy(window)
      #expect(try bench.turn { result != nil })
      #expect(result?.failure == .connectionLost)
      #expect(try bench.read("UTF8_STRING").failure == .connectionLost)
    }

    @Test("A watch whose window is destroyed does not wait for ever for what is never told")
    func watchWithoutWindow() throws {
      let (bench, peer, window) = try benchWithWindow()
      let token = try bench.backend.watch(.clipboard) { _ in }.get()
      try bench.idle()
      try peer.destroy(window)
      #expect(try bench.turn { bench.backend.isLost })
      withExtendedLifetime(token) {}
    }

    @Test("What is served through a window that is destroyed has come to its end")
    func ownerWithoutWindow() throws {
      let (bench, peer, window) = try benchWithWindow()
      var hasEnded = false
      try bench.publish(["UTF8_STRING": Array("text".utf8)]) { hasEnded = true }
      try peer.destroy(window)
      #expect(try bench.turn { hasEnded })
      #expect(!bench.backend.isLost)
    }

    @Test("A service whose window is destroyed under it has to connect anew")
    func serviceWithoutWindow() throws {
      let (bench, peer, window) = try benchWithWindow()
      let manager = bench.backend.manageClipboard { _ in }
      try bench.publish(["UTF8_STRING": Array("text".utf8)])
      try peer.destroy(window)
      #expect(try bench.turn { bench.backend.isLost })
      withExtendedLifetime(manager) {}
    }
  }
}
