import ClipboardCore
import Pasteboard
import Testing

@Suite("Line ends")
struct LineShapingTests {
  private func shaped(_ text: String, _ change: (inout LineShaping) -> Void) -> String {
    var shaping = LineShaping()
    change(&shaping)
    return String(decoding: shaping.apply(to: Payload(text)).bytes, as: UTF8.self)
  }

  @Test("Without being asked nothing changes", arguments: ["", "\n", "a\r\nb\n", "\r", "a\u{0}\n"])
  func untouched(text: String) {
    #expect(shaped(text) { _ in } == text)
  }

  @Test(
    "-n drops one line end at the end, LF or CR LF",
    arguments: [
      ("", ""), ("a", "a"), ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"),
      ("a\r\n\r\n", "a\r\n"), ("\n", ""), ("\r\n", ""), ("\n\n", "\n"), ("a\r", "a\r"),
      ("a\n\r", "a\n\r"), ("a\nb", "a\nb"), ("\na", "\na"), ("a\r\r\n", "a\r"), ("é\n", "é"),
      ("a \n", "a "),
    ])
  func trimming(text: String, expected: String) {
    #expect(shaped(text) { $0.trimsFinalLineEnd = true } == expected)
  }

  @Test(
    "--flat makes one line: the last line end goes, inner ones become blanks",
    arguments: [
      ("", ""), ("a", "a"), ("a\n", "a"), ("a\r\n", "a"), ("a\nb", "a b"), ("a\r\nb\r\n", "a b"),
      ("one\ntwo\r\nthree\n", "one two three"), ("\n", ""), ("\na", " a"), ("a\rb", "a b"),
      ("a\r", "a"),
      ("a\tb\n", "a\tb"), ("naïve\n日本\n", "naïve 日本"), ("a \n b", "a   b"),
    ])
  func flattening(text: String, expected: String) {
    #expect(shaped(text) { $0.flattening = .blanks } == expected)
  }

  @Test(
    "--flat=join makes one line: all line ends vanish",
    arguments: [
      ("", ""), ("a", "a"), ("a\n", "a"), ("a\nb", "ab"), ("a\r\nb\r\nc\r\n", "abc"), ("\n\n", ""),
      ("a\rb", "ab"), ("a \nb", "a b"),
    ])
  func joining(text: String, expected: String) {
    #expect(shaped(text) { $0.flattening = .joined } == expected)
  }

  @Test(
    "--lf makes LF of CR LF and leaves a lone CR alone",
    arguments: [
      ("", ""), ("a", "a"), ("a\r\nb\r\n", "a\nb\n"), ("a\nb\n", "a\nb\n"), ("a\rb", "a\rb"),
      ("\r\n", "\n"), ("\r", "\r"), ("\r\r\n", "\r\n"), ("a\r\n\r\nb", "a\n\nb"),
      ("a\n\rb", "a\n\rb"),
    ])
  func lineFeeds(text: String, expected: String) {
    #expect(shaped(text) { $0.convertsToLF = true } == expected)
  }

  @Test("The options go together")
  func combinations() {
    let text = "a\r\nb\r\n\r\n"
    let trimmed = shaped(text) {
      $0.trimsFinalLineEnd = true
      $0.convertsToLF = true
    }
    #expect(trimmed == "a\nb\n")
    let flat = shaped("a\r\nb\r\n") {
      $0.flattening = .blanks
      $0.trimsFinalLineEnd = true
      $0.convertsToLF = true
    }
    #expect(flat == "a b")
  }

  @Test("A line end that lies across two chunks is one", arguments: 0...7)
  func chunkBorders(cut: Int) {
    let bytes = Array("a\r\nb\r\n!".utf8)
    let payload = Payload(chunks: [
      ByteChunk(Array(bytes[..<cut])), ByteChunk(Array(bytes[cut...])),
    ])
    var shaping = LineShaping()
    shaping.flattening = .blanks
    #expect(shaping.apply(to: payload) == Payload("a b !"))
    shaping = LineShaping()
    shaping.trimsFinalLineEnd = true
    let ending = Payload(chunks: [payload, Payload("\r"), Payload("\n")].flatMap(\.chunks))
    #expect(shaping.apply(to: ending) == payload)
  }

  @Test("Trimming alone does not copy")
  func trimmingShares() {
    let payload = Payload([UInt8](repeating: 0x61, count: 100_000) + [0x0A])
    var shaping = LineShaping()
    shaping.trimsFinalLineEnd = true
    let trimmed = shaping.apply(to: payload)
    #expect(trimmed.count == 100_000)
    let addresses = unsafe payload.withUnsafeBytes { whole in
      unsafe trimmed.withUnsafeBytes { part in unsafe whole.baseAddress == part.baseAddress }
    }
    #expect(addresses)
  }
}
