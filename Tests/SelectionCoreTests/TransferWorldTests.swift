import SelectionCore
import Testing

@Suite("Transfers between an owner and its requestors, random scripts")
struct TransferWorldTests {
  private static let worldsPerSeed: UInt64 = 50
  private static let stepsPerWorld = 1000

  @Test(
    "Half a million steps without a fault: every request gets one answer and all of its bytes",
    arguments: scriptSeeds)
  func undisturbed(seed: UInt64) throws {
    for number in 0..<Self.worldsPerSeed {
      var world = TransferWorld(seed: seed << 32 | number, requestors: 4)
      try world.run(steps: Self.stepsPerWorld, faults: false)
      let ends = world.incomingOutcomes
      try check(Set(ends.keys) == [.received], "world \(number): \(ends)")
    }
  }

  @Test(
    "Half a million steps with peers that die or stall: whoever is not concerned gets all of its bytes",
    arguments: scriptSeeds)
  func disturbed(seed: UInt64) throws {
    var incoming: Set<IncomingTransfer.Outcome> = []
    var outgoing: Set<OutgoingTransfer.Outcome> = []
    for number in 0..<Self.worldsPerSeed {
      var world = TransferWorld(seed: seed << 32 | number, requestors: 4)
      try world.run(steps: Self.stepsPerWorld, faults: true)
      incoming.formUnion(world.incomingOutcomes.keys)
      outgoing.formUnion(world.outgoingOutcomes.keys)
    }
    // The scripts reach every end that needs no broken protocol.
    #expect(incoming == [.received, .refused, .ownerGone, .timedOut])
    #expect(outgoing == [.sent, .refused, .requestorGone, .superseded, .stalled])
  }
}
