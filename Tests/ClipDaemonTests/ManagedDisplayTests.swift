import SystemIO
import TestSupport
import Testing

extension OnService {
  @Suite("A display that the service manages", .enabled(if: XServer.isExpected))
  struct ManagedDisplayTests {
    let desk: ManagedDesk

    init() throws { desk = try ManagedDesk() }

    private func xclip(_ arguments: String..., input: [UInt8]? = nil) throws -> ProcessResult {
      try run(
        try #require(Programs.installed("xclip")), ["-selection", "clipboard"] + arguments,
        input: input, outputs: input == nil ? .captured : .discarded,
        environment: desk.server.environment())
    }

    /// The processes that a copy left behind to serve the selection.
    private var servers: [Int32] {
      Processes.running(Programs.clipview, display: desk.server.display)
    }

    @Test("status names it")
    func isManaged() throws {
      let status = try desk.daemon.json("status")
      #expect(status["displays"]?.array?.first?["name"]?.string == "x11:\(desk.server.display)")
      #expect(status["displays"]?.array?.first?["connected"]?.bool == true)
      #expect(try desk.state()["owner"] == .null)
    }

    @Test("What is copied is handed over: the service owns the selection when copy returns")
    func handedOver() throws {
      for number in 0..<20 {
        #expect(try desk.daemon.clipview("copy", "--text", "content \(number)").status == 0)
        #expect(try desk.peer.owner(of: "CLIPBOARD") != 0)
        #expect(try desk.daemon.clipview("paste").text == "content \(number)")
        #expect(try xclip("-o").text == "content \(number)")
      }
      #expect(servers == [])
      let state = try desk.state()
      #expect(state["owner"]?.string == "clipd")
      #expect(state["change_count"]?.int == 20)
      #expect(state["bytes"]?.int == 10)
    }

    @Test("JSON tells the change count, and the display's own back-end")
    func changeCount() throws {
      #expect(try desk.daemon.clipview("copy", "--text", "x").status == 0)
      let shown = try desk.daemon.json("show")
      #expect(shown["change_count"]?.int == 1)
      #expect(shown["backend"]?.string == "x11")
      // Without the service nobody counts.
      #expect(try desk.daemon.json("show", "--backend", "x11")["change_count"] == .null)
    }

    @Test("What can be made of it is made when another program asks, by the service")
    func conversions() throws {
      let copied = try desk.daemon.clipview(
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
      #expect(try desk.daemon.clipview("copy", "-t", "x/data", input: bytes).status == 0)
      #expect(difference(try xclip("-o", "-t", "x/data").output, bytes) == nil)
      #expect(difference(try desk.daemon.clipview("paste", "-t", "x/data").output, bytes) == nil)
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
            try desk.peer.owner(of: "CLIPBOARD") != 0
              && desk.daemon.clipview("paste").text == "round \(number)"
          })
      }
      #expect(try desk.state()["owner"]?.string == "other")
      #expect(try #require(try desk.state()["change_count"]?.int) >= 100)
    }

    @Test("clear goes through the service, and an owner of another kind is cleared as well")
    func clear() throws {
      #expect(try desk.daemon.clipview("copy", "--text", "x").status == 0)
      #expect(try desk.daemon.clipview("clear").status == 0)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
      #expect(try desk.state()["owner"] == .null)
      try desk.peer.own(OwnerScript("UTF8_STRING", "theirs"))
      #expect(try desk.daemon.clipview("clear").status == 0)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
    }

    @Test("plain and flat, primary, and limits by the service")
    func others() throws {
      #expect(
        try desk.daemon.clipview("copy", "-p", "-t", "html", input: Array("<i>a</i>".utf8)).status
          == 0)
      #expect(try desk.daemon.clipview("plain", "-p").status == 0)
      #expect(try !desk.daemon.clipview("types", "-p").text.contains("html"))
      #expect(try desk.daemon.clipview("copy", "--once", "--text", "once").status == 0)
      #expect(try desk.daemon.clipview("paste").text == "once")
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD") == 0 })
      #expect(try desk.daemon.clipview("copy", "--guard", "60", "--text", "x").status == 0)
      #expect(try desk.daemon.clipview("paste").status == 5)
      #expect(servers == [])
    }

    @Test("--foreground and --backend x11 serve from their own process all the same")
    func direct() throws {
      #expect(try desk.daemon.clipview("copy", "--backend", "x11", "--text", "own").status == 0)
      #expect(eventually { servers.count == 1 })
      #expect(try desk.state()["owner"]?.string == "other")
      #expect(try desk.daemon.clipview("paste").text == "own")
    }

    @Test("--backend daemon insists on the service")
    func byTheService() throws {
      #expect(try desk.daemon.clipview("copy", "--text", "über").status == 0)
      #expect(try desk.daemon.clipview("paste", "--backend", "daemon").text == "über")
      try desk.peer.release("CLIPBOARD")
      _ = try xclip("-i", input: Array("theirs".utf8))
      #expect(
        try eventually {
          try desk.daemon.clipview("paste", "--backend", "daemon").text == "theirs"
        })
      let second = try XServer()
      let other = try desk.daemon.clipview(
        "paste", "--backend", "daemon", "--display", second.display)
      #expect(other.isFailure(3), "\(other)")
      #expect(other.errors.contains("does not manage"))
    }

    @Test("Where the service manages another display, a copy is served from its own process")
    func anotherDisplay() throws {
      let second = try XServer()
      let result = try desk.daemon.clipview(
        "copy", "--text", "there", environment: ["DISPLAY": second.display])
      #expect(result.status == 0, "\(result)")
      #expect(
        try desk.daemon.clipview("paste", environment: ["DISPLAY": second.display]).text == "there")
      #expect(try desk.daemon.clipview("paste").status == 1)
    }

    @Test("Two displays are managed at once, each with its own content")
    func twoDisplays() throws {
      let second = try XServer()
      let both = try Daemon("--display", desk.server.display, "--display", "\(second.display).0")
      for (display, text) in [(desk.server.display, "one"), (second.display, "two")] {
        #expect(
          try both.clipview("copy", "--text", text, environment: ["DISPLAY": display]).status == 0)
      }
      for (display, text) in [(desk.server.display, "one"), (second.display, "two")] {
        #expect(try both.clipview("paste", environment: ["DISPLAY": display]).text == text)
      }
      #expect(try both.json("status")["displays"]?.array?.count == 2)
    }

    @Test("A display that dies is told, and everything else goes on")
    func lostDisplay() throws {
      #expect(try desk.daemon.clipview("copy", "--text", "x").status == 0)
      try desk.daemon.copy("kept")
      desk.server.crash()
      #expect(desk.daemon.settle("display-lost"))
      #expect(try desk.daemon.paste() == "kept")
      #expect(try desk.daemon.json("status")["displays"]?.array?.first?["connected"]?.bool == false)
      // A desk.server of another test may have the number by then: with nothing on it.
      let pasted = try desk.daemon.clipview("paste")
      #expect(pasted.isFailure(3) || pasted.isFailure(1), "\(pasted)")
      #expect(desk.daemon.end().ending == .exited(0))
    }

    @Test("A service that was killed is in nobody's way")
    func killedService() throws {
      desk.daemon.process.send(signal: 9)
      _ = desk.daemon.process.finish(within: 10)
      #expect(try desk.daemon.clipview("copy", "--text", "direct").status == 0)
      #expect(try desk.daemon.clipview("paste").text == "direct")
    }

    @Test("Between changes it sleeps")
    func idle() throws {
      #expect(try desk.daemon.clipview("copy", "--text", "x").status == 0)
      #expect(try xclip("-o").text == "x")
      let pid = desk.daemon.process.pid
      #expect(Processes.comeToRest(pid))
      // How much the program itself takes of 16 MiB is for `make bench-clipd`: this one is not optimised.
      let memory = try #require(Processes.ownMemory(of: pid))
      #expect(memory <= 4 << 20 || Programs.areSanitized, "\(memory)")
    }
  }
}
