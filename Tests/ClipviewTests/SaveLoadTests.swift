import TestSupport
import Testing

/// The folders of all captured clipboards.
private let names = Files.names(in: Fixtures.path("clipboards"))
  .filter { $0.contains("-x11-") }.sorted()

/// What is part of how selections are handed over, not of what is on one.
private let protocolTargets: Set = [
  "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INCR",
]

/// What means nothing without its owner or its X server.
private let boundTargets: Set = ["PIXMAP", "CLIENT_WINDOW", "GTK_TEXT_BUFFER_CONTENTS"]

/// A clipboard with all that is special.
private let special: [RawTarget] = [
  RawTarget("UTF8_STRING", "naïve \u{1B}]0;title\u{7}\n"),
  RawTarget("TEXT", type: "UTF8_STRING", "naïve\n"),
  RawTarget("sixteen", type: "INTEGER", format: 16, [1, 2, 3, 4, 5, 6]),
  RawTarget("thirty-two", type: "CARDINAL", format: 32, [1, 2, 3, 4, 5, 6, 7, 255]),
  RawTarget("empty", ""),
  RawTarget("odd \"name\"\\\n\u{1B}[31m\u{202E}é", "x"),
]

extension OnDisplay {
  @Suite("Save and load")
  struct SaveLoadTests {
    let desk: Desk
    let directory = TemporaryDirectory()

    init() throws { desk = try Desk() }

    private var file: String { "\(directory.path)/saved" }

    /// What a peer gets for a target, in a form that can be compared.
    private func answer(_ target: String) throws -> RawAnswer {
      switch try desk.peer.ask(target) {
      case .value(var value):
        value.chunks = nil
        value.announced = []
        return .value(value)
      case let other: return other
      }
    }

    private func content(_ offered: [String]) -> [String] {
      var seen: Set<String> = []
      return offered.filter {
        !protocolTargets.contains($0) && !boundTargets.contains($0) && seen.insert($0).inserted
      }
    }

    // MARK: Round trips

    @Test(
      "Every captured clipboard comes back: targets, order, bytes, types, formats", arguments: names
    )
    func captures(name: String) throws {
      let capture = try Capture(name)
      let isSecret = capture.offered.contains("x-kde-passwordManagerHint")
      var before: [String: RawAnswer] = [:]
      do {
        let owner = try desk.owner(capture.script)
        let extra = isSecret ? ["--sensitive"] : []
        let result = try run(
          Programs.clipview, ["save", file] + extra, environment: desk.server.environment())
        #expect(result.isSilentSuccess, "\(result)")
        for target in capture.targets {
          // In order, each once.
          #expect(owner.requests.count { $0 == target.name } <= 1, "\(target.name)")
          before[target.name] = .value(
            RawValue(type: target.type, format: target.format, bytes: target.bytes))
        }
        let order = content(owner.requests)
        #expect(order == content(capture.offered).filter(order.contains) || isSecret)
      }
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
      #expect(try desk.clipview("load", file).isSilentSuccess)
      let targets = try #require(try desk.peer.targets())
      #expect(content(targets) == content(capture.offered))
      #expect(Set(targets).isDisjoint(with: boundTargets))
      for target in content(capture.offered) {
        #expect(try answer(target) == before[target] ?? .refused, "\(target)")
      }
    }

    @Test("Formats of 16 and 32 bits, types unlike their targets, names of any kind")
    func specialTargets() throws {
      do {
        let owner = try desk.owner(OwnerScript(special))
        #expect(try desk.clipview("save", file).isSilentSuccess)
        withExtendedLifetime(owner) {}
      }
      #expect(try desk.clipview("load", file).isSilentSuccess)
      #expect(content(try desk.peer.targets() ?? []) == special.map(\.name))
      for target in special {
        let expected = RawValue(type: target.type, format: target.format, bytes: target.bytes)
        #expect(try answer(target.name) == .value(expected), "\(target.name)")
      }
    }

    @Test("Names that are no UTF-8 keep their bytes, and no two are mistaken for each other")
    func bytesOfNames() throws {
      let odd: [(alias: String, bytes: [UInt8])] = [
        ("first", [0x61, 0xE9]), ("second", [0x61, 0xE8]), ("third", [0xFF]),
        ("fourth", [0xF4, 0x8F, 0xBF, 0xBF]),
      ]
      let list = OwnerScript(odd.map { RawTarget($0.alias, $0.alias) })
      do {
        let owner = try BackgroundPeer(desk.server)
        try owner.perform { peer in
          for name in odd { try peer.alias(name.alias, for: name.bytes) }
          try peer.own(list)
        }
        #expect(try desk.clipview("save", file).isSilentSuccess)
      }
      #expect(text(try Files.read(file)).contains("\n1 bytes \"a\\xe9\" type \"a\\xe9\" format 8"))
      let other = try Desk(XServer())
      #expect(try other.clipview("load", file).isSilentSuccess)
      for name in odd { try other.peer.alias(name.alias, for: name.bytes) }
      #expect(content(try other.peer.targets() ?? []) == odd.map(\.alias))
      for name in odd {
        let value = try #require(try other.peer.ask(name.alias).value)
        #expect(value.text == name.alias && value.type == name.alias)
      }
      // What is printed can be seen.
      #expect(try lines(other.clipview("types").output).prefix(3) == ["a⟨E9⟩", "a⟨E8⟩", "⟨FF⟩"])
    }

    @Test("What was saved and loaded saves as the same bytes")
    func savedTwice() throws {
      let owner = try desk.owner(OwnerScript(special))
      #expect(try desk.clipview("save", file).isSilentSuccess)
      #expect(try desk.clipview("load", file).isSilentSuccess)
      let second = "\(directory.path)/second"
      #expect(try desk.clipview("save", second).isSilentSuccess)
      func body(_ path: String) throws -> [String] {
        text(try Files.read(path)).split(separator: "\n").map(String.init)
          .filter { !$0.hasPrefix("owner") && !$0.hasPrefix("end of index") }
      }
      #expect(try body(file) == body(second))
      withExtendedLifetime(owner) {}
    }

    @Test("A directory holds a file a representation, an index, and comes back the same")
    func directories() throws {
      let place = "\(directory.path)/saved.d"
      do {
        let owner = try desk.owner(OwnerScript(special))
        #expect(try desk.clipview("save", "--dir", place + "/").isSilentSuccess)
        withExtendedLifetime(owner) {}
      }
      let files = Files.names(in: place).sorted()
      #expect(files.count == special.count + 1)
      #expect(files.contains("index") && files.contains("01-UTF8_STRING"))
      #expect(difference(try Files.read("\(place)/01-UTF8_STRING"), special[0].bytes) == nil)
      for arguments in [[place], ["--dir", place]] {
        try desk.copy("before")
        let result = try run(
          Programs.clipview, ["load"] + arguments, environment: desk.server.environment())
        #expect(result.isSilentSuccess, "\(result)")
        #expect(content(try desk.peer.targets() ?? []) == special.map(\.name))
        for target in special {
          let expected = RawValue(type: target.type, format: target.format, bytes: target.bytes)
          #expect(try answer(target.name) == .value(expected), "\(target.name)")
        }
      }
      #expect(directory.names == ["saved.d"])
    }

    @Test("Standard output and standard input")
    func streams() throws {
      let owner = try desk.owner(OwnerScript(special))
      let saved = try desk.clipview("save", "-")
      #expect(saved.status == 0)
      #expect(saved.errors == "")
      #expect(try desk.clipview("save", file).isSilentSuccess)
      #expect(difference(saved.output, try Files.read(file)) == nil)
      try desk.copy("before")
      #expect(try desk.clipview("load", "-", input: saved.output).isSilentSuccess)
      #expect(content(try desk.peer.targets() ?? []) == special.map(\.name))
      withExtendedLifetime(owner) {}
    }

    @Test("Any selection is saved, and loaded to any other")
    func selections() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "selected"), selection: "PRIMARY")
      #expect(try desk.clipview("save", "-p", file).isSilentSuccess)
      #expect(try desk.clipview("load", "-s", "secondary", file).isSilentSuccess)
      #expect(try desk.peer.ask("UTF8_STRING", of: "SECONDARY").value?.text == "selected")
      withExtendedLifetime(owner) {}
    }

    @Test("Nothing is added: no spelling of the text, no conversion, no marker")
    func nothingIsAdded() throws {
      do {
        let owner = try desk.owner(RawTarget("text/html", "<b>x</b>"))
        #expect(try desk.clipview("save", file).isSilentSuccess)
        withExtendedLifetime(owner) {}
      }
      #expect(try desk.clipview("load", file).isSilentSuccess)
      #expect(try desk.peer.targets() == ["TARGETS", "TIMESTAMP", "MULTIPLE", "text/html"])
    }

    @Test("What clipview itself copied comes back with its marker of origins")
    func ownCopies() throws {
      try desk.copy("# Title\n", "-t", "markdown")
      let targets = try #require(try desk.peer.targets())
      #expect(targets.contains("application/x-clipview-origin"))
      let before = try targets.filter { !protocolTargets.contains($0) }.map { try answer($0) }
      #expect(try desk.clipview("save", file).isSilentSuccess)
      try desk.copy("other")
      #expect(try desk.clipview("load", file).isSilentSuccess)
      #expect(try desk.peer.targets() == targets)
      let after = try targets.filter { !protocolTargets.contains($0) }.map { try answer($0) }
      #expect(after == before)
    }

    @Test("Targets that differ in bytes alone are two, also where they read the same")
    func equivalentNames() throws {
      let names: [[UInt8]] = [Array("x-caf\u{E9}".utf8), Array("x-cafe\u{301}".utf8)]
      for (index, name) in names.enumerated() { try desk.peer.alias("x-\(index)", for: name) }
      do {
        let owner = try BackgroundPeer(desk.server)
        try owner.perform { peer in
          for (index, name) in names.enumerated() { try peer.alias("x-\(index)", for: name) }
          try peer.own(OwnerScript([RawTarget("x-0", "composed"), RawTarget("x-1", "apart")]))
        }
        #expect(try desk.clipview("save", file).isSilentSuccess)
        #expect(try desk.clipview("types").output == names[0] + [0x0A] + names[1] + [0x0A])
        let apart = String(decoding: names[1], as: UTF8.self)
        #expect(try desk.clipview("paste", "-t", apart).text == "apart")
        withExtendedLifetime(owner) {}
      }
      #expect(try desk.clipview("load", file).isSilentSuccess)
      #expect(content(try desk.peer.targets() ?? []) == ["x-0", "x-1"])
      #expect(try desk.peer.ask("x-0").value?.text == "composed")
      #expect(try desk.peer.ask("x-1").value?.text == "apart")
    }

    @Test("An owner that tells once since when it owns and not again is not asked for all anew")
    func timeIsToldOnce() throws {
      var script = OwnerScript([RawTarget("UTF8_STRING", "text")])
      script.delay = 0.5
      let owner = try desk.owner(script)
      let save = try ChildProcess(
        Programs.clipview, ["save", file], environment: desk.server.environment())
      #expect(eventually { owner.requests.contains("UTF8_STRING") })
      script.silent = ["TIMESTAMP"]
      try owner.change(script)
      #expect(save.finish(within: 20).isSilentSuccess)
      #expect(owner.requests.count { $0 == "UTF8_STRING" } == 1)
    }

    @Test("Atoms are saved as names and are atoms of the other server again")
    func atoms() throws {
      let list = ["text/html", "None", "CLIPVIEW_ONLY_HERE"]
      var numbers = try list.flatMap { littleEndian(try desk.peer.atom($0)) }
      numbers += littleEndian(0x1FFF_FFF0)
      do {
        let owner = try desk.owner(
          RawTarget("x-list", type: "ATOM", format: 32, numbers), RawTarget("x", "y"))
        #expect(try desk.clipview("save", file).isSilentSuccess)
        withExtendedLifetime(owner) {}
      }
      let saved = text(try Files.read(file))
      #expect(saved.contains("\n\"text/html\"\n-\n\"CLIPVIEW_ONLY_HERE\"\n-\n\n---"))
      let other = try Desk(XServer())
      // Other atoms first, so that the numbers differ.
      for number in 0..<50 { _ = try other.peer.atom("CLIPVIEW_FILLER_\(number)") }
      #expect(try other.clipview("load", file).isSilentSuccess)
      let value = try #require(try other.peer.ask("x-list").value)
      #expect(value.type == "ATOM" && value.format == 32)
      let names = try value.bytes.uint32s.map { try other.peer.name(of: $0) }
      #expect(names == ["text/html", "None", "CLIPVIEW_ONLY_HERE", "None"])
      #expect(value.bytes != numbers)
    }

    // MARK: What is not saved

    @Test("-v says what was refused and what cannot be saved, and so does the file")
    func notes() throws {
      var script = OwnerScript([
        RawTarget("UTF8_STRING", "x"), RawTarget("stubborn", "x"),
        RawTarget("PIXMAP", format: 32, [1, 2, 3, 4]),
        RawTarget("GTK_TEXT_BUFFER_CONTENTS", [0, 0, 0, 0, 0, 0, 0, 1]),
      ])
      script.refused = ["stubborn"]
      do {
        let owner = try desk.owner(script)
        let result = try desk.clipview("save", "-v", file)
        #expect(result.status == 0)
        #expect(result.errors.contains("stubborn: its owner lists it and does not give it"))
        #expect(result.errors.contains("PIXMAP is not saved"))
        #expect(result.errors.contains("GTK_TEXT_BUFFER_CONTENTS is not saved"))
        #expect(!owner.requests.contains("GTK_TEXT_BUFFER_CONTENTS"))
        // What makes owners do something is never asked for.
        #expect(Set(owner.requests).isDisjoint(with: ["DELETE", "SAVE_TARGETS", "MULTIPLE"]))
      }
      let saved = text(try Files.read(file))
      #expect(saved.contains("\n2 refused \"stubborn\"  # "))
      #expect(saved.contains("\n3 bound \"PIXMAP\" type \"PIXMAP\" format 32 size 4  # "))
      let result = try desk.clipview("load", "-v", file)
      #expect(result.status == 0)
      #expect(result.errors.contains("PIXMAP is left out"))
      #expect(content(try desk.peer.targets() ?? []) == ["UTF8_STRING", "stubborn"])
      #expect(try answer("stubborn") == .refused)
    }

    @Test("--redact keeps targets, types and sizes, not one byte of content; and cannot be loaded")
    func redacted() throws {
      let owner = try desk.owner(
        RawTarget("text/html", "<p>Only between us</p>"),
        RawTarget("UTF8_STRING", "Only between us"))
      #expect(try desk.clipview("save", "--redact", file).isSilentSuccess)
      let saved = text(try Files.read(file))
      #expect(!saved.contains("between"))
      #expect(saved.contains("\n1 redacted \"text/html\" type \"text/html\" format 8 size 22\n"))
      #expect(
        saved.contains("\n2 redacted \"UTF8_STRING\" type \"UTF8_STRING\" format 8 size 15\n"))
      let place = "\(directory.path)/redacted.d"
      #expect(try desk.clipview("save", "--redact", "--dir", place).isSilentSuccess)
      #expect(Files.names(in: place) == ["index"])
      for path in [file, place] {
        let result = try desk.clipview("load", path)
        #expect(result.isFailure(6), "\(result)")
        #expect(result.errors.contains("--redact"))
      }
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
    }

    @Test("A redacted clipboard may be looked at on a terminal, contents may not be sent to one")
    func terminals() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "\u{1B}[31mred"))
      let plain = try desk.clipview("save", "-", outputs: .terminal)
      #expect(plain.status == 2)
      #expect(!text(plain.output).contains("\u{1B}"))
      let redacted = try desk.clipview("save", "--redact", "-", outputs: .terminal)
      #expect(redacted.status == 0)
      #expect(redacted.text.contains("UTF8_STRING"))
      withExtendedLifetime(owner) {}
    }

    @Test("C75: secrets are refused, with nothing asked for but the marker, unless told otherwise")
    func c75SecretsAreNotSaved() throws {
      let secret = [
        RawTarget("UTF8_STRING", "hunter2"), RawTarget("x-kde-passwordManagerHint", "secret"),
      ]
      do {
        let owner = try desk.owner(OwnerScript(secret))
        for arguments in [[file], ["--dir", file], ["--redact", file], ["-"]] {
          let result = try run(
            Programs.clipview, ["save"] + arguments, environment: desk.server.environment())
          #expect(result.isFailure(5), "\(arguments): \(result)")
        }
        #expect(directory.names == [])
        #expect(!owner.requests.contains("UTF8_STRING"))
        #expect(try desk.clipview("save", "--sensitive", file).isSilentSuccess)
      }
      #expect(directory.names == ["saved"])
      // Nobody else may read it.
      let mode = try run("stat", ["-c", "%a", file], environment: Programs.environment()).text
      #expect(mode == "600\n")
      #expect(try desk.clipview("load", file).isSilentSuccess)
      #expect(try desk.peer.ask("x-kde-passwordManagerHint").value?.text == "secret")
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "hunter2")
    }

    @Test("On which terms a copy is served is not saved: they end with its owner")
    func terms() throws {
      try desk.copy("for a while", "--expire", "60")
      #expect(try desk.peer.targets()?.contains("application/x-clipview-terms") == true)
      #expect(try desk.clipview("save", file).isSilentSuccess)
      #expect(try desk.clipview("load", file).isSilentSuccess)
      #expect(text(try desk.paste()) == "for a while")
      #expect(try desk.peer.targets()?.contains("application/x-clipview-terms") == false)
    }

    // MARK: Owners

    @Test("Nothing there is exit 1, and nothing is written")
    func nothingThere() throws {
      #expect(try desk.clipview("save", file).isFailure(1))
      var script = OwnerScript([])
      script.list = .refused
      let owner = try desk.owner(script)
      #expect(try desk.clipview("save", file).isFailure(1))
      try owner.change(OwnerScript([]))
      #expect(try desk.clipview("save", file).isFailure(1))
      #expect(directory.names == [])
    }

    @Test("An owner that falls silent is exit 4, one that breaks off exit 6; what was there stays")
    func brokenOff() throws {
      let old = try directory.write(Array("old".utf8), to: "saved")
      var script = OwnerScript([RawTarget("UTF8_STRING", "x"), RawTarget("second", "x")])
      script.silent = ["second"]
      let owner = try desk.owner(script)
      let silent = try desk.clipview("save", "--timeout", "0.3", old)
      #expect(silent.isFailure(4), "\(silent)")
      script.silent = []
      script.increments = .init(endsWithAnnouncement: true)
      script.incremented = ["second"]
      try owner.change(script)
      let broken = try desk.clipview("save", old)
      #expect(broken.isFailure(1) || broken.isFailure(6), "\(broken)")
      #expect(text(try Files.read(old)) == "old")
      #expect(directory.names == ["saved"])
    }

    @Test("A clipboard that changes hands under the reader is read anew, never half of each")
    func changedOwner() throws {
      var script = OwnerScript([RawTarget("a", "old"), RawTarget("b", "old")])
      script.delay = 0.2
      let owner = try desk.owner(script)
      let saving = try ChildProcess(
        Programs.clipview, ["save", file], environment: desk.server.environment())
      let isReading = eventually { owner.requests.contains("a") }
      #expect(isReading)
      let next = try desk.owner(RawTarget("a", "new"), RawTarget("b", "new"))
      #expect(saving.finish(within: 20).isSilentSuccess)
      let saved = text(try Files.read(file))
      #expect(saved.contains("3 bytes\nnew\n"))
      #expect(!saved.contains("old"))
      withExtendedLifetime(next) {}
    }

    @Test("The same program that copies again while it is read is noticed by its time")
    func sameOwnerAnew() throws {
      var script = OwnerScript([RawTarget("a", "old"), RawTarget("b", "old")])
      script.delay = 0.2
      let owner = try desk.owner(script)
      let saving = try ChildProcess(
        Programs.clipview, ["save", file], environment: desk.server.environment())
      let isReading = eventually { owner.requests.contains("b") }
      #expect(isReading)
      try owner.own(OwnerScript([RawTarget("a", "new"), RawTarget("b", "new")]))
      #expect(saving.finish(within: 20).isSilentSuccess)
      #expect(!text(try Files.read(file)).contains("old"))
    }

    // MARK: Damaged files

    @Test("A file that was cut short or changed is exit 6 with the place, the clipboard as it was")
    func damagedFiles() throws {
      do {
        let owner = try desk.owner(OwnerScript(special))
        #expect(try desk.clipview("save", file).isSilentSuccess)
        withExtendedLifetime(owner) {}
      }
      let whole = try Files.read(file)
      try desk.copy("mine")
      let mine = try desk.peer.owner(of: "CLIPBOARD")
      var generator = SeededGenerator(seed: 44)
      var damaged: [[UInt8]] = [[], Array(whole.dropLast()), whole + [10]]
      for _ in 0..<12 {
        damaged.append(Array(whole[..<Int.random(in: 0..<whole.count, using: &generator)]))
        var flipped = whole
        let position = Int.random(in: 0..<whole.count, using: &generator)
        flipped[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        damaged.append(flipped)
      }
      for bytes in damaged {
        let path = try directory.write(bytes, to: "damaged")
        let result = try desk.clipview("load", path)
        #expect(result.isFailure(6), "\(result)")
        #expect(result.errors.contains("damaged' ") && result.errors.contains("byte "), "\(result)")
      }
      #expect(try desk.peer.owner(of: "CLIPBOARD") == mine)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "mine")
    }

    @Test("A directory with a file changed, missing or put in its place is exit 6 with its name")
    func damagedDirectories() throws {
      let place = "\(directory.path)/saved.d"
      let owner = try desk.owner(OwnerScript(special))
      #expect(try desk.clipview("save", "--dir", place).isSilentSuccess)
      let path = "\(place)/01-UTF8_STRING"
      let content = try Files.read(path)
      func expectFailure(_ comment: Comment) throws {
        let result = try desk.clipview("load", place)
        #expect(result.isFailure(6), comment)
        #expect(result.errors.contains(path), comment)
      }
      for bytes in [
        Array(content.dropLast()), content + [1], [content[0] ^ 1] + content.dropFirst(),
      ] {
        try directory.write(bytes, to: "saved.d/01-UTF8_STRING")
        try expectFailure("\(bytes.count) bytes")
      }
      for (program, arguments) in [
        ("rm", ["-f"]), ("ln", ["-sf", "/dev/zero"]), ("rm", ["-f"]), ("mkfifo", ["-m", "600"]),
      ] {
        let made = try run(program, arguments + [path], environment: Programs.environment())
        #expect(made.status == 0)
        try expectFailure("\(program)")
      }
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
    }

    @Test("What is no saved clipboard is exit 6")
    func foreignFiles() throws {
      let empty = TemporaryDirectory()
      for path in [Programs.clipview, "/nowhere/at/all", empty.path, "/dev/null"] {
        let result = try desk.clipview("load", path)
        #expect(result.isFailure(6), "\(path): \(result)")
      }
      let tooLarge = try desk.clipview("load", "--max", "1000", "/dev/zero")
      #expect(tooLarge.isFailure(6), "\(tooLarge)")
      #expect(tooLarge.errors.contains("--max"))
    }

    @Test("A directory that holds something else is left alone; one that was saved is replaced")
    func foreignDirectories() throws {
      let place = "\(directory.path)/d"
      try desk.copy("first")
      #expect(try desk.clipview("save", "--dir", place).isSilentSuccess)
      try desk.copy(nil, "--text", "second", "--only", "-t", "text/html")
      #expect(try desk.clipview("save", "--dir", place).isSilentSuccess)
      #expect(Files.names(in: place).sorted() == ["01-text_html", "index"])
      try directory.write([1], to: "d/mine")
      let foreign = try desk.clipview("save", "--dir", place)
      #expect(foreign.isFailure(6), "\(foreign)")
      #expect(Files.names(in: place).sorted() == ["01-text_html", "index", "mine"])
      let file = try directory.write([1], to: "file")
      #expect(try desk.clipview("save", "--dir", file).isFailure(6))
      #expect(try desk.clipview("save", "--dir", "\(directory.path)/no/such").isFailure(6))
      #expect(directory.names == ["d", "file"])
    }

    @Test(
      "Senseless command lines are usage errors",
      arguments: [
        ["save"], ["save", ""], ["save", "a", "b"], ["save", "a", "--dir", "b"],
        ["save", "--dir", ""], ["load"], ["load", ""], ["load", "a", "b"],
        ["load", "a", "--dir", "b"],
        ["load", "--redact", "a"], ["save", "--max", "1", "a"], ["load", "--max", "x", "a"],
      ])
    func usageErrors(arguments: [String]) throws {
      let result = try run(
        Programs.clipview, arguments, environment: desk.server.environment())
      #expect(result.isFailure(2), "\(result)")
    }

    // MARK: Size

    @Test("Large contents of several targets come back, by INCR and in memory files")
    func largeContents() throws {
      let bytes = scrambledBytes(9_000_000)
      let short = scrambledBytes(300_000, seed: 2)
      do {
        let owner = try desk.owner(
          RawTarget("large", bytes), RawTarget("short", short),
          RawTarget("words", type: "INTEGER", format: 32, scrambledBytes(400_000, seed: 3)))
        #expect(try desk.clipview("save", file, timeout: 60).isSilentSuccess)
        withExtendedLifetime(owner) {}
      }
      #expect(try desk.clipview("load", file, timeout: 60).isSilentSuccess)
      #expect(difference(try desk.paste("-t", "large"), bytes) == nil)
      #expect(difference(try desk.paste("-t", "short"), short) == nil)
      let words = try #require(try desk.peer.ask("words", timeout: 30).value)
      #expect(words.type == "INTEGER" && words.format == 32)
      #expect(difference(words.bytes, scrambledBytes(400_000, seed: 3)) == nil)
    }
  }
}
