import TestSupport
import Testing

extension OnDisplay {
  @Suite("Detachment")
  struct DetachmentTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    /// Runs a shell script in which `$clipview` is the program.
    ///
    /// The time allowed is that of a hang,
    /// since nothing may wait for the process that serves the selection.
    private func shell(
      _ script: String, outputs: SpawnOptions.Outputs = .captured
    ) throws -> ProcessResult {
      try run(
        "sh", ["-c", script], outputs: outputs,
        environment: desk.server.environment(["clipview": Programs.clipview]), timeout: 20)
    }

    @Test(
      "C30: command substitution and pipes end with the copy",
      arguments: [
        "x=$(echo hi | \"$clipview\" copy); echo \"[$x]\"",
        "echo hi | \"$clipview\" copy | cat; echo '[]'",
        "x=$(\"$clipview\" copy --text hi | cat); echo \"[$x]\"",
      ])
    func c30OutputIsNotHeld(script: String) throws {
      let result = try shell(script)
      #expect(result.ending == .exited(0), "\(result)")
      #expect(result.text == "[]\n")
      #expect(try desk.peer.ask("UTF8_STRING").value?.text.hasPrefix("hi") == true)
    }

    @Test(
      "C31: nor is standard error held, nor any other descriptor",
      arguments: [
        "x=$(echo hi | \"$clipview\" copy 2>&1); echo \"[$x]\"",
        "echo hi | \"$clipview\" copy 2>&1 | cat; echo '[]'",
        "echo hi | \"$clipview\" copy 2>&1 7>&1 9>&1 | cat; echo '[]'",
        "x=$(\"$clipview\" copy --text hi 2>&1 9>&1 </dev/null); echo \"[$x]\"",
      ])
    func c31ErrorsAreNotHeld(script: String) throws {
      let result = try shell(script)
      #expect(result.ending == .exited(0), "\(result)")
      #expect(result.text == "[]\n")
      #expect(try desk.peer.ask("UTF8_STRING").value?.text.hasPrefix("hi") == true)
    }

    @Test("C30: plain and flat hold nothing either", arguments: ["plain", "flat"])
    func c30ReshapingHoldsNothing(command: String) throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "text"))
      let result = try desk.clipview(command)
      #expect(result.isSilentSuccess, "\(result)")
      withExtendedLifetime(owner) {}
    }

    @Test("C32: a terminal that closes right after the copy leaves the content")
    func c32TerminalCloses() throws {
      // The program leads the session here, so its end hangs the terminal up.
      for number in 1...20 {
        let result = try desk.clipview("copy", "--text", "\(number)", outputs: .terminal)
        #expect(result.ending == .exited(0), "\(result)")
        #expect(result.output.isEmpty)
        #expect(try desk.peer.ask("UTF8_STRING").value?.text == "\(number)")
      }
    }

    @Test("C32: signals to the caller's group neither end nor freeze what serves the content")
    func c32CallersSignalsDoNotReachServer() throws {
      var options = SpawnOptions(input: .open)
      options.startsGroup = true
      let child = try ChildProcess(
        "sh",
        [
          "-c", "trap '' HUP INT TERM; \"$0\" copy --text text; echo done; read x",
          Programs.clipview,
        ],
        environment: desk.server.environment(), options: options)
      #expect(child.settle { $0.received == Array("done\n".utf8) })
      for signal in [1, 2, 15, 19] as [Int32] { child.send(groupSignal: signal) }
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "text")
      #expect(text(try desk.paste()) == "text")
    }

    @Test("What serves the content has its own session and none of the caller's descriptors")
    func serverIsDetached() throws {
      try desk.copy("text")
      let server = try desk.servingProcess()
      #expect(desk.servers.count == 1)
      #expect(Processes.session(of: server) != Processes.session(of: Processes.own))
      let descriptors = OpenDescriptors(of: server).targets
      for standard in Int32(0)...2 { #expect(descriptors[standard] == "/dev/null") }
      for (number, target) in descriptors where number > 2 {
        let isOwn =
          target.hasPrefix("socket:") || target.hasPrefix("anon_inode:")
          || target.hasPrefix("/memfd:")
        #expect(isOwn, "\(number) → \(target)")
      }
      #expect(Files.destination(ofLink: "/proc/\(server)/cwd") == "/")
    }

    @Test("The server of a copy answers while its caller is stopped and after it is gone")
    func serverOutlivesCaller() throws {
      let caller = try ChildProcess(
        "sh", ["-c", "\"$0\" copy --text text; echo done; kill -STOP $$; :", Programs.clipview],
        environment: desk.server.environment())
      #expect(caller.settle { $0.received == Array("done\n".utf8) })
      #expect(eventually { Processes.isStopped(caller.pid) })
      let server = try desk.servingProcess()
      #expect(text(try desk.paste()) == "text")
      caller.send(signal: 9)
      #expect(caller.finish(within: 10).ending == .signalled(9))
      #expect(text(try desk.paste()) == "text")
      #expect(desk.servers == [server])
    }
  }
}
