// What runs of characters are: emphasis, code, links, and the rest of their looks.

extension RTFComposer {
  /// Appends the runs of a paragraph from a place in its text on.
  mutating func appendRuns(_ index: Int, from start: Int, _ facts: RTFSurvey.Facts) {
    var position = range(index).lowerBound
    var end = range(index).upperBound
    if facts.kind.isCode, !tables.isOwn {
      // Line ends behind the last line of code are its end, no lines.
      while end > start, document.utf8[end - 1] == .lineFeed { end -= 1 }
    }
    var lastField: Int32?
    for run in document.runs[runRange(index)] {
      let from = max(position, start)
      position = run.end
      let to = min(run.end, end)
      guard from < to else { continue }
      if let field = run.format.field, field != lastField { limitAddresses(ofField: field) }
      lastField = run.format.field
      let number = number(
        of: Look(format: run.format, base: facts.base, isInCode: facts.kind.isCode))
      if let picture = run.picture {
        if document.pictures.indices.contains(Int(picture)) {
          builder.attributes = attributes(run.format, facts.base, isInCode: facts.kind.isCode)
          builder.append(document.pictures[Int(picture)])
        }
      } else {
        builder.append(utf8: document.utf8[from..<to], number: number)
      }
    }
  }

  /// Leaves out links from here on where that would be too much.
  private mutating func limitAddresses(ofField field: Int32) {
    guard links.indices.contains(Int(field)), let link = links[Int(field)] else { return }
    addressesLeft -= link.destination.utf8.count + (link.title?.utf8.count ?? 0)
    guard addressesLeft < 0 else { return }
    links = []
    attributeNumbers = [:]
    lastNumber = nil
  }

  private mutating func number(of look: Look) -> AttributeTable.Number {
    if let last = lastNumber, last.look == look { return last.number }
    let number: AttributeTable.Number
    if let known = attributeNumbers[look] {
      number = known
    } else {
      number = builder.number(of: attributes(look.format, look.base, isInCode: look.isInCode))
      attributeNumbers[look] = number
    }
    lastNumber = (look, number)
    return number
  }

  private mutating func attributes(
    _ format: RTFCharacterFormat, _ base: RTFBase, isInCode: Bool
  ) -> TextAttributes {
    guard !tables.isPlainText else { return .plain }
    var attributes = TextAttributes.plain
    let link = format.field.flatMap { links.indices.contains(Int($0)) ? links[Int($0)] : nil }
    let look = format.look.subtracting(base.look)
    if !isInCode { attributes.spans = spans(format, look, link, base) }
    attributes.style = style(format, look, isLink: link != nil, base)
    return attributes
  }

  private mutating func spans(
    _ format: RTFCharacterFormat, _ look: RTFLook, _ link: TextLink?, _ base: RTFBase
  ) -> [TextSpan] {
    var spans: [TextSpan] = []
    if let link { spans.append(.link(link)) }
    if look.contains(.struck) { spans.append(.strikethrough) }
    if look.contains(.bold) { spans.append(.strong) }
    if look.contains(.italic) { spans.append(.emphasis) }
    let isCode =
      survey.isCode(characterStyle: format.style, tables)
      || (!base.isMonospaced && survey.isMonospaced(format.font, tables))
    if isCode { spans.append(.code) }
    return spans
  }

  private func style(
    _ format: RTFCharacterFormat, _ look: RTFLook, isLink: Bool, _ base: RTFBase
  ) -> TextStyle {
    var style = TextStyle()
    if look.contains(.superscript) { style.baseline = .superscript }
    if look.contains(.subscripted) { style.baseline = .subscripted }
    // Links have colour and line because they are links.
    if !isLink {
      if look.contains(.underlined) { style.isUnderlined = true }
      if format.foreground != base.foreground, let color = tables.colors[format.foreground],
        color != TextColor(red: 0, green: 0, blue: 0)
      {
        style.foreground = color
      }
    }
    if let color = tables.colors[format.background], format.background != 0,
      color != TextColor(red: 255, green: 255, blue: 255)
    {
      style.background = color
    }
    return style
  }
}
