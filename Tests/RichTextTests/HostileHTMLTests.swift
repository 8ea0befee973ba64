import RichText
import TestSupport
import Testing

@Suite("Hostile HTML")
struct HostileHTMLTests {
  @Test("Millions of opening brackets are text")
  func brackets() {
    let html = [UInt8](repeating: UInt8(ascii: "<"), count: 2 << 20)
    #expect(HTMLPlainText.text(of: html) == html)
  }

  @Test("100,000 open elements do not hide the text within and behind")
  func manyOpenElements() {
    #expect(text(of: String(repeating: "<div>", count: 100_000) + "a<p>b</p>") == "a\n\nb")
  }

  @Test(
    "Elements beyond the limit do not hide the text within and behind",
    arguments: [
      "<div>", "<b>", "<p>", "<ul><li>", "<table><tr><td>", "<span style='white-space:pre'>",
      "<x-a>", "<blockquote>", "<dl><dd>", "<svg>", "<button>", "<object>", "<tr>", "<td>",
      "<table>", "<select>", "<pre>", "<h1>", "<caption>", "<tbody>", "<li>", "<form>",
    ])
  func openElementsBeyondTheLimit(start: String) {
    let words = text(of: String(repeating: start, count: 2_000) + "a<p>b</p>").split {
      "\n\t ->".contains($0)
    }
    #expect(words == ["a", "b"])
  }

  @Test("Elements beyond the limit end in their order, and the ones before are as they were")
  func elementsBeyondTheLimit() {
    let html =
      "<ul><li>" + String(repeating: "<div>", count: 600) + "a"
      + String(repeating: "</div>", count: 600) + "<li>b</ul><p>c</p>"
    #expect(text(of: html) == "- a\n- b\n\nc")
  }

  @Test(
    "Whatever does not end goes to the end",
    arguments: [
      "<!--", "<!-- -", "<a href=\"", "<a href='", "<a ", "<a a", "<a ====", "<script>",
      "<script><!--<script>", "<style>", "<title></titl", "<!doctype ", "<?", "</a ",
      "<svg><![CDATA[]]",
      "<textarea>", "<template>", "<p hidden>",
    ])
  func unterminated(start: String) {
    let html = "a" + start + String(repeating: "-x]<!& ", count: 20_000)
    let result = text(of: html)
    #expect(result.hasPrefix("a"))
    #expect(result.utf8.count <= html.utf8.count * 3)
  }

  @Test(
    "The text is at most ten times as long as the HTML",
    arguments: [
      (String(repeating: "<ul><li>", count: 20) + "<pre>", "\nx"),
      (String(repeating: "<ul><li>", count: 20), "<br>x"),
      ("<ol start=999999999>", "<li>x"),
      (String(repeating: "<ol start=999999999>", count: 9), "<li>x"),
      ("", "<hr>"), ("", "&nGt;"), ("<textarea>", "\0x"), ("", "<p>x"), ("<table><tr>", "<td>x"),
      ("", "<td>"), ("", "<tr><td>"), ("", "<br>"),
    ])
  func growthIsBounded(start: String, repeated: String) {
    let html = start + String(repeating: repeated, count: 5_000) + "x"
    #expect(text(of: html).utf8.count <= 10 * html.utf8.count)
  }

  /// As text of each kind all this is longer by the square if nothing is done about it.
  @Test(
    "An address, a language, a class, once written, costs no more than once for each block",
    arguments: [
      ("<a href=\"N\" title=\"N\">", "<div>x</div>"), ("<p><a href=\"N\">", "<p>x"),
      ("<p><b class=\"N\" style=\"N\">", "<p>x"), ("<div class=\"language-N\">", "<pre>x</pre>"),
      ("<div data-lang=\"N\">", "<pre>x</pre>"), ("<ul data-indent=\"N 1\">", "<li>x</li>"),
      ("<table><tr><td><a href=\"N\">", "<td>x"),
    ])
  func whatIsAroundManyBlocks(start: String, repeated: String) {
    let long = String(repeating: start.contains("data-indent") ? " " : "n", count: 50_000)
    let html = start.replacing("N", with: long) + String(repeating: repeated, count: 4_000)
    let text = HTMLTextReader().read(Array(html.utf8))
    let written = [
      MarkdownWriter(isExact: false).write(text), RTFWriter().write(text),
      HTMLWriter(isSafe: true, isDocument: false).write(text),
    ]
    for written in written { #expect(written.count <= 30 * html.utf8.count + 4 << 20) }
    #expect(text.string.utf8.count { $0 == UInt8(ascii: "x") } == 4_000)
  }

  /// What is said of text is looked up at each run: for an address around all lines by the square.
  @Test("A look-up does not take time by the length of an address", .timeLimit(.minutes(1)))
  func longAddressesAreHashedOnce() {
    let long = String(repeating: "n", count: 10_000_000)
    var image = TextAttributes()
    image.image = TextImage(source: long, alternative: long, title: long)
    let link = TextAttributes(spans: [.link(TextLink(destination: long, title: long))])
    var table: [TextAttributes: Int] = [link: 1, image: 2]
    // Hours, if each hashed what it says.
    for _ in 0..<100_000 {
      table[link, default: 0] += 1
      table[image, default: 0] += 1
    }
    #expect(table == [link: 100_001, image: 100_002])
  }

  @Test("Every beginning of every capture has a text", arguments: Fixture.all)
  func truncatedCaptures(name: String) throws {
    let html = try Fixture.bytes(name)
    for end in stride(from: 0, through: html.count, by: 23) {
      #expect(HTMLPlainText.text(of: Array(html[..<end])).count <= 2 * html.count)
    }
  }

  private static let pieces: [String] = [
    "<p>", "</p>", "<div>", "</div>", "<ul>", "</ul>", "<ol start=3>", "</ol>", "<li>", "</li>",
    "<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "<tbody>", "<caption>",
    "</caption>", "<pre>", "</pre>", "<span style='white-space:pre'>", "</span>", "<span>",
    "<x-a hidden>", "</x-a>", "<x-a>", "<template>", "</template>", "<svg>", "</svg>",
    "<![CDATA[", "]]>", "<!--", "-->", "<!--StartFragment-->", "<!--EndFragment-->", "<script>",
    "</script>", "<textarea>", "</textarea>", "<title>", "</title>", "<br>", "<hr>", "<h1>",
    "</h3>",
    "<img alt='a b'>", "<button>", "</button>", "<dd>", "<dl>", "</dl>", "<option>", "</option>",
    "<p style='margin:0'>", "<body style='white-space:pre'>", "<div hidden>", "&amp", "&#1",
    "&notin",
    "&", "<", ">", "\"", "'", "/", "a", "b ", " ", "\n", "\r", "\t", "\0", "é", "<video>",
    "</video>",
    "<meta name=qrichtext>", "<object>", "</object>", "<select>", "</select>", "</table></ul>",
  ]

  @Test(
    "Random tags and text have a text that neither begins nor ends with a line end",
    arguments: 1...16)
  func randomTags(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<150 {
      var html = ""
      for _ in 0..<Int.random(in: 1...120, using: &generator) {
        html += Self.pieces.randomElement(using: &generator) ?? ""
      }
      let result = HTMLPlainText.text(of: Array(html.utf8))
      #expect(result.count <= 10 * html.utf8.count, "\(html)")
      #expect(result.first != UInt8(ascii: "\n") && result.last != UInt8(ascii: "\n"), "\(html)")
    }
  }

  @Test("Random bytes have a text", arguments: 1...4)
  func randomBytes(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) << 32)
    let alphabet = Array("<>/!-&#;=\"' apliuotdrb[]xs0\n\0".utf8)
    for _ in 0..<400 {
      let count = Int.random(in: 0...200, using: &generator)
      let html = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0xFF }
      #expect(HTMLPlainText.text(of: html).count <= 10 * html.count)
    }
  }
}
