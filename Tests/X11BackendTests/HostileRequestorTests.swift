import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

private let data = "application/x-data"

extension OnDisplay {
  @Suite("Requestors that misbehave")
  struct HostileRequestorTests {
    @Test("A list of MULTIPLE that is none is refused as a whole, every time")
    func malformedMultipleIsRefused() throws {
      let bench = try Bench()
      try bench.publish(["UTF8_STRING": Array("text".utf8)])
      let peer = try bench.peer()
      let text = try peer.atom("UTF8_STRING")
      let place = try peer.atom("P")
      let tooMany = (0..<5000).flatMap { _ in [text, place] }
      for _ in 0..<2 {
        // Half a pair, one and a half, nothing, other formats, no property at all, too many pairs.
        #expect(try peer.askMultiple(list: [text]) == .refused)
        #expect(try peer.askMultiple(list: [text, place, text]) == .refused)
        #expect(try peer.askMultiple(list: []) == .refused)
        #expect(try peer.askMultiple(list: [text, place], format: 8) == .refused)
        #expect(try peer.askMultiple(list: [text, place], format: 16) == .refused)
        #expect(try peer.askMultiple(list: nil) == .refused)
        #expect(try peer.askMultiple(list: [text, place], property: "") == .refused)
        #expect(try peer.askMultiple(list: tooMany) == .refused)
        #expect(try peer.askMultiple(list: [text, place]).value?.bytes.uint32s == [text, place])
      }
    }

    @Test("Pairs of MULTIPLE that cannot be answered are marked, and the others served")
    func senselessPairsAreMarked() throws {
      let bench = try Bench()
      let large = scrambledBytes(2_400_000)
      try bench.publish(["UTF8_STRING": Array("text".utf8), data: large])
      let peer = try bench.peer()
      let names = [
        "UTF8_STRING", "MULTIPLE", "image/png", data, "TIMESTAMP", "P1", "P2", "P3",
        "CLIPVIEW_LIST",
      ]
      let atoms = try names.map { try peer.atom($0) }
      let (text, multiple, png, large0, time) = (atoms[0], atoms[1], atoms[2], atoms[3], atoms[4])
      let (p1, p2, p3, list) = (atoms[5], atoms[6], atoms[7], atoms[8])
      let unknown: UInt32 = 0x1FFF_FFF0
      let answer = try peer.askMultiple(
        list: [
          multiple, p1,  // nested
          text, 0,  // no property
          text, list,  // the list itself
          0, p1,  // no target
          unknown, p1, text, unknown,  // numbers that are no atoms
          png, p1,  // not offered
          text, p1,  // after all that, still served
          time, p1,  // which is taken by now
          large0, p2, text, p2,  // also where it comes by INCR
          text, p3,
        ])
      #expect(
        answer.value?.bytes.uint32s == [
          multiple, 0, text, 0, text, 0, 0, 0, unknown, 0, text, 0, png, 0, text, p1, time, 0,
          large0, p2, text, 0, text, p3,
        ])
      #expect(answer.value?.type == "ATOM_PAIR")
      #expect(try peer.content(ofProperty: "P1")?.text == "text")
      #expect(try peer.content(ofProperty: "P2")?.type == "INCR")
      #expect(try peer.content(ofProperty: "P3")?.text == "text")
    }

    @Test("Thousands of numbers that are no atoms cost nobody anything")
    func inventedAtoms() throws {
      let bench = try Bench()
      try bench.publish(["UTF8_STRING": Array("text".utf8), data: scrambledBytes(2_400_000)])
      let stalled = try bench.peer()
      _ = try stalled.ask(data, chunkLimit: 1)
      let peer = try bench.peer()
      let text = try peer.atom("UTF8_STRING")
      let place = try peer.atom("P1")
      let invented = (0..<4000).flatMap { [UInt32(0x1000_0000 + $0), place] }
      let answer = try peer.askMultiple(list: invented + [text, place])
      #expect(
        answer.value?.bytes.uint32s.suffix(4) == [invented[invented.count - 2], 0, text, place])
      #expect(try peer.content(ofProperty: "P1")?.text == "text")
      // The errors that they brought about are nobody's, least of all the other transfer's.
      #expect(bench.backend.outgoing.allowance.transfers == 1)
    }

    @Test("Targets that would change something, and unknown ones, are refused at once, every time")
    func sideEffectsAreRefused() throws {
      let bench = try Bench()
      try bench.publish(["UTF8_STRING": Array("text".utf8)])
      let peer = try bench.peer()
      for _ in 0..<3 {
        for target in [
          "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY", "SAVE_TARGETS", "INCR", "ATOM_PAIR",
          "image/png", "x-\u{FFFD}", "/", "text/plain;", "_CLIPVIEW_0",
        ] {
          #expect(try peer.ask(target, timeout: 5) == .refused, "\(target)")
        }
        #expect(try peer.ask("UTF8_STRING").value?.text == "text")
      }
      #expect(bench.backend.hasOwner(.clipboard))
    }

    @Test("Targets of the protocol are ours, whatever an offer makes of them, and listed once")
    func offeredProtocolTargets() throws {
      let bench = try Bench()
      let names = ["MULTIPLE", "TARGETS", "TIMESTAMP", "UTF8_STRING"]
      try bench.publish(Dictionary(uniqueKeysWithValues: names.map { ($0, [1]) }))
      let peer = try bench.peer()
      #expect(try peer.targets() == ["TARGETS", "TIMESTAMP", "MULTIPLE", "UTF8_STRING"])
      #expect(try peer.ask("TIMESTAMP").value?.type == "INTEGER")
    }

    @Test(
      "Each reader that takes nothing has a deadline of its own; one that takes slowly has none")
    func stalledReadersAreDropped() throws {
      let bench = try Bench(patience: .milliseconds(400))
      let content = scrambledBytes(3_000_000)
      var hasEnded = false
      try bench.publish([data: content]) { hasEnded = true }
      let allowance = { bench.backend.outgoing.allowance }
      let peers = try (0..<4).map { _ in try bench.peer() }
      // One leaves the announcement, one stops after a chunk, one comes later.
      let silent = [
        try RawReading(data, by: peers[0], chunkLimit: 0),
        try RawReading(data, by: peers[1], chunkLimit: 1),
      ]
      #expect(try RawReading.advance(silent, within: 5))
      #expect(allowance().transfers == 2)
      let started = Deadline.now
      // A chunk now and then: slower in all than the patience, and never as slow in one step.
      let slow = try RawReading(data, by: peers[2])
      var sawBoth = false
      while !slow.hasEnded, Deadline.now < started + 20 {
        let chunks = slow.chunks
        try RawReading.advance([slow], within: 5) { slow.chunks > chunks }
        let pause = Deadline(after: 0.15)
        _ = try bench.turn(within: 1) { pause.isOver }
        sawBoth = sawBoth || allowance().transfers == 3
      }
      #expect(sawBoth)
      #expect(Deadline.now - started > 0.6)
      #expect(difference(slow.takeAnswer()?.value?.bytes ?? [], content) == nil)
      #expect(try bench.turn { allowance().transfers == 0 })
      #expect(allowance().outstanding == 0)
      // A lost selection waits for those under way, and no longer than their patience.
      let last = try RawReading(data, by: peers[3], chunkLimit: 1)
      #expect(try RawReading.advance([last], within: 5))
      try bench.backend.clear(.clipboard).get()
      let cleared = Deadline.now
      #expect(try bench.turn { hasEnded })
      #expect(Deadline.now - cleared > 0.2)
    }

    @Test("A window may read several things at once, each into a property of its own")
    func severalPropertiesOfOneWindow() throws {
      let bench = try Bench()
      let contents = (1...4).map { scrambledBytes(3_300_000 + $0, seed: UInt64($0)) }
      try bench.publish(["x/1": contents[0], "x/2": contents[1], "x/3": contents[2]])
      try bench.publish(["x/4": contents[3]], to: .primary)
      let peer = try bench.peer()
      let readings = try (1...4).map { number in
        try RawReading(
          "x/\(number)", by: peer, of: number == 4 ? "PRIMARY" : "CLIPBOARD", property: "P\(number)"
        )
      }
      #expect(try RawReading.advance(readings, within: 20))
      for (reading, content) in zip(readings, contents) {
        #expect(difference(reading.takeAnswer()?.value?.bytes ?? [], content) == nil)
      }
    }

    @Test("A new request for a property ends what fills it, whichever selection that came from")
    func propertyIsAskedForAnew() throws {
      let bench = try Bench()
      let content = scrambledBytes(3_300_000, seed: 1)
      let other = scrambledBytes(3_300_000, seed: 2)
      let third = scrambledBytes(3_300_000, seed: 3)
      try bench.publish([data: content])
      try bench.publish([data: other], to: .primary)
      let peer = try bench.peer()
      for chunks in 0...2 {
        #expect(try peer.ask(data, chunkLimit: chunks).value == nil)
        let answer = try peer.ask(data, of: "PRIMARY")
        #expect(difference(answer.value?.bytes ?? [], other) == nil)
        #expect(try peer.ask(data, of: "PRIMARY", chunkLimit: chunks).value == nil)
        #expect(difference(try peer.ask(data).value?.bytes ?? [], content) == nil)
      }
      // What was published before goes on to its end, but not into a property that is asked for anew.
      #expect(try peer.ask(data, chunkLimit: 1).value == nil)
      try bench.publish([data: third])
      #expect(difference(try peer.ask(data).value?.bytes ?? [], third) == nil)
      #expect(bench.backend.outgoing.allowance.transfers == 0)
      #expect(bench.backend.outgoing.occupants.isEmpty)
    }

    @Test("Readers that are gone when they are answered leave nothing, however many they are")
    func windowsThatDoNotExist() throws {
      let bench = try Bench()
      var hasEnded = false
      try bench.publish([data: scrambledBytes(2_400_000)]) { hasEnded = true }
      let peer = try bench.peer()
      let stalled = try bench.peer()
      _ = try stalled.ask(data, chunkLimit: 1)
      let owner = try peer.owner(of: "CLIPBOARD")
      let (target, property) = (try peer.atom(data), try peer.atom("P"))
      // The base of our own resources, where no other window is.
      for number in 1...500 {
        try peer.forgeRequest(
          to: owner, requestor: peer.window + 0x1000 + UInt32(number), target: target,
          property: property)
      }
      // A number that is no atom, as property of a window that lives.
      try peer.forgeRequest(
        to: owner, requestor: peer.window, target: target, property: 0x1FFF_FFF0)
      try peer.synchronize()
      // Each is told apart from the one that lives, long before anybody's patience is over.
      #expect(try bench.turn { bench.backend.outgoing.allowance.transfers == 1 })
      #expect(try bench.peer().ask(data).value?.bytes.count == 2_400_000)
      try bench.backend.clear(.clipboard).get()
      _ = try bench.turn(within: 0.05) { hasEnded }
      #expect(!hasEnded)
      withExtendedLifetime(stalled) {}
    }

    @Test("What stalled readers leave in the server has a bound, and others get through")
    func stalledReadersAreBounded() throws {
      let bench = try Bench()
      let content = scrambledBytes(5_000_000)
      try bench.publish([data: content])
      var readings: [RawReading] = []
      for _ in 0..<60 {
        // Long enough to be trusted with the largest chunks.
        let reading = try RawReading(data, by: try bench.peer(), chunkLimit: 4)
        #expect(try RawReading.advance([reading], within: 10))
        _ = reading.takeAnswer()
        readings.append(reading)
      }
      let allowance = bench.backend.outgoing.allowance
      #expect(allowance.transfers == 60)
      #expect(allowance.outstanding > 20 << 20)
      #expect(allowance.outstanding <= (32 << 20) + 60 * (32 << 10))
      let whole = try #require(try bench.peer().ask(data, timeout: 20).value)
      #expect(difference(whole.bytes, content) == nil)
      withExtendedLifetime(readings) {}
    }

    @Test("Beyond a limit readers of long content are refused, and those of short content are not")
    func tooManyReaders() throws {
      let bench = try Bench()
      let content = scrambledBytes(300_000)
      try bench.publish(["UTF8_STRING": Array("text".utf8), data: content])
      let peer = try bench.peer()
      let target = try peer.atom(data)
      let pairs = try (0..<1100).flatMap { [target, try peer.atom("P\($0)")] }
      let list = try #require(try peer.askMultiple(list: pairs).value).bytes.uint32s
      let served = stride(from: 1, to: list.count, by: 2).count { list[$0] != 0 }
      #expect(served == X11OutgoingState.maximumTransfers)
      let other = try bench.peer()
      #expect(try other.ask(data) == .refused)
      #expect(try other.ask("UTF8_STRING").value?.text == "text")
    }

    @Test("All of it holds for PRIMARY and SECONDARY", arguments: ["PRIMARY", "SECONDARY"])
    func otherSelections(selection: String) throws {
      let bench = try Bench()
      let name: PasteboardName = selection == "PRIMARY" ? .primary : .secondary
      let content = scrambledBytes(700_000)
      try bench.publish(["UTF8_STRING": Array("text".utf8), data: content], to: name)
      let peer = try bench.peer()
      let time = try #require(
        try peer.ask("TIMESTAMP", of: selection).value?.bytes.uint32s.first)
      #expect(try peer.ask("UTF8_STRING", of: selection, time: .at(time &- 1)) == .refused)
      #expect(
        try peer.ask("UTF8_STRING", of: selection, time: .at(time)).value?.text == "text")
      #expect(try peer.ask("UTF8_STRING", of: selection, property: "").value?.text == "text")
      #expect(try peer.ask("image/png", of: selection) == .refused)
      #expect(try peer.askMultiple(list: [1, 2, 3], of: selection) == .refused)
      let reply = try #require(
        try peer.multiple([data, "image/png", "UTF8_STRING"], of: selection))
      #expect(difference(reply.answers[0].value?.bytes ?? [], content) == nil)
      #expect(reply.answers[1] == .refused)
      #expect(reply.answers[2].value?.text == "text")
    }
  }
}
