import SystemIO
import TestSupport
import Testing

/// What asks about a selection, and what means nothing when its owner is gone.
private let unkept: Set = [
  "TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION",
  "INSERT_PROPERTY", "GTK_TEXT_BUFFER_CONTENTS",
]

/// Those whose contents are among the fixtures: of very long ones there are only the names.
private let captures = Files.names(in: Fixtures.path("clipboards"))
  .filter { $0.contains("x11") && !$0.contains("keepassxc") }
  .filter { name in
    (try? Capture(name))?.targets.contains { !unkept.contains($0.name) && !$0.bytes.isEmpty }
      == true
  }.sorted()

extension OnService {
  @Suite("Content whose owner has died", .enabled(if: XServer.isExpected))
  struct KeepTests {
    let server: XServer
    let peer: RawPeer

    init() throws {
      server = try XServer()
      peer = try RawPeer(server)
    }

    private func start(settings: String = "") throws -> Daemon {
      try Daemon(settings: settings, environment: ["DISPLAY": server.display])
    }

    private func clipboard(_ daemon: Daemon, _ name: String = "clipboard") throws -> JSON? {
      try daemon.json("status")["pasteboards"]?.array?.first {
        $0["name"]?.string == name && $0["display"] != .null
      }
    }

    /// Waits until so many bytes of another program's content were read.
    private func waitForCapture(
      _ daemon: Daemon, bytes: Int, of name: String = "clipboard"
    ) throws {
      #expect(
        try eventually { (try clipboard(daemon, name)?["bytes"]?.int ?? 0) >= bytes },
        "\(daemon.log)")
    }

    /// Waits until what was copied before this call would have been read.
    ///
    /// The primary selection is taken now and read after the same moment of rest.
    private func waitForRest(_ daemon: Daemon) throws {
      let owner = try BackgroundPeer(
        server, owning: OwnerScript("UTF8_STRING", "selected"), selection: "PRIMARY")
      try waitForCapture(daemon, bytes: 8, of: "primary")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "Everything that applications offered comes back, byte for byte, in order",
      arguments: captures)
    func capturesComeBack(name: String) throws {
      let daemon = try start()
      let capture = try Capture(name)
      var owner: BackgroundPeer? = try BackgroundPeer(
        server, owning: capture.script, selection: "CLIPBOARD")
      let kept = capture.targets.filter { target in
        !unkept.contains(target.name)
          && !["PIXMAP", "BITMAP", "DRAWABLE", "WINDOW", "COLORMAP"].contains(target.type)
      }
      try waitForCapture(daemon, bytes: kept.reduce(0) { $0 + $1.bytes.count })
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(daemon.settle(" kept "))
      let listed = try daemon.clipview("types", "--all").text.split(separator: "\n").map(
        String.init)
      #expect(listed.filter { name in kept.contains { $0.name == name } } == kept.map(\.name))
      for target in kept {
        let answer = try peer.ask(target.name)
        #expect(
          answer.value.flatMap { difference($0.bytes, target.bytes) } == nil, "\(target.name)")
        #expect(answer.value != nil, "\(target.name)")
      }
    }

    @Test("A program that is killed leaves its copy behind")
    func killedOwner() throws {
      let daemon = try start()
      let copy = try ChildProcess(
        Programs.clipview,
        ["copy", "--foreground", "--backend", "x11", "-t", "html", "--text", "<b>x</b>"],
        environment: daemon.environment)
      #expect(try eventually { try peer.owner(of: "CLIPBOARD") != 0 })
      try waitForCapture(daemon, bytes: 14)
      #expect(try eventually { try peer.ask("UTF8_STRING").value != nil })
      copy.send(signal: 9)
      _ = copy.finish(within: 10)
      #expect(daemon.settle(" kept "))
      #expect(try daemon.clipview("paste").text == "x")
      #expect(try daemon.clipview("paste", "-t", "html").text == "<b>x</b>")
      #expect(try clipboard(daemon)?["owner"]?.string == "clipd")
    }

    @Test("Spellings of the text that the owner did not have come behind")
    func spellings() throws {
      let daemon = try start()
      var owner: BackgroundPeer? = try BackgroundPeer(
        server, owning: OwnerScript([RawTarget("UTF8_STRING", Array("é".utf8))]),
        selection: "CLIPBOARD")
      try waitForCapture(daemon, bytes: 2)
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(daemon.settle(" kept "))
      #expect(try peer.ask("STRING").value?.bytes == [0xE9])
      #expect(
        try daemon.clipview("types").text.hasPrefix("UTF8_STRING\ntext/plain;charset=utf-8\n"))
    }

    @Test("What was cleared stays cleared, and what was replaced is forgotten")
    func clearsAreFinal() throws {
      let daemon = try start()
      let owner = try BackgroundPeer(server, owning: OwnerScript("UTF8_STRING", "theirs"))
      try waitForCapture(daemon, bytes: 6)
      // As a program does that means it: the selection is given up, its window lives.
      try owner.perform { try $0.release("CLIPBOARD") }
      #expect(try eventually { try clipboard(daemon)?["owner"] == .null })
      #expect(try clipboard(daemon)?["bytes"]?.int == 0)
      #expect(!daemon.log.contains(" kept "))
    }

    @Test("Secret content is not kept, and ends with its owner")
    func secrets() throws {
      let daemon = try start(settings: "keep-primary = yes\n")
      let capture = try Capture("keepassxc-x11-password")
      var owner: BackgroundPeer? = try BackgroundPeer(
        server, owning: capture.script, selection: "CLIPBOARD")
      #expect(try eventually { try clipboard(daemon)?["owner"]?.string == "other" })
      try waitForRest(daemon)
      #expect(try clipboard(daemon)?["bytes"]?.int == 0)
      let text = try daemon.clipview("paste").text
      #expect(text == capture["UTF8_STRING"].map { TestSupport.text($0) })
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(try eventually { try peer.owner(of: "CLIPBOARD") == 0 })
      #expect(try clipboard(daemon)?["owner"] == .null)
      #expect(!daemon.log.contains("selection=clipboard"))
      _ = daemon.end()
      #expect(!daemon.log.contains(text))
    }

    @Test("A copy for one paste is not used up by being kept")
    func onceSurvives() throws {
      let daemon = try start(settings: "keep-primary = yes\n")
      let copied = try daemon.clipview("copy", "--backend", "x11", "--once", "--text", "once")
      #expect(copied.status == 0)
      try waitForRest(daemon)
      #expect(try daemon.clipview("paste").text == "once")
    }

    @Test("Types that the configuration names are not kept")
    func settings() throws {
      let daemon = try start(settings: "ignore-types = x/ignored\n")
      var owner: BackgroundPeer? = try BackgroundPeer(
        server,
        owning: OwnerScript([
          RawTarget("UTF8_STRING", Array("text".utf8)), RawTarget("x/ignored", Array("no".utf8)),
        ]), selection: "CLIPBOARD")
      try waitForCapture(daemon, bytes: 4)
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(daemon.settle(" kept "))
      #expect(try !daemon.clipview("types").text.contains("x/ignored"))
    }
  }
}
