import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

extension OnDisplay {
  /// GTK's programs, and Qt's on their way out, go on with one answer by INCR to a window.
  @Suite("A window for each conversion")
  struct AnswerWindowTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    /// Several long contents, each in chunks, from an owner that goes on with one of them to a window.
    private func script(_ count: Int) -> OwnerScript {
      var script = OwnerScript(
        (0..<count).map { RawTarget("x-\($0)", scrambledBytes(50_000 + $0, seed: UInt64($0 + 1))) })
      script.increments = .init(chunk: 1000)
      script.increments?.isOneForEachWindow = true
      return script
    }

    private func readAtOnce(_ targets: [RawTarget]) throws -> [String: Bench.ReadResult] {
      var results: [String: Bench.ReadResult] = [:]
      for target in targets {
        bench.backend.read(
          target.name, of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(2),
          limit: .max
        ) { results[target.name] = $0 }
      }
      #expect(try bench.turn { results.count == targets.count })
      return results
    }

    @Test("Of an owner that continues one transfer to a window, several come whole at once")
    func oneForEachWindow() throws {
      let script = script(6)
      let owner = try BackgroundPeer(bench.server, owning: script)
      for _ in 0..<3 {
        let results = try readAtOnce(script.targets)
        for target in script.targets {
          let bytes = try results[target.name]?.get().payload.bytes
          #expect(bytes.flatMap { difference($0, target.bytes) } == nil && bytes != nil)
        }
      }
      withExtendedLifetime(owner) {}
    }

    @Test("Windows are used again, and one read at a time needs no other than the first")
    func windowsAreReused() throws {
      let script = script(6)
      let owner = try BackgroundPeer(bench.server, owning: script)
      let peer = try bench.peer()
      let before = try peer.topLevelWindows().count
      for target in script.targets { _ = try bench.read(target.name).get() }
      #expect(try peer.topLevelWindows().count == before)
      for _ in 0..<5 { _ = try readAtOnce(script.targets) }
      #expect(try peer.topLevelWindows().count == before + 5)
      withExtendedLifetime(owner) {}
    }

    @Test("What was broken off, or came to a stop, does not stand in the way of the next")
    func brokenOffTransfers() throws {
      var script = script(2)
      let owner = try BackgroundPeer(bench.server, owning: script)
      #expect(try bench.read("x-0", limit: 20_000).failure == .tooLarge)
      #expect(
        difference(try bench.read("x-0").get().payload.bytes, script.targets[0].bytes) == nil)
      script.increments?.stopsAfter = 3
      try owner.change(script)
      #expect(try bench.read("x-1", patience: 0.1).failure == .timedOut)
      script.increments?.stopsAfter = nil
      try owner.change(script)
      #expect(
        difference(try bench.read("x-1").get().payload.bytes, script.targets[1].bytes) == nil)
      // Nobody wrote to a window that was gone: programs die of that.
      #expect(owner.errors.isEmpty)
    }

    @Test("A window that was given up goes when its owner has answered late, by any answer")
    func spoiledWindowsGo() throws {
      var script = OwnerScript([
        RawTarget("x-late", "late"), RawTarget("x-refused", "never"),
        RawTarget("x-long", scrambledBytes(5000)),
      ])
      script.refused = ["x-refused"]
      script.increments = .init(chunk: 1000)
      script.incremented = ["x-long"]
      script.delay = 0.2
      let owner = try BackgroundPeer(bench.server, owning: script)
      // The first takes the window of the connection, which stays.
      #expect(try bench.read("x-late", patience: 0.01).failure == .timedOut)
      let peer = try bench.peer()
      let before = try peer.topLevelWindows().count
      for target in script.targets {
        #expect(try bench.read(target.name, patience: 0.01).failure == .timedOut)
      }
      #expect(try bench.turn { owner.answersSent == 4 })
      #expect(try bench.turn { (try? peer.topLevelWindows().count) == before })
      #expect(owner.errors.isEmpty)
    }

    @Test("An answer that names no window of ours is taken for one to the first")
    func unknownRequestor() throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.forgetsRequestor = true
      let owner = try BackgroundPeer(bench.server, owning: script)
      #expect(try bench.read("UTF8_STRING").get().payload == Payload("text"))
      withExtendedLifetime(owner) {}
    }
  }
}
