import ClipboardCore
import Pasteboard
import SelectionCore
import Testing
import TypeRegistry

private let textNames = [
  "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING", "COMPOUND_TEXT",
]
private let marker = OriginMarker.target

private func source(
  _ text: String, type: String? = nil, ending: String? = nil
) -> CopySource {
  CopySource(Payload(text), type: type, filenameExtension: ending)
}

private func offer(
  _ sources: CopySource..., only: Bool = false
) throws -> Offer {
  var assembly = CopyAssembly()
  assembly.publishesOnlyGiven = only
  return try assembly.offer(of: sources)
}

private func names(_ offer: Offer) -> [String] { offer.targets.map(\.name) }

private func text(_ offer: Offer, _ name: String) throws -> String {
  String(decoding: try #require(offer.target(named: name)).content.payload().bytes, as: UTF8.self)
}

@Suite("What a copy offers, by type")
struct CopyTypeTests {
  @Test("Text without a type is text in all its spellings")
  func plainText() throws {
    let offer = try offer(source("naïve\n"))
    #expect(names(offer) == textNames)
    #expect(try text(offer, "UTF8_STRING") == "naïve\n")
  }

  @Test("Nothing at all is text too")
  func emptyText() throws {
    #expect(names(try offer(source(""))) == textNames)
  }

  @Test(
    "A text type is text",
    arguments: [
      "plain", "text", "public.utf8-plain-text", "public.plain-text", "UTF8_STRING", "text/plain",
      "text/plain;charset=utf-8", "TEXT", "STRING",
    ])
  func textTypes(type: String) throws {
    let offer = try offer(source("é", type: type))
    #expect(names(offer) == textNames)
    #expect(try text(offer, "UTF8_STRING") == "é")
  }

  @Test(
    "HTML can be named in every way",
    arguments: ["html", "public.html", "text/html", ".html", ".htm", "PUBLIC.HTML"])
  func namesOfHTML(type: String) throws {
    #expect(names(try offer(source("<b>x</b>", type: type)))[0] == "text/html")
  }

  @Test(
    "A MIME type is folded, except where its spelling is all that is known",
    arguments: [
      ("TEXT/HTML", "text/html"), ("Image/PNG", "image/png"), ("image/x-MS-bmp", "image/x-MS-bmp"),
      ("Image/X-Odd", "Image/X-Odd"),
    ])
  func spelledTypes(type: String, target: String) throws {
    #expect(names(try offer(source("x", type: type), only: true)) == [target])
    #expect(names(try offer(source("x", type: type)))[0] == target)
  }

  @Test(
    "The name image/jpg is understood and never written",
    arguments: ["image/jpg", "IMAGE/JPG", ".jpg", "public.jpeg"], [false, true])
  func misnomer(type: String, only: Bool) throws {
    let names = names(try offer(source("\u{FF}", type: type), only: only))
    #expect(names[0] == "image/jpeg" && !names.contains("image/jpg"))
  }

  @Test(
    "Text in a charset that nobody knows is refused, and the charset named",
    arguments: ["text/plain;charset=bogus", "TEXT/PLAIN; a=b; Charset=\"BOGUS\""], [false, true])
  func unknownCharset(type: String, only: Bool) {
    #expect(throws: CopyProblem.unknownCharset("bogus")) {
      try offer(source("x", type: type), only: only)
    }
  }

  @Test("A MIME type that names UTF-8 is offered without that too, as programs ask for it")
  func usualCharset() throws {
    let type = "text/html; charset=UTF-8"
    #expect(names(try offer(source("x", type: type))).prefix(2) == ["text/html", type])
    #expect(names(try offer(source("x", type: type), only: true)) == [type])
    // Another charset is not what programs expect behind the bare name.
    let latin = "text/html;charset=iso-8859-1"
    #expect(names(try offer(source("x", type: latin)))[0] == latin)
  }

  @Test("What is made of HTML in a charset of its own is made of its characters")
  func otherCharset() throws {
    let html = Payload(Array("<meta charset=utf-8><p>".utf8) + [0xE9])
    let offer = try CopyAssembly().offer(of: [
      CopySource(html, type: "text/html;charset=iso-8859-1")
    ])
    #expect(try text(offer, "text/markdown") == "é\n")
    #expect(try text(offer, "UTF8_STRING") == "é")
  }

  @Test("Markdown with HTML beside it is offered as text all the same: its own")
  func markdownBesideHTML() throws {
    let offer = try CopyAssembly().offer(of: [
      CopySource(Payload("# T"), type: "markdown"), CopySource(Payload("<b>T</b>"), type: "html"),
    ])
    #expect(names(offer).prefix(2) == ["text/markdown", "text/html"])
    #expect(try text(offer, "UTF8_STRING") == "# T")
  }

  @Test("A name that nobody knows is published as it is")
  func unknownTypes() throws {
    for type in ["application/x-demo", "X_PRIVATE", "org.example.private"] {
      let offer = try offer(source("x", type: type), only: true)
      #expect(names(offer) == [type])
      #expect(try text(offer, type) == "x")
    }
  }

  @Test(
    "Without a type the extension decides",
    arguments: [
      ("md", "text/markdown"), ("html", "text/html"), ("png", "image/png"), ("JPG", "image/jpeg"),
      ("pdf", "application/pdf"), ("rtf", "text/rtf"), ("csv", "text/csv"),
    ])
  func extensions(ending: String, target: String) throws {
    #expect(names(try offer(source("x", ending: ending)))[0] == target)
  }

  @Test("A text file is text, whatever an unknown extension says")
  func textExtensions() throws {
    for ending in ["txt", "TXT", "no-such-extension"] {
      #expect(names(try offer(source("é", ending: ending))) == textNames)
    }
  }

  @Test("The type beats the extension, and the extension the content")
  func precedence() throws {
    let png = "\u{89}PNG\r\n\u{1A}\n"
    var typed = source("%PDF-1.4\n", type: "html", ending: "md")
    #expect(names(try offer(typed))[0] == "text/html")
    typed.type = nil
    #expect(names(try offer(typed))[0] == "text/markdown")
    typed.filenameExtension = nil
    #expect(names(try offer(typed))[0] == "application/pdf")
    #expect(names(try offer(source(png)))[0] == "UTF8_STRING")
  }

  @Test(
    "Without either the first bytes decide",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFF], "image/png"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), ([0x4D, 0x4D, 0x00, 0x2A, 0xFF], "image/tiff"),
      ([0xFF, 0xFE, 0x61, 0x00], "application/octet-stream"),
      ([0x00, 0xFF], "application/octet-stream"), ([0xC3], "application/octet-stream"),
    ] as [([UInt8], String)])
  func content(bytes: [UInt8], target: String) throws {
    let offer = try offer(CopySource(Payload(bytes)))
    #expect(names(offer) == [target])
    #expect(try #require(offer.targets.first).content.payload() == Payload(bytes))
  }

  @Test("An image without a kind is looked at")
  func anyImage() throws {
    let png = Payload([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFF])
    for type in ["image", "public.image"] {
      #expect(names(try offer(CopySource(png, type: type))) == ["image/png"])
      #expect(throws: CopyProblem.needsExactType(type)) { try offer(source("x", type: type)) }
      // A document is no image, though it is recognised.
      #expect(throws: CopyProblem.needsExactType(type)) {
        try offer(source("%PDF-1.4\n", type: type))
      }
    }
  }

  @Test("Files are not copied by their content")
  func files() {
    #expect(throws: CopyProblem.needsExactType("files")) { try offer(source("x", type: "files")) }
  }
}

@Suite("What a copy offers beside what was given")
struct CopyCompanyTests {
  @Test(
    "Text that looks like something else is text as well",
    arguments: [
      ("MM", nil), ("PA279CV", nil), ("<?php echo 1; ?>\n", nil),
      ("[Desktop Entry]\nName=x\n", nil),
      ("<?xml version=\"1.0\"?>\n<a/>\n", nil), ("%PDF-1.4\n", "application/pdf"),
      ("GIF89a is a format\n", "image/gif"), ("BM", nil), ("II*", nil),
      ("RIFF1234WEBP", "image/webp"), ("#!/bin/sh\n", nil), ("# Title\n\n* item\n", nil),
    ] as [(String, String?)])
  func textStaysText(content: String, first: String?) throws {
    let offer = try offer(source(content))
    #expect(names(offer) == (first.map { [$0] } ?? []) + textNames + (first == nil ? [] : [marker]))
    for name in ["UTF8_STRING", "text/plain;charset=utf-8", "STRING"] {
      #expect(try text(offer, name) == content)
    }
    if let first { #expect(try text(offer, first) == content) }
  }

  @Test(
    "Text of a textual type is text as well, the same bytes",
    arguments: [
      ("text/csv", "text/csv"), ("application/json", "application/json"),
      ("image/svg+xml", "image/svg+xml"), ("text/css", "text/css"),
    ])
  func textualTypes(type: String, first: String) throws {
    let offer = try offer(source("a é b\n", type: type))
    #expect(names(offer)[0] == first)
    #expect(Array(names(offer).dropFirst()) == textNames + [marker])
    #expect(try text(offer, "UTF8_STRING") == "a é b\n")
  }

  @Test("Beside Markdown stand HTML, RTF and its own text, all made from it")
  func beside() throws {
    let rtf = ["text/rtf", "text/richtext", "application/rtf"]
    let offer = try offer(source("# é\n", type: "markdown"))
    #expect(names(offer) == ["text/markdown", "text/html"] + rtf + textNames + [marker])
    #expect(try text(offer, "UTF8_STRING") == "# é\n")
    #expect(try text(offer, "text/html") == "<meta charset=\"utf-8\"><h1>é</h1>\n")
    for name in rtf { #expect(try text(offer, name).hasPrefix("{\\rtf1")) }
    let bytes = try #require(offer.target(named: marker)).content.payload().bytes
    #expect(
      OriginMarker(parsing: bytes)
        == OriginMarker(
          native: [.markdown],
          made: [.utf8PlainText: .markdown, .html: .markdown, .rtf: .markdown]))
  }

  @Test("What was given stays as it is, and what is missing is made from the best of it")
  func besideMore() throws {
    let offer = try offer(
      source("# x", type: "markdown"), source("<b>own</b>", type: "html"),
      source("own text", type: "plain"))
    #expect(names(offer).prefix(2) == ["text/markdown", "text/html"])
    #expect(try text(offer, "text/html") == "<b>own</b>")
    #expect(try text(offer, "UTF8_STRING") == "own text")
    #expect(try text(offer, "text/rtf").contains("x"))
    let bytes = try #require(offer.target(named: marker)).content.payload().bytes
    #expect(OriginMarker(parsing: bytes)?.made == [.rtf: .markdown])
  }

  @Test(
    "The text beside HTML or RTF is never the marks",
    arguments: [
      ("<b>bold</b>", "html", nil), ("<b>bold</b>", nil, "html"), ("{\\rtf1 bold}", "rtf", nil),
      ("{\\rtf1 bold}", nil, "rtf"), ("<b>bold</b>", "application/xhtml+xml", nil),
      ("<b>bold</b>", nil, "xhtml"),
    ] as [(String, String?, String?)])
  func markupIsNotText(content: String, type: String?, ending: String?) throws {
    let offer = try offer(source(content, type: type, ending: ending))
    for name in textNames {
      guard let target = offer.target(named: name) else { continue }
      let made = String(decoding: try target.content.payload().bytes, as: UTF8.self)
      #expect(!made.contains("<b>") && !made.contains("\\rtf"))
    }
  }

  @Test("The text beside HTML is made from it")
  func htmlBecomesText() throws {
    let offer = try offer(source("<p>one <b>two</b></p>", type: "html"))
    #expect(names(offer) == ["text/html", "text/markdown"] + textNames + [marker])
    #expect(try text(offer, "UTF8_STRING").contains("one two"))
    #expect(try text(offer, "text/markdown").hasPrefix("one **two**"))
    #expect(try text(offer, "text/html") == "<p>one <b>two</b></p>")
  }

  @Test("That something is markup is not guessed: what only looks like RTF is text")
  func guessedMarkupIsText() throws {
    let offer = try offer(source("{\\rtf1 is how it begins"))
    #expect(names(offer).contains("UTF8_STRING"))
    #expect(try text(offer, "UTF8_STRING") == "{\\rtf1 is how it begins")
  }

  @Test("HTML beside which no text can be made stands alone")
  func markupWithoutConversion() throws {
    var assembly = CopyAssembly(table: ConversionTable())
    #expect(names(try assembly.offer(of: [source("<b>x</b>", type: "html")])) == ["text/html"])
    assembly = CopyAssembly(
      table: ConversionTable([
        Conversion(from: .html, to: .utf8PlainText, cost: ConversionCost.htmlToPlainText) { _ in
          Payload("made")
        }
      ]))
    let offer = try assembly.offer(of: [source("<b>x</b>", type: "html")])
    #expect(names(offer) == ["text/html"] + textNames + [marker])
    #expect(try text(offer, "UTF8_STRING") == "made")
  }

  @Test("What is no text gets no text")
  func binaryStaysAlone() throws {
    let bytes = Payload([0x00, 0xFF, 0xFE])
    #expect(names(try offer(CopySource(bytes, type: "image/png"))) == ["image/png"])
    #expect(
      names(try offer(CopySource(bytes, filenameExtension: "pdf"))) == ["application/pdf"])
  }

  @Test("Content of zero bytes is text only where its type is textual")
  func emptyContent() throws {
    #expect(names(try offer(source("", type: "image/png"))) == ["image/png"])
    #expect(names(try offer(source("", type: "markdown")))[0] == "text/markdown")
    #expect(try offer(source("", type: "markdown")).contains("UTF8_STRING"))
  }

  @Test(
    "RTF by any of its names goes by all of them",
    arguments: ["rtf", "text/rtf", "application/rtf"])
  func rtfNames(type: String) throws {
    let offer = try offer(source("{\\rtf1 x}", type: type))
    #expect(
      names(offer) == [
        "text/rtf", "text/richtext", "application/rtf", "text/html", "text/markdown",
      ]
        + textNames + [marker])
    // The text beside it is what it says, not its marks.
    #expect(try text(offer, "UTF8_STRING") == "x")
    #expect(try text(offer, "text/markdown").hasPrefix("x"))
  }

  @Test(
    "An unusual spelling of text is offered behind the usual ones",
    arguments: ["UTF-8", "text/plain;charset=UTF-8", "text/plain;format=flowed"])
  func unusualSpelling(type: String) throws {
    let offer = try offer(source("é", type: type))
    #expect(names(offer) == textNames + [type])
    #expect(try text(offer, type) == "é")
  }

  @Test("--also stands behind the main content, in the order given")
  func also() throws {
    let offer = try offer(
      source("# x", type: "markdown"), source("<h1>x</h1>", type: "html"),
      source("X", type: "application/x-odd"))
    #expect(Array(names(offer).prefix(3)) == ["text/markdown", "text/html", "application/x-odd"])
    #expect(try text(offer, "text/html") == "<h1>x</h1>")
    #expect(try text(offer, "application/x-odd") == "X")
  }

  @Test("A text that was given beside HTML is the text")
  func alsoText() throws {
    let offer = try offer(source("<b>x</b>", type: "html"), source("x", type: "text/plain"))
    #expect(names(offer) == ["text/html"] + textNames + ["text/markdown", marker])
    #expect(try text(offer, "UTF8_STRING") == "x")
  }

  @Test("HTML given beside text takes nothing away from the text")
  func alsoHTML() throws {
    let offer = try offer(source("x"), source("<b>x</b>", type: "html"))
    #expect(names(offer) == textNames + ["text/html", "text/markdown", marker])
    #expect(try text(offer, "UTF8_STRING") == "x")
  }
}

@Suite("A copy of just what was given")
struct CopyOnlyTests {
  @Test(
    "Of text without a type, or of plain text, the UTF-8 spellings",
    arguments: [nil, "plain", "text", "public.utf8-plain-text"])
  func plainText(type: String?) throws {
    let offer = try offer(source("é", type: type), only: true)
    #expect(names(offer) == ["UTF8_STRING", "text/plain;charset=utf-8"])
    #expect(offer.target(named: "STRING") == nil)
  }

  @Test("Of a text file the UTF-8 spellings")
  func textFile() throws {
    let offer = try offer(source("é", ending: "txt"), only: true)
    #expect(names(offer) == ["UTF8_STRING", "text/plain;charset=utf-8"])
  }

  @Test(
    "Of text under a spelling, that spelling",
    arguments: [
      "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT", "COMPOUND_TEXT",
      "text/plain;charset=UTF-8", "UTF-8", "text/plain;format=flowed",
    ])
  func spelling(type: String) throws {
    let offer = try offer(source("x", type: type), only: true)
    #expect(names(offer) == [type])
    #expect(try text(offer, type) == "x")
  }

  @Test("STRING is Latin-1 even where it is all there is")
  func stringIsLatin1() throws {
    let offer = try offer(source("é€", type: "STRING"), only: true)
    #expect(try #require(offer.target(named: "STRING")).content.payload().bytes == [0xE9, 0x3F])
  }

  @Test(
    "Of anything else, that",
    arguments: [
      ("html", ["text/html"]), ("markdown", ["text/markdown"]), ("text/csv", ["text/csv"]),
      ("image/png", ["image/png"]), ("application/pdf", ["application/pdf"]),
      ("rtf", ["text/rtf", "text/richtext", "application/rtf"]), ("text/rtf", ["text/rtf"]),
      ("application/rtf", ["application/rtf"]),
    ])
  func otherTypes(type: String, expected: [String]) throws {
    let offer = try offer(source("x", type: type), only: true)
    #expect(names(offer) == expected)
  }

  @Test("What was recognised by its content is not text as well")
  func recognised() throws {
    #expect(names(try offer(source("%PDF-1.4\n"), only: true)) == ["application/pdf"])
    #expect(names(try offer(source("x", ending: "md"), only: true)) == ["text/markdown"])
  }

  @Test("--also is given as well")
  func also() throws {
    let offer = try offer(
      source("**x**", type: "markdown"), source("<b>x</b>", type: "html"),
      source("x", type: "text/plain;charset=utf-8"), only: true)
    #expect(names(offer) == ["text/markdown", "text/html", "text/plain;charset=utf-8"])
  }

  @Test("There is never a marker, since nothing is made")
  func noMarker() throws {
    let inputs: [CopySource] = [
      source("x"), source("x", type: "markdown"), source("%PDF-1.4\n"),
      source("<b>x</b>", type: "html"), source("x", type: "text/plain;charset=iso-8859-1"),
      CopySource(Payload([0xFF])),
    ]
    for input in inputs {
      let offer = try offer(input, only: true)
      #expect(!offer.contains(marker))
    }
  }
}

@Suite("Text in a charset of its own")
struct CopyCharsetTests {
  @Test("It goes out as it is and as UTF-8 for everybody else")
  func latin1() throws {
    let type = "text/plain;charset=iso-8859-1"
    let offer = try offer(CopySource(Payload([0x6E, 0xE9]), type: type))
    #expect(names(offer)[0] == type)
    #expect(Array(names(offer).dropFirst()) == textNames + [marker])
    #expect(try #require(offer.target(named: type)).content.payload().bytes == [0x6E, 0xE9])
    #expect(try text(offer, "UTF8_STRING") == "né")
  }

  @Test("UTF-16 with a mark becomes UTF-8 without one")
  func utf16() throws {
    let bytes: [UInt8] = [0xFF, 0xFE, 0xE9, 0x00, 0x3D, 0xD8, 0x00, 0xDE]
    let offer = try offer(CopySource(Payload(bytes), type: "text/plain;charset=utf-16"))
    #expect(try text(offer, "UTF8_STRING") == "é\u{1F600}")
    #expect(
      try #require(offer.target(named: "text/plain;charset=utf-16")).content.payload().bytes
        == bytes)
  }

  @Test("With --only it goes out as it is, alone")
  func only() throws {
    let type = "text/plain;charset=iso-8859-1"
    let offer = try offer(CopySource(Payload([0xE9]), type: type), only: true)
    #expect(names(offer) == [type])
    #expect(try #require(offer.targets.first).content.payload().bytes == [0xE9])
  }

  @Test("What is no text in the charset is refused")
  func undecodable() {
    let type = "text/plain;charset=us-ascii"
    #expect(throws: CopyProblem.notInCharset(type)) {
      try offer(CopySource(Payload([0x61, 0xE9]), type: type))
    }
  }
}

@Suite("Text that is no UTF-8")
struct CopyNotTextTests {
  @Test(
    "It is refused under a text type, with the place",
    arguments: ["plain", "text", "UTF8_STRING", "text/plain", "text/plain;charset=utf-8", "STRING"])
  func refused(type: String) {
    let payload = Payload(Array("naïve".utf8) + [0xE9, 0x61])
    #expect(throws: CopyProblem.notText(type: .utf8PlainText, offset: 6)) {
      try offer(CopySource(payload, type: type))
    }
  }

  @Test("A text cut off in a character is refused where that begins")
  func cutOff() {
    #expect(throws: CopyProblem.notText(type: .utf8PlainText, offset: 1)) {
      try offer(CopySource(Payload([0x61, 0xE2, 0x82]), type: "plain"))
    }
  }

  @Test("Beside other content it is refused as well")
  func refusedBeside() {
    #expect(throws: CopyProblem.notText(type: .utf8PlainText, offset: 0)) {
      try offer(source("<b>", type: "html"), CopySource(Payload([0xFF]), type: "plain"))
    }
  }

  @Test("Without a type it is data")
  func rawData() throws {
    #expect(names(try offer(CopySource(Payload([0x61, 0xE9])))) == ["application/octet-stream"])
  }

  @Test("NUL bytes are text and stay")
  func nulBytes() throws {
    let offer = try offer(source("a\u{0}b"))
    #expect(try text(offer, "UTF8_STRING") == "a\u{0}b")
  }
}

@Suite("Shaping what is copied")
struct CopyShapingTests {
  @Test("The lines of the main content are shaped, those beside it are not")
  func onlyMain() throws {
    var assembly = CopyAssembly()
    assembly.shaping.flattening = .blanks
    let offer = try assembly.offer(of: [source("a\nb\n"), source("<b>\nx", type: "html")])
    #expect(try text(offer, "UTF8_STRING") == "a b")
    #expect(try text(offer, "text/html") == "<b>\nx")
  }

  @Test("The text beside other content is shaped with it")
  func madeText() throws {
    var assembly = CopyAssembly()
    assembly.shaping.trimsFinalLineEnd = true
    let offer = try assembly.offer(of: [source("# x\n", type: "markdown")])
    #expect(try text(offer, "text/markdown") == "# x")
    #expect(try text(offer, "UTF8_STRING") == "# x")
  }
}
