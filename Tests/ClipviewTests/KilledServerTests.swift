import TestSupport
import Testing

/// How far a read has come when the server is killed.
enum ReadStage: CaseIterable {
  case beforeList
  case beforeContent
  case insideOfIncrements

  /// An owner that stops at this stage, and what it has been asked for by then.
  var script: (OwnerScript, asked: String) {
    var script = OwnerScript([
      RawTarget("UTF8_STRING", numberedText(100_000)), RawTarget("text/html", "<b>"),
    ])
    switch self {
    case .beforeList:
      script.silent = ["*", "TARGETS"]
      return (script, "TARGETS")
    case .beforeContent:
      script.silent = ["*"]
      return (script, "UTF8_STRING")
    case .insideOfIncrements:
      script.increments = .init(chunk: 10_000, stopsAfter: 3)
      return (script, "UTF8_STRING")
    }
  }
}

extension OnDisplay {
  @Suite("Servers that are killed")
  struct KilledServerTests {
    @Test(
      "Killed at any stage of a read: exit 3 and one message",
      arguments: [["paste"], ["paste", "-t", "UTF8_STRING"], ["show"], ["types"]],
      ReadStage.allCases)
    func killedWhileReading(arguments: [String], stage: ReadStage) throws {
      let (script, asked) = stage.script
      // The list is all that types asks for.
      if arguments == ["types"], stage != .beforeList { return }
      let server = try XServer()
      let owner = try BackgroundPeer(server, owning: script)
      let child = try ChildProcess(
        Programs.clipview, arguments + ["--timeout", "60"],
        environment: server.environment(["SWIFT_BACKTRACE": "enable=no"]))
      let isAsked = child.settle { _ in owner.requests.contains(asked) }
      #expect(isAsked)
      if stage == .insideOfIncrements {
        // Until the owner has nothing more to say.
        #expect(child.settle { _ in owner.chunksSent >= 3 })
      }
      server.crash()
      // show gives all of its reads two seconds: the end of the server does not wait for them.
      let result = child.finish(within: 10)
      #expect(result.isFailure(3), "\(result)")
    }

    @Test("A hot key is silent then too", arguments: ["plain", "flat"])
    func killedUnderHotKey(command: String) throws {
      let (script, asked) = ReadStage.beforeContent.script
      let server = try XServer()
      let owner = try BackgroundPeer(server, owning: script)
      let child = try ChildProcess(
        Programs.clipview, [command, "--timeout", "60"], environment: server.environment())
      #expect(child.settle { _ in owner.requests.contains(asked) })
      server.crash()
      #expect(child.finish(within: 10).isSilentFailure(3))
    }

    @Test("Killed at any moment of a paste: content, nothing, or exit 3 and one message")
    func killedAtRandom() throws {
      var numbers = SeededGenerator(seed: 5)
      for _ in 0..<12 {
        let server = try XServer()
        var script = OwnerScript([RawTarget("UTF8_STRING", numberedText(100_000))])
        script.increments = .init(chunk: 1000)
        let owner = try BackgroundPeer(server, owning: script)
        let child = try ChildProcess(
          Programs.clipview, ["paste", "--timeout", "60"],
          environment: server.environment(["SWIFT_BACKTRACE": "enable=no"]))
        child.settle(within: Double.random(in: 0...0.03, using: &numbers)) { _ in false }
        server.crash()
        let result = child.finish(within: 10)
        let isWhole = result.status == 0 && result.output.count == 100_000 && result.errors == ""
        #expect(isWhole || result.isFailure(3), "\(result)")
        withExtendedLifetime(owner) {}
      }
    }
  }
}
