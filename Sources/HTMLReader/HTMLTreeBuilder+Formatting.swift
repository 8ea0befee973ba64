// The list of active formatting elements (13.2.4.3) and the adoption agency algorithm (13.2.6.4.7).
extension HTMLTreeBuilder {
  static let marker: Int32 = -1

  /// Adds an element to the list, of which there are at most three that are alike.
  mutating func pushFormatting(_ node: Int32) {
    var alike = 0
    var firstAlike = -1
    var entries = 0
    var index = formatting.count - 1
    while index >= 0, formatting[index] != HTMLTreeBuilder.marker {
      entries += 1
      if document.areAlike(formatting[index], node) {
        alike += 1
        firstAlike = index
      }
      index -= 1
    }
    if alike >= 3 {
      formatting.remove(at: firstAlike)
    } else if entries >= limits.formattingElements {
      formatting.remove(at: index + 1)
    }
    formatting.append(node)
  }

  mutating func pushMarker() { formatting.append(HTMLTreeBuilder.marker) }

  mutating func clearFormattingToMarker() {
    while let last = formatting.popLast(), last != HTMLTreeBuilder.marker {}
  }

  /// Opens again what was closed by nesting.
  mutating func reconstructFormatting() {
    guard let last = formatting.last, last != HTMLTreeBuilder.marker,
      open.index(ofNode: last) == nil
    else { return }
    var index = formatting.count - 1
    while index > 0, formatting[index - 1] != HTMLTreeBuilder.marker,
      open.index(ofNode: formatting[index - 1]) == nil
    {
      index -= 1
    }
    while index < formatting.count {
      let node = formatting[index]
      // Where it is too deep, another entry may have gone.
      guard let copy = insertElement(like: node), let entry = formattingIndex(ofNode: node) else {
        return
      }
      formatting[entry] = copy
      index = entry + 1
    }
  }

  /// The newest entry behind the last marker with a tag.
  func formattingIndex(of tag: HTMLTag) -> Int? {
    for index in formatting.indices.reversed() {
      if formatting[index] == HTMLTreeBuilder.marker { return nil }
      if document.nodes[Int(formatting[index])].tag == tag { return index }
    }
    return nil
  }

  func formattingIndex(ofNode node: Int32) -> Int? { formatting.lastIndex(of: node) }

  // MARK: The adoption agency

  /// Closes a formatting element, however it lies with others.
  mutating func adopt(_ subject: HTMLTag) {
    if let current = open.current, current.tag == subject,
      formattingIndex(ofNode: current.node) == nil
    {
      open.pop()
      return
    }
    for _ in 0..<8 {
      guard let listed = formattingIndex(of: subject) else { return endOther() }
      let element = formatting[listed]
      guard let elementIndex = open.index(ofNode: element) else {
        formatting.remove(at: listed)
        return
      }
      guard open.has(in: .element, { $0.node == element }) else { return }
      guard let blockIndex = open.firstSpecial(from: elementIndex + 1) else {
        open.removeAll(from: elementIndex)
        formatting.remove(at: listed)
        return
      }
      guard elementIndex > 0, hasRoom else { return }
      adopt(listed: listed, elementIndex: elementIndex, blockIndex: blockIndex)
    }
  }

  /// Steps 4.9 and following, for an element that has a block within.
  private mutating func adopt(listed: Int, elementIndex: Int, blockIndex: Int) {
    let element = formatting[listed]
    let block = open[blockIndex]
    let ancestor = open[elementIndex - 1]
    var bookmark = listed
    var last = block.node
    var index = blockIndex
    var rounds = 0
    while true {
      index -= 1
      guard index > elementIndex else { break }
      rounds += 1
      let node = open[index].node
      var entry = formattingIndex(ofNode: node)
      if rounds > 3, let found = entry {
        formatting.remove(at: found)
        if found < bookmark { bookmark -= 1 }
        entry = nil
      }
      guard let entry else {
        open.remove(at: index)
        continue
      }
      let copy = makeElement(like: node)
      formatting[entry] = copy
      open.replace(at: index, by: openElement(copy))
      if last == block.node { bookmark = entry + 1 }
      remove(last)
      insert(last, at: Place(parent: copy))
      last = copy
    }
    remove(last)
    insert(last, at: appropriatePlace(in: ancestor))

    let copy = makeElement(like: element)
    moveChildren(of: block.node, to: copy)
    insert(copy, at: Place(parent: block.node))

    if let old = formattingIndex(ofNode: element) {
      formatting.remove(at: old)
      if old < bookmark { bookmark -= 1 }
    }
    formatting.insert(copy, at: min(bookmark, formatting.count))
    if let old = open.index(ofNode: element) { open.remove(at: old) }
    if let below = open.index(ofNode: block.node) {
      open.insert(openElement(copy), at: below + 1)
    }
  }
}

extension HTMLDocument {
  /// Whether two elements have one name and the same attributes.
  func areAlike(_ first: Int32, _ second: Int32) -> Bool {
    let one = nodes[Int(first)]
    let other = nodes[Int(second)]
    guard one.name == other.name, one.namespace == other.namespace,
      one.end - one.start == other.end - other.start
    else { return false }
    if one.start == other.start { return true }
    for index in Int(one.start)..<Int(one.end) {
      let attribute = attributes[index]
      guard let value = value(of: attribute.name, in: other),
        value.count == attribute.value.count,
        text[value] == text[attribute.value]
      else { return false }
    }
    return true
  }

  private func value(of name: UInt16, in element: HTMLNode) -> Range<Int>? {
    for index in Int(element.start)..<Int(element.end) where attributes[index].name == name {
      return attributes[index].value
    }
    return nil
  }
}
