import TestSupport
import Testing

extension OnDisplay {
  @Suite("Watch, line by line")
  struct WatchLinesTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test(
      "Each change is a line: selection, owner, what it has; nothing is read",
      arguments: ["clipboard", "primary", "secondary"])
    func changesAreLines(selection: String) throws {
      let watching = try Watching(desk, "-s", selection)
      let owner = try BackgroundPeer(desk.server)
      try owner.perform { try $0.setClass("editor") }
      let atom = selection.uppercased()
      try owner.own(
        OwnerScript([
          RawTarget("text/html", "<b>one</b>"), RawTarget("UTF8_STRING", "one"),
          RawTarget("STRING", "one"), RawTarget("image/png", [1]), RawTarget("x-odd", [2]),
        ]), selection: atom)
      #expect(watching.hasLines(1))
      try owner.release(atom)
      #expect(watching.hasLines(2))
      let result = watching.interrupt()
      #expect(result.ending == .exited(130))
      #expect(watching.messages.isEmpty)
      let lines = watching.lines
      try #require(lines.count == 2, "\(lines)")
      let fields = lines[0].split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      #expect(fields.dropFirst() == [selection, "editor", "html,", "text,", "png,", "x-odd"])
      #expect(fields[0].split(separator: ":").compactMap { Int($0) }.count == 3)
      #expect(lines[1].contains(selection) && lines[1].hasSuffix("empty: cleared"))
      #expect(Set(owner.requests) == ["TARGETS"])
    }

    @Test("With --json each line is the object of show --no-read, without items where nothing is")
    func linesAreObjects() throws {
      let watching = try Watching(desk, "--json")
      let owner = try desk.owner(
        RawTarget("text/markdown", "# one"), RawTarget("UTF8_STRING", "# one"))
      #expect(watching.hasLines(1))
      let shown = try desk.clipview("show", "--no-read", "--json")
      try owner.release()
      #expect(watching.hasLines(2))
      _ = watching.interrupt()
      #expect(watching.lines.first.map { $0 + "\n" } == shown.text)
      let empty = try #require(watching.lines.last.flatMap { JSON($0) })
      #expect(empty["schema"]?.int == 1)
      #expect(empty["owner"] == .null)
      #expect(empty["items"]?.array == [])
      #expect(empty.names == JSON(shown.text)?.names)
    }

    @Test("--initial begins with what is there; without it the first line is the first change")
    func initial() throws {
      let empty = try Watching(desk, "--initial")
      #expect(empty.hasLines(1))
      #expect(empty.lines.first?.hasSuffix("empty") == true)
      let first = try desk.owner(RawTarget("text/html", "<b>"))
      let full = try Watching(desk, "--initial")
      let later = try Watching(desk)
      #expect(full.hasLines(1))
      #expect(full.lines.first?.hasSuffix("html") == true)
      let second = try desk.owner(RawTarget("UTF8_STRING", "two"))
      #expect(later.hasLines(1) && full.hasLines(2))
      #expect(later.lines.first?.hasSuffix("text") == true)
      for watching in [empty, full, later] { #expect(watching.interrupt().status == 130) }
      #expect(full.lines.count == 2 && later.lines.count == 1)
      withExtendedLifetime((first, second)) {}
    }

    @Test("A thousand copies of xclip and xsel in turn are a thousand lines")
    func thousandCopies() throws {
      let watching = try Watching(desk, "--json")
      let script = """
        n=0
        while [ $n -lt 900 ]; do
          n=$((n + 1))
          echo $n | xclip -selection clipboard -i >/dev/null 2>&1
        done
        """
      let copier = try ChildProcess(
        "sh", ["-c", script], environment: desk.server.environment(),
        options: SpawnOptions(outputs: .discarded))
      #expect(watching.child.settle(within: 120) { _ in !copier.isRunning })
      #expect(watching.hasLines(900))
      // In turn they need a wait for each: xsel's claim is void where xclip, which returns before its
      // own has arrived, comes in between.
      for number in 1...50 {
        try desk.xselIn(Array("\(number)".utf8))
        try desk.xclipIn(Array("\(number)".utf8))
      }
      #expect(watching.hasLines(1000))
      let result = watching.interrupt()
      #expect(watching.lines.count == 1000)
      #expect(watching.messages.isEmpty, "\(watching.messages)")
      #expect(watching.lines.allSatisfy { JSON($0)?["schema"]?.int == 1 })
      #expect(result.ending == .exited(130))
    }

    @Test("What owners are called and what they offer does nothing to a terminal")
    func namesAreSafe() throws {
      let evil = "\u{1B}]0;title\u{7}\u{202E}\u{8}\u{9B}31m\u{2066}\u{7F}\nx"
      for outputs in [SpawnOptions.Outputs.captured, .terminal] {
        let watching = try Watching(desk, outputs: outputs)
        let owner = try BackgroundPeer(desk.server)
        try owner.perform { try $0.setClass("evil\(evil)") }
        try owner.own(
          OwnerScript([RawTarget("x-odd/\(evil)", "x"), RawTarget("UTF8_STRING", "x")]))
        #expect(watching.child.settle { _ in watching.output.contains("text") })
        _ = watching.interrupt()
        // Our own emphasis on a terminal is the only escape.
        var output = watching.output
        for own in ["\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m"] {
          output = output.replacing(own, with: "")
        }
        for scalar in "\u{1B}\u{7}\u{8}\u{202E}\u{2066}\u{9B}\u{7F}".unicodeScalars {
          #expect(!output.unicodeScalars.contains(scalar), "\(scalar.value)")
        }
        #expect(output.contains("␛]0;title") && output.contains("⟨U+202E⟩"))
        #expect(output.split(separator: "\n").count { $0.contains("text") } == 1)
      }
    }

    @Test("Secret content is marked as such and not read")
    func secretsAreMarked() throws {
      let watching = try Watching(desk)
      let owner = try desk.owner(try Capture("keepassxc-x11-password").script)
      #expect(watching.hasLines(1))
      #expect(watching.lines.first?.hasSuffix("(secret)") == true)
      #expect(Set(owner.requests) == ["TARGETS"])
    }

    @Test("An owner that hangs costs one warning, and the watch goes on")
    func hungOwner() throws {
      let watching = try Watching(desk, "--timeout", "0.2")
      var script = OwnerScript("UTF8_STRING", "x")
      script.list = .silent
      let hung = try desk.owner(script)
      #expect(watching.hasLines(1))
      #expect(watching.lines.first?.hasSuffix("does not answer") == true)
      let next = try desk.owner(RawTarget("UTF8_STRING", "next"))
      #expect(watching.hasLines(2))
      _ = watching.interrupt()
      #expect(watching.lines.last?.hasSuffix("text") == true)
      #expect(watching.messages.count == 1, "\(watching.messages)")
      withExtendedLifetime((hung, next)) {}
    }

    @Test("An owner that is replaced before it answers is a line, and none of its own warning")
    func replacedOwner() throws {
      let watching = try Watching(desk)
      var script = OwnerScript("UTF8_STRING", "x")
      script.list = .silent
      let hung = try desk.owner(script)
      #expect(watching.child.settle { _ in !hung.requests.isEmpty })
      let next = try desk.owner(RawTarget("UTF8_STRING", "next"))
      #expect(watching.hasLines(2))
      _ = watching.interrupt()
      #expect(watching.lines.count == 2)
      #expect(watching.lines.first?.hasSuffix("replaced before it told what it has") == true)
      #expect(watching.lines.last?.hasSuffix("text") == true)
      #expect(watching.messages.isEmpty, "\(watching.messages)")
      withExtendedLifetime(next) {}
    }

    @Test("One that refuses to tell what it has is a line without a complaint")
    func refusingOwner() throws {
      let watching = try Watching(desk)
      var script = OwnerScript("UTF8_STRING", "x")
      script.list = .refused
      let owner = try desk.owner(script)
      #expect(watching.hasLines(1))
      #expect(watching.lines.first?.hasSuffix("does not tell what it has") == true)
      #expect(watching.messages.isEmpty)
      withExtendedLifetime(owner) {}
    }

    @Test("Ctrl-C is 130 and a termination 143, without a word", arguments: [2, 15, 1] as [Int32])
    func signalsEndIt(signal: Int32) throws {
      let watching = try Watching(desk)
      watching.child.send(signal: signal)
      #expect(watching.child.finish(within: 10).ending == .exited(128 + signal))
      #expect(watching.messages.isEmpty && watching.output.isEmpty)
    }

    @Test("A reader that goes away ends it at once and quietly, without a change")
    func closedPipe() throws {
      for watching in [try Watching(desk), try Watching(desk, "--exec", "cat")] {
        watching.child.closeOutput()
        #expect(watching.child.finish(within: 10).ending == .signalled(13))
        #expect(watching.messages.isEmpty)
      }
    }

    @Test("A server that goes away is exit 3 with a message", arguments: [[], ["--exec", "cat"]])
    func lostServer(arguments: [String]) throws {
      let desk = try Desk(try XServer())
      let child = try ChildProcess(
        Programs.clipview, ["watch", "--initial"] + arguments,
        environment: desk.server.environment())
      if arguments.isEmpty {
        child.settle { !$0.received.isEmpty }
      } else {
        // A command that has ended has been waited for.
        try desk.peer.own(OwnerScript("UTF8_STRING", "ready"))
        child.settle { child in
          _ = try? desk.peer.turn()
          return !child.received.isEmpty
        }
      }
      desk.server.crash()
      let result = child.finish(within: 10)
      #expect(result.status == 3, "\(result)")
      #expect(result.isOneMessage, "\(result)")
    }

    @Test("As long as nothing changes it does not wake up", arguments: [[], ["--exec", "cat"]])
    func idle(arguments: [String]) throws {
      let desk = desk
      let owner = try desk.owner(RawTarget("UTF8_STRING", "text\n"))
      let child = try ChildProcess(
        Programs.clipview, ["watch", "--initial"] + arguments,
        environment: desk.server.environment())
      #expect(child.settle { !$0.received.isEmpty })
      var last = -1
      // Until it sleeps: the line is not the last thing it does.
      #expect(
        eventually {
          defer { last = Processes.sleeps(of: child.pid) ?? -1 }
          _ = eventually(within: 0.05) { false }
          return last == Processes.sleeps(of: child.pid)
        })
      let before = try #require(Processes.sleeps(of: child.pid))
      _ = eventually(within: 1) { false }
      #expect(Processes.sleeps(of: child.pid) == before)
      withExtendedLifetime(owner) {}
    }

    @Test("A display without XFIXES is a clear error")
    func displayWithoutFixes() throws {
      let desk = try Desk(try XServer(arguments: ["-extension", "XFIXES"]))
      let result = try desk.clipview("watch")
      #expect(result.isFailure(3), "\(result)")
      #expect(result.errors.contains("XFixes"))
    }
  }
}
