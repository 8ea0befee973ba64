/// A stretch of a paragraph that is written in one way.
struct MarkdownPiece {
  enum Form {
    case text
    /// White space at an end of a text; only where delimiters stand around it.
    case blank
    case softBreak
    case hardBreak
    case image
    case code
    case markup

    /// Whether a delimiter beside it has white space there.
    var isBlank: Bool { self == .blank || self == .softBreak || self == .hardBreak }
  }

  var form: Form
  /// Where it stands in the text.
  var range: Range<Int>
  /// The number of its attributes.
  var attributes: AttributeTable.Number
  /// The spans around it, outermost first.
  var spans: [MarkdownSpans.Number]
}

/// Takes a paragraph apart into pieces.
enum MarkdownPieces {
  /// The pieces of a range of a text; blanks at the edges of emphasis stand outside of it.
  static func append(
    of text: AttributedText, _ range: Range<Int>, run firstRun: Int, _ spans: MarkdownSpans,
    to pieces: inout [MarkdownPiece]
  ) {
    var run = firstRun
    while run < text.runList.count {
      let runRange = text.runList.range(run)
      guard runRange.lowerBound < range.upperBound else { break }
      let part = runRange.clamped(to: range)
      let number = text.runList.numbers[run]
      run += 1
      guard !part.isEmpty else { continue }
      switch spans.forms[Int(number)] {
      case .text: appendText(of: text, part, number, spans, to: &pieces)
      case .softBreak: appendEach(part, 1, .softBreak, number, spans, to: &pieces)
      case .image: appendEach(part, 3, .image, number, spans, to: &pieces)
      case .code: append(part, .code, number, spans, to: &pieces)
      case .markup: append(part, .markup, number, spans, to: &pieces)
      }
    }
    moveBlanksOut(&pieces, spans)
  }

  private static func append(
    _ range: Range<Int>, _ form: MarkdownPiece.Form, _ number: AttributeTable.Number,
    _ spans: MarkdownSpans, to pieces: inout [MarkdownPiece]
  ) {
    guard !range.isEmpty else { return }
    let own = spans.spans[Int(number)]
    // Runs whose difference Markdown cannot say are one.
    if let last = pieces.last, last.form == form, last.range.upperBound == range.lowerBound,
      last.spans == own, form == .text || form == .code || form == .markup
    {
      pieces[pieces.count - 1].range = last.range.lowerBound..<range.upperBound
    } else {
      pieces.append(MarkdownPiece(form: form, range: range, attributes: number, spans: own))
    }
  }

  private static func appendEach(
    _ range: Range<Int>, _ length: Int, _ form: MarkdownPiece.Form,
    _ number: AttributeTable.Number, _ spans: MarkdownSpans, to pieces: inout [MarkdownPiece]
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + length, range.upperBound)
      append(start..<end, form, number, spans, to: &pieces)
      start = end
    }
  }

  private static func appendText(
    of text: AttributedText, _ range: Range<Int>, _ number: AttributeTable.Number,
    _ spans: MarkdownSpans, to pieces: inout [MarkdownPiece]
  ) {
    let isDelimited = spans.spans[Int(number)].contains { spans.kinds[Int($0)].isDelimited }
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start
      while end < range.upperBound, text.utf8[end] != .lineFeed { end += 1 }
      if isDelimited {
        appendParts(of: text, start..<end, number, spans, to: &pieces)
      } else {
        append(start..<end, .text, number, spans, to: &pieces)
      }
      if end < range.upperBound {
        append(end..<end + 1, .hardBreak, number, spans, to: &pieces)
        end += 1
      }
      start = end
    }
  }

  /// Text with the white space at its ends as pieces of its own.
  private static func appendParts(
    of text: AttributedText, _ range: Range<Int>, _ number: AttributeTable.Number,
    _ spans: MarkdownSpans, to pieces: inout [MarkdownPiece]
  ) {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end {
      let scalar = text.utf8.scalar(at: start)
      guard MarkdownCharacterClass(scalar.value) == .blank else { break }
      start += scalar.length
    }
    while end > start {
      let scalar = text.utf8.scalar(before: end)
      guard MarkdownCharacterClass(scalar.value) == .blank else { break }
      end -= scalar.length
    }
    append(range.lowerBound..<start, .blank, number, spans, to: &pieces)
    append(start..<end, .text, number, spans, to: &pieces)
    append(end..<range.upperBound, .blank, number, spans, to: &pieces)
  }

  /// Takes blanks out of delimited spans that begin or end with them, inner ones first.
  private static func moveBlanksOut(_ pieces: inout [MarkdownPiece], _ spans: MarkdownSpans) {
    var previous = -1
    var index = 0
    while index < pieces.count {
      guard pieces[index].form.isBlank else {
        previous = index
        index += 1
        continue
      }
      var next = index
      while next < pieces.count, pieces[next].form.isBlank { next += 1 }
      for blank in index..<next where !pieces[blank].spans.isEmpty {
        var own = pieces[blank].spans
        while let last = own.last, spans.kinds[Int(last)].isDelimited,
          !(previous >= 0 && pieces[previous].spans.starts(with: own)
            && next < pieces.count && pieces[next].spans.starts(with: own))
        {
          own.removeLast()
        }
        if own.count != pieces[blank].spans.count { pieces[blank].spans = own }
      }
      index = next
    }
  }
}

/// What stands beside a delimiter, as it decides what the delimiter can do (CommonMark 6.2).
enum MarkdownCharacterClass {
  case blank
  case punctuation
  /// Currency signs and the like: punctuation since CommonMark 0.31, none before.
  case symbol
  case other

  init(_ scalar: UInt32) {
    switch scalar {
    case 0x09, 0x0A, 0x20: self = .blank
    // Controls are written as `&#1;`.
    case 0..<0x20, 0x7F: self = .punctuation
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: self = .punctuation
    case 0..<0x80: self = .other
    default:
      switch Unicode.Scalar(scalar)?.properties.generalCategory {
      case .spaceSeparator: self = .blank
      case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
        .initialPunctuation, .finalPunctuation, .otherPunctuation:
        self = .punctuation
      case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: self = .symbol
      default: self = .other
      }
    }
  }
}

extension [UInt8] {
  /// The scalar that begins at `offset`, which must lie in the text, of valid UTF-8.
  func scalar(at offset: Int) -> (value: UInt32, length: Int) {
    let lead = self[offset]
    guard lead >= 0xC0 else { return (UInt32(lead), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard offset + length <= count else { return (0xFFFD, 1) }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for index in offset + 1..<offset + length { value = value << 6 | UInt32(self[index] & 0x3F) }
    return (value, length)
  }

  /// The scalar that ends before `offset`.
  func scalar(before offset: Int) -> (value: UInt32, length: Int) {
    var start = offset - 1
    while start > 0, offset - start < 4, self[start] & 0xC0 == 0x80 { start -= 1 }
    let scalar = scalar(at: start)
    return (scalar.value, offset - start)
  }
}
