/// Writes what stands in a paragraph, line by line, without what its containers put before the lines.
struct MarkdownInline {
  /// Where it is written to: what breaks are there, and how bars are meant.
  enum Place {
    case paragraph
    /// A heading behind `#`, which is one line.
    case heading
    /// A cell of a table.
    case cell
  }

  /// What was written; lines end with line feeds, but for the last one.
  private(set) var bytes: [UInt8] = []
  /// Where lines begin, and whether with text: what would begin a block there has to be escaped.
  private(set) var lines: [(start: Int, isText: Bool)] = []

  private let text: AttributedText
  private let spans: MarkdownSpans
  private let isExact: Bool
  private var pieces: [MarkdownPiece] = []
  private var delimiters = MarkdownDelimiters()
  private var open: [(span: MarkdownSpans.Number, node: Int)] = []
  private var escaping: MarkdownEscaping
  private var place = Place.paragraph
  private var linkDepth = 0

  init(_ text: AttributedText, _ spans: MarkdownSpans, isExact: Bool) {
    self.text = text
    self.spans = spans
    self.isExact = isExact
    escaping = MarkdownEscaping(marksAddresses: isExact)
  }

  /// Whether lines break in a range, so that a heading of it needs more than one line.
  static func hasBreaks(
    _ text: AttributedText, _ range: Range<Int>, run: Int, _ spans: MarkdownSpans
  )
    -> Bool
  {
    var run = run
    while run < text.runList.count, text.runList.range(run).lowerBound < range.upperBound {
      if case .softBreak = spans.forms[Int(text.runList.numbers[run])] { return true }
      run += 1
    }
    return text.utf8[range].contains(.lineFeed)
  }

  /// Writes a range anew; `run` is the run that it begins in.
  mutating func write(_ range: Range<Int>, run: Int, as place: Place) {
    self.place = place
    bytes.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    delimiters.removeAll()
    linkDepth = 0
    MarkdownPieces.append(of: text, range, run: run, spans, to: &pieces)
    trimBreaks()
    arrange()
    delimiters.choose()
    escaping.prepare(text, pieces, delimiters, spans, in: place)
    writeTokens()
  }

  /// Line breaks at the end, which Markdown cannot say, go; so do blanks at both ends that nobody
  /// wants.
  private mutating func trimBreaks() {
    while let last = pieces.last, last.form == .hardBreak || last.form == .blank && !isExact {
      pieces.removeLast()
    }
    guard place != .paragraph else { return }
    while let first = pieces.first, first.form == .hardBreak { pieces.removeFirst() }
  }

  // MARK: Tokens

  /// Makes tokens and nodes of the pieces: spans that follow each other and are equal are one.
  private mutating func arrange() {
    open.removeAll(keepingCapacity: true)
    for index in pieces.indices {
      let own = pieces[index].spans
      var shared = 0
      while shared < open.count, shared < own.count, open[shared].span == own[shared] {
        shared += 1
      }
      close(to: shared)
      for span in own[shared...] { begin(span) }
      delimiters.tokens.append(.piece(index))
      delimiters.edges.append(edges(of: pieces[index]))
    }
    close(to: 0)
  }

  private mutating func begin(_ span: MarkdownSpans.Number) {
    let kind = spans.kinds[Int(span)]
    var node = MarkdownNode(
      kind: kind, mark: .element, span: span, open: delimiters.tokens.count, close: 0)
    switch kind {
    case .link:
      let isInLink = open.contains { delimiters.nodes[$0.node].mark == .brackets }
      node.mark = isInLink ? .none : .brackets
    case .strikethrough:
      let around = open.count { entry in
        if case .strikethrough = delimiters.nodes[entry.node].kind { true } else { false }
      }
      node.isInner = around == 1
      if around > 1 { node.mark = .none }
    case .emphasis, .strong: break
    }
    open.append((span, delimiters.nodes.count))
    delimiters.tokens.append(.open(delimiters.nodes.count))
    delimiters.nodes.append(node)
  }

  private mutating func close(to depth: Int) {
    while open.count > depth {
      let node = open.removeLast().node
      delimiters.nodes[node].close = delimiters.tokens.count
      delimiters.tokens.append(.close(node))
      if case .link(let link) = delimiters.nodes[node].kind, isAutolink(node, link) {
        delimiters.nodes[node].mark = .autolink
      }
    }
  }

  /// Whether a link just says where it leads.
  private func isAutolink(_ node: Int, _ link: TextLink) -> Bool {
    let first = delimiters.nodes[node].open + 1
    guard delimiters.nodes[node].mark == .brackets, link.title == nil,
      delimiters.nodes[node].close == first + 1, case .piece(let index) = delimiters.tokens[first],
      pieces[index].form == .text
    else { return false }
    return MarkdownAutolink.isValid(
      text.utf8, pieces[index].range, destination: link.destination, isCell: place == .cell)
  }

  private func edges(
    of piece: MarkdownPiece
  ) -> (left: MarkdownCharacterClass, right: MarkdownCharacterClass) {
    switch piece.form {
    case .text:
      (
        MarkdownCharacterClass(text.utf8.scalar(at: piece.range.lowerBound).value),
        MarkdownCharacterClass(text.utf8.scalar(before: piece.range.upperBound).value)
      )
    case .blank, .softBreak: (.blank, .blank)
    case .hardBreak: (.punctuation, place == .paragraph ? .blank : .punctuation)
    case .image, .code, .markup: (.punctuation, .punctuation)
    }
  }

  // MARK: Writing

  private mutating func writeTokens() {
    beginLine()
    let tokens = delimiters.tokens
    var index = 0
    while index < tokens.count {
      switch tokens[index] {
      case .open(let node):
        if delimiters.nodes[node].mark == .autolink {
          if case .piece(let piece) = tokens[index + 1] { writeAutolink(pieces[piece].range) }
          index += 2
        } else {
          writeOpening(node)
        }
      case .close(let node):
        writeClosing(node)
      case .piece(let piece):
        write(piece, next: index + 1 < tokens.count ? tokens[index + 1] : nil)
      }
      index += 1
    }
  }

  private var isAtLineStart: Bool { lines.last?.start == bytes.count }

  private mutating func beginLine() {
    lines.append((bytes.count, false))
  }

  private mutating func writeAutolink(_ range: Range<Int>) {
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: text.utf8[range])
    bytes.append(UInt8(ascii: ">"))
  }

  private mutating func writeOpening(_ number: Int) {
    let node = delimiters.nodes[number]
    switch node.mark {
    case .delimiter(let character):
      for _ in 0..<node.delimiterLength { bytes.append(character) }
    case .element:
      bytes += "<\(Self.element(node.kind))>".utf8
    case .brackets:
      bytes.append(UInt8(ascii: "["))
      linkDepth += 1
    case .autolink, .none: break
    }
  }

  private mutating func writeClosing(_ number: Int) {
    let node = delimiters.nodes[number]
    switch node.mark {
    case .delimiter(let character):
      for _ in 0..<node.delimiterLength { bytes.append(character) }
    case .element:
      bytes += "</\(Self.element(node.kind))>".utf8
    case .brackets:
      linkDepth -= 1
      if case .link(let link) = node.kind {
        bytes.append(UInt8(ascii: "]"))
        MarkdownDestination.append(link.destination, link.title, escaping, to: &bytes)
      }
    case .autolink, .none: break
    }
  }

  private static func element(_ kind: MarkdownSpans.Kind) -> String {
    switch kind {
    case .emphasis: "em"
    case .strong: "strong"
    case .strikethrough: "del"
    case .link: "a"
    }
  }

  private mutating func write(_ index: Int, next: MarkdownToken?) {
    let piece = pieces[index]
    let isLast = index == pieces.count - 1
    let nextPiece = isLast ? nil : pieces[index + 1]
    switch piece.form {
    case .text, .blank:
      writeText(piece.range, isLast: isLast, nextPiece: nextPiece, next: next)
    case .softBreak:
      writeSoftBreak(isLast: isLast, nextPiece: nextPiece)
    case .hardBreak:
      switch place {
      case .paragraph:
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(.lineFeed)
        beginLine()
      case .heading, .cell:
        bytes += "<br>".utf8
      }
    case .image:
      writeImage(piece)
    case .code:
      MarkdownCode.append(text.utf8[piece.range], isCell: place == .cell, to: &bytes)
    case .markup:
      writeMarkup(piece.range)
    }
  }

  /// Whether nothing but one piece of HTML was written of the line.
  private var isMarkupAlone: Bool {
    guard let line = lines.last, !line.isText, bytes.count > line.start else { return false }
    return bytes[line.start] == UInt8(ascii: "<") && bytes.last == UInt8(ascii: ">")
  }

  private mutating func writeSoftBreak(isLast: Bool, nextPiece: MarkdownPiece?) {
    guard place == .paragraph || isExact else {
      bytes.append(0x20)
      return
    }
    let isEdge =
      isAtLineStart || isLast || nextPiece?.form == .softBreak || nextPiece?.form == .hardBreak
    // A line that begins with HTML would be a block of HTML; so would a tag on the first line, alone.
    var isBlock = lines.count == 1 && isMarkupAlone
    if let nextPiece, nextPiece.form == .markup {
      isBlock =
        isBlock || MarkdownBlockStart.isMarkup(text.utf8, nextPiece.range, interrupts: true)
    }
    if place != .paragraph || isEdge || isBlock {
      bytes += "&#10;".utf8
    } else {
      bytes.append(.lineFeed)
      beginLine()
    }
  }

  private mutating func writeText(
    _ range: Range<Int>, isLast: Bool, nextPiece: MarkdownPiece?, next: MarkdownToken?
  ) {
    var (start, end) = (range.lowerBound, range.upperBound)
    // White space at the ends of a line.
    let endsLine = isLast || nextPiece?.form == .softBreak || nextPiece?.form == .hardBreak
    if isAtLineStart || bytes.isEmpty {
      if isExact {
        if text.utf8[start] == 0x20 || text.utf8[start] == 0x09 {
          appendReference(text.utf8[start])
          start += 1
        }
      } else {
        while start < end, text.utf8[start] == 0x20 || text.utf8[start] == 0x09 { start += 1 }
      }
    }
    var closing: UInt8?
    if endsLine, start < end {
      if isExact {
        if text.utf8[end - 1] == 0x20 || text.utf8[end - 1] == 0x09 {
          closing = text.utf8[end - 1]
          end -= 1
        }
      } else {
        while end > start, text.utf8[end - 1] == 0x20 || text.utf8[end - 1] == 0x09 { end -= 1 }
      }
    }
    guard start < end || closing != nil else { return }
    if isAtLineStart { lines[lines.count - 1].isText = true }
    var following = MarkdownEscaping.Following.other
    if closing != nil {
      following = .other
    } else if isLast, next == nil {
      following = .end
    } else if case .open(let node) = next, delimiters.nodes[node].mark == .brackets {
      following = .bracket
    } else if case .piece = next, nextPiece?.form == .image {
      following = .other
    }
    escaping.append(
      text.utf8, start..<end, isInLink: linkDepth > 0, following: following, to: &bytes)
    if let closing { appendReference(closing) }
  }

  private mutating func appendReference(_ byte: UInt8) {
    bytes += byte == 0x20 ? "&#32;".utf8 : "&#9;".utf8
  }

  private mutating func writeImage(_ piece: MarkdownPiece) {
    guard case .image(let image) = spans.forms[Int(piece.attributes)] else { return }
    guard !MarkdownSpans.isLongData(image.source) else {
      if isAtLineStart { lines[lines.count - 1].isText = true }
      escaping.append(alternative: image.alternative, isInLink: linkDepth > 0, to: &bytes)
      return
    }
    bytes += "![".utf8
    escaping.append(alternative: image.alternative, isInLink: true, to: &bytes)
    bytes.append(UInt8(ascii: "]"))
    MarkdownDestination.append(image.source, image.title, escaping, to: &bytes)
  }

  /// HTML, byte for byte; its lines are none of text.
  private mutating func writeMarkup(_ range: Range<Int>) {
    for index in range {
      let byte = text.utf8[index]
      switch byte {
      case .lineFeed where place == .paragraph:
        bytes.append(.lineFeed)
        beginLine()
      case .lineFeed:
        bytes.append(0x20)
      case UInt8(ascii: "|") where place == .cell:
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      default:
        bytes.append(byte)
      }
    }
  }
}
