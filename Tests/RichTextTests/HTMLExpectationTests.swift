import RichText
import TestSupport
import Testing

/// Captured HTML beside what it is as Markdown and as plain text, which was written by hand.
@Suite("HTML of real programs as Markdown and as plain text")
struct HTMLExpectationTests {
  static let expectations: [(html: String, expected: String)] = [
    ("firefox-page", "page"), ("chromium-page", "page"), ("page-source", "page"),
    ("chromium-image", "chromium-image"), ("firefox-image", "firefox-image"),
    ("libreoffice-document", "libreoffice-document"), ("libreoffice-line", "libreoffice-line"),
    ("libreoffice-cells", "libreoffice-cells"), ("libreoffice-gen-cells", "libreoffice-cells"),
    ("abiword-document", "abiword-document"), ("ghostwriter-markdown", "markdown-source"),
    ("retext-markdown", "markdown-source"), ("copyq-fragment", "copyq-fragment"),
  ]

  @Test("It is the plain text that a person makes of it", arguments: expectations)
  func plainText(html: String, expected: String) throws {
    var wanted = try Fixture.text("expected/\(expected).txt")
    if wanted.hasSuffix("\n") { wanted.removeLast() }
    #expect(text(of: try Fixture.text(html + ".html")) == wanted)
  }

  @Test("It says what the Markdown says that a person makes of it", arguments: expectations)
  func markdown(html: String, expected: String) throws {
    let text = HTMLTextReader().read(try Fixture.bytes(html + ".html"))
    let wanted = try MarkdownReader().read(try Fixture.bytes("expected/\(expected).md"))
    #expect(comparable(text) == comparable(wanted))
  }

  /// The outline without what Markdown cannot say, or says of every table: alignment of paragraphs, a
  /// head.
  ///
  /// Of a tab at the beginning of a line of code md4c makes four blanks.
  private func comparable(_ text: AttributedText) -> [String] {
    let lines = outline(text).split(separator: "\t").joined(separator: "    ")
    return lines.split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: false).filter { $0 != "center" }
        .map { $0.hasPrefix("head") && !$0.hasPrefix("heading") ? "row" + $0.dropFirst(4) : $0 }
        .joined(separator: " ")
    }
  }
}

/// HTML in the manner of programs that were not captured, beside what it is in Markdown.
@Suite("HTML in the manner of programs")
struct HTMLMannerTests {
  static let names = [
    "apple-notes", "chrome-applespace", "chrome-inline", "chromium-computed-list",
    "confluence-code", "excel", "gdocs-table", "github-issue", "gmail", "gnome-terminal",
    "jetbrains", "konsole", "layout-mail", "link-block", "nested-siblings", "onenote",
    "outlook-web", "qt-rich", "rtl-ruby-misc", "sheets", "slack", "stackoverflow", "vscode-nbsp",
    "wikipedia", "word-full", "ws-inline", "apple-mail", "chatgpt", "discord", "evernote",
    "firefox-code", "htmlize", "inline-code-nbsp", "jupyter", "lo-calc24", "lo-writer24", "mdn",
    "misnested", "notion", "pygments", "quill", "teams", "thunderbird", "tiptap", "trix",
    "vim-tohtml", "word-online", "cfhtml-utf8", "code-table", "entities-charset", "github-blob",
    "gitlab", "code-in-bars", "words-in-classes", "nested-quote-list", "numbers", "rowspan",
    "whatsapp", "word-list-styles",
  ]

  @Test("As Markdown each is what a person would have typed", arguments: names)
  func markdown(name: String) throws {
    let text = HTMLTextReader().read(try Fixture.bytes("dialects/\(name).html"))
    var expected = try Fixture.text("dialects/\(name).md")
    if text.isFragment, expected.hasSuffix("\n") { expected.removeLast() }
    let markdown = MarkdownWriter(isExact: false).write(text)
    #expect(String(decoding: markdown, as: UTF8.self) == expected)
  }
}

/// Markdown through HTML: what the writer writes is read as what it was.
@Suite("Markdown through HTML")
struct MarkdownThroughHTMLTests {
  private static let examplesOfCommonMark: [JSON] = {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    let path = root.joined(separator: "/") + "/shared/reference/commonmark-0.31.2.json"
    guard let bytes = try? Files.read(path) else { return [] }
    return JSON(String(decoding: bytes, as: UTF8.self))?.array ?? []
  }()

  /// What HTML cannot say, or says otherwise, with the reason, by number.
  static let leftOut: [Int: String] = [
    13: "a tab between words is a blank in HTML",
    39: "of several line ends HTML makes one blank",
    40: "a tab at the beginning of a line is nothing in HTML",
    79: "a heading without text is not read",
    143: "a class has only the language",
    146: "a class has only the language",
    218: "a quote without text is not read",
    239: "a quote without text is not read",
    240: "a quote without text is not read",
    304: "of several blanks HTML makes one",
    652: "of several blanks HTML makes one",
  ]

  /// With addresses percent-encoded, as CommonMark has them in HTML: so they lead to the same place.
  private static func canonical(_ text: AttributedText) -> AttributedText {
    var text = text
    text.updateAttributes(in: 0..<text.length) { attributes in
      for case (let index, .link(var link)) in attributes.spans.enumerated() {
        link.destination = percentEncoded(link.destination)
        attributes.spans[index] = .link(link)
      }
    }
    return text
  }

  @Test(
    "Each example of CommonMark without raw HTML comes back as it was",
    .enabled(if: !examplesOfCommonMark.isEmpty, "CommonMark's examples are not there"))
  func examples() throws {
    var faults: [String] = []
    var count = 0
    for example in Self.examplesOfCommonMark {
      let markdown = example["markdown"]?.string ?? ""
      let number = example["example"]?.int ?? 0
      let text = try MarkdownReader().read(Array(markdown.utf8))
      let hasMarkup =
        text.runs.contains { $0.attributes.isMarkup }
        || text.paragraphs.contains { $0.paragraph.kind == .markup }
      if hasMarkup { continue }
      count += 1
      var again = HTMLTextReader().read(HTMLWriter().write(text))
      again.isFragment = text.isFragment
      let isSame = Self.canonical(again) == Self.canonical(text)
      if Self.leftOut[number] != nil {
        if isSame { faults.append("\(number) comes back after all") }
      } else if !isSame {
        faults.append("\(number): \(markdown)\n\(outline(text))\n\n\(outline(again))\n")
      }
    }
    print("Markdown through HTML: \(count - faults.count - Self.leftOut.count) of \(count)")
    #expect(count - Self.leftOut.count > 560)
    #expect(faults == [], "\(faults.count)")
  }
}
