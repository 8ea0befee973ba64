import EventLoop
import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

extension OnDisplay {
  @Suite("Serving a selection")
  struct OwnerTests {
    @Test("One reader that stalls for good costs another one nothing")
    func stalledReaderDoesNotBlockOthers() throws {
      let bench = try Bench()
      let content = scrambledBytes(5_000_000)
      try bench.publish(["application/x-data": content])

      // Starts a transfer by INCR, takes the announcement and never a chunk after the first.
      let stalled = try bench.peer()
      let part = try stalled.ask("application/x-data", timeout: 0.2, chunkLimit: 1)
      #expect(part.value == nil || (part.value?.bytes.count ?? 0) < content.count)

      let reader = try bench.peer()
      let whole = try #require(try reader.ask("application/x-data", timeout: 20).value)
      #expect(whole.isIncremental)
      #expect(whole.announced == [UInt32(content.count)])
      #expect(difference(whole.bytes, content) == nil)
    }

    @Test(
      "What is published anew is owned since then, so that whoever reads can tell the two apart")
    func publishedAnew() throws {
      let bench = try Bench()
      let peer = try bench.peer()
      try bench.publish(["UTF8_STRING": Array("one".utf8)])
      let first = try #require(try peer.ask("TIMESTAMP").value?.bytes)
      // Of two moments in the same millisecond nobody can tell which came first.
      let before = try peer.serverTime()
      while try peer.serverTime() == before {}
      try bench.publish(["UTF8_STRING": Array("two".utf8)])
      let second = try #require(try peer.ask("TIMESTAMP").value?.bytes)
      #expect(first != second)
      // The time of the first is none of the second.
      let early = first.enumerated().reduce(UInt32(0)) {
        $0 | UInt32($1.element) << ($1.offset * 8)
      }
      #expect(try peer.ask("UTF8_STRING", time: .at(early)) == .refused)
    }

    @Test("What was published anew after a contest still ends when its time is over")
    func publishedAnewEnds() throws {
      let bench = try Bench()
      let peer = try bench.peer()
      // Taken after we connected: the first attempt names a time that is too early.
      let before = try peer.serverTime()
      while try peer.serverTime() == before {}
      try peer.own(OwnerScript("UTF8_STRING", "theirs"))
      try bench.publish(["UTF8_STRING": Array("one".utf8)])
      var offer = Offer()
      offer.add(OfferedTarget(name: "UTF8_STRING", Payload("two")))
      offer.serving.lifetime = .milliseconds(20)
      var hasEnded = false
      try bench.backend.publish(offer, to: .clipboard) { hasEnded = true }.get()
      #expect(try bench.turn { hasEnded })
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
    }

    @Test("Many readers at once, each by INCR, get every byte")
    func manyReadersAtOnce() throws {
      let bench = try Bench()
      let content = scrambledBytes(1_500_000)
      try bench.publish(["application/x-data": content])
      let readers = try (0..<8).map { _ in try BackgroundPeer(bench.server) }
      let results = Collected()
      let orders = readers.map { _ in
        { @Sendable (peer: RawPeer) in
          results.add(try peer.ask("application/x-data", timeout: 20).value?.bytes)
        }
      }
      for (reader, order) in zip(readers, orders) { reader.start(order) }
      #expect(try bench.turn(within: 30) { results.count == readers.count })
      #expect(results.all.allSatisfy { $0 == content })
    }

    @Test("A requestor that vanishes ends its transfer and nothing else")
    func vanishedRequestorIsRoutine() throws {
      let bench = try Bench()
      let content = scrambledBytes(2_000_000)
      try bench.publish(["application/x-data": content])
      for _ in 0..<20 {
        let victim = try bench.peer()
        _ = try victim.ask("application/x-data", timeout: 0.05, chunkLimit: 1)
      }
      try bench.idle()
      let reader = try bench.peer()
      let whole = try #require(try reader.ask("application/x-data", timeout: 20).value)
      #expect(difference(whole.bytes, content) == nil)
    }

    @Test("A reader whose window has the number of one that went away gets every byte")
    func windowNumberComesBack() throws {
      let bench = try Bench()
      let content = scrambledBytes(1_000_000)
      try bench.publish(["application/x-data": content])
      var flood: RawPeer? = try RawPeer(bench.server)
      let window = flood?.window
      // More than one turn of ours handles.
      for index in 0..<300 {
        try flood?.convert(
          "application/x-data", property: "CLIPVIEW_FLOOD_\(index)", time: .current)
      }
      try flood?.destroyWindow()
      // What we send now is for a window that is gone. The rest will be for the next one, since the
      // server gives the lowest free numbers to the next client.
      try bench.idle()
      flood = nil
      var others: [RawPeer] = []
      let isBack = try eventually {
        others.append(try RawPeer(bench.server))
        return others.last?.window == window
      }
      #expect(isBack)
      let reader = try #require(others.last)
      reader.idle = { try bench.idle() }
      let whole = try #require(try reader.ask("application/x-data", timeout: 5).value)
      #expect(difference(whole.bytes, content) == nil)
    }

    @Test("What only the server may say is not believed when a client says it")
    func forgedNoticesAreIgnored() throws {
      let bench = try Bench()
      let content = scrambledBytes(3_000_000)
      try bench.publish(["application/x-data": content])
      let forger = try RawPeer(bench.server)
      let reader = try bench.peer()
      let property = try reader.atom("CLIPVIEW_TEST")
      reader.idle = {
        try bench.idle()
        try forger.forgeNotices(about: reader.window, property: property)
      }
      let whole = try #require(try reader.ask("application/x-data", timeout: 5).value)
      #expect(difference(whole.bytes, content) == nil)
      reader.idle = { try bench.idle() }
      #expect(try reader.ask("application/x-data", timeout: 5).value?.bytes == content)
    }

    @Test("TARGETS lists what is served, and everything listed converts")
    func everyListedTargetConverts() throws {
      let bench = try Bench()
      try bench.publish(["UTF8_STRING": Array("text".utf8), "image/x-test": [1, 2, 3]])
      let peer = try bench.peer()
      let targets = try #require(try peer.targets())
      #expect(targets == ["TARGETS", "TIMESTAMP", "MULTIPLE", "UTF8_STRING", "image/x-test"])
      for target in targets where target != "MULTIPLE" {
        #expect(try peer.ask(target).value != nil, "\(target)")
      }
      #expect(try peer.ask("image/png") == .refused)
    }

    @Test("TIMESTAMP is the server time of the acquisition; older requests are refused")
    func requestsOlderThanTheOwnershipAreRefused() throws {
      let bench = try Bench()
      let peer = try bench.peer()
      try bench.publish(["UTF8_STRING": Array("text".utf8)])
      let stamp = try #require(try peer.ask("TIMESTAMP").value)
      #expect(stamp.type == "INTEGER" && stamp.format == 32)
      let time = try #require(stamp.bytes.uint32s.first)
      #expect(time != 0)
      #expect(try peer.ask("UTF8_STRING", time: .at(time &- 1)) == .refused)
      #expect(try peer.ask("UTF8_STRING", time: .at(time)).value?.text == "text")
      #expect(try peer.ask("UTF8_STRING", time: .current).value?.text == "text")
    }

    @Test("A request without a property is answered in the property named like the target")
    func obsoleteRequestorIsAnswered() throws {
      let bench = try Bench()
      try bench.publish(["UTF8_STRING": Array("text".utf8)])
      #expect(try bench.peer().ask("UTF8_STRING", property: "").value?.text == "text")
    }

    @Test("MULTIPLE serves what can be served, INCR included, and marks the rest")
    func multipleWithFailingAndIncrementalPairs() throws {
      let bench = try Bench()
      let large = scrambledBytes(700_000)
      try bench.publish(["UTF8_STRING": Array("text".utf8), "application/x-large": large])
      let peer = try bench.peer()
      let reply = try #require(
        try peer.multiple([
          "UTF8_STRING", "image/png", "application/x-large", "TIMESTAMP", "MULTIPLE",
        ]))
      #expect(reply.type == "ATOM_PAIR")
      #expect(reply.answers[0].value?.text == "text")
      #expect(reply.answers[1] == .refused)
      #expect(reply.answers[2].value?.bytes == large)
      #expect(reply.answers[3].value != nil)
      #expect(reply.answers[4] == .refused)
    }

    @Test("A transfer under way ends even when the selection is lost meanwhile")
    func lostSelectionEndsItsTransfersFirst() throws {
      let bench = try Bench()
      let content = scrambledBytes(3_000_000)
      var hasEnded = false
      try bench.publish(["application/x-data": content]) { hasEnded = true }
      let thief = try RawPeer(bench.server)
      let reader = try bench.peer()
      var turns = 0
      reader.idle = {
        try bench.idle()
        turns += 1
        if turns == 3 { try thief.own(OwnerScript("UTF8_STRING", "mine")) }
      }
      let whole = try #require(try reader.ask("application/x-data", timeout: 20).value)
      #expect(difference(whole.bytes, content) == nil)
      #expect(try bench.turn { hasEnded })
    }

    @Test("Sizes around the limits of one property and of one chunk arrive whole")
    func sizesAroundTheLimits() throws {
      let bench = try Bench()
      let peer = try bench.peer()
      let sizes = [0, 1, 262_143, 262_144, 262_145, 1 << 20, 1 << 20 + 1]
      var contents: [String: [UInt8]] = [:]
      for size in sizes { contents["application/x-\(size)"] = scrambledBytes(size) }
      try bench.publish(contents)
      for size in sizes {
        let value = try #require(try peer.ask("application/x-\(size)", timeout: 20).value)
        #expect(value.bytes == scrambledBytes(size), "\(size)")
      }
    }

    @Test("A broken promise refuses its target and no other")
    func brokenPromiseIsRefused() throws {
      struct Broken: Error {}
      let bench = try Bench()
      var offer = Offer()
      offer.add(.promised("text/x-broken") { throw Broken() })
      offer.add(OfferedTarget(name: "UTF8_STRING", Payload("text")))
      try bench.backend.publish(offer, to: .clipboard, onEnd: {}).get()
      let peer = try bench.peer()
      #expect(try peer.ask("text/x-broken") == .refused)
      #expect(try peer.ask("UTF8_STRING").value?.text == "text")
    }

    @Test("Clearing leaves no owner; clearing what is empty is done")
    func clearingLeavesNoOwner() throws {
      let bench = try Bench()
      let peer = try RawPeer(bench.server)
      try peer.own(OwnerScript("UTF8_STRING", "text"))
      #expect(bench.backend.hasOwner(.clipboard))
      try bench.backend.clear(.clipboard).get()
      #expect(!bench.backend.hasOwner(.clipboard))
      try bench.backend.clear(.clipboard).get()
    }

    @Test("A selection that changed hands since we connected is taken all the same")
    func staleAcquisitionIsRetried() throws {
      // Connected first: the time of connecting is older than the other's ownership, so the server
      // ignores the first try (ICCCM 2.1).
      let bench = try Bench()
      let peer = try bench.peer()
      let opened = try peer.serverTime()
      #expect(try eventually { try peer.serverTime() &- opened > 2 })
      try peer.own(OwnerScript("UTF8_STRING", "theirs"))
      try bench.publish(["UTF8_STRING": Array("ours".utf8)])
      #expect(try bench.peer().ask("UTF8_STRING").value?.text == "ours")
      // Clearing, too.
      let late = try Bench(bench.server)
      let owned = try peer.serverTime()
      #expect(try eventually { try peer.serverTime() &- owned > 2 })
      try peer.own(OwnerScript("UTF8_STRING", "theirs"))
      try late.backend.clear(.clipboard).get()
      #expect(!late.backend.hasOwner(.clipboard))
    }

    @Test("Our own requests are refused: they could only wait for ourselves")
    func ownRequestsAreRefused() throws {
      let bench = try Bench()
      try bench.publish(["UTF8_STRING": Array("text".utf8)])
      #expect(try bench.read("UTF8_STRING", patience: 2).failure == .refused)
      #expect(try bench.peer().ask("UTF8_STRING").value?.text == "text")
    }

    @Test("Publishing again serves the new content and ends the old publication")
    func publishingAgainReplaces() throws {
      let bench = try Bench()
      var hasEnded = false
      try bench.publish(["UTF8_STRING": Array("old".utf8)]) { hasEnded = true }
      try bench.publish(["UTF8_STRING": Array("new".utf8)])
      #expect(try bench.peer().ask("UTF8_STRING").value?.text == "new")
      #expect(try bench.turn { hasEnded })
    }

    @Test("PRIMARY, SECONDARY and CLIPBOARD are served apart")
    func selectionsAreServedApart() throws {
      let bench = try Bench()
      let peer = try bench.peer()
      let selections: [(PasteboardName, String)] = [
        (.clipboard, "CLIPBOARD"), (.primary, "PRIMARY"), (.secondary, "SECONDARY"),
      ]
      for (name, atom) in selections {
        try bench.publish(["UTF8_STRING": Array(atom.utf8)], to: name)
      }
      for (_, atom) in selections {
        #expect(try peer.ask("UTF8_STRING", of: atom).value?.text == atom)
      }
    }
  }
}
