import TestSupport
import Testing

extension OnDisplay {
  @Suite("Clear, plain, flat")
  struct ReshapeTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("clear leaves no owner, also where there was none")
    func clearEmpties() throws {
      #expect(try desk.clipview("clear").isSilentSuccess)
      try desk.copy("text")
      #expect(try desk.clipview("clear").isSilentSuccess)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
      #expect(eventually { desk.servers.isEmpty })
      let owner = try desk.owner(RawTarget("UTF8_STRING", "other"))
      #expect(try desk.clipview("clear").isSilentSuccess)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
      #expect(eventually { owner.log.last == .cleared(selection: "CLIPBOARD") })
    }

    @Test("clear empties the selection that is named and no other")
    func clearIsSelective() throws {
      try desk.copy("clipboard")
      try desk.copy("primary", "-p")
      #expect(try desk.clipview("clear", "-p").isSilentSuccess)
      #expect(try desk.peer.owner(of: "PRIMARY") == 0)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "clipboard")
    }

    @Test("An owner that does not say in time what it has is exit 4, also where it refuses text")
    func silentListOfHotKey() throws {
      var script = OwnerScript([])
      script.list = .silent
      let owner = try desk.owner(script)
      for command in ["plain", "flat", "paste"] {
        let result = try desk.clipview(command, "--timeout", "0.4")
        #expect(result.status == 4, "\(command): \(result)")
      }
      withExtendedLifetime(owner) {}
    }

    @Test("plain keeps the plain text and nothing else")
    func plainKeepsText() throws {
      let owner = try desk.owner(
        RawTarget("text/html", "<b>x</b>"), RawTarget("UTF8_STRING", difficultText),
        RawTarget("image/png", [1]), RawTarget("application/x-private", [2]))
      #expect(try desk.clipview("plain").isSilentSuccess)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == difficultText)
      let targets = try desk.peer.targets() ?? []
      for target in ["text/html", "image/png", "application/x-private"] {
        #expect(!targets.contains(target))
        #expect(try desk.peer.ask(target) == .refused)
      }
      withExtendedLifetime(owner) {}
    }

    @Test("C50: the text comes first, then what marks it, in the owner's order")
    func c50MarkersKeepTheirOrder() throws {
      let marks = [
        RawTarget("x-kde-passwordManagerHint", "secret"),
        RawTarget("application/x-copyq-secret", "1"),
        RawTarget("org.nspasteboard.ConcealedType", ""),
      ]
      for marks in [marks, marks.reversed()] {
        for command in ["plain", "flat"] {
          let owner = try desk.owner(
            OwnerScript([marks[0], RawTarget("UTF8_STRING", "text"), marks[1], marks[2]]))
          #expect(try desk.clipview(command).isSilentSuccess)
          let targets = try #require(try desk.peer.targets()).content
          #expect(targets.first == "UTF8_STRING")
          #expect(targets.suffix(3) == marks.map(\.name)[...])
          for mark in marks {
            #expect(try desk.peer.ask(mark.name).value?.bytes == mark.bytes, "\(mark.name)")
          }
          withExtendedLifetime(owner) {}
        }
      }
    }

    @Test("plain outlives the owner it was taken from")
    func plainIsOurs() throws {
      do {
        let owner = try desk.owner(RawTarget("STRING", [0xE9]))
        #expect(try desk.clipview("plain").isSilentSuccess)
        withExtendedLifetime(owner) {}
      }
      #expect(text(try desk.paste()) == "é")
    }

    @Test("flat puts the plain text on one line")
    func flatJoins() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "one\r\ntwo\nthree\n"))
      #expect(try desk.clipview("flat").isSilentSuccess)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "one two three")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "plain and flat of an empty clipboard are exit 1 without a word",
      arguments: ["plain", "flat"])
    func emptyClipboard(command: String) throws {
      let result = try desk.clipview(command)
      #expect(result.isSilentFailure(1), "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
    }

    @Test("plain and flat of a picture change nothing", arguments: ["plain", "flat"])
    func pictureStays(command: String) throws {
      let owner = try desk.owner(RawTarget("image/png", [1, 2, 3]))
      let result = try desk.clipview(command)
      #expect(result.isSilentFailure(1), "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
    }

    @Test("plain works on the selection that is named")
    func plainOfPrimary() throws {
      let owner = try desk.owner(
        RawTarget("text/html", "<b>"), RawTarget("UTF8_STRING", "b"), selection: "PRIMARY")
      #expect(try desk.clipview("plain", "-p").isSilentSuccess)
      #expect(try desk.peer.ask("UTF8_STRING", of: "PRIMARY").value?.text == "b")
      #expect(try desk.peer.ask("text/html", of: "PRIMARY") == .refused)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
      withExtendedLifetime(owner) {}
    }
  }
}
