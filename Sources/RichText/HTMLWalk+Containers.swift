internal import HTMLReader
internal import TextEncoding

/// A container that is around what comes next.
struct PathEntry {
  let id: Int
  var kind: Container.Kind
  /// The number of the next item of a list.
  var number = 1
  /// The last item of a list.
  var lastItem: PathItem?
}

/// An item that its list can be gone back to.
struct PathItem {
  let id: Int
  let kind: Container.Kind
}

/// A container that is open in the result.
struct OpenedContainer {
  let id: Int
  let identity: Int?
}

/// A level of lists that Word wrote as paragraphs.
struct OfficeLevel {
  var list: PathEntry
  var item: PathEntry
  /// The number that Word has for the list.
  var key: Int
}

// Containers: quotes, lists, tables.
extension HTMLWalk {
  mutating func makeEntry(_ kind: Container.Kind) -> PathEntry {
    entryCount += 1
    return PathEntry(id: entryCount, kind: kind)
  }

  /// Whether what is open in the result is what is around here.
  var isPathOpen: Bool {
    guard path.count == opened.count else { return false }
    // Each has its number once, so the last ones tell.
    return path.last?.id == opened.last?.id
  }

  /// Opens and closes containers in the result until they are those of the path.
  mutating func synchronize() {
    addImpliedParts()
    if isPathOpen { return }
    var shared = 0
    while shared < path.count, shared < opened.count, path[shared].id == opened[shared].id {
      shared += 1
    }
    while opened.count > shared {
      builder.close()
      opened.removeLast()
    }
    while opened.count < path.count {
      let entry = path[opened.count]
      opened.append(OpenedContainer(id: entry.id, identity: builder.open(entry.kind)))
    }
  }

  /// Puts text that stands right in a list, a table or a row into an item or a cell.
  private mutating func addImpliedParts() {
    while let last = path.last {
      switch last.kind {
      case .list: path.append(makeEntry(.item(isDone: nil)))
      case .table: path.append(makeEntry(.row(isHeader: false)))
      case .row: path.append(makeEntry(.cell(columns: 1, rows: 1)))
      case .quote, .item, .cell: return
      }
    }
  }

  /// Ends those, where an element begins that has a place of its own.
  mutating func endImpliedParts() {
    if path.count > context.pathCount { path.removeLast(path.count - context.pathCount) }
  }

  /// Says anew what a container of the path is.
  mutating func setKind(_ kind: Container.Kind, at index: Int) {
    path[index].kind = kind
    if index < opened.count, opened[index].id == path[index].id,
      let identity = opened[index].identity
    {
      builder.setKind(kind, ofContainer: identity)
    }
  }

  /// Leaves the containers of an element that ends.
  mutating func leaveContainers(isList: Bool, frameIsItem: Bool) {
    let count = context.pathCount
    recentList = nil
    if isList {
      // A list in a list has the item before it that it is part of.
      for index in count..<path.count {
        if case .list = path[index].kind {
          recentList = (path[index], index, frameIsItem)
          break
        }
      }
    }
    path.removeLast(path.count - count)
  }

  /// An item or a cell without any text is there too.
  mutating func endPart() {
    let isSeen = seenParts.popLast() ?? false
    guard isSeen, let last = path.last,
      path.count > opened.count || opened[path.count - 1].id != last.id
    else { return }
    synchronize()
    blockBreak = 2
    lineBreaks = 0
    pending.removeAll(keepingCapacity: true)
    recentList = nil
  }

  // MARK: Lists

  /// Begins a list, goes on with one, or takes a list in a list for a part of its last item.
  mutating func enterList(_ node: Int32) {
    let element = document.nodes[Int(node)]
    let isOrdered = element.tag == .ol
    let start = isOrdered ? integer(.start, node) ?? 1 : 1
    let numbering: TextList.Numbering =
      isOrdered ? orderedNumbering(node, context.style.numbering) : .bullet
    if case .list? = path.last?.kind, let index = path.indices.last {
      guard let item = path[index].lastItem else {
        // A list that has only a list is that list.
        if index >= opened.count || opened[index].id != path[index].id {
          path[index].kind = .list(TextList(numbering: numbering, start: start))
          path[index].number = start
        }
        return
      }
      path.append(PathEntry(id: item.id, kind: item.kind))
    }
    if let recent = recentList, recent.depth == path.count,
      case .list(let list) = recent.entry.kind,
      list.numbering == numbering || isOrdered == (list.numbering != .bullet),
      survey.producer == .libreOffice || beginsWithList(node)
    {
      path.append(recent.entry)
      if isOrdered, attribute(.start, node) != nil { path[path.count - 1].number = start }
      return
    }
    var entry = makeEntry(.list(TextList(numbering: numbering, start: start)))
    entry.number = start
    path.append(entry)
  }

  /// Whether the first element in a list is a list.
  private func beginsWithList(_ node: Int32) -> Bool {
    var child = document.nodes[Int(node)].firstChild
    while child >= 0, document.nodes[Int(child)].kind != .element {
      child = document.nodes[Int(child)].nextSibling
    }
    guard child >= 0 else { return false }
    let tag = document.nodes[Int(child)].tag
    return tag == .ul || tag == .ol
  }

  private func orderedNumbering(
    _ node: Int32, _ style: TextList.Numbering?
  ) -> TextList.Numbering {
    if let type = attribute(.type, node), type.count == 1 {
      switch document.text[type.lowerBound] {
      case UInt8(ascii: "a"): return .lowerAlpha
      case UInt8(ascii: "A"): return .upperAlpha
      case UInt8(ascii: "i"): return .lowerRoman
      case UInt8(ascii: "I"): return .upperRoman
      default: return .decimal
      }
    }
    return style == .bullet ? .decimal : style ?? .decimal
  }

  /// Begins an item, in a list of its own if none is around it.
  mutating func enterItem(_ node: Int32) {
    if case .list? = path.last?.kind {
    } else if let recent = recentList, recent.depth == path.count, !hasListParent(node),
      recent.isImplied
    {
      path.append(recent.entry)
    } else {
      path.append(makeEntry(.list(TextList())))
    }
    let index = path.count - 1
    if case .list(var list) = path[index].kind {
      let isOpen = index < opened.count && opened[index].id == path[index].id
      if list.numbering != .bullet, let value = integer(.value, node), value != path[index].number {
        if isOpen {
          // Numbers that do not go on are those of another list.
          list.start = value
          path[index] = makeEntry(.list(list))
        }
        path[index].number = value
      }
      if !(index < opened.count && opened[index].id == path[index].id) {
        // Items before the fragment count.
        list.start = list.numbering == .bullet ? 1 : path[index].number
        path[index].kind = .list(list)
      }
      path[index].number += 1
    }
    let entry = makeEntry(.item(isDone: taskState(node)))
    path[index].lastItem = PathItem(id: entry.id, kind: entry.kind)
    path.append(entry)
  }

  private func hasListParent(_ node: Int32) -> Bool {
    let parent = document.nodes[Int(node)].parent
    guard parent >= 0 else { return false }
    switch document.nodes[Int(parent)].tag {
    case .ul, .ol, .menu, .dir: return true
    default: return false
    }
  }

  /// The state of a task: of the check box that an item begins with, or of the item itself.
  func taskState(_ node: Int32) -> Bool? {
    if let state = context.isChecked { return state }
    if let state = attribute(.ariaChecked, node) ?? attribute(.dataChecked, node) {
      return document.text.isWord("true", in: state)
    }
    if survey.producer == .qt, let names = attribute(.class, node) {
      for word in document.text.words(in: names) {
        if document.text.isWord("checked", in: word) { return true }
        if document.text.isWord("unchecked", in: word) { return false }
      }
    }
    var child = document.nodes[Int(node)].firstChild
    var steps = 0
    while child >= 0, steps < 8 {
      steps += 1
      let element = document.nodes[Int(child)]
      switch element.kind {
      case .element where element.tag == .input:
        guard let type = attribute(.type, child), document.text.isWord("checkbox", in: type) else {
          return nil
        }
        return attribute(.checked, child) != nil
      case .element where has("checkbox-on", in: attribute(.class, child)):
        return true
      case .element where has("checkbox-off", in: attribute(.class, child)):
        return false
      case .element where element.tag == .p || element.tag == .label || element.tag == .span:
        child = element.firstChild
      case .text where document.text[document.text(of: child)].allSatisfy(\.isHTMLSpace):
        child = element.nextSibling
      case .comment:
        child = element.nextSibling
      default:
        return nil
      }
    }
    return nil
  }

  /// Blank lines stand between the items of a list that has paragraphs in them.
  mutating func noteParagraphInItem(_ node: Int32) {
    let parent = document.nodes[Int(node)].parent
    guard parent >= 0, document.nodes[Int(parent)].tag == .li,
      !survey.producer.writesParagraphsInItems, path.count > 1,
      case .list(var list) = path[path.count - 2].kind, list.isTight
    else { return }
    list.isTight = false
    setKind(.list(list), at: path.count - 2)
  }

  // MARK: Lists of Word

  /// Puts a paragraph into the list and the level that Word says it is in.
  mutating func enterOfficeItem(
    _ key: Int, level: Int, numbering: TextList.Numbering, start: Int, isDone: Bool? = nil
  ) {
    let base = path.count
    let isAfterList = recentOfficeDepth == base && !officeLists.isEmpty
    if !isAfterList { officeLists.removeAll(keepingCapacity: true) }
    // A level that was left out is no level.
    let depth = min(level, officeLists.count + 1)
    if officeLists.count > depth { officeLists.removeLast(officeLists.count - depth) }
    if officeLists.count == depth, let last = officeLists.last,
      case .list(let list) = last.list.kind,
      (list.numbering == .bullet) != (numbering == .bullet) || depth == 1 && last.key != key
    {
      officeLists.removeLast()
    }
    let item = makeEntry(.item(isDone: isDone))
    if officeLists.count == depth {
      officeLists[depth - 1].item = item
    } else {
      let list = makeEntry(
        .list(TextList(numbering: numbering, start: numbering == .bullet ? 1 : start)))
      officeLists.append(OfficeLevel(list: list, item: item, key: key))
    }
    for level in officeLists {
      path.append(level.list)
      path.append(level.item)
    }
    recentOfficeDepth = base
  }

  /// Something that is in no list of Word ends them.
  mutating func endOfficeLists() {
    officeLists.removeAll(keepingCapacity: true)
  }
}
