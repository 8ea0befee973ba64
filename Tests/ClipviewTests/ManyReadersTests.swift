import TestSupport
import Testing

private let binary = "application/octet-stream"

extension OnDisplay {
  @Suite("Many readers at once")
  struct ManyReadersTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("Readers that stall share the text in the charset they asked for", arguments: ["STRING"])
    func stalledReaders(target: String) throws {
      let content = Array(String(repeating: "naïve, sixteen b", count: 240_000).utf8)
      try desk.copy(content)
      let server = try desk.servingProcess()
      let readers = try (1...20).map { _ in try RawPeer(desk.server) }
      for reader in readers {
        guard case .stalled(let value) = try reader.ask(target, chunkLimit: 1) else {
          Issue.record("\(target) does not come by INCR")
          return
        }
        #expect(value.type == target)
      }
      let memory = try #require(Processes.anonymousMemory(of: server))
      #expect(memory < content.count + (40 << 20))
    }

    @Test("200 at once, 20 stalled, 20 killed: the rest get every byte, the server is as before")
    func twoHundredReaders() throws {
      let bytes = scrambledBytes(1_500_000)
      try desk.copy(bytes, "-t", binary)
      let server = try desk.servingProcess()
      // What the first reader makes it allocate belongs to what was there before.
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
      let before = try Resources(of: server)

      var stalled: [RawReading] = []
      var doomed: [RawReading] = []
      var honest: [RawReading] = []
      for number in 0..<200 {
        let peer = try RawPeer(desk.server)
        // They stop and die at the announcement and after one, two and three chunks.
        let chunkLimit = number % 10 < 2 ? number / 10 % 4 : nil
        let reading = try RawReading(binary, by: peer, chunkLimit: chunkLimit)
        switch number % 10 {
        case 0: stalled.append(reading)
        case 1: doomed.append(reading)
        default: honest.append(reading)
        }
      }
      var whole = 0
      var killed = 0
      let deadline = Deadline(after: 60)
      while !(honest + doomed).isEmpty || !stalled.allSatisfy(\.hasEnded), !deadline.isOver {
        let readings = stalled + doomed + honest
        let open = readings.count { !$0.hasEnded }
        try RawReading.advance(readings, within: 1) { readings.count { !$0.hasEnded } < open }
        // With them go their connections, in the middle of what they were at.
        for reading in doomed where reading.hasEnded {
          if case .stalled = reading.takeAnswer() { killed += 1 }
        }
        doomed.removeAll(where: \.hasEnded)
        for reading in honest where reading.hasEnded {
          let answer = try #require(reading.takeAnswer())
          #expect(difference(answer.value?.bytes ?? [], bytes) == nil, "\(answer)")
          whole += 1
        }
        honest.removeAll(where: \.hasEnded)
      }
      #expect(whole == 160)
      #expect(killed == 20)
      let allHaveStalled = stalled.allSatisfy(\.hasEnded)
      #expect(allHaveStalled)
      for reading in stalled {
        guard case .stalled = reading.takeAnswer() else {
          Issue.record("a reader that should have stalled got all")
          return
        }
      }

      // While twenty are stalled nothing is done for them, and when they are gone nothing is left.
      #expect(try Resources(of: server).isQuiet(server))
      stalled = []
      try desk.peer.synchronize()
      let after = try Resources(of: server)
      #expect(after.descriptors == before.descriptors)
      // A sanitizer keeps what was freed.
      let isMemoryBack = after.memory < before.memory + (8 << 20) || Programs.areSanitized
      #expect(isMemoryBack, "\(before), \(after)")
      #expect(try after.isQuiet(server))
      #expect(difference(try desk.paste("-t", binary), bytes) == nil)
    }
  }
}

/// What a process holds and has used at one moment.
private struct Resources {
  let descriptors: OpenDescriptors
  let memory: Int
  let processorTime: Int

  init(of pid: Int32) throws {
    descriptors = OpenDescriptors(of: pid)
    memory = try #require(Processes.anonymousMemory(of: pid))
    processorTime = try #require(Processes.processorTime(of: pid))
  }

  /// Whether the process does next to nothing for a second.
  func isQuiet(_ pid: Int32) throws -> Bool {
    // What is still to be done for those who just left does not count.
    _ = eventually(within: 0.2) { false }
    let before = try #require(Processes.processorTime(of: pid))
    _ = eventually(within: 1) { false }
    let after = try #require(Processes.processorTime(of: pid))
    return after - before <= 2
  }
}
