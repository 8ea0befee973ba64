@testable import HTMLReader

/// All text of a document's body.
func text(of html: String) -> String {
  let document = HTMLDocument(parsing: Array(html.utf8))
  let bytes = document.nodes.indices.filter { document.nodes[$0].kind == .text }
    .flatMap { document.text[document.text(of: Int32($0))] }
  return String(decoding: bytes, as: UTF8.self)
}

extension HTMLDocument {
  /// The tree as html5lib's tests write it: a line for each node, two blanks for each level.
  func dump() -> [UInt8] {
    var output: [UInt8] = []
    // Nodes to come, with their depth, the next one last.
    var stack: [(node: Int32, depth: Int)] = []
    // In a fragment the html element stands for the context.
    push(HTMLDocument.root, depth: -1, to: &stack)
    while let (node, depth) = stack.popLast() {
      write(node, depth: depth, to: &output)
      push(node, depth: depth, to: &stack)
    }
    return output
  }

  /// The tree below the element that stands for the context of a fragment.
  func dumpFragment() -> [UInt8] {
    var output: [UInt8] = []
    var stack: [(node: Int32, depth: Int)] = []
    push(nodes[0].firstChild, depth: -1, to: &stack)
    while let (node, depth) = stack.popLast() {
      write(node, depth: depth, to: &output)
      push(node, depth: depth, to: &stack)
    }
    return output
  }

  private func push(_ node: Int32, depth: Int, to stack: inout [(node: Int32, depth: Int)]) {
    guard node >= 0 else { return }
    let isTemplate = nodes[Int(node)].isElement(.template)
    var child = nodes[Int(node)].lastChild
    while child >= 0 {
      stack.append((child, depth + (isTemplate ? 2 : 1)))
      child = nodes[Int(child)].previousSibling
    }
  }

  private func write(_ number: Int32, depth: Int, to output: inout [UInt8]) {
    let node = nodes[Int(number)]
    switch node.kind {
    case .document:
      break
    case .doctype:
      line("<!DOCTYPE ", depth, &output)
      output += doctype?.name ?? []
      if doctype?.publicIdentifier != nil || doctype?.systemIdentifier != nil {
        output += Array(" \"".utf8) + (doctype?.publicIdentifier ?? [])
        output += Array("\" \"".utf8) + (doctype?.systemIdentifier ?? []) + Array("\"".utf8)
      }
      output += Array(">\n".utf8)
    case .text:
      // Adjacent nodes are one.
      if node.previousSibling >= 0, nodes[Int(node.previousSibling)].kind == .text {
        output.removeLast(2)
      } else {
        line("\"", depth, &output)
      }
      output += text[text(of: number)] + Array("\"\n".utf8)
    case .comment:
      line("<!-- ", depth, &output)
      output += text[text(of: number)] + Array(" -->\n".utf8)
    case .element:
      line("<", depth, &output)
      output += prefix(node.namespace) + name(of: number) + Array(">\n".utf8)
      for (name, value) in attributeTexts(of: number) {
        line("", depth + 1, &output)
        output += name + Array("=\"".utf8) + value + Array("\"\n".utf8)
      }
      if node.isElement(.template) { line("content\n", depth + 1, &output) }
    }
  }

  private func line(_ text: String, _ depth: Int, _ output: inout [UInt8]) {
    output += Array("| ".utf8) + Array(repeating: UInt8(ascii: " "), count: depth * 2)
    output += Array(text.utf8)
  }

  private func prefix(_ namespace: HTMLNode.Namespace) -> [UInt8] {
    switch namespace {
    case .html: []
    case .svg: Array("svg ".utf8)
    case .math: Array("math ".utf8)
    }
  }

  private func attributeTexts(of number: Int32) -> [(name: [UInt8], value: [UInt8])] {
    let node = nodes[Int(number)]
    return attributes[Int(node.start)..<Int(node.end)].map { attribute in
      let spelling = Array(attributeNames.spelling(of: attribute.name))
      let prefix: String =
        switch attribute.namespace {
        case .none: ""
        case .xlink: "xlink "
        case .xml: "xml "
        case .xmlns: spelling == Array("xmlns".utf8) ? "" : "xmlns "
        }
      return (Array(prefix.utf8) + spelling, Array(text[attribute.value]))
    }
    .sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }
}
