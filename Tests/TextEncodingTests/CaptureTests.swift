import Testing

@testable import TextEncoding

@Suite("Text of real programs")
struct CaptureTests {
  @Test(
    "COMPOUND_TEXT of a real program is the text it offers as UTF-8",
    arguments: [
      ("emacs-compound-text.bin", "plain-text.utf8"), ("gtk3-compound-text.bin", "plain-text.utf8"),
      ("gvim-compound-text.bin", "gvim-text.utf8"), ("xterm-compound-text.bin", "xterm-text.utf8"),
      ("firefox-compound-text.bin", "firefox-page.utf8"),
      ("libreoffice-compound-text.bin", "libreoffice-document.utf8"),
    ])
  func decodesCompoundText(capture: String, expected: String) throws {
    let result = try decoded(Fixture.bytes(capture), as: .compoundText)
    #expect(result == .transcoded(try Fixture.bytes(expected), isLossy: false))
  }

  @Test("What we encode as COMPOUND_TEXT decodes to the same text")
  func encodesCompoundText() throws {
    let original = try Fixture.bytes("libreoffice-document.utf8")
    let result = try encoded(original, to: .compoundText)
    #expect(result.substitutions == 0)
    #expect(try decoded(result.bytes, as: .compoundText) == .transcoded(original, isLossy: false))
  }

  @Test("GTK 4's COMPOUND_TEXT, which is UTF-8 encoded twice, is refused rather than misread")
  func refusesDoublyEncodedText() throws {
    let bytes = try Fixture.bytes("gtk4-compound-text.bin")
    #expect(throws: TextDecodingError.self) { try decoded(bytes, as: .compoundText) }
    #expect(try decoded(bytes, as: .compoundText, repairing: true).isLossy)
  }

  @Test("LibreOffice's UTF-16 has no byte order mark and is the text it offers as UTF-8")
  func decodesLibreOfficeUTF16() throws {
    let bytes = try Fixture.bytes("libreoffice-utf16.bin")
    let expected = try Fixture.bytes("libreoffice-document.utf8")
    #expect(try decoded(bytes, as: .utf16) == .transcoded(expected, isLossy: false))
    #expect(try encoded(expected, to: .utf16LE).bytes == bytes)
  }

  @Test("Mozilla's targets are UTF-16, and look it")
  func decodesMozillaTargets() throws {
    let url = try Fixture.bytes("qt5-moz-url.bin")
    #expect(try text(url, as: .utf16) == "file:///tmp/demo/files/sub\r\n")
    let context = try Fixture.bytes("firefox-html-context.bin")
    #expect(guessedCharset(context) == .utf16LE)
    #expect(try text(context, as: .utf16) == "<html lang=\"en\"><body></body></html>")
  }

  @Test("STRING is Latin-1, with whatever its owner put for the rest")
  func decodesString() throws {
    #expect(
      try text(Fixture.bytes("qt5-string.bin"), as: .latin1)
        == "Plain text: naïve ? ??? ??\nsecond line\twith a tab\n\nlast line")
    #expect(
      try text(Fixture.bytes("gtk3-string.bin"), as: .latin1)
        == "Plain text: naïve \\u2013 \\u65e5\\u672c\\u8a9e \\U0001f389\nsecond line\twith a tab\n\nlast line"
    )
  }

  @Test("Chromium's STRING is UTF-8 and can be told from Latin-1 by that")
  func recognizesUTF8UnderString() throws {
    #expect(isValidUTF8(try Fixture.bytes("chromium-string.bin")))
    #expect(!isValidUTF8(try Fixture.bytes("qt5-string.bin")))
  }

  @Test("AbiWord's closing NUL is cut off")
  func cutsClosingNUL() throws {
    let bytes = try Fixture.bytes("abiword-terminated.utf8")
    #expect(bytes.last == 0)
    #expect(try decoded(bytes, as: .utf8) == .unchanged(0..<bytes.count - 1))
  }
}
