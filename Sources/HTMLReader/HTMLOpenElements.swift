/// An element of the stack of open elements, with what the rules ask about it.
struct HTMLOpenElement {
  struct Traits: OptionSet {
    var rawValue: UInt8
    static let special = Traits(rawValue: 1)
    static let boundsScope = Traits(rawValue: 2)
    /// MathML text integration point.
    static let textIntegrationPoint = Traits(rawValue: 4)
    static let htmlIntegrationPoint = Traits(rawValue: 8)
    /// MathML's `annotation-xml`.
    static let annotation = Traits(rawValue: 16)
  }

  let node: Int32
  /// The name of the tag, which for SVG need not be that of the element.
  let name: UInt16
  /// The element, if it is one of HTML that is known.
  let tag: HTMLTag
  let namespace: HTMLNode.Namespace
  let traits: Traits

  var isHTML: Bool { namespace == .html }

  init(
    node: Int32, name: UInt16, tag: HTMLTag, namespace: HTMLNode.Namespace,
    isHTMLAnnotation: Bool = false
  ) {
    self.node = node
    self.name = name
    self.tag = namespace == .html ? tag : .unknown
    self.namespace = namespace
    var traits: Traits = []
    switch namespace {
    case .html:
      if tag.isSpecial { traits.insert(.special) }
      if tag.boundsScope { traits.insert(.boundsScope) }
    case .math:
      switch tag {
      case .mi, .mo, .mn, .ms, .mtext: traits = [.special, .boundsScope, .textIntegrationPoint]
      case .annotationXML:
        traits = [.special, .boundsScope, .annotation]
        if isHTMLAnnotation { traits.insert(.htmlIntegrationPoint) }
      default: break
      }
    case .svg:
      switch tag {
      case .foreignObject, .desc, .title: traits = [.special, .boundsScope, .htmlIntegrationPoint]
      default: break
      }
    }
    self.traits = traits
  }
}

/// The stack of open elements (13.2.4.2).
struct HTMLOpenElements {
  private(set) var elements: [HTMLOpenElement] = []
  /// How many elements of HTML are open, by tag: most questions are about one that is not.
  private var counts = [UInt16](repeating: 0, count: Int(HTMLTag.unknown.rawValue) + 1)

  /// The scopes of 13.2.4.2, by what bounds them.
  enum Scope { case element, list, button, table, select }

  var count: Int { elements.count }
  var isEmpty: Bool { elements.isEmpty }
  var current: HTMLOpenElement? { elements.last }

  subscript(index: Int) -> HTMLOpenElement { elements[index] }

  @inline(__always)
  func contains(_ tag: HTMLTag) -> Bool { counts[Int(tag.rawValue)] > 0 }

  mutating func push(_ element: HTMLOpenElement) {
    counts[Int(element.tag.rawValue)] += 1
    elements.append(element)
  }

  mutating func pop() {
    guard let last = elements.popLast() else { return }
    counts[Int(last.tag.rawValue)] -= 1
  }

  mutating func removeAll(from index: Int) {
    while elements.count > index { pop() }
  }

  mutating func remove(at index: Int) {
    counts[Int(elements[index].tag.rawValue)] -= 1
    elements.remove(at: index)
  }

  mutating func insert(_ element: HTMLOpenElement, at index: Int) {
    counts[Int(element.tag.rawValue)] += 1
    elements.insert(element, at: index)
  }

  mutating func replace(at index: Int, by element: HTMLOpenElement) {
    counts[Int(elements[index].tag.rawValue)] -= 1
    counts[Int(element.tag.rawValue)] += 1
    elements[index] = element
  }

  /// Where a node stands in the stack.
  func index(ofNode node: Int32) -> Int? { elements.lastIndex { $0.node == node } }

  /// Where the newest element with a tag stands.
  func index(of tag: HTMLTag) -> Int? {
    contains(tag) ? elements.lastIndex { $0.tag == tag } : nil
  }

  /// Where the first special element at or behind an index stands.
  func firstSpecial(from start: Int) -> Int? {
    elements[start...].firstIndex { $0.traits.contains(.special) }
  }

  /// Pops up to and including the newest element with a tag.
  mutating func pop(through tag: HTMLTag) {
    if let index = index(of: tag) { removeAll(from: index) }
  }

  /// Pops until a condition holds for the current element; the first element stays.
  mutating func pop(until condition: (HTMLOpenElement) -> Bool) {
    while elements.count > 1, let last = elements.last, !condition(last) { pop() }
  }

  private func bounds(_ scope: Scope, _ element: HTMLOpenElement) -> Bool {
    switch scope {
    case .element: element.traits.contains(.boundsScope)
    case .list:
      element.traits.contains(.boundsScope) || element.tag == .ol || element.tag == .ul
    case .button: element.traits.contains(.boundsScope) || element.tag == .button
    case .table: element.tag == .html || element.tag == .table || element.tag == .template
    case .select: !(element.tag == .option || element.tag == .optgroup)
    }
  }

  /// Whether an element with a tag is in a scope.
  func has(_ tag: HTMLTag, in scope: Scope) -> Bool {
    guard contains(tag) else { return false }
    return has(in: scope) { $0.tag == tag }
  }

  func has(in scope: Scope, _ matches: (HTMLOpenElement) -> Bool) -> Bool {
    for element in elements.reversed() {
      if matches(element) { return true }
      if bounds(scope, element) { return false }
    }
    return false
  }
}
