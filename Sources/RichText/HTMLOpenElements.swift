/// What the open elements do to text.
struct HTMLContext {
  var whiteSpace = WhiteSpace.collapse
  /// Whether white space here is between the parts of a table or a list.
  var isStructure = false
  var isHidden = false

  /// How many lists are open.
  var listDepth = 0
  /// The number of the last item of the innermost list, if it has numbers.
  var itemNumber: Int?

  /// Cells so far in the innermost row.
  var cells = 0
  /// Where in the output that row begins, and the tabs owed then.
  var rowStart = 0
  var rowTabs = 0
  /// Where in the output the innermost cell begins, or -1.
  var cellStart = -1
}

/// The elements that are open, as far as they can matter.
///
/// Elements that hold others together are all kept, up to a limit; of the others only those which do
/// something to their text. An element is found by what it is without a search, so that a document of
/// end tags costs no more than any other.
struct HTMLOpenElements {
  struct Entry {
    let element: HTMLElement
    let nameHash: UInt32
    /// What applies behind the element.
    let outer: HTMLContext
    let breaksBelow: Int
    /// Elements of the same name within that are not kept.
    var nested = 0
    fileprivate let previousOfElement: Int
    fileprivate let previousSpecial: Int
    fileprivate let previousScope: Int
  }

  static let limit = 512

  private(set) var entries: [Entry] = []
  /// Indices of the newest entry by element, of the newest special one and the newest scope; -1 is
  /// none.
  private var newestByElement = [Int](repeating: -1, count: HTMLElement.allCases.count)
  private var newestSpecial = -1
  private(set) var newestScope = -1
  /// Elements beyond the limit: they end in the reverse order, whatever they were.
  var unremembered = 0

  /// How far back an unknown element is looked for.
  private static let reach = 8

  var isFull: Bool { entries.count == HTMLOpenElements.limit }

  func newest(_ element: HTMLElement) -> Int {
    newestByElement[Int(element.rawValue)]
  }

  /// Keeps an element; not when full.
  mutating func push(
    _ element: HTMLElement, nameHash: UInt32, outer: HTMLContext, breaksBelow: Int
  ) {
    guard !isFull else { return }
    let index = entries.count
    entries.append(
      Entry(
        element: element, nameHash: nameHash, outer: outer, breaksBelow: breaksBelow,
        previousOfElement: newest(element), previousSpecial: newestSpecial,
        previousScope: newestScope))
    newestByElement[Int(element.rawValue)] = index
    if element.isSpecial { newestSpecial = index }
    if element.isScope { newestScope = index }
  }

  mutating func pop() -> Entry? {
    guard let entry = entries.popLast() else { return nil }
    newestByElement[Int(entry.element.rawValue)] = entry.previousOfElement
    newestSpecial = entry.previousSpecial
    newestScope = entry.previousScope
    return entry
  }

  /// The newest kept element that is not special and of this name, if no special one is within it.
  private func newestOrdinary(_ element: HTMLElement, nameHash: UInt32) -> Int? {
    var index = newest(element)
    var steps = 0
    while index > newestSpecial, steps < HTMLOpenElements.reach {
      if entries[index].nameHash == nameHash { return index }
      index = entries[index].previousOfElement
      steps += 1
    }
    return nil
  }

  /// Takes note of an element that is not kept.
  mutating func noteNested(_ element: HTMLElement, nameHash: UInt32) {
    guard let index = newestOrdinary(element, nameHash: nameHash) else { return }
    entries[index].nested += 1
  }

  /// The element that the end tag of one that is not special ends, or `nil` if that was not kept.
  ///
  /// (WHATWG HTML, 13.2.6.4.7, any other end tag: special elements are not broken up.)
  mutating func indexEnded(by element: HTMLElement, nameHash: UInt32) -> Int? {
    guard let index = newestOrdinary(element, nameHash: nameHash) else { return nil }
    guard entries[index].nested > 0 else { return index }
    entries[index].nested -= 1
    return nil
  }
}
