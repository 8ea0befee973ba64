import TestSupport
import Testing

private let binary = "application/octet-stream"

extension InSway {
  /// Each test ends a compositor, so each has one of its own.
  @Suite("Compositors that go away")
  struct LostCompositorTests {
    let desk: SwayDesk

    init() throws { desk = try SwayDesk(SwayCompositor()) }

    @Test(
      "A watch ends with exit 3 and a message", arguments: [[], ["--exec", "cat"], ["--json"]])
    func watchOfLostCompositor(_ arguments: [String]) throws {
      let child = try ChildProcess(
        Programs.clipview, ["watch", "-v"] + arguments,
        environment: desk.compositor.environment())
      #expect(child.settle { text($0.receivedErrors).contains("watching the ") })
      let time = try #require(Processes.processorTime(of: child.pid))
      _ = eventually(within: 0.3) { false }
      #expect(try #require(Processes.processorTime(of: child.pid)) - time < 3, "it waits, no spin")
      desk.compositor.crash()
      let result = child.finish(within: 10)
      #expect(result.status == 3, "\(result)")
      #expect(result.errors.hasSuffix("display was lost: see whether it still runs\n"))
    }

    @Test("A copy in the foreground ends with exit 3 and a message", arguments: [false, true])
    func foregroundCopyInLostCompositor(isInTransfer: Bool) throws {
      let child = try ChildProcess(
        Programs.clipview, ["copy", "--foreground", "-t", binary],
        environment: desk.compositor.environment(),
        options: SpawnOptions(input: .bytes(scrambledBytes(3_000_000))))
      #expect(
        try child.settle { _ in
          try desk.clipview("types").status == 0
        })
      var options = SpawnOptions()
      options.startsGroup = true
      let stalled =
        isInTransfer
        ? try ChildProcess(
          "sh", ["-c", "wl-paste -n -t \(binary) | sleep 60"],
          environment: desk.compositor.environment(), options: options) : nil
      desk.compositor.crash()
      let result = child.finish(within: 20)
      #expect(result.isFailure(3), "\(result)")
      #expect(result.errors.contains("the connection to the display was lost"))
      if let stalled { Processes.send(signal: 9, to: -stalled.pid) }
    }

    @Test("What serves a copy ends, and leaves no process behind")
    func detachedServerInLostCompositor() throws {
      try desk.copy(scrambledBytes(3_000_000), "-t", binary)
      let serving = try desk.servingProcess()
      desk.compositor.crash()
      #expect(eventually { !Processes.isRunning(serving) })
      #expect(desk.servers == [])
    }

    @Test(
      "A compositor that is stopped is exit 4 in time",
      arguments: [["paste"], ["copy", "--text", "x"], ["clear"], ["types"]])
    func stoppedCompositor(_ arguments: [String]) throws {
      Processes.send(signal: 19, to: desk.compositor.pid)
      defer { Processes.send(signal: 18, to: desk.compositor.pid) }
      let result = try run(
        Programs.clipview, arguments + ["--timeout", "0.3"],
        environment: desk.compositor.environment(), timeout: 20)
      #expect(result.isFailure(4), "\(result)")
      #expect(result.errors.contains("the display did not answer in 0.3 s"))
    }
  }

  @Suite("Owners that stop or go away in sway")
  struct LostOwnerTests {
    let desk: SwayDesk

    init() throws { desk = try SwayDesk() }

    @Test(
      "C11: a stopped source is exit 4 in time",
      arguments: [["paste"], ["paste", "-t", "text/plain"], ["plain"], ["save", "-"]])
    func c11StoppedSource(_ arguments: [String]) throws {
      try desk.wlCopy(Array("text".utf8), ["-t", "text/plain"])
      let servers = try desk.wlCopyServers()
      for server in servers { Processes.send(signal: 19, to: server) }
      defer { for server in servers { Processes.send(signal: 18, to: server) } }
      let result = try run(
        Programs.clipview, arguments + ["--timeout", "0.3"],
        environment: desk.compositor.environment(), timeout: 20)
      #expect(result.status == 4, "\(result)")
      #expect(result.output == [])
      // What is offered is known all the same.
      #expect(try desk.clipview("types").text.hasPrefix("text/plain\n"))
    }

    @Test("A source that is killed leaves an empty clipboard")
    func killedSource() throws {
      try desk.wlCopy(Array("text".utf8))
      for server in try desk.wlCopyServers() { Processes.send(signal: 9, to: server) }
      #expect(eventually { (try? desk.clipview("types").status) == 1 })
      #expect(try desk.clipview("paste").isFailure(1))
    }

    @Test("What clipview serves is gone with its process, and nothing else with it")
    func killedClipview() throws {
      try desk.copy(Array("primary".utf8), "-p")
      try desk.copy(Array("clipboard".utf8))
      #expect(eventually { desk.servers.count == 2 })
      let all = desk.servers
      try desk.copy(Array("next".utf8))
      #expect(eventually { desk.servers.count == 2 })
      let new = desk.servers.filter { !all.contains($0) }
      for server in new { Processes.send(signal: 9, to: server) }
      #expect(eventually { (try? desk.clipview("types").status) == 1 })
      #expect(text(try desk.paste("-p")) == "primary")
    }
  }
}
