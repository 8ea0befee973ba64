extension AttributedText {
  /// The text of a range with all that is said of it.
  ///
  /// Paragraphs that it cuts end with a mark of the same kind; where it lies within one paragraph
  /// and leaves out its mark, it is a fragment.
  ///
  /// - Precondition: the range lies in `0...length`, at boundaries of scalars.
  public subscript(range: Range<Int>) -> AttributedText {
    checkPosition(range.lowerBound)
    checkPosition(range.upperBound)
    var slice = AttributedText()
    guard !range.isEmpty else { return slice }
    slice.utf8 = Array(utf8[range])

    var numbers: [AttributeTable.Number: AttributeTable.Number] = [:]
    slice.runList.append(runList.slice(range)) { number in
      if let known = numbers[number] { return known }
      let new = slice.attributeTable.number(of: attributeTable[number])
      numbers[number] = new
      return new
    }

    var containers: [BlockTree.Number: BlockTree.Number] = [:]
    var index = blockIndex(at: range.lowerBound)
    let first = index
    while index < blocks.count, blockRange(index).lowerBound < range.upperBound {
      var block = blocks[index]
      let isCut = block.end > range.upperBound
      block.end = isCut ? slice.utf8.count + 1 : block.end - range.lowerBound
      block.container = slice.tree.adopt(block.container, from: tree, known: &containers)
      slice.blocks.append(block)
      if isCut {
        slice.utf8.append(.lineFeed)
        slice.runList.append(length: 1, 0)
        slice.isFragment = index == first
      }
      index += 1
    }
    if isFragment, range.upperBound == length { slice.isFragment = true }
    return slice
  }

  /// Appends a text: whole paragraphs behind the last one, or, where `other` is a fragment, text to
  /// the last paragraph.
  ///
  /// O(length of `other`), if nothing else holds a copy of this text.
  public mutating func append(_ other: AttributedText) {
    if other.isFragment, !isEmpty {
      replace(length - 1..<length - 1, with: other)
    } else if isFragment, !isEmpty {
      // The part of a paragraph now ends as the first of the paragraphs that are appended.
      splice(length - 1..<length, with: other)
      isFragment = false
    } else {
      isFragment = other.isFragment
      splice(length..<length, with: other)
    }
  }

  /// Puts `replacement` where `range` was.
  ///
  /// Marks bring and take what they say: a mark in `replacement` ends a paragraph of its kind, a
  /// mark in `range` goes, and its text joins what follows. The last mark of a fragment stays out.
  /// The last mark of this text stays whatever the range says, so that text always ends with one.
  ///
  /// - Precondition: the range lies in `0...length`, at boundaries of scalars.
  public mutating func replace(_ range: Range<Int>, with replacement: AttributedText) {
    checkPosition(range.lowerBound)
    checkPosition(range.upperBound)
    if isEmpty {
      self.append(replacement)
      return
    }
    let end = length - 1
    // Whole paragraphs behind the last mark: as they are. Anything else stays before it.
    if range.lowerBound == length, !replacement.isFragment {
      splice(range, with: replacement)
    } else if range.upperBound == length, !replacement.isFragment, !replacement.isEmpty {
      splice(range, with: replacement)
    } else {
      let kept = min(range.lowerBound, end)..<min(range.upperBound, end)
      splice(kept, with: replacement.isFragment ? replacement.withoutLastMark : replacement)
    }
  }

  /// Puts a string where `range` was; line feeds in it are line breaks.
  ///
  /// - Parameter attributes: of the new text; those of the text before it where `nil`.
  /// - Precondition: the range lies in `0...length`, at boundaries of scalars.
  public mutating func replace(
    _ range: Range<Int>, with string: String, attributes: TextAttributes? = nil
  ) {
    let neighbour = range.lowerBound > 0 ? range.lowerBound - 1 : 0
    let inherited = isEmpty ? .plain : self.attributes(at: neighbour).attributes
    replace(range, with: AttributedText(string, attributes: attributes ?? inherited.forNewText))
  }

  /// Takes a range away.
  ///
  /// - Precondition: the range lies in `0...length`, at boundaries of scalars.
  public mutating func remove(_ range: Range<Int>) {
    replace(range, with: AttributedText())
  }

  /// Says anew what is said of a range, run by run.
  ///
  /// ```swift
  /// text.updateAttributes(in: range) { $0.style.isUnderlined = true }
  /// ```
  ///
  /// The marks of paragraphs in the range are left as they are.
  public mutating func updateAttributes(
    in range: Range<Int>, _ update: (inout TextAttributes) -> Void
  ) {
    checkPosition(range.lowerBound)
    checkPosition(range.upperBound)
    guard !range.isEmpty else { return }
    var changed = RunList()
    for run in runs(in: range) {
      var position = run.range.lowerBound
      while position < run.range.upperBound {
        let mark = blocks[blockIndex(at: position)].end - 1
        let end = min(run.range.upperBound, mark)
        if position < end {
          var attributes = run.attributes
          update(&attributes)
          changed.append(length: end - position, attributeTable.number(of: attributes))
        }
        if mark < run.range.upperBound {
          changed.append(length: 1, 0)
          position = mark + 1
        } else {
          position = end
        }
      }
    }
    runList.replace(range, with: changed)
    note(range, newLength: range.count, text: false)
  }

  /// Says anew what the paragraphs are that a range touches; the containers of each stay.
  public mutating func updateParagraphs(
    in range: Range<Int>, _ update: (inout Paragraph.Kind, inout Paragraph.Alignment?) -> Void
  ) {
    guard !isEmpty else { return }
    checkPosition(range.lowerBound)
    checkPosition(range.upperBound)
    var index = min(blockIndex(at: range.lowerBound), blocks.count - 1)
    let start = blockRange(index).lowerBound
    var end = start
    repeat {
      var block = blocks[index]
      update(&block.kind, &block.alignment)
      blocks[index] = block
      end = block.end
      index += 1
    } while index < blocks.count && end < range.upperBound
    note(start..<end, newLength: end - start, text: false)
  }

  /// Puts the paragraphs that a range touches into a new container, inside of what all of them
  /// stand in.
  public mutating func wrapParagraphs(in range: Range<Int>, in kind: Container.Kind) {
    guard !isEmpty else { return }
    checkPosition(range.lowerBound)
    checkPosition(range.upperBound)
    let first = min(blockIndex(at: range.lowerBound), blocks.count - 1)
    let last = max(first, min(blockIndex(at: max(range.upperBound - 1, 0)), blocks.count - 1))
    var common: [BlockTree.Number] = []
    var path: [BlockTree.Number] = []
    tree.path(to: blocks[first].container, into: &common)
    for index in first...last {
      tree.path(to: blocks[index].container, into: &path)
      let shared = zip(common, path).prefix { $0 == $1 }.count
      common.removeLast(common.count - shared)
    }
    // The containers below the common one move under the new one: copies, since a parent's number
    // is smaller than its children's.
    let new = tree.add(kind, in: common.last ?? BlockTree.none)
    var moved: [BlockTree.Number: BlockTree.Number] = [:]
    for index in first...last {
      tree.path(to: blocks[index].container, into: &path)
      var parent = new
      for number in path.dropFirst(common.count) {
        let copy = moved[number] ?? tree.add(tree[number].kind, in: parent)
        moved[number] = copy
        parent = copy
      }
      blocks[index].container = parent
    }
    let changed = blockRange(first).lowerBound..<blockRange(last).upperBound
    note(changed, newLength: changed.count, text: false)
  }

  /// Ends a paragraph at `position`, in the kind and the containers of the one it is in; the rest
  /// of it follows as a paragraph of the same kind.
  public mutating func splitParagraph(at position: Int) {
    checkPosition(position)
    guard !isEmpty else { return }
    let index = min(blockIndex(at: position), blocks.count - 1)
    let at = min(position, length - 1)
    var mark = blocks[index]
    mark.end = at + 1
    utf8.insert(.lineFeed, at: at)
    var run = RunList()
    run.append(length: 1, 0)
    runList.replace(at..<at, with: run)
    for later in blocks.indices.dropFirst(index) { blocks[later].end += 1 }
    blocks.insert(mark, at: index)
    note(at..<at, newLength: 1, text: true)
  }

  /// The text without its last mark and what that mark says: what a fragment brings where it is
  /// pasted.
  ///
  /// Its bytes are then not covered by paragraphs to the end.
  private var withoutLastMark: AttributedText {
    var text = self
    guard !text.isEmpty else { return text }
    text.utf8.removeLast()
    text.runList.replace(length - 1..<length, with: RunList())
    text.blocks.removeLast()
    return text
  }

  /// The one place where bytes, runs and paragraphs change together.
  private mutating func splice(_ range: Range<Int>, with replacement: AttributedText) {
    let shift = replacement.length - range.count

    var numbers: [AttributeTable.Number: AttributeTable.Number] = [:]
    var runs = RunList()
    runs.append(replacement.runList) { number in
      if let known = numbers[number] { return known }
      let new = attributeTable.number(of: replacement.attributeTable[number])
      numbers[number] = new
      return new
    }
    if range.lowerBound == length {
      runList.append(runs) { $0 }
    } else {
      runList.replace(range, with: runs)
    }

    // Marks in the range go; they are the blocks whose last byte lies in it.
    let first = firstBlock(endingAfter: range.lowerBound)
    let last = firstBlock(endingAfter: range.upperBound)
    let offset = tree.append(replacement.tree)
    let new = replacement.blocks.map { block in
      var block = block
      block.end += range.lowerBound
      if block.container != BlockTree.none { block.container += offset }
      return block
    }
    blocks.replaceSubrange(first..<last, with: new)
    if shift != 0 {
      for index in blocks.indices.dropFirst(first + new.count) { blocks[index].end += shift }
    }
    utf8.replaceSubrange(range, with: replacement.utf8)
    note(range, newLength: replacement.length, text: true)
  }

  /// The first paragraph whose mark does not lie before `position`.
  private func firstBlock(endingAfter position: Int) -> Int {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].end <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func checkPosition(_ position: Int) {
    precondition(
      (0...utf8.count).contains(position)
        && (position == utf8.count || utf8[position] & 0xC0 != 0x80),
      "a position must lie in the text, at the boundary of a scalar")
  }
}

extension TextAttributes {
  /// These attributes for text that is typed behind them: a picture or a soft break is not
  /// continued.
  fileprivate var forNewText: TextAttributes {
    var attributes = self
    attributes.image = nil
    attributes.isSoftBreak = false
    return attributes
  }
}

extension BlockTree {
  /// The number here of a container of another tree, with all it stands in.
  mutating func adopt(_ number: Number, from other: BlockTree, known: inout [Number: Number])
    -> Number
  {
    var path: [Number] = []
    other.path(to: number, into: &path)
    var parent = Self.none
    for step in path {
      if let there = known[step] {
        parent = there
      } else {
        parent = add(other[step].kind, in: parent)
        known[step] = parent
      }
    }
    return parent
  }
}
