// Nodes: how they are made, linked, and where they go (13.2.6.1).
extension HTMLTreeBuilder {
  /// A place between nodes: before `before`, or the last in `parent`.
  struct Place {
    var parent: Int32
    var before: Int32 = -1
  }

  /// The current node, or the context of a fragment where the current node only stands for it.
  var adjustedCurrent: HTMLOpenElement? {
    if open.count == 1, let context {
      return HTMLOpenElement(
        node: HTMLDocument.root, name: UInt16(context.tag.rawValue), tag: context.tag,
        namespace: context.namespace)
    }
    return open.current
  }

  // MARK: Making

  mutating func makeNode(
    _ kind: HTMLNode.Kind, _ namespace: HTMLNode.Namespace = .html, tag: HTMLTag = .unknown,
    name: UInt16 = HTMLNameTable.overflow, start: Int, end: Int
  ) -> Int32 {
    document.nodes.append(
      HTMLNode(
        kind: kind, namespace: namespace, tag: tag, name: name, start: Int32(start), end: Int32(end)
      ))
    return Int32(document.nodes.count - 1)
  }

  /// Whether there may be more elements and comments.
  var hasRoom: Bool { document.nodes.count < limits.nodes }

  /// An element for the tag of the current token.
  mutating func makeElement(_ namespace: HTMLNode.Namespace = .html, tag: HTMLTag? = nil) -> Int32 {
    let start = document.attributes.count
    for attribute in tokenizer.attributes where document.attributes.count < limits.attributes {
      append(attribute)
    }
    if namespace != .html { adjustAttributes(from: start, namespace) }
    let known = tag ?? tokenizer.tag.tag
    let name = tag.map { UInt16($0.rawValue) } ?? tokenizer.tag.name
    return makeNode(
      .element, namespace, tag: known,
      name: namespace == .svg ? adjustedSVGName(name) : name,
      start: start, end: document.attributes.count)
  }

  private mutating func append(_ attribute: HTMLTokenizer.Attribute) {
    let start = document.text.count
    tokenizer.append(attribute, to: &document.text)
    document.attributes.append(
      HTMLAttribute(
        name: attribute.name, namespace: .none, start: Int32(start),
        end: Int32(document.text.count)))
  }

  /// An element that is like another one, which has been closed.
  ///
  /// Its attributes take no room, but time whenever somebody looks at them. So all such elements have
  /// together only as many as a document that is some times as long could have; more have none.
  mutating func makeElement(like node: Int32) -> Int32 {
    let node = document.nodes[Int(node)]
    if copiedAttributesLeft > 0 {
      for attribute in document.attributes[Int(node.start)..<Int(node.end)] {
        copiedAttributesLeft -= attribute.value.count + 8
      }
    }
    return makeNode(
      .element, node.namespace, tag: node.tag, name: node.name, start: Int(node.start),
      end: Int(copiedAttributesLeft > 0 ? node.end : node.start))
  }

  // MARK: Linking

  /// Puts a node that has no parent in its place.
  mutating func insert(_ node: Int32, at place: Place) {
    let parent = Int(place.parent)
    let previous: Int32
    if place.before >= 0 {
      previous = document.nodes[Int(place.before)].previousSibling
      document.nodes[Int(place.before)].previousSibling = node
    } else {
      previous = document.nodes[parent].lastChild
      document.nodes[parent].lastChild = node
    }
    if previous >= 0 {
      document.nodes[Int(previous)].nextSibling = node
    } else {
      document.nodes[parent].firstChild = node
    }
    document.nodes[Int(node)].parent = place.parent
    document.nodes[Int(node)].previousSibling = previous
    document.nodes[Int(node)].nextSibling = place.before
  }

  /// Takes a node out of its parent.
  mutating func remove(_ node: Int32) {
    let links = document.nodes[Int(node)]
    guard links.parent >= 0 else { return }
    if links.previousSibling >= 0 {
      document.nodes[Int(links.previousSibling)].nextSibling = links.nextSibling
    } else {
      document.nodes[Int(links.parent)].firstChild = links.nextSibling
    }
    if links.nextSibling >= 0 {
      document.nodes[Int(links.nextSibling)].previousSibling = links.previousSibling
    } else {
      document.nodes[Int(links.parent)].lastChild = links.previousSibling
    }
    document.nodes[Int(node)].parent = -1
    document.nodes[Int(node)].previousSibling = -1
    document.nodes[Int(node)].nextSibling = -1
  }

  /// Moves all children of a node to the end of another one.
  mutating func moveChildren(of node: Int32, to parent: Int32) {
    var child = document.nodes[Int(node)].firstChild
    guard child >= 0 else { return }
    let last = document.nodes[Int(parent)].lastChild
    document.nodes[Int(child)].previousSibling = last
    if last >= 0 {
      document.nodes[Int(last)].nextSibling = child
    } else {
      document.nodes[Int(parent)].firstChild = child
    }
    document.nodes[Int(parent)].lastChild = document.nodes[Int(node)].lastChild
    document.nodes[Int(node)].firstChild = -1
    document.nodes[Int(node)].lastChild = -1
    while child >= 0 {
      document.nodes[Int(child)].parent = parent
      child = document.nodes[Int(child)].nextSibling
    }
  }

  // MARK: Places

  /// The appropriate place for inserting a node, in `target` or the current node.
  func appropriatePlace(in target: HTMLOpenElement? = nil) -> Place {
    guard let target = target ?? open.current else { return Place(parent: HTMLDocument.root) }
    guard fosters, target.tag.isRowOrGroup else { return Place(parent: target.node) }
    let table = open.index(of: .table)
    if let template = open.index(of: .template), table.map({ template > $0 }) ?? true {
      return Place(parent: open[template].node)
    }
    guard let table else { return Place(parent: open[0].node) }
    let parent = document.nodes[Int(open[table].node)].parent
    if parent >= 0 { return Place(parent: parent, before: open[table].node) }
    return Place(parent: open[max(table - 1, 0)].node)
  }

  // MARK: Inserting

  /// Inserts an element of HTML for the tag of the current token and opens it.
  @discardableResult
  mutating func insertElement(tag: HTMLTag? = nil) -> Int32? {
    insertElement(.html, tag: tag)
  }

  /// Nothing where there may be no more nodes.
  @discardableResult
  mutating func insertElement(_ namespace: HTMLNode.Namespace, tag: HTMLTag? = nil) -> Int32? {
    guard hasRoom else { return nil }
    stayShallow()
    let place = appropriatePlace()
    let node = makeElement(namespace, tag: tag)
    insert(node, at: place)
    push(node)
    return node
  }

  /// Closes the deepest element where one more would be too many.
  private mutating func stayShallow() {
    guard open.count >= limits.openElements, let deepest = open.current else { return }
    open.pop()
    switch deepest.tag {
    case .td, .th, .caption, .applet, .marquee, .object:
      clearFormattingToMarker()
    case .template:
      clearFormattingToMarker()
      _ = templateModes.popLast()
    default:
      // It would be opened again by whatever comes next, and close that.
      if let index = formattingIndex(ofNode: deepest.node) { formatting.remove(at: index) }
    }
  }

  /// Opens an element.
  private mutating func push(_ node: Int32) {
    open.push(openElement(node))
  }

  func openElement(_ node: Int32) -> HTMLOpenElement {
    let element = document.nodes[Int(node)]
    return HTMLOpenElement(
      node: node, name: element.namespace == .svg ? tokenizer.tag.name : element.name,
      tag: element.tag, namespace: element.namespace,
      isHTMLAnnotation: element.tag == .annotationXML && isHTMLAnnotation(node))
  }

  /// Inserts an element that has no content.
  mutating func insertVoidElement(tag: HTMLTag? = nil) {
    if insertElement(tag: tag) != nil { open.pop() }
  }

  /// Inserts an element that no tag is there for.
  @discardableResult
  mutating func insertImpliedElement(_ tag: HTMLTag) -> Int32? {
    guard hasRoom || open.count < 2 else { return nil }
    stayShallow()
    let place = appropriatePlace()
    let node = makeNode(.element, tag: tag, name: UInt16(tag.rawValue), start: 0, end: 0)
    insert(node, at: place)
    push(node)
    return node
  }

  /// Inserts an element like a formatting element that was closed.
  mutating func insertElement(like node: Int32) -> Int32? {
    guard hasRoom else { return nil }
    stayShallow()
    let place = appropriatePlace()
    let copy = makeElement(like: node)
    insert(copy, at: place)
    push(copy)
    return copy
  }

  mutating func insertComment(_ range: Range<Int>, at place: Place? = nil) {
    guard hasRoom else { return }
    let place = place ?? appropriatePlace()
    insert(makeNode(.comment, start: range.lowerBound, end: range.upperBound), at: place)
  }

  /// Inserts text, as a node of its own or as more of the one before it.
  mutating func insertText(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if overflow >= 0 {
      document.nodes[Int(overflow)].end = Int32(range.upperBound)
      return
    }
    let place = appropriatePlace()
    guard place.parent != HTMLDocument.root else { return }
    let previous =
      place.before >= 0
      ? document.nodes[Int(place.before)].previousSibling
      : document.nodes[Int(place.parent)].lastChild
    if previous >= joinBarrier, document.nodes[Int(previous)].kind == .text,
      document.nodes[Int(previous)].end == Int32(range.lowerBound)
    {
      document.nodes[Int(previous)].end = Int32(range.upperBound)
      return
    }
    let isLast = !hasRoom
    let node = makeNode(.text, start: range.lowerBound, end: range.upperBound)
    insert(node, at: place)
    if isLast { overflow = node }
  }

  /// Adds attributes of the current token to an element that lacks them.
  mutating func addAttributes(to node: Int32) {
    guard !tokenizer.attributes.isEmpty else { return }
    let element = document.nodes[Int(node)]
    let own = document.attributes[Int(element.start)..<Int(element.end)]
    // The second tag of a body is rare and has few.
    let limit = 64
    let added = tokenizer.attributes.prefix(limit).filter { attribute in
      !own.contains { $0.name == attribute.name }
    }
    guard !added.isEmpty, own.count + added.count <= limit,
      document.attributes.count + limit <= limits.attributes
    else { return }
    let start = document.attributes.count
    document.attributes.append(contentsOf: Array(own))
    for attribute in added { append(attribute) }
    document.nodes[Int(node)].start = Int32(start)
    document.nodes[Int(node)].end = Int32(document.attributes.count)
  }
}
