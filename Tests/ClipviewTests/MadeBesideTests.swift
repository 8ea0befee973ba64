import TestSupport
import Testing

private let markdown = """
  # Title é

  - one
  - **two** <script>a()</script>

  | a | b |
  | - | - |
  | 1 | 2 |

  """
private let marker = "application/x-clipview-origin"
private let texts = [
  "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING", "COMPOUND_TEXT",
]
private let rtfs = ["text/rtf", "text/richtext", "application/rtf"]

extension OnDisplay {
  @Suite("What is made beside a copy, and from what others offer")
  struct MadeBesideTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("A copy of Markdown offers HTML and the text behind it, and says that they are made")
    func copyOfMarkdown() throws {
      try desk.copy(markdown, "-t", "markdown")
      let targets = try #require(try desk.peer.targets())
      let expected = ["text/markdown", "text/html"] + rtfs + texts + [marker]
      #expect(targets.filter { !["TARGETS", "TIMESTAMP", "MULTIPLE"].contains($0) } == expected)
      #expect(try desk.xclipOut(target: "text/markdown").text == markdown)
      for target in texts.prefix(4) {
        #expect(try desk.xclipOut(target: target).text == markdown, "\(target)")
      }
      let html = try desk.xclipOut(target: "text/html").text
      #expect(html.hasPrefix(#"<meta charset="utf-8"><h1>Title é</h1>"#))
      #expect(html.contains("<table>") && html.contains("<strong>two</strong>"))
      #expect(!html.contains("script") && !html.contains("a()"))
      for target in rtfs {
        let rtf = try desk.xclipOut(target: target).text
        #expect(rtf.hasPrefix("{\\rtf1") && rtf.contains("Title"), "\(target)")
      }
      #expect(text(try desk.paste()) == markdown)
      #expect(text(try desk.paste("--as", "html")) == html)
      #expect(text(try desk.paste("-t", "html")) == html)
      #expect(text(try desk.paste("--as", "plain")) == markdown)
    }

    @Test("--only, and text that merely looks like Markdown, add nothing")
    func nothingUnasked() throws {
      try desk.copy(markdown, "-t", "markdown", "--only")
      #expect(try desk.peer.targets()?.content == ["text/markdown"])
      try desk.copy(markdown)
      #expect(try desk.peer.targets()?.content == texts)
    }

    @Test("show tells what is made from what, in its table and as JSON")
    func origins() throws {
      try desk.copy(markdown, "-t", "markdown")
      let json = try #require(JSON(try desk.clipview("show", "--json").text))
      let rows = try #require(json["items"]?.array?.first?["representations"]?.array)
      let html = try #require(rows.first { $0["target"]?.string == "text/html" })
      #expect(html["origin"]?.string == "made")
      #expect(html["from"]?.string == "net.daringfireball.markdown")
      #expect(rows.first?["origin"]?.string == "native" && rows.first?["from"] == nil)
      let table = try desk.clipview("show").text
      #expect(table.contains("made from net.daringfireball.markdown"))
      // The preview is the document, not its source.
      #expect(table.contains("• one") && table.contains("• two") && !table.contains("**"))
    }

    @Test("Markdown of another program becomes what is asked for; one that fails is exit 6")
    func otherOwners() throws {
      let owner = try desk.owner(RawTarget("text/markdown", markdown))
      #expect(text(try desk.paste()) == markdown)
      #expect(text(try desk.paste("--as", "plain")) == markdown)
      #expect(text(try desk.paste("--as", "UTF8_STRING")) == markdown)
      #expect(text(try desk.paste("--as", "html")).contains("<h1>Title é</h1>"))
      #expect(text(try desk.paste("--as", "csv")) == "a,b\n1,2\n")
      #expect(text(try desk.paste("--as", ".tsv")) == "a\tb\n1\t2\n")
      let directory = TemporaryDirectory()
      let file = directory.path + "/out.html"
      #expect(try desk.clipview("paste", "-o", file).isSilentSuccess)
      #expect(text(try Files.read(file)).contains("<li>one</li>"))
      try owner.change(OwnerScript([RawTarget("text/markdown", "no table")]))
      let result = try desk.clipview("paste", "--as", "csv", "-o", file)
      #expect(result.isFailure(6) && result.errors.contains("no table"), "\(result)")
      #expect(text(try Files.read(file)).contains("<li>one</li>"))
    }

    @Test("RTF of another program becomes Markdown, HTML and text, and a copy of it offers them")
    func otherFormats() throws {
      let rtf = #"{\rtf1 {\b bold} text}"#
      let owner = try desk.owner(RawTarget("application/rtf", rtf))
      #expect(text(try desk.paste("--as", "markdown")).hasPrefix("**bold** text"))
      #expect(text(try desk.paste("--as", "html")).contains("<strong>bold</strong> text"))
      #expect(text(try desk.paste("--as", "plain")) == "bold text")
      #expect(text(try desk.paste("--as", "rtf")) == rtf)
      withExtendedLifetime(owner) {}
      try desk.copy(rtf, "-t", "rtf")
      #expect(
        try desk.peer.targets()?.content == rtfs + ["text/html", "text/markdown"] + texts)
      #expect(try desk.xclipOut(target: "text/markdown").text.hasPrefix("**bold** text"))
      #expect(try desk.xclipOut(target: "text/html").text.contains("<strong>bold</strong>"))
      #expect(try desk.xclipOut(target: "UTF8_STRING").text == "bold text")
    }

    @Test("HTML becomes Markdown, RTF and its table; enrich adds RTF, a copy does not")
    func htmlOfBrowsers() throws {
      let html = "<h1>T</h1><p>a <b>b</b></p><table><tr><td>1<td>2</table>"
      let owner = try desk.owner(RawTarget("text/html", html))
      #expect(text(try desk.paste("--as", "markdown")).hasPrefix("# T\n\na **b**"))
      #expect(text(try desk.paste("--as", "rtf")).hasPrefix("{\\rtf1"))
      #expect(text(try desk.paste("--as", "csv")) == "1,2\n")
      #expect(text(try desk.paste("--as", "tsv")) == "1\t2\n")
      #expect(try desk.clipview("enrich").isSilentSuccess)
      withExtendedLifetime(owner) {}
      let enriched = try #require(try desk.peer.targets()).content
      #expect(enriched.first == "text/html")
      #expect(enriched.contains("text/rtf") && enriched.contains("text/markdown"))
      try desk.copy(html, "-t", "html")
      #expect(try desk.peer.targets()?.content == ["text/html", "text/markdown"] + texts)
    }

    @Test("Markdown before RTF before HTML before text, of what there is; then what costs least")
    func negotiation() throws {
      let html = RawTarget("text/html", "<p>html</p>")
      let rtf = RawTarget("text/rtf", "{\\rtf1 rtf}")
      let source = RawTarget("text/markdown", "*markdown*")
      let plain = RawTarget("UTF8_STRING", "plain")
      let set = "html,rtf,markdown,plain"
      let richest: [([RawTarget], String)] = [
        ([plain, html, rtf, source], "*markdown*"), ([plain, html, rtf], "{\\rtf1 rtf}"),
        ([plain, html], "<p>html</p>"), ([plain], "plain"),
      ]
      for (targets, taken) in richest {
        let owner = try desk.owner(OwnerScript(targets))
        #expect(text(try desk.paste("--accept-any", set)) == taken)
        #expect(text(try desk.paste("--accept", "plain,html")) == "plain")
        withExtendedLifetime(owner) {}
      }
      // HTML is made of Markdown (1), not of RTF (2) or text (5), whatever stands first.
      let owner = try desk.owner(OwnerScript([rtf, source, plain]))
      #expect(text(try desk.paste("--as", "html")).contains("<em>markdown</em>"))
      withExtendedLifetime(owner) {}
      // Ties are the owner's to decide: text of HTML and of RTF costs the same.
      let ties: [([RawTarget], String)] = [([html, rtf], "html"), ([rtf, html], "rtf")]
      for (targets, taken) in ties {
        let owner = try desk.owner(OwnerScript(targets))
        #expect(text(try desk.paste("--as", "plain")) == taken)
        withExtendedLifetime(owner) {}
      }
    }

    @Test("What was made is taken as it is, and never converted again")
    func noConversionOfConversions() throws {
      let origin =
        #"{"schema":1,"native":["net.daringfireball.markdown"],"#
        + #""made":{"public.html":"net.daringfireball.markdown"}}"#
      let owner = try desk.owner(
        RawTarget("text/html", "<p>made</p>"), RawTarget("text/markdown", "*original*"),
        RawTarget(marker, origin))
      #expect(text(try desk.paste("--as", "html")) == "<p>made</p>")
      #expect(text(try desk.paste("--as", "plain")) == "*original*")
      #expect(text(try desk.paste("--accept-any", "html,markdown")) == "*original*")
      withExtendedLifetime(owner) {}
      // Without its original, what was made is a dead end.
      let lonely = try desk.owner(
        RawTarget("text/html", "<p>made</p>"),
        RawTarget(marker, #"{"schema":1,"native":[],"made":{"public.html":"com.example.odd"}}"#))
      #expect(try desk.clipview("paste", "--as", "plain").isFailure(1))
      #expect(text(try desk.paste("--as", "html")) == "<p>made</p>")
      withExtendedLifetime(lonely) {}
    }

    @Test(
      "A marker that lies or is none changes nothing else",
      arguments: [
        "", "{", "null", "[]", #"{"schema":2,"made":{"public.html":"public.rtf"}}"#,
        #"{"schema":1,"native":{},"made":[]}"#, String(repeating: "[", count: 100_000),
        #"{"schema":1,"native":[7,null,"?"],"made":{"":"","public.html":3}}"#,
        #"{"schema":1,"native":["public.html"],"made":{"public.rtf":"public.rtf"}}"#,
        "\u{0}\u{1}", #"{"schema":1"# + String(repeating: " ", count: 1 << 20) + "}",
      ])
    func hostileMarkers(value: String) throws {
      let owner = try desk.owner(
        RawTarget("text/html", "<p>html</p>"), RawTarget(marker, value))
      #expect(text(try desk.paste("--as", "plain")) == "html")
      #expect(text(try desk.paste("--as", "html")) == "<p>html</p>")
      #expect(try desk.clipview("show", "--json").status == 0)
      withExtendedLifetime(owner) {}
    }

    @Test("Representations that were made from each other leave no way, and no end of trying")
    func circularMarker() throws {
      let value =
        #"{"schema":1,"native":[],"made":{"public.html":"public.rtf","public.rtf":"public.html"}}"#
      let owner = try desk.owner(
        RawTarget("text/html", "<p>html</p>"), RawTarget("text/rtf", "{\\rtf1 x}"),
        RawTarget(marker, value))
      #expect(try desk.clipview("paste", "--as", "markdown").isFailure(1))
      #expect(text(try desk.paste("-t", "html")) == "<p>html</p>")
      withExtendedLifetime(owner) {}
    }

    @Test("While 10 MB are converted others are served, and everybody gets all of it")
    func largeContent() throws {
      let words = String(repeating: "words in a long paragraph, ", count: 200)
      let line = words + "some *emphasis*, a [link](https://example.org/) and `code`.\n\n"
      let source = String(repeating: line, count: 10_000_000 / line.utf8.count)
      try desk.copy(source, "-t", "markdown")
      let slow = try RawPeer(desk.server)
      try slow.convert("text/html")
      for _ in 0..<5 {
        #expect(try desk.peer.targets()?.contains("text/html") == true)
        #expect(try desk.peer.ask("TIMESTAMP").value != nil)
      }
      #expect(try desk.paste() == Array(source.utf8))
      let html = try desk.xclipOut(target: "text/html").output
      #expect(html.count > source.utf8.count)
      #expect(try desk.paste("-t", "html", "--timeout", "60") == html)
      #expect(text(Array(html.suffix(12))).hasSuffix("</p>\n"))
      // One conversion, one process, and who went away without its answer harms nobody.
      #expect(desk.servers.count == 1)
    }

    @Test("What cannot be made is refused; the original is still there")
    func failedPromise() throws {
      try desk.copy("this is no RTF", "-t", "rtf")
      #expect(try desk.peer.ask("UTF8_STRING") == .refused)
      #expect(try desk.peer.ask("text/rtf").value?.text == "this is no RTF")
      #expect(try desk.clipview("paste", "--as", "plain").isFailure(1))
    }

    @Test("--once is one paste, also of what is made")
    func once() throws {
      try desk.copy(markdown, "-t", "markdown", "--once")
      #expect(try desk.xclipOut(target: "text/html").text.contains("<h1>"))
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD") == 0 && desk.servers.isEmpty })
    }
  }

  @Suite("enrich")
  struct EnrichTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("Plain text is read as Markdown; what was there stays in front, byte for byte")
    func plainText() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", markdown), RawTarget("STRING", "old"),
        RawTarget("application/x-private", [1, 2, 3]))
      #expect(try desk.clipview("enrich").isSilentSuccess)
      withExtendedLifetime(owner) {}
      let targets = try #require(try desk.peer.targets()).content
      #expect(targets.prefix(3) == ["UTF8_STRING", "STRING", "application/x-private"])
      #expect(targets.contains("text/markdown") && targets.contains("text/plain;charset=utf-8"))
      #expect(try desk.peer.ask("STRING").value?.text == "old")
      #expect(try desk.peer.ask("application/x-private").value?.bytes == [1, 2, 3])
      #expect(try desk.peer.ask("text/markdown").value?.text == markdown)
      #expect(try desk.peer.ask("text/html").value?.text.contains("<h1>Title é</h1>") == true)
      #expect(text(try desk.paste()) == markdown)
      let json = try #require(JSON(try desk.clipview("show", "--json").text))
      let rows = try #require(json["items"]?.array?.first?["representations"]?.array)
      let html = rows.first { $0["target"]?.string == "text/html" }
      #expect(html?["from"]?.string == "net.daringfireball.markdown")
    }

    @Test("Declared Markdown gets HTML; what it has already is left alone")
    func declaredMarkdown() throws {
      let owner = try desk.owner(
        RawTarget("text/markdown", "*a*"), RawTarget("text/plain", "*b*"))
      #expect(try desk.clipview("enrich").isSilentSuccess)
      withExtendedLifetime(owner) {}
      #expect(try desk.peer.ask("text/html").value?.text.contains("<em>a</em>") == true)
      #expect(try desk.peer.ask("text/plain").value?.text == "*b*")
      // A second time there is nothing to be added: the owner stays.
      let window = try desk.peer.owner(of: "CLIPBOARD")
      #expect(try desk.clipview("enrich").isSilentSuccess)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == window)
    }

    @Test("A secret stays one, and what is for one paste stays for one")
    func termsStay() throws {
      try desk.copy(markdown, "--sensitive", "--once")
      #expect(try desk.clipview("enrich").isSilentSuccess)
      #expect(try desk.peer.ask("x-kde-passwordManagerHint").value?.text == "secret")
      #expect(try desk.peer.ask("text/html").value?.text.contains("<h1>") == true)
      #expect(try eventually { try desk.peer.owner(of: "CLIPBOARD") == 0 })
    }

    @Test("Guarded content is exit 5 and stays")
    func guarded() throws {
      try desk.copy(markdown, "--guard", "60")
      let window = try desk.peer.owner(of: "CLIPBOARD")
      let result = try desk.clipview("enrich")
      #expect(result.isSilentFailure(5), "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == window)
    }

    @Test("Nothing, pictures and files are exit 1 without a word, and stay")
    func nothingToEnrich() throws {
      #expect(try desk.clipview("enrich").isSilentFailure(1))
      for script in [
        OwnerScript([RawTarget("image/png", [1])]),
        OwnerScript([RawTarget("text/uri-list", "file:///a\r\n"), RawTarget("UTF8_STRING", "/a")]),
      ] {
        let owner = try desk.owner(script)
        let result = try desk.clipview("enrich")
        #expect(result.isSilentFailure(1), "\(result)")
        #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
      }
    }

    @Test("The selection that is named is enriched, and no other")
    func primary() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "*p*"), selection: "PRIMARY")
      #expect(try desk.clipview("enrich", "-p").isSilentSuccess)
      #expect(
        try desk.peer.ask("text/html", of: "PRIMARY").value?.text.contains("<em>p</em>") == true)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
      withExtendedLifetime(owner) {}
    }
  }
}
