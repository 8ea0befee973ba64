import TestSupport
import Testing

/// The spellings of text that a copied text is offered under.
private let textTargets = [
  "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT", "COMPOUND_TEXT",
]

/// The beginning of a PNG file: enough for its magic number.
private let pngBytes: [UInt8] =
  [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
  + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]

extension OnDisplay {
  @Suite("Copy")
  struct CopyTests {
    let desk: Desk
    let directory = TemporaryDirectory()

    init() throws { desk = try Desk() }

    private var targets: [String] { get throws { try desk.peer.targets()?.content ?? [] } }

    @Test(
      "Text from the command line, from standard input, from a dash and from a file is the same")
    func textComesFromEverywhere() throws {
      let file = try directory.write(Array(difficultText.utf8), to: "text.txt")
      let ways: [() throws -> Void] = [
        { try desk.copy(nil, "--text", difficultText) },
        { try desk.copy(difficultText) },
        { try desk.copy(difficultText, "-") },
        { try desk.copy(nil, file) },
      ]
      for way in ways {
        try desk.copy("before")
        try way()
        #expect(try desk.peer.ask("UTF8_STRING").value?.text == difficultText)
      }
    }

    @Test("Text is offered under all its spellings")
    func textHasAllSpellings() throws {
      try desk.copy("hello")
      #expect(Set(textTargets).isSubset(of: try targets))
      for target in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING"] {
        let value = try #require(try desk.peer.ask(target).value)
        #expect(value.type == target)
        #expect(value.format == 8)
        #expect(value.text == "hello")
      }
    }

    @Test("The targets are a list of atoms with the protocol's own among them, each once")
    func targetsAreAtoms() throws {
      try desk.copy("hello")
      let value = try #require(try desk.peer.ask("TARGETS").value)
      #expect(value.type == "ATOM")
      #expect(value.format == 32)
      let names = try #require(try desk.peer.targets())
      #expect(Set(["TARGETS", "TIMESTAMP", "MULTIPLE"]).isSubset(of: names))
      #expect(Set(names).count == names.count)
      #expect(!names.contains("INCR"))
      #expect(!names.contains { $0.hasPrefix("bad atom") || $0 == "None" })
    }

    @Test(
      "The type comes from the extension",
      arguments: [
        ("notes.md", "text/markdown"), ("page.html", "text/html"), ("picture.png", "image/png"),
        ("letter.rtf", "text/rtf"), ("PHOTO.JPG", "image/jpeg"), ("paper.pdf", "application/pdf"),
      ])
    func typeFromExtension(name: String, target: String) throws {
      let bytes = Array("# not what it says\n".utf8)
      try desk.copy(nil, try directory.write(bytes, to: name))
      let first = try #require(try targets.first)
      #expect(first == target)
      #expect(try desk.peer.ask(target).value?.bytes == bytes)
    }

    @Test("The type comes from the content where nothing else tells it")
    func typeFromContent() throws {
      try desk.copy(pngBytes)
      #expect(try targets.first == "image/png")
      #expect(try desk.peer.ask("image/png").value?.bytes == pngBytes)
      #expect(Set(try targets).isDisjoint(with: textTargets))
    }

    @Test("What is neither known nor text is raw data")
    func rawData() throws {
      let bytes = scrambledBytes(1000)
      try desk.copy(bytes)
      #expect(try targets == ["application/octet-stream"])
      #expect(try desk.paste() == bytes)
    }

    @Test("A given type beats extension and content")
    func givenTypeWins() throws {
      let file = try directory.write(pngBytes, to: "picture.png")
      try desk.copy(nil, "-t", "application/x-private", file)
      #expect(try targets == ["application/x-private"])
      #expect(try desk.peer.ask("application/x-private").value?.bytes == pngBytes)
    }

    @Test(
      "A type can be given by short name, identifier, MIME type and extension",
      arguments: ["html", "public.html", "text/html", ".html"])
    func typesCanBeSpelled(type: String) throws {
      try desk.copy("<b>x</b>", "-t", type, "--only")
      let targets = try targets
      #expect(targets == ["text/html"])
    }

    @Test(
      "A MIME type is read without regard to case and parameters, and offered as programs ask for it"
    )
    func mimeTypesAreFolded() throws {
      for type in ["TEXT/HTML", "text/html; charset=UTF-8"] {
        try desk.copy("<b>x</b>", "-t", type)
        #expect(try desk.peer.ask("text/html").value?.text == "<b>x</b>", "\(type)")
      }
    }

    @Test(
      "Everything that a copy lists can be had",
      arguments: [
        ("text", difficultText), ("markdown", "# Title\n"), ("html", "<p>naïve <b>x</b>"),
        ("rtf", "{\\rtf1\\ansi naive \\b x}"), ("png", "\u{89}PNG"), ("application/x-odd", "?"),
        ("text/plain;charset=utf-8", ""), ("STRING", "plain"), (".json", "{}"),
      ])
    func everythingListedConverts(type: String, content: String) throws {
      try desk.copy(content, "-t", type)
      let names = try #require(try desk.peer.targets())
      #expect(names.count > 3)
      for name in names where name != "MULTIPLE" {
        #expect(try desk.peer.ask(name).value != nil, "\(name) of \(type)")
      }
      // All at once, too.
      let wanted = names.filter { $0 != "MULTIPLE" }
      let answers = try #require(try desk.peer.multiple(wanted)).answers
      #expect(answers.allSatisfy { $0.value != nil })
    }

    @Test("Markdown is offered as Markdown and, the same bytes, as text")
    func markdownIsAlsoText() throws {
      let markdown = "# Title\n\n* item\n"
      try desk.copy(markdown, "-t", "markdown")
      #expect(try targets.first == "text/markdown")
      #expect(Set(textTargets).isSubset(of: try targets))
      #expect(try desk.peer.ask("text/markdown").value?.text == markdown)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == markdown)
    }

    @Test("Text of another type is offered as text too")
    func otherTextIsAlsoText() throws {
      let content = "{\"a\": 1}\n"
      let file = try directory.write(Array(content.utf8), to: "data.json")
      for arguments in [[file], ["-t", "application/json", file]] {
        let result = try run(
          Programs.clipview, ["copy"] + arguments, environment: desk.server.environment())
        #expect(result.isSilentSuccess, "\(result)")
        #expect(try targets.first == "application/json")
        #expect(Set(textTargets).isSubset(of: try targets))
        #expect(try desk.peer.ask("UTF8_STRING").value?.text == content)
        #expect(try desk.peer.ask("application/json").value?.text == content)
      }
    }

    @Test("More representations come in the given order")
    func alsoKeepsOrder() throws {
      let html = try directory.write(Array("<b>x</b>".utf8), to: "b")
      let plain = try directory.write(Array("x".utf8), to: "c")
      let odd = try directory.write(Array("odd".utf8), to: "d=e")
      try desk.copy(
        "**x**", "-t", "markdown", "--only", "--also", "html=\(html)", "--also",
        "text/plain;charset=utf-8=\(plain)", "--also", "application/x-odd=\(odd)")
      #expect(
        try targets == [
          "text/markdown", "text/html", "text/plain;charset=utf-8", "application/x-odd",
        ])
      #expect(try desk.peer.ask("text/html").value?.text == "<b>x</b>")
      #expect(try desk.peer.ask("text/plain;charset=utf-8").value?.text == "x")
      #expect(try desk.peer.ask("application/x-odd").value?.text == "odd")
      #expect(try desk.peer.ask("UTF8_STRING") == .refused)
    }

    @Test("--only publishes just what was given")
    func onlyPublishesNothingElse() throws {
      try desk.copy("x", "--only")
      #expect(Set(try targets) == ["UTF8_STRING", "text/plain;charset=utf-8"])
      try desk.copy("x", "--only", "-t", "plain")
      #expect(Set(try targets) == ["UTF8_STRING", "text/plain;charset=utf-8"])
      try desk.copy("x", "--only", "-t", "text/plain;charset=utf-8")
      #expect(try targets == ["text/plain;charset=utf-8"])
      try desk.copy("x", "--only", "-t", "text/html")
      #expect(try targets == ["text/html"])
      #expect(try desk.peer.ask("UTF8_STRING") == .refused)
    }

    @Test("--flat makes one line of many")
    func flatJoinsLines() throws {
      try desk.copy("one\ntwo\r\nthree\n", "--flat")
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "one two three")
      try desk.copy("one\ntwo\n", "--flat=join")
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "onetwo")
    }

    @Test("A file that is missing or is a folder changes nothing")
    func missingFileChangesNothing() throws {
      try desk.copy("before")
      for path in [directory.path + "/missing.txt", directory.path] {
        let result = try desk.clipview("copy", path)
        #expect(result.isFailure(6), "\(result)")
        #expect(try desk.peer.ask("UTF8_STRING").value?.text == "before")
      }
      let result = try desk.clipview(
        "copy", "--text", "x", "--also", "html=\(directory.path)/missing")
      #expect(result.isFailure(6), "\(result)")
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "before")
    }

    @Test("Content is what it was at the copy, whatever becomes of the file")
    func contentIsCaptured() throws {
      let bytes = scrambledBytes(3_000_000)
      let path = try directory.write(bytes, to: "data.bin")
      try desk.copy(nil, "-t", "x/data", path)
      try directory.write(scrambledBytes(10, seed: 2), to: "data.bin")
      #expect(difference(try desk.paste("-t", "x/data"), bytes) == nil)
    }

    @Test("The selection is chosen by name and by -p")
    func selectionsAreApart() throws {
      try desk.copy("clipboard")
      try desk.copy("primary", "-p")
      try desk.copy("secondary", "-s", "secondary")
      #expect(try desk.peer.ask("UTF8_STRING", of: "CLIPBOARD").value?.text == "clipboard")
      #expect(try desk.peer.ask("UTF8_STRING", of: "PRIMARY").value?.text == "primary")
      #expect(try desk.peer.ask("UTF8_STRING", of: "SECONDARY").value?.text == "secondary")
      #expect(text(try desk.paste("--selection", "primary")) == "primary")
      #expect(text(try desk.paste("-s", "clipboard")) == "clipboard")
      let named = try desk.clipview("paste", "-s", "scratch")
      #expect(named.isFailure(3), "\(named)")
      #expect(named.errors.contains("named pasteboards need clipd: "))
    }

    @Test("--foreground serves until the selection is lost")
    func foregroundServes() throws {
      let child = try ChildProcess(
        Programs.clipview, ["copy", "--foreground", "--text", "here"],
        environment: desk.server.environment())
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD") != 0 })
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "here")
      #expect(child.isRunning)
      try desk.xclipIn(Array("other".utf8))
      #expect(child.finish(within: 10).isSilentSuccess)
    }

    @Test("The process that serves ends when it loses the selection or the server")
    func serverEnds() throws {
      try desk.copy("one")
      #expect(desk.servers.count == 1)
      try desk.xclipIn(Array("other".utf8))
      #expect(eventually { desk.servers.isEmpty })
      let server = try XServer()
      let other = try Desk(server)
      try other.copy("two")
      #expect(other.servers.count == 1)
      server.crash()
      #expect(eventually { other.servers.isEmpty })
    }

    @Test("Empty input is content of zero bytes")
    func emptyInput() throws {
      try desk.copy([])
      #expect(try desk.peer.ask("UTF8_STRING").value?.bytes == [])
      #expect(try desk.paste() == [])
    }
  }
}
