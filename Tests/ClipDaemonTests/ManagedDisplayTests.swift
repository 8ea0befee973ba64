import SystemIO
import TestSupport
import Testing

extension OnService {
  @Suite("A display that the service manages", .enabled(if: XServer.isExpected))
  struct ManagedDisplayTests {
    let server: XServer
    let daemon: Daemon
    let peer: RawPeer

    init() throws {
      server = try XServer()
      daemon = try Daemon(environment: ["DISPLAY": server.display])
      peer = try RawPeer(server)
    }

    private func xclip(_ arguments: String..., input: [UInt8]? = nil) throws -> ProcessResult {
      try run(
        try #require(Programs.installed("xclip")), ["-selection", "clipboard"] + arguments,
        input: input, outputs: input == nil ? .captured : .discarded,
        environment: server.environment())
    }

    private func clipboard() throws -> JSON {
      try #require(
        try daemon.json("status")["pasteboards"]?.array?.first {
          $0["name"]?.string == "clipboard" && $0["display"] != .null
        })
    }

    /// The processes that a copy left behind to serve the selection.
    private var servers: [Int32] {
      Processes.running(Programs.clipview, display: server.display)
    }

    @Test("status names it")
    func isManaged() throws {
      let status = try daemon.json("status")
      #expect(status["displays"]?.array?.first?["name"]?.string == "x11:\(server.display)")
      #expect(status["displays"]?.array?.first?["connected"]?.bool == true)
      #expect(try clipboard()["owner"] == .null)
    }

    @Test("What is copied is handed over: the service owns the selection when copy returns")
    func handedOver() throws {
      for number in 0..<20 {
        #expect(try daemon.clipview("copy", "--text", "content \(number)").status == 0)
        #expect(try peer.owner(of: "CLIPBOARD") != 0)
        #expect(try daemon.clipview("paste").text == "content \(number)")
        #expect(try xclip("-o").text == "content \(number)")
      }
      #expect(servers == [])
      let state = try clipboard()
      #expect(state["owner"]?.string == "clipd")
      #expect(state["change_count"]?.int == 20)
      #expect(state["bytes"]?.int == 10)
    }

    @Test("JSON tells the change count, and the display's own back-end")
    func changeCount() throws {
      #expect(try daemon.clipview("copy", "--text", "x").status == 0)
      let shown = try daemon.json("show")
      #expect(shown["change_count"]?.int == 1)
      #expect(shown["backend"]?.string == "x11")
      // Without the service nobody counts.
      #expect(try daemon.json("show", "--backend", "x11")["change_count"] == .null)
    }

    @Test("What can be made of it is made when another program asks, by the service")
    func conversions() throws {
      let copied = try daemon.clipview(
        "copy", "-t", "html", input: Array("<p>one <b>two</b></p>".utf8))
      #expect(copied.status == 0, "\(copied)")
      #expect(try xclip("-o", "-t", "UTF8_STRING").text == "one two")
      #expect(try xclip("-o", "-t", "text/html").text == "<p>one <b>two</b></p>")
      let targets = try xclip("-o", "-t", "TARGETS").text
      #expect(targets.contains("application/x-clipview-origin"))
    }

    @Test("Large content goes through the service as it is")
    func largeContent() throws {
      let bytes = scrambledBytes(9_000_001)
      #expect(try daemon.clipview("copy", "-t", "x/data", input: bytes).status == 0)
      #expect(difference(try xclip("-o", "-t", "x/data").output, bytes) == nil)
      #expect(difference(try daemon.clipview("paste", "-t", "x/data").output, bytes) == nil)
      #expect(servers == [])
    }

    @Test("A copy by another program right before a paste is what is pasted")
    func noRace() throws {
      for number in 0..<100 {
        _ = try xclip("-i", input: Array("round \(number)".utf8))
        // xclip returns before its request is under way, which nobody can see; once the server has it,
        // no paste may miss it.
        #expect(
          try eventually {
            try peer.owner(of: "CLIPBOARD") != 0
              && daemon.clipview("paste").text == "round \(number)"
          })
      }
      #expect(try clipboard()["owner"]?.string == "other")
      #expect(try #require(try clipboard()["change_count"]?.int) >= 100)
    }

    @Test("clear goes through the service, and an owner of another kind is cleared as well")
    func clear() throws {
      #expect(try daemon.clipview("copy", "--text", "x").status == 0)
      #expect(try daemon.clipview("clear").status == 0)
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
      #expect(try clipboard()["owner"] == .null)
      try peer.own(OwnerScript("UTF8_STRING", "theirs"))
      #expect(try daemon.clipview("clear").status == 0)
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
    }

    @Test("plain and flat, primary, and limits by the service")
    func others() throws {
      #expect(
        try daemon.clipview("copy", "-p", "-t", "html", input: Array("<i>a</i>".utf8)).status == 0)
      #expect(try daemon.clipview("plain", "-p").status == 0)
      #expect(try !daemon.clipview("types", "-p").text.contains("html"))
      #expect(try daemon.clipview("copy", "--once", "--text", "once").status == 0)
      #expect(try daemon.clipview("paste").text == "once")
      #expect(try eventually { try peer.owner(of: "CLIPBOARD") == 0 })
      #expect(try daemon.clipview("copy", "--guard", "60", "--text", "x").status == 0)
      #expect(try daemon.clipview("paste").status == 5)
      #expect(servers == [])
    }

    @Test("--foreground and --backend x11 serve from their own process all the same")
    func direct() throws {
      #expect(try daemon.clipview("copy", "--backend", "x11", "--text", "own").status == 0)
      #expect(eventually { servers.count == 1 })
      #expect(try clipboard()["owner"]?.string == "other")
      #expect(try daemon.clipview("paste").text == "own")
    }

    @Test("--backend daemon insists on the service")
    func byTheService() throws {
      #expect(try daemon.clipview("copy", "--text", "über").status == 0)
      #expect(try daemon.clipview("paste", "--backend", "daemon").text == "über")
      try peer.release("CLIPBOARD")
      _ = try xclip("-i", input: Array("theirs".utf8))
      #expect(
        try eventually { try daemon.clipview("paste", "--backend", "daemon").text == "theirs" })
      let second = try XServer()
      let other = try daemon.clipview("paste", "--backend", "daemon", "--display", second.display)
      #expect(other.isFailure(3), "\(other)")
      #expect(other.errors.contains("does not manage"))
    }

    @Test("Where the service manages another display, a copy is served from its own process")
    func anotherDisplay() throws {
      let second = try XServer()
      let result = try daemon.clipview(
        "copy", "--text", "there", environment: ["DISPLAY": second.display])
      #expect(result.status == 0, "\(result)")
      #expect(
        try daemon.clipview("paste", environment: ["DISPLAY": second.display]).text == "there")
      #expect(try daemon.clipview("paste").status == 1)
    }

    @Test("Two displays are managed at once, each with its own content")
    func twoDisplays() throws {
      let second = try XServer()
      let both = try Daemon("--display", server.display, "--display", "\(second.display).0")
      for (display, text) in [(server.display, "one"), (second.display, "two")] {
        #expect(
          try both.clipview("copy", "--text", text, environment: ["DISPLAY": display]).status == 0)
      }
      for (display, text) in [(server.display, "one"), (second.display, "two")] {
        #expect(try both.clipview("paste", environment: ["DISPLAY": display]).text == text)
      }
      #expect(try both.json("status")["displays"]?.array?.count == 2)
    }

    @Test("A display that dies is told, and everything else goes on")
    func lostDisplay() throws {
      #expect(try daemon.clipview("copy", "--text", "x").status == 0)
      try daemon.copy("kept")
      server.crash()
      #expect(daemon.settle("display-lost"))
      #expect(try daemon.paste() == "kept")
      #expect(try daemon.json("status")["displays"]?.array?.first?["connected"]?.bool == false)
      // A server of another test may have the number by then: with nothing on it.
      let pasted = try daemon.clipview("paste")
      #expect(pasted.isFailure(3) || pasted.isFailure(1), "\(pasted)")
      #expect(daemon.end().ending == .exited(0))
    }

    @Test("A service that was killed is in nobody's way")
    func killedService() throws {
      daemon.process.send(signal: 9)
      _ = daemon.process.finish(within: 10)
      #expect(try daemon.clipview("copy", "--text", "direct").status == 0)
      #expect(try daemon.clipview("paste").text == "direct")
    }

    @Test("Between changes it sleeps")
    func idle() throws {
      #expect(try daemon.clipview("copy", "--text", "x").status == 0)
      #expect(try xclip("-o").text == "x")
      let pid = daemon.process.pid
      #expect(
        eventually {
          let before = Processes.sleeps(of: pid)
          return !eventually(within: 0.5) { Processes.sleeps(of: pid) != before }
        })
      // How much the program itself takes of 16 MiB is for `make bench-clipd`: this one is not optimised.
      let memory = try #require(Processes.ownMemory(of: pid))
      #expect(memory <= 4 << 20 || Programs.areSanitized, "\(memory)")
    }
  }
}
