import TestSupport
import Testing

extension OnDisplay {
  /// The peers against programs that are known to work, so that a failure elsewhere is not theirs.
  @Suite("Scripted peers")
  struct ScriptedPeerTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("xclip reads what a scripted owner offers, in one piece and by INCR")
    func ownerServesXclip() throws {
      let large = scrambledBytes(300_000)
      var script = OwnerScript([RawTarget("UTF8_STRING", "hello"), RawTarget("x/large", large)])
      let owner = try desk.owner(script)
      #expect(try desk.xclipOut().text == "hello")
      #expect(difference(try desk.xclipOut(target: "x/large").output, large) == nil)
      script.increments = .init(sizeWord: .empty, chunk: 100_000)
      try owner.change(script)
      #expect(difference(try desk.xclipOut(target: "x/large").output, large) == nil)
      #expect(owner.requests == ["UTF8_STRING", "x/large", "x/large"])
      #expect(
        lines(try desk.xclipOut(target: "TARGETS").output) == [
          "TARGETS", "TIMESTAMP", "MULTIPLE", "UTF8_STRING", "x/large",
        ])
      #expect(owner.errors.isEmpty)
    }

    @Test("A scripted requestor reads what xclip offers, in one piece and by INCR")
    func requestorReadsXclip() throws {
      try desk.xclipIn(Array("hello".utf8))
      #expect(try desk.peer.targets() == ["TARGETS", "UTF8_STRING"])
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "hello")
      let large = scrambledBytes(3_000_000)
      try desk.xclipIn(large, target: "x/large")
      let value = try #require(try desk.peer.ask("x/large").value)
      #expect(difference(value.bytes, large) == nil)
      #expect(value.isIncremental)
      #expect(value.announced.isEmpty)
    }

    @Test("A scripted owner answers a scripted requestor in all ways")
    func peersUnderstandEachOther() throws {
      var script = OwnerScript([
        RawTarget("UTF8_STRING", "text"),
        RawTarget("x/words", type: "INTEGER", format: 32, littleEndian([1, 2, 3])),
      ])
      script.refused = ["x/refused"]
      script.silent = ["x/silent"]
      let time = try desk.peer.own(script)
      let other = try RawPeer(desk.server)
      other.idle = { [peer = desk.peer] in try peer.turn() }
      #expect(try other.ask("TIMESTAMP").value?.bytes.uint32s == [time])
      #expect(try other.ask("x/words").value?.bytes.uint32s == [1, 2, 3])
      #expect(try other.ask("x/refused") == .refused)
      #expect(try other.ask("x/silent", timeout: 0.05) == .unanswered)
      #expect(try other.ask("UTF8_STRING", property: "").value?.text == "text")
      let multiple = try #require(try other.multiple(["UTF8_STRING", "x/refused", "TIMESTAMP"]))
      #expect(multiple.type == "ATOM_PAIR")
      #expect(multiple.answers[0].value?.text == "text")
      #expect(multiple.answers[1] == .refused)
      #expect(multiple.answers[2].value?.bytes.uint32s == [time])
      script.increments = .init(chunk: 2)
      desk.peer.change(script)
      #expect(try other.ask("UTF8_STRING").value?.chunks == [2, 2])
      #expect(try other.ask("UTF8_STRING").value?.announced == [4])
      script.increments?.stopsAfter = 1
      desk.peer.change(script)
      guard case .stalled(let part) = try other.ask("UTF8_STRING", timeout: 0.05) else {
        Issue.record("the owner does not stop")
        return
      }
      #expect(part.text == "te")
    }

    @Test("Peers, servers and child processes leave no descriptor behind")
    func descriptorsAreClosed() throws {
      let before = OpenDescriptors()
      do {
        let server = try XServer()
        let desk = try Desk(server)
        let owner = try desk.owner(RawTarget("UTF8_STRING", "text"))
        #expect(try desk.xclipOut().text == "text")
        _ = try run(
          "sh", ["-c", "cat; echo $0"], input: Array("x".utf8), outputs: .merged,
          environment: server.environment())
        withExtendedLifetime(owner) {}
      }
      #expect(before.opened() == [])
    }
  }
}
