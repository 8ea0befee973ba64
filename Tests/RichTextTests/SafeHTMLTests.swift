import RichText
import Testing

/// Raw HTML of Markdown, made safe: what comes out is compared to the letter.
@Suite("Safe HTML")
struct SafeHTMLTests {
  private static func block(_ markup: String) -> String {
    var builder = AttributedTextBuilder()
    builder.beginParagraph(.markup)
    builder.append(markup)
    let html = HTMLWriter(isSafe: true).write(builder.finish())
    return String(decoding: html.last == 0x0A ? html.dropLast() : html[...], as: UTF8.self)
  }

  /// A paragraph: every other piece is raw HTML, text first.
  private static func paragraph(_ pieces: [String]) -> String {
    var builder = AttributedTextBuilder()
    builder.beginParagraph()
    for (index, piece) in pieces.enumerated() {
      builder.attributes = TextAttributes(spans: index % 2 == 1 ? [.markup] : [])
      builder.append(piece)
    }
    return String(decoding: HTMLWriter(isSafe: true).write(builder.finish()), as: UTF8.self)
  }

  @Test(
    "What is harmless stays, written anew",
    arguments: [
      ("<b>a</b> &amp; b", "<b>a</b> &amp; b"), ("<P CLASS=x>a</P >", "<p class=\"x\">a</p>"),
      ("<br/><hr />", "<br /><hr />"), ("<td colspan='2'>a", "<td colspan=\"2\">a"),
      (
        "<a href=https://x/?a=1&b=2&amp;c title='\"'>",
        "<a href=\"https://x/?a=1&amp;b=2&amp;c\" title=\"&quot;\">"
      ),
      (
        "<img src=data:image/png;base64,AA== alt>",
        "<img src=\"data:image/png;base64,AA==\" alt=\"\">"
      ),
      ("<a href=mailto:a@b>x</a>", "<a href=\"mailto:a@b\">x</a>"),
      ("<a href='#x'></a><a href=//x/y:z></a>", "<a href=\"#x\"></a><a href=\"//x/y:z\"></a>"),
      (
        "<details open><summary>a</summary></details>",
        "<details open=\"\"><summary>a</summary></details>"
      ),
      ("<img srcset='a.png 1x, b.png 2x'>", "<img srcset=\"a.png 1x, b.png 2x\">"),
      ("a < b > c <3 <", "a &lt; b &gt; c &lt;3 &lt;"), ("<x-y>a</x-y>", "a"),
      ("<form action=x><button>a</button></form>", "a"), ("a<!-- b -->c<!-->d<!--->e", "acde"),
      ("<?php a ?>b<!DOCTYPE html>c</>d</3>e", "bcde"), ("<span\u{C}id=a\r\n>", "<span id=\"a\">"),
    ])
  func harmless(markup: String, expected: String) {
    #expect(Self.block(markup) == expected)
  }

  @Test(
    "Scripts, styles and frames go with what is in them",
    arguments: [
      "<script>alert(1)</script>", "<SCRIPT SRC=//x>a</ScRiPt >", "<script/x>a</script/y>",
      "<script>a</scriptx></script>", "<style>a{}</style>", "<iframe src=x>a</iframe>",
      "<frameset><frame src=x></frameset>", "<svg onload=x><script>a</script></svg>",
      "<svg/onload=x>a</svg>", "<math><mtext>a</mtext></math>", "<noscript><p title='</noscript>",
      "<xmp><b></xmp>", "<title>a</title>", "<textarea><b></textarea>", "<template><b></template>",
      "<embed src=x>", "<base href=javascript:a>", "<link rel=stylesheet href=x>",
      "<meta http-equiv=refresh content='0;url=javascript:a'>", "<object data=x></object>",
      "<script>never ends <b>a</b>", "<plaintext><b>a", "<!-- never ends <b>",
      "<b title='never ends>",
      "<b onclick=a", "<script\n>a</script\n>", "<noembed><b></noembed>", "<applet>a</applet>",
    ])
  func dropped(markup: String) {
    #expect(Self.block("x" + markup) == "x")
  }

  @Test(
    "Handlers and styles are no attributes, however they are written",
    arguments: [
      "<b onclick=a>", "<b ONCLICK='a'>", "<b/onclick=a>", "<b\u{9}onclick\n=\na>",
      "<b x='y'onclick=a>", "<b style=\"background:url(javascript:a)\">", "<b formaction=x>",
      "<b srcdoc='<script>'>", "<b \"onclick=a\">", "<b =onclick=a>", "<b xmlns:x=y x:href=z>",
      "<b data-bind=a>", "<b '<script>", "<b onclick='&#34;>'>", "<b `onclick=a`>",
    ])
  func attributes(markup: String) {
    #expect(Self.block(markup) == "<b>")
  }

  @Test(
    "URLs that act are left out, however they are written",
    arguments: [
      "javascript:a", "JaVaScRiPt:a", " javascript:a", "java\tscript:a", "java&#9;script:a",
      "java&Tab;script:a", "java&NewLine;script:a", "javascript&colon;a", "javascript&#58a",
      "&#106;avascript:a", "&#x6A;avascript:a", "&#0000106avascript:a", "\u{1}javascript:a",
      "java\rscript\n:a", "vbscript:a", "VBScript:a", "file:///etc/passwd", "FILE:x",
      "data:text/html,<b>", "data:,a", "data: text/html,a", "DATA:TEXT/HTML,a", "data:imagex/png,a",
      "data:image/svg+xml,a", "data:image/svg+xml;base64,a", "data:application/xhtml+xml,a",
      "livescript:a", "view-source:javascript:a", "feed:javascript:a", "jav\u{0}ascript:a",
      "data&colon;text/html,a", "data:text/html;image/png,a",
    ])
  func urls(url: String) {
    // A NUL becomes U+FFFD in a browser, and no scheme; here it does not count, to be sure.
    #expect(Self.block("<a href=\"\(url)\">") == "<a>")
  }

  @Test("The URLs of links and pictures that Markdown writes itself are looked at as well")
  func generatedURLs() {
    var builder = AttributedTextBuilder()
    builder.beginParagraph()
    builder.attributes = TextAttributes(spans: [.link(TextLink(destination: "javascript:a"))])
    builder.append("a")
    builder.attributes = TextAttributes(spans: [.link(TextLink(destination: "x:a"))])
    builder.append("b")
    builder.append(TextImage(source: "data:text/html,x", alternative: "c<"))
    builder.attributes = .plain
    builder.append(TextImage(source: "data:image/svg+xml,x", alternative: "d"))
    let html = String(decoding: HTMLWriter(isSafe: true).write(builder.finish()), as: UTF8.self)
    #expect(
      html == "<p>a<a href=\"x:a\">bc&lt;</a><img src=\"data:image/svg+xml,x\" alt=\"d\" /></p>\n")
  }

  @Test("What stands between tags within a line goes with them, across text and emphasis")
  func acrossRuns() {
    #expect(Self.paragraph(["a", "<script>", "b", "<i>", "c", "</script>", "d"]) == "<p>ad</p>\n")
    #expect(Self.paragraph(["a", "<script>", "b"]) == "<p>ab</p>\n")
    #expect(Self.paragraph(["a", "<script>", "b", "<style>", "c", "</style>"]) == "<p>ab</p>\n")
    #expect(Self.paragraph(["a", "<b><script>", "b", "</script></b>"]) == "<p>a<b></b></p>\n")
    #expect(Self.paragraph(["a", "<b", "b", "onclick=x>", "c"]) == "<p>abonclick=x&gt;c</p>\n")
    #expect(
      Self.paragraph(["&", "<b title='", "&lt;script>"]) == "<p>&amp;&amp;lt;script&gt;</p>\n")
  }

  @Test("A tag in pieces is read as one")
  func tagInPieces() {
    var builder = AttributedTextBuilder()
    builder.beginParagraph()
    for (index, piece) in ["<scr", "ipt>a</scr", "ipt>b"].enumerated() {
      builder.attributes = TextAttributes(spans: [.markup])
      builder.attributes.style.isUnderlined = index == 1
      builder.append(piece)
    }
    let html = String(decoding: HTMLWriter(isSafe: true).write(builder.finish()), as: UTF8.self)
    #expect(html == "<p>b</p>\n")
  }

  @Test("Thousands of elements that never end take their time once")
  func linear() {
    let count = 20_000
    var builder = AttributedTextBuilder()
    builder.beginParagraph()
    for _ in 0..<count {
      builder.attributes = TextAttributes(spans: [.markup])
      builder.append("<script>")
      builder.attributes = .plain
      builder.append("a")
    }
    let html = HTMLWriter(isSafe: true).write(builder.finish())
    #expect(html.count == count + "<p></p>\n".utf8.count)
    #expect(Self.block(String(repeating: "<b '", count: count)) == "")
    #expect(Self.block(String(repeating: "<!-- -", count: count)) == "")
  }
}
