internal import TextEncoding

extension AttributedText {
  /// The text with HTML that stands in Markdown read as what it means, for formats that cannot say HTML:
  /// a table is a table, `<kbd>` a key, `<img>` a picture.
  ///
  /// Takes time by the length of text and HTML.
  package func readingMarkup() -> AttributedText {
    let hasMarkup =
      attributeTable.values.contains(where: \.isMarkup)
      || blocks.contains { $0.kind == .markup }
    guard hasMarkup else { return self }
    var reading = MarkupReading()
    return reading.read(self)
  }
}

/// Copies a text, with its HTML read.
private struct MarkupReading {
  private var builder = AttributedTextBuilder()
  /// What tags say of the text in them, by the bytes of the tag.
  private var known: [[UInt8]: Meaning] = [:]
  /// The elements of a paragraph that are open, outermost first.
  private var open: [(name: [UInt8], attributes: TextAttributes)] = []

  /// Elements nest no deeper than this: more of them would make a text that is larger by the square.
  private static let maximumDepth = 16

  private enum Meaning {
    case image(TextImage)
    case text(TextAttributes)
    case nothing
  }

  mutating func read(_ text: AttributedText) -> AttributedText {
    copy(text)
    var result = builder.finish()
    result.isFragment = text.isFragment && result.blocks.count == 1
    return result
  }

  /// Appends the paragraphs of a text, in what is open.
  private mutating func copy(_ text: AttributedText, readsMarkup: Bool = true) {
    var path: [BlockTree.Number] = []
    var entered: [BlockTree.Number] = []
    for index in text.blocks.indices {
      let block = text.blocks[index]
      let range = text.blockRange(index)
      text.tree.path(to: block.container, into: &path)
      let shared = zip(entered, path).prefix { $0 == $1 }.count
      while entered.count > shared {
        builder.close()
        entered.removeLast()
      }
      for number in path[shared...] {
        builder.open(text.tree[number].kind)
        entered.append(number)
      }
      if block.kind == .markup, readsMarkup {
        copy(
          HTMLTextReader().read(Array(text.utf8[range].dropLast()), charset: .utf8),
          readsMarkup: false)
        continue
      }
      builder.beginParagraph(block.kind, alignment: block.alignment)
      open.removeAll(keepingCapacity: true)
      for run in text.runs(in: range.lowerBound..<range.upperBound - 1) {
        let bytes = text.utf8[run.range]
        if run.attributes.isMarkup, readsMarkup {
          readTags(bytes, in: run.attributes)
        } else {
          builder.attributes = attributes(run.attributes)
          builder.append(utf8: bytes)
        }
      }
      builder.attributes = .plain
      builder.endParagraph()
    }
    for _ in entered { builder.close() }
  }

  /// Attributes in the elements that are open.
  private func attributes(_ own: TextAttributes) -> TextAttributes {
    guard let element = open.last else { return own }
    var attributes = own
    var spans = element.attributes.spans.filter { !own.spans.contains($0) }
    // A link in a link is none; the inner one stays.
    if own.link != nil { spans.removeAll { if case .link = $0 { true } else { false } } }
    attributes.spans = spans + own.spans
    attributes.style = own.style.over(element.attributes.style)
    return attributes
  }

  // MARK: Tags

  /// Reads one tag after the other; tags that follow each other are one run.
  private mutating func readTags(_ bytes: ArraySlice<UInt8>, in around: TextAttributes) {
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = Self.endOfTag(bytes, from: start)
      readTag(Array(bytes[start..<end]), in: around)
      start = end
    }
  }

  /// Where a tag, a comment or the like ends that begins at `start`.
  private static func endOfTag(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
    var end = start
    if bytes[start...].starts(with: "<!--".utf8) {
      end += 4
      while end < bytes.endIndex {
        if bytes[end] == UInt8(ascii: ">"), bytes[..<end].suffix(2).elementsEqual("--".utf8) {
          return end + 1
        }
        end += 1
      }
      return end
    }
    var quote: UInt8?
    while end < bytes.endIndex {
      let byte = bytes[end]
      end += 1
      if byte == quote {
        quote = nil
      } else if quote == nil {
        if byte == UInt8(ascii: ">") { break }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
      }
    }
    return end
  }

  private mutating func readTag(_ tag: [UInt8], in around: TextAttributes) {
    let isEnd = tag.count > 1 && tag[1] == UInt8(ascii: "/")
    let name = tag.dropFirst(isEnd ? 2 : 1).prefix { $0.isASCIILetter || $0.isASCIIDigit }.map {
      $0.lowercasedASCII
    }
    guard !name.isEmpty else { return }
    if isEnd {
      if let element = open.lastIndex(where: { $0.name == name }) {
        open.removeSubrange(element...)
      }
      return
    }
    var outer = around
    outer.spans.removeAll { $0 == .markup }
    if name == Array("br".utf8) {
      builder.attributes = attributes(outer)
      return builder.appendLineBreak()
    }
    let meaning = known[tag] ?? Self.meaning(of: tag)
    known[tag] = meaning
    switch meaning {
    case .image(let image):
      builder.attributes = attributes(outer)
      builder.append(image)
    case .text(let said) where open.count < Self.maximumDepth:
      open.append((name, attributes(said)))
    case .text, .nothing: break
    }
  }

  /// What a tag says: that of a letter behind it.
  private static func meaning(of tag: [UInt8]) -> Meaning {
    let text = HTMLTextReader().read(tag + [UInt8(ascii: "x")], charset: .utf8)
    guard !text.isEmpty else { return .nothing }
    let attributes = text.attributes(at: 0).attributes
    if let image = attributes.image { return .image(image) }
    return attributes == .plain ? .nothing : .text(attributes)
  }
}
