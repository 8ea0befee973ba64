extension AttributedText {
  /// A stretch of text with the same attributes.
  public struct Run: Sendable {
    /// Where it lies, in bytes.
    public let range: Range<Int>
    /// What is said of it.
    public let attributes: TextAttributes
  }

  /// The runs from the first on, each as long as its attributes hold.
  ///
  /// O(1) each.
  public var runs: some RandomAccessCollection<Run> {
    runList.ends.indices.lazy.map { index in
      Run(range: runList.range(index), attributes: attributeTable[runList.numbers[index]])
    }
  }

  /// The runs of a range, the first and the last cut to it.
  ///
  /// O(log n) for the first, O(1) each.
  public func runs(in range: Range<Int>) -> some Sequence<Run> {
    let first = range.isEmpty ? runList.count : runList.index(at: range.lowerBound)
    return sequence(state: first) { index -> Run? in
      guard index < runList.count, runList.range(index).lowerBound < range.upperBound else {
        return nil
      }
      defer { index += 1 }
      return Run(
        range: runList.range(index).clamped(to: range),
        attributes: attributeTable[runList.numbers[index]])
    }
  }

  /// All attributes of the byte at `offset`, and the range of the run that it is in.
  ///
  /// O(log n) in the number of runs.
  ///
  /// - Precondition: `offset` lies in `0..<length`.
  public func attributes(at offset: Int) -> (attributes: TextAttributes, effectiveRange: Range<Int>)
  {
    precondition(utf8.indices.contains(offset), "no text at the offset")
    let index = runList.index(at: offset)
    return (attributeTable[runList.numbers[index]], runList.range(index))
  }

  /// One attribute of the byte at `offset`, and a range in which it holds: that of the run.
  ///
  /// ```swift
  /// let (weight, range) = text.attribute(\.style.weight, at: 12)
  /// ```
  ///
  /// O(log n) in the number of runs. The attribute may hold farther than the range says; see
  /// ``longestEffectiveRange(of:at:in:)``.
  ///
  /// - Precondition: `offset` lies in `0..<length`.
  public func attribute<Value>(
    _ attribute: KeyPath<TextAttributes, Value>, at offset: Int
  ) -> (value: Value, effectiveRange: Range<Int>) {
    let (attributes, range) = attributes(at: offset)
    return (attributes[keyPath: attribute], range)
  }

  /// How far around `offset` an attribute has the value that it has there, within `limit` (all of
  /// the text by default).
  ///
  /// O(log n), and one comparison for each run of the result.
  ///
  /// - Precondition: `offset` lies in `0..<length` and in `limit`.
  public func longestEffectiveRange<Value: Equatable>(
    of attribute: KeyPath<TextAttributes, Value>, at offset: Int, in limit: Range<Int>? = nil
  ) -> Range<Int> {
    let limit = limit ?? 0..<length
    precondition(limit.contains(offset), "the offset lies outside of the limit")
    let here = runList.index(at: offset)
    let value = attributeTable[runList.numbers[here]][keyPath: attribute]
    func holds(_ index: Int) -> Bool {
      attributeTable[runList.numbers[index]][keyPath: attribute] == value
    }
    var first = here
    while first > 0, runList.range(first).lowerBound > limit.lowerBound, holds(first - 1) {
      first -= 1
    }
    var last = here
    while last + 1 < runList.count, runList.range(last).upperBound < limit.upperBound,
      holds(last + 1)
    {
      last += 1
    }
    return (runList.range(first).lowerBound..<runList.range(last).upperBound).clamped(to: limit)
  }

  /// The ranges in which one attribute has one value, in their order, each as long as it can be.
  public func ranges<Value: Equatable>(
    of attribute: KeyPath<TextAttributes, Value>, in range: Range<Int>? = nil
  ) -> [(value: Value, range: Range<Int>)] {
    var ranges: [(value: Value, range: Range<Int>)] = []
    for run in runs(in: range ?? 0..<length) {
      let value = run.attributes[keyPath: attribute]
      if let last = ranges.last, last.value == value {
        ranges[ranges.count - 1].range = last.range.lowerBound..<run.range.upperBound
      } else {
        ranges.append((value, run.range))
      }
    }
    return ranges
  }

  /// Where the paragraph at this place among all paragraphs lies, its mark included.
  func blockRange(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : blocks[index - 1].end)..<blocks[index].end
  }

  /// Which paragraph the byte at `offset` belongs to.
  func blockIndex(at offset: Int) -> Int {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].end <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The paragraphs with their ranges, marks included, from the first on.
  ///
  /// O(depth) each.
  public var paragraphs: some RandomAccessCollection<(paragraph: Paragraph, range: Range<Int>)> {
    blocks.indices.lazy.map { (paragraph(ofBlock: $0), blockRange($0)) }
  }

  /// The paragraph that the byte at `offset` belongs to, and its range, the mark included.
  ///
  /// O(log n) in the number of paragraphs.
  ///
  /// - Precondition: `offset` lies in `0..<length`.
  public func paragraph(at offset: Int) -> (paragraph: Paragraph, range: Range<Int>) {
    precondition(utf8.indices.contains(offset), "no text at the offset")
    let index = blockIndex(at: offset)
    return (paragraph(ofBlock: index), blockRange(index))
  }

  private func paragraph(ofBlock index: Int) -> Paragraph {
    let block = blocks[index]
    return Paragraph(
      block.kind, in: tree.containers(of: block.container), alignment: block.alignment)
  }
}
