internal import TextEncoding

/// What paragraphs hold, as plain text: pictures by what is to be read in their place, no tags, the
/// URLs of links behind them.
///
/// Paragraphs are asked for in their order.
struct PlainTextInline {
  let text: AttributedText
  let showsLinks: Bool
  /// What stands for a line end of the source that no reader shall see as one.
  let softBreak: UInt8

  private var runIndex = 0
  private var link: TextLink?
  private var linkStart = 0

  init(_ text: AttributedText, showsLinks: Bool, softBreak: UInt8) {
    self.text = text
    self.showsLinks = showsLinks
    self.softBreak = softBreak
  }

  /// Appends the text of a paragraph without its mark, line breaks as line feeds.
  mutating func append(_ index: Int, to bytes: inout [UInt8]) {
    let range = text.blockRange(index)
    let end = range.upperBound - 1
    while runIndex < text.runList.count, text.runList.ends[runIndex] <= range.lowerBound {
      runIndex += 1
    }
    var position = range.lowerBound
    while position < end, runIndex < text.runList.count {
      let number = text.runList.numbers[runIndex]
      let runEnd = min(text.runList.ends[runIndex], end)
      if number == 0 {
        settleLink(nil, in: &bytes)
        bytes.append(contentsOf: text.utf8[position..<runEnd])
      } else {
        append(position..<runEnd, text.attributeTable[number], to: &bytes)
      }
      position = runEnd
      if text.runList.ends[runIndex] <= end { runIndex += 1 }
    }
    settleLink(nil, in: &bytes)
  }

  private mutating func append(
    _ range: Range<Int>, _ attributes: TextAttributes, to bytes: inout [UInt8]
  ) {
    if showsLinks { settleLink(attributes.link, in: &bytes) }
    if let image = attributes.image {
      for _ in 0..<max(range.count / Self.imageLength, 1) {
        bytes.append(contentsOf: image.alternative.utf8)
      }
    } else if attributes.isSoftBreak {
      bytes.append(contentsOf: repeatElement(softBreak, count: range.count))
    } else if attributes.isMarkup {
      // Of tags, only a line break says something without the others.
      if text.utf8.hasWord("<br", at: range.lowerBound), range.count > 3,
        !text.utf8[range.lowerBound + 3].isASCIILetter
      {
        bytes.append(.lineFeed)
      }
    } else {
      bytes.append(contentsOf: text.utf8[range])
    }
  }

  /// U+FFFC in UTF-8.
  private static var imageLength: Int { 3 }

  /// Ends the link under way, unless it goes on, and begins the next.
  private mutating func settleLink(_ next: TextLink?, in bytes: inout [UInt8]) {
    guard link != next else { return }
    if let link {
      let shown = bytes[linkStart...]
      let url = Array(link.destination.utf8)
      if !url.isEmpty, url[0] != UInt8(ascii: "#"), !Self.says(shown, url) {
        if !shown.isEmpty { bytes.append(UInt8(ascii: " ")) }
        bytes.append(UInt8(ascii: "("))
        bytes.append(contentsOf: url)
        bytes.append(UInt8(ascii: ")"))
      }
    }
    link = next
    linkStart = bytes.count
  }

  /// Whether the text of a link is its URL, as that of links without brackets is.
  private static func says(_ text: ArraySlice<UInt8>, _ url: [UInt8]) -> Bool {
    guard text.count <= url.count else { return false }
    for scheme: StaticString in ["", "mailto:", "http://", "https://"] {
      let length = scheme.utf8CodeUnitCount
      guard url.hasWord(scheme, at: 0) else { continue }
      let rest = url[length...]
      if rest.elementsEqual(text) { return true }
      if rest.last == UInt8(ascii: "/"), rest.dropLast().elementsEqual(text) { return true }
    }
    return false
  }
}
