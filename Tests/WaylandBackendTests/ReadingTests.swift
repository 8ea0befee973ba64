import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing

@testable import WaylandBackend

extension InFakeCompositor {
  @Suite("Reading from a Wayland source")
  struct ReadingTests {
    @Test(
      "Types are listed as the owner lists them, repetitions and all",
      arguments: ControlProtocol.allCases)
    func waylandTypesAreListed(_ control: ControlProtocol) throws {
      let bench = try Bench(control)
      bench.compositor.own(
        ScriptedOwner([
          "text/html": .bytes([1]), "text/plain": .bytes([2]), "text/html": .bytes([3]),
        ]))
      let backend = try bench.backend()
      #expect(try bench.targets(from: backend).get() == ["text/html", "text/plain", "text/html"])
      #expect(backend.hasOwner(.clipboard))
      #expect(!backend.hasOwner(.primary))
    }

    @Test(
      "Content is read byte for byte", arguments: ControlProtocol.allCases,
      [0, 1, 4095, 4096, 65_536])
    func contentIsRead(_ control: ControlProtocol, _ size: Int) throws {
      let bench = try Bench(control)
      let bytes = scrambledBytes(size)
      bench.compositor.own(ScriptedOwner(["image/png": .bytes(bytes)]))
      let backend = try bench.backend()
      let read = try bench.read("image/png", from: backend).get()
      #expect(difference(read.payload.bytes, bytes) == nil)
      #expect(read.target == "image/png")
      #expect(read.typeName == "image/png")
      #expect(read.format == 8)
    }

    @Test("The primary selection is another one", arguments: [ControlProtocol.ext, .wlr])
    func primaryIsRead(_ control: ControlProtocol) throws {
      let bench = try Bench(control)
      bench.compositor.own(ScriptedOwner(["text/plain": .bytes([1])]))
      bench.compositor.own(ScriptedOwner(["text/plain": .bytes([2])]), .primary)
      let backend = try bench.backend()
      #expect(backend.supports(.primary))
      #expect(try bench.read("text/plain", from: backend).bytes == [1])
      #expect(try bench.read("text/plain", of: .primary, from: backend).bytes == [2])
    }

    @Test(
      "Version 1 of wlr-data-control has no primary selection, nor has anything a secondary one")
    func missingSelections() throws {
      let bench = try Bench(.wlr1)
      bench.compositor.own(ScriptedOwner(["text/plain": .bytes([2])]), .primary)
      let backend = try bench.backend()
      for selection in [PasteboardName.primary, .secondary] {
        #expect(!backend.supports(selection))
        #expect(!backend.hasOwner(selection))
        #expect(try bench.read("text/plain", of: selection, from: backend).failure == .noOwner)
        let published = backend.publish(offer(["a/b": [1]]), to: selection, onEnd: {})
        #expect(throws: OwnershipFailure.unsupported) { try published.get() }
        #expect(throws: OwnershipFailure.unsupported) { try backend.clear(selection).get() }
      }
    }

    @Test("Nothing there is no owner, in both ways of asking")
    func nothingOnWayland() throws {
      let bench = try Bench()
      let backend = try bench.backend()
      #expect(try bench.read("text/plain", from: backend).failure == .noOwner)
      #expect(throws: ReadFailure.noOwner) { try bench.targets(from: backend).get() }
    }

    @Test("What is not listed is refused without a question")
    func unlistedTypes() throws {
      let bench = try Bench()
      bench.compositor.own(ScriptedOwner(["text/plain": .bytes([1])]))
      let backend = try bench.backend()
      for target in [
        "image/png", "text/plain ", "TEXT/PLAIN", "", String(repeating: "x", count: 5000),
      ] {
        #expect(try bench.read(target, from: backend).failure == .refused)
      }
      #expect(bench.compositor.requestedTypes == [])
    }

    @Test("A source that says nothing costs its deadline, whatever came before")
    func silentSource() throws {
      let bench = try Bench()
      let script = ScriptedOwner(["a/silent": .stalling([]), "a/half": .stalling([1, 2, 3])])
      bench.compositor.own(script)
      let backend = try bench.backend()
      #expect(try bench.read("a/silent", from: backend, patience: 0.05).failure == .timedOut)
      #expect(try bench.read("a/half", from: backend, patience: 0.05).failure == .timedOut)
    }

    @Test("One source that says nothing holds nobody else up, many at once")
    func manyReadersAtOnce() throws {
      let bench = try Bench()
      let script = ScriptedOwner([
        "a/silent": .stalling([1]), "a/quick": .bytes(scrambledBytes(9999)),
      ])
      bench.compositor.own(script)
      let backend = try bench.backend()
      var results: [Bench.ReadResult] = []
      let ownership = ReadOwnership()
      for index in 0..<100 {
        backend.read(
          index % 2 == 0 ? "a/silent" : "a/quick", of: .clipboard, in: ownership,
          deadline: bench.deadline(60), limit: .max
        ) { results.append($0) }
      }
      #expect(try bench.turn(within: 50) { results.count == 50 && script.heldCount == 50 })
      #expect(results.allSatisfy { $0.bytes == scrambledBytes(9999) })
      script.hangUp()
      #expect(try bench.turn(within: 50) { results.count == 100 })
      #expect(results.suffix(50).allSatisfy { $0.bytes == [1] })
    }

    @Test("More than is wanted is broken off", arguments: [10, 100_000])
    func limits(_ limit: Int) throws {
      let bench = try Bench()
      bench.compositor.own(ScriptedOwner(["a/b": .stalling(scrambledBytes(65_536))]))
      let backend = try bench.backend()
      let result = try bench.read("a/b", from: backend, patience: 0.05, limit: limit)
      #expect(result.failure == (limit == 10 ? .tooLarge : .timedOut))
    }

    /// What comes of a read of which the source writes so much and goes.
    private func read(
      _ size: Int, _ bench: Bench, from backend: WaylandBackend, turningMeanwhile: Int = 0
    ) throws -> Bench.ReadResult {
      let script = ScriptedOwner(["a/b": .stalling(scrambledBytes(size))])
      bench.compositor.own(script)
      try bench.settle()
      var result: Bench.ReadResult?
      backend.read(
        "a/b", of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(), limit: .max
      ) { result = $0 }
      // The compositor alone: the pipe fills.
      for _ in 0..<20 where script.heldCount == 0 { bench.compositor.turn() }
      #expect(script.heldCount == 1)
      for _ in 0..<turningMeanwhile { try bench.settle() }
      script.hangUp()
      bench.compositor.own(.nothing)
      #expect(try bench.turn { result != nil })
      return try #require(result)
    }

    @Test(
      "A source that goes without a byte, or with a full pipe, has given nothing",
      arguments: [0, 61_440, 65_536])
    func dyingSource(_ size: Int) throws {
      let bench = try Bench()
      #expect(try read(size, bench, from: try bench.backend()).failure == .ownerGone)
    }

    @Test(
      "A source that hung before it went has given nothing, however much", arguments: [1, 8192])
    func hangingSource(_ size: Int) throws {
      let bench = try Bench()
      let backend = try bench.backend()
      // Each time is too long for one that has written all.
      backend.closingTime = .zero
      #expect(try read(size, bench, from: backend, turningMeanwhile: 1).failure == .ownerGone)
    }

    /// The one end of a pipe does not tell a source that was killed between two small writes from one
    /// that served its only paste: what it gave is taken, since a secret that is served once would else be
    /// lost for good (decision 0009).
    @Test(
      "A source that serves one paste and goes has given all of it",
      arguments: [1, 4096, 8191, 8192, 61_439, 65_535])
    func sourceThatServesOnce(_ size: Int) throws {
      let bench = try Bench()
      let backend = try bench.backend()
      backend.closingTime = .seconds(60)
      let result = try read(size, bench, from: backend, turningMeanwhile: size % 2)
      #expect(result.bytes == scrambledBytes(size))
    }

    @Test(
      "A source that is still there has given all of it, however it ended", arguments: [0, 65_536])
    func doubtfulEndOfLivingSource(_ size: Int) throws {
      let bench = try Bench()
      bench.compositor.own(ScriptedOwner(["a/b": .bytes(scrambledBytes(size))]))
      let backend = try bench.backend()
      backend.closingTime = .zero
      #expect(try bench.read("a/b", from: backend).bytes == scrambledBytes(size))
    }

    @Test("An operation that finds another owner is told so, whoever that is")
    func changedWaylandOwner() throws {
      let bench = try Bench()
      bench.compositor.own(ScriptedOwner(["text/plain": .bytes([1])]))
      let backend = try bench.backend()
      let ownership = ReadOwnership()
      #expect(try bench.targets(from: backend, in: ownership).get() == ["text/plain"])
      bench.compositor.own(ScriptedOwner(["text/plain": .bytes([2])]))
      try bench.settle()
      #expect(try bench.read("text/plain", from: backend, in: ownership).failure == .ownerGone)
      #expect(try bench.read("text/plain", from: backend).bytes == [2])
      let second = ReadOwnership()
      _ = try bench.targets(from: backend, in: second).get()
      bench.compositor.own(.nothing)
      try bench.settle()
      #expect(try bench.read("text/plain", from: backend, in: second).failure == .ownerGone)
    }

    @Test("Names are bytes: what is no UTF-8 is found again")
    func oddNames() throws {
      let bench = try Bench()
      let backend = try bench.backend()
      let device = try #require(bench.compositor.devices.first)
      let owner = ScriptedOwner(["text/plain": .bytes([7])])
      let offer = bench.compositor.introduce([], to: device, of: .scripted(owner))
      offer.post(ControlOfferEvent.offer, bytes: [0x61, 0xE9])
      offer.post(ControlOfferEvent.offer, bytes: [])
      device.resource.post(ControlDeviceEvent.selection, object: offer)
      #expect(try bench.turn { backend.hasOwner(.clipboard) })
      #expect(try bench.targets(from: backend).get().map(\.wireBytes) == [[0x61, 0xE9], []])
    }
  }
}
