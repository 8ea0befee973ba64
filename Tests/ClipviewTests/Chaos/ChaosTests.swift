import TestSupport
import Testing

extension OnDisplay {
  @Suite("Chaos")
  struct ChaosTests {
    /// Nobody else is there to be disturbed.
    let desk: Desk

    init() throws { desk = try Desk(XServer()) }

    @Test(
      "Readers and owners behave, stall, die, lie and ask again, all at once: whoever behaves gets every byte",
      arguments: [ChaosPlan.current])
    func everythingAtOnce(plan: ChaosPlan) throws {
      var numbers = SeededGenerator(seed: plan.seed)
      let deadline = Deadline(after: plan.seconds)
      var round = 0
      repeat {
        // Now and then long enough for the patience that an owner has with its readers.
        let isLong = plan.seconds > 30 && round % 4 == 2
        let seconds = min(isLong ? 18 : 4, max(1, deadline.remaining))
        try run(round: round, seconds: seconds, &numbers)
        round += 1
      } while !deadline.isOver
    }

    private func run(round: Int, seconds: Double, _ numbers: inout SeededGenerator) throws {
      let ownerChanges = round % 3 == 1
      try desk.copy(randomText(&numbers))
      #expect(eventually { desk.servers.count == 1 }, "round \(round): \(desk.servers)")
      let server = try #require(desk.servers.first)
      // Whoever serves has closed what is not its own.
      #expect(ChaosContents.all.fault(of: try desk.paste()) == nil, "round \(round)")
      let descriptors = OpenDescriptors(of: server).targets.count
      let memory = try #require(Processes.anonymousMemory(of: server))

      let tally = ChaosTally()
      let reader = ChaosReader(
        display: desk.server.display, tally: tally, ownerChanges: ownerChanges)
      let deadline = Deadline(after: seconds)
      let threads = try (0..<6).map { _ in
        let seed = numbers.next()
        let thread = try BackgroundPeer(desk.server)
        tally.begin()
        thread.start { _ in
          reader.work(seed: seed, until: deadline)
          tally.end()
        }
        return thread
      }
      let owner = ChaosOwner(server: desk.server)
      while !deadline.isOver {
        if let violation = try owner.turn(&numbers) { tally.report(violation) }
        if ownerChanges { try desk.copy(randomText(&numbers)) }
      }
      #expect(eventually(within: 60) { tally.isIdle })
      withExtendedLifetime(threads) {}

      let violations = tally.violations
      #expect(violations.prefix(5) == [], "\(violations.count) in round \(round)")
      #expect(tally.deeds.contains { $0.behaves }, "nobody read anything in round \(round)")

      // All readers are gone: one process serves the selection, and holds what it held.
      #expect(eventually { desk.servers.count == 1 }, "round \(round): \(desk.servers)")
      if !ownerChanges { try checkRest(of: server, descriptors, memory, "round \(round)") }
      #expect(ChaosContents.all.fault(of: try desk.paste()) == nil, "round \(round)")
    }

    /// Whether a process that served everybody all the time is as it was before.
    private func checkRest(
      of server: Int32, _ descriptors: Int, _ memory: Int, _ round: String
    ) throws {
      #expect(desk.servers == [server], "\(round)")
      // The worker is there by now, which takes two.
      let isClosed = eventually { OpenDescriptors(of: server).targets.count <= descriptors + 2 }
      #expect(isClosed, "\(round): \(OpenDescriptors(of: server))")
      let more = try #require(Processes.anonymousMemory(of: server)) - memory
      // Sanitizers keep what was freed.
      if !Programs.areSanitized { #expect(more < 16 << 20, "\(round)") }
      let before = try #require(Processes.processorTime(of: server))
      _ = eventually(within: 0.5) { false }
      let after = try #require(Processes.processorTime(of: server))
      #expect(after - before < 5, "\(round): busy with nothing to do")
    }

    private func randomText(_ numbers: inout SeededGenerator) -> [UInt8] {
      ChaosContents.all.texts.randomElement(using: &numbers) ?? []
    }
  }
}
