import EventLoop
import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

extension OnDisplay {
  @Suite("Reading a selection")
  struct RequestorTests {
    @Test("Content comes as it is, with its type and format")
    func contentComesAsItIs() throws {
      let bench = try Bench()
      let owner = try BackgroundPeer(
        bench.server,
        owning: OwnerScript([
          RawTarget("UTF8_STRING", "text"),
          RawTarget("x-sixteen", type: "INTEGER", format: 16, [1, 2, 3, 4]),
          RawTarget("x-words", type: "CARDINAL", format: 32, littleEndian([7, 0xFFFF_FFFE])),
          RawTarget("x-nothing", []),
        ]))
      let text = try bench.read("UTF8_STRING").get()
      #expect(text.payload == Payload("text") && text.typeName == "UTF8_STRING")
      let sixteen = try bench.read("x-sixteen").get()
      #expect(sixteen.payload.bytes == [1, 2, 3, 4] && sixteen.format == 16)
      let words = try bench.read("x-words").get()
      #expect(words.payload.bytes == littleEndian([7, 0xFFFF_FFFE]))
      #expect(words.format == 32 && words.typeName == "CARDINAL")
      #expect(try bench.read("x-nothing").get().payload.isEmpty)
      #expect(try bench.read("x-unknown").failure == .refused)
      withExtendedLifetime(owner) {}
    }

    @Test(
      "INCR is followed to its end, whatever it announced",
      arguments: [OwnerScript.Increments.SizeWord.exact, .number(0), .number(.max), .empty])
    func incrementalAnswers(sizeWord: OwnerScript.Increments.SizeWord) throws {
      let bench = try Bench()
      let content = scrambledBytes(300_000)
      var script = OwnerScript([RawTarget("application/x-data", content)])
      script.increments = .init(sizeWord: sizeWord, chunk: 50_000)
      let owner = try BackgroundPeer(bench.server, owning: script)
      let answer = try bench.read("application/x-data").get()
      #expect(difference(answer.payload.bytes, content) == nil)
      #expect(answer.typeName == "application/x-data")
      withExtendedLifetime(owner) {}
    }

    @Test("Several conversions at once do not get mixed up")
    func conversionsAtOnce() throws {
      let bench = try Bench()
      var script = OwnerScript(
        (0..<10).map { RawTarget("x-\($0)", scrambledBytes(1000 + $0, seed: UInt64($0 + 1))) })
      script.delay = 0.02
      let owner = try BackgroundPeer(bench.server, owning: script)
      var results: [String: [UInt8]] = [:]
      for index in 0..<10 {
        bench.backend.read(
          "x-\(index)", of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(),
          limit: .max
        ) { results["x-\(index)"] = try? $0.get().payload.bytes }
      }
      #expect(try bench.turn { results.count == 10 })
      for index in 0..<10 {
        #expect(results["x-\(index)"] == scrambledBytes(1000 + index, seed: UInt64(index + 1)))
      }
      withExtendedLifetime(owner) {}
    }

    @Test("C08: selections that change together are never mixed up")
    func c08SelectionsThatChangeTogether() throws {
      let bench = try Bench()
      let owner = try BackgroundPeer(bench.server)
      for round in 0..<200 {
        let clipboard = OwnerScript((0..<3).map { RawTarget("c-\(round % 7)-\($0)", "c") })
        let primary = OwnerScript((0..<2).map { RawTarget("p-\(round % 7)-\($0)", "p") })
        try owner.perform { peer in
          try peer.own(clipboard, selection: "CLIPBOARD")
          try peer.own(primary, selection: "PRIMARY")
        }
        var lists: [PasteboardName: [String]] = [:]
        for selection: PasteboardName in [.primary, .clipboard] {
          bench.backend.listTargets(
            of: selection, in: ReadOwnership(), deadline: bench.deadline(), share: 1
          ) { lists[selection] = try? $0.get() }
        }
        guard try bench.turn(until: { lists.count == 2 }),
          lists[.clipboard]?.suffix(3) == clipboard.targets.map(\.name)[...],
          lists[.primary]?.suffix(2) == primary.targets.map(\.name)[...]
        else {
          Issue.record("round \(round): \(lists)")
          return
        }
      }
    }

    @Test("No owner, an owner that refuses, one that is silent: each is told apart")
    func failuresAreToldApart() throws {
      let bench = try Bench()
      try bench.backend.clear(.clipboard).get()
      #expect(try bench.read("UTF8_STRING").failure == .noOwner)
      var script = OwnerScript([RawTarget("UTF8_STRING", "text"), RawTarget("x-silent", "text")])
      script.refused = ["UTF8_STRING"]
      script.silent = ["x-silent"]
      let owner = try BackgroundPeer(bench.server, owning: script)
      #expect(try bench.read("UTF8_STRING").failure == .refused)
      #expect(try bench.read("x-silent", patience: 0.1).failure == .timedOut)
      withExtendedLifetime(owner) {}
    }

    @Test("An owner that goes away without an answer is noticed at once")
    func ownerThatVanishesIsNoticed() throws {
      let bench = try Bench()
      var script = OwnerScript([RawTarget("UTF8_STRING", "text")])
      script.silent = ["UTF8_STRING"]
      var owner: BackgroundPeer? = try BackgroundPeer(bench.server, owning: script)
      var result: Bench.ReadResult?
      bench.backend.read(
        "UTF8_STRING", of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(60),
        limit: .max
      ) { result = $0 }
      #expect(try bench.turn { owner?.requests.contains("UTF8_STRING") ?? false })
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(try bench.turn { result != nil })
      #expect(result?.failure == .ownerGone)
    }

    @Test("An owner that stops in the middle of INCR costs the deadline, and moving bytes none")
    func stallInTheMiddleTimesOut() throws {
      let bench = try Bench()
      var script = OwnerScript([RawTarget("application/x-data", scrambledBytes(100_000))])
      script.increments = .init(chunk: 10_000, stopsAfter: 3)
      let owner = try BackgroundPeer(bench.server, owning: script)
      #expect(try bench.read("application/x-data", patience: 0.2).failure == .timedOut)

      // Ten chunks, each later than a tenth of the whole time: slow, but moving.
      script.increments = .init(chunk: 10_000, pause: 0.15)
      try owner.change(script)
      let answer = try bench.read("application/x-data", patience: 1.2).get()
      #expect(answer.payload.count == 100_000)
    }

    @Test("What is longer than wanted is broken off")
    func limitBreaksOff() throws {
      let bench = try Bench()
      var script = OwnerScript([RawTarget("application/x-data", scrambledBytes(100_000))])
      script.increments = .init(chunk: 10_000)
      let owner = try BackgroundPeer(bench.server, owning: script)
      #expect(try bench.read("application/x-data", limit: 50_000).failure == .tooLarge)
      #expect(try bench.read("application/x-data", limit: 200_000).get().payload.count == 100_000)
      withExtendedLifetime(owner) {}
    }

    @Test("TARGETS is read in the owner's order; what cannot be read as a list is malformed")
    func targetLists() throws {
      let bench = try Bench()
      var script = OwnerScript([RawTarget("text/x-b", "b"), RawTarget("text/x-a", "a")])
      let owner = try BackgroundPeer(bench.server, owning: script)
      let honest = try bench.targets().get()
      #expect(honest.suffix(2) == ["text/x-b", "text/x-a"])
      for list: OwnerScript.TargetList in [.badAtoms, .mistyped, .crowded] {
        script.list = list
        try owner.change(script)
        // Ten thousand of them, which a sanitizer makes slow.
        let names = try bench.targets(patience: 60).get()
        #expect(names.contains("text/x-b") && names.contains("text/x-a"), "\(list)")
      }
      script.list = .format(8)
      try owner.change(script)
      #expect(throws: ReadFailure.malformed) { try bench.targets().get() }
    }

    @Test("A server that is killed ends what waits, without a crash")
    func killedServerEndsWhatWaits() throws {
      let server = try XServer()
      let bench = try Bench(server)
      var script = OwnerScript([RawTarget("UTF8_STRING", "text")])
      script.silent = ["UTF8_STRING"]
      let owner = try BackgroundPeer(server, owning: script)
      var hasEnded = false
      try bench.publish(["UTF8_STRING": [1]], to: .primary) { hasEnded = true }
      var result: Bench.ReadResult?
      bench.backend.read(
        "UTF8_STRING", of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(60),
        limit: .max
      ) { result = $0 }
      try bench.idle()
      server.crash()
      #expect(try bench.turn { result != nil && hasEnded })
      #expect(result?.failure == .connectionLost)
      #expect(bench.backend.isLost)
      // Everything after that is refused at once.
      #expect(!bench.backend.hasOwner(.clipboard))
      #expect(try bench.read("UTF8_STRING").failure == .connectionLost)
      if case .success = bench.backend.clear(.primary) { Issue.record("cleared on no server") }
      withExtendedLifetime(owner) {}
    }

    @Test("A display that cannot be opened is an error that names it")
    func displayThatCannotBeOpened() throws {
      let loop = try EpollEventLoop()
      #expect(throws: X11OpenFailure.cannotOpen(":4711")) {
        try X11Backend(displayName: ":4711", loop: loop)
      }
    }

    @Test("Opening and closing back-ends leaves no descriptor open")
    func noDescriptorIsLeftOpen() throws {
      let server = try Bench.sharedServer()
      let before = OpenDescriptors()
      for _ in 0..<5 {
        let bench = try Bench(server)
        _ = try bench.targets()
      }
      #expect(before.opened() == [])
    }

    @Test("The owner's name is found by its window class")
    func ownerNameIsFound() throws {
      let bench = try Bench()
      try bench.publish(["UTF8_STRING": [65]])
      let other = try Bench(bench.server)
      #expect(other.backend.ownerFacts(of: .clipboard)?.name == "clipview")
    }
  }
}
