import TestSupport
import Testing

private let binary = "application/octet-stream"

extension OnDisplay {
  /// Each test ends a server, so each has one of its own.
  @Suite("Displays that go away")
  struct LostServerTests {
    let server: XServer
    let desk: Desk

    init() throws {
      server = try XServer()
      desk = try Desk(server)
    }

    /// Lets a reader start a transfer and leave it there.
    private func stalledReader() throws -> RawPeer {
      let peer = try RawPeer(server)
      let answer = try peer.ask(binary, chunkLimit: 1)
      guard case .stalled = answer else {
        Issue.record("no INCR transfer to stall")
        return peer
      }
      return peer
    }

    @Test("A copy in the foreground ends with exit 3 and a message", arguments: [false, true])
    func foregroundCopy(isInTransfer: Bool) throws {
      var options = SpawnOptions(input: .bytes(scrambledBytes(3_000_000)))
      options.outputs = .captured
      let child = try ChildProcess(
        Programs.clipview, ["copy", "--foreground", "-t", binary],
        environment: server.environment(), options: options)
      #expect(try child.settle { _ in try desk.peer.owner(of: "CLIPBOARD") != 0 })
      let reader = isInTransfer ? try stalledReader() : nil
      server.crash()
      let result = child.finish(within: 10)
      #expect(result.isFailure(3), "\(result)")
      #expect(result.errors.contains("the connection to the display was lost"))
      withExtendedLifetime(reader) {}
    }

    @Test("What serves a copy ends, also in the middle of transfers", arguments: [false, true])
    func detachedServer(isInTransfer: Bool) throws {
      try desk.copy(scrambledBytes(3_000_000), "-t", binary)
      let serving = try desk.servingProcess()
      let readers = isInTransfer ? try (0..<5).map { _ in try stalledReader() } : []
      server.crash()
      #expect(eventually { !Processes.isRunning(serving) })
      withExtendedLifetime(readers) {}
    }

    @Test(
      "A command that waits for the server when that dies ends with exit 3",
      arguments: [["copy", "--text", "x"], ["clear"], ["paste"]])
    func dyingServer(arguments: [String]) throws {
      // The system takes connections for a server that is stopped: the command waits for its word.
      Processes.send(signal: 19, to: server.pid)
      #expect(eventually { Processes.isStopped(server.pid) })
      let child = try ChildProcess(
        Programs.clipview, arguments + ["--timeout", "20"], environment: server.environment())
      #expect(
        child.settle { child in
          OpenDescriptors(of: child.pid).targets.values.contains { $0.hasPrefix("socket:") }
        })
      server.crash()
      let result = child.finish(within: 10)
      #expect(result.isFailure(3), "\(result)")
    }

    @Test("A copy whose server dies at any moment ends with exit 0 or 3, and leaves no process")
    func serverDiesDuringCopies() throws {
      // Several at once, so that some of them are in the middle of whatever they do.
      let children = try (0..<12).map { number in
        try ChildProcess(
          Programs.clipview, ["copy", "--text", "\(number)", "--timeout", "20"],
          environment: server.environment())
      }
      #expect(eventually { children.contains { !$0.isRunning } })
      server.crash()
      for child in children {
        let result = child.finish(within: 10)
        #expect(result.isSilentSuccess || result.isFailure(3), "\(result)")
      }
      #expect(eventually { desk.servers.isEmpty })
    }

    @Test("A server that takes nothing for a while makes the owner wait, not grow and not spin")
    func stoppedServer() throws {
      let bytes = scrambledBytes(3_000_000)
      try desk.copy(bytes, "-t", binary)
      let serving = try desk.servingProcess()
      let readings = try (0..<30).map { _ in try RawReading(binary, by: try RawPeer(server)) }
      try RawReading.advance(readings, within: 10) { readings.contains { $0.chunks > 0 } }
      let memory = try #require(Processes.anonymousMemory(of: serving))
      Processes.send(signal: 19, to: server.pid)
      #expect(eventually { Processes.isStopped(server.pid) })
      _ = eventually(within: 0.2) { false }
      let before = try #require(Processes.processorTime(of: serving))
      _ = eventually(within: 1) { false }
      let after = try #require(Processes.processorTime(of: serving))
      #expect(after - before <= 2)
      #expect(try #require(Processes.anonymousMemory(of: serving)) < memory + (8 << 20))
      Processes.send(signal: 18, to: server.pid)
      #expect(try RawReading.advance(readings, within: 30))
      for reading in readings {
        #expect(difference(reading.takeAnswer()?.value?.bytes ?? [], bytes) == nil)
      }
    }
  }
}
