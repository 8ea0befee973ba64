internal import HTMLReader
internal import TextEncoding

// What Word writes: lists as paragraphs, conditional comments.
extension HTMLWalk {
  /// Notes the comments between which Word puts markers: `[if !supportLists]` and `[endif]`.
  mutating func noteComment(_ range: Range<Int>) {
    let comment = document.text.trimmingSpace(range)
    if document.text.hasPrefix("[if !supportlists]", in: comment) {
      isBetweenMarkerComments = context.isOfficeItem
    } else if document.text.hasPrefix("[endif]", in: comment) {
      isBetweenMarkerComments = false
    }
  }

  /// The marker of a paragraph in a list: what stands in the element that Word marks so, or between
  /// the comments.
  func officeMarker(_ paragraph: Int32) -> [UInt8] {
    var marker: [UInt8] = []
    var node = document.nodes[Int(paragraph)].firstChild
    var steps = 0
    var isMarker = false
    // Within few nodes from the paragraph's beginning.
    while node >= 0, steps < 48 {
      steps += 1
      let element = document.nodes[Int(node)]
      switch element.kind {
      case .comment:
        let comment = document.text.trimmingSpace(document.text(of: node))
        if document.text.hasPrefix("[if !supportlists]", in: comment) { isMarker = true }
        if isMarker, document.text.hasPrefix("[endif]", in: comment) { return marker }
      case .text where isMarker:
        marker += document.text[document.text(of: node)]
      case .element where !isMarker:
        if let style = attribute(.style, node), has("mso-list", in: style),
          has("ignore", in: style)
        {
          isMarker = true
          return text(below: node)
        }
      default:
        break
      }
      node = document.next(after: node, within: paragraph)
    }
    return marker
  }

  /// The text of an element, not much of it.
  func text(below root: Int32) -> [UInt8] {
    var text: [UInt8] = []
    var node = document.nodes[Int(root)].firstChild
    var steps = 0
    while node >= 0, steps < 32 {
      steps += 1
      let element = document.nodes[Int(node)]
      if element.kind == .text { text += document.text[document.text(of: node)].prefix(64) }
      node = document.next(after: node, within: root)
    }
    return text
  }

  /// What a marker says: `3.` is the third item, `b)` the second of letters, `·` and `o` are bullets.
  static func meaning(ofMarker marker: [UInt8]) -> (numbering: TextList.Numbering, number: Int) {
    let word = marker.filter { !$0.isHTMLSpace && $0 != 0xC2 && $0 != 0xA0 }
    if let number = lastNumber(word) { return (.decimal, number) }
    let letters = word.filter(\.isASCIILetter)
    guard !letters.isEmpty, word.count - letters.count <= 2, let last = word.last,
      last == 0x2E || last == 0x29
    else { return (.bullet, 1) }
    let isUpper = letters[0] & 0x20 == 0
    let folded = letters.map { $0 | 0x20 }
    let isRoman = folded.allSatisfy { "ivxlcdm".utf8.contains($0) }
    if isRoman, folded.count > 1 || folded[0] == UInt8(ascii: "i") {
      return (isUpper ? .upperRoman : .lowerRoman, roman(folded))
    }
    return (isUpper ? .upperAlpha : .lowerAlpha, Int(folded[0]) - 0x60)
  }

  /// The last number of a marker that has nothing but numbers, such as `1.2.` and `(3)`.
  private static func lastNumber(_ word: [UInt8]) -> Int? {
    let parts = word.split { !$0.isASCIIDigit }
    guard let last = parts.last, last.count < 10,
      word.allSatisfy({ $0.isASCIIDigit || $0 == 0x2E || $0 == 0x28 || $0 == 0x29 })
    else { return nil }
    return last.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  }

  private static func roman(_ letters: [UInt8]) -> Int {
    let values: [UInt8: Int] = [
      UInt8(ascii: "i"): 1, UInt8(ascii: "v"): 5, UInt8(ascii: "x"): 10, UInt8(ascii: "l"): 50,
      UInt8(ascii: "c"): 100, UInt8(ascii: "d"): 500, UInt8(ascii: "m"): 1000,
    ]
    var sum = 0
    var greatest = 0
    for letter in letters.reversed().prefix(12) {
      let value = values[letter] ?? 0
      sum += value < greatest ? -value : value
      greatest = max(greatest, value)
    }
    return max(sum, 1)
  }
}
