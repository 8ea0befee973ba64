internal import HTMLReader
internal import RichText

/// Any bytes as HTML: the tree is sound, whatever they are.
enum HTMLSubject {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let bytes = unsafe Array(bytes)
    check(HTMLDocument(reading: bytes))
    let text = HTMLTextReader().read(bytes)
    precondition(text.paragraphs.allSatisfy { $0.range.upperBound <= text.length })
    for written in [
      PlainTextWriter().write(text), MarkdownWriter(isExact: false).write(text),
      HTMLWriter(isSafe: true, isDocument: false).write(text), RTFWriter().write(text),
    ] {
      precondition(String(validating: written, as: UTF8.self) != nil)
    }
    // Small bounds are reached by small inputs.
    var limits = HTMLLimits()
    limits.nodes = 64
    limits.openElements = 12
    limits.formattingElements = 4
    limits.attributesOfTag = 3
    check(HTMLDocument(reading: bytes, limits: limits))
    let contexts: [HTMLTag] = [.td, .select, .template, .colgroup, .textarea, .svg]
    let tag = contexts[bytes.count % contexts.count]
    check(
      HTMLDocument(
        parsing: bytes, context: HTMLContext(tag, tag == .svg ? .svg : .html), isScripting: false))
  }

  /// Links agree in both directions, ranges lie in the text, and every node is reached once at most.
  private static func check(_ document: HTMLDocument) {
    var count = 0
    var stack: [Int32] = [HTMLDocument.root]
    while let number = stack.popLast() {
      count += 1
      precondition(count <= document.nodes.count)
      let node = document.nodes[Int(number)]
      precondition(document.text(of: number).upperBound <= document.text.count)
      if let value = document.attribute(.href, of: number) {
        precondition(value.upperBound <= document.text.count)
      }
      _ = document.name(of: number)
      var previous: Int32 = -1
      var child = node.firstChild
      while child >= 0 {
        precondition(document.nodes[Int(child)].parent == number)
        precondition(document.nodes[Int(child)].previousSibling == previous)
        stack.append(child)
        previous = child
        child = document.nodes[Int(child)].nextSibling
      }
      precondition(node.lastChild == previous)
    }
  }
}
