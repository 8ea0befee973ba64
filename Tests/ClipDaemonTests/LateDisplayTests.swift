import ControlProtocol
import DaemonBackend
import TestSupport
import Testing

extension OnService {
  @Suite("A service that was started before its display", .enabled(if: XServer.isExpected))
  struct LateDisplayTests {
    @Test(
      "C83: it serves named pasteboards, says that it knows no display, and manages the first it hears of"
    )
    func c83LateDisplay() throws {
      let daemon = try Daemon()
      #expect(daemon.settle("no-display"))
      try daemon.copy("named")
      let server = try XServer()
      let peer = try RawPeer(server)
      let copied = try daemon.clipview(
        "copy", "--text", "content", environment: ["DISPLAY": server.display])
      #expect(copied.status == 0, "\(copied)")
      #expect(Processes.running(Programs.clipview, display: server.display) == [])
      #expect(daemon.settle("display-connected"))
      #expect(try peer.ask("UTF8_STRING").value?.text == "content")
      #expect(try daemon.paste() == "named")
      // It is one that is managed now, not every one that anybody names.
      let other = try XServer()
      let elsewhere = try daemon.clipview(
        "copy", "--text", "elsewhere", environment: ["DISPLAY": other.display])
      #expect(elsewhere.status == 0)
      #expect(try daemon.json("status")["displays"]?.array?.count == 1)
    }

    /// A server that lets in who has the key, and the file that has it.
    private func lockedServer(_ directory: TemporaryDirectory) throws -> (XServer, String) {
      // For any host and any number; the name of the key and the key, each with its length.
      let key: [UInt8] = [0xFF, 0xFF, 0, 0, 0, 0, 0, 18] + "MIT-MAGIC-COOKIE-1".utf8 + [0, 16]
      let file = try directory.write(key + scrambledBytes(16), to: "authority")
      return (try XServer(arguments: ["-auth", file]), file)
    }

    @Test("C83: a command tells where the key to the display is", arguments: [false, true])
    func c83LockedDisplay(isKnown: Bool) throws {
      let directory = TemporaryDirectory()
      let (server, authority) = try lockedServer(directory)
      let daemon = try Daemon(environment: isKnown ? ["DISPLAY": server.display] : [:])
      #expect(daemon.settle(isKnown ? "display-missing" : "no-display"))
      let session = ["DISPLAY": server.display, "XAUTHORITY": authority]
      let copied = try daemon.clipview("copy", "--text", "content", environment: session)
      #expect(copied.status == 0 && copied.errors.isEmpty, "\(copied)")
      #expect(daemon.settle("display-connected"), "\(daemon.log)")
      // It is the service that has it, no process of the command's own.
      #expect(Processes.running(Programs.clipview, display: server.display) == [])
      #expect(try daemon.clipview("paste", environment: session).text == "content")
      let displays = try daemon.json("status")["displays"]?.array
      #expect(displays?.count == 1 && displays?.first?["connected"]?.bool == true)
    }

    @Test("C83: what is no file with a key, or not for this display, holds nobody up")
    func c83WrongKeys() throws {
      let directory = TemporaryDirectory()
      let (server, authority) = try lockedServer(directory)
      let daemon = try Daemon()
      let name = "x11:\(server.display)"
      let empty = try directory.write([], to: "empty")
      let random = try directory.write(scrambledBytes(5000), to: "random")
      let pipe = "\(directory.path)/pipe"
      #expect(try run("mkfifo", [pipe], environment: Programs.environment()).status == 0)
      let client = try daemon.connect()
      func introduce(_ display: String, _ path: String) throws -> ControlReply {
        try client.call(.introduce(display: display, authority: path), timeout: .seconds(10)).reply
      }
      for path in [empty, random, pipe, directory.path, "/nowhere", "/dev/zero"] {
        #expect(try introduce(name, path) == .failure(.notManaged), "\(path)")
      }
      #expect(try introduce("x11:otherhost:1", authority) == .failure(.notManaged))
      #expect(try introduce(name, authority) == .done(changeCount: 0))
    }

    @Test("doctor and status say that the service knows nothing of a display, and what to do")
    func unknownDisplay() throws {
      let alone = try Daemon()
      #expect(try alone.clipview("status").text.contains("the first that a command names"))
      let server = try XServer()
      let daemon = try Daemon(environment: ["DISPLAY": server.display])
      let other = try XServer()
      let report = try daemon.clipview("doctor", environment: ["DISPLAY": other.display]).text
      #expect(report.contains("clipd runs, and does not manage this display"), "\(report)")
      #expect(report.contains("import-environment"), "\(report)")
      #expect(!report.contains("no clipboard manager"), "\(report)")
    }

    @Test("It reads no secrets: the session may have Wayland, where that may be the one paste")
    func unknownSession() throws {
      let daemon = try Daemon(settings: "keep-primary = yes\n")
      let server = try XServer()
      let copied = try daemon.clipview(
        "copy", "--text", "content", environment: ["DISPLAY": server.display])
      #expect(copied.status == 0, "\(copied)")
      let owner = try BackgroundPeer(
        server, owning: try Capture("keepassxc-x11-password").script)
      func state(_ name: String) throws -> JSON? {
        try daemon.json("status")["pasteboards"]?.array?.first { $0["name"]?.string == name }
      }
      #expect(try eventually { try state("clipboard")?["sensitive"]?.bool == true })
      // What is selected later is read later.
      let other = try BackgroundPeer(
        server, owning: OwnerScript("UTF8_STRING", "selected"), selection: "PRIMARY")
      #expect(try eventually { try state("primary")?["bytes"]?.int == 8 })
      #expect(owner.requests == ["TARGETS"])
      withExtendedLifetime(other) {}
    }
  }
}
