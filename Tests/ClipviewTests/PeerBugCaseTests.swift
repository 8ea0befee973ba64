import TestSupport
import Testing

/// The selections by the names that commands take, and on the wire.
private let selections = [
  ("clipboard", "CLIPBOARD"), ("primary", "PRIMARY"), ("secondary", "SECONDARY"),
]

extension OnDisplay {
  @Suite("Bug cases: slow and dead peers")
  struct PeerBugCaseTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("C10: readers of text refuse at once where there is only a picture")
    func c10TextReaderRefusesPicture() throws {
      let owner = try desk.owner(RawTarget("image/png", scrambledBytes(50_000_000)))
      let result = try desk.clipview("paste", "-t", "text")
      #expect(result.isFailure(1), "\(result)")
      #expect(result.errors.contains("image/png"))
      // The picture is not even asked for.
      #expect(owner.requests.content.isEmpty)
    }

    @Test(
      "C11: an owner that is stopped is exit 4",
      arguments: [["paste"], ["paste", "-t", "html"], ["types"], ["show"]])
    func c11StoppedOwner(arguments: [String]) throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.list = .silent
      script.silent = ["*", "TARGETS"]
      let owner = try desk.owner(script)
      let result = try run(
        Programs.clipview, arguments + ["--timeout", "0.3"],
        environment: desk.server.environment())
      #expect(result.isFailure(4), "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
    }

    @Test("C11: a hot key gives a stopped owner up without a word", arguments: ["plain", "flat"])
    func c11StoppedOwnerOfHotKey(command: String) throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.silent = ["*"]
      let owner = try desk.owner(script)
      let result = try desk.clipview(command, "--timeout", "0.3")
      #expect(result.isSilentFailure(4), "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
    }

    @Test("C11: an owner that lists its targets and then says nothing is exit 4")
    func c11SilentOwner() throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.silent = ["*"]
      let owner = try desk.owner(script)
      let result = try desk.clipview("paste", "--timeout", "0.3")
      #expect(result.isFailure(4), "\(result)")
      withExtendedLifetime(owner) {}
    }

    @Test("A representation that is refused although it is offered is exit 1")
    func refusedRepresentation() throws {
      var script = OwnerScript([RawTarget("image/png", [1]), RawTarget("UTF8_STRING", "text")])
      script.refused = ["image/png"]
      let owner = try desk.owner(script)
      let result = try desk.clipview("paste", "-t", "png")
      #expect(result.isFailure(1), "\(result)")
      withExtendedLifetime(owner) {}
    }

    @Test("An owner that answers late but in time is waited for")
    func lateOwner() throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.delay = 0.3
      let owner = try desk.owner(script)
      #expect(text(try desk.paste()) == "text")
      withExtendedLifetime(owner) {}
    }

    @Test("An owner without TARGETS is asked for text all the same")
    func ownerWithoutTargets() throws {
      var script = OwnerScript([RawTarget("UTF8_STRING", "text")])
      script.list = .refused
      let owner = try desk.owner(script)
      #expect(text(try desk.paste()) == "text")
      script.targets = [RawTarget("STRING", [0xE9])]
      try owner.change(script)
      #expect(text(try desk.paste()) == "é")
    }

    @Test("A strange list of targets is read as far as it makes sense")
    func strangeTargetLists() throws {
      let lists: [(OwnerScript.TargetList, isReadable: Bool)] = [
        (.badAtoms, true), (.padded, true), (.crowded, true), (.mistyped, true), (.repeated, true),
        (.withoutProtocolTargets, true), (.format(8), false), (.format(16), false),
        (.exactly([]), false),
      ]
      for (list, isReadable) in lists {
        // Several names that we do not know: none may be taken for another behind a bad atom.
        var script = OwnerScript([
          RawTarget("UTF8_STRING", "text"), RawTarget("text/html", "<b>"), RawTarget("x/last", "!"),
        ])
        script.list = list
        let owner = try desk.owner(script)
        // A sanitizer makes ten thousand of them slow.
        let types = try desk.clipview("types", "--timeout", "60", timeout: 60)
        #expect(types.status == 0 || types.status == 1, "\(list): \(types)")
        if isReadable {
          #expect(types.status == 0, "\(list): \(types)")
          let names = lines(types.output)
          #expect(
            names.filter { !$0.hasPrefix("x-crowd/") } == ["UTF8_STRING", "text/html", "x/last"])
          #expect(text(try desk.paste("-t", "html", "--timeout", "60")) == "<b>", "\(list)")
          #expect(text(try desk.paste("--timeout", "60")) == "text", "\(list)")
        }
        withExtendedLifetime(owner) {}
      }
    }
  }

  @Suite("Bug cases: the X11 protocol")
  struct ProtocolBugCaseTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    private func timestamp(of selection: String = "CLIPBOARD") throws -> UInt32 {
      let value = try #require(try desk.peer.ask("TIMESTAMP", of: selection).value)
      #expect(value.type == "INTEGER")
      #expect(value.format == 32)
      return try #require(value.bytes.uint32s.first)
    }

    @Test("C59: TIMESTAMP is a time of the server, and listed", arguments: selections)
    func c59TimestampIsAnswered(name: String, selection: String) throws {
      let before = try desk.peer.serverTime()
      try desk.copy("text", "-s", name)
      let after = try desk.peer.serverTime()
      #expect((before...after).contains(try timestamp(of: selection)))
      #expect(try desk.peer.targets(of: selection)?.contains("TIMESTAMP") == true)
      let xclip = try #require(Programs.installed("xclip"))
      let shown = try run(
        xclip, ["-o", "-selection", name, "-t", "TIMESTAMP"],
        environment: desk.server.environment())
      #expect(shown.status == 0)
    }

    @Test("C61: a request from before the ownership is refused", arguments: selections)
    func c61StaleRequestIsRefused(name: String, selection: String) throws {
      try desk.copy("text", "-s", name)
      let time = try timestamp(of: selection)
      func answer(_ time: RawTime) throws -> RawAnswer {
        try desk.peer.ask("UTF8_STRING", of: selection, time: time)
      }
      #expect(try answer(.at(time - 1)) == .refused)
      #expect(try answer(.at(time)).value?.text == "text")
      #expect(try answer(.at(time + 1)).value?.text == "text")
      #expect(try answer(.current).value?.text == "text")
    }

    @Test("C62: in MULTIPLE a bad pair fails and the others are served", arguments: selections)
    func c62MultipleWithFailingPairs(name: String, selection: String) throws {
      try desk.copy("text", "-s", name)
      let time = try timestamp(of: selection)
      let multiple = try #require(
        try desk.peer.multiple(
          ["UTF8_STRING", "image/png", "TIMESTAMP", "MULTIPLE", "TARGETS"], of: selection))
      #expect(multiple.type == "ATOM_PAIR")
      #expect(multiple.answers[0].value?.text == "text")
      #expect(multiple.answers[1] == .refused)
      #expect(multiple.answers[2].value?.bytes.uint32s == [time])
      #expect(multiple.answers[3] == .refused)
      #expect(multiple.answers[4].value?.type == "ATOM")
    }

    @Test("C62: the list comes back with None for the property of what failed")
    func c62FailedPairsAreMarked() throws {
      try desk.copy("text")
      let names = try ["UTF8_STRING", "P1", "image/png", "P2"].map { try desk.peer.atom($0) }
      let list = try #require(try desk.peer.multiple(list: names))
      #expect(list.bytes.uint32s == [names[0], names[1], names[2], 0])
    }

    @Test("C62: MULTIPLE may mix small answers with INCR")
    func c62MultipleWithIncrements() throws {
      let bytes = scrambledBytes(2_000_000)
      let directory = TemporaryDirectory()
      let file = try directory.write(bytes, to: "large")
      try desk.copy("text", "--also", "x/large=\(file)")
      let multiple = try #require(try desk.peer.multiple(["UTF8_STRING", "x/large", "TARGETS"]))
      #expect(multiple.answers[0].value?.text == "text")
      #expect(difference(multiple.answers[1].value?.bytes ?? [], bytes) == nil)
      #expect(multiple.answers[2].value?.type == "ATOM")
    }

    @Test("C62: a MULTIPLE request that makes no sense is refused")
    func c62SenselessMultipleIsRefused() throws {
      try desk.copy("text")
      let names = try ["UTF8_STRING", "P1", "TARGETS"].map { try desk.peer.atom($0) }
      // An odd number of atoms, an empty list, none, no property, another format.
      #expect(try desk.peer.askMultiple(list: names) == .refused)
      #expect(try desk.peer.askMultiple(list: [names[0]]) == .refused)
      #expect(try desk.peer.askMultiple(list: []) == .refused)
      #expect(try desk.peer.askMultiple(list: nil) == .refused)
      #expect(try desk.peer.askMultiple(list: [names[0], names[1]], property: "") == .refused)
      #expect(try desk.peer.askMultiple(list: [names[0], names[1]], format: 8) == .refused)
      // The same list, in order.
      let sensible = try desk.peer.askMultiple(list: [names[0], names[1]])
      #expect(sensible.value?.bytes.uint32s == [names[0], names[1]])
      #expect(text(try desk.paste()) == "text")
    }

    @Test(
      "C63: a requestor that names no property gets its answer in that of the target",
      arguments: selections)
    func c63ObsoleteRequestor(name: String, selection: String) throws {
      try desk.copy("text", "-s", name)
      let answer = try desk.peer.ask("UTF8_STRING", of: selection, property: "")
      #expect(answer.value?.text == "text")
    }

    @Test("A requestor may use any property, also that of the target and INCR")
    func anyProperty() throws {
      try desk.copy("text")
      for property in ["UTF8_STRING", "INCR", "CLIPBOARD", "WM_NAME"] {
        #expect(try desk.peer.ask("UTF8_STRING", property: property).value?.text == "text")
      }
    }
  }
}
