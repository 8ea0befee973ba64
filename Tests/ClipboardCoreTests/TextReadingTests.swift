import Pasteboard
import TextEncoding
import Testing
import TypeRegistry

@testable import ClipboardCore

@Suite("UTF-8 in pieces")
struct UTF8ChunkValidatorTests {
  private static let text = Array("a é – 日本語 🎉 \u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF} z".utf8)

  /// Sequences that are not well-formed, each for a reason of its own.
  private static let invalid: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x41], [0xC3, 0xC3],
    [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xED, 0xA0, 0x80],
    [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x8E],
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],
    [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3, 0xA9, 0xA9], [0xE2, 0x82, 0xAC, 0x82],
  ]

  private func isValid(_ pieces: [ArraySlice<UInt8>]) -> Bool {
    var validator = UTF8ChunkValidator()
    for piece in pieces {
      let isAccepted = unsafe Array(piece).withUnsafeBytes { unsafe validator.accept($0) }
      guard isAccepted else { return false }
    }
    return validator.isComplete
  }

  @Test("Text is valid wherever it is cut in two or three")
  func validText() {
    let text = Self.text
    for first in 0...text.count {
      for second in first...text.count {
        #expect(isValid([text[..<first], text[first..<second], text[second...]]))
      }
    }
  }

  @Test("Text is valid byte by byte, with empty pieces between")
  func singleBytes() {
    #expect(isValid(Self.text.indices.map { Self.text[$0...$0] }))
    #expect(isValid(Self.text.indices.flatMap { [Self.text[$0...$0], []] }))
    #expect(isValid([]))
    #expect(isValid([[], []]))
  }

  @Test(
    "What is not UTF-8 is not, wherever it is cut and whatever stands around it",
    arguments: invalid.indices)
  func invalidText(index: Int) {
    for (before, after) in [("", ""), ("a", ""), ("", "z"), ("é", "🎉"), ("日", "a")] {
      let bytes = Array(before.utf8) + Self.invalid[index] + Array(after.utf8)
      for first in 0...bytes.count {
        for second in first...bytes.count {
          #expect(!isValid([bytes[..<first], bytes[first..<second], bytes[second...]]))
        }
      }
      #expect(!isValid(bytes.indices.map { bytes[$0...$0] }))
    }
  }

  @Test("In pieces or whole, the verdict is the same")
  func sameVerdict() {
    var state: UInt64 = 7
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let alphabet: [[UInt8]] =
      Self.invalid + ["a", "é", "日", "🎉", "\u{0}"].map { Array($0.utf8) }
      + ["b", "ü", "本", "𝄞"].map { Array($0.utf8) }
    for _ in 0..<5000 {
      var bytes: [UInt8] = []
      for _ in 0..<next(6) { bytes += alphabet[next(alphabet.count)] }
      var pieces: [ArraySlice<UInt8>] = []
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + 1 + next(4))
        pieces.append(bytes[start..<end])
        start = end
      }
      let whole = unsafe bytes.withUnsafeBytes { unsafe UTF8Validation.isValid($0) }
      #expect(isValid(pieces) == whole, "\(pieces.map(Array.init))")
    }
  }
}

@Suite("Text as it came")
struct TextReadingTests {
  private func decoded(
    _ bytes: [UInt8], _ charset: Charset?, repairing: Bool = false
  ) -> [UInt8]? {
    decodeText(Payload(bytes), charset: charset, repairing: repairing)?.payload.bytes
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  @Test("UTF-8 stays as it is, and is not copied")
  func utf8IsShared() throws {
    let payload = Payload(Array("naïve\r\n 日本\u{0}x\n".utf8))
    for charset in [nil, Charset.utf8] {
      let text = try #require(decodeText(payload, charset: charset))
      #expect(text.payload == payload)
      #expect(!text.isLossy)
      let isShared = unsafe payload.withUnsafeBytes { whole in
        unsafe text.payload.withUnsafeBytes { unsafe $0.baseAddress == whole.baseAddress }
      }
      #expect(isShared)
    }
  }

  @Test("Byte order mark and closing NULs go, everything else stays")
  func marksAndNULs() {
    let a = UInt8(ascii: "a")
    let cases: [([UInt8], [UInt8])] = [
      ([], []), ([0], []), ([0, 0, 0], []), (Self.mark, []), (Self.mark + [0], []),
      (Self.mark + [a], [a]), (Self.mark + [a, 0, 0], [a]), ([a, 0, a, 0], [a, 0, a]),
      ([a] + Self.mark, [a] + Self.mark), (Self.mark + Self.mark, Self.mark), ([0, a], [0, a]),
      ([a, 0x0A], [a, 0x0A]), ([a, 0x0D, 0x0A, 0], [a, 0x0D, 0x0A]),
    ]
    for (bytes, expected) in cases {
      #expect(decoded(bytes, .utf8) == expected)
      // The same, however it is cut.
      let cut = Payload(chunks: bytes.map { ByteChunk([$0]) })
      #expect(decodeText(cut, charset: .utf8)?.payload == Payload(expected))
    }
  }

  @Test("Every charset is read as what it is")
  func charsets() {
    #expect(decoded([0x6E, 0xE9], .latin1) == Array("né".utf8))
    #expect(decoded([0xE9, 0x00], .utf16LE) == Array("é".utf8))
    #expect(decoded([0x00, 0xE9], .utf16BE) == Array("é".utf8))
    #expect(decoded([0xFF, 0xFE, 0xE9, 0x00], .utf16) == Array("é".utf8))
    #expect(decoded([0xE9], .compoundText) == Array("é".utf8))
  }

  @Test("Where nothing is said it is UTF-8, or UTF-16 by its looks, or Latin-1")
  func unspecified() {
    #expect(decoded(Array("é".utf8), nil) == Array("é".utf8))
    #expect(decoded([0xFF, 0xFE, 0x61, 0x00, 0xE9, 0x00], nil) == Array("aé".utf8))
    #expect(decoded([0x6E, 0xE9, 0x21], nil) == Array("né!".utf8))
  }

  @Test("A target that says ASCII and holds UTF-8 is read as UTF-8")
  func falseASCII() {
    #expect(decoded(Array("é".utf8), .ascii) == Array("é".utf8))
  }

  @Test("What is no text in its charset is not guessed at, unless it is to be repaired")
  func undecodable() throws {
    #expect(decoded([0x61, 0xE9], .utf8) == nil)
    let repaired = try #require(
      decodeText(Payload([0x61, 0xE9, 0x62]), charset: .utf8, repairing: true))
    #expect(repaired.payload == Payload("a\u{FFFD}b"))
    #expect(repaired.isLossy)
  }

  @Test(
    "A target may say its charset",
    arguments: [
      ("text/html;charset=iso-8859-1", Charset.latin1), ("text/html; charset=\"UTF-8\"", .utf8),
      ("text/html", nil), ("UTF8_STRING", nil), ("text/html;charset=no-such", nil),
    ] as [(String, Charset?)])
  func declared(target: String, charset: Charset?) {
    #expect(declaredCharset(ofTarget: target) == charset)
  }
}

@Suite("Plain text as HTML")
struct PlainTextHTMLTests {
  @Test(
    "Marks are escaped, line ends and blanks kept, the charset stands in front",
    arguments: [
      ("", ""), ("a  b\n c\n", "a  b\n c\n"), ("<b> & \"q\" 'r'", "&lt;b&gt; &amp; \"q\" 'r'"),
      ("&amp;", "&amp;amp;"), ("</pre><script>", "&lt;/pre&gt;&lt;script&gt;"), ("é 日", "é 日"),
      ("\nfirst", "\n\nfirst"),
    ])
  func escaping(text: String, body: String) throws {
    let way = ConversionTable.standard.conversion(from: .plainText, to: .html, in: .builtin)
    let html = String(decoding: try #require(way).convert(Payload(text)).bytes, as: UTF8.self)
    #expect(html == "<meta charset=\"utf-8\"><pre>\(body)</pre>")
  }

  @Test("It is in the table of conversions")
  func conversion() throws {
    let conversion = try #require(
      ConversionTable.standard.conversion(from: .utf8PlainText, to: .html))
    #expect(conversion.cost == ConversionCost.plainTextToHTML)
    #expect(
      try conversion.convert(Payload("<")) == Payload("<meta charset=\"utf-8\"><pre>&lt;</pre>"))
  }
}
