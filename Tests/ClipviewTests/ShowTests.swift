import TestSupport
import Testing

extension OnDisplay {
  @Suite("Types and show")
  struct ShowTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    private func json(_ arguments: String...) throws -> JSON {
      let result = try run(
        Programs.clipview, ["show", "--json"] + arguments,
        environment: desk.server.environment(), timeout: 20)
      #expect(result.status == 0, "\(result)")
      #expect(result.errors == "")
      // One object on one line.
      #expect(lines(result.output).count == 1)
      return try #require(JSON(result.text), "not JSON: \(result)")
    }

    @Test(
      "types prints content and markers in the owner's order, each once, as the owner spells them")
    func typesAreListed() throws {
      var script = OwnerScript([])
      script.list = .exactly([
        "SAVE_TARGETS", "text/html", "TARGETS", "UTF8_STRING", "Application/X-Odd", "MULTIPLE",
        "text/html", "x-kde-passwordManagerHint", "TIMESTAMP", "image/png", "UTF8_STRING",
      ])
      let owner = try desk.owner(script)
      let result = try desk.clipview("types")
      #expect(result.status == 0)
      #expect(result.errors == "")
      #expect(
        lines(result.output) == [
          "text/html", "UTF8_STRING", "Application/X-Odd", "x-kde-passwordManagerHint", "image/png",
        ])
      let all = try desk.clipview("types", "--all")
      #expect(
        lines(all.output) == [
          "SAVE_TARGETS", "text/html", "TARGETS", "UTF8_STRING", "Application/X-Odd", "MULTIPLE",
          "text/html", "x-kde-passwordManagerHint", "TIMESTAMP", "image/png", "UTF8_STRING",
        ])
      // Nothing but the list is asked for.
      #expect(Set(owner.requests) == ["TARGETS"])
    }

    @Test("types --identifiers prints identifiers")
    func identifiersAreListed() throws {
      let owner = try desk.owner(
        RawTarget("text/html", "<b>"), RawTarget("UTF8_STRING", "b"), RawTarget("image/png", "p"),
        RawTarget("text/markdown", "**b**"), RawTarget("application/x-unheard-of", "?"))
      let identifiers = lines(try desk.clipview("types", "--identifiers").output)
      #expect(identifiers.count == 5)
      #expect(
        identifiers.prefix(4) == [
          "public.html", "public.utf8-plain-text", "public.png", "net.daringfireball.markdown",
        ])
      #expect(identifiers.last?.hasPrefix("dyn.a") == true)
      withExtendedLifetime(owner) {}
    }

    @Test("types and show of an empty clipboard are exit 1", arguments: ["types", "show"])
    func emptyClipboard(command: String) throws {
      let result = try desk.clipview(command)
      #expect(result.isFailure(1), "\(result)")
    }

    @Test("show --json is one object with all that CLI promises")
    func showAsJSON() throws {
      let owner = try desk.owner(
        RawTarget("text/markdown", "# Title"), RawTarget("UTF8_STRING", "# Title"),
        RawTarget("image/png", scrambledBytes(1234)))
      let object = try json()
      #expect(
        object.names.starts(with: [
          "schema", "selection", "backend", "change_count", "sensitive", "owner", "items",
        ]))
      #expect(object["schema"]?.int == 1)
      #expect(object["selection"]?.string == "clipboard")
      #expect(object["backend"]?.string == "x11")
      #expect(object["change_count"] == .null)
      #expect(object["sensitive"]?.bool == false)
      #expect(object["owner"]?.names == ["name", "window"])
      #expect(object["owner"]?["window"]?.string == "0x" + String(owner.window, radix: 16))
      let items = try #require(object["items"]?.array)
      #expect(items.count == 1)
      let representations = try #require(items.first?["representations"]?.array)
      #expect(
        representations.compactMap { $0["type"]?.string } == [
          "net.daringfireball.markdown", "public.utf8-plain-text", "public.png",
        ])
      #expect(
        representations.compactMap { $0["target"]?.string } == [
          "text/markdown", "UTF8_STRING", "image/png",
        ])
      #expect(representations.compactMap { $0["bytes"]?.int } == [7, 7, 1234])
      #expect(representations.allSatisfy { $0["origin"]?.string == "native" })
    }

    @Test("--no-read asks for the targets only")
    func noReadReadsNothing() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "text"), RawTarget("image/png", [1]))
      let object = try json("--no-read")
      let representations = try #require(object["items"]?.array?.first?["representations"]?.array)
      #expect(representations.count == 2)
      #expect(representations.allSatisfy { $0["bytes"] == .null })
      #expect(owner.requests.content.isEmpty)
    }

    @Test("What is not answered or refused has no size, the rest has")
    func silentTargetsHaveNoSize() throws {
      var script = OwnerScript([
        RawTarget("UTF8_STRING", "text"), RawTarget("image/png", [1]),
        RawTarget("image/bmp", [1, 2]),
      ])
      script.silent = ["image/png"]
      script.refused = ["image/bmp"]
      let owner = try desk.owner(script)
      let object = try json("--timeout", "0.3")
      let representations = try #require(object["items"]?.array?.first?["representations"]?.array)
      let sizes = Dictionary(
        uniqueKeysWithValues: representations.map { ($0["target"]?.string ?? "", $0["bytes"]) })
      #expect(sizes["UTF8_STRING"] == .number(4))
      #expect(sizes["image/png"] == .null)
      #expect(sizes["image/bmp"] == .null)
      withExtendedLifetime(owner) {}
    }

    @Test("Each representation is read once, at most four at a time")
    func readsAtMostFourAtATime() throws {
      var script = OwnerScript((1...12).map { RawTarget("x-test/\($0)", "value \($0)") })
      script.delay = 0.02
      let owner = try desk.owner(script)
      let object = try json()
      #expect(object["items"]?.array?.first?["representations"]?.array?.count == 12)
      #expect(owner.requests.content.sorted() == (1...12).map { "x-test/\($0)" }.sorted())
      #expect(owner.mostOpen <= 4)
    }

    @Test("show names every representation and previews the text")
    func showAsTable() throws {
      let owner = try desk.owner(
        RawTarget("text/markdown", "# A title"), RawTarget("UTF8_STRING", "# A title"))
      let result = try desk.clipview("show")
      #expect(result.status == 0)
      #expect(result.errors == "")
      for word in [
        "net.daringfireball.markdown", "text/markdown", "public.utf8-plain-text", "UTF8_STRING",
        "native", "A title",
      ] {
        #expect(result.text.contains(word), "\(word) is missing in \(result.text)")
      }
      #expect(!result.text.contains("\u{1B}"))
      withExtendedLifetime(owner) {}
    }

    @Test("On a terminal no command shows, in colour unless NO_COLOR is set")
    func terminalShows() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "some text"))
      let coloured = try desk.clipview(outputs: .terminal)
      #expect(coloured.status == 0)
      #expect(coloured.text.contains("UTF8_STRING"))
      #expect(coloured.text.contains("\u{1B}["))
      let plain = try desk.clipview(outputs: .terminal, environment: ["NO_COLOR": "1"])
      #expect(plain.text.contains("UTF8_STRING"))
      #expect(!plain.text.contains("\u{1B}"))
      withExtendedLifetime(owner) {}
    }

    @Test("Nothing that show prints is wider than the terminal; a pipe gets names whole")
    func widthOfATerminal() throws {
      let name = "application/x-" + String(repeating: "long-", count: 40) + "name"
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", String(repeating: "word 日本 ", count: 60)), RawTarget(name, "x"))
      let shown = try desk.clipview("show", outputs: .terminal, environment: ["NO_COLOR": "1"])
      #expect(shown.status == 0)
      let shownLines = lines(shown.output)
      #expect(shownLines.count == 5, "\(shownLines)")
      for line in shownLines {
        let columns = line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x3000 ? 2 : 1) }
        #expect(columns <= 80, "\(line)")
      }
      #expect(try desk.clipview("show").text.contains(name))
      withExtendedLifetime(owner) {}
    }

    @Test("A preview shows control characters, escapes and bidi overrides as symbols")
    func previewsAreSafe() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "a\u{1B}]0;title\u{7}b\u{202E}c\u{8}d\u{9B}31me\u{2066}f\u{7F}"),
        RawTarget("x-odd/\u{1B}[31m\u{202E}name", "x"))
      for arguments in [[], ["--json"]] {
        let result = try run(
          Programs.clipview, ["show"] + arguments, environment: desk.server.environment())
        #expect(result.status == 0, "\(result)")
        let controls: [Unicode.Scalar] = ["\u{1B}", "\u{7}", "\u{8}"]
        // In JSON only what its syntax forbids matters: a program reads it, no terminal.
        let others: [Unicode.Scalar] =
          arguments.isEmpty ? ["\u{202E}", "\u{2066}", "\u{9B}", "\u{7F}"] : []
        for scalar in controls + others {
          #expect(!result.text.unicodeScalars.contains(scalar), "\(scalar.value) \(arguments)")
        }
      }
      withExtendedLifetime(owner) {}
    }

    @Test("An image is described by kind and size")
    func imageFacts() throws {
      let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 1, 0x40, 0, 0, 0, 0xF0, 8, 6, 0, 0, 0, 0, 0, 0, 0]
      let owner = try desk.owner(RawTarget("image/png", png))
      let result = try desk.clipview("show")
      #expect(result.status == 0)
      #expect(result.text.contains("320 × 240") || result.text.contains("320×240"), "\(result)")
      withExtendedLifetime(owner) {}
    }

    @Test("C47: markup is shown and pasted as what it says, and not at all beside a picture")
    func c47MarkupIsNotText() throws {
      let meta = "<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\">"
      let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 1, 0x40, 0, 0, 0, 0xF0, 8, 6, 0, 0, 0, 0, 0, 0, 0]
      do {
        let owner = try desk.owner(
          RawTarget("text/html", meta + "<p>Tea <b>for</b> two</p>"),
          RawTarget("text/rtf", "{\\rtf1 wrong}"))
        let shown = try desk.clipview("show").text
        #expect(shown.contains("│ Tea for two"), "\(shown)")
        #expect(!shown.contains("<"))
        #expect(text(try desk.paste()) == "Tea for two")
        withExtendedLifetime(owner) {}
      }
      // What Firefox offers of a picture on a page.
      let owner = try desk.owner(
        RawTarget("text/html", meta + "<img src=\"https://example.org/tea.png\" alt=\"a pot\">"),
        RawTarget("text/_moz_htmlinfo", [0x30, 0, 0x2C, 0, 0x30, 0]), RawTarget("image/png", png))
      let shown = try desk.clipview("show").text
      #expect(shown.contains("320 × 240"), "\(shown)")
      #expect(!shown.contains("<"))
      withExtendedLifetime(owner) {}
    }

    @Test("C75: sensitive content is served and has no preview")
    func c75SensitiveContentHasNoPreview() throws {
      let capture = try Capture("keepassxc-x11-password")
      let owner = try desk.owner(capture.script)
      let secret = text(try #require(capture["UTF8_STRING"]))
      #expect(text(try desk.paste()) == secret)
      let table = try desk.clipview("show")
      #expect(table.status == 0)
      #expect(!table.text.contains(secret))
      let object = try json()
      #expect(object["sensitive"]?.bool == true)
      #expect(!"\(object)".contains(secret))
      withExtendedLifetime(owner) {}
    }

    @Test("clipview's own copies say what is native")
    func ownCopyIsShown() throws {
      try desk.copy("# Title", "-t", "markdown")
      let object = try json()
      let first = try #require(object["items"]?.array?.first?["representations"]?.array?.first)
      #expect(first["type"]?.string == "net.daringfireball.markdown")
      #expect(first["target"]?.string == "text/markdown")
      #expect(first["bytes"]?.int == 7)
      #expect(first["origin"]?.string == "native")
    }
  }
}
