internal import HTMLReader
internal import TextEncoding

/// The rules of a document's `style` elements, as far as they are simple: for an element, a class, or
/// an element with a class.
///
/// That is what office programs and Cocoa write. Other selectors and rules within at-rules are left
/// out.
struct HTMLStyleSheet {
  /// What is said of an element, of a class, and of both; by the hash of names.
  private var elements: [UInt32: HTMLStyleChange] = [:]
  private var classes: [UInt32: HTMLStyleChange] = [:]
  private var both: [UInt64: HTMLStyleChange] = [:]
  private var css: [UInt8] = []
  private var count = 0

  /// Real sheets have some dozens.
  private static let limit = 4096
  private static let longest = 1 << 20

  var isEmpty: Bool { count == 0 }

  // MARK: Reading

  /// Reads the text of a `style` element.
  mutating func add(_ text: ArraySlice<UInt8>) {
    guard css.count + text.count <= HTMLStyleSheet.longest else { return }
    let start = css.count
    css.append(contentsOf: text)
    blankComments(from: start)
    var offset = start
    while offset < css.count, count < HTMLStyleSheet.limit {
      guard let brace = css[offset...].firstIndex(of: UInt8(ascii: "{")) else { return }
      var selectors = css.trimmingSpace(offset..<brace)
      // `@import …;` ends before the selectors.
      if let semicolon = css[selectors].lastIndex(of: UInt8(ascii: ";")) {
        selectors = css.trimmingSpace(semicolon + 1..<selectors.upperBound)
      }
      let end = endOfBlock(brace)
      if let first = selectors.first, css[first] != UInt8(ascii: "@") {
        addRules(selectors, HTMLStyleChange(css, in: brace + 1..<end))
      }
      offset = end + 1
    }
  }

  /// Makes blanks of `/* … */`, `<!--` and `-->`.
  private mutating func blankComments(from start: Int) {
    var offset = start
    while offset < css.count {
      switch css[offset] {
      case UInt8(ascii: "/") where offset + 1 < css.count && css[offset + 1] == UInt8(ascii: "*"):
        repeat {
          css[offset] = 0x20
          offset += 1
        } while offset < css.count && !css.hasWord("*/", at: offset)
        for index in offset..<min(offset + 2, css.count) { css[index] = 0x20 }
      case UInt8(ascii: "<") where css.hasWord("<!--", at: offset):
        for index in offset..<offset + 4 { css[index] = 0x20 }
      case UInt8(ascii: "-") where css.hasWord("-->", at: offset):
        for index in offset..<offset + 3 { css[index] = 0x20 }
      default: break
      }
      offset += 1
    }
  }

  /// Where the block that begins with a brace ends.
  private func endOfBlock(_ brace: Int) -> Int {
    var depth = 0
    var offset = brace
    while offset < css.count {
      if css[offset] == UInt8(ascii: "{") { depth += 1 }
      if css[offset] == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return offset }
      }
      offset += 1
    }
    return css.count
  }

  private mutating func addRules(_ selectors: Range<Int>, _ change: HTMLStyleChange) {
    var start = selectors.lowerBound
    while start < selectors.upperBound, count < HTMLStyleSheet.limit {
      let comma =
        css[start..<selectors.upperBound].firstIndex(of: UInt8(ascii: ",")) ?? selectors.upperBound
      addRule(css.trimmingSpace(start..<comma), change)
      start = comma + 1
    }
  }

  private mutating func addRule(_ selector: Range<Int>, _ change: HTMLStyleChange) {
    let isSimple = css[selector].allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "*") || $0 >= 0x80
    }
    guard isSimple, !selector.isEmpty else { return }
    let parts = css[selector].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return }
    let element = parts[0].elementsEqual(CollectionOfOne(UInt8(ascii: "*"))) ? [] : parts[0]
    count += 1
    switch (element.isEmpty, parts.count) {
    case (false, 1):
      elements[HTMLStyleSheet.hash(element, folding: true), default: HTMLStyleChange()].merge(
        change)
    case (true, 2):
      classes[HTMLStyleSheet.hash(parts[1], folding: false), default: HTMLStyleChange()]
        .merge(change)
    case (false, 2):
      both[HTMLStyleSheet.key(element, parts[1]), default: HTMLStyleChange()].merge(change)
    default:
      count -= 1
    }
  }

  private static func hash(_ name: ArraySlice<UInt8>, folding: Bool) -> UInt32 {
    name.reduce(0x811C_9DC5) { ($0 ^ UInt32(folding ? $1.lowercasedASCII : $1)) &* 0x0100_0193 }
  }

  private static func key(_ element: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> UInt64 {
    UInt64(hash(element, folding: true)) << 32 | UInt64(hash(name, folding: false))
  }

  // MARK: Applying

  /// Takes up what the rules say about an element, the more special ones last.
  func apply(
    to change: inout HTMLStyleChange, element: ArraySlice<UInt8>, classes list: ArraySlice<UInt8>?
  ) {
    guard count > 0 else { return }
    merge(elements[HTMLStyleSheet.hash(element, folding: true)], &change)
    guard let list, !(classes.isEmpty && both.isEmpty) else { return }
    let names = list.split(whereSeparator: \.isHTMLSpace).prefix(8)
    for name in names {
      merge(classes[HTMLStyleSheet.hash(name, folding: false)], &change)
    }
    for name in names { merge(both[HTMLStyleSheet.key(element, name)], &change) }
  }

  private func merge(_ rule: HTMLStyleChange?, _ change: inout HTMLStyleChange) {
    if let rule { change.merge(rule) }
  }
}
