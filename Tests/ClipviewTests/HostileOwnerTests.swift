import TestSupport
import Testing

private let marker = "application/x-clipview-origin"
private let hint = "x-kde-passwordManagerHint"

/// Ways in which an answer by INCR does not come to an end.
enum Unending: String, CaseIterable {
  case stops
  case trickles
  case floods

  var increments: OwnerScript.Increments {
    switch self {
    case .stops: .init(chunk: 8, stopsAfter: 1)
    case .trickles: .init(chunk: 8, pause: 0.02, isEndless: true)
    case .floods: .init(chunk: 1 << 18, isEndless: true)
    }
  }

  /// As much as a chunk takes, so that the chunks are of one size.
  var content: [UInt8] { scrambledBytes(self == .floods ? 1 << 18 : 64) }
}

extension OnDisplay {
  @Suite("Hostile owners")
  struct HostileOwnerTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    private func script(_ unending: Unending, of name: String) -> OwnerScript {
      var script = OwnerScript([
        RawTarget(name, unending.content), RawTarget("UTF8_STRING", "text"),
        RawTarget("text/html", "<b>x</b>"),
      ])
      script.increments = unending.increments
      script.incremented = [name]
      return script
    }

    // MARK: Answers without an end

    @Test("An origin marker that does not end does not hold show up", arguments: Unending.allCases)
    func unendingMarkerAndShow(unending: Unending) throws {
      let owner = try desk.owner(script(unending, of: marker))
      let result = try desk.clipview("show", "--timeout", "1")
      #expect(result.status == 0, "\(result)")
      #expect(result.text.contains("text/html"))
      withExtendedLifetime(owner) {}
    }

    @Test("An origin marker that does not end does not hold paste up", arguments: Unending.allCases)
    func unendingMarkerAndPaste(unending: Unending) throws {
      let owner = try desk.owner(script(unending, of: marker))
      let result = try desk.clipview("paste", "--as", "html")
      #expect(result.status == 0, "\(result)")
      #expect(result.text == "<b>x</b>")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "A password manager's hint that does not end counts as secret, and plain hands that on",
      arguments: Unending.allCases)
    func unendingHint(unending: Unending) throws {
      let owner = try desk.owner(script(unending, of: hint))
      try plainKeepsTheHint()
      withExtendedLifetime(owner) {}
    }

    @Test("A password manager's hint of megabytes counts as secret, and plain hands that on")
    func hugeHint() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "text"), RawTarget(hint, scrambledBytes(5_000_000)))
      try plainKeepsTheHint()
      withExtendedLifetime(owner) {}
    }

    private func plainKeepsTheHint(
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let result = try desk.clipview("plain")
      #expect(result.isSilentSuccess, "\(result)", sourceLocation: sourceLocation)
      #expect(
        try desk.peer.ask("UTF8_STRING").value?.text == "text", sourceLocation: sourceLocation)
      #expect(
        try desk.peer.targets()?.contains(hint) == true, sourceLocation: sourceLocation)
      // By this value others know it.
      #expect(
        try desk.peer.ask(hint).value?.text == "secret", sourceLocation: sourceLocation)
    }

    // MARK: Owners that go away

    @Test("show of very many silent targets survives the end of their owner")
    func ownerOfManyDies() throws {
      var script = OwnerScript((1...400).map { RawTarget("x-silent/\($0)", "never") })
      script.silent = ["*"]
      var owner: BackgroundPeer? = try desk.owner(script)
      // All fail at once then: with a small stack a recursion for each shows, without thousands.
      let child = try ChildProcess(
        "sh",
        [
          "-c", "ulimit -s 512 && exec \"$0\" \"$@\"", Programs.clipview, "show", "--timeout", "20",
        ],
        environment: desk.server.environment())
      let isAsked = child.settle { _ in (owner?.requests.content.count ?? 0) >= 4 }
      #expect(isAsked)
      owner = nil
      let result = child.finish(within: 10)
      let codes: [Int32] = [0, 1, 4, 6]
      #expect(codes.contains { result.ending == .exited($0) }, "\(result)")
      #expect(result.errors.isEmpty || result.isOneMessage, "\(result)")
    }

    @Test("An owner that ends right after announcing INCR is not waited for")
    func ownerEndsWithAnnouncement() throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.increments = .init(endsWithAnnouncement: true)
      let owner = try desk.owner(script)
      let result = try desk.clipview("paste", "--timeout", "20")
      #expect(result.isFailure(1), "\(result)")
      withExtendedLifetime(owner) {}
    }

    @Test("Where the owner ends in the middle of INCR the content of the next one is taken")
    func nextOwnerIsTaken() throws {
      var script = OwnerScript("UTF8_STRING", "old")
      script.increments = .init(stopsAfter: 0)
      var owner: BackgroundPeer? = try desk.owner(script)
      let child = try ChildProcess(
        Programs.clipview, ["paste", "--timeout", "20"], environment: desk.server.environment())
      let isAsked = child.settle { _ in owner?.requests.contains("UTF8_STRING") == true }
      #expect(isAsked)
      let next = try desk.owner(RawTarget("UTF8_STRING", "new"))
      owner = nil
      let result = child.finish(within: 10)
      #expect(result.status == 0, "\(result)")
      #expect(result.text == "new")
      withExtendedLifetime(next) {}
    }

    // MARK: Answers of another kind

    @Test("C36: an answer of type image/png to a request for text is not believed")
    func c36PictureForText() throws {
      let owner = try desk.owner(RawTarget("text/html", type: "image/png", "<b>"))
      for arguments in [["-t", "text/html"], ["-t", "html"], ["--as", "html"], []] {
        let result = try run(
          Programs.clipview, ["paste"] + arguments, environment: desk.server.environment())
        #expect(result.isFailure(1), "\(arguments): \(result)")
      }
      try owner.change(
        OwnerScript([
          RawTarget("UTF8_STRING", type: "image/png", "picture"), RawTarget("STRING", [0xE9]),
        ]))
      #expect(text(try desk.paste()) == "é")
      #expect(owner.requests.content.suffix(2) == ["UTF8_STRING", "STRING"])
    }

    @Test("C36: an answer of type UTF8_STRING to a request for a picture is no picture")
    func c36TextForPicture() throws {
      let owner = try desk.owner(RawTarget("image/png", type: "UTF8_STRING", "no picture"))
      for arguments in [["-t", "image/png"], ["-t", "png"], ["--accept", "image"], []] {
        let result = try run(
          Programs.clipview, ["paste"] + arguments, environment: desk.server.environment())
        #expect(result.isFailure(1), "\(arguments): \(result)")
      }
      let shown = try desk.clipview("show")
      #expect(!shown.text.contains("×"), "\(shown)")
      withExtendedLifetime(owner) {}
    }
  }
}
