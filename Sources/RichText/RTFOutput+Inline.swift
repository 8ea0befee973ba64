internal import TextEncoding

extension RTFOutput {
  /// Writes what a paragraph holds, without its mark.
  ///
  /// - Parameter style: how text looks in it of which nothing is said.
  mutating func writeInline(of index: Int, in style: TextStyle) {
    let range = text.blockRange(index)
    let end = range.upperBound - 1
    while runIndex < text.runList.count, text.runList.ends[runIndex] <= range.lowerBound {
      runIndex += 1
    }
    let styleNumber = self.number(of: style)
    var link: TextLink?
    var position = range.lowerBound
    while position < end, runIndex < text.runList.count {
      let number = text.runList.numbers[runIndex]
      let runEnd = min(text.runList.ends[runIndex], end)
      let attributes = text.attributeTable[number]
      settleLink(attributes.link.flatMap(shown), &link)
      if attributes.isMarkup {
        // Of tags, only a line break says something without the others.
        if text.utf8.hasWord("<br", at: position), position + 3 < runEnd,
          !text.utf8[position + 3].isASCIILetter
        {
          bytes.append("\\line " as StaticString)
        }
      } else {
        append(
          position..<runEnd, attributes,
          look(of: attributes, Look(attributes: number, paragraph: styleNumber), in: style))
      }
      position = runEnd
      if text.runList.ends[runIndex] <= end { runIndex += 1 }
    }
    settleLink(nil, &link)
  }

  private func shown(_ link: TextLink) -> TextLink? {
    link.destination.isEmpty || isSafe && !SafeURL.isSafe(link.destination, in: .link) ? nil : link
  }

  /// Ends the field of the link under way, unless it goes on, and begins the next.
  private mutating func settleLink(_ next: TextLink?, _ link: inout TextLink?) {
    guard link != next else { return }
    if link != nil { bytes.append("}}" as StaticString) }
    link = next
    guard let next else { return }
    bytes.append("{\\field{\\*\\fldinst{HYPERLINK \"" as StaticString)
    bytes.appendRTF(url: next.destination)
    bytes.append(UInt8(ascii: "\""))
    if let title = next.title, !title.isEmpty {
      bytes.append(" \\\\o \"" as StaticString)
      let quoted = title.utf8.map { $0 == UInt8(ascii: "\"") ? UInt8(ascii: "'") : $0 }
      bytes.appendRTF(escaping: quoted[...])
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append("}}{\\fldrslt " as StaticString)
  }

  private mutating func append(
    _ range: Range<Int>, _ attributes: TextAttributes, _ look: [UInt8]
  ) {
    if !look.isEmpty {
      bytes.append(UInt8(ascii: "{"))
      bytes.append(contentsOf: look)
      bytes.append(UInt8(ascii: " "))
    }
    if let image = attributes.image {
      for _ in 0..<max(range.count / 3, 1) {
        bytes.appendRTF(escaping: Array(image.alternative.utf8)[...])
      }
    } else {
      bytes.appendRTF(escaping: text.utf8[range])
    }
    if !look.isEmpty { bytes.append(UInt8(ascii: "}")) }
  }

  /// The control words for what a run looks like and its paragraph does not.
  private mutating func look(
    of attributes: TextAttributes, _ key: Look, in style: TextStyle
  ) -> [UInt8] {
    if key.attributes == 0 { return [] }
    if let known = looks[key] { return known }
    var look: [UInt8] = []
    append(styleSheet.style(of: attributes, over: style), over: style, to: &look)
    // AbiWord takes the text before for code as well, unless something else comes first.
    if attributes.isCode { look.append("\\cs9" as StaticString) }
    looks[key] = look
    return look
  }

  /// Appends control words for what one style says and the other does not.
  mutating func append(_ style: TextStyle, over other: TextStyle, to bytes: inout [UInt8]) {
    let (font, otherFont) = (fonts.number(of: style), fonts.number(of: other))
    if font != otherFont || other == TextStyle() { bytes.append("\\f", font) }
    if let size = style.fontSize, size != other.fontSize {
      bytes.append("\\fs", (min(max(size, 10), 16_380) + 2) / 5)
    }
    if style.isBold != other.isBold { bytes.append(style.isBold ? "\\b" : "\\b0" as StaticString) }
    if (style.isItalic == true) != (other.isItalic == true) {
      bytes.append(style.isItalic == true ? "\\i" : "\\i0" as StaticString)
    }
    if (style.isUnderlined == true) != (other.isUnderlined == true) {
      bytes.append(style.isUnderlined == true ? "\\ul" : "\\ulnone" as StaticString)
    }
    if (style.isStruckThrough == true) != (other.isStruckThrough == true) {
      bytes.append(style.isStruckThrough == true ? "\\strike" : "\\strike0" as StaticString)
    }
    if style.foreground != other.foreground {
      bytes.append("\\cf", style.foreground.map { colors.number(of: $0) } ?? 0)
    }
    if style.background != other.background {
      let color = style.background.map { colors.number(of: $0) } ?? 0
      bytes.append("\\chshdng0\\chcbpat", color)
      bytes.append("\\cb", color)
    }
    if style.baseline != other.baseline {
      switch style.baseline {
      case .superscript: bytes.append("\\super" as StaticString)
      case .subscripted: bytes.append("\\sub" as StaticString)
      case .normal, nil: if other.baseline != nil { bytes.append("\\nosupersub" as StaticString) }
      }
    }
  }
}
