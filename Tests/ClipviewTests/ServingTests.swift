import TestSupport
import Testing

private let binary = "application/octet-stream"
private let hint = "x-kde-passwordManagerHint"
private let terms = "application/x-clipview-terms"

extension Desk {
  /// Whether the selection has no owner and nothing serves it, before long.
  func isOver() throws -> Bool {
    try eventually { try peer.owner(of: "CLIPBOARD") == 0 && servers.isEmpty }
  }
}

extension OnDisplay {
  @Suite("copy --once")
  struct OnceTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("One paste is served, then the selection has no owner and nothing is left running")
    func onceIsOnePaste() throws {
      try desk.copy("text", "--once")
      #expect(text(try desk.paste()) == "text")
      #expect(try desk.isOver())
      #expect(try desk.clipview("paste").isFailure(1))
    }

    @Test("Looking at what is there, and at what marks it, is no paste")
    func onceSurvivesManagers() throws {
      try desk.copy("text", "--once", "--sensitive")
      let manager = try RawPeer(desk.server)
      for _ in 0..<3 {
        #expect(try manager.targets()?.contains("UTF8_STRING") == true)
        #expect(try manager.ask("TIMESTAMP").value?.type == "INTEGER")
        #expect(try manager.ask(hint).value?.text == "secret")
        #expect(
          try manager.ask(terms).value?.text == #"{"schema":1,"once":true,"taken":false}"#)
        #expect(try manager.ask("x/unheard-of") == .refused)
      }
      // Nor is what our own commands look at.
      #expect(lines(try desk.clipview("types").output).contains(hint))
      let shown = try desk.clipview("show")
      #expect(shown.status == 0 && shown.text.contains("one paste"), "\(shown)")
      let json = try #require(JSON(try desk.clipview("show", "--json").text))
      #expect(json["terms"]?["once"]?.bool == true && json["terms"]?["taken"]?.bool == false)
      #expect(json["sensitive"]?.bool == true)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "text")
      #expect(try desk.isOver())
    }

    @Test("Who was served may ask for more at once, nobody else gets anything")
    func onceIsForOneReader() throws {
      try desk.copy("text", "--once")
      let other = try RawPeer(desk.server)
      let answers = try desk.peer.ask(all: ["UTF8_STRING", "text/plain", "STRING"])
      #expect(answers.map { $0.value?.text } == ["text", "text", "text"])
      // Refused by us or, when it is over already, by the server.
      #expect(try other.ask("UTF8_STRING") == .refused)
      #expect(try desk.isOver())
      withExtendedLifetime(other) {}
    }

    @Test("A client is one reader, whichever of its windows asks")
    func onceKnowsClients() throws {
      try desk.copy("text", "--once")
      let answers = try desk.peer.ask(all: ["UTF8_STRING", "text/plain"], fromOwnWindows: true)
      #expect(answers.map { $0.value?.text } == ["text", "text"])
      #expect(try desk.isOver())
    }

    @Test("Several targets in one request are one paste")
    func onceServesMultiple() throws {
      try desk.copy("text", "--once")
      let result = try #require(
        try desk.peer.multiple(["TARGETS", "UTF8_STRING", "x/unheard-of", "text/plain"]))
      #expect(result.answers[1].value?.text == "text" && result.answers[2] == .refused)
      #expect(result.answers[3].value?.text == "text")
      #expect(try desk.isOver())
      // Several that are no content are none.
      try desk.copy("text", "--once")
      _ = try #require(try desk.peer.multiple(["TARGETS", "TIMESTAMP", terms]))
      #expect(try desk.xclipOut().text == "text")
    }

    @Test("A program that comes right after the reader has gone is not taken for it")
    func onceKnowsTheNextClient() throws {
      // The server gives the number of a client that has gone to the next one.
      for _ in 0..<5 {
        try desk.copy("text", "--once")
        #expect(try desk.xclipOut().text == "text")
        let second = try desk.xclipOut()
        #expect(second.status != 0 && second.output.isEmpty, "\(second)")
        #expect(try desk.isOver())
      }
    }

    @Test("64 MiB arrive whole before the end", .timeLimit(.minutes(2)))
    func onceSendsAllChunks() throws {
      let bytes = scrambledBytes(64 << 20)
      try desk.copy(bytes, "-t", binary, "--once")
      #expect(difference(try desk.xclipOut(target: binary).output, bytes) == nil)
      #expect(try desk.isOver())
    }

    @Test("While one reader takes its time others are refused; when it breaks off they are served")
    func onceIsFreeAgain() throws {
      let bytes = scrambledBytes(3_000_000)
      try desk.copy(bytes, "-t", binary, "--once")
      do {
        let reader = try RawPeer(desk.server)
        guard case .stalled = try reader.ask(binary, chunkLimit: 1) else {
          Issue.record("no INCR transfer to break off")
          return
        }
        #expect(try desk.peer.ask(binary) == .refused)
        let paste = try desk.clipview("paste", "-t", binary)
        #expect(paste.isFailure(1), "\(paste)")
        #expect(paste.errors.contains("one paste"))
        withExtendedLifetime(reader) {}
      }
      let isServed = try eventually {
        difference(try desk.peer.ask(binary).value?.bytes ?? [], bytes) == nil
      }
      #expect(isServed)
      #expect(try desk.isOver())
    }

    @Test("A reader that was gone before its turn has not had the paste")
    func onceWaitsForTheLiving() throws {
      try desk.copy("text", "--once")
      let server = try #require(desk.servers.first)
      Processes.send(signal: 19, to: server)
      do {
        let reader = try RawPeer(desk.server)
        try reader.convert("UTF8_STRING")
        try reader.synchronize()
      }
      // The server has noticed its end when it answers a client that came after.
      try RawPeer(desk.server).synchronize()
      Processes.send(signal: 18, to: server)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "text")
      #expect(try desk.isOver())
    }

    @Test("In the foreground the end is exit 0")
    func onceInForeground() throws {
      let child = try ChildProcess(
        Programs.clipview, ["copy", "--text", "text", "--once", "--foreground"],
        environment: desk.server.environment())
      #expect(try child.settle { _ in try desk.peer.owner(of: "CLIPBOARD") != 0 })
      #expect(text(try desk.paste()) == "text")
      let result = child.finish(within: 20)
      #expect(result.isSilentSuccess, "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
    }

    @Test("Replaced before anybody pasted, it ends like any other copy")
    func onceIsReplaced() throws {
      try desk.copy("text", "--once")
      try desk.copy("other")
      #expect(eventually { desk.servers.count == 1 })
      for _ in 0..<2 { #expect(text(try desk.paste()) == "other") }
    }

    @Test("Files that are cut are pasted once; whether they were cut may be asked before")
    func onceWithFiles() throws {
      let directory = TemporaryDirectory()
      let file = try directory.write([], to: "file")
      #expect(try desk.clipview("copy", "--cut", "--once", file).isSilentSuccess)
      for _ in 0..<2 {
        #expect(try RawPeer(desk.server).ask("application/x-kde-cutselection").value?.text == "1")
      }
      #expect(try desk.peer.ask("text/uri-list").value?.text.contains("/file") == true)
      #expect(try desk.isOver())
    }

    @Test("What the user declared a mark may be asked before, too")
    func onceKnowsDeclaredMarks() throws {
      let home = TemporaryDirectory()
      try Files.makeDirectory("\(home.path)/clipview")
      try Files.makeDirectory("\(home.path)/clipview/types.d")
      let row = "name\tclass\trole\ttype\tnote\napplication/x-mine\tmime\tmarker\n"
      try home.write(Array(row.utf8), to: "clipview/types.d/marks.tsv")
      let mark = try home.write(Array("1".utf8), to: "mark")
      let copied = try desk.clipview(
        "copy", "--text", "text", "--once", "--also", "application/x-mine=\(mark)",
        environment: ["XDG_CONFIG_HOME": home.path])
      #expect(copied.isSilentSuccess, "\(copied)")
      for _ in 0..<2 {
        #expect(try RawPeer(desk.server).ask("application/x-mine").value?.text == "1")
      }
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "text")
      #expect(try desk.isOver())
    }

    @Test("What is reshaped stays for one paste", arguments: ["plain", "flat"])
    func onceIsKept(command: String) throws {
      try desk.copy("text\n", "--once")
      #expect(try desk.clipview(command).isSilentSuccess)
      #expect(try desk.peer.ask(terms).value?.text.contains(#""once":true"#) == true)
      #expect(try desk.xclipOut().text.hasPrefix("text"))
      #expect(try desk.isOver())
    }
  }

  @Suite("copy --expire")
  struct ExpireTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("After its time the content is gone")
    func contentExpires() throws {
      try desk.copy("text", "--expire", "0.2")
      #expect(try desk.isOver())
      try desk.copy("text", "--expire", "100")
      for _ in 0..<2 { #expect(text(try desk.paste()) == "text") }
      let shown = try desk.clipview("show")
      #expect(shown.text.contains("gone in ") && shown.text.contains("│ text"), "\(shown)")
      let json = try #require(JSON(try desk.clipview("show", "--json").text))
      let left = try #require(json["terms"]?["lifetime_milliseconds"]?.int)
      #expect(left > 0 && left <= 100_000)
    }

    @Test("What comes after us is not touched")
    func expiryIsOnlyOurs() throws {
      try desk.copy("text", "--expire", "0.3")
      let owner = try desk.owner(RawTarget("UTF8_STRING", "other"))
      #expect(eventually { desk.servers.isEmpty })
      let end = Deadline(after: 0.3)
      #expect(eventually { end.isOver })
      #expect(text(try desk.paste()) == "other")
      withExtendedLifetime(owner) {}
    }

    @Test("A paste that has begun goes on to its end, another one does not begin")
    func expiryLetsTransfersEnd() throws {
      let bytes = scrambledBytes(3_000_000)
      try desk.copy(bytes, "-t", binary, "--expire", "2")
      guard case .stalled(let begun) = try desk.peer.ask(binary, chunkLimit: 1) else {
        Issue.record("no INCR transfer that could go on")
        return
      }
      let other = try RawPeer(desk.server)
      #expect(try eventually { try other.owner(of: "CLIPBOARD") == 0 })
      #expect(try other.ask(binary) == .refused)
      #expect(desk.servers.count == 1)
      let whole = try #require(try desk.peer.rest(of: begun).value)
      #expect(difference(whole.bytes, bytes) == nil)
      #expect(try desk.isOver())
    }

    @Test("A request that is looked at too late is refused, not served and not forgotten")
    func expiryRefusesLateRequests() throws {
      try desk.copy("text", "--expire", "0.5")
      let server = try #require(desk.servers.first)
      Processes.send(signal: 19, to: server)
      #expect(try desk.peer.ask("UTF8_STRING", timeout: 0.6) == .unanswered)
      Processes.send(signal: 18, to: server)
      #expect(try desk.peer.ask("UTF8_STRING") == .refused)
      #expect(try desk.isOver())
    }

    @Test("In the foreground the end is exit 0")
    func expiryInForeground() throws {
      let result = try desk.clipview(
        "copy", "--text", "text", "--expire", "0.1", "--foreground", "--once")
      #expect(result.isSilentSuccess, "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
    }

    @Test("What is reshaped has the rest of the time", arguments: ["plain", "flat"])
    func expiryIsKept(command: String) throws {
      try desk.copy("text\n", "--expire", "100", "--sensitive")
      #expect(try desk.clipview(command).isSilentSuccess)
      let json = try #require(JSON(try desk.clipview("show", "--json").text))
      let left = try #require(json["terms"]?["lifetime_milliseconds"]?.int)
      #expect(left > 0 && left <= 100_000)
      #expect(json["sensitive"]?.bool == true)
    }
  }

  @Suite("The end of serving")
  struct EndOfServingTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("The last answer arrives, although the process ends right behind it")
    func lastAnswerArrives() throws {
      let bytes = scrambledBytes(400_000)
      for _ in 0..<10 {
        try desk.copy(bytes, "-t", binary)
        guard case .stalled(let begun) = try desk.peer.ask(binary, chunkLimit: 0) else {
          Issue.record("no INCR transfer that could go on")
          return
        }
        try desk.copy("other")
        // Its announcement is still to be taken.
        let whole = try #require(try desk.peer.rest(of: begun, isAnnounced: true).value)
        #expect(difference(whole.bytes, bytes) == nil)
      }
    }
  }

  @Suite("copy --guard")
  struct GuardTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("While the guard is on content is refused, whoever asks and for whatever")
    func guardRefusesContent() throws {
      try desk.copy("text", "--guard", "600")
      #expect(try desk.peer.ask("TIMESTAMP").value?.type == "INTEGER")
      let targets = try #require(try desk.peer.targets())
      for target in targets.content where target != terms {
        #expect(try desk.peer.ask(target) == .refused, "\(target)")
      }
      let multiple = try #require(try desk.peer.multiple(["TARGETS", "UTF8_STRING"]))
      #expect(multiple.answers[0].value != nil && multiple.answers[1] == .refused)
      for result in [try desk.xclipOut(), try desk.xselOut()] {
        #expect(result.output.isEmpty, "\(result)")
      }
    }

    @Test("A paste that the guard refuses is exit 5 and names the seconds")
    func guardIsNamed() throws {
      try desk.copy("text", "--guard", "600")
      for arguments in [
        [], ["-t", "text"], ["-t", "UTF8_STRING"], ["--as", "html"], ["--accept", "png,text"],
        ["--accept-any", "html,text"],
      ] {
        let result = try run(
          Programs.clipview, ["paste"] + arguments, environment: desk.server.environment())
        #expect(result.isFailure(5), "\(arguments): \(result)")
        #expect(
          (550...600).contains { result.errors.contains("guarded for another \($0) s") },
          "\(result)")
      }
      // What is not there is not there, guard or no guard.
      #expect(try desk.clipview("paste", "-t", "image/png").isFailure(1))
      #expect(try desk.clipview("plain").isSilentFailure(5))
      #expect(try desk.peer.owner(of: "CLIPBOARD") != 0)
    }

    @Test("types and show tell what is there, and that it is guarded")
    func guardIsShown() throws {
      try desk.copy("text", "--guard=600", "--sensitive")
      #expect(lines(try desk.clipview("types").output).first == "UTF8_STRING")
      let shown = try desk.clipview("show")
      #expect(shown.status == 0 && shown.text.contains("guarded"), "\(shown)")
      let json = try #require(JSON(try desk.clipview("show", "--json").text))
      let left = try #require(json["terms"]?["guard_milliseconds"]?.int)
      #expect(left > 0 && left <= 600_000)
      #expect(json["sensitive"]?.bool == true)
    }

    @Test("Afterwards everybody is served as ever")
    func guardEnds() throws {
      try desk.copy("text", "--guard", "0.3")
      #expect(try eventually { try desk.xclipOut().text == "text" })
      #expect(text(try desk.paste()) == "text")
      let json = try #require(JSON(try desk.clipview("show", "--json").text))
      #expect(json["terms"]?.names == [])
    }

    @Test("A refused paste is not the one paste")
    func guardAndOnce() throws {
      try desk.copy("text", "--once", "--guard", "0.4", "--expire", "100")
      _ = try desk.peer.ask("UTF8_STRING")
      #expect(try eventually { try desk.xclipOut().text == "text" })
      #expect(try desk.isOver())
    }

    @Test("The terms of another owner are understood, and asked for only where it refuses")
    func foreignGuard() throws {
      var script = OwnerScript([
        RawTarget("UTF8_STRING", "text"),
        RawTarget(terms, #"{"schema":1,"guard_milliseconds":7250,"more":true}"#),
      ])
      let owner = try desk.owner(script)
      #expect(text(try desk.paste()) == "text")
      #expect(!owner.requests.contains(terms))
      script.refused = ["UTF8_STRING"]
      try owner.change(script)
      let result = try desk.clipview("paste")
      #expect(result.isFailure(5) && result.errors.contains("another 8 s"), "\(result)")
    }

    @Test(
      "Terms that make no sense are none, and nothing hangs",
      arguments: ["", "{}", #"{"schema":1}"#, #"{"schema":2,"guard_milliseconds":5}"#])
    func senselessTerms(document: String) throws {
      var script = OwnerScript([RawTarget("UTF8_STRING", "text"), RawTarget(terms, document)])
      script.refused = ["UTF8_STRING"]
      let owner = try desk.owner(script)
      #expect(try desk.clipview("paste").isFailure(1))
      script.refused = ["UTF8_STRING", terms]
      try owner.change(script)
      #expect(try desk.clipview("paste").isFailure(6))
      script.refused = ["UTF8_STRING"]
      script.silent = [terms]
      try owner.change(script)
      #expect(try desk.clipview("paste", "--timeout", "2").isFailure(1))
    }
  }

  @Suite("copy --sensitive")
  struct SensitiveCopyTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("It carries the marks by which programs know a secret, and is served")
    func secretIsMarked() throws {
      let result = try desk.clipview(
        "copy", "--sensitive", "-v", "--text", "geheim", "--only", "-t", "plain")
      #expect(result.status == 0 && !result.errors.contains("geheim"), "\(result)")
      #expect(try desk.peer.ask(hint).value?.text == "secret")
      #expect(try desk.peer.ask("application/x-copyq-secret").value?.text == "1")
      #expect(try desk.peer.ask("application/x-nspasteboard-concealed-type").value?.bytes == [])
      // Behind the content, which programs take by its place.
      #expect(try desk.peer.targets()?.content.first == "UTF8_STRING")
      #expect(text(try desk.paste()) == "geheim")
      let shown = try desk.clipview("show")
      #expect(shown.status == 0 && !shown.text.contains("geheim"), "\(shown)")
      let json = try #require(JSON(try desk.clipview("show", "--json").text))
      #expect(json["sensitive"]?.bool == true)
    }

    @Test("A mark that was given and says otherwise gives way")
    func secretIsSecret() throws {
      let directory = TemporaryDirectory()
      let file = try directory.write(Array("public".utf8), to: "mark")
      try desk.copy("geheim", "--also", "\(hint)=\(file)", "--sensitive")
      #expect(try desk.peer.ask(hint).value?.text == "secret")
    }

    @Test(
      "The process that serves it does not show it on its command line",
      arguments: [["--text", "geheim"], ["--text=geheim"]])
    func secretIsNotOnCommandLine(arguments: [String]) throws {
      let result = try run(
        Programs.clipview, ["copy", "--sensitive"] + arguments,
        environment: desk.server.environment())
      #expect(result.isSilentSuccess, "\(result)")
      let server = try #require(desk.servers.first)
      let line = text(try Files.read("/proc/\(server)/cmdline"))
      #expect(
        line.contains("copy") && line.contains("--text") && !line.contains("geheim"), "\(line)")
      #expect(text(try desk.paste()) == "geheim")
    }
  }

  @Suite("copy --max")
  struct MaximumTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test(
      "Exactly so much is copied, more is exit 6 and changes nothing", arguments: [1, 10, 70_000])
    func maximumIsExact(limit: Int) throws {
      try desk.copy(numberedText(limit), "--max", "\(limit)")
      #expect(try desk.paste() == numberedText(limit))
      let large = numberedText(limit + 1)
      #expect(try desk.clipview("copy", "--max", "\(limit)", input: large).isFailure(6))
      #expect(
        try desk.clipview("copy", "--max", "\(limit)", "--text", text(large)).isFailure(6))
      let directory = TemporaryDirectory()
      let file = try directory.write(large, to: "large.txt")
      #expect(try desk.clipview("copy", "--max", "\(limit)", file).isFailure(6))
      #expect(try desk.paste() == numberedText(limit))
    }

    @Test("A stream without an end is refused at the limit")
    func endlessInput() throws {
      let result = try run(
        "sh", ["-c", "yes | \"$0\" copy --max 1M", Programs.clipview],
        environment: desk.server.environment())
      #expect(result.isFailure(6), "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
    }

    @Test("Too much is refused as soon as it is there, also where the stream then rests")
    func restingInput() throws {
      let child = try ChildProcess(
        Programs.clipview, ["copy", "--max", "15"], environment: desk.server.environment(),
        options: SpawnOptions(input: .open))
      child.write(numberedText(16))
      #expect(child.settle { !$0.isRunning })
      #expect(child.finish(within: 1).isFailure(6))
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
    }
  }
}
