import SystemIO
import TestSupport
import Testing

extension OnService {
  @Suite("Named pasteboards")
  struct NamedPasteboardTests {
    let daemon: Daemon

    init() throws { daemon = try Daemon() }

    private func lines(_ result: ProcessResult) -> [String] {
      result.text.split(separator: "\n").map(String.init)
    }

    @Test("What is copied to a name is pasted from it, and from no other")
    func copyAndPaste() throws {
      let difficult = "naïve – 日本語 🎉\tÿ €\n\n  end  "
      try daemon.copy(difficult)
      try daemon.copy("other", to: "another name")
      #expect(try daemon.paste() == difficult)
      #expect(try daemon.paste(from: "another name") == "other")
      let empty = try daemon.clipview("paste", "-s", "nothing")
      #expect(empty.isFailure(1), "\(empty)")
      #expect(empty.errors.contains("pasteboard 'nothing'"))
    }

    @Test("A name is told apart by every byte, and may be anything but empty or endless")
    func names() throws {
      try daemon.copy("one", to: "é")
      try daemon.copy("two", to: "e\u{301}")
      #expect(try daemon.paste(from: "é") == "one")
      #expect(try daemon.paste(from: "e\u{301}") == "two")
      let long = try daemon.clipview(
        "copy", "-s", String(repeating: "x", count: 256), "--text", "x")
      #expect(long.isFailure(2), "\(long)")
    }

    @Test("Content without a byte is content")
    func emptyContent() throws {
      try daemon.copy("")
      #expect(try daemon.paste() == "")
      #expect(try daemon.json("status")["pasteboards"]?.array?.first?["owner"]?.string == "clipd")
    }

    @Test("All that a copy offers is there, in its order, and the text in each spelling")
    func spellings() throws {
      try daemon.copy("é")
      let types = lines(try daemon.clipview("types", "-s", "notes"))
      #expect(
        types == [
          "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING",
          "COMPOUND_TEXT",
        ])
      #expect(try daemon.clipview("paste", "-s", "notes", "-t", "STRING").output == [0xE9])
      #expect(
        try daemon.clipview("paste", "-s", "notes", "-t", "text/plain;charset=utf-8").text == "é")
    }

    @Test("What is made is made when somebody asks, by the service")
    func madeRepresentations() throws {
      try daemon.copy("<p>one <b>two</b></p>", to: "notes", "-t", "html")
      #expect(try daemon.paste() == "one two")
      #expect(try daemon.paste(from: "notes", "-t", "html") == "<p>one <b>two</b></p>")
      let rows = try #require(
        try daemon.json("show", "-s", "notes")["items"]?.array?.first?["representations"]?.array)
      let text = try #require(rows.first { $0["target"]?.string == "UTF8_STRING" })
      #expect(text["origin"]?.string == "made")
      #expect(text["from"]?.string == "public.html")
      #expect(text["bytes"]?.int == 7)
    }

    @Test("Several representations stay several")
    func severalRepresentations() throws {
      let file = try daemon.directory.write(Array("{\\rtf1 rich}".utf8), to: "a.rtf")
      try daemon.copy("<i>x</i>", to: "notes", "-t", "html", "--also", "rtf=\(file)")
      #expect(try daemon.paste(from: "notes", "-t", "text/rtf") == "{\\rtf1 rich}")
      #expect(try daemon.paste(from: "notes", "-t", "html") == "<i>x</i>")
    }

    @Test("The change count grows by one with each change, and show tells it")
    func changeCounts() throws {
      try daemon.copy("one")
      #expect(try daemon.json("show", "-s", "notes")["change_count"]?.int == 1)
      #expect(try daemon.json("show", "-s", "notes")["backend"]?.string == "daemon")
      try daemon.copy("two")
      try daemon.copy("elsewhere", to: "other")
      #expect(try daemon.json("show", "-s", "notes", "--no-read")["change_count"]?.int == 2)
      #expect(try daemon.clipview("clear", "-s", "notes").status == 0)
      let status = try #require(try daemon.json("status")["pasteboards"]?.array)
      #expect(status.map { $0["name"]?.string } == ["notes", "other"])
      #expect(status.map { $0["change_count"]?.int } == [3, 1])
      #expect(status.map { $0["owner"] } == [.null, .string("clipd")])
      // An empty one is cleared already.
      #expect(try daemon.clipview("clear", "-s", "notes").status == 0)
      #expect(
        try daemon.json("status")["pasteboards"]?.array?.first?["change_count"]?.int == 3)
    }

    @Test("plain and flat reshape it in place")
    func reshape() throws {
      try daemon.copy("<p>a</p><p>b</p>", to: "notes", "-t", "html")
      #expect(try daemon.clipview("plain", "-s", "notes").status == 0)
      #expect(!lines(try daemon.clipview("types", "-s", "notes")).contains("text/html"))
      #expect(try daemon.paste() == "a\n\nb")
      try daemon.copy("one\ntwo\n")
      #expect(try daemon.clipview("flat", "-s", "notes").status == 0)
      #expect(try daemon.paste() == "one two")
      #expect(try daemon.clipview("plain", "-s", "none").status == 1)
    }

    @Test("What was saved from one is loaded into another, byte for byte")
    func saveAndLoad() throws {
      try daemon.copy("<b>é</b>", to: "notes", "-t", "html")
      let file = "\(daemon.directory.path)/saved"
      #expect(try daemon.clipview("save", "-s", "notes", file).status == 0)
      let loaded = try daemon.clipview("load", "-s", "copy", file)
      #expect(loaded.status == 0, "\(loaded)")
      let before = try daemon.clipview("types", "-s", "notes", "--all").text
      #expect(try daemon.clipview("types", "-s", "copy", "--all").text == before)
      #expect(try daemon.paste(from: "copy", "-t", "html") == "<b>é</b>")
      #expect(try daemon.clipview("paste", "-s", "copy", "-t", "STRING").output == [0xE9])
    }

    @Test("watch tells each change, with its count")
    func watchLines() throws {
      try daemon.copy("before")
      let watch = try ChildProcess(
        Programs.clipview, ["watch", "-s", "notes", "--json", "--initial", "-v"],
        environment: daemon.environment)
      func counts() -> [Int?] {
        text(watch.received).split(separator: "\n").map { JSON(String($0))?["change_count"]?.int }
      }
      #expect(watch.settle { _ in counts() == [1] })
      try daemon.copy("one")
      #expect(watch.settle { _ in counts() == [1, 2] })
      #expect(try daemon.clipview("clear", "-s", "notes").status == 0)
      #expect(watch.settle { _ in counts() == [1, 2, 3] })
      try daemon.copy("not this one", to: "other")
      try daemon.copy("two")
      #expect(watch.settle { _ in counts() == [1, 2, 3, 4] })
      // Its end is the end of the service.
      _ = daemon.end()
      let result = watch.finish(within: 10)
      #expect(result.status == 3)
      #expect(result.errors.contains("clipd"))
    }

    @Test("watch --exec runs with the content")
    func watchCommand() throws {
      let watch = try ChildProcess(
        Programs.clipview,
        [
          "watch", "-s", "notes", "-v", "--exec",
          "cat; echo \" $CLIPBOARD_STATE $CLIPVIEW_SELECTION\"",
        ],
        environment: daemon.environment)
      #expect(watch.settle { $0.log.contains("watching") })
      try daemon.copy("one")
      #expect(watch.settle { text($0.received) == "one data notes\n" })
    }

    @Test("--foreground stays until the content is replaced")
    func foreground() throws {
      let copy = try ChildProcess(
        Programs.clipview, ["copy", "-s", "notes", "--foreground", "--text", "here"],
        environment: daemon.environment)
      #expect(try eventually { try daemon.clipview("paste", "-s", "notes").text == "here" })
      #expect(copy.isRunning)
      try daemon.copy("next")
      #expect(copy.finish(within: 10).status == 0)
    }

    @Test("Content for one paste is gone after it")
    func once() throws {
      try daemon.copy("secret", to: "notes", "--once")
      let shown = try daemon.json("show", "-s", "notes")
      #expect(shown["terms"]?["once"]?.bool == true)
      #expect(try daemon.clipview("types", "-s", "notes").status == 0)
      #expect(try daemon.paste() == "secret")
      let second = try daemon.clipview("paste", "-s", "notes")
      #expect(second.isFailure(1), "\(second)")
      #expect(
        eventually {
          (try? daemon.json("status"))?["pasteboards"]?.array?.first?["owner"] == .null
        })
    }

    @Test("Of many who paste at once one gets it")
    func onceAmongMany() throws {
      for _ in 0..<5 {
        try daemon.copy("secret", to: "notes", "--once")
        let readers = try (0..<8).map { _ in
          try ChildProcess(
            Programs.clipview, ["paste", "-s", "notes"], environment: daemon.environment)
        }
        let results = readers.map { $0.finish(within: 20) }
        #expect(results.count { $0.text == "secret" } == 1, "\(results)")
        #expect(results.allSatisfy { $0.status == 0 || $0.status == 1 })
      }
    }

    @Test("Content expires")
    func expiry() throws {
      try daemon.copy("short-lived", to: "notes", "--expire", "0.2")
      #expect(try eventually { try daemon.clipview("paste", "-s", "notes").status == 1 })
      #expect(try daemon.json("status")["pasteboards"]?.array?.first?["bytes"]?.int == 0)
    }

    @Test("Guarded content is refused for so long, and its types are told")
    func guarded() throws {
      try daemon.copy("rm -rf", to: "notes", "--guard", "60")
      let refused = try daemon.clipview("paste", "-s", "notes")
      #expect(refused.isFailure(5), "\(refused)")
      #expect(try daemon.clipview("types", "-s", "notes").status == 0)
      try daemon.copy("ls", to: "notes", "--guard", "0.05")
      #expect(try eventually { try daemon.clipview("paste", "-s", "notes").text == "ls" })
    }

    @Test("Secrets are marked in the state, shown without preview, and never logged")
    func secrets() throws {
      try daemon.copy("hunter2-hunter2", to: "notes", "--sensitive")
      let shown = try daemon.clipview("show", "-s", "notes")
      #expect(!shown.text.contains("hunter2"))
      #expect(try daemon.json("status")["pasteboards"]?.array?.first?["sensitive"]?.bool == true)
      #expect(try daemon.paste() == "hunter2-hunter2")
      _ = daemon.end()
      #expect(!daemon.log.contains("hunter2"))
      for name in Files.names(in: "\(daemon.directory.path)/clipview") {
        let path = "\(daemon.directory.path)/clipview/\(name)"
        let bytes = (try? Files.read(path)) ?? []
        #expect(!text(bytes).contains("hunter2"))
      }
    }

    @Test("A large file comes through as it is", arguments: [65_535, 65_536, 1 << 20, 40_000_001])
    func sizes(size: Int) throws {
      let bytes = scrambledBytes(size, seed: UInt64(size))
      let result = try daemon.clipview("copy", "-s", "notes", "-t", "x/data", input: bytes)
      #expect(result.status == 0, "\(result)")
      let pasted = try daemon.clipview("paste", "-s", "notes", "-t", "x/data")
      #expect(difference(pasted.output, bytes) == nil)
    }

    @Test("200 copies and pastes in turn: no mismatch, and nothing is left open")
    func manyTurns() throws {
      let before = OpenDescriptors(of: daemon.process.pid).targets.count
      for number in 0..<200 {
        try daemon.copy("turn \(number)")
        #expect(try daemon.paste() == "turn \(number)")
      }
      #expect(try daemon.json("show", "-s", "notes")["change_count"]?.int == 200)
      // The content itself is a memory file.
      #expect(
        eventually { OpenDescriptors(of: daemon.process.pid).targets.count <= before + 1 })
    }

    @Test("More pasteboards or bytes than the configuration allows are refused")
    func limits() throws {
      let small = try Daemon(settings: "maximum-pasteboards = 2\nmaximum-total = 100\n")
      try small.copy("a", to: "one")
      try small.copy("b", to: "two")
      #expect(try small.clipview("copy", "-s", "three", "--text", "c").isFailure(6))
      #expect(
        try small.clipview("copy", "-s", "one", "--text", String(repeating: "x", count: 100))
          .isFailure(6))
      #expect(try small.paste(from: "one") == "a")
      try small.copy(String(repeating: "y", count: 98), to: "one")
    }

    @Test("--backend daemon without a display keeps the clipboard itself")
    func clipboardWithoutDisplay() throws {
      let copied = try daemon.clipview("copy", "--backend", "daemon", "--text", "kept")
      #expect(copied.status == 0, "\(copied)")
      #expect(try daemon.clipview("paste", "--backend", "daemon").text == "kept")
      #expect(try daemon.clipview("paste", "-p", "--backend", "daemon").status == 1)
      let other = try daemon.clipview(
        "paste", "--backend", "daemon", environment: ["DISPLAY": ":1234"])
      #expect(other.isFailure(3), "\(other)")
      #expect(try daemon.clipview("paste", "-s", "x", "--backend", "x11").isFailure(2))
    }

    @Test("doctor examines displays, and says so")
    func doctor() throws {
      #expect(try daemon.clipview("doctor", "-s", "notes").isFailure(2))
    }
  }

  @Suite("Without the service")
  struct WithoutServiceTests {
    private func clipview(
      _ directory: TemporaryDirectory, _ arguments: [String],
      environment: [String: String] = [:]
    ) throws -> ProcessResult {
      try run(
        Programs.clipview, arguments, environment: Daemon.environment(directory, environment))
    }

    @Test(
      "What needs it says so",
      arguments: [
        ["paste", "-s", "notes"], ["copy", "-s", "notes", "--text", "x"], ["types", "-s", "notes"],
        ["show", "-s", "notes"], ["clear", "-s", "notes"], ["watch", "-s", "notes"],
        ["paste", "--backend", "daemon"], ["status"],
      ])
    func isMissed(arguments: [String]) throws {
      let result = try clipview(TemporaryDirectory(), arguments)
      #expect(result.isFailure(3), "\(result)")
      #expect(result.errors.contains("clipd"))
    }

    @Test("A hot key stays silent")
    func hotKey() throws {
      let result = try clipview(TemporaryDirectory(), ["plain", "-s", "notes"])
      #expect(result.status == 3 && result.errors.isEmpty)
    }

    @Test("A service of another version is told from none, with what to do")
    func otherVersion() throws {
      let directory = TemporaryDirectory()
      try Files.makeDirectory("\(directory.path)/clipview")
      // Answers whatever it is asked with a frame of version 99.
      let impostor = try ChildProcess(
        "python3",
        [
          "-u", "-c",
          """
          import socket, struct, sys
          s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
          s.bind(sys.argv[1])
          s.listen()
          print("bound")
          while True:
            c, _ = s.accept()
            tag = c.recv(65536)[8:12]
            c.sendall(b"CLPV" + struct.pack("<HBB", 99, 255, 0) + tag + struct.pack("<I", 1) + b"x")
          """, "\(directory.path)/clipview/control",
        ], environment: Programs.environment())
      #expect(impostor.settle { text($0.received).contains("bound") })
      for arguments in [["status"], ["paste", "-s", "notes"]] {
        let result = try clipview(directory, arguments)
        #expect(result.isFailure(3), "\(result)")
        #expect(result.errors.contains("protocol 99"))
        #expect(result.errors.contains("restart"))
      }
    }

    @Test("A service that does not answer is not waited for longer than was said")
    func silentService() throws {
      let directory = TemporaryDirectory()
      let daemon = try ChildProcess(
        Programs.clipd, environment: Daemon.environment(directory))
      #expect(daemon.settle { $0.log.contains("ready") })
      daemon.send(signal: 19)
      let result = try clipview(directory, ["paste", "-s", "notes", "--timeout", "0.3"])
      #expect(result.isFailure(4), "\(result)")
      daemon.send(signal: 18)
    }
  }
}
