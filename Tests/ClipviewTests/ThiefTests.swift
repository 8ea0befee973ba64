import Synchronization
import TestSupport
import Testing

/// Counts on any thread.
private final class Tally: Sendable {
  private let value = Mutex(0)
  func add() { value.withLock { $0 += 1 } }
  var count: Int { value.withLock { $0 } }
}

extension OnDisplay {
  @Suite("Programs that take the selection back")
  struct ThiefTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("A copy of ours is served until somebody else copies")
    func contestedSelection() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "theirs"))
      try desk.copy("ours")
      #expect(eventually { owner.log.last == .cleared(selection: "CLIPBOARD") })
      #expect(text(try desk.paste()) == "ours")
      let next = try desk.owner(RawTarget("UTF8_STRING", "next"))
      #expect(eventually { desk.servers.isEmpty })
      #expect(try desk.peer.owner(of: "CLIPBOARD") == next.window)
      #expect(text(try desk.paste()) == "next")
    }

    @Test(
      "Who takes it back on every loss gets it: it is not fought", arguments: ["copy", "clear"])
    func thiefThatTakesItBack(command: String) throws {
      var script = OwnerScript("UTF8_STRING", "theirs")
      script.takesBack = 1000
      let thief = try desk.owner(script)
      let result =
        command == "copy"
        ? try desk.clipview("copy", "--text", "ours") : try desk.clipview("clear")
      #expect(result.isSilentSuccess || result.isFailure(5), "\(result)")
      // Whatever was left behind ends with its loss.
      #expect(eventually { desk.servers.isEmpty })
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD") == thief.window })
      let losses = thief.log.count { $0 == .cleared(selection: "CLIPBOARD") }
      #expect((1...2).contains(losses), "taken \(losses) times")
      #expect(text(try desk.paste()) == "theirs")
    }

    /// A line to the server that is so slow that an owner always takes the selection back in time.
    ///
    /// - Parameter onTaking: Called for each time that somebody else had it.
    private func relay(
      for owner: BackgroundPeer, onTaking: @escaping @Sendable () -> Void
    ) throws -> WireRelay {
      let window = owner.window
      let setSelectionOwner: UInt8 = 22
      return try WireRelay(desk.server, after: setSelectionOwner) { peer in
        // Of a request that the server ignores nobody sees anything.
        let isTaken = try eventually(within: 0.3) { try peer.owner(of: "CLIPBOARD") != window }
        guard isTaken else { return }
        onTaking()
        try owner.own(OwnerScript("UTF8_STRING", "theirs"))
      }
    }

    @Test(
      "One that is faster each time is given up after two rounds, with exit 5 and a message",
      arguments: [["copy", "--text", "ours"], ["copy", "--foreground", "--text", "x"], ["clear"]])
    func fasterThief(arguments: [String]) throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "theirs"))
      let takings = Tally()
      let relay = try relay(for: owner) { takings.add() }
      let result = try run(
        Programs.clipview, arguments + ["--display", relay.display],
        environment: desk.server.environment())
      #expect(result.isFailure(5), "\(result)")
      #expect(result.errors.contains("another program keeps taking the clipboard"))
      #expect(takings.count == 2)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
      #expect(eventually { desk.servers.isEmpty })
    }

    @Test("A hot key gives such a one up without a word", arguments: ["plain", "flat"])
    func fasterThiefOfHotKey(command: String) throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "one\ntwo"))
      let takings = Tally()
      let relay = try relay(for: owner) { takings.add() }
      let result = try desk.clipview(command, "--display", relay.display)
      #expect(result.isSilentFailure(5), "\(result)")
      #expect(takings.count == 2)
      #expect(eventually { desk.servers.isEmpty })
    }
  }
}
