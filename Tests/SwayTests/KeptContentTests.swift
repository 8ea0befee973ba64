import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing

/// What asks about a selection, and what means nothing when its owner is gone.
private let unkept: Set = [
  "TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION",
  "INSERT_PROPERTY", "GTK_TEXT_BUFFER_CONTENTS",
]

private let secret = "keepassxc-wayland-password"

private let captures = Files.names(in: Fixtures.path("clipboards"))
  .filter { $0.contains("-wayland-") && $0 != secret }.sorted()

extension InSway {
  @Suite("What clipd keeps in sway")
  struct KeptContentTests {
    let desk: SwayDesk

    init() throws { desk = try SwayDesk() }

    private func owner(_ capture: Capture) throws -> BackgroundOwner {
      try BackgroundOwner(
        desk.compositor, offering: capture.offered.eachOnce.map { ($0, capture[$0]) })
    }

    @Test("Everything that applications offered comes back, in order", arguments: captures)
    func waylandCapturesComeBack(_ name: String) throws {
      let daemon = try SwayDaemon(desk.compositor)
      let capture = try Capture(name)
      let kept = capture.offered.eachOnce.filter { !unkept.contains($0) }
      var owner: BackgroundOwner? = try owner(capture)
      try daemon.waitForCapture(kept.reduce(0) { $0 + (capture[$1]?.count ?? 0) })
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(daemon.settle(" kept "))
      let listed = lines(try daemon.clipview("types", "--all").output)
      #expect(Array(listed.prefix(kept.count)) == kept)
      for target in capture.targets where kept.contains(target.name) {
        let mine = try daemon.clipview("paste", "-t", target.name)
        #expect(difference(mine.output, target.bytes) == nil, "\(target.name)")
        let theirs = try daemon.wlPaste("-n", "-t", target.name)
        #expect(difference(theirs.output, target.bytes) == nil, "\(target.name)")
      }
    }

    @Test("A program that is killed leaves its copy behind, and the next one takes over from clipd")
    func killedSourceIsKept() throws {
      let daemon = try SwayDaemon(desk.compositor)
      try daemon.wlCopy("first")
      try daemon.waitForCapture(5)
      for server in try daemon.wlCopyServers() { Processes.send(signal: 9, to: server) }
      #expect(daemon.settle(" kept "))
      #expect(try daemon.wlPaste("-n").text == "first")
      #expect(try daemon.state()?["owner"]?.string == "clipd")
      // One change for the copy, one for the death, one for the new owner.
      let shown = JSON(try daemon.clipview("show", "--json").text)
      #expect(shown?["change_count"]?.int == 3)
      try daemon.wlCopy("second")
      #expect(try daemon.wlPaste("-n").text == "second")
      #expect(try daemon.state()?["owner"]?.string == "other")
    }

    @Test(
      "What clipview clears stays cleared, through clipd and beside it",
      arguments: [[], ["--backend", "wayland"]])
    func clearedByClipview(_ arguments: [String]) throws {
      let daemon = try SwayDaemon(desk.compositor)
      try daemon.wlCopy("text")
      try daemon.waitForCapture(4)
      let cleared = try run(
        Programs.clipview, ["clear"] + arguments, environment: daemon.environment)
      #expect(cleared.isSilentSuccess, "\(cleared)")
      #expect(try daemon.clipview("types").status == 1)
      #expect(try daemon.state()?["bytes"]?.int == 0)
      // Whatever was to come back would have come before this.
      try daemon.wlCopy("next", "--primary")
      #expect(
        try eventually { try daemon.state(of: "primary")?["owner"]?.string == "other" })
      #expect(try daemon.state()?["owner"] == .null)
      #expect(!daemon.log.contains(" kept "))
    }

    @Test("Secret content is never read, and ends with its owner")
    func secretsInSway() throws {
      let daemon = try SwayDaemon(desk.compositor, settings: "keep-primary = yes\n")
      let capture = try Capture(secret)
      var owner: BackgroundOwner? = try owner(capture)
      #expect(try eventually { try daemon.state()?["owner"]?.string == "other" })
      // Taken later and read after the same moment of rest.
      let selected = try BackgroundOwner(
        desk.compositor, offering: [("text/plain;charset=utf-8", [97])], on: .primary)
      #expect(try eventually { try daemon.state(of: "primary")?["bytes"]?.int == 1 })
      #expect(try daemon.state()?["bytes"]?.int == 0)
      withExtendedLifetime((owner, selected)) {}
      owner = nil
      #expect(try eventually { try daemon.state()?["owner"] == .null })
      #expect(try daemon.clipview("types").status == 1)
      #expect(!daemon.log.contains("selection=clipboard"))
    }

    @Test("What is copied is handed over, and not taken for a copy of somebody else")
    func handedOverInSway() throws {
      let daemon = try SwayDaemon(desk.compositor)
      for number in 1...20 {
        #expect(try daemon.clipview("copy", "--text", "\(number)").isSilentSuccess)
        #expect(try daemon.wlPaste("-n").text == "\(number)")
        #expect(try daemon.clipview("paste").text == "\(number)")
      }
      let state = try daemon.state()
      #expect(state?["owner"]?.string == "clipd")
      #expect(state?["change_count"]?.int == 20)
      #expect(Processes.running(Programs.clipview, with: "WAYLAND_DISPLAY=\(daemon.display)") == [])
    }

    @Test(
      "The guard: a closed pipe for everybody, and exit 5 for clipview, whatever back-end it names")
    func guardInSway() throws {
      let daemon = try SwayDaemon(desk.compositor)
      _ = try daemon.clipview("copy", "--text", "text")
      let listed = try daemon.wlPaste("-l").output
      #expect(try daemon.clipview("guard", "600").isSilentSuccess)
      #expect(try daemon.wlPaste("-l").output == listed)
      #expect(try daemon.wlPaste("-n").output == [])
      for arguments in [[], ["--backend", "wayland"]] {
        let result = try run(
          Programs.clipview, ["paste"] + arguments, environment: daemon.environment)
        #expect(result.status == 5 && result.output == [], "\(result)")
      }
      #expect(daemon.settle("guard-refused"))
      #expect(try daemon.clipview("guard", "off").isSilentSuccess)
      #expect(try daemon.wlPaste("-n").text == "text")
    }

    @Test("An X display beside it has contents of its own")
    func displaysOfBothKinds() throws {
      let server = try XServer()
      let daemon = try SwayDaemon(
        desk.compositor, ["--display", server.display], environment: ["DISPLAY": server.display])
      #expect(try daemon.clipview("copy", "--text", "wayland").isSilentSuccess)
      #expect(
        try daemon.clipview("copy", "--display", server.display, "--text", "x11").isSilentSuccess)
      #expect(try daemon.clipview("paste").text == "wayland")
      #expect(try daemon.clipview("paste", "--display", server.display).text == "x11")
      #expect(try daemon.state(on: "wayland")?["change_count"]?.int == 1)
      #expect(try daemon.state(on: "x11")?["change_count"]?.int == 1)
    }
  }

  @Suite("Compositors that go away under clipd")
  struct LostUnderServiceTests {
    @Test(
      "C80: what was there is there again when the compositor is, and the service waits for it",
      arguments: [true, false])
    func c80CompositorIsBack(isOurs: Bool) throws {
      var compositor = try SwayCompositor()
      let daemon = try SwayDaemon(compositor)
      if isOurs {
        _ = try daemon.clipview("copy", "-t", "html", "--text", "<b>kept</b>")
      } else {
        try daemon.wlCopy("<b>kept</b>", "-t", "text/html")
        try daemon.waitForCapture(11)
      }
      let listed = lines(try daemon.clipview("types").output)
      compositor.crash()
      #expect(daemon.settle("display-lost"))
      // Named pasteboards are nobody's display.
      #expect(try daemon.clipview("copy", "-s", "notes", "--text", "n").status == 0)
      compositor = try SwayCompositor()
      try daemon.lead(to: compositor)
      #expect(daemon.settle(" restored "))
      #expect(try daemon.clipview("paste", "-t", "text/html").text == "<b>kept</b>")
      #expect(lines(try daemon.clipview("types").output).starts(with: listed))
      #expect(try daemon.clipview("paste", "-s", "notes").text == "n")
    }

    @Test("Secret content does not come back")
    func secretsAreLostWithTheCompositor() throws {
      var compositor = try SwayCompositor()
      let daemon = try SwayDaemon(compositor)
      _ = try daemon.clipview("copy", "--sensitive", "--text", "secret")
      compositor.crash()
      #expect(daemon.settle("display-lost"))
      compositor = try SwayCompositor()
      try daemon.lead(to: compositor)
      #expect(
        daemon.process.settle(within: 60) {
          text($0.receivedErrors).components("display-connected") == 2
        })
      #expect(try daemon.clipview("types").status == 1)
    }
  }
}

extension String {
  /// How often a text stands in it.
  fileprivate func components(_ part: String) -> Int {
    split(separator: "\n").count { $0.contains(part) }
  }
}
