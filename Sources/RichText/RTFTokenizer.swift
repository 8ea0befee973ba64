internal import TextEncoding

/// A control word with its parameter.
struct RTFControlWord {
  var keyword: RTFKeyword
  /// The character that it stands for, if its keyword is `character`.
  var scalar: UInt32 = 0
  /// A number with too many digits is the greatest or smallest of 32 bits.
  var parameter: Int?
}

enum RTFToken {
  case groupStart
  case groupEnd
  case word(RTFControlWord)
  /// A backslash and something that is no letter.
  case symbol(UInt8)
  /// A byte of text, written `\'hh`.
  case hex(UInt8)
  /// ASCII text without any control character but TAB.
  case text(Range<Int>)
  /// A run of bytes of 0x80 and up.
  case highBytes(Range<Int>)
  /// The data of `\bin`.
  case binary(Range<Int>)
}

/// Finds the groups, control words and text of RTF.
///
/// RTF is a matter of bytes: what they mean as characters depends on control words before them. Each
/// byte is looked at once. Line ends and other control characters are no text, wherever they stand;
/// only behind a backslash a line end is `\par` and a TAB `\tab`. A word or escape that the end of the
/// file cuts off, or may have cut off, is dropped: half a number is another character.
struct RTFTokenizer {
  let rtf: [UInt8]
  private(set) var position: Int
  /// Length of the data that follow the last word.
  private var binaryLength = 0
  private let vocabulary = RTFVocabulary.shared

  private static let longestWord = 32
  private static let backslash = UInt8(ascii: "\\")

  /// Reads on from `start`.
  init(_ rtf: [UInt8], from start: Int = 0) {
    self.rtf = rtf
    position = start
  }

  private func byte(at offset: Int) -> UInt8? {
    offset < rtf.count ? rtf[offset] : nil
  }

  /// The next token, or `nil` at the end.
  mutating func next() -> RTFToken? {
    if binaryLength > 0 {
      let start = position
      position += binaryLength
      binaryLength = 0
      return .binary(start..<position)
    }
    while position < rtf.count {
      switch rtf[position] {
      case UInt8(ascii: "{"):
        position += 1
        return .groupStart
      case UInt8(ascii: "}"):
        position += 1
        return .groupEnd
      case RTFTokenizer.backslash:
        if let token = takeControl() { return token }
      case 0x09, 0x20...0x7E:
        return .text(takeText())
      case 0x80...0xFF:
        return .highBytes(takeHighBytes())
      default:
        position += 1
      }
    }
    return nil
  }

  private mutating func takeText() -> Range<Int> {
    let start = position
    var offset = start + 1
    scan: while offset < rtf.count {
      switch rtf[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "}"), RTFTokenizer.backslash: break scan
      case 0x09, 0x20...0x7E: offset += 1
      default: break scan
      }
    }
    position = offset
    return start..<offset
  }

  private mutating func takeHighBytes() -> Range<Int> {
    let start = position
    while position < rtf.count, rtf[position] >= 0x80 { position += 1 }
    return start..<position
  }

  // MARK: Controls

  private mutating func takeControl() -> RTFToken? {
    position += 1
    guard let byte = byte(at: position) else { return nil }
    if byte.isASCIILetter {
      let word = takeWord()
      return position < rtf.count || binaryLength > 0 ? .word(word) : nil
    }
    position += 1
    switch byte {
    case UInt8(ascii: "'"):
      if position + 1 >= rtf.count { position = rtf.count }
      guard let first = self.byte(at: position)?.hexadecimalValue,
        let second = self.byte(at: position + 1)?.hexadecimalValue
      else { return nil }
      position += 2
      return .hex(UInt8(truncatingIfNeeded: first << 4 | second))
    case 0x0D:
      if self.byte(at: position) == 0x0A { position += 1 }
      return .word(RTFControlWord(keyword: .paragraph))
    case 0x0A:
      return .word(RTFControlWord(keyword: .paragraph))
    case 0x09:
      return .word(RTFControlWord(keyword: .tab))
    case 0x00..<0x20, 0x7F...0xFF:
      // A backslash that means nothing; what follows is read for itself.
      position -= 1
      return nil
    default:
      return .symbol(byte)
    }
  }

  private mutating func takeWord() -> RTFControlWord {
    var name = RTFWordName()
    let end = min(rtf.count, position + RTFTokenizer.longestWord)
    while position < end, rtf[position].isASCIILetter {
      name.append(rtf[position])
      position += 1
    }
    let parameter = takeParameter()
    if byte(at: position) == UInt8(ascii: " ") { position += 1 }
    let meaning = vocabulary.meaning(of: name)
    if meaning.keyword == .binary, let length = parameter, length > 0 {
      binaryLength = min(length, rtf.count - position)
    }
    return RTFControlWord(
      keyword: meaning.keyword, scalar: meaning.scalar, parameter: parameter)
  }

  private mutating func takeParameter() -> Int? {
    var offset = position
    let isNegative = byte(at: offset) == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let first = offset
    var value = 0
    while let digit = byte(at: offset), digit.isASCIIDigit {
      value = min(value * 10 + Int(digit & 0x0F), Int(Int32.max))
      offset += 1
    }
    guard offset > first || offset == rtf.count else { return nil }
    position = offset
    return isNegative ? -value : value
  }

  // MARK: Moving

  /// Goes to a place where the tokenizer was before.
  mutating func move(to position: Int) {
    self.position = min(max(position, 0), rtf.count)
    binaryLength = 0
  }

  /// Goes to the brace that ends the group, which is the next token.
  mutating func skipToGroupEnd() {
    position += binaryLength
    binaryLength = 0
    var depth = 0
    while position < rtf.count {
      switch rtf[position] {
      case UInt8(ascii: "{"):
        depth += 1
      case UInt8(ascii: "}"):
        if depth == 0 { return }
        depth -= 1
      case RTFTokenizer.backslash:
        skipControl()
        continue
      default:
        break
      }
      position += 1
    }
  }

  /// Skips a brace or backslash behind a backslash, and the data of `\bin`.
  private mutating func skipControl() {
    position += 1
    guard let byte = byte(at: position) else { return }
    if byte == UInt8(ascii: "b") {
      _ = takeWord()
      position += binaryLength
      binaryLength = 0
    } else {
      position += 1
    }
  }
}
