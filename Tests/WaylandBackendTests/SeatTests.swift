import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import WaylandBackend

extension InFakeCompositor {
  @Suite("Seats")
  struct SeatTests {
    private func own(_ bench: Bench, _ index: Int, _ type: String) {
      let owner = ScriptedOwner([type: .bytes([UInt8(index)])])
      bench.compositor.own(.scripted(owner), on: bench.compositor.seats[index])
    }

    @Test(
      "Each seat has selections of its own; without a name it is the first",
      arguments: ControlProtocol.allCases)
    func severalSeats(_ control: ControlProtocol) throws {
      let bench = try Bench(FakeCompositor([control.manager], seats: ["seat0", "", "tablet"]))
      for index in 0..<3 { own(bench, index, "a/\(index)") }
      for (name, type) in [(nil, "a/0"), ("seat0", "a/0"), ("", "a/1"), ("tablet", "a/2")] {
        let backend = try bench.backend(seat: name)
        #expect(try bench.targets(from: backend).get() == [type])
      }
    }

    @Test("A seat of version 1 has no name, which is the empty one")
    func namelessSeat() throws {
      let bench = try Bench(FakeCompositor(seats: [nil]))
      own(bench, 0, "a/b")
      #expect(try bench.targets(from: try bench.backend(seat: "")).get() == ["a/b"])
      #expect(try bench.targets(from: try bench.backend()).get() == ["a/b"])
    }

    @Test("When the seat goes so do its selections; the next one takes its place")
    func seatThatGoes() throws {
      let bench = try Bench(FakeCompositor(seats: ["seat0", "seat1"]))
      own(bench, 0, "a/0")
      own(bench, 1, "a/1")
      let backend = try bench.backend()
      var changes: [SelectionChange] = []
      let token = try backend.watch(.clipboard) { changes.append($0) }.get()
      bench.compositor.removeSeat(bench.compositor.seats[0])
      #expect(try bench.turn { changes.count == 2 })
      #expect(changes == [.ownerEnded, .taken(by: 3)])
      #expect(try bench.targets(from: backend).get() == ["a/1"])
      token.cancel()
    }

    @Test("A named seat that goes is waited for under its name")
    func namedSeatThatReturns() throws {
      let bench = try Bench(FakeCompositor(seats: ["seat0", "tablet"]))
      own(bench, 1, "a/old")
      let backend = try bench.backend(seat: "tablet")
      var ended = false
      try backend.publish(offer(["a/ours": [1]]), to: .primary, onEnd: { ended = true }).get()
      bench.compositor.removeSeat(bench.compositor.seats[1])
      #expect(try bench.turn { ended && !backend.hasOwner(.clipboard) })
      bench.compositor.addSeat("other")
      try bench.settle()
      own(bench, 1, "a/other")
      try bench.settle()
      #expect(!backend.hasOwner(.clipboard))
      bench.compositor.addSeat("tablet")
      own(bench, 2, "a/new")
      #expect(try bench.turn { backend.hasOwner(.clipboard) })
      #expect(try bench.targets(from: backend).get() == ["a/new"])
    }

    @Test("The last seat that goes leaves nothing; the next that comes is taken")
    func onlySeatThatReturns() throws {
      let bench = try Bench()
      let backend = try bench.backend()
      for round in 0..<20 {
        bench.compositor.removeSeat(bench.compositor.seats[0])
        try bench.settle()
        #expect(!backend.hasOwner(.clipboard))
        bench.compositor.addSeat("seat\(round)")
        own(bench, 0, "a/\(round)")
        #expect(try bench.turn { backend.hasOwner(.clipboard) })
        #expect(try bench.targets(from: backend).get() == ["a/\(round)"])
      }
      // Registry, seat, manager, device, offer.
      #expect(bench.compositor.clients.first?.objectCount == 5)
    }
  }

  @Suite("Changes of a Wayland selection")
  struct WatchTests {
    @Test("Each change is told, in order, each selection for itself")
    func changesAreTold() throws {
      let bench = try Bench()
      let backend = try bench.backend()
      var clipboard: [SelectionChange] = []
      var primary: [SelectionChange] = []
      let one = try backend.watch(.clipboard) { clipboard.append($0) }.get()
      let two = try backend.watch(.primary) { primary.append($0) }.get()
      bench.compositor.own(ScriptedOwner(["a/1": .bytes([1])]))
      bench.compositor.own(ScriptedOwner(["a/2": .bytes([1])]))
      bench.compositor.own(ScriptedOwner(["a/3": .bytes([1])]), .primary)
      bench.compositor.own(.nothing)
      try bench.settle()
      #expect(clipboard == [.taken(by: 1), .taken(by: 2), .ownerEnded])
      #expect(primary == [.taken(by: 3)])
      one.cancel()
      bench.compositor.own(ScriptedOwner(["a/4": .bytes([1])]))
      bench.compositor.own(ScriptedOwner(["a/5": .bytes([1])]), .primary)
      try bench.settle()
      #expect(clipboard.count == 3)
      #expect(primary.count == 2)
      two.cancel()
    }

    @Test("A handler may end any watch, its own too")
    func handlersMayEndWatches() throws {
      let bench = try Bench()
      let backend = try bench.backend()
      var tokens: [SelectionWatchToken] = []
      var calls = 0
      for _ in 0..<3 {
        tokens.append(
          try backend.watch(.clipboard) { _ in
            calls += 1
            for token in tokens { token.cancel() }
          }.get())
      }
      bench.compositor.own(ScriptedOwner(["a/1": .bytes([1])]))
      bench.compositor.own(ScriptedOwner(["a/2": .bytes([1])]))
      try bench.settle()
      #expect(calls == 1)
    }
  }
}
