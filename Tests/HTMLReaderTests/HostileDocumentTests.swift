import Testing

@testable import HTMLReader

@Suite("Documents that nobody means well with")
struct HostileDocumentTests {
  private func document(
    _ html: String, _ change: (inout HTMLLimits) -> Void = { _ in }
  ) -> HTMLDocument {
    var limits = HTMLLimits()
    change(&limits)
    return HTMLDocument(reading: Array(html.utf8), limits: limits)
  }

  private func depth(of document: HTMLDocument) -> Int {
    var depths = [Int](repeating: 0, count: document.nodes.count)
    var stack: [Int32] = [HTMLDocument.root]
    var deepest = 0
    while let node = stack.popLast() {
      var child = document.nodes[Int(node)].firstChild
      while child >= 0 {
        depths[Int(child)] = depths[Int(node)] + 1
        deepest = max(deepest, depths[Int(child)])
        stack.append(child)
        child = document.nodes[Int(child)].nextSibling
      }
    }
    return deepest
  }

  @Test(
    "Elements that are too deep are siblings, and their text is there",
    arguments: ["div", "b", "table", "ul><li", "blockquote", "span", "svg", "template", "object"])
  func depth(tag: String) {
    let html = String(repeating: "<\(tag)>", count: 3000) + "text"
    let document = document(html)
    #expect(depth(of: document) <= 2 * 512 + 3)
    #expect(document.nodes.count > 2500)
    #expect(document.text.suffix(4).elementsEqual("text".utf8))
  }

  @Test("Formatting elements are opened again a bounded number of times")
  func formatting() {
    let same = document(
      String(repeating: "<b>", count: 20_000) + String(repeating: "<p>x", count: 200))
    #expect(same.nodes.count < 30_000)
    let different = document(
      (0..<500).map { "<b id=\($0)>" }.joined() + "</p>" + String(repeating: "<p>x", count: 200))
    #expect(different.nodes.count < 70 * 210 + 1000)
  }

  @Test("What goes beyond the nodes is text")
  func nodes() {
    let document = document(String(repeating: "<p>a<b>b</b>", count: 100)) { $0.nodes = 50 }
    #expect(document.nodes.count <= 60)
    let text = document.nodes.indices.filter { document.nodes[$0].kind == .text }
      .reduce(0) { $0 + document.text(of: Int32($1)).count }
    #expect(text == 200)
  }

  @Test(
    "Repeated beginnings of everything end",
    arguments: [
      "<", "</", "<!", "<!--", "<!-", "<a ", "<a b=", "<a b=\"", "<a b='<a b=\"", "<![CDATA[", "&",
      "&#", "&#x", "&Counter", "<script>", "<script><!--<script", "<title>", "<textarea></textare",
      "<svg><![CDATA[", "<!doctype ", "<!doctype html public \"", "<plaintext>", "<?", "-->", "\0",
      "<table>x", "<table><a>x", "<select><table>", "<template><td>", "<frameset>", "<math><mi>",
      "<svg><foreignObject><p>", "<b><i><a><div></b></i>", "<a><p>", "<nobr>", "<button>", "</p>",
      "</br>", "<body a=b>", "<html c=d>", "<form>", "<li><dd>", "<ruby><rt>", "<h1><h2>", "<hr>",
      "<option>", "<input>", "<table><caption><td>", "<table><colgroup>x", "<noscript>", "<head>",
    ])
  func repeated(part: String) {
    for count in [1, 2, 3, 2000] {
      let html = String(repeating: part, count: count)
      let document = document(html)
      #expect(document.nodes.count < 40 * count + 10)
      #expect(depth(of: document) <= 2 * 512 + 3)
    }
  }

  @Test("Every beginning of a document is a document, with sound links")
  func beginnings() {
    let html = Array(
      """
      <!doctype html><html lang=en><head><title>T</title><style>a{}</style></head><body class=x>
      <p>a<b>b<i>c</b>d</i>&amp;&notit;<table><tr><td>x<table>y</table></table><svg><path d="1"/>
      <foreignObject><div>z</foreignObject></svg><select><option>1</select><!--StartFragment-->
      <ul><li>1<li>2</ul><script><!-- </script><math><mi>x<annotation-xml encoding=text/html><p>q
      </math><template><td>t</template><textarea>
      r</textarea><!--EndFragment--></body></html>
      """.utf8)
    for end in html.indices {
      let document = HTMLDocument(reading: Array(html[..<end]))
      check(document)
    }
  }

  /// Each node is in the tree once, and links agree in both directions.
  private func check(_ document: HTMLDocument) {
    for (number, node) in document.nodes.enumerated() {
      if node.nextSibling >= 0 {
        #expect(document.nodes[Int(node.nextSibling)].previousSibling == Int32(number))
        #expect(document.nodes[Int(node.nextSibling)].parent == node.parent)
      }
      if node.firstChild >= 0 {
        #expect(document.nodes[Int(node.firstChild)].parent == Int32(number))
        #expect(document.nodes[Int(node.firstChild)].previousSibling == -1)
      }
      if node.lastChild >= 0 { #expect(document.nodes[Int(node.lastChild)].nextSibling == -1) }
      #expect((node.firstChild < 0) == (node.lastChild < 0))
    }
  }

  @Test("Names beyond the table's room are there without their spelling")
  func names() {
    let html = (0..<5000).map { "<x\($0) y\($0)=1>" }.joined() + "end"
    let document = document(html)
    #expect(document.nodes.count { $0.kind == .element } > 4000)
    #expect(document.text.suffix(3).elementsEqual("end".utf8))
  }
}

@Suite("Names of HTML")
struct HTMLNameTests {
  @Test("Each known element and attribute has the number of its case")
  func known() {
    let odd: [HTMLTag: String] = [
      .annotationXML: "annotation-xml", .foreignObject: "foreignobject", .officeParagraph: "o:p",
      .emoji: "g-emoji",
    ]
    for tag in HTMLTag.allCases where tag != .unknown {
      let spelling = HTMLNameTable.tags.spelling(of: UInt16(tag.rawValue))
      #expect(String(decoding: spelling, as: UTF8.self) == odd[tag] ?? "\(tag)")
    }
    #expect(HTMLNameTable.tags.count == HTMLTag.allCases.count - 1)
    for name in HTMLAttributeName.allCases {
      let spelling = HTMLNameTable.attributes.spelling(of: UInt16(name.rawValue))
      let parts = String(decoding: spelling, as: UTF8.self).split(separator: "-")
      let joined = parts.dropFirst().reduce(String(parts[0])) {
        $0 + $1.prefix(1).uppercased() + $1.dropFirst()
      }
      #expect(joined == "\(name)")
    }
    #expect(HTMLNameTable.attributes.count == HTMLAttributeName.allCases.count)
  }

  @Test("A name has one number, in whatever letters")
  func numbers() {
    let document = HTMLDocument(parsing: Array("<foo-Bar></FOO-bar><fOo-bAr A=1 a=2>".utf8))
    let found = document.nodes.filter { $0.tag == .unknown && $0.kind == .element }
    #expect(found.count == 2 && found[0].name == found[1].name)
    #expect(document.name(of: Int32(document.nodes.count - 1)).elementsEqual("foo-bar".utf8))
  }
}
