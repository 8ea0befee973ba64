import TestSupport
import Testing

extension OnDisplay {
  /// Cases from the trackers of other programs, by their numbers in Documentation/coverage.md.
  @Suite("Bug cases: empty, newline, bytes")
  struct BytesBugCaseTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("C23: no owner, zero bytes and data are three different things")
    func c23EmptyIsNotZeroBytes() throws {
      #expect(try desk.clipview("paste").isFailure(1))
      try desk.xclipIn([])
      let zero = try desk.clipview("paste")
      #expect(zero.isSilentSuccess, "\(zero)")
      let shown = try desk.clipview("show", "--json")
      #expect(shown.status == 0)
      let representation = JSON(shown.text)?["items"]?.array?.first?["representations"]?.array?
        .first
      #expect(representation?["bytes"]?.int == 0)
      try desk.copy([])
      #expect(try desk.clipview("paste").isSilentSuccess)
      let read = try desk.xclipOut()
      #expect(read.status == 0)
      #expect(read.output.isEmpty)
      #expect(try desk.clipview("clear").isSilentSuccess)
      #expect(try desk.clipview("paste").isFailure(1))
    }

    @Test(
      "C24: nothing is added to a paste", arguments: ["a", "a\n", "a\n\n", "\n", "  x  ", "\t"])
    func c24NothingIsAdded(content: String) throws {
      try desk.copy(content)
      #expect(text(try desk.paste()) == content)
      #expect(try desk.xclipOut().text == content)
      try desk.xclipIn(Array(content.utf8))
      #expect(text(try desk.paste()) == content)
    }

    @Test(
      "C25: one trailing line end is trimmed on request, on copy and on paste",
      arguments: [
        ("x", "x"), ("x\n", "x"), ("x\n\n", "x\n"), ("\n", ""), ("", ""), ("x\r\n", "x"),
        ("x\r\n\r\n", "x\r\n"), ("\r\n", ""), ("x\n ", "x\n "), ("x\r", "x\r"),
      ])
    func c25TrailingNewlineIsTrimmedOnRequest(content: String, trimmed: String) throws {
      try desk.copy(content, "-n")
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == trimmed)
      try desk.copy(content)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == content)
      #expect(text(try desk.paste("-n")) == trimmed)
      #expect(text(try desk.paste()) == content)
    }

    @Test("C27: NUL bytes inside of content truncate nothing")
    func c27NulBytesSurvive() throws {
      let content = Array("a\0b".utf8)
      try desk.copy(content, "-t", "plain")
      #expect(try desk.peer.ask("UTF8_STRING").value?.bytes == content)
      #expect(try desk.xclipOut(target: "UTF8_STRING").output == content)
      #expect(try desk.paste() == content)
      try desk.xclipIn(content)
      #expect(try desk.paste() == content)
      let wide: [UInt8] = [0x61, 0, 0xE9, 0, 0x3D, 0xD8, 0x89, 0xDF]
      try desk.copy(wide, "-t", "text/plain;charset=utf-16le", "--only")
      #expect(try desk.peer.ask("text/plain;charset=utf-16le").value?.bytes == wide)
      #expect(try desk.paste("-t", "text/plain;charset=utf-16le") == wide)
      #expect(text(try desk.paste()) == "aé\u{1F789}")
    }

    @Test("C29: the native spelling wins over a MIME spelling with other line ends")
    func c29NativeLineEndsWin() throws {
      let owner = try desk.owner(
        RawTarget("text/plain;charset=utf-8", "one\r\ntwo\r\n"),
        RawTarget("UTF8_STRING", "one\ntwo\n"))
      #expect(text(try desk.paste()) == "one\ntwo\n")
      #expect(text(try desk.paste("-t", "text/plain;charset=utf-8")) == "one\r\ntwo\r\n")
      try owner.change(OwnerScript("text/plain;charset=utf-8", "one\r\ntwo\r\n"))
      #expect(text(try desk.paste()) == "one\r\ntwo\r\n")
      #expect(text(try desk.paste("--lf")) == "one\ntwo\n")
      // Published again, it is still what it was.
      #expect(try desk.clipview("plain").isSilentSuccess)
      for target in ["UTF8_STRING", "text/plain;charset=utf-8", "STRING"] {
        #expect(try desk.peer.ask(target).value?.text == "one\r\ntwo\r\n")
      }
    }

    @Test(
      "C34: text that looks like something else is still offered as text",
      arguments: [
        "MM", "PA279CV", "<?php echo 1; ?>\n", "[Desktop Entry]\nName=x\n",
        "<?xml version=\"1.0\"?>\n<a/>\n", "%PDF-1.4\n", "BM", "GIF89a", "RIFF",
      ])
    func c34TextStaysText(content: String) throws {
      try desk.copy(content)
      let targets = lines(try desk.clipview("types").output)
      #expect(targets.contains("text/plain;charset=utf-8"))
      #expect(targets.contains("UTF8_STRING"))
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == content)
      #expect(text(try desk.paste("-t", "text/plain;charset=utf-8")) == content)
    }
  }

  @Suite("Bug cases: types and charsets")
  struct TypeBugCaseTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("C36: an owner that answers everything with the same bytes is not believed")
    func c36AnyAnswerIsNotBelieved() throws {
      try desk.xclipIn(Array("abc".utf8))
      let picture = try desk.clipview("paste", "-t", "image/png")
      #expect(picture.isFailure(1), "\(picture)")
      var script = OwnerScript("UTF8_STRING", "abc")
      script.answersAnything = Array("abc".utf8)
      let owner = try desk.owner(script)
      let other = try desk.clipview("paste", "-t", "image/png")
      #expect(other.isFailure(1), "\(other)")
      // A blind request, as nobody says what there is: the content decides.
      script.list = .refused
      try owner.change(script)
      let blind = try desk.clipview("paste", "-t", "image/png")
      #expect(blind.isFailure(1), "\(blind)")
    }

    @Test("C36: what was not copied is refused")
    func c36UnknownTargetsAreRefused() throws {
      try desk.copy("text")
      for target in ["image/png", "text/html", "application/x-none", "SAVE_TARGETS", "INCR"] {
        #expect(try desk.peer.ask(target) == .refused)
      }
    }

    @Test(
      "C38: one type in many spellings is one type",
      arguments: [
        "text/plain;charset=utf-8", "text/plain; charset=\"UTF-8\"", "Text/Plain;CHARSET=UTF-8",
      ])
    func c38SpellingsAreEqual(offered: String) throws {
      let owner = try desk.owner(RawTarget(offered, "é"))
      for asked in [
        "text/plain;charset=utf-8", "text/plain; charset=\"utf-8\"", "text/plain;  charset=UTF-8",
        "TEXT/PLAIN;CHARSET=UTF-8", "text/plain", "plain", "text", "public.utf8-plain-text",
        "public.plain-text",
      ] {
        #expect(text(try desk.paste("-t", asked)) == "é", "\(asked)")
      }
      #expect(text(try desk.paste()) == "é")
      withExtendedLifetime(owner) {}
    }

    @Test("C41: STRING is Latin-1, as reader")
    func c41StringIsLatin1ForReader() throws {
      let owner = try desk.owner(RawTarget("STRING", [0xE9, 0xFF]))
      #expect(text(try desk.paste()) == "éÿ")
      // Latin-1 under the wrong name, with the right one beside it.
      try owner.change(
        OwnerScript([RawTarget("UTF8_STRING", [0xE9]), RawTarget("STRING", [0xE9])]))
      let beside = try desk.clipview("paste")
      #expect(beside.status == 0)
      #expect(beside.text == "é", "\(beside)")
      // Nothing else there: what cannot be read is replaced, and said.
      try owner.change(OwnerScript([RawTarget("UTF8_STRING", [0x61, 0xE9, 0x62])]))
      let alone = try desk.clipview("paste")
      #expect(alone.status == 0)
      #expect(alone.text == "a\u{FFFD}b", "\(alone)")
      #expect(alone.isOneMessage, "\(alone)")
    }

    @Test("C41: STRING is Latin-1, as owner", arguments: ["é", "ÿ", "€", "🎉", "aéÿ€🎉z"])
    func c41StringIsLatin1ForOwner(content: String) throws {
      try desk.copy(content)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == content)
      switch try desk.peer.ask("STRING") {
      case .value(let value):
        #expect(value.type == "STRING")
        // What fits is itself in one byte; what does not is one substitute or refused altogether.
        #expect(value.bytes.count == content.unicodeScalars.count)
        for (byte, scalar) in zip(value.bytes, content.unicodeScalars) where scalar.value < 256 {
          #expect(UInt32(byte) == scalar.value)
        }
      case .refused: #expect(content.unicodeScalars.contains { $0.value > 255 })
      case .unanswered, .stalled: Issue.record("STRING is not answered")
      }
    }

    @Test("C43: TEXT is answered with a concrete type")
    func c43TextHasConcreteType() throws {
      for content in ["plain", "é", difficultText] {
        try desk.copy(content)
        let value = try #require(try desk.peer.ask("TEXT").value)
        switch value.type {
        case "UTF8_STRING": #expect(value.text == content)
        case "STRING":
          #expect(value.bytes.map(UInt32.init) == content.unicodeScalars.map(\.value))
        default: Issue.record("TEXT is of type \(value.type)")
        }
      }
    }

    @Test("C43: COMPOUND_TEXT is encoded as such")
    func c43CompoundTextIsEncoded() throws {
      try desk.copy("aé€z")
      let value = try #require(try desk.peer.ask("COMPOUND_TEXT").value)
      #expect(value.type == "COMPOUND_TEXT")
      #expect(
        value.bytes == [0x61, 0xE9, 0x1B, 0x25, 0x47, 0xE2, 0x82, 0xAC, 0x1B, 0x25, 0x40, 0x7A])
      let owner = try desk.owner(RawTarget("COMPOUND_TEXT", value.bytes))
      #expect(text(try desk.paste()) == "aé€z")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "C44: HTML in any encoding is handed on untouched",
      arguments: [
        Array("<p>é</p>".utf8), [0xEF, 0xBB, 0xBF] + Array("<p>é</p>".utf8),
        [0xFF, 0xFE, 0x3C, 0, 0x70, 0, 0x3E, 0, 0xE9, 0], [0x3C, 0, 0x70, 0, 0x3E, 0, 0xE9, 0],
        [0, 0x3C, 0, 0x70, 0, 0x3E, 0, 0xE9],
      ])
    func c44HTMLBytesAreUntouched(bytes: [UInt8]) throws {
      let owner = try desk.owner(RawTarget("text/html", bytes))
      #expect(try desk.paste("-t", "html") == bytes)
      #expect(try desk.paste("-t", "text/html") == bytes)
      try desk.copy(bytes, "-t", "html", "--only")
      #expect(try desk.peer.ask("text/html").value?.bytes == bytes)
      withExtendedLifetime(owner) {}
    }

    @Test("C51: RTF is offered under all its names, never transcoded")
    func c51RTFHasAllNames() throws {
      let rtf = Array("{\\rtf1\\ansi\\ansicpg1252 na\\'efve \\u8211- \\b x\\b0}".utf8) + [0xE9, 0]
      try desk.copy(rtf, "-t", "rtf")
      for target in ["text/rtf", "text/richtext", "application/rtf"] {
        let value = try #require(try desk.peer.ask(target).value)
        #expect(value.type == target)
        #expect(value.bytes == rtf)
      }
    }

    @Test(
      "C51: RTF is found under all its names, never transcoded",
      arguments: ["text/rtf", "text/richtext", "application/rtf", "Rich Text Format"])
    func c51RTFIsFound(target: String) throws {
      let rtf = Array("{\\rtf1\\ansi na\\'efve}".utf8) + [0xE9, 0]
      let owner = try desk.owner(RawTarget("UTF8_STRING", "naïve"), RawTarget(target, rtf))
      for type in ["rtf", "public.rtf", "text/rtf"] { #expect(try desk.paste("-t", type) == rtf) }
      withExtendedLifetime(owner) {}
    }
  }
}
