import EventLoop
import Glibc
import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing

@testable import WaylandBackend

extension InFakeCompositor {
  @Suite("A compositor whose events come in any order")
  struct HostileCompositorTests {
    static func open(
      _ control: ControlProtocol = .ext
    ) throws -> (bench: Bench, backend: WaylandBackend, device: FakeDevice) {
      let bench = try Bench(control)
      let backend = try bench.backend()
      return (bench, backend, try #require(bench.compositor.devices.first))
    }

    private let nobody = FakeOwner.scripted(ScriptedOwner(["text/plain": .bytes([1])]))

    @Test("An offer that is never named for a selection changes nothing, however many there are")
    func unnamedOffers() throws {
      let (bench, backend, device) = try Self.open()
      for _ in 0..<200 { bench.compositor.introduce(["a/b"], to: device, of: nobody) }
      try bench.settle()
      #expect(!backend.hasOwner(.clipboard))
      #expect((bench.compositor.clients.first?.objectCount ?? 0) < 10, "old offers are destroyed")
    }

    @Test("An offer named for two selections belongs to the first")
    func offerNamedTwice() throws {
      let (bench, backend, device) = try Self.open()
      let offer = bench.compositor.introduce(["a/b"], to: device, of: nobody)
      device.resource.post(ControlDeviceEvent.selection, object: offer)
      device.resource.post(ControlDeviceEvent.selection, object: offer)
      device.resource.post(ControlDeviceEvent.primarySelection, object: offer)
      try bench.settle()
      #expect(backend.hasOwner(.clipboard))
      #expect(!backend.hasOwner(.primary))
      #expect(try bench.targets(from: backend).get() == ["a/b"])
    }

    @Test("Offers of both selections may be introduced before either is named")
    func interleavedOffers() throws {
      let (bench, backend, device) = try Self.open()
      let one = bench.compositor.introduce(["a/1"], to: device, of: nobody)
      let two = bench.compositor.introduce(["a/2"], to: device, of: nobody)
      device.resource.post(ControlDeviceEvent.primarySelection, object: one)
      device.resource.post(ControlDeviceEvent.selection, object: two)
      try bench.settle()
      #expect(try bench.targets(of: .primary, from: backend).get() == ["a/1"])
      #expect(try bench.targets(from: backend).get() == ["a/2"])
    }

    @Test("Types that come after the selection still count")
    func lateTypes() throws {
      let (bench, backend, device) = try Self.open()
      let offer = bench.compositor.introduce([], to: device, of: nobody)
      device.resource.post(ControlDeviceEvent.selection, object: offer)
      offer.post(ControlOfferEvent.offer, name: "a/late")
      try bench.settle()
      #expect(try bench.targets(from: backend).get() == ["a/late"])
    }

    @Test("Types without end are no honest list")
    func endlessTypes() throws {
      let (bench, backend, device) = try Self.open()
      let offer = bench.compositor.introduce([], to: device, of: nobody)
      device.resource.post(ControlDeviceEvent.selection, object: offer)
      for _ in 0..<1000 {
        offer.post(ControlOfferEvent.offer, name: String(repeating: "t", count: 2000))
        bench.compositor.turn()
        try bench.loop.turn(waitingUntil: bench.loop.now)
      }
      try bench.settle()
      #expect(try bench.targets(from: backend).get().count == 524)
    }

    @Test("Nothing named again and again is one change at most")
    func repeatedNothing() throws {
      let (bench, backend, device) = try Self.open()
      var changes: [SelectionChange] = []
      let token = try backend.watch(.clipboard) { changes.append($0) }.get()
      for _ in 0..<5 { device.resource.post(ControlDeviceEvent.selection, object: nil) }
      bench.compositor.own(ScriptedOwner(["a/b": .bytes([1])]))
      for _ in 0..<5 { device.resource.post(ControlDeviceEvent.selection, object: nil) }
      try bench.settle()
      #expect(changes == [.taken(by: 1), .ownerEnded])
      token.cancel()
    }

    @Test("A device that is finished is the end of its selections, whatever comes behind")
    func finishedDevice() throws {
      let (bench, backend, device) = try Self.open()
      bench.compositor.own(ScriptedOwner(["a/b": .bytes([1])]))
      try bench.settle()
      #expect(backend.hasOwner(.clipboard))
      device.resource.post(ControlDeviceEvent.finished)
      bench.compositor.introduce(["a/c"], to: device, of: nobody)
      device.resource.post(ControlDeviceEvent.selection, object: nil)
      device.resource.post(ControlDeviceEvent.finished)
      try bench.settle()
      #expect(!backend.hasOwner(.clipboard))
      #expect(!backend.isLost)
      #expect(try bench.read("a/b", from: backend).failure == .noOwner)
      #expect(throws: OwnershipFailure.unsupported) {
        try backend.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: {}).get()
      }
    }

    @Test("Requests for content that come behind the loss, twice or for nothing, are closed")
    func lateSends() throws {
      let (bench, backend, _) = try Self.open()
      var ends = 0
      try backend.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: { ends += 1 }).get()
      let source = try #require(bench.compositor.clients.first?.first(.extSource))
      func send(_ type: String) throws -> OwnedFD {
        let (readEnd, writeEnd) = try Pipe().ends()
        source.post(ControlSourceEvent.send, name: type, OwnedFD(adopting: writeEnd))
        return OwnedFD(adopting: readEnd)
      }
      let known = try send("a/b")
      let empty = try send("")
      let unknown = try send("a/none")
      source.post(ControlSourceEvent.cancelled)
      source.post(ControlSourceEvent.cancelled)
      let late = try send("a/b")
      try bench.settle()
      #expect(ends == 1)
      let areClosed = hasHungUp(known) && hasHungUp(empty) && hasHungUp(unknown) && hasHungUp(late)
      #expect(areClosed)
      #expect(!backend.isLost)
    }

    @Test("A descriptor that cannot be written to is a reader that has gone")
    func unwritableDescriptor() throws {
      let (bench, backend, _) = try Self.open()
      try backend.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: {}).get()
      let source = try #require(bench.compositor.clients.first?.first(.extSource))
      source.post(ControlSourceEvent.send, name: "a/b", try Files.open("/dev/null", 0))
      source.post(ControlSourceEvent.send, name: "a/b", try Files.open("/", 0))
      let (readEnd, writeEnd) = try Pipe().ends()
      source.post(ControlSourceEvent.send, name: "a/b", OwnedFD(adopting: readEnd))
      try OwnedFD(adopting: writeEnd).close()
      try bench.settle()
      #expect(backend.hasOwner(.clipboard))
      #expect(try bench.read("a/b", from: try bench.backend()).bytes == [1])
    }

    @Test("Readers that take nothing, more than there may be descriptors, cost the display nothing")
    func floodOfReaders() async {
      await #expect(processExitsWith: .success) {
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = 128
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let (bench, backend, _) = try HostileCompositorTests.open()
        let bytes = scrambledBytes(1 << 20)
        for selection in [PasteboardName.clipboard, .primary] {
          try backend.publish(offer(["a/b": bytes]), to: selection, onEnd: {}).get()
        }
        // All of them wait at the same pipe, full and read by nobody.
        let (readEnd, writeEnd) = try Pipe().ends()
        let unread = OwnedFD(adopting: readEnd)
        let pipe = OwnedFD(adopting: writeEnd)
        for source in bench.compositor.clients.first?.all(.extSource) ?? [] {
          for _ in 0..<200 {
            source.post(ControlSourceEvent.send, name: "a/b", pipe)
            bench.compositor.turn()
            try bench.loop.turn(waitingUntil: bench.loop.now)
          }
        }
        try bench.settle()
        #expect(!backend.isLost)
        // Whoever does take it is served all the same.
        let reader = try bench.backend()
        #expect(try bench.read("a/b", from: reader).get().payload.count == bytes.count)
        _ = consume unread
        _ = consume pipe
      }
    }

    @Test("Seats without end are so many at the most")
    func endlessSeats() throws {
      let bench = try Bench(FakeCompositor(seats: []))
      for _ in 0..<300 { bench.compositor.addSeat("nobody") }
      #expect(throws: WaylandOpenFailure.self) { _ = try bench.backend(seat: "seat0") }
      try bench.settle()
      #expect(bench.compositor.seats.count { $0.wasBound } < 257)
    }

    @Test(
      "A compositor that hangs up is one loss, told to all that wait",
      arguments: [ControlProtocol.ext, .wlr])
    func hangingUp(_ control: ControlProtocol) throws {
      let (bench, backend, _) = try Self.open(control)
      bench.compositor.own(ScriptedOwner(["a/silent": .stalling([1])]), .primary)
      var ends = 0
      try backend.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: { ends += 1 }).get()
      var results: [Bench.ReadResult] = []
      if backend.supports(.primary) {
        backend.read(
          "a/silent", of: .primary, in: ReadOwnership(), deadline: bench.deadline(), limit: .max
        ) { results.append($0) }
      }
      try bench.settle()
      bench.compositor.clients.first?.disconnect()
      #expect(try bench.turn { backend.isLost && ends == 1 })
      #expect(backend.loss == .closed)
      #expect(results.map(\.failure) == [.connectionLost])
      #expect(try bench.read("a/b", from: backend).failure == .connectionLost)
      #expect(throws: OwnershipFailure.connectionLost) { try backend.clear(.clipboard).get() }
      #expect(throws: OwnershipFailure.connectionLost) {
        try backend.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: {}).get()
      }
      #expect(throws: WatchFailure.connectionLost) { try backend.watch(.clipboard) { _ in }.get() }
      backend.synchronize()
      try bench.settle()
      #expect(ends == 1)
    }

    @Test("A fault that the compositor finds with us is told as what it is")
    func protocolError() throws {
      let (bench, backend, device) = try Self.open()
      device.resource.postError(1, "used source")
      #expect(try bench.turn { backend.isLost })
      #expect(backend.loss == .protocolError(interface: "ext_data_control_device_v1", code: 1))
    }

    @Test("A transfer to a reader goes on when the compositor has gone")
    func transferWithoutCompositor() throws {
      let (bench, backend, _) = try Self.open()
      let bytes = scrambledBytes(3 << 20)
      var hasEnded = false
      try backend.publish(offer(["a/b": bytes]), to: .clipboard, onEnd: { hasEnded = true }).get()
      let source = try #require(bench.compositor.clients.first?.first(.extSource))
      let (readEnd, writeEnd) = try Pipe().ends()
      let pipe = OwnedFD(adopting: readEnd)
      try pipe.setNonBlocking()
      source.post(ControlSourceEvent.send, name: "a/b", OwnedFD(adopting: writeEnd))
      try bench.settle()
      bench.compositor.clients.first?.disconnect()
      var received: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      #expect(
        try bench.turn {
          let result = try? unsafe buffer.withUnsafeMutableBytes { try unsafe pipe.read(into: $0) }
          guard case .done(let count)? = result else { return false }
          received += buffer[..<count]
          return count == 0
        })
      #expect(difference(received, bytes) == nil)
      #expect(try bench.turn { hasEnded })
    }

    @Test("One that ends the connection at each step of the beginning is a loss, never a crash")
    func lossWhileOpening() throws {
      for step in 0..<6 { try Self.open(hangingUpAt: step) }
    }

    static func open(hangingUpAt step: Int) throws {
      let compositor = FakeCompositor()
      let loop = try EpollEventLoop()
      var turns = 0
      let socket = try compositor.connect()
      do {
        _ = try WaylandBackend(socket, displayName: "test", loop: loop) { _ in
          if turns >= step { compositor.clients.first?.disconnect() } else { compositor.turn() }
          turns += 1
        }
        // A round trip, which is at least a turn.
        #expect(step >= 1)
      } catch {
        guard case WaylandOpenFailure.lost = error else { throw error }
      }
    }
  }

  @Suite("Wayland displays that cannot be used")
  struct OpeningTests {
    private func failure(
      _ compositor: FakeCompositor, seat: String? = nil
    ) throws -> WaylandOpenFailure? {
      do {
        _ = try Bench(compositor).backend(seat: seat)
        return nil
      } catch let failure as WaylandOpenFailure {
        return failure
      }
    }

    @Test("Without data-control nothing can be seen")
    func withoutDataControl() throws {
      let failure = try failure(FakeCompositor([]))
      guard case .noDataControl = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }

    @Test("Without a seat there is no clipboard")
    func withoutSeat() throws {
      let failure = try failure(FakeCompositor(seats: []))
      guard case .noSeat = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      let named = try self.failure(FakeCompositor(seats: []), seat: "seat0")
      guard case .noSeat = named else {
        Issue.record("\(String(describing: named))")
        return
      }
    }

    @Test("A seat that is not there is named with those that are")
    func unknownSeat() throws {
      let failure = try failure(FakeCompositor(seats: ["seat0", nil, "tablet"]), seat: "seat1")
      #expect(failure == .noSuchSeat("seat1", known: ["seat0", "", "tablet"]))
    }

    @Test("ext is taken where both are there, whichever comes first")
    func extBeforeWlr() throws {
      for managers in [[ControlProtocol.ext, .wlr], [.wlr, .ext]] {
        let bench = try Bench(FakeCompositor(managers.map(\.manager)))
        let backend = try bench.backend()
        #expect(backend.displayFacts.server.hasSuffix("ext-data-control version 1"))
        #expect(bench.compositor.clients.first?.first(.extDevice) != nil)
        #expect(bench.compositor.clients.first?.first(.wlrDevice) == nil)
      }
    }

    @Test("What says nothing of Wayland at all is a loss")
    func noCompositor() throws {
      let (readEnd, writeEnd) = try Pipe().ends()
      let other = OwnedFD(adopting: writeEnd)
      let loop = try EpollEventLoop()
      do {
        _ = try WaylandBackend(OwnedFD(adopting: readEnd), displayName: "test", loop: loop)
        Issue.record("a pipe is no display")
      } catch {
        guard case WaylandOpenFailure.lost = error else { throw error }
      }
      _ = consume other
    }
  }
}
