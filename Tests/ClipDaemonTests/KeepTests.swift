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
    /// Waits until what was copied before this call would have been read.
    ///
    /// The primary selection is taken now and read after the same moment of rest.
    private func waitForRest(_ desk: ManagedDesk) throws {
      let owner = try BackgroundPeer(
        desk.server, owning: OwnerScript("UTF8_STRING", "selected"), selection: "PRIMARY")
      try desk.waitForCapture(bytes: 8, of: "primary")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "Everything that applications offered comes back, byte for byte, in order",
      arguments: captures)
    func capturesComeBack(name: String) throws {
      let desk = try ManagedDesk()
      let capture = try Capture(name)
      var owner: BackgroundPeer? = try BackgroundPeer(
        desk.server, owning: capture.script, selection: "CLIPBOARD")
      let kept = capture.targets.filter { target in
        !unkept.contains(target.name)
          && !["PIXMAP", "BITMAP", "DRAWABLE", "WINDOW", "COLORMAP"].contains(target.type)
      }
      try desk.waitForCapture(bytes: kept.reduce(0) { $0 + $1.bytes.count })
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(desk.daemon.settle(" kept "))
      let listed = try desk.daemon.clipview("types", "--all").text.split(separator: "\n").map(
        String.init)
      #expect(listed.filter { name in kept.contains { $0.name == name } } == kept.map(\.name))
      for target in kept {
        let answer = try desk.peer.ask(target.name)
        #expect(
          answer.value.flatMap { difference($0.bytes, target.bytes) } == nil, "\(target.name)")
        #expect(answer.value != nil, "\(target.name)")
      }
    }

    @Test("A program that is killed leaves its copy behind")
    func killedOwner() throws {
      let desk = try ManagedDesk()
      let copy = try ChildProcess(
        Programs.clipview,
        ["copy", "--foreground", "--backend", "x11", "-t", "html", "--text", "<b>x</b>"],
        environment: desk.daemon.environment)
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD") != 0 })
      try desk.waitForCapture(bytes: 14)
      #expect(try eventually { try desk.peer.ask("UTF8_STRING").value != nil })
      let targets = try desk.state()["targets"]?.int ?? 0
      #expect(targets > 0)
      copy.send(signal: 9)
      _ = copy.finish(within: 10)
      #expect(desk.daemon.settle(" kept "))
      #expect(try desk.state()["targets"]?.int == targets)
      #expect(try desk.daemon.clipview("paste").text == "x")
      #expect(try desk.daemon.clipview("paste", "-t", "html").text == "<b>x</b>")
      #expect(try desk.state()["owner"]?.string == "clipd")
    }

    @Test("Spellings of the text that the owner did not have come behind")
    func spellings() throws {
      let desk = try ManagedDesk()
      var owner: BackgroundPeer? = try BackgroundPeer(
        desk.server, owning: OwnerScript([RawTarget("UTF8_STRING", Array("é".utf8))]),
        selection: "CLIPBOARD")
      try desk.waitForCapture(bytes: 2)
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(desk.daemon.settle(" kept "))
      #expect(try desk.peer.ask("STRING").value?.bytes == [0xE9])
      #expect(
        try desk.daemon.clipview("types").text.hasPrefix("UTF8_STRING\ntext/plain;charset=utf-8\n"))
    }

    @Test("What was cleared stays cleared, and what was replaced is forgotten")
    func clearsAreFinal() throws {
      let desk = try ManagedDesk()
      let owner = try BackgroundPeer(desk.server, owning: OwnerScript("UTF8_STRING", "theirs"))
      try desk.waitForCapture(bytes: 6)
      // As a program does that means it: the selection is given up, its window lives.
      try owner.perform { try $0.release("CLIPBOARD") }
      #expect(try eventually { try desk.state()["owner"] == .null })
      #expect(try desk.state()["bytes"]?.int == 0)
      #expect(!desk.daemon.log.contains(" kept "))
    }

    @Test("Secret content is not kept, and ends with its owner")
    func secrets() throws {
      let desk = try ManagedDesk(settings: "keep-primary = yes\n")
      let capture = try Capture("keepassxc-x11-password")
      var owner: BackgroundPeer? = try BackgroundPeer(
        desk.server, owning: capture.script, selection: "CLIPBOARD")
      #expect(try eventually { try desk.state()["owner"]?.string == "other" })
      try waitForRest(desk)
      #expect(try desk.state()["bytes"]?.int == 0)
      let text = try desk.daemon.clipview("paste").text
      #expect(text == capture["UTF8_STRING"].map { TestSupport.text($0) })
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD") == 0 })
      #expect(try desk.state()["owner"] == .null)
      #expect(!desk.daemon.log.contains("selection=clipboard"))
      _ = desk.daemon.end()
      #expect(!desk.daemon.log.contains(text))
    }

    @Test("A copy for one paste is not used up by being kept")
    func onceSurvives() throws {
      let desk = try ManagedDesk(settings: "keep-primary = yes\n")
      let copied = try desk.daemon.clipview("copy", "--backend", "x11", "--once", "--text", "once")
      #expect(copied.status == 0)
      try waitForRest(desk)
      #expect(try desk.daemon.clipview("paste").text == "once")
    }

    @Test("Types that the configuration names are not kept")
    func settings() throws {
      let desk = try ManagedDesk(settings: "ignore-types = x/ignored\n")
      var owner: BackgroundPeer? = try BackgroundPeer(
        desk.server,
        owning: OwnerScript([
          RawTarget("UTF8_STRING", Array("text".utf8)), RawTarget("x/ignored", Array("no".utf8)),
        ]), selection: "CLIPBOARD")
      try desk.waitForCapture(bytes: 4)
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(desk.daemon.settle(" kept "))
      #expect(try !desk.daemon.clipview("types").text.contains("x/ignored"))
    }
  }
}
