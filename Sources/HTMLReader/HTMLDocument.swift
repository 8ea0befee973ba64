// A document as its tree, in four arrays.
//
//     <p class=a>x &amp; <b>y</b></p>
//
//     nodes       0 document   1 html   2 head   3 body   4 p   5 text   6 b   7 text
//     attributes  class = 0..<1
//     text        a x & y
//
// Nodes are numbered as they were made and linked by their numbers; nothing is ever taken away, so a
// number that was seen stays good. Names are numbers too. All strings lie in one buffer of UTF-8, in
// the order in which they were read, and are named by their ranges in it.

/// A node of a document's tree.
package struct HTMLNode: Sendable {
  package enum Kind: UInt8, Sendable { case document, doctype, element, text, comment }
  package enum Namespace: UInt8, Sendable { case html, svg, math }

  package let kind: Kind
  package let namespace: Namespace
  /// The element's name if it is a known one, in whatever namespace.
  package let tag: HTMLTag
  /// The element's name in the table of its document.
  let name: UInt16

  /// The nodes around it, -1 for none.
  package internal(set) var parent: Int32 = -1
  package internal(set) var previousSibling: Int32 = -1
  package internal(set) var nextSibling: Int32 = -1
  package internal(set) var firstChild: Int32 = -1
  package internal(set) var lastChild: Int32 = -1

  /// The attributes of an element; of other nodes the bytes of their text.
  var start: Int32
  var end: Int32

  /// Whether this is an element of HTML with this name.
  @inline(__always)
  package func isElement(_ tag: HTMLTag) -> Bool {
    kind == .element && namespace == .html && self.tag == tag
  }
}

/// An attribute of an element: numbers of its name and range of its value.
package struct HTMLAttribute: Sendable {
  /// The namespaces that foreign content has for attributes.
  enum Namespace: UInt8, Sendable { case none, xlink, xml, xmlns }

  var name: UInt16
  var namespace: Namespace
  var start: Int32
  var end: Int32

  /// The range of the value in the document's text.
  package var value: Range<Int> { Int(start)..<Int(end) }
}

/// The bounds within which documents are read, whatever they are.
package struct HTMLLimits: Sendable {
  /// Bytes beyond it are not read.
  package var size = 32 << 20
  /// Tags beyond it are ignored, their text is not.
  package var nodes = 1_000_000
  /// Elements that would lie deeper become siblings of the deepest.
  package var openElements = 512
  /// Formatting elements that are opened again where they were closed by nesting; of more the oldest
  /// are forgotten.
  package var formattingElements = 64
  /// Attributes beyond it are ignored, in one tag and in all.
  package var attributesOfTag = 1024
  package var attributes = 2_000_000

  package init() {}
}

/// A parsed document.
package struct HTMLDocument: Sendable {
  /// The nodes, in the order in which they were made.
  ///
  /// The first one is the document.
  package internal(set) var nodes: [HTMLNode] = []
  /// All text and all values of attributes, in UTF-8.
  package internal(set) var text: [UInt8] = []
  var attributes: [HTMLAttribute] = []
  var tagNames = HTMLNameTable.tags
  var attributeNames = HTMLNameTable.attributes
  var doctype: HTMLDoctype?

  /// The nodes that belong to the fragment which was copied; the others are its surroundings.
  ///
  /// All nodes if the document says nothing about it.
  package internal(set) var fragment: Range<Int32> = 0..<Int32.max

  package static let root: Int32 = 0

  // MARK: Walking

  /// The node behind another one in the order of the document, within an element: its first child, else
  /// what follows it or one that it is in; -1 behind the last.
  ///
  /// - Parameter skipsContent: Passes over what is in the node.
  package func next(after node: Int32, within root: Int32, skipsContent: Bool = false) -> Int32 {
    let child = nodes[Int(node)].firstChild
    if child >= 0, !skipsContent { return child }
    var node = node
    while node != root, nodes[Int(node)].nextSibling < 0 { node = nodes[Int(node)].parent }
    return node == root ? -1 : nodes[Int(node)].nextSibling
  }

  // MARK: Asking

  /// The bytes of a text or a comment.
  package func text(of node: Int32) -> Range<Int> {
    let node = nodes[Int(node)]
    return node.kind == .element ? 0..<0 : Int(node.start)..<Int(node.end)
  }

  /// The range of an attribute's value in the text; `nil` where the element has no such attribute.
  package func attribute(_ name: HTMLAttributeName, of node: Int32) -> Range<Int>? {
    let node = nodes[Int(node)]
    guard node.kind == .element else { return nil }
    for index in Int(node.start)..<Int(node.end)
    where attributes[index].name == UInt16(name.rawValue) && attributes[index].namespace == .none {
      return attributes[index].value
    }
    return nil
  }

  /// Whether an element has any attributes.
  package func hasAttributes(_ node: Int32) -> Bool {
    let node = nodes[Int(node)]
    return node.kind == .element && node.start < node.end
  }

  /// The name of an element.
  package func name(of node: Int32) -> ArraySlice<UInt8> {
    tagNames.spelling(of: nodes[Int(node)].name)
  }
}

/// A document type declaration.
struct HTMLDoctype: Equatable, Sendable {
  var name: [UInt8]?
  var publicIdentifier: [UInt8]?
  var systemIdentifier: [UInt8]?
  var forcesQuirks = false
}
