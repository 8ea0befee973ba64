import ClipboardCore
import Pasteboard
import SelectionCore
import Testing
import TypeRegistry

private let table = ConversionTable.standard

private func converted(
  _ text: String, _ source: TypeIdentifier, _ target: TypeIdentifier,
  by table: ConversionTable = table
) throws -> String {
  let way = try #require(table.conversion(from: source, to: target, in: .builtin))
  return String(decoding: try way.convert(Payload(text)).bytes, as: UTF8.self)
}

@Suite("The conversions of the clipboard")
struct ConversionTests {
  @Test(
    "Each has its cost",
    arguments: [
      (.markdown, .html, 1), (.markdown, .utf8PlainText, 1), (.html, .utf8PlainText, 1),
      (.rtf, .utf8PlainText, 1), (.utf8PlainText, .html, 5), (.markdown, .rtf, 2),
      (.html, .rtf, 2), (.html, .markdown, 3), (.html, .csv, 6),
      (.markdown, .csv, 6),
      (.markdown, .tsv, 6),
    ] as [(TypeIdentifier, TypeIdentifier, Int)])
  func costs(source: TypeIdentifier, target: TypeIdentifier, cost: Int) {
    #expect(table.conversion(from: source, to: target, in: .builtin)?.cost == cost)
  }

  @Test("There are no others")
  func pairs() {
    let known: [TypeIdentifier] = [.markdown, .html, .rtf, .utf8PlainText, .csv, .tsv]
    for conversion in table.conversions {
      #expect(known.contains(conversion.to))
      #expect(known.contains(conversion.from) || [.xhtml, .plainText].contains(conversion.from))
    }
    for source in [TypeIdentifier.csv, .tsv, .png, .xhtml] {
      for target in [TypeIdentifier.rtf, .markdown, .csv, .tsv] {
        let way = table.conversion(from: source, to: target, in: .builtin)
        #expect(way == nil || source == .xhtml, "\(source) to \(target)")
      }
    }
  }

  @Test("Markdown is plain text as it stands, in UTF-8")
  func markdownAsText() throws {
    #expect(try converted("# *x*\r\n", .markdown, .utf8PlainText) == "# *x*\r\n")
    let way = try #require(table.conversion(from: .markdown, to: .utf8PlainText, in: .builtin))
    #expect(try way.convert(Payload([0xE9])) == Payload("é"))
    #expect(try way.convert(Payload([0xEF, 0xBB, 0xBF, 0x61])) == Payload("a"))
  }

  @Test("Made HTML names its charset and is safe")
  func safeHTML() throws {
    let text =
      "# é\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) <b onclick=\"a()\">y</b>\n"
    let html = try converted(text, .markdown, .html)
    #expect(html.hasPrefix(#"<meta charset="utf-8"><h1>é</h1>"#))
    for word in ["script", "alert", "onclick"] { #expect(!html.contains(word), "\(html)") }
    #expect(html.contains("y"))
  }

  @Test("RTF becomes what it says, in each format")
  func rtf() throws {
    let text =
      #"{\rtf1{\b bold} \u233? {\field{\*\fldinst HYPERLINK "https://e.org/"}{\fldrslt x}}}"#
    #expect(try converted(text, .rtf, .markdown).hasPrefix("**bold** é [x](https://e.org/)"))
    let html = try converted(text, .rtf, .html)
    #expect(html.hasPrefix(#"<meta charset="utf-8">"#) && html.contains("<strong>bold</strong> é"))
    #expect(try converted(text, .rtf, .utf8PlainText) == "bold é x")
    let evil = #"{\rtf1{\field{\*\fldinst HYPERLINK "javascript:a()"}{\fldrslt x}}}"#
    #expect(!(try converted(evil, .rtf, .html)).contains("javascript"))
  }

  @Test("The table in a text becomes values")
  func tables() throws {
    let text = "Title\n\n| a | b, c |\n| --- | --- |\n| 1 | **2** |\n"
    #expect(try converted(text, .markdown, .csv) == "a,\"b, c\"\n1,2\n")
    #expect(try converted(text, .markdown, .tsv) == "a\tb, c\n1\t2\n")
    #expect(throws: TextConversionFailure.noTable) { try converted("none", .markdown, .csv) }
  }

  @Test("What is made for an offer, and what is not")
  func offered() {
    func has(_ table: ConversionTable, _ source: TypeIdentifier, _ target: TypeIdentifier) -> Bool {
      table.conversion(from: source, to: target, in: .builtin) != nil
    }
    for table in [ConversionTable.offered, .enriching] {
      #expect(has(table, .markdown, .html) && has(table, .html, .utf8PlainText))
      #expect(!has(table, .utf8PlainText, .html) && !has(table, .markdown, .csv))
    }
    #expect(!has(.offered, .html, .rtf) && !has(.offered, .xhtml, .rtf))
  }

  @Test("What is made for an offer lives in a memory file where it is large, and is the same")
  func memoryFiles() throws {
    for size in [10, 65_536, 65_537, 3_000_000] {
      let text = String(repeating: "é ", count: size / 3) + "end"
      let made = try converted(text, .markdown, .html, by: .offered)
      #expect(made == (try converted(text, .markdown, .html)))
      #expect(made.hasSuffix("end</p>\n"))
    }
  }

  @Test("A text that is too long is told, not converted")
  func tooLong() throws {
    let way = try #require(table.conversion(from: .markdown, to: .html, in: .builtin))
    let piece = ByteChunk([UInt8](repeating: 0x61, count: 1 << 20))
    let long = Payload(chunks: Array(repeating: piece, count: 65))
    #expect(throws: TextConversionFailure.tooLong(limit: TextConversion.maximumLength)) {
      try way.convert(long)
    }
  }

  @Test("RTF that is none fails")
  func notRTF() throws {
    #expect(throws: TextConversionFailure.notInItsFormat(.rtf)) {
      try converted("no RTF", .rtf, .utf8PlainText)
    }
  }
}

@Suite("Formats of text")
struct TextFormatTests {
  @Test(
    "A type is in the format of its nearest kind",
    arguments: [
      ("markdown", .markdown), ("html", .html), (".xhtml", .html), ("rtf", .rtf), ("plain", .plain),
      ("text", .plain), ("text/plain", .plain), ("UTF8_STRING", .plain), ("text/csv", .csv),
      (".tsv", .tsv), (".swift", .plain), (".json", .plain), (".svg", nil), ("png", nil),
      ("files", nil), ("application/x-unheard-of", nil),
    ] as [(String, TextFormat?)])
  func formats(name: String, format: TextFormat?) {
    #expect(TextFormat(TypeQuery(name).types()[0]) == format)
  }

  @Test(
    "Content that nobody says anything about is what its beginning shows",
    arguments: [
      ("{\\rtf1 x}", .rtf), ("\u{FEFF}\n <!DOCTYPE HTML>", .html), ("<HTML><b>", .html),
      ("<b>x</b>", .plain), ("# Title", .plain), ("", .plain), ("<htm", .plain), ("{\\rt", .plain),
    ] as [(String, TextFormat)])
  func looks(content: String, format: TextFormat) {
    #expect(TextFormat(looksOf: Payload(content)) == format)
  }

  @Test("Text is rendered, in the form that it is made for")
  func rendering() throws {
    func convert(
      _ text: String, _ source: TextFormat, _ target: TextFormat, _ purpose: TextConversion.Purpose
    ) throws -> String {
      var conversion = try #require(TextConversion(from: source, to: target))
      conversion.purpose = purpose
      return String(decoding: try conversion.convert(Payload(text)).bytes, as: UTF8.self)
    }
    #expect(try convert("# *A*", .markdown, .plain, .stream) == "A\n")
    #expect(try convert("# *A*", .markdown, .plain, .clipboard) == "A")
    #expect(try convert("", .markdown, .plain, .file) == "")
    #expect(try convert("# A", .markdown, .html, .stream) == "<h1>A</h1>\n")
    #expect(try convert("<b>", .plain, .html, .stream) == "<pre>&lt;b&gt;</pre>\n")
    #expect(try convert("# A", .markdown, .html, .file).hasPrefix("<!DOCTYPE html>"))
    #expect(try convert("<b>", .plain, .html, .file).hasPrefix("<!DOCTYPE html>"))
  }
}
