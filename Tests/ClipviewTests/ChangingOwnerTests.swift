import TestSupport
import Testing

/// A selection and the options that choose it.
struct ChosenSelection: CustomTestStringConvertible {
  let name: String
  let options: [String]

  var testDescription: String { name }

  static let all = [
    ChosenSelection(name: "CLIPBOARD", options: []),
    ChosenSelection(name: "PRIMARY", options: ["-p"]),
    ChosenSelection(name: "SECONDARY", options: ["-s", "secondary"]),
  ]
}

/// How the owner changes between its list and its content.
enum OwnerChange: CaseIterable {
  case otherWindow
  case sameWindow
  /// The same, by an owner that looks at no times.
  case sameWindowUnseen

  func applied(to first: OwnerScript, then next: OwnerScript, on target: String) -> OwnerScript {
    var first = first
    var next = next
    first.refusesEarlierRequests = self != .sameWindowUnseen
    next.refusesEarlierRequests = first.refusesEarlierRequests
    first.succession = .init(target, changesWindow: self == .otherWindow, to: next)
    return first
  }
}

extension OnDisplay {
  @Suite("Owners that change while they are read")
  struct ChangingOwnerTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    private let old = OwnerScript([
      RawTarget("text/html", "<b>old</b>"), RawTarget("x-old", "old"),
    ])
    private let new = OwnerScript([
      RawTarget("text/rtf", "{\\rtf1 new}"), RawTarget("UTF8_STRING", "new"),
    ])

    private func clipview(
      _ arguments: [String], on selection: ChosenSelection
    ) throws -> ProcessResult {
      try run(
        Programs.clipview, arguments + selection.options, environment: desk.server.environment())
    }

    @Test(
      "What is pasted belongs to the list that it was chosen from",
      arguments: OwnerChange.allCases, ChosenSelection.all)
    func pasteStartsAnew(change: OwnerChange, selection: ChosenSelection) throws {
      let owner = try desk.owner(
        change.applied(to: old, then: new, on: "TARGETS"), selection: selection.name)
      for (arguments, expected) in [
        (["paste"], "new"), (["paste", "--accept", "x-old,text"], "new"),
        (["paste", "--accept-any", "html,rtf"], "{\\rtf1 new}"), (["paste", "-t", "rtf"], nil),
      ] as [([String], String?)] {
        try owner.own(change.applied(to: old, then: new, on: "TARGETS"), selection: selection.name)
        let result = try clipview(arguments, on: selection)
        // RTF was not in the first list, which was all there was to ask then.
        if let expected {
          #expect(result.status == 0, "\(arguments): \(result)")
          #expect(result.text == expected, "\(arguments)")
        } else {
          #expect(result.isFailure(1), "\(arguments): \(result)")
          #expect(result.errors.contains("x-old"))
        }
      }
    }

    @Test(
      "A target that the new owner does not have is missed in the new list",
      arguments: OwnerChange.allCases)
    func refusalNamesNewList(change: OwnerChange) throws {
      let owner = try desk.owner(change.applied(to: old, then: new, on: "TARGETS"))
      let result = try desk.clipview("paste", "-t", "x-old")
      #expect(result.isFailure(1), "\(result)")
      #expect(result.errors.contains("text/rtf") && !result.errors.contains("text/html"))
      withExtendedLifetime(owner) {}
    }

    @Test("show is about one owner", arguments: OwnerChange.allCases, ChosenSelection.all)
    func showIsOfOneOwner(change: OwnerChange, selection: ChosenSelection) throws {
      let owner = try desk.owner(
        change.applied(to: old, then: new, on: "TARGETS"), selection: selection.name)
      let result = try clipview(["show", "--json"], on: selection)
      #expect(result.status == 0, "\(result)")
      let rows = JSON(result.text)?["items"]?.array?.first?["representations"]?.array ?? []
      #expect(rows.compactMap { $0["target"]?.string } == ["text/rtf", "UTF8_STRING"], "\(result)")
      #expect(rows.compactMap { $0["bytes"]?.int } == [11, 3], "\(result)")
      withExtendedLifetime(owner) {}
    }

    @Test("show --no-read names the owner of the list that it shows")
    func namedOwnerIsTheListed() throws {
      let owner = try desk.owner(
        OwnerChange.otherWindow.applied(to: old, then: new, on: "TARGETS"))
      let result = try desk.clipview("show", "--no-read", "--json")
      #expect(result.status == 0, "\(result)")
      let window = JSON(result.text)?["owner"]?["window"]?.string
      #expect(window == "0x" + String(try desk.peer.owner(of: "CLIPBOARD"), radix: 16))
      #expect(result.text.contains("text/rtf") && !result.text.contains("text/html"))
      withExtendedLifetime(owner) {}
    }

    @Test(
      "The origin marker and what it is about are of one owner", arguments: OwnerChange.allCases)
    func markerOfTheSameOwner(change: OwnerChange) throws {
      let marker = "application/x-clipview-origin"
      var marked = old
      marked.targets.append(
        RawTarget(marker, #"{"schema":1,"native":["public.html"],"made":{}}"#))
      let owner = try desk.owner(change.applied(to: marked, then: new, on: marker))
      let result = try desk.clipview("paste", "--accept-any", "html,plain")
      #expect(result.status == 0, "\(result)")
      #expect(result.text == "new")
      withExtendedLifetime(owner) {}
    }

    @Test("A hot key reshapes what is there in the end", arguments: ChosenSelection.all)
    func plainOfTheNewOwner(selection: ChosenSelection) throws {
      var old = old
      old.targets.append(RawTarget("UTF8_STRING", "old"))
      for change in OwnerChange.allCases.dropLast() {
        let owner = try desk.owner(
          change.applied(to: old, then: new, on: "TARGETS"), selection: selection.name)
        let result = try clipview(["plain"], on: selection)
        #expect(result.isSilentSuccess, "\(result)")
        let plain = try desk.peer.ask("UTF8_STRING", of: selection.name).value
        #expect(plain?.text == "new")
        withExtendedLifetime(owner) {}
      }
    }

    @Test("An owner that changes again and again is given up, with a message")
    func endlessChanges() throws {
      for change in [OwnerChange.otherWindow, .sameWindow] {
        let third = change.applied(to: old, then: new, on: "TARGETS")
        let second = change.applied(to: old, then: third, on: "TARGETS")
        let owner = try desk.owner(change.applied(to: old, then: second, on: "TARGETS"))
        let result = try desk.clipview("paste", "-t", "html")
        #expect(result.isFailure(6), "\(result)")
        // Twice, and no more.
        #expect(owner.requests.count { $0 == "text/html" } <= 2)
      }
    }

    @Test(
      "A read that succeeds costs its owner a list and one request", arguments: ChosenSelection.all)
    func happyPathCosts(selection: ChosenSelection) throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.refusesEarlierRequests = true
      let owner = try desk.owner(script, selection: selection.name)
      #expect(try clipview(["paste"], on: selection).text == "text")
      #expect(owner.requests == ["TARGETS", "UTF8_STRING"])
    }

    @Test("An owner that goes away and another one a moment later: that one is read")
    func ownerComesBack() throws {
      // A busy machine may take longer than an empty selection is given to get an owner.
      let isFound = try (0..<5).contains { _ in
        var script = OwnerScript("UTF8_STRING", "old")
        script.silent = ["UTF8_STRING"]
        var owner: BackgroundPeer? = try desk.owner(script)
        let child = try ChildProcess(
          Programs.clipview, ["paste", "--timeout", "20"], environment: desk.server.environment())
        child.settle { _ in owner?.requests.contains("UTF8_STRING") == true }
        let next = try BackgroundPeer(desk.server)
        // It has to be there before the other one goes: the server gives a free number to the next
        // client at once, and an owner of the same number is taken for the same owner.
        try next.perform { _ in }
        owner = nil
        try next.own(OwnerScript("UTF8_STRING", "new"))
        let result = child.finish(within: 10)
        #expect(result.text == "new" || result.isFailure(1), "\(result)")
        return result.text == "new"
      }
      #expect(isFound)
    }
  }

  @Suite("Owners that are stopped")
  struct StoppedOwnerTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test(
      "A paste from an owner stopped with SIGSTOP ends with exit 4 within 1.5 s of a limit of 1 s")
    func stoppedOwnerEndsInTime() throws {
      try desk.copy("text")
      let server = try #require(desk.servers.first)
      Processes.send(signal: 19, to: server)
      defer { Processes.send(signal: 18, to: server) }
      // A busy machine may be late once; the promise is broken where it never holds.
      var times: [Double] = []
      for arguments in [[], ["-t", "html"], ["--accept", "html,text"]] {
        var best = Double.infinity
        for _ in 0..<3 where best >= 1.5 {
          let start = Deadline.now
          let result = try run(
            Programs.clipview, ["paste", "--timeout", "1"] + arguments,
            environment: desk.server.environment())
          best = min(best, Deadline.now - start)
          #expect(result.isFailure(4), "\(arguments): \(result)")
        }
        times.append(best)
      }
      #expect(times.allSatisfy { $0 < 1.5 }, "\(times)")
    }

    @Test("Markers that are never given do not hold a paste or a hot key up")
    func silentMarkers() throws {
      let markers = [
        "x-kde-passwordManagerHint", "application/x-copyq-secret",
        "application/x-nspasteboard-concealed-type", "org.nspasteboard.ConcealedType",
        "org.nspasteboard.TransientType",
      ]
      var script = OwnerScript(
        [RawTarget("UTF8_STRING", "text")]
          + (0..<200).flatMap { _ in markers.map { RawTarget($0, "never") } })
      script.silent = Set(markers)
      let owner = try desk.owner(script)
      // All markers together have half of the limit.
      let child = try ChildProcess(
        Programs.clipview, ["plain", "--timeout", "1"], environment: desk.server.environment())
      let result = child.finish(within: 10)
      #expect(result.isSilentSuccess, "\(result)")
      // The first one has used that up.
      #expect(owner.requests.count { markers.contains($0) } == 1)
      // They say secret, as far as anybody knows.
      let targets = try desk.peer.targets() ?? []
      #expect(markers.allSatisfy { marker in targets.count { $0 == marker } == 1 }, "\(targets)")
    }
  }
}
