import Testing

@Suite("HTML as lines of text")
struct HTMLLayoutTests {
  @Test(
    "White space collapses as in a browser",
    arguments: [
      ("  a \n\t b  ", "a b"), ("a <b> b </b> c", "a b c"), ("a<b>b</b>c", "abc"),
      ("<p> a </p>", "a"), ("a <br> b", "a\nb"), ("a&nbsp; &nbsp;b", "a\u{A0} \u{A0}b"),
      ("a\r\nb", "a b"), ("a&#32;&#32;&#10;b", "a b"), ("a&#13;b", "a b"), ("a\u{C}b", "a b"),
      (" <p> \n </p> ", ""), ("a\u{3000} b", "a\u{3000} b"),
    ])
  func whiteSpaceCollapses(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "Preformatted text keeps its white space",
    arguments: [
      ("<pre>a  b\n\tc</pre>", "a  b\n\tc"), ("<pre>\na</pre>b", "a\n\nb"),
      ("<pre>\r\na\r\n b\rc</pre>", "a\n b\nc"), ("x<pre>\n\na</pre>", "x\n\n\na"),
      ("<pre>  a</pre>", "  a"), ("<pre>a\n</pre>b", "a\n\nb"), ("<pre>a<br>b</pre>", "a\nb"),
      ("<pre><b>a  </b> b</pre>", "a   b"), ("<listing>\na  b</listing>", "a  b"),
      ("<textarea>\na  &lt;b>\n c</textarea>", "a  <b>\n c"),
      ("<xmp>a  <b>&lt;</xmp>b", "a  <b>&lt;\n\nb"),
      ("a<plaintext>b  </plaintext>", "a\n\nb  </plaintext>"),
      ("<div style='white-space: pre'>a  b\nc</div> d  e", "a  b\nc\nd e"),
      ("<span style=white-space:pre-wrap>a  <span>b  </span>c  </span>d  e", "a  b  c  d e"),
      ("<p style='white-space:pre-line'>a  b\n c</p>", "a b\nc"),
      ("<pre style='white-space:normal'>a  b\nc</pre>", "a b c"),
      ("<p style='white-space-collapse: preserve'>a  b", "a  b"),
      ("<pre><table>\n<tr>\n<td>a  b</td>\n<td>c</td>\n</table></pre>", "a  b\tc"),
    ])
  func preformattedTextKeepsWhiteSpace(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "Blocks stand on lines of their own, paragraphs between blank lines",
    arguments: [
      ("<p>a</p><p>b</p>", "a\n\nb"), ("<p>a<p>b", "a\n\nb"), ("a<p>b</p>c", "a\n\nb\n\nc"),
      ("<h1>a</h1>b<h6>c</h6>d", "a\n\nb\n\nc\n\nd"), ("<h1>a</h2>b", "a\n\nb"),
      ("<div>a</div><div>b</div>", "a\nb"), ("<div>a<div>b</div></div>c", "a\nb\nc"),
      ("<div><div></div></div>a<section>b</section>c", "a\nb\nc"),
      ("a<blockquote>b<p>c</p></blockquote>d", "a\n\n> b\n>\n> c\n\nd"),
      ("<dl><dt>a<dd>b<dt>c<dd>d</dl>e", "a\nb\nc\nd\n\ne"),
      ("a<hr>b", "a\n\n---\n\nb"), ("<p>a<hr><p>b", "a\n\n---\n\nb"),
      ("a</p>b", "a\n\nb"), ("a</div>b", "ab"), ("a</br>b", "a\nb"),
      ("<p>a<div>b</div>c", "a\n\nb\nc"), ("<fieldset><legend>a</legend>b</fieldset>c", "a\nb\nc"),
      ("<select><option>a<option>b</select>", "a\nb"), ("<o:p>a</o:p><x-y>b</x-y>", "ab"),
      ("<a href=x>a</a><code>b</code>", "ab"), ("a<wbr>b<input value=c>", "ab"),
      ("<button><p>a</button><p>b", "a\n\nb"), ("<body>a</body></html>b", "ab"),
    ])
  func blocksStandAlone(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "A line break ends a line, and makes an empty one where there is none to end",
    arguments: [
      ("a<br>b", "a\nb"), ("a<br><br>b", "a\n\nb"), ("a<br/>b", "a\nb"),
      ("<div>a<br></div><div>b</div>", "a\nb"), ("<p>a<br></p><p>b", "a\n\nb"),
      ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"), ("<br>a<br>", "a"),
      ("<p>a</p><p><br></p><p>b</p>", "a\n\nb"),
    ])
  func lineBreaksEndLines(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "A paragraph whose style has no margin is a line",
    arguments: [
      ("<p style='margin:0'>a</p><p style='margin:0'>b</p>", "a\nb"),
      ("<p style='margin:0cm;margin-bottom:.0001pt'>a</p><p style='margin:0cm'>b</p>", "a\nb"),
      (
        "<p style='margin-top:0px; margin-bottom:0px'>a<p style='MARGIN: 0 0 1em'>b<p>c",
        "a\nb\n\nc"
      ),
      ("<p style='margin:0 0 10px'>a<p style='margin:0'>b", "a\n\nb"),
      ("<p style='margin:0.06in'>a<p style='margin:0.5em'>b", "a\n\nb"),
      ("<p style='margin:auto'>a<p style='margin'>b", "a\n\nb"),
      ("<p style='margin:10px'>a<p style='margin:010px'>b", "a\n\nb"),
      ("<h1 style=margin-bottom:0>a</h1>b", "a\n\nb"),
    ])
  func paragraphsWithoutMarginsAreLines(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "Lists have markers and indents",
    arguments: [
      ("<ul><li>a</li><li>b</li></ul>", "- a\n- b"), ("<ul><li>a<li>b</ul>c", "- a\n- b\n\nc"),
      ("x<ol><li>a<li>b</ol>", "x\n\n1. a\n2. b"), ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
      ("<ol start=-1><li>a<li>b</ol>", "-1. a\n0. b"), ("<ol start=x><li>a</ol>", "1. a"),
      ("<ol><li value=5>a<li>b</ol>", "5. a\n6. b"),
      ("<ol start=99999999999999999999><li>a</ol>", "1. a"),
      ("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>", "- a\n  - b\n    1. c\n- d"),
      ("<ol><li>a<ul><li>b</ul><li>c</ol>", "1. a\n  - b\n2. c"),
      ("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"),
      ("<ul><ul><li>a</ul></ul>", "- a"), ("<ul><li>a<br>b</ul>", "- a\n  b"),
      ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
      ("<ul><li><br>a<li><li>b</ul>", "- a\n- b"), ("<ul><li><ul><li>a</ul></ul>", "  - a"),
      ("<ol><li><li>b</ol>c", "2. b\n\nc"), ("<ul><li>a<pre>b\nc</pre></ul>", "- a\n\n  b\n  c"),
      ("<li>a<li>b", "- a\n- b"), ("<menu><li>a</menu><dir><li>b</dir>", "- a\n\n- b"),
      ("<ul>\n <li>a</li>\n <li>b</li>\n</ul>", "- a\n- b"),
      ("<ul><li><div>a</div></li><li><a>b</a></ul>", "- a\n- b"),
      ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n- b"),
      ("<ol><li hidden>a<li>b</ol>", "1. b"),
    ])
  func listsHaveMarkers(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test("Indents stop at eight levels")
  func indentsStopSomewhere() {
    let html = String(repeating: "<ul><li>", count: 12) + "a<br>b"
    #expect(
      text(of: html)
        == String(repeating: " ", count: 16) + "- a\n" + String(repeating: " ", count: 16) + "b")
  }

  @Test(
    "Cells are separated by a tab and rows by a line end",
    arguments: [
      ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "a\tb\nc\td"),
      ("<table><tr><td>a<td>b<tr><td>c<td>d</table>e", "a\tb\nc\td\n\ne"),
      ("<table><caption>x</caption><thead><tr><th>a<th>b<tbody><tr><td>c</table>", "x\n\na\tb\nc"),
      ("<table><tr><td><p>a</p></td>\n<td><p>b</p></td></tr></table>", "a\tb"),
      ("<table><tr><td>a<p>b</p></td><td>c</td></tr></table>", "a\n\nb\tc"),
      ("<table><tr><td>a<br></td><td><br>b</td></tr></table>", "a\tb"),
      ("<table><tr><td></td><td>b</td><td></td></tr></table>", "\tb"),
      ("<table><tr><td>a<td><td>c</table>", "a\t\tc"),
      ("<table><tr><td>a<tr><td><td><tr><td>b</table>", "a\n\nb"),
      ("<table><tr><td>a<tr></tr><tr><td>b</table>", "a\nb"),
      ("<table><td>a<td>b</table>", "a\tb"), ("<tr><td>a</td><td>b</td></tr>", "a\tb"),
      ("x<table><tr><td>a</table><p>b", "x\n\na\n\nb"),
      ("<table><tr><td>a<td><table><tr><td>b<td>c<tr><td>d</table><td>e</table>", "a\tb\tc\nd\te"),
      ("<table><tr><td><table><tr><td></table><td>b</table>", "\tb"),
      ("<table><tr><td>a<table><tr><td>b</table></table>", "a\n\nb"),
      ("<table><tr><td><ul><li>a<li>b</ul><td>c</table>", "- a\n- b\tc"),
      ("<table><tr><td><div>a</td></div><td>b</table>", "a\tb"),
      ("<table><tr><td hidden>a<td>b</table>", "b"),
      ("<table><tr hidden><td>a<tr><td>b</table>", "b"),
      ("<table><colgroup><col></colgroup><tfoot><tr><td>a</tfoot></table>", "a"),
      ("<table><tr><table><tr><td>a</table>", "a"), ("<table>a<tr><td>b</table>", "a\n\nb"),
    ])
  func tablesHaveTabs(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "An image is its alternative text",
    arguments: [
      ("a <img src=x alt='b  &amp; c'> d", "a b & c d"), ("<img>", ""), ("<img alt>a", "a"),
      ("<image alt=a>", "a"), ("<img alt='?a=1&copy=2&copy;'>", "?a=1&copy=2©"),
      ("<img alt=a hidden>b", "b"), ("<pre><img alt='a\n b'></pre>", "a b"),
    ])
  func imagesAreAlternativeText(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "What a browser does not show is left out",
    arguments: [
      ("<head><title>a&lt;</title><meta name=x></head>b", "b"), ("<style>a</style>b", "b"),
      ("<script>a</script>b", "b"), ("<noscript>a</noscript>b", "b"),
      ("<template>a<template>b</template>c</template>d", "d"),
      ("<iframe>a</iframe><noembed>b</noembed><noframes>c</noframes>d", "d"),
      ("<video><p>a</p></video><canvas>b</canvas><audio>c</audio>d", "d"),
      ("<p hidden>a</p>b", "b"), ("<div hidden>a<div>b</div>c</div>d", "d"),
      ("<span HIDDEN>a<span>b</span>c</span>d", "d"), ("<x-a hidden>a</x-a>b", "b"),
      ("<span style='display:none'>a</span>b", "b"),
      ("<p style='DISPLAY : NONE !important'>a</p>b", "b"),
      ("<p style='display:none;display:block'>a", "a"), ("<p hidden style='display:block'>a", "a"),
      ("<p style='content:\"display:none\"'>a", "a"),
      ("<p style='x:&quot;;display:none;&quot;'>a", "a"),
      ("<p style='background:url(a;display:none)'>a", "a"), ("<p data-style='display:none'>a", "a"),
      ("a<div hidden>b</div>c", "ac"), ("<p hidden>a<p>b", "b"),
      ("<div><span hidden>a</div>b", "b"), ("<span hidden><div></span>a</div></span>b", "b"),
      ("<datalist><option>a</datalist>b", "b"), ("<textarea hidden>a</textarea>b", "b"),
      ("<body hidden>a", ""), ("<svg hidden/>a", "a"),
    ])
  func hiddenContentIsLeftOut(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "Of a document with fragment marks only the fragment is read",
    arguments: [
      ("a<!--StartFragment-->b<!--EndFragment-->c", "b"), ("a<!--StartFragment-->b", "ab"),
      ("a<!--EndFragment-->b", "ab"),
      ("a<p><!-- StartFragment -->b</p><p>c<!--EndFragment--></p>d", "b\n\nc"),
      ("a <!--StartFragment--> b<!--EndFragment-->", "b"),
      ("a<!--StartFragment--><!--EndFragment-->b", ""),
      ("<table><!--StartFragment--><tr><td>a<td>b</tr><!--EndFragment--></table>", "a\tb"),
      ("<ol><li>a<li><!--StartFragment-->b<li>c<!--EndFragment--></ol>", "2. b\n3. c"),
      ("<pre>a\n<!--StartFragment-->  b\n<!--EndFragment--></pre>", "  b"),
      ("a<script><!--StartFragment--></script>b<!--EndFragment-->", "ab"),
      ("a<!--EndFragment-->b<!--StartFragment-->c<!--EndFragment-->d", "c"),
      (
        "Version:0.9\r\nStartHTML:0000000105\r\nEndHTML:1\r\nSourceURL:x\r\n<html><body>\r\n"
          + "<!--StartFragment--><p>a</p><!--EndFragment-->\r\n</body></html>", "a"
      ),
      ("Version:1.0\r\nStartHTML:1\r\n<p>a</p>", "a"), ("Version: 2<br>a", "Version: 2\na"),
    ])
  func fragmentsAreRespected(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "Documents of Qt keep white space in paragraphs and items",
    arguments: [
      ("<meta name=\"qrichtext\" content=\"1\" /><p>  a  b</p>\n<p>c\td</p>", "  a  b\n\nc\td"),
      ("<meta name=qrichtext><ul>\n<li>a  b</li>\n<li> c</li>\n</ul>", "- a  b\n-  c"),
    ])
  func qtKeepsWhiteSpace(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test("Office's conditional comments are skipped and what is revealed is kept")
  func conditionalCommentsAreSkipped() {
    #expect(
      text(
        of: """
          <!--[if gte mso 9]><xml><w:View>Normal</w:View></xml><![endif]--><p class=MsoNormal>\
          <![if !supportLists]>1.<![endif]> a<o:p></o:p></p><p><o:p>&nbsp;</o:p></p>
          """) == "1. a")
  }
}
