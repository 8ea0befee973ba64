import TestSupport
import Testing

private let binary = "application/octet-stream"

extension OnDisplay {
  @Suite("Readers that are killed")
  struct KilledReaderTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("Killed a hundred times inside of a long transfer, they leave the content as it was")
    func killedAtRandom() throws {
      let bytes = scrambledBytes(64 << 20)
      try desk.copy(bytes, "-t", binary)
      let window = try desk.peer.owner(of: "CLIPBOARD")
      var generator = SeededGenerator(seed: 100)
      var killedInside = 0
      for _ in 0..<100 {
        let child = try ChildProcess(
          Programs.clipview, ["paste", "-t", binary], environment: desk.server.environment())
        // Nobody reads what it hands on, so what it has taken stays in its memory.
        let taken = Int.random(in: 1 << 20...bytes.count, using: &generator)
        _ = eventually {
          !child.isRunning || Processes.anonymousMemory(of: child.pid) ?? 0 > taken
        }
        child.send(signal: 9)
        let result = child.finish(within: 10)
        if result.ending == .signalled(9), result.output.count < bytes.count { killedInside += 1 }
      }
      #expect(killedInside >= 50)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == window)
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
      #expect(desk.servers.count == 1)
    }

    @Test("C17: fifty of them gone in the middle of INCR leave nothing that spins")
    func c17NothingSpins() throws {
      let bytes = scrambledBytes(3_000_000)
      try desk.copy(bytes, "-t", binary)
      let server = try desk.servingProcess()
      var readers = try (0..<50).map { _ in try RawPeer(desk.server) }
      for reader in readers { _ = try reader.ask(binary, timeout: 5, chunkLimit: 1) }
      readers = []
      try desk.peer.synchronize()
      let before = try #require(Processes.processorTime(of: server))
      // Two seconds of nothing: what is used in them is a fault.
      _ = eventually(within: 2) { false }
      let after = try #require(Processes.processorTime(of: server))
      #expect(after - before < 5)
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
    }
  }
}
