import EventLoop
import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing

@testable import WaylandBackend

extension InFakeCompositor {
  /// Each kind of path, again and again in a process of its own: nothing may stay open, no object may
  /// stay alive.
  @Suite("Nothing is left behind on Wayland")
  struct LeakTests {
    // MARK: Reading

    @Test("by reads, whatever becomes of them")
    func nothingIsLeft() async {
      await #expect(processExitsWith: .success) {
        for control in [ControlProtocol.ext, .wlr] {
          expectNothingLeft(by: "reads of \(control)") { try LeakTests.read(control) }
        }
        expectNothingLeft(by: "a source that dies") { try LeakTests.dyingSource() }
        expectNothingLeft(by: "a compositor that hangs up on readers") {
          try LeakTests.lostReaders()
        }
      }
    }

    private static func read(_ control: ControlProtocol) throws {
      let bench = try Bench(control)
      bench.compositor.own(
        ScriptedOwner([
          "a/b": .bytes(scrambledBytes(5000)), "a/c": .stalling([1]), "a/d": .refusal,
        ]))
      do {
        let backend = try bench.backend()
        #expect(try bench.read("a/b", from: backend).bytes?.count == 5000)
        #expect(try bench.read("a/b", from: backend, limit: 10).failure == .tooLarge)
        #expect(try bench.read("a/c", from: backend, patience: 0.005).failure == .timedOut)
        #expect(try bench.read("a/d", from: backend).bytes == [])
        #expect(try bench.read("a/none", from: backend).failure == .refused)
        // Some that are let go of in the middle.
        for _ in 0..<3 {
          backend.read(
            "a/c", of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(), limit: .max
          ) { _ in }
        }
        try bench.settle()
        for _ in 0..<20 { bench.compositor.own(ScriptedOwner(["a/b": .bytes([1])])) }
        bench.compositor.own(ScriptedOwner(["a/b": .bytes([1])]), .primary)
        let token = try backend.watch(.clipboard) { _ in }.get()
        // Registry, seat, manager, device and the two offers that are worth anything.
        try bench.expectObjects(6, of: backend)
        token.cancel()
      }
      bench.compositor.own(.nothing)
      try bench.expectNobodyLeft()
    }

    private static func dyingSource() throws {
      let bench = try Bench()
      let backend = try bench.backend()
      backend.closingTime = .zero
      for size in [0, 1, 4096] {
        let script = ScriptedOwner(["a/b": .stalling(scrambledBytes(size))])
        bench.compositor.own(script)
        try bench.settle()
        var result: Bench.ReadResult?
        backend.read(
          "a/b", of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(), limit: .max
        ) { result = $0 }
        #expect(try bench.turn { script.heldCount == 1 })
        script.hangUp()
        bench.compositor.own(.nothing)
        #expect(try bench.turn { result != nil })
      }
      try bench.expectObjects(4, of: backend)
    }

    private static func lostReaders() throws {
      let bench = try Bench()
      bench.compositor.own(ScriptedOwner(["a/c": .stalling([1])]))
      let backend = try bench.backend()
      var failures: [ReadFailure?] = []
      for _ in 0..<3 {
        backend.read(
          "a/c", of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(), limit: .max
        ) { failures.append($0.failure) }
      }
      try bench.settle()
      bench.compositor.clients.first?.disconnect()
      #expect(try bench.turn { failures.count == 3 })
      #expect(failures == [.connectionLost, .connectionLost, .connectionLost])
    }

    // MARK: Publishing

    @Test("by publications, however they end and whoever reads them")
    func publishingLeavesNothing() async {
      await #expect(processExitsWith: .success) {
        expectNothingLeft(by: "publications") { try LeakTests.publish() }
        expectNothingLeft(by: "readers") { try LeakTests.serve() }
        expectNothingLeft(by: "readers of a compositor that hangs up") {
          try LeakTests.serveWithoutCompositor()
        }
      }
    }

    private static func publish() throws {
      let bench = try Bench()
      do {
        let owner = try bench.backend()
        for index in 0..<5 {
          try owner.publish(offer(["a/b": [UInt8(index)]]), to: .clipboard, onEnd: {}).get()
        }
        // Registry, seat, manager, device, the source and the offer that shows it.
        try bench.expectObjects(6, of: owner)
        bench.compositor.stealsSelections = 10
        #expect(throws: OwnershipFailure.contested) {
          try owner.publish(offer(["a/c": [1]]), to: .clipboard, onEnd: {}).get()
        }
        bench.compositor.stealsSelections = 0
        var content = offer(["a/b": [1]])
        content.serving.lifetime = .milliseconds(1)
        var hasEnded = false
        try owner.publish(content, to: .primary, onEnd: { hasEnded = true }).get()
        #expect(try bench.turn { hasEnded })
        try owner.clear(.clipboard).get()
        try bench.expectObjects(4, of: owner)
        // Left as it is: the connection goes first.
        try owner.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: {}).get()
      }
      try bench.expectNobodyLeft()
    }

    private static func serve() throws {
      let bench = try Bench()
      let bytes = scrambledBytes(1 << 20)
      do {
        let owner = try bench.backend(patience: .milliseconds(20))
        try owner.publish(offer(["a/b": bytes]), to: .clipboard, onEnd: {}).get()
        let source = try #require(bench.compositor.clients.first?.first(.extSource))
        let reader = try bench.backend()
        #expect(try bench.read("a/b", from: reader).get().payload.count == bytes.count)
        for _ in 0..<5 {
          #expect(try bench.read("a/b", from: reader, limit: 70_000).failure == .tooLarge)
        }
        // One that takes nothing, one that is no pipe, two that cannot be written to.
        let (readEnd, writeEnd) = try Pipe().ends()
        let stalled = OwnedFD(adopting: readEnd)
        source.post(ControlSourceEvent.send, name: "a/b", OwnedFD(adopting: writeEnd))
        source.post(ControlSourceEvent.send, name: "a/b", try Files.open("/dev/null", 1))
        source.post(ControlSourceEvent.send, name: "a/b", try Files.open("/dev/null", 0))
        source.post(ControlSourceEvent.send, name: "a/b", try Files.open("/", 0))
        source.post(ControlSourceEvent.send, name: "a/none", try Files.open("/dev/null", 1))
        #expect(try bench.turn { hasHungUp(stalled) })
        // The owner's own reads need no pipe.
        #expect(try bench.read("a/b", from: owner).get().payload.count == bytes.count)
        try bench.expectObjects(6, of: owner)
        try bench.expectObjects(5, of: reader, at: 1)
      }
      try bench.expectNobodyLeft()
    }

    private static func serveWithoutCompositor() throws {
      let bench = try Bench()
      let owner = try bench.backend(patience: .milliseconds(5))
      var hasEnded = false
      try owner.publish(
        offer(["a/b": scrambledBytes(1 << 20)]), to: .clipboard, onEnd: { hasEnded = true }
      ).get()
      let source = try #require(bench.compositor.clients.first?.first(.extSource))
      let (readEnd, writeEnd) = try Pipe().ends()
      let stalled = OwnedFD(adopting: readEnd)
      source.post(ControlSourceEvent.send, name: "a/b", OwnedFD(adopting: writeEnd))
      try bench.settle()
      bench.compositor.clients.first?.disconnect()
      #expect(try bench.turn { hasEnded && owner.isLost })
      let hasEndedForReader = hasHungUp(stalled)
      #expect(hasEndedForReader)
    }

    // MARK: Orders that nobody promised

    @Test("by events in any order, and descriptors that nobody asked for")
    func hostileOrdersLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        for control in [ControlProtocol.ext, .wlr] {
          expectNothingLeft(by: "odd orders of \(control)") { try LeakTests.disorder(control) }
        }
        expectNothingLeft(by: "late requests") { try LeakTests.lateRequests() }
        expectNothingLeft(by: "descriptors without an event") { try LeakTests.strays(3) }
        expectNothingLeft(by: "descriptors without end") { try LeakTests.strays(2000) }
      }
    }

    private static func disorder(_ control: ControlProtocol) throws {
      let bench = try Bench(control)
      let backend = try bench.backend()
      let device = try #require(bench.compositor.devices.first)
      let nobody = FakeOwner.scripted(ScriptedOwner(["text/plain": .bytes([1])]))
      for _ in 0..<50 { bench.compositor.introduce(["a/b"], to: device, of: nobody) }
      let offer = bench.compositor.introduce(["a/b"], to: device, of: nobody)
      device.resource.post(ControlDeviceEvent.primarySelection, object: offer)
      device.resource.post(ControlDeviceEvent.selection, object: offer)
      device.resource.post(ControlDeviceEvent.selection, object: nil)
      device.resource.post(ControlDeviceEvent.primarySelection, object: nil)
      try bench.settle()
      // Offers that nothing was said about are kept for a moment, so many at the most.
      #expect((bench.compositor.clients.first?.objectCount ?? 99) <= 8)
      try bench.expectObjects(of: backend)
      // The end of the device, and more behind it.
      device.resource.post(ControlDeviceEvent.finished)
      device.resource.post(ControlDeviceEvent.selection, object: nil)
      device.resource.post(ControlDeviceEvent.finished)
      try bench.expectObjects(2, of: backend)
    }

    private static func lateRequests() throws {
      let bench = try Bench()
      let backend = try bench.backend()
      try backend.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: {}).get()
      let source = try #require(bench.compositor.clients.first?.first(.extSource))
      func send(_ type: String) throws {
        let (readEnd, writeEnd) = try Pipe().ends()
        _ = OwnedFD(adopting: readEnd)
        source.post(ControlSourceEvent.send, name: type, OwnedFD(adopting: writeEnd))
      }
      for type in ["a/b", "", "a/none"] { try send(type) }
      source.post(ControlSourceEvent.cancelled)
      source.post(ControlSourceEvent.cancelled)
      // Queued with the loss, behind it, and when nothing is there any more.
      try send("a/b")
      try bench.settle()
      try send("a/b")
      bench.compositor.own(.nothing)
      try bench.expectObjects(4, of: backend)
      #expect(!backend.isLost)
    }

    /// So many descriptors come along with messages that have no place for them.
    private static func strays(_ count: Int) throws {
      let bench = try Bench()
      let backend = try bench.backend()
      let client = try #require(bench.compositor.clients.first)
      for _ in 0..<count {
        try client.sendStray(try Files.open("/dev/null", 0))
        try bench.loop.turn(waitingUntil: bench.loop.now)
        if backend.isLost { return }
      }
      bench.compositor.own(ScriptedOwner(["a/b": .bytes([1])]))
      #expect(try bench.turn { backend.hasOwner(.clipboard) || backend.isLost })
    }

    // MARK: Beginnings and ends

    @Test("by displays that cannot be opened, and by those that are again and again")
    func openingLeavesNothing() async {
      await #expect(processExitsWith: .success) {
        expectNothingLeft(by: "reconnects") {
          let bench = try Bench()
          bench.compositor.own(ScriptedOwner(["a/b": .bytes([1])]))
          for _ in 0..<5 {
            let backend = try bench.backend()
            #expect(try bench.read("a/b", from: backend).bytes == [1])
            bench.compositor.clients.last?.disconnect()
            #expect(try bench.turn { backend.isLost })
          }
          try bench.expectNobodyLeft()
        }
        let unusable: [() -> (FakeCompositor, String?)] = [
          { (FakeCompositor([]), nil) }, { (FakeCompositor(seats: []), nil) },
          { (FakeCompositor(seats: ["a", "b", nil]), "c") },
        ]
        for make in unusable {
          expectNothingLeft(by: "a display that cannot be used") {
            let (compositor, seat) = make()
            let bench = try Bench(compositor)
            #expect(throws: WaylandOpenFailure.self) { _ = try bench.backend(seat: seat) }
            try bench.expectNobodyLeft()
          }
        }
        for step in 0..<6 {
          expectNothingLeft(by: "a display that goes at step \(step)") {
            try HostileCompositorTests.open(hangingUpAt: step)
          }
        }
        expectNothingLeft(by: "no display at all") {
          let (readEnd, writeEnd) = try Pipe().ends()
          let other = OwnedFD(adopting: writeEnd)
          let loop = try EpollEventLoop()
          #expect(throws: WaylandOpenFailure.self) {
            _ = try WaylandBackend(OwnedFD(adopting: readEnd), displayName: "test", loop: loop)
          }
          _ = consume other
        }
      }
    }

    @Test("by seats that come and go", arguments: [false, true])
    func seatsLeaveNothing(isNamed: Bool) async {
      await #expect(processExitsWith: .success) { [isNamed] in
        expectNothingLeft(by: "seats") {
          let bench = try Bench(FakeCompositor(seats: ["seat0", "tablet"]))
          let backend = try bench.backend(seat: isNamed ? "tablet" : nil)
          for _ in 0..<5 {
            try backend.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: {}).get()
            for seat in bench.compositor.seats { bench.compositor.removeSeat(seat) }
            // Registry and manager; what was published is gone with the seat.
            try bench.expectObjects(2, of: backend)
            for seat in ["other", "tablet"] { bench.compositor.addSeat(seat) }
            try bench.expectObjects(4, of: backend)
          }
        }
      }
    }

    // MARK: Without data-control

    @Test("by windows that have the focus, or never get it")
    func focusLeavesNothing() async {
      await #expect(processExitsWith: .success) {
        expectNothingLeft(by: "windows") {
          let core = FakeCore()
          let bench = try Bench(core)
          do {
            let backend = try bench.backend(by: .focus)
            for index in 0..<5 {
              try backend.publish(offer(["a/b": [UInt8(index)]]), to: .clipboard, onEnd: {}).get()
            }
            // Registry, manager, seat, device, compositor, memory, window base, keyboard; the source and
            // the offer that the last window saw.
            try bench.expectObjects(10, of: backend)
            let reader = try bench.backend(by: .focus)
            let types = try bench.targets(from: reader).get()
            #expect(types == ["a/b"], "\(types)")
            let content = try bench.read("a/b", from: reader)
            #expect(content.bytes == [4], "\(content)")
            try bench.expectObjects(of: reader, at: 1)
          }
          try bench.expectNobodyLeft()
        }
        expectNothingLeft(by: "windows without focus") {
          let core = FakeCore()
          core.givesFocus = false
          let bench = try Bench(core)
          do {
            let backend = try bench.backend(by: .focus)
            backend.listTargets(
              of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(0.01), share: 1
            ) { _ in }
            try bench.expectObjects(of: backend)
          }
          try bench.expectNobodyLeft()
        }
        expectNothingLeft(by: "a selection that is passed over") {
          let core = FakeCore()
          core.ignoresSelections = true
          let bench = try Bench(core)
          let backend = try bench.backend(by: .focus)
          #expect(throws: OwnershipFailure.contested) {
            try backend.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: {}).get()
          }
          try bench.expectObjects(8, of: backend)
        }
        for core in [{ FakeCore(hasKeyboard: false) }, { FakeCore(hasWindows: false) }] {
          expectNothingLeft(by: "no way to a window") {
            let bench = try Bench(core())
            #expect(throws: WaylandOpenFailure.self) { _ = try bench.backend(by: .focus) }
            try bench.expectNobodyLeft()
          }
        }
      }
    }
  }
}
