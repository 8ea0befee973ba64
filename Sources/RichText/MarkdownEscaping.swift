internal import TextEncoding

/// Writes text so that no character of it means anything, with as few backslashes as that takes.
struct MarkdownEscaping {
  /// What comes behind a stretch of text.
  enum Following {
    /// The end of the paragraph.
    case end
    /// The bracket of a link.
    case bracket
    case other
  }

  private var escapesAsterisk = false
  private var escapesUnderscore = false
  private var escapesTilde = false
  private var escapesBacktick = false
  /// Whether a `<` may find a `>`, and a `@` within them.
  private var hasGreater = false
  private var hasAt = false
  private var isCell = false
  /// Whether addresses that are no links get a backslash, so that no reader takes them for links.
  private let marksAddresses: Bool

  init(marksAddresses: Bool) { self.marksAddresses = marksAddresses }

  // MARK: What the whole paragraph says

  /// Looks through a paragraph: what has no partner there needs no escape.
  mutating func prepare(
    _ text: AttributedText, _ pieces: [MarkdownPiece], _ delimiters: MarkdownDelimiters,
    _ spans: MarkdownSpans, in place: MarkdownInline.Place
  ) {
    self = MarkdownEscaping(marksAddresses: marksAddresses)
    isCell = place == .cell
    // HTML that begins in one cell may end in another one: md4c finds it before it parts the row.
    hasGreater = !delimiters.nodes.isEmpty || isCell
    var asterisks = Partners(UInt8(ascii: "*"))
    var underscores = Partners(UInt8(ascii: "_"))
    var tildes = Partners(UInt8(ascii: "~"))
    var backtickRuns: [Int] = []
    var hasCode = !delimiters.nodes.isEmpty || isCell
    for piece in pieces {
      switch piece.form {
      case .softBreak, .blank: continue
      case .hardBreak:
        // `<br>` where a line cannot end.
        if place != .paragraph { hasGreater = true }
        continue
      case .code, .image, .markup:
        hasCode = true
        hasGreater = true
        if case .image(let image) = spans.forms[Int(piece.attributes)] {
          noteTarget(image.source, image.title)
        }
        continue
      case .text: break
      }
      var offset = piece.range.lowerBound
      while offset < piece.range.upperBound {
        let byte = text.utf8[offset]
        guard byte < 0x80, Self.isCounted(byte) else {
          offset += 1
          continue
        }
        var end = offset + 1
        switch byte {
        case UInt8(ascii: ">"): hasGreater = true
        case UInt8(ascii: "@"): hasAt = true
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "`"):
          while end < piece.range.upperBound, text.utf8[end] == byte { end += 1 }
          switch byte {
          case UInt8(ascii: "*"): asterisks.add(text.utf8, offset..<end, in: piece.range)
          case UInt8(ascii: "_"): underscores.add(text.utf8, offset..<end, in: piece.range)
          case UInt8(ascii: "~"): tildes.add(text.utf8, offset..<end, in: piece.range)
          default: backtickRuns.append(end - offset)
          }
        default: break
        }
        offset = end
      }
    }
    for node in delimiters.nodes {
      switch node.mark {
      case .brackets:
        if case .link(let link) = node.kind { noteTarget(link.destination, link.title) }
      case .delimiter(UInt8(ascii: "*")): escapesAsterisk = true
      case .delimiter(UInt8(ascii: "_")): escapesUnderscore = true
      case .delimiter: escapesTilde = true
      case .element, .autolink, .none: break
      }
    }
    escapesAsterisk = escapesAsterisk || asterisks.arePossible
    escapesUnderscore = escapesUnderscore || underscores.arePossible
    escapesTilde = escapesTilde || tildes.arePossible
    escapesBacktick = !backtickRuns.isEmpty && (hasCode || backtickRuns.count > 1)
  }

  /// md4c takes what stands in the destination and the title of a link for delimiters as well.
  private mutating func noteTarget(_ destination: String, _ title: String?) {
    for string in [destination, title ?? ""] {
      for byte in string.utf8 {
        switch byte {
        case UInt8(ascii: "*"): escapesAsterisk = true
        case UInt8(ascii: "_"): escapesUnderscore = true
        case UInt8(ascii: "~"): escapesTilde = true
        default: break
        }
      }
    }
  }

  /// Whether a mark of emphasis or of a cell must be escaped in a destination or a title.
  func escapes(_ target: [UInt8], _ offset: Int) -> Bool {
    let byte = target[offset]
    guard byte != UInt8(ascii: "|") else { return isCell }
    var (start, end) = (offset, offset + 1)
    while start > 0, target[start - 1] == byte { start -= 1 }
    while end < target.count, target[end] == byte { end += 1 }
    let abilities = Self.abilities(byte, target, start..<end, in: target.indices)
    return escapesRun(of: byte) && (abilities.opensEver || abilities.closesEver)
  }

  private static func isCounted(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ">"), UInt8(ascii: "@"), UInt8(ascii: "*"), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "`"):
      true
    default: false
    }
  }

  /// Whether runs of a character could be read as delimiters of each other.
  private struct Partners {
    let character: UInt8
    private(set) var arePossible = false
    private var hasOpener = false

    init(_ character: UInt8) {
      self.character = character
    }

    mutating func add(_ text: [UInt8], _ run: Range<Int>, in piece: Range<Int>) {
      guard !arePossible else { return }
      let abilities = MarkdownEscaping.abilities(character, text, run, in: piece)
      if abilities.closesEver, hasOpener { arePossible = true }
      if abilities.opensEver { hasOpener = true }
    }
  }

  /// What a run of text could do; what stands beside the piece counts as punctuation.
  private static func abilities(
    _ character: UInt8, _ text: [UInt8], _ run: Range<Int>, in piece: Range<Int>
  ) -> MarkdownDelimiterAbilities {
    let left =
      run.lowerBound > piece.lowerBound
      ? MarkdownCharacterClass(text.scalar(before: run.lowerBound).value) : .punctuation
    let right =
      run.upperBound < piece.upperBound
      ? MarkdownCharacterClass(text.scalar(at: run.upperBound).value) : .punctuation
    // md4c takes a tilde for a delimiter wherever no blank stands beside it.
    if character == UInt8(ascii: "~") {
      return MarkdownDelimiterAbilities(
        character, left == .blank ? .blank : .other, right == .blank ? .blank : .other)
    }
    return MarkdownDelimiterAbilities(character, left, right)
  }

  // MARK: Writing

  /// Writes a stretch of text without line breaks.
  func append(
    _ text: [UInt8], _ range: Range<Int>, isInLink: Bool, following: Following,
    to output: inout [UInt8]
  ) {
    var done = range.lowerBound
    var offset = range.lowerBound
    while offset < range.upperBound {
      let byte = text[offset]
      guard byte < 0x80, Self.special[Int(byte)] else {
        offset += 1
        continue
      }
      var end = offset + 1
      var escapes = false
      switch byte {
      case 0..<0x20, 0x7F:
        output.append(contentsOf: text[done..<offset])
        output += "&#\(byte);".utf8
        done = end
        offset = end
        continue
      case UInt8(ascii: "\\"):
        escapes =
          end < range.upperBound
          ? MarkdownCharacterClass(UInt32(text[end])) == .punctuation || text[end] < 0x20
          : following != .end
      case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        while end < range.upperBound, text[end] == byte { end += 1 }
        if escapesRun(of: byte) {
          let abilities = Self.abilities(byte, text, offset..<end, in: range)
          escapes = abilities.opensEver || abilities.closesEver
        }
      case UInt8(ascii: "`"):
        while end < range.upperBound, text[end] == byte { end += 1 }
        escapes = escapesBacktick
      case UInt8(ascii: "["): escapes = isInLink
      case UInt8(ascii: "]"):
        escapes = isInLink || end < range.upperBound && text[end] == UInt8(ascii: "(")
      case UInt8(ascii: "!"): escapes = end == range.upperBound && following == .bracket
      case UInt8(ascii: "<"): escapes = beginsMarkup(text, end, range)
      case UInt8(ascii: "&"):
        escapes = MarkdownCharacterReference.stands(in: text, at: offset)
      case UInt8(ascii: "|"): escapes = isCell
      case UInt8(ascii: ":"):
        escapes = marksAddresses && !isInLink && MarkdownBareLink.isScheme(text, offset, range)
      case UInt8(ascii: "."):
        escapes = marksAddresses && !isInLink && MarkdownBareLink.isWWW(text, offset, range)
      case UInt8(ascii: "@"):
        escapes = marksAddresses && !isInLink && MarkdownBareLink.isAddress(text, offset, range)
      default: break
      }
      if escapes {
        output.append(contentsOf: text[done..<offset])
        for index in offset..<end {
          output.append(UInt8(ascii: "\\"))
          output.append(text[index])
        }
        done = end
      }
      offset = end
    }
    output.append(contentsOf: text[done..<range.upperBound])
  }

  /// Writes what is read in place of a picture.
  func append(alternative: String, isInLink: Bool, to output: inout [UInt8]) {
    var escaping = self
    escaping.escapesAsterisk = true
    escaping.escapesUnderscore = true
    escaping.escapesTilde = true
    escaping.escapesBacktick = true
    escaping.hasGreater = true
    let bytes = alternative.utf8.map { $0 == .lineFeed ? 0x20 : $0 }
    // Blanks at the ends are none of it, unless written so.
    var range = bytes.indices
    if bytes.first == 0x20 {
      output += "&#32;".utf8
      range = 1..<bytes.count
    }
    let isBlankLast = !range.isEmpty && bytes.last == 0x20
    if isBlankLast { range = range.lowerBound..<bytes.count - 1 }
    escaping.append(bytes, range, isInLink: isInLink, following: .other, to: &output)
    if isBlankLast { output += "&#32;".utf8 }
  }

  private func escapesRun(of byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "*"): escapesAsterisk
    case UInt8(ascii: "_"): escapesUnderscore
    default: escapesTilde
    }
  }

  /// Whether HTML or a link may begin with the `<` before `offset`.
  private func beginsMarkup(_ text: [UInt8], _ offset: Int, _ range: Range<Int>) -> Bool {
    guard hasGreater else { return false }
    guard offset < range.upperBound else { return true }
    let byte = text[offset]
    if byte.isASCIILetter || "/!?".utf8.contains(byte) { return true }
    return hasAt && (byte.isASCIIDigit || ".#$%&'*+=^_`{|}~-".utf8.contains(byte))
  }

  private static let special: [Bool] = {
    var special = [Bool](repeating: false, count: 128)
    for byte in 0..<0x20 where byte != 0x09 { special[byte] = true }
    special[0x7F] = true
    for byte in "\\*_~`[]!<&|:.@".utf8 { special[Int(byte)] = true }
    return special
  }()
}

/// What GitHub makes links of without being told.
enum MarkdownBareLink {
  /// Whether the colon at `offset` is that of `http://` and a host with a full stop.
  ///
  /// md4c does not look at the character behind `//`, so no mark must stand there either.
  static func isScheme(_ text: [UInt8], _ offset: Int, _ range: Range<Int>) -> Bool {
    guard offset + 2 < range.upperBound, text[offset + 1] == UInt8(ascii: "/"),
      text[offset + 2] == UInt8(ascii: "/")
    else { return false }
    var start = offset
    while start > range.lowerBound, offset - start < 6, text[start - 1].isASCIILetter { start -= 1 }
    let isScheme = ["http", "https", "ftp"].contains { scheme in
      scheme.utf8.count == offset - start
        && zip(scheme.utf8, text[start..<offset]).allSatisfy { $0 == $1.lowercasedASCII }
    }
    guard isScheme else { return false }
    guard offset + 3 < range.upperBound else { return true }
    return MarkdownCharacterClass(UInt32(text[offset + 3])) == .punctuation
      || isHost(text, offset + 3, range)
  }

  /// Whether the full stop at `offset` is that of `www.` and more of a host.
  static func isWWW(_ text: [UInt8], _ offset: Int, _ range: Range<Int>) -> Bool {
    guard offset >= range.lowerBound + 3, offset + 1 < range.upperBound else { return false }
    let www = text[offset - 3..<offset]
    guard www.allSatisfy({ $0 | 0x20 == UInt8(ascii: "w") }) else { return false }
    let isWithinWord =
      offset - 4 >= range.lowerBound
      && (text[offset - 4].isASCIILetter || text[offset - 4].isASCIIDigit)
    let next = text[offset + 1]
    return !isWithinWord
      && (next.isASCIILetter || next.isASCIIDigit || next >= 0x80 || next == 0x2D)
  }

  /// Whether the sign at `offset` stands in an address of mail.
  static func isAddress(_ text: [UInt8], _ offset: Int, _ range: Range<Int>) -> Bool {
    guard offset > range.lowerBound, offset + 1 < range.upperBound else { return false }
    let before = text[offset - 1]
    guard before.isASCIILetter || before.isASCIIDigit || ".-_+".utf8.contains(before),
      text[offset + 1].isASCIILetter || text[offset + 1].isASCIIDigit
    else { return false }
    return isHost(text, offset + 1, range)
  }

  private static func isHost(_ text: [UInt8], _ start: Int, _ range: Range<Int>) -> Bool {
    var offset = start
    var stops = 0
    while offset < range.upperBound, offset - start < 256 {
      let byte = text[offset]
      if byte == UInt8(ascii: ".") {
        stops += 1
      } else if !(byte.isASCIILetter || byte.isASCIIDigit || byte == 0x2D || byte == 0x5F
        || byte >= 0x80)
      {
        break
      }
      offset += 1
    }
    return stops > 0 && offset - start > 1 || offset - start == 256
  }
}
