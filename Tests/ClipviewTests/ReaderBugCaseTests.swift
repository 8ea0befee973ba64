import TestSupport
import Testing

/// UTF-16 of a text.
private func utf16(_ text: String, bigEndian: Bool = false) -> [UInt8] {
  text.utf16.flatMap { unit in
    let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
    return bigEndian ? bytes.reversed() : bytes
  }
}

/// The forms in which programs have put HTML on the clipboard.
enum HTMLForm: CaseIterable {
  case utf8
  case utf8Marked
  case utf16LittleMarked
  case utf16Little
  case utf16Big

  func bytes(_ html: String) -> [UInt8] {
    switch self {
    case .utf8: Array(html.utf8)
    case .utf8Marked: [0xEF, 0xBB, 0xBF] + Array(html.utf8)
    case .utf16LittleMarked: [0xFF, 0xFE] + utf16(html)
    case .utf16Little: utf16(html)
    case .utf16Big: utf16(html, bigEndian: true)
    }
  }
}

extension OnDisplay {
  @Suite("Bug cases: what a reader makes of text")
  struct ReaderBugCaseTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    // MARK: Falling back

    @Test("C41: text that is not valid UTF-8 is read from COMPOUND_TEXT, and then from STRING")
    func c41InvalidTextFallsBack() throws {
      let compound: [UInt8] = [0xE9, 0x1B, 0x25, 0x47, 0xE2, 0x82, 0xAC, 0x1B, 0x25, 0x40]
      let damaged: [UInt8] = [0x1B, 0x25, 0x47, 0xE2, 0x82]
      let invalid = RawTarget("UTF8_STRING", [0xE9])
      let cases: [([RawTarget], expected: String, asked: [String])] = [
        (
          [RawTarget("STRING", [0xE9]), RawTarget("COMPOUND_TEXT", compound), invalid], "é€",
          ["UTF8_STRING", "COMPOUND_TEXT"]
        ),
        (
          [RawTarget("COMPOUND_TEXT", damaged), RawTarget("STRING", [0xE9]), invalid], "é",
          ["UTF8_STRING", "COMPOUND_TEXT", "STRING"]
        ),
        (
          [invalid, RawTarget("TEXT", type: "COMPOUND_TEXT", compound)], "é€",
          ["UTF8_STRING", "TEXT"]
        ),
        (
          [invalid, RawTarget("text/plain;charset=utf-8", "é")], "é",
          ["UTF8_STRING", "text/plain;charset=utf-8"]
        ),
      ]
      for (targets, expected, asked) in cases {
        let owner = try desk.owner(OwnerScript(targets))
        #expect(text(try desk.paste()) == expected)
        #expect(owner.requests.content == asked)
        #expect(text(try desk.paste("--as", "plain")) == expected)
      }
    }

    @Test("C41: where no spelling can be decoded the first one is repaired, and that is said")
    func c41NothingToFallBackTo() throws {
      let owner = try desk.owner(
        RawTarget("COMPOUND_TEXT", [0x1B, 0x25, 0x47, 0xE2, 0x82]),
        RawTarget("UTF8_STRING", [0x61, 0xE9, 0x62]))
      let result = try desk.clipview("paste")
      #expect(result.status == 0)
      #expect(result.text == "a\u{FFFD}b")
      #expect(result.isOneMessage, "\(result)")
      #expect(result.errors.contains("UTF8_STRING"))
      withExtendedLifetime(owner) {}
    }

    @Test(
      "A spelling that is listed and refused gives way to the next", arguments: ChosenSelection.all)
    func refusedSpellings(selection: ChosenSelection) throws {
      let spellings = ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING"]
      for refused in 0..<spellings.count {
        var script = OwnerScript(spellings.map { RawTarget($0, type: "STRING", "from \($0)") })
        script.refused = Set(spellings.prefix(refused))
        let owner = try desk.owner(script, selection: selection.name)
        let result = try run(
          Programs.clipview, ["paste"] + selection.options, environment: desk.server.environment())
        #expect(result.text == "from \(spellings[refused])", "\(result)")
        #expect(owner.requests.content == Array(spellings.prefix(refused + 1)))
      }
    }

    @Test("A list that was answered decides: what is not in it is not asked for")
    func listDecides() throws {
      var script = OwnerScript([RawTarget("UTF8_STRING", "hidden"), RawTarget("image/png", [1])])
      script.list = .exactly(["TARGETS", "image/png"])
      let owner = try desk.owner(script)
      for arguments in [["paste", "-t", "text"], ["paste", "--as", "plain"], ["plain"]] {
        let result = try run(
          Programs.clipview, arguments, environment: desk.server.environment())
        #expect(result.status == 1, "\(arguments): \(result)")
      }
      #expect(owner.requests.content.isEmpty)
    }

    // MARK: Encodings of HTML

    @Test(
      "C44: plain text is made of HTML in any encoding", arguments: HTMLForm.allCases,
      [
        ("<p>é – 日本語 🎉</p>", "é – 日本語 🎉"), ("<p>plain &amp; ASCII</p>", "plain & ASCII"),
        ("<b>na&iuml;ve</b>", "naïve"),
      ])
    func c44TextOfHTML(form: HTMLForm, content: (html: String, text: String)) throws {
      let owner = try desk.owner(RawTarget("text/html", form.bytes(content.html)))
      #expect(text(try desk.paste()).trimmed == content.text)
      #expect(text(try desk.paste("--as", "plain")).trimmed == content.text)
      // As HTML it comes out as UTF-8 without a mark, and untouched where its bytes are asked for.
      #expect(text(try desk.paste("--as", "html")) == content.html)
      #expect(try desk.paste("-t", "html") == form.bytes(content.html))
      let shown = try desk.clipview("show")
      #expect(!shown.text.contains("\u{FFFD}") && !shown.text.contains("␀"), "\(shown)")
      withExtendedLifetime(owner) {}
    }

    @Test("C44: a hot key and a copy read the same", arguments: HTMLForm.allCases)
    func c44HotKeyAndCopy(form: HTMLForm) throws {
      let owner = try desk.owner(RawTarget("text/html", form.bytes("<p>plain é</p>")))
      #expect(try desk.clipview("plain").isSilentSuccess)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text.trimmed == "plain é")
      try desk.copy(form.bytes("<p>plain é</p>"), "-t", "html")
      #expect(try desk.peer.ask("UTF8_STRING").value?.text.trimmed == "plain é")
      withExtendedLifetime(owner) {}
    }

    @Test("Zeros in text whose target leaves the charset open stay where it is no UTF-16")
    func zerosStay() throws {
      for content: [UInt8] in [Array("a\0b".utf8), Array("one\0two\0three".utf8)] {
        let owner = try desk.owner(RawTarget("text/plain", content))
        #expect(try desk.paste() == content)
        withExtendedLifetime(owner) {}
      }
    }

    // MARK: Marks

    @Test("C46: HTML made of text says its charset once, however often it goes round")
    func c46NoSecondMark() throws {
      func marks(_ html: String) -> Int { html.lowercased().split(separator: "<meta ").count - 1 }
      try desk.copy("é & <b>")
      var html = text(try desk.paste("--as", "html"))
      #expect(html.hasPrefix("<meta charset=\"utf-8\">"), "\(html)")
      for _ in 0..<3 {
        #expect(marks(" " + html) == 1, "\(html)")
        try desk.copy(html, "-t", "html")
        // As it was given, and its text without the mark.
        #expect(try desk.peer.ask("text/html").value?.text == html)
        let plain = text(try desk.paste("-t", "plain"))
        #expect(plain.trimmed == "é & <b>", "\(plain)")
        // HTML that is there is not made again; made again of its text it says it once.
        #expect(text(try desk.paste("--as", "html")) == html)
        try desk.copy(plain)
        html = text(try desk.paste("--as", "html"))
      }
    }
  }
}

extension String {
  /// Without line ends and blanks around it, which a paragraph may bring.
  fileprivate var trimmed: String {
    let isBlank = { (character: Character) in character.isWhitespace }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
