/// What an edit or a transaction of edits changed, as one range: what a view has to lay out anew.
public struct TextChange: Hashable, Sendable {
  /// What was changed, in the text before.
  public let oldRange: Range<Int>

  /// The same place in the text after.
  public let newRange: Range<Int>

  /// Whether bytes changed; else only what is said of them.
  public let changesText: Bool
}

/// A change that is still growing.
struct PendingChange: Sendable {
  var oldRange: Range<Int>?
  var newRange = 0..<0
  var changesText = false

  /// Takes another edit in: `range` of the text as it is before that edit becomes `length` bytes.
  mutating func add(_ range: Range<Int>, newLength length: Int, text: Bool) {
    changesText = changesText || text
    guard let old = oldRange else {
      oldRange = range
      newRange = range.lowerBound..<range.lowerBound + length
      return
    }
    // What lies before the changed range is where it was; what lies behind has moved by the
    // difference of the lengths.
    let before = min(newRange.lowerBound, range.lowerBound)
    let behind = max(newRange.upperBound, range.upperBound)
    let moved = newRange.upperBound - old.upperBound
    oldRange = before..<behind - moved
    newRange = before..<behind + length - range.count
  }

  var change: TextChange? {
    oldRange.map { TextChange(oldRange: $0, newRange: newRange, changesText: changesText) }
  }
}

extension AttributedText {
  /// Makes several edits and tells what they changed, taken together.
  ///
  /// ```swift
  /// let (_, change) = text.withTransaction { text in
  ///   text.replace(3..<7, with: "word")
  ///   text.updateAttributes(in: 3..<7) { $0.spans = [.strong] }
  /// }
  /// ```
  ///
  /// Transactions nest; each is told its own part. An error undoes nothing.
  ///
  /// - Returns: what `body` returns, and the change; `nil` where nothing was edited.
  public mutating func withTransaction<Result>(
    _ body: (inout AttributedText) throws -> Result
  ) rethrows -> (result: Result, change: TextChange?) {
    let outer = pendingChange
    pendingChange = PendingChange()
    let result: Result
    do {
      result = try body(&self)
    } catch {
      _ = endTransaction(outer: outer)
      throw error
    }
    return (result, endTransaction(outer: outer))
  }

  private mutating func endTransaction(outer: PendingChange?) -> TextChange? {
    let change = pendingChange?.change
    pendingChange = outer
    if let change {
      note(change.oldRange, newLength: change.newRange.count, text: change.changesText)
    }
    return change
  }

  /// Tells the transaction under way of an edit.
  mutating func note(_ range: Range<Int>, newLength: Int, text: Bool) {
    pendingChange?.add(range, newLength: newLength, text: text)
  }
}
