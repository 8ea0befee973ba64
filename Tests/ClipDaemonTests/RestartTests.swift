import SystemIO
import TestSupport
import Testing

extension OnService {
  @Suite("A service that is started again", .enabled(if: XServer.isExpected))
  struct RestartTests {
    let server: XServer
    let peer: RawPeer
    let directory = TemporaryDirectory()

    init() throws {
      server = try XServer()
      peer = try RawPeer(server)
    }

    private func start(settings: String = "") throws -> Daemon {
      try Daemon(in: directory, settings: settings, environment: ["DISPLAY": server.display])
    }

    private func restart(_ daemon: Daemon, settings: String = "") throws -> Daemon {
      daemon.kill()
      // The server has to see that the connection is gone, or the dead one would be adopted first.
      return try start(settings: settings)
    }

    private var copies: String { "\(directory.path)/clipview/current" }
    private var files: [String] { Files.names(in: copies).filter { !$0.hasPrefix(".") } }

    private func clipboard(_ daemon: Daemon) throws -> JSON? {
      try daemon.json("status")["pasteboards"]?.array?.first {
        $0["name"]?.string == "clipboard" && $0["display"] != .null
      }
    }

    private func waitForCopy() { #expect(eventually { files.count == 1 }, "\(files)") }

    /// Whether what is written down is of content that the selection has since this time.
    private func copyTells(time: UInt32) -> Bool {
      guard let name = files.first, let bytes = try? Files.read("\(copies)/\(name)") else {
        return false
      }
      let end = TestSupport.text(Array(bytes.suffix(4096))).filter { $0 != " " }
      return end.contains("\"time\":\(time)")
    }

    /// Lets a program copy, and returns when all of it was read and written down.
    private func copied(_ script: OwnerScript) throws -> BackgroundPeer {
      let owner = try BackgroundPeer(server, owning: script)
      waitForCopy()
      return owner
    }

    /// Has a program copy what is to be older than something else, or hands it over where there is none.
    private func copyOlder(of owner: BackgroundPeer?, with daemon: Daemon) throws {
      guard let owner else {
        #expect(try daemon.clipview("copy", "--text", "older").status == 0)
        return
      }
      try owner.own(OwnerScript("UTF8_STRING", "older"))
      waitForCopy()
    }

    private func discard(_ owner: inout BackgroundPeer?) {
      withExtendedLifetime(owner) {}
      owner = nil
    }

    private func text(_ target: String = "UTF8_STRING") throws -> String? {
      try peer.ask(target).value.map { TestSupport.text($0.bytes) }
    }

    @Test(
      "What it had kept of a program that is gone is there again, byte for byte, in order",
      arguments: [
        "libreoffice-writer-gtk3-x11-one-line", "thunar-x11-files-copy", "gimp-x11-image",
      ])
    func keptContent(name: String) throws {
      let capture = try Capture(name)
      let first = try start()
      var owner: BackgroundPeer? = try copied(capture.script)
      discard(&owner)
      #expect(first.settle(" kept "))
      let before = try #require(try peer.targets())
      let second = try restart(first)
      #expect(second.settle(" restored "))
      #expect(try peer.targets() == before)
      for target in capture.targets where before.contains(target.name) {
        let answer = try #require(try peer.ask(target.name).value, "\(target.name)")
        #expect(difference(answer.bytes, target.bytes) == nil, "\(target.name)")
        #expect(answer.format == target.format)
      }
    }

    @Test("What was copied through it is there again, and what is made of it is promised again")
    func handedOver() throws {
      let first = try start()
      let copied = try first.clipview(
        "copy", "-t", "markdown", "--also", "x/other=/dev/null", input: Array("*a*\n".utf8))
      #expect(copied.status == 0, "\(copied)")
      let before = try #require(try peer.targets())
      let marker = try text("application/x-clipview-origin")
      let second = try restart(first)
      #expect(second.settle(" restored "))
      #expect(try peer.targets() == before)
      #expect(try text("application/x-clipview-origin") == marker)
      #expect(try text("text/markdown") == "*a*\n")
      #expect(try text("x/other") == "")
      #expect(try #require(try text("text/html")).contains("<em>a</em>"))
      // And once more, from what the second one has of the first.
      let third = try restart(second)
      #expect(try text("text/markdown") == "*a*\n")
      #expect(try third.clipview("clear").status == 0)
      let fourth = try restart(third)
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
      #expect(try clipboard(fourth)?["owner"] == .null)
    }

    @Test("Large content is safe when the copy returns")
    func largeContent() throws {
      let bytes = scrambledBytes(5_000_001)
      let first = try start()
      #expect(try first.clipview("copy", "-t", "x/data", input: bytes).status == 0)
      #expect(try first.clipview("copy", "-s", "big", "-t", "x/data", input: bytes).status == 0)
      let second = try restart(first)
      #expect(difference(try second.clipview("paste", "-t", "x/data").output, bytes) == nil)
      let named = try second.clipview("paste", "-s", "big", "-t", "x/data")
      #expect(difference(named.output, bytes) == nil)
    }

    @Test("What the service made a long copy of its own of is there again, however soon it ends")
    func enrichedContent() throws {
      let text = String(repeating: "some *words*\n\n", count: 40_000)
      let first = try start(settings: "enrich-markdown = yes\n")
      let owner = try BackgroundPeer(
        server, owning: OwnerScript([RawTarget("text/markdown", Array(text.utf8))]))
      #expect(first.settle(" enriched "), "\(first.log)")
      // Its time is noted when the file is there; that is another step, so that a long file is written once.
      waitForCopy()
      let time = try #require(try peer.ask("TIMESTAMP").value?.bytes.uint32s.first)
      #expect(eventually { copyTells(time: time) })
      let second = try restart(first, settings: "enrich-markdown = yes\n")
      #expect(second.settle(" restored "), "\(second.log)")
      #expect(try self.text("text/markdown") == text)
      withExtendedLifetime(owner) {}
    }

    @Test("Named pasteboards are there again with their counts")
    func namedPasteboards() throws {
      let names = ["notes", "a/b", "ü \u{1}", String(repeating: "é", count: 120)]
      let first = try start()
      for (number, name) in names.enumerated() {
        for round in 0...number { try first.copy("\(number).\(round)", to: name) }
      }
      try first.copy("gone", to: "gone")
      #expect(try first.clipview("clear", "-s", "gone").status == 0)
      let second = try restart(first)
      for (number, name) in names.enumerated() {
        #expect(try second.paste(from: name) == "\(number).\(number)")
        #expect(try second.json("show", "-s", name)["change_count"]?.int == number + 1)
      }
      #expect(try second.clipview("paste", "-s", "gone").status == 1)
      // Whoever ends it in good order finds it all the same.
      _ = second.end()
      let third = try start()
      #expect(try third.paste(from: "notes") == "0.0")
      #expect(try third.json("show", "-s", "notes")["change_count"]?.int == 1)
    }

    @Test("A living owner is adopted, not replaced, and kept when it dies")
    func adoption() throws {
      let first = try start()
      var owner: BackgroundPeer? = try copied(OwnerScript("UTF8_STRING", "theirs"))
      let window = try peer.owner(of: "CLIPBOARD")
      let second = try restart(first)
      #expect(try peer.owner(of: "CLIPBOARD") == window)
      #expect(try eventually { try clipboard(second)?["bytes"]?.int == 6 })
      #expect(try peer.owner(of: "CLIPBOARD") == window)
      #expect(try #require(try clipboard(second)?["change_count"]?.int) >= 1)
      discard(&owner)
      #expect(second.settle(" kept "))
      #expect(try text() == "theirs")
    }

    @Test(
      "An owner that died meanwhile, or as soon as it was adopted, is kept by what was read before")
    func deadOwners() throws {
      let first = try start()
      var owner: BackgroundPeer? = try copied(OwnerScript("UTF8_STRING", "one"))
      first.kill()
      discard(&owner)
      #expect(try eventually { try peer.owner(of: "CLIPBOARD") == 0 })
      let second = try start()
      #expect(try text() == "one", "\(second.log)")

      let script = OwnerScript("UTF8_STRING", "two")
      owner = try BackgroundPeer(server, owning: script)
      #expect(try eventually { try clipboard(second)?["bytes"]?.int == 3 })
      waitForCopy()
      var silent = script
      silent.list = .silent
      try owner?.change(silent)
      let third = try restart(second)
      #expect(try eventually { try clipboard(third)?["owner"]?.string == "other" })
      discard(&owner)
      #expect(third.settle(" restored "))
      #expect(try text() == "two")
    }

    @Test(
      "What somebody replaced meanwhile does not come back when that one dies unread",
      arguments: [false, true], [false, true])
    func newerOwner(isSameProgram: Bool, isHandedOver: Bool) throws {
      var owner: BackgroundPeer? = try BackgroundPeer(server)
      let first = try start()
      try copyOlder(of: isHandedOver ? nil : owner, with: first)
      first.kill()
      var newer = OwnerScript("UTF8_STRING", "newer")
      newer.list = .silent
      if !isSameProgram { owner = try BackgroundPeer(server) }
      try owner?.own(newer)
      let second = try start()
      #expect(try eventually { try clipboard(second)?["owner"]?.string == "other" })
      discard(&owner)
      #expect(second.settle(" not-restored "))
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
      #expect(files == [])
      let third = try restart(second)
      #expect(try third.clipview("paste").status == 1)
    }

    @Test(
      "What was replaced or cleared while no service ran does not come back, when nobody is there",
      arguments: [false, true], [false, true])
    func goneMeanwhile(isCleared: Bool, isHandedOver: Bool) throws {
      let first = try start()
      var owner: BackgroundPeer? = try BackgroundPeer(server)
      try copyOlder(of: isHandedOver ? nil : owner, with: first)
      first.kill()
      if isCleared {
        try owner?.release()
      } else {
        try owner?.own(OwnerScript("UTF8_STRING", "newer"))
        discard(&owner)
      }
      #expect(try eventually { try peer.owner(of: "CLIPBOARD") == 0 })
      let second = try start()
      #expect(second.log.contains(" not-restored "), "\(second.log)")
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
      #expect(files == [])
      withExtendedLifetime(owner) {}
    }

    @Test("Of an owner that was adopted twice it is known that it is the same")
    func adoptedTwice() throws {
      let first = try start()
      var script = OwnerScript("UTF8_STRING", "one")
      var owner: BackgroundPeer? = try copied(script)
      first.kill()
      // It takes it anew, and is read by the second one.
      script.targets = [RawTarget("UTF8_STRING", "second")]
      try owner?.own(script)
      let second = try start()
      #expect(try eventually { try clipboard(second)?["bytes"]?.int == 6 })
      #expect(
        try eventually {
          try files.contains {
            TestSupport.text(try Files.read("\(copies)/\($0)")).contains("second")
          }
        })
      script.list = .silent
      try owner?.change(script)
      let third = try restart(second)
      #expect(try eventually { try clipboard(third)?["owner"]?.string == "other" })
      discard(&owner)
      #expect(third.settle(" restored "))
      #expect(try text() == "second")
    }

    @Test("Half of what was read of an owner that dies is not put in the place of all of it")
    func halfRead() throws {
      let first = try start()
      var script = OwnerScript([RawTarget("UTF8_STRING", "text"), RawTarget("x/other", "other")])
      var owner: BackgroundPeer? = try copied(script)
      script.silent = ["x/other"]
      try owner?.change(script)
      let second = try restart(first)
      #expect(try eventually { try clipboard(second)?["bytes"]?.int == 4 })
      discard(&owner)
      #expect(second.settle(" restored "))
      #expect(try text() == "text")
      #expect(try text("x/other") == "other")
    }

    @Test("What was replaced by content that is not kept does not come back")
    func notKept() throws {
      let daemon = try start()
      let copies: [[String]] = [
        ["--sensitive"], ["--once"], ["--expire", "600"], ["--guard", "600"],
      ]
      for options in copies {
        for place in ["clipboard", "notes"] {
          let plain = ["copy", "-s", place, "--text", "before"]
          let special = ["copy", "-s", place, "--text", "special"] + options
          for arguments in [plain, special] {
            let result = try run(
              Programs.clipview, arguments, environment: daemon.environment)
            #expect(result.status == 0, "\(result)")
          }
          #expect(files == [], "\(options)")
        }
      }
      #expect(try daemon.clipview("copy", "--text", "before").status == 0)
      let secret = try BackgroundPeer(
        server, owning: try Capture("keepassxc-x11-password").script)
      #expect(eventually { files == [] })
      let second = try restart(daemon)
      #expect(try peer.owner(of: "CLIPBOARD") == secret.window)
      #expect(files == [])
      try secret.release()
      #expect(try eventually { try clipboard(second)?["owner"] == .null })
    }

    @Test("Files are for the user alone, and what was left half written goes")
    func permissions() throws {
      let first = try start()
      try first.copy("x")
      #expect(try first.clipview("copy", "--text", "y").status == 0)
      let modes = try run(
        "stat", ["-c", "%a", copies] + files.map { "\(copies)/\($0)" },
        environment: Programs.environment())
      #expect(modes.text == "700\n600\n600\n")
      try directory.write([1], to: "clipview/current/.clipview-1-2")
      let second = try restart(first)
      #expect(Files.names(in: copies).count == 2)
      #expect(try second.paste() == "x")
    }

    @Test("A file that was cut short or changed is not used, and goes", arguments: 0..<24)
    func damage(part: Int) throws {
      let first = try start()
      #expect(try first.clipview("copy", "-t", "html", "--text", "<b>x</b>").status == 0)
      first.kill()
      let path = "\(copies)/\(try #require(files.first))"
      var bytes = try Files.read(path)
      if part % 2 == 0 {
        bytes.removeLast(bytes.count * (part + 1) / 24)
      } else {
        bytes[(bytes.count - 1) * part / 24] ^= 0x10
      }
      try directory.write(bytes, to: "clipview/current/\(try #require(files.first))")
      let second = try start()
      #expect(second.log.contains("kept-copy-unreadable"))
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
      #expect(files == [])
      #expect(try second.clipview("copy", "--text", "next").status == 0)
      #expect(try second.clipview("paste").text == "next")
    }

    @Test("A service that has no descriptor to read it by leaves it, and has it when there is one")
    func withoutDescriptors() throws {
      let first = try start()
      #expect(try first.clipview("copy", "--text", "displayed").status == 0)
      try first.copy("named")
      first.kill()
      let before = files
      var count = 0
      // How many it takes to come so far and not any further is its own matter.
      for number in 4...16 {
        let daemon = try Daemon(
          in: directory, environment: ["DISPLAY": server.display], descriptors: number)
        #expect(files == before, "\(number): \(daemon.log)")
        if daemon.log.contains("ready"), daemon.log.contains("kept-copy-not-read") {
          count += 1
          try daemon.giveDescriptors()
          #expect(try eventually { try text() == "displayed" }, "\(number): \(daemon.log)")
          #expect(
            try eventually { try daemon.clipview("paste", "-s", "notes").text == "named" },
            "\(number): \(daemon.log)")
          #expect(files == before)
        }
        daemon.kill()
      }
      #expect(count > 0)
    }

    @Test("The settings say how much is written down, and whether other programs' content is")
    func settings() throws {
      let first = try start(settings: "runtime-copy = 100\n")
      try first.copy("small", to: "small")
      try first.copy(String(repeating: "large", count: 20), to: "large")
      #expect(files == ["pasteboard-small"])
      #expect(first.settle("not-kept-over-restart"))
      var owner: BackgroundPeer? = try BackgroundPeer(
        server, owning: OwnerScript("UTF8_STRING", "theirs"))
      #expect(eventually { files.count == 2 })
      first.kill()
      discard(&owner)
      #expect(try eventually { try peer.owner(of: "CLIPBOARD") == 0 })
      let second = try start(settings: "keep = no\n")
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
      #expect(try second.paste(from: "small") == "small")
      let third = try restart(second, settings: "runtime-copy = 0\n")
      #expect(files == [])
      #expect(try third.clipview("paste", "-s", "small").status == 1)
    }

    @Test("Files that were cut are there again where all of them are", arguments: [false, true])
    func cutFilesAfterRestart(isGone: Bool) throws {
      let files = try ["a", "b"].map { try directory.write([1], to: $0) }
      let urls = files.map { "file://\($0)" }
      let script = OwnerScript([
        RawTarget("x-special/gnome-copied-files", (["cut"] + urls).joined(separator: "\n")),
        RawTarget("text/uri-list", urls.map { $0 + "\r\n" }.joined()),
      ])
      let first = try start()
      var owner: BackgroundPeer? = try copied(script)
      first.kill()
      discard(&owner)
      #expect(try eventually { try peer.owner(of: "CLIPBOARD") == 0 })
      if isGone { try Files.remove(files[1]) }
      let second = try start()
      #expect(second.settle(isGone ? " not-kept " : " restored "), "\(second.log)")
      #expect(try (peer.owner(of: "CLIPBOARD") == 0) == isGone)
      #expect(self.files.isEmpty == isGone)
      if !isGone {
        let target = script.targets[0]
        #expect(try peer.ask(target.name).value?.bytes == target.bytes)
      }
    }

    @Test("With a setting that wants nothing written down what is there goes at once")
    func nothingAnyMore() throws {
      let daemon = try start()
      try daemon.copy("named")
      #expect(try daemon.clipview("copy", "--text", "displayed").status == 0)
      #expect(files.count == 2)
      try directory.write(Array("runtime-copy = 0\n".utf8), to: "config")
      daemon.process.send(signal: 1)
      #expect(eventually { files == [] })
      #expect(try daemon.clipview("copy", "--text", "next").status == 0)
      #expect(files == [])
      #expect(try daemon.paste() == "named")
    }

    @Test("A guard that was lifted is not there again when the display is")
    func liftedGuard() throws {
      let daemon = try start()
      #expect(try daemon.clipview("copy", "--guard", "600", "--text", "kept").status == 0)
      #expect(try text() == nil)
      #expect(try daemon.clipview("guard", "off").status == 0)
      try peer.killClient(of: peer.owner(of: "CLIPBOARD"))
      #expect(daemon.settle(" restored "))
      #expect(try text() == "kept")
    }

    @Test("A display whose connection was lost has its content again when it is back")
    func lostConnection() throws {
      let daemon = try start()
      #expect(try daemon.clipview("copy", "--text", "kept").status == 0)
      try peer.killClient(of: peer.owner(of: "CLIPBOARD"))
      #expect(daemon.settle("display-lost"))
      #expect(daemon.settle(" restored "))
      #expect(try text() == "kept")
      let state = try clipboard(daemon)
      #expect(state?["owner"]?.string == "clipd")
      #expect(state?["change_count"]?.int == 2)
    }
  }
}
