internal import TextEncoding

extension HTMLOutput {
  /// Writes what a paragraph holds, without its mark.
  ///
  /// - Parameter isCode: whether line feeds stay what they are.
  mutating func writeInline(of index: Int, isCode: Bool = false) {
    let range = text.blockRange(index)
    let end = range.upperBound - 1
    let isBoldHere = isBold(index)
    while runIndex < text.runList.count, text.runList.ends[runIndex] <= range.lowerBound {
      runIndex += 1
    }
    var open: [HTMLInlineElement] = []
    var markup = SafeMarkup()
    var position = range.lowerBound
    while position < end, runIndex < text.runList.count {
      let number = text.runList.numbers[runIndex]
      var runEnd = min(text.runList.ends[runIndex], end)
      let attributes = text.attributeTable[number]
      let isMarkup = attributes.isMarkup
      if isMarkup {
        // A tag may be said to look in several ways; it is read as one.
        while runEnd < end, runIndex + 1 < text.runList.count,
          text.attributeTable[text.runList.numbers[runIndex + 1]].isMarkup
        {
          runIndex += 1
          runEnd = min(text.runList.ends[runIndex], end)
        }
      }
      let wanted = elements(of: number, isBoldHere: isBoldHere)
      let shared = zip(open, wanted).prefix { $0 == $1 }.count
      while open.count > shared, let element = open.popLast() {
        element.appendEnd(to: &bytes)
      }
      for element in wanted[shared...] {
        element.appendStart(to: &bytes)
        open.append(element)
      }
      if isMarkup {
        if options.isSafe {
          position = markup.append(
            text.utf8, position..<runEnd, later: laterMarkup(before: end), to: &bytes)
        } else {
          appendMarkup(position..<runEnd)
          position = runEnd
        }
      } else {
        append(position..<runEnd, attributes, isCode: isCode)
        position = runEnd
      }
      while runIndex < text.runList.count, text.runList.ends[runIndex] <= position {
        runIndex += 1
      }
    }
    for element in open.reversed() { element.appendEnd(to: &bytes) }
  }

  /// The runs of raw HTML behind the one under way.
  private func laterMarkup(before end: Int) -> some Sequence<Range<Int>> {
    let first = runIndex + 1
    return (first..<max(first, text.runList.count)).lazy
      .map { ($0, text.runList.range($0)) }
      .prefix { $0.1.lowerBound < end }
      .filter { text.attributeTable[text.runList.numbers[$0.0]].isMarkup }
      .map { $0.1.clamped(to: 0..<end) }
  }

  private func isBold(_ index: Int) -> Bool {
    let block = text.blocks[index]
    if case .heading = block.kind { return true }
    guard block.container != BlockTree.none, case .cell = text.tree[block.container].kind,
      text.tree[block.container].parent != BlockTree.none
    else { return false }
    return text.tree[text.tree[block.container].parent].kind == .row(isHeader: true)
  }

  private mutating func elements(
    of number: AttributeTable.Number, isBoldHere: Bool
  ) -> [HTMLInlineElement] {
    if !isBoldHere, let known = elements[Int(number)] { return known }
    let new = HTMLInlineElement.elements(
      of: text.attributeTable[number], isBoldHere: isBoldHere, isSafe: options.isSafe)
    if !isBoldHere { elements[Int(number)] = new }
    return new
  }

  private mutating func append(
    _ range: Range<Int>, _ attributes: TextAttributes, isCode: Bool
  ) {
    if let image = attributes.image {
      for _ in 0..<max(range.count / Self.imageLength, 1) { append(image) }
      return
    }
    if attributes.isSoftBreak {
      bytes.append(contentsOf: repeatElement(.lineFeed, count: range.count))
      return
    }
    var start = range.lowerBound
    while !isCode, let lineEnd = text.utf8[start..<range.upperBound].firstIndex(of: .lineFeed) {
      bytes.appendHTML(escaping: text.utf8[start..<lineEnd])
      bytes.append("<br />\n" as StaticString)
      start = lineEnd + 1
    }
    bytes.appendHTML(escaping: text.utf8[start..<range.upperBound])
  }

  /// U+FFFC in UTF-8.
  private static var imageLength: Int { 3 }

  private mutating func append(_ image: TextImage) {
    guard !options.isSafe || SafeURL.isSafe(image.source, in: .picture) else {
      bytes.appendHTML(escaping: image.alternative)
      return
    }
    bytes.append("<img src=\"" as StaticString)
    bytes.appendHTML(url: image.source)
    bytes.append("\" alt=\"" as StaticString)
    bytes.appendHTML(escaping: image.alternative)
    if let title = image.title {
      bytes.append("\" title=\"" as StaticString)
      bytes.appendHTML(escaping: title)
    }
    bytes.append("\" />" as StaticString)
  }

  /// Appends raw HTML as it stands, but for tags that are asked to be shown.
  mutating func appendMarkup(_ range: Range<Int>) {
    var start = range.lowerBound
    if options.filtersTags {
      var offset = start
      while let less = text.utf8[offset..<range.upperBound].firstIndex(of: UInt8(ascii: "<")) {
        offset = less + 1
        guard isFilteredTag(at: offset, before: range.upperBound) else { continue }
        bytes.append(contentsOf: text.utf8[start..<less])
        bytes.append("&lt;" as StaticString)
        start = offset
      }
    }
    bytes.append(contentsOf: text.utf8[start..<range.upperBound])
  }

  private func isFilteredTag(at offset: Int, before end: Int) -> Bool {
    let start = offset < end && text.utf8[offset] == UInt8(ascii: "/") ? offset + 1 : offset
    for name: StaticString in [
      "title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext",
    ] where text.utf8.hasWord(name, at: start) {
      let behind = start + name.utf8CodeUnitCount
      guard behind < end else { return false }
      let byte = text.utf8[behind]
      return byte.isHTMLSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }
    return false
  }
}
