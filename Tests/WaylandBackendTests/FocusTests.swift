import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import WaylandBackend

extension InFakeCompositor {
  @Suite("Without data-control: the clipboard of the focused window")
  struct FocusTests {
    private func failure(_ core: FakeCore, seat: String? = nil) throws -> WaylandOpenFailure? {
      do {
        _ = try Bench(core).backend(by: .focus, seat: seat)
        return nil
      } catch let failure as WaylandOpenFailure {
        return failure
      }
    }

    @Test("What is there is read with a window that has the focus, and only then")
    func focusedReading() throws {
      let core = FakeCore()
      let bench = try Bench(core)
      core.own(ScriptedOwner(["text/plain": .bytes([1, 2]), "a/b": .bytes(scrambledBytes(9000))]))
      let backend = try bench.backend(by: .focus)
      #expect(core.windowCount == 0, "no window before something is asked for")
      #expect(!backend.hasOwner(.clipboard))
      let ownership = ReadOwnership()
      #expect(try bench.targets(from: backend, in: ownership).get() == ["text/plain", "a/b"])
      #expect(try bench.read("text/plain", from: backend, in: ownership).bytes == [1, 2])
      #expect(try bench.read("a/b", from: backend, in: ownership).bytes == scrambledBytes(9000))
      #expect(core.windowCount == 1)
    }

    @Test("An empty clipboard is empty")
    func focusedNothing() throws {
      let core = FakeCore()
      let bench = try Bench(core)
      let backend = try bench.backend(by: .focus)
      #expect(throws: ReadFailure.noOwner) { try bench.targets(from: backend).get() }
      try backend.clear(.clipboard).get()
    }

    @Test("What is published stays when the window has gone")
    func focusedPublishing() throws {
      let core = FakeCore()
      let bench = try Bench(core)
      let owner = try bench.backend(by: .focus)
      var hasEnded = false
      let bytes = scrambledBytes(300_000)
      try owner.publish(offer(["a/b": bytes]), to: .clipboard, onEnd: { hasEnded = true }).get()
      try bench.settle()
      #expect(core.focused == nil, "the window is taken away at once")
      let reader = try bench.backend(by: .focus)
      #expect(try bench.targets(from: reader).get() == ["a/b"])
      #expect(difference(try bench.read("a/b", from: reader).get().payload.bytes, bytes) == nil)
      #expect(!hasEnded)
      core.own(ScriptedOwner(["a/c": .bytes([1])]))
      #expect(try bench.turn { hasEnded })
    }

    @Test("Clearing leaves nothing")
    func focusedClearing() throws {
      let core = FakeCore()
      let bench = try Bench(core)
      core.own(ScriptedOwner(["text/plain": .bytes([1])]))
      let backend = try bench.backend(by: .focus)
      try backend.clear(.clipboard).get()
      #expect(throws: ReadFailure.noOwner) {
        try bench.targets(from: try bench.backend(by: .focus)).get()
      }
    }

    @Test("A compositor that gives no focus costs the deadline")
    func withoutFocus() throws {
      let core = FakeCore()
      core.givesFocus = false
      let bench = try Bench(core)
      let backend = try bench.backend(by: .focus)
      var result: Result<[String], ReadFailure>?
      backend.listTargets(
        of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(0.05), share: 1
      ) { result = $0 }
      #expect(throws: ReadFailure.timedOut) { try result?.get() }
    }

    @Test("Where a window needs a token to have the focus, the one we were started with is shown")
    func activationToken() throws {
      let core = FakeCore()
      core.wantedToken = "token-1"
      let bench = try Bench(core)
      core.own(ScriptedOwner(["a/b": .bytes([1])]))
      let backend = try bench.backend(by: .focus, activationToken: "token-1")
      #expect(try bench.read("a/b", from: backend).bytes == [1])
      #expect(core.activationTokens == ["token-1"])
    }

    @Test("Nothing is shown where there is no token, or one that no message can carry")
    func unusableActivationToken() throws {
      for token in [nil, String(repeating: "t", count: 4001), "a\0b"] {
        let core = FakeCore()
        let bench = try Bench(core)
        core.own(ScriptedOwner(["a/b": .bytes([1])]))
        let backend = try bench.backend(by: .focus, activationToken: token)
        #expect(try bench.read("a/b", from: backend).bytes == [1])
        #expect(core.activationTokens == [])
        #expect(!backend.isLost)
      }
    }

    @Test("A selection that is passed over in silence is contested")
    func ignoredSelection() throws {
      let core = FakeCore()
      core.ignoresSelections = true
      let bench = try Bench(core)
      let backend = try bench.backend(by: .focus)
      #expect(throws: OwnershipFailure.contested) {
        try backend.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: {}).get()
      }
    }

    @Test("Changes cannot be watched: looking again and again would take the focus each time (C81)")
    func c81NothingIsPolled() throws {
      let core = FakeCore()
      let bench = try Bench(core)
      let backend = try bench.backend(by: .focus)
      #expect(throws: WatchFailure.unsupported) { try backend.watch(.clipboard) { _ in }.get() }
      #expect(!backend.displayFacts.reportsOwnerChanges)
      try bench.settle()
      #expect(core.windowCount == 0)
    }

    @Test("What is missing is said at once: a seat, a keyboard, windows")
    func missingParts() throws {
      guard case .noSeat = try failure(FakeCore(seats: [])) else {
        Issue.record("no seat is missed")
        return
      }
      guard case .noKeyboard = try failure(FakeCore(hasKeyboard: false)) else {
        Issue.record("no keyboard is missed")
        return
      }
      guard case .noWindows = try failure(FakeCore(hasWindows: false)) else {
        Issue.record("no window is missed")
        return
      }
    }
  }
}
