import TextEncoding
import Testing

@testable import HTMLReader

@Suite("Charsets of HTML on clipboards")
struct DecodingTests {
  private func text(_ bytes: [UInt8], charset: Charset? = nil) -> String {
    String(
      decoding: HTMLInput(bytes, charset: charset, limit: 1 << 20).text, as: UTF8.self)
  }

  private func utf16(_ text: String, isBig: Bool = false) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
      return isBig ? bytes.reversed() : bytes
    }
  }

  @Test("A byte order mark decides and is no text")
  func marks() {
    #expect(text([0xEF, 0xBB, 0xBF] + Array("<p>é".utf8)) == "<p>é")
    #expect(text([0xFF, 0xFE] + utf16("<p>é🎉")) == "<p>é🎉")
    #expect(text([0xFE, 0xFF] + utf16("<p>é🎉", isBig: true)) == "<p>é🎉")
  }

  @Test("UTF-16 is known by its looks, before anything is cut at its zeros")
  func utf16WithoutMark() {
    #expect(text(utf16("<p>Grüße</p>")) == "<p>Grüße</p>")
    #expect(text(utf16("<p>Grüße</p>", isBig: true)) == "<p>Grüße</p>")
    #expect(text(utf16("<b>x</b>\0")) == "<b>x</b>")
    #expect(text(utf16("<b>x</b>"), charset: .utf8) == "<b>x</b>")
    #expect(text(utf16("<b>x</b>"), charset: .utf16LE) == "<b>x</b>")
  }

  @Test(
    "The document names its charset within the first 1,024 bytes",
    arguments: [
      ("<meta charset=windows-1251>", "п"), ("<META CHARSET='cp1251'>", "п"),
      ("<meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1251\">", "п"),
      ("<meta content='text/html;charset=\"windows-1251\"' http-equiv=content-type>", "п"),
      ("<meta http-equiv=Content-Type content='text/html; charset = windows-1251; x'>", "п"),
      ("<!-- <meta charset=koi8-r> --><meta charset=windows-1251>", "п"),
      ("<meta content='charset=koi8-r'><meta charset=windows-1251>", "п"),
      ("<meta charset=nonsense><meta charset=windows-1251>", "п"),
      ("<!--" + String(repeating: "x", count: 1024) + "--><meta charset=windows-1251>", "ï"),
      ("<p title='<meta charset=windows-1251>'>", "ï"), ("<meta charset=iso-8859-1>", "ï"),
    ])
  func documentNamesCharset(head: String, expected: String) {
    #expect(text(Array(head.utf8) + [0xEF]) == head + expected)
  }

  @Test("What says UTF-16 and could be read is UTF-8")
  func readableUTF16() {
    let html = "<meta charset=utf-16>é"
    #expect(text(Array(html.utf8)) == html)
  }

  @Test("Without a word it is UTF-8, or windows-1252 where it is not")
  func undeclared() {
    #expect(text(Array("<p>„é“".utf8)) == "<p>„é“")
    #expect(text([0x3C, 0x62, 0x3E, 0x80, 0x93, 0xE9, 0x94, 0x81]) == "<b>€“é”\u{81}")
  }

  @Test("A declared charset outranks the document's")
  func declared() {
    let html = Array("<meta charset=koi8-r>".utf8) + [0xC3, 0xA9]
    #expect(text(html, charset: .utf8).hasSuffix("é"))
    #expect(text(html, charset: .latin1).hasSuffix("Ã©"))
    #expect(text([0x80], charset: .latin1) == "€")
    #expect(text([0x61, 0xFF, 0x62], charset: .utf8) == "a\u{FFFD}b")
  }

  @Test("Text ends at the first NUL, and line ends are line feeds")
  func closing() {
    #expect(text(Array("a\r\nb\rc\n\rd\0e".utf8)) == "a\nb\nc\n\nd")
    #expect(text([]) == "")
    #expect(text([0]) == "")
    #expect(text([0x0D]) == "\n")
  }

  @Test("What is too long is cut between characters")
  func limit() {
    for limit in 0...8 {
      let input = HTMLInput(Array("aé€🎉b".utf8), charset: nil, limit: limit)
      #expect("aé€🎉b".hasPrefix(String(decoding: input.text, as: UTF8.self)))
      #expect(input.text.count <= limit)
    }
  }
}

@Suite("Fragments of HTML")
struct FragmentTests {
  /// The text of the nodes that belong to the fragment.
  private func fragment(_ html: String) -> String {
    let document = HTMLDocument(reading: Array(html.utf8))
    var bytes: [UInt8] = []
    for (number, node) in document.nodes.enumerated()
    where node.kind == .text && document.fragment.contains(Int32(number)) {
      bytes += document.text[document.text(of: Int32(number))]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "Comments bound it, wherever they stand",
    arguments: [
      ("<html><body><!--StartFragment--><p>a<b>b</b></p><!--EndFragment--></body>", "ab"),
      ("<p>x<!--StartFragment-->a<!--EndFragment-->y</p>", "a"),
      ("x<table><!-- startfragment --><tr><td>a<td>b</tr><!-- EndFragment --></table>y", "ab"),
      ("<ul><li>x<!--StartFragment--><li>a</ul><!--EndFragment-->y", "a"),
      ("<!--StartFragment-->a<!--EndFragment-->x", "a"), ("x<!--StartFragment-->a", "xa"),
      ("a<!--EndFragment-->b", "ab"), ("ab", "ab"), ("<!--StartFragment--><!--EndFragment-->x", ""),
      ("<!--StartFragment-->a<!--StartFragment-->b<!--EndFragment-->c<!--EndFragment-->x", "abc"),
    ])
  func comments(html: String, expected: String) {
    #expect(fragment(html) == expected)
  }

  @Test("Windows' header is no text, and bounds the fragment where no comments do")
  func header() {
    func document(_ body: String, _ part: String) -> String {
      let lines = ["Version:0.9", "StartHTML:", "EndHTML:", "StartFragment:", "EndFragment:"]
      let size = lines.reduce(0) { $0 + $1.utf8.count + 2 } + 4 * 8
      let before = body.utf8.count - (body.range(of: part)?.utf8.count ?? 0)
      let numbers = [size, size + body.utf8.count, size + before, size + before + part.utf8.count]
      let padded = numbers.map { String(repeating: "0", count: 8 - "\($0)".count) + "\($0)" }
      return lines[0] + "\r\n"
        + zip(lines.dropFirst(), padded).map { $0 + $1 + "\r\n" }.joined() + body
    }
    #expect(fragment(document("<body>\r\nxx\r\n<b>é\r\na</b>y", "<b>é\r\na</b>")) == "é\na")
    #expect(fragment(document("<p>xxaay", "aa")) == "aa")
    #expect(fragment(document("<p>xx<!--StartFragment-->a<!--EndFragment-->y", "x<")) == "a")
    #expect(fragment("Version:1.0\r\nStartHTML:-1\r\nEndHTML:-1\r\n<p>a") == "a")
    #expect(fragment("Version: the <b>first</b>") == "Version: the first")
    #expect(
      fragment("Version:0.9\nStartHTML:1\nStartFragment:999999\nEndFragment:9999999\n<p>a") == "a")
  }
}

extension String {
  /// What stands from the first place of a part to the end.
  fileprivate func range(of part: String) -> Substring? {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.utf8.starts(with: part.utf8) { return rest }
      rest = Substring(rest.unicodeScalars.dropFirst())
    }
    return nil
  }
}
