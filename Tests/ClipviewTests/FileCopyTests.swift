import TestSupport
import Testing

/// Names that go wrong elsewhere: blanks, marks of URLs, line ends, bytes that are no text.
private let oddNames: [[UInt8]] =
  [
    "report.txt", "two words", " edge ", "#1", "100%", "%41", "a&b", "what?", "semi;colon", "-0",
    "naïve 日本", "line\nend", "\n", "tab\t", "quote'\"", "back\\slash", "[x]{y}", "\u{1B}[31m",
  ].map { Array($0.utf8) } + [[0xFF, 0xFE, 0x20, 0x80], [0x01, 0xC3]]

private let fileForms = [
  "text/uri-list", "x-special/gnome-copied-files", "x-special/mate-copied-files",
]

extension OnDisplay {
  @Suite("Copying files")
  struct FileCopyTests {
    let desk: Desk
    let directory = TemporaryDirectory()

    init() throws { desk = try Desk() }

    /// Runs a shell script in the directory: `$0` is clipview.
    private func shell(_ script: String, input: [UInt8]? = nil) throws -> ProcessResult {
      try run(
        "sh", ["-c", "cd \"$1\" && \(script)", Programs.clipview, directory.path], input: input,
        environment: desk.server.environment(), timeout: 60)
    }

    private func paths(_ names: [[UInt8]]) -> [[UInt8]] {
      names.map { Array("\(directory.path)/".utf8) + $0 }
    }

    /// What each NUL ends.
    private func names(_ bytes: [UInt8]) -> [[UInt8]] {
      bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Array($0) }
    }

    private func makeOddFiles() throws {
      for name in oddNames { try directory.write([], named: name) }
    }

    private func value(_ target: String) throws -> String? {
      try desk.peer.ask(target).value?.text
    }

    @Test("C54: files with any names are offered in every form, and come back byte for byte")
    func c54OddNamesComeBack() throws {
      try makeOddFiles()
      let input = Array(oddNames.joined(separator: [0])) + [0]
      for option in ["--files", "--cut"] {
        #expect(try shell("\"$0\" copy \(option) -0", input: input).isSilentSuccess)
        #expect(names(try desk.paste("--as", "files", "-0")) == paths(oddNames))
        // From every form alone, as another program would hand it on.
        for form in fileForms {
          let bytes = try #require(try desk.peer.ask(form).value?.bytes)
          #expect(bytes.allSatisfy { $0 < 0x7F })
          let owner = try desk.owner(RawTarget(form, bytes))
          #expect(names(try desk.paste("--as", "files", "-0")) == paths(oddNames), "\(form)")
          withExtendedLifetime(owner) {}
          #expect(try shell("\"$0\" copy \(option) -0", input: input).isSilentSuccess)
        }
      }
    }

    @Test("Names come as arguments, a dash and nothing mean standard input, folders are files too")
    func namesComeFromEverywhere() throws {
      try makeOddFiles()
      let expected = Set(paths(oddNames))
      for script in ["\"$0\" copy --files ./*", "\"$0\" copy --files -- *"] {
        // The shell sorts, leaves nothing out and passes bytes.
        #expect(try shell(script).isSilentSuccess)
        #expect(Set(names(try desk.paste("--as", "files", "-0"))) == expected)
      }
      let lines = Array("report.txt\n\ntwo words\n".utf8)
      for script in ["\"$0\" copy --files", "\"$0\" copy --cut -"] {
        #expect(try shell(script, input: lines).isSilentSuccess)
        #expect(
          try desk.paste("--as", "files", "-0")
            == Array(
              "\(directory.path)/report.txt\0\(directory.path)/two words\0".utf8))
      }
      #expect(try shell("\"$0\" copy --files '#1' - .", input: lines).isSilentSuccess)
      #expect(
        text(try desk.paste("--as", "files"))
          == ["/#1", "/report.txt", "/two words", ""].map { "\(directory.path)\($0)\n" }.joined())
    }

    @Test("A relative name starts where the shell says it is, where that is true")
    func workingDirectory() throws {
      #expect(try shell("mkdir real && touch real/x && ln -s real link").isSilentSuccess)
      let real = try shell("pwd -P").text.split(separator: "\n").joined()
      for (script, expected) in [
        ("cd link && PWD=\"$1/link\" \"$0\" copy --files x", "\(directory.path)/link/x"),
        ("cd link && PWD=/ \"$0\" copy --files x", "\(real)/real/x"),
        ("cd link && PWD=link \"$0\" copy --files ./x", "\(real)/real/x"),
        ("PWD=\"$1\" \"$0\" copy --files link/../real/x", "\(real)/real/x"),
      ] {
        #expect(try shell(script).isSilentSuccess)
        #expect(text(try desk.paste("--as", "files")) == expected + "\n", "\(script)")
      }
    }

    @Test("What is offered of copied and of cut files")
    func forms() throws {
      let file = try directory.write([], to: "a b")
      try desk.copy(nil, "--files", file)
      #expect(
        try desk.peer.targets()?.content == fileForms + [
          "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING",
          "COMPOUND_TEXT",
        ])
      let url = "file://\(directory.path)/a%20b"
      #expect(try value("text/uri-list") == "\(url)\r\n")
      #expect(try value("x-special/gnome-copied-files") == "copy\n\(url)")
      #expect(try value("x-special/mate-copied-files") == "copy\n\(url)")
      #expect(try desk.peer.ask("application/x-kde-cutselection") == .refused)
      #expect(try value("UTF8_STRING") == file)
      #expect(text(try desk.paste()) == file)
      try desk.copy(nil, "--cut", file)
      #expect(try value("x-special/gnome-copied-files") == "cut\n\(url)")
      #expect(try value("x-special/mate-copied-files") == "cut\n\(url)")
      #expect(try value("application/x-kde-cutselection") == "1")
      try desk.copy(nil, "--files", "--only", file)
      #expect(try desk.peer.targets()?.content == ["text/uri-list"])
      try desk.copy(nil, "-p", "--files", file)
      #expect(try desk.peer.ask("text/uri-list", of: "PRIMARY").value?.text == "\(url)\r\n")
    }

    @Test("A file that is missing is named, and nothing is copied")
    func missingFiles() throws {
      let file = try directory.write([], to: "there")
      try desk.copy("before")
      let inputs: [([String], String)] = [
        (["--files", file, "\(directory.path)/none"], "none"), (["--cut", ""], "''"),
        (["--files", "file://\(file)"], "file://"), (["--files"], "standard input"),
      ]
      for (arguments, named) in inputs {
        let result = try run(
          Programs.clipview, ["copy"] + arguments, environment: desk.server.environment())
        #expect(result.isFailure(6), "\(result)")
        #expect(result.errors.contains(named), "\(result)")
      }
      for input in ["\(file)\0\(file)\0", "\(file)\nnone\n"] {
        let result = try desk.clipview("copy", "--files", input: Array(input.utf8))
        #expect(result.isFailure(6), "\(result)")
      }
      #expect(try value("UTF8_STRING") == "before")
      // A link is copied as a link, whatever it points to.
      #expect(try shell("ln -s nowhere dangling && \"$0\" copy --files dangling").isSilentSuccess)
      #expect(text(try desk.paste("--as", "files")) == "\(directory.path)/dangling\n")
    }

    @Test("A folder without --files is an error that tells of it")
    func folderWithoutFiles() throws {
      let result = try desk.clipview("copy", directory.path)
      #expect(result.isFailure(6), "\(result)")
      #expect(result.errors.contains("copy --files"))
    }
  }

  @Suite("Pasting files")
  struct FilePasteTests {
    let desk: Desk
    let directory = TemporaryDirectory()

    init() throws { desk = try Desk() }

    private func isPasted(
      _ targets: RawTarget..., as expected: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let owner = try desk.owner(OwnerScript(targets))
      #expect(text(try desk.paste("--as", "files")) == expected, sourceLocation: sourceLocation)
      withExtendedLifetime(owner) {}
    }

    @Test(
      "Files that real file managers copied and cut",
      arguments: ["nautilus", "thunar", "pcmanfm", "dolphin"], ["copy", "cut"])
    func filesOfFileManagers(manager: String, operation: String) throws {
      let capture = try Capture("\(manager)-x11-files-\(operation)")
      let folder = "/tmp/demo/files/"
      let odd = "naïve 日本 & 100%.txt"
      let files =
        (manager == "nautilus" ? [odd, "report.txt", "sub"] : ["sub", odd, "report.txt"])
        .map { folder + $0 }
      let owner = try desk.owner(capture.script)
      #expect(text(try desk.paste("--as", "files")) == files.map { $0 + "\n" }.joined())
      #expect(text(try desk.paste("--as", "files", "-0")) == files.map { $0 + "\0" }.joined())
      // Asked for by type it is what the program offers.
      #expect(try desk.paste("-t", "files") == capture["text/uri-list"])
      #expect(try desk.paste("--accept", "files,text") == capture["text/uri-list"])
      withExtendedLifetime(owner) {}
      for form in fileForms {
        guard let bytes = capture[form] else { continue }
        try isPasted(RawTarget(form, bytes), as: files.map { $0 + "\n" }.joined())
      }
    }

    @Test("C56: CR LF and LF, comments left out, order kept")
    func c56UriLists() throws {
      let lists = [
        "# files\r\nfile:///b\r\nfile://localhost/a%20c\r\n", "file:///b\n\n#\nfile:/a c",
        "file:///b\r\nfile:///a%20c\0",
      ]
      for list in lists { try isPasted(RawTarget("text/uri-list", list), as: "/b\n/a c\n") }
    }

    @Test("The best list is taken: of URLs, then GNOME's, then others; text with paths is none")
    func choice() throws {
      let gnome = RawTarget("x-special/gnome-copied-files", "cut\nfile:///gnome")
      let mate = RawTarget("x-special/mate-copied-files", "copy\nfile:///mate")
      let text = RawTarget("UTF8_STRING", "/text")
      try isPasted(
        text, mate, gnome, RawTarget("text/uri-list", "file:///list\r\n"), as: "/list\n")
      try isPasted(text, mate, gnome, as: "/gnome\n")
      try isPasted(text, mate, as: "/mate\n")
      try isPasted(RawTarget("text/uri-list;charset=utf-8", "file:///list\n"), as: "/list\n")
      // KDE's list may have URLs of KDE's own where the general one has files.
      let kde = RawTarget("application/x-kde4-urilist", "desktop:/x\r\n")
      try isPasted(kde, RawTarget("text/uri-list", "file:///x\r\n"), as: "/x\n")
      try isPasted(RawTarget("text/uri-list", "recent:///1\r\n"), gnome, as: "/gnome\n")
      try isPasted(RawTarget("text/uri-list", ""), gnome, as: "/gnome\n")
      // A list of nothing is a list all the same.
      try isPasted(RawTarget("text/uri-list", "# none\r\n"), as: "")
    }

    @Test("Nothing of the kind is exit 1, and what is there is listed")
    func noFiles() throws {
      #expect(try desk.clipview("paste", "--as", "files").isFailure(1))
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "file:///a"), RawTarget("text/html", "/a"))
      for arguments in [["--as", "files"], ["--as", "files", "-0"], ["-t", "files"]] {
        let result = try run(
          Programs.clipview, ["paste"] + arguments, environment: desk.server.environment())
        #expect(result.isFailure(1), "\(result)")
        #expect(result.errors.contains("no files"))
        #expect(result.errors.contains("UTF8_STRING") && result.errors.contains("text/html"))
      }
      withExtendedLifetime(owner) {}
    }

    @Test("What is no file of this machine is never left out in silence")
    func otherAddresses() throws {
      let long = String(repeating: "x", count: 100_000)
      let cases: [(list: String, code: Int32, named: String)] = [
        ("http://\(long)\r\n", 1, "xxx…'"),
        ("http://a/b\r\n", 1, "http://a/b"), ("file://elsewhere/a\r\n", 1, "file://elsewhere/a"),
        ("/a\r\n", 1, "'/a'"), ("file:///a%\r\n", 1, "file:///a%"),
        ("file:///a\r\nsftp://h/b\r\n", 6, "sftp://h/b"),
        ("file:///a%00\r\nfile:///b\r\n", 6, "file:///a%00"),
      ]
      for (list, code, named) in cases {
        let owner = try desk.owner(RawTarget("text/uri-list", list))
        let result = try desk.clipview("paste", "--as", "files")
        #expect(result.isFailure(code), "\(result)")
        #expect(result.errors.contains(named) && result.errors.contains("-t text/uri-list"))
        withExtendedLifetime(owner) {}
      }
      // The name of this machine is this machine.
      let name = try run("uname", ["-n"], environment: Programs.environment()).text
      let host = name.split(separator: "\n").joined()
      try isPasted(RawTarget("text/uri-list", "file://\(host)/a\r\n"), as: "/a\n")
    }

    @Test(
      "An owner that does not tell what it has is asked for lists; one that says anything is not believed"
    )
    func blindOwners() throws {
      var script = OwnerScript("x-special/gnome-copied-files", "copy\nfile:///a")
      script.list = .refused
      let owner = try desk.owner(script)
      #expect(text(try desk.paste("--as", "files")) == "/a\n")
      withExtendedLifetime(owner) {}
      var other = OwnerScript("text/uri-list", "")
      other.list = .refused
      let second = try desk.owner(other)
      #expect(try desk.clipview("paste", "--as", "files").isFailure(1))
      withExtendedLifetime(second) {}
    }

    @Test("Paths go to a file, and -n leaves out the last line end")
    func shapes() throws {
      let owner = try desk.owner(RawTarget("text/uri-list", "file:///a\r\nfile:///b%0A\r\n"))
      let file = "\(directory.path)/list.html"
      #expect(try desk.clipview("paste", "--as", "files", "-o", file).isSilentSuccess)
      #expect(try text(Files.read(file)) == "/a\n/b\n\n")
      #expect(text(try desk.paste("--as", "files", "-n")) == "/a\n/b\n")
      #expect(text(try desk.paste("--as", "files", "-0", "-n")) == "/a\0/b\n\0")
      let verbose = try desk.clipview("paste", "--as", "files", "-v")
      #expect(verbose.text == "/a\n/b\n\n")
      #expect(verbose.errors.contains("text/uri-list") && verbose.errors.contains("-0"))
      withExtendedLifetime(owner) {}
    }

    @Test("C57: keys of the file portal are not content")
    func c57PortalKeysAreNoContent() throws {
      let portal = ["application/vnd.portal.filetransfer", "application/vnd.portal.files"]
      let keys = portal.map { RawTarget($0, "12345") }
      let alone = try desk.owner(OwnerScript(keys))
      for arguments in [
        ["paste"], ["paste", "--as", "files"], ["paste", "--accept-any", "public.data"],
      ] {
        let result = try run(
          Programs.clipview, arguments, environment: desk.server.environment())
        #expect(result.isFailure(1), "\(result)")
      }
      #expect(try desk.clipview("types").output.isEmpty)
      withExtendedLifetime(alone) {}
      let owner = try desk.owner(
        OwnerScript(keys + [RawTarget("text/uri-list", "file:///a\r\n")]))
      #expect(lines(try desk.clipview("types").output) == ["text/uri-list"])
      #expect(text(try desk.paste()) == "file:///a\r\n")
      #expect(text(try desk.paste("--as", "files")) == "/a\n")
      #expect(!(try desk.clipview("show").text).contains("12345"))
      // Whoever wants the key to the letter gets it.
      #expect(text(try desk.paste("-t", portal[0])) == "12345")
      withExtendedLifetime(owner) {}
    }
  }
}

@Suite("Options for files")
struct FileOptionTests {
  @Test(
    "What cannot be meant together is a usage error that says what to do",
    arguments: [
      ["copy", "--files", "--cut", "x"], ["copy", "--files", "-t", "html", "x"],
      ["copy", "--files", "--text", "x"], ["copy", "--cut", "--also", "html=x", "y"],
      ["copy", "--files", "--flat", "x"], ["copy", "--files", "-n", "x"],
      ["copy", "--cut", "--only", "x"], ["copy", "--files", "-", "-"],
      ["copy", "--files", "-0", "x"], ["copy", "-0", "x"], ["paste", "-0"],
      ["paste", "-t", "files", "-0"], ["paste", "--as", "files", "--flat"],
      ["paste", "--as", "files", "--lf"], ["paste", "--as", "files", "-t", "files"],
      ["copy", "a", "b"],
    ])
  func usageErrors(arguments: [String]) throws {
    let result = try run(
      Programs.clipview, arguments, environment: Programs.environment(), timeout: 20)
    #expect(result.isFailure(2), "\(result)")
  }
}
