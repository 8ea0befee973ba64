import SelectionCore
import TestSupport
import Testing

/// The folders of all clipboards that were captured on Wayland.
private let names = Files.names(in: Fixtures.path("clipboards"))
  .filter { $0.contains("-wayland-") }.sorted()

/// What a person saw when the text was copied, by the spelling that holds it.
private let texts: [(name: String, target: String)] = [
  ("firefox-wayland-page", "text/plain;charset=utf-8"),
  ("chromium-wayland-page", "text/plain;charset=utf-8"),
  ("gedit-wayland-text", "text/plain;charset=utf-8"),
  ("mousepad-wayland-text", "text/plain;charset=utf-8"),
  ("foot-wayland-text", "text/plain;charset=utf-8"),
  ("libreoffice-writer-gtk3-wayland-document", "text/plain;charset=utf-8"),
  ("keepassxc-wayland-password", "text/plain"),
  ("wl-copy-wayland-text", "text/plain;charset=utf-8"),
]

extension InSway {
  @Suite("Clipboards of real applications in sway")
  struct CaptureTests {
    let desk: SwayDesk

    init() throws { desk = try SwayDesk() }

    /// Offers a capture as its application did, as long as what comes back is held.
    private func publish(_ capture: Capture) throws -> BackgroundOwner {
      try BackgroundOwner(
        desk.compositor, offering: capture.offered.eachOnce.map { ($0, capture[$0]) })
    }

    @Test("There is something to replay")
    func waylandCapturesAreThere() {
      #expect(names.count >= 20)
    }

    @Test(
      "Every type is listed and every byte handed on, to wl-paste and to clipview", arguments: names
    )
    func waylandCapturesAreReplayed(_ name: String) throws {
      let capture = try Capture(name)
      let owner = try publish(capture)
      #expect(lines(try desk.clipview("types", "--all").output) == capture.offered.eachOnce)
      for target in capture.targets {
        let mine = try desk.paste("-t", target.name)
        #expect(difference(mine, target.bytes) == nil, "\(target.name)")
        let theirs = try desk.wlPaste("-n", "-t", target.name)
        #expect(difference(theirs.output, target.bytes) == nil, "\(target.name)")
      }
      withExtendedLifetime(owner) {}
    }

    @Test("paste prints the text as a person saw it", arguments: texts)
    func textOfWaylandCapture(_ name: String, _ target: String) throws {
      let capture = try Capture(name)
      let owner = try publish(capture)
      let expected = try #require(capture[target])
      #expect(text(try desk.paste()) == text(expected))
      withExtendedLifetime(owner) {}
    }
  }
}
