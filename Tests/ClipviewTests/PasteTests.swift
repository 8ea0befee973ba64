import TestSupport
import Testing

extension OnDisplay {
  @Suite("Paste")
  struct PasteTests {
    let desk: Desk
    let directory = TemporaryDirectory()

    init() throws { desk = try Desk() }

    @Test("An empty clipboard is exit 1 with a message")
    func nothingThere() throws {
      let result = try desk.clipview("paste")
      #expect(result.isFailure(1), "\(result)")
      let typed = try desk.clipview("paste", "-t", "png")
      #expect(typed.isFailure(1), "\(typed)")
    }

    @Test("No command with a piped output pastes")
    func noCommandPastes() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "text"))
      #expect(try desk.clipview().text == "text")
      withExtendedLifetime(owner) {}
    }

    @Test("No command with piped input and a terminal is a usage error that names copy")
    func pipedInputIsNotGuessed() throws {
      let result = try run(
        "sh", ["-c", "echo x | \"$0\"; echo $?", Programs.clipview], outputs: .terminal,
        environment: desk.server.environment())
      #expect(result.text.contains("clipview copy"))
      #expect(result.text.hasSuffix("2\n"))
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
    }

    @Test("A line end is added on a terminal where the text lacks one, and nowhere else")
    func terminalGetsLineEnd() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "text"))
      #expect(try desk.clipview("paste", outputs: .terminal).text == "text\n")
      #expect(try desk.paste() == Array("text".utf8))
      try owner.change(OwnerScript("UTF8_STRING", "text\n"))
      #expect(try desk.clipview("paste", outputs: .terminal).text == "text\n")
    }

    @Test("Text is taken from the best spelling, whatever the order")
    func bestSpelling() throws {
      // In the order of their worth; each says what it is.
      let spellings = [
        RawTarget("UTF8_STRING", "native"), RawTarget("text/plain;charset=utf-8", "mime"),
        RawTarget("text/plain;charset=utf-16le", Array("wide".utf8.flatMap { [$0, 0] })),
        RawTarget("text/plain", "bare"), RawTarget("COMPOUND_TEXT", "compound"),
        RawTarget("TEXT", type: "STRING", "open"), RawTarget("STRING", "latin"),
      ]
      let expected = ["native", "mime", "wide", "bare", "compound", "open", "latin"]
      var numbers = SeededGenerator(seed: 3)
      let owner = try desk.owner(OwnerScript([]))
      for best in spellings.indices {
        // Best first, best last, and in between.
        let rest = Array(spellings[best...])
        for order in [rest, rest.reversed(), rest.shuffled(using: &numbers)] {
          try owner.change(OwnerScript(order))
          let before = owner.requests.count
          #expect(text(try desk.paste()) == expected[best], "\(order.map(\.name))")
          #expect(owner.requests[before...] == ["TARGETS", spellings[best].name])
        }
      }
    }

    @Test(
      "Text in other charsets comes out as UTF-8",
      arguments: [
        (RawTarget("STRING", [0xE9, 0xFF]), "éÿ"),
        (RawTarget("TEXT", type: "STRING", [0xE9]), "é"),
        (RawTarget("TEXT", type: "UTF8_STRING", "é"), "é"),
        (RawTarget("text/plain;charset=iso-8859-1", [0xE9]), "é"),
        (RawTarget("text/plain;charset=utf-16", [0xFF, 0xFE, 0xE9, 0, 0x41, 0]), "éA"),
        (RawTarget("text/plain;charset=utf-16", [0xFE, 0xFF, 0, 0xE9, 0, 0x41]), "éA"),
        (RawTarget("text/plain;charset=utf-16le", [0xE9, 0, 0x41, 0, 0, 0]), "éA"),
        (RawTarget("UTF8_STRING", [0xEF, 0xBB, 0xBF, 0x41]), "A"),
        (RawTarget("UTF8_STRING", [0x41, 0, 0]), "A"),
        (
          RawTarget("COMPOUND_TEXT", [0xE9, 0x1B, 0x25, 0x47, 0xE2, 0x82, 0xAC, 0x1B, 0x25, 0x40]),
          "é€"
        ),
        (RawTarget("text/plain;charset=windows-1251", [0xE4]), "д"),
      ])
    func otherCharsets(target: RawTarget, expected: String) throws {
      let owner = try desk.owner(target)
      #expect(text(try desk.paste()) == expected)
      withExtendedLifetime(owner) {}
    }

    @Test("Without text the first content comes where standard output is no terminal")
    func firstContentWithoutText() throws {
      let owner = try desk.owner(
        RawTarget("x-kde-passwordManagerHint", "public"), RawTarget("image/png", [1, 2, 3]),
        RawTarget("image/bmp", [4]))
      #expect(try desk.paste() == [1, 2, 3])
      let shown = try desk.clipview("paste", outputs: .terminal)
      #expect(shown.status == 1)
      #expect(shown.text.contains("image/png"))
      withExtendedLifetime(owner) {}
    }

    @Test(
      "-t takes a type in any spelling, its bytes untouched",
      arguments: ["image/png", "png", "public.png", "image", "public.image", ".png", "IMAGE/PNG"])
    func typeIsFound(type: String) throws {
      let bytes = scrambledBytes(5000)
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "text"), RawTarget("image/png", bytes))
      #expect(try desk.paste("-t", type) == bytes)
      withExtendedLifetime(owner) {}
    }

    @Test("-t reads an offered target to the letter before anything else")
    func exactTargetFirst() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "utf"), RawTarget("STRING", [0xE9]), RawTarget("png", "short"),
        RawTarget("image/png", "picture"), RawTarget("Text/HTML", "odd"),
        RawTarget("text/html", "html"), RawTarget("text", "lower"))
      #expect(try desk.paste("-t", "STRING") == [0xE9])
      #expect(text(try desk.paste("-t", "png")) == "short")
      #expect(text(try desk.paste("-t", "Text/HTML")) == "odd")
      #expect(text(try desk.paste("-t", "text")) == "lower")
      withExtendedLifetime(owner) {}
    }

    @Test("-t never converts, and a refusal lists what is there")
    func neverConverts() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "# x"), RawTarget("text/markdown", "# x"))
      for type in ["html", "rtf", "image", "application/x-none", "files"] {
        let result = try desk.clipview("paste", "-t", type)
        #expect(result.isFailure(1), "\(result)")
        #expect(result.errors.contains("text/markdown"))
        #expect(result.errors.contains("UTF8_STRING"))
      }
      withExtendedLifetime(owner) {}
    }

    @Test("-t takes what conforms to the type")
    func conformingType() throws {
      let owner = try desk.owner(
        RawTarget("application/x-private", "p"), RawTarget("text/markdown", "# x"))
      for type in ["text", "plain", "markdown", "public.text", "text/plain", "public.plain-text"] {
        #expect(text(try desk.paste("-t", type)) == "# x")
      }
      withExtendedLifetime(owner) {}
    }

    @Test("--accept takes the first preference that is there")
    func acceptIsOrdered() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "text"), RawTarget("text/html", "<b>"),
        RawTarget("image/png", "picture"), RawTarget("image/bmp", "bitmap"))
      #expect(text(try desk.paste("--accept", "png,html")) == "picture")
      #expect(text(try desk.paste("--accept", "html,png")) == "<b>")
      #expect(text(try desk.paste("--accept", "rtfd,image/bmp,html")) == "bitmap")
      #expect(text(try desk.paste("--accept", "image")) == "picture")
      let result = try desk.clipview("paste", "--accept", "application/pdf,image/gif")
      #expect(result.isFailure(1), "\(result)")
      #expect(result.errors.contains("text/html"))
      withExtendedLifetime(owner) {}
    }

    @Test("--accept-any takes the richest text, and between families the owner's first")
    func acceptAnyIsUnordered() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "text"), RawTarget("text/html", "<b>"),
        RawTarget("text/rtf", "{\\rtf1}"), RawTarget("text/markdown", "**b**"),
        RawTarget("image/png", "picture"))
      #expect(text(try desk.paste("--accept-any", "plain,html,rtf,markdown")) == "**b**")
      #expect(text(try desk.paste("--accept-any", "html,rtf")) == "{\\rtf1}")
      #expect(text(try desk.paste("--accept-any", "png,html")) == "<b>")
      try owner.change(
        OwnerScript([RawTarget("UTF8_STRING", "text"), RawTarget("text/html", "<b>")]))
      #expect(text(try desk.paste("--accept-any", "plain,html")) == "<b>")
      #expect(text(try desk.paste("--accept-any", "plain,rtf")) == "text")
      try owner.change(
        OwnerScript([RawTarget("image/png", "picture"), RawTarget("text/html", "<b>")]))
      #expect(text(try desk.paste("--accept-any", "html,png")) == "picture")
    }

    @Test("-v says which representation was taken")
    func verboseTellsChoice() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "text"), RawTarget("text/html", "<b>"))
      let result = try desk.clipview("paste", "-v", "--accept", "png,html")
      #expect(result.status == 0)
      #expect(result.text == "<b>")
      #expect(result.errors.contains("text/html") || result.errors.contains("public.html"))
      withExtendedLifetime(owner) {}
    }

    @Test("--flat makes one line, --flat=join joins, --lf drops carriage returns")
    func textIsReshaped() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "one\r\ntwo\n\nthree\r\n"))
      #expect(text(try desk.paste("--lf")) == "one\ntwo\n\nthree\n")
      #expect(text(try desk.paste("--flat")).hasPrefix("one two "))
      #expect(text(try desk.paste("--flat")).hasSuffix(" three"))
      #expect(text(try desk.paste("--flat=join")) == "onetwothree")
      withExtendedLifetime(owner) {}
    }

    @Test("-o writes a file, a dash is standard output")
    func outputFile() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "text"), RawTarget("text/html", "<b>"))
      let file = directory.path + "/out"
      #expect(try desk.clipview("paste", "-o", file).isSilentSuccess)
      #expect(try text(Files.read(file)) == "text")
      #expect(text(try desk.paste("-o", "-")) == "text")
      // It was there before, and longer.
      try directory.write(scrambledBytes(100), to: "out")
      #expect(try desk.clipview("paste", "-t", "html", "-o", file).isSilentSuccess)
      #expect(try text(Files.read(file)) == "<b>")
      #expect(try desk.clipview("paste", "-o", directory.path + "/page.html").isSilentSuccess)
      #expect(try text(Files.read(directory.path + "/page.html")) == "<b>")
      #expect(directory.names == ["out", "page.html"])
      withExtendedLifetime(owner) {}
    }

    @Test("A failed -o leaves the file as it was and nothing beside it")
    func failedOutputFile() throws {
      var script = OwnerScript([
        RawTarget("UTF8_STRING", "text"), RawTarget("x/slow", scrambledBytes(500_000)),
      ])
      script.increments = .init(chunk: 100_000, stopsAfter: 2)
      let owner = try desk.owner(script)
      let file = try directory.write(Array("before".utf8), to: "out")
      let stalled = try desk.clipview(
        "paste", "-t", "x/slow", "-o", file, "--timeout", "0.3")
      #expect(stalled.isFailure(4), "\(stalled)")
      let absent = try desk.clipview("paste", "-t", "png", "-o", file)
      #expect(absent.isFailure(1), "\(absent)")
      #expect(try text(Files.read(file)) == "before")
      #expect(directory.names == ["out"])
      let unwritable = try desk.clipview("paste", "-o", directory.path + "/missing/out")
      #expect(unwritable.isFailure(6), "\(unwritable)")
      withExtendedLifetime(owner) {}
    }

    @Test("A closed pipe ends quietly")
    func closedPipe() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", numberedText(4_000_000)))
      let result = try run(
        "sh", ["-c", "\"$0\" paste | head -c 16", Programs.clipview],
        environment: desk.server.environment())
      #expect(result.text == "000000000000000\n")
      #expect(result.errors == "")
      withExtendedLifetime(owner) {}
    }

    @Test("An interrupt ends with 130 and leaves nothing behind")
    func interrupt() throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.silent = ["UTF8_STRING"]
      let owner = try desk.owner(script)
      let child = try ChildProcess(
        Programs.clipview, ["paste", "-o", directory.path + "/out", "--timeout", "60"],
        environment: desk.server.environment())
      child.settle { _ in owner.requests.contains("UTF8_STRING") }
      child.send(signal: 2)
      let result = child.finish(within: 10)
      #expect(result.ending == .exited(130) || result.ending == .signalled(2), "\(result)")
      #expect(result.output.isEmpty)
      #expect(directory.names.isEmpty)
    }

    @Test("A Wayland display that is dead gives way to a living X server")
    func deadWaylandFallsBack() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "text"))
      let result = try desk.clipview(
        "paste", environment: ["WAYLAND_DISPLAY": "wayland-59999"])
      #expect(result.status == 0)
      #expect(result.text == "text")
      #expect(result.errors == "")
      withExtendedLifetime(owner) {}
    }

    @Test("Options that name the display beat the environment")
    func displayOption() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "text"))
      let result = try desk.clipview(
        "paste", "--display", desk.server.display, "--backend", "x11",
        environment: [:])
      #expect(result.text == "text")
      let bare = try run(
        Programs.clipview, ["paste", "--display", desk.server.display],
        environment: Programs.environment())
      #expect(bare.text == "text")
      withExtendedLifetime(owner) {}
    }
  }
}
