import TestSupport
import Testing

extension OnDisplay {
  @Suite("Watch with a command")
  struct WatchCommandTests {
    let desk: Desk
    let directory = TemporaryDirectory()

    init() throws { desk = try Desk() }

    /// A script in which `DIR` is the test's directory.
    private func script(_ text: String) -> String { text.replacing("DIR", with: directory.path) }

    private func file(_ name: String) -> String {
      (try? Files.read("\(directory.path)/\(name)")).map { text($0) } ?? ""
    }

    @Test("Through a thousand fast changes: never two at once, the last one is seen, no zombie")
    func thousandChanges() throws {
      // A second one at the same time would find the directory there.
      let watching = try Watching(
        desk, "--exec", script("mkdir DIR/running || echo two; cat; echo; rmdir DIR/running"))
      let owners = try [BackgroundPeer(desk.server), BackgroundPeer(desk.server)]
      // First from one to the other, then one that takes it anew as fast as it can.
      for number in 1...500 {
        try owners[number % 2].own(OwnerScript("UTF8_STRING", "\(number)"))
      }
      try owners[0].perform { peer in
        for number in 501...1000 {
          var script = OwnerScript("UTF8_STRING", number < 1000 ? "\(number)" : "last")
          script.refusesEarlierRequests = true
          try peer.own(script)
        }
      }
      #expect(watching.child.settle(within: 60) { _ in watching.lines.last == "last" })
      // What has ended has been asked for its end, and nothing else runs.
      #expect(
        watching.child.settle { _ in Processes.children(of: watching.child.pid).isEmpty })
      let result = watching.interrupt()
      #expect(result.ending == .exited(130))
      #expect(!watching.lines.contains("two"))
      #expect(watching.lines.count { $0 == "last" } <= 2)
      #expect(watching.messages.isEmpty, "\(watching.messages.prefix(3))")
    }

    @Test("While it runs the latest change wins; what came between is passed over unread")
    func latestWins() throws {
      let watching = try Watching(
        desk, "--exec", script("cat; echo; while [ ! -e DIR/go ]; do sleep 0.01; done"))
      let owner = try BackgroundPeer(desk.server)
      try owner.own(OwnerScript("UTF8_STRING", "1"))
      #expect(watching.hasLines(1))
      let asked = owner.requests.count
      for number in 2...5 { try owner.own(OwnerScript("UTF8_STRING", "\(number)")) }
      #expect(owner.requests.count == asked)
      try directory.write([], to: "go")
      #expect(watching.hasLines(2))
      _ = watching.interrupt()
      #expect(watching.lines == ["1", "5"])
    }

    /// Prints the state and the environment as one line, what it reads behind it.
    private let telling =
      "echo \"$CLIPBOARD_STATE|$CLIPVIEW_SENSITIVE|$CLIPVIEW_SELECTION|$CLIPVIEW_TYPE|"
      + "${CLIPBOARD_TYPE-none}|$(printf %s \"$CLIPVIEW_TYPES\" | tr '\\n' ,)|$(cat)|"
      + "$(readlink /proc/$$/fd/0)\""

    @Test("The environment tells the state, the selection, the types; the input is the text")
    func environment() throws {
      let watching = try Watching(desk, "-p", "--initial", "--exec", telling)
      #expect(watching.hasLines(1))
      let null = "|||/dev/null"
      #expect(watching.lines.last == "nil|0|primary||none\(null)")
      do {
        let owner = try desk.owner(
          RawTarget("TARGETS", "x"), RawTarget("text/html", "<b>one</b>"),
          RawTarget("UTF8_STRING", "one"), RawTarget("x-odd/\u{1B}\n", "x"), selection: "PRIMARY")
        #expect(watching.hasLines(2))
        let prefix =
          "data|0|primary|public.utf8-plain-text|text/plain;charset=utf-8|"
          + "text/html,UTF8_STRING,x-odd/␛␊|one|"
        #expect(watching.lines.last?.hasPrefix(prefix) == true, "\(watching.lines)")
        try owner.own(OwnerScript([RawTarget("image/png", [65])]), selection: "PRIMARY")
        #expect(watching.hasLines(3))
        #expect(
          watching.lines.last?.hasPrefix("data|0|primary|public.png|image/png|image/png|A|") == true
        )
        try owner.release("PRIMARY")
        #expect(watching.hasLines(4))
        #expect(watching.lines.last == "clear|0|primary||none\(null)")
        try owner.own(OwnerScript("UTF8_STRING", ""), selection: "PRIMARY")
        #expect(watching.hasLines(5))
        // Zero bytes are content.
        #expect(watching.lines.last?.hasPrefix("data|0|primary|public.utf8-plain-text|") == true)
      }
      #expect(watching.hasLines(6))
      #expect(watching.lines.last == "nil|0|primary||none\(null)")
      let secret = try Capture("keepassxc-x11-password")
      let owner = try desk.owner(secret.script, selection: "PRIMARY")
      #expect(watching.hasLines(7))
      let password = text(try #require(secret["UTF8_STRING"]))
      #expect(watching.lines.last?.hasPrefix("sensitive|1|primary|") == true)
      #expect(watching.lines.last?.contains("|\(password)|") == true)
      _ = watching.interrupt()
      #expect(watching.messages.isEmpty)
      withExtendedLifetime(owner) {}
    }

    @Test("Large content arrives whole, may be ignored, and may be read twice")
    func largeContent() throws {
      let bytes = scrambledBytes(3_000_000)
      let watching = try Watching(
        desk, "--exec",
        script(
          """
          case $CLIPVIEW_TYPES in
          x-ignored) echo ignored;;
          *) cat > DIR/content; head -c 4; cat /proc/self/fd/0 > DIR/again; echo done;;
          esac
          """))
      let owner = try desk.owner(RawTarget("x-ignored", bytes))
      #expect(watching.hasLines(1))
      try owner.own(OwnerScript([RawTarget("x-large", bytes)]))
      #expect(watching.hasLines(2))
      #expect(watching.lines == ["ignored", "done"])
      #expect(difference(try Files.read("\(directory.path)/content"), bytes) == nil)
      #expect(difference(try Files.read("\(directory.path)/again"), bytes) == nil)
      #expect(watching.interrupt().status == 130)
    }

    @Test("What it leaves running in the background holds nothing up")
    func backgroundIsNotWaitedFor() throws {
      let watching = try Watching(
        desk, "--exec", script("sleep 30 >/dev/null 2>&1 & echo $! >> DIR/pids; cat; echo"))
      let owner = try desk.owner(RawTarget("UTF8_STRING", "1"))
      #expect(watching.hasLines(1))
      try owner.own(OwnerScript("UTF8_STRING", "2"))
      #expect(watching.hasLines(2))
      #expect(watching.lines == ["1", "2"])
      _ = watching.interrupt()
      for pid in file("pids").split(separator: "\n").compactMap({ Int32($0) }) {
        #expect(Processes.isRunning(pid))
        Processes.send(signal: 9, to: pid)
      }
    }

    @Test("How it fails is told with -v and by nothing else, and the watch goes on")
    func failures() throws {
      let watching = try Watching(
        desk, "--exec",
        "case $(cat) in 1) exit 3;; 2) no-such-command 2>/dev/null;; 3) kill -9 $$;; *) echo ok;; esac"
      )
      let owner = try BackgroundPeer(desk.server)
      for number in 1...3 {
        try owner.own(OwnerScript("UTF8_STRING", "\(number)"))
        #expect(watching.child.settle { _ in watching.messages.count == number })
      }
      try owner.own(OwnerScript("UTF8_STRING", "4"))
      #expect(watching.hasLines(1))
      _ = watching.interrupt()
      try #require(watching.messages.count == 3, "\(watching.messages)")
      #expect(watching.messages[0].hasSuffix("failed with exit status 3"))
      #expect(watching.messages[1].contains("127"))
      #expect(watching.messages[2].hasSuffix("ended by signal 9"))
      let quiet = try ChildProcess(
        Programs.clipview, ["watch", "--initial", "--exec", "echo ran; exit 7"],
        environment: desk.server.environment())
      #expect(quiet.settle { !$0.received.isEmpty })
      #expect(quiet.settle { Processes.children(of: $0.pid).isEmpty })
      quiet.send(signal: 15)
      let result = quiet.finish(within: 10)
      #expect(result.ending == .exited(143) && result.errors.isEmpty, "\(result)")
    }

    @Test("It starts with descriptors 0 to 2, no signal blocked, and SIGPIPE as it is by default")
    func cleanStart() throws {
      let watching = try Watching(
        desk, "--initial", "--exec",
        """
        for n in 3 4 5 6 7 8 9 10 11 12 13 14 15; do [ -e /proc/$$/fd/$n ] && echo open $n; done
        exec grep -E '^Sig(Blk|Ign)' /proc/self/status
        """)
      #expect(watching.hasLines(2))
      _ = watching.interrupt()
      #expect(watching.lines.count == 2)
      for line in watching.lines {
        let mask = line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        // Only signals that the tests' caller ignores may be: SIGPIPE (13) and SIGCHLD (17) are ours.
        let ours: UInt64 = line.hasPrefix("SigBlk") ? .max : 1 << 12 | 1 << 16
        #expect(mask.map { $0 & ours } == 0, "\(line)")
      }
    }

    @Test("What ends the watch ends the command that runs", arguments: [2, 15] as [Int32])
    func endsTogether(signal: Int32) throws {
      let watching = try Watching(desk, "--initial", "--exec", "echo $$; exec sleep 60")
      #expect(watching.hasLines(1))
      let pid = try #require(watching.lines.first.flatMap { Int32($0) })
      #expect(Processes.isRunning(pid))
      watching.child.send(signal: signal)
      #expect(watching.child.finish(within: 10).ending == .exited(128 + signal))
      #expect(eventually { !Processes.isRunning(pid) })
    }

    @Test("Ctrl-C ends it while an owner hangs and while the display does")
    func endsWhileWaiting() throws {
      let desk = try Desk(try XServer())
      let watching = try Watching(desk, "--exec", "cat")
      var script = OwnerScript("UTF8_STRING", "x")
      script.silent = ["*"]
      let owner = try desk.owner(script)
      #expect(watching.child.settle { _ in owner.requests.contains("UTF8_STRING") })
      Processes.send(signal: 19, to: desk.server.pid)
      defer { Processes.send(signal: 18, to: desk.server.pid) }
      #expect(watching.interrupt().ending == .exited(130))
    }

    @Test("An owner that hangs costs one warning, and the next change runs the command")
    func hungOwner() throws {
      let watching = try Watching(desk, "--timeout", "0.2", "--exec", "cat; echo")
      var script = OwnerScript("UTF8_STRING", "x")
      script.silent = ["*"]
      let hung = try desk.owner(script)
      #expect(watching.child.settle { _ in watching.messages.count == 1 })
      let next = try desk.owner(RawTarget("UTF8_STRING", "next"))
      #expect(watching.hasLines(1))
      _ = watching.interrupt()
      #expect(watching.lines == ["next"])
      #expect(watching.messages.count == 1)
      #expect(watching.messages.first?.contains("did not answer in 0.2 s") == true)
      withExtendedLifetime((hung, next)) {}
    }

    @Test("Without a command, or with --json, it is a usage error")
    func usage() throws {
      #expect(try desk.clipview("watch", "--exec", "").isFailure(2))
      #expect(try desk.clipview("watch", "--exec", "cat", "--json").isFailure(2))
      #expect(try desk.clipview("watch", "something").isFailure(2))
    }
  }
}
