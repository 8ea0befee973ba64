internal import TextEncoding

/// Writes where a link leads or a picture lies: `(destination "title")`.
enum MarkdownDestination {
  static func append(
    _ destination: String, _ title: String?, _ escaping: MarkdownEscaping, to output: inout [UInt8]
  ) {
    output.append(UInt8(ascii: "("))
    let bytes = Array(destination.utf8)
    let isBare = isBare(bytes, hasTitle: title != nil)
    if !isBare { output.append(UInt8(ascii: "<")) }
    for (index, byte) in bytes.enumerated() {
      let escapes =
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"): true
        // Nothing of it may be taken for an attribute of a tag.
        case UInt8(ascii: "\""), UInt8(ascii: "'"): !isBare
        case UInt8(ascii: "`"): true
        // Nothing is emphasized in an address, but cells end at bars.
        case UInt8(ascii: "|"): escaping.escapes(bytes, index)
        case UInt8(ascii: "\\"): needsEscape(bytes, index)
        case UInt8(ascii: "&"): MarkdownCharacterReference.stands(in: bytes, at: index)
        default: false
        }
      append(byte, escapes: escapes, to: &output)
    }
    if !isBare { output.append(UInt8(ascii: ">")) }
    if let title, !title.isEmpty {
      output += " \"".utf8
      append(title: Array(title.utf8), escaping, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: ")"))
  }

  private static func append(
    title: [UInt8], _ escaping: MarkdownEscaping, to output: inout [UInt8]
  ) {
    for (index, byte) in title.enumerated() {
      let escapes =
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "<"): true
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "|"):
          escaping.escapes(title, index)
        case UInt8(ascii: "\\"): needsEscape(title, index)
        case UInt8(ascii: "&"): MarkdownCharacterReference.stands(in: title, at: index)
        default: false
        }
      append(byte, escapes: escapes, to: &output)
    }
  }

  private static func append(_ byte: UInt8, escapes: Bool, to output: inout [UInt8]) {
    if byte < 0x20 && byte != 0x09 || byte == 0x7F {
      output += "&#\(byte);".utf8
    } else {
      if escapes { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
  }

  /// A backslash in front of punctuation, or of what may follow the text.
  private static func needsEscape(_ bytes: [UInt8], _ index: Int) -> Bool {
    index + 1 >= bytes.count || MarkdownCharacterClass(UInt32(bytes[index + 1])) == .punctuation
      || bytes[index + 1] < 0x20
  }

  /// Whether a destination needs no angle brackets (CommonMark 6.3).
  private static func isBare(_ bytes: [UInt8], hasTitle: Bool) -> Bool {
    guard let first = bytes.first else { return !hasTitle }
    guard first != UInt8(ascii: "<") else { return false }
    var depth = 0
    for byte in bytes {
      switch byte {
      case 0...0x20, 0x7F: return false
      case UInt8(ascii: "("):
        depth += 1
        if depth > 16 { return false }
      case UInt8(ascii: ")"):
        depth -= 1
        if depth < 0 { return false }
      default: break
      }
    }
    return depth == 0
  }
}

/// A link that is written as `<https://…>` or `<name@host>`.
enum MarkdownAutolink {
  /// Whether the text is `destination`, and can stand in angle brackets (CommonMark 6.5).
  static func isValid(
    _ text: [UInt8], _ range: Range<Int>, destination: String, isCell: Bool
  ) -> Bool {
    if isCell, text[range].contains(UInt8(ascii: "|")) { return false }
    if text[range].elementsEqual(destination.utf8) { return isURI(text, range) }
    return destination.utf8.count == range.count + 7 && destination.hasPrefix("mailto:")
      && text[range].elementsEqual(destination.utf8.dropFirst(7)) && isAddress(text, range)
  }

  private static func isURI(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    guard text[offset].isASCIILetter else { return false }
    while offset < range.upperBound, text[offset] != UInt8(ascii: ":") {
      let byte = text[offset]
      guard byte.isASCIILetter || byte.isASCIIDigit || "+-.".utf8.contains(byte) else {
        return false
      }
      offset += 1
    }
    guard (2...31).contains(offset - range.lowerBound), offset < range.upperBound else {
      return false
    }
    return text[offset..<range.upperBound].allSatisfy {
      $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
    }
  }

  private static func isAddress(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    guard let at = text[range].firstIndex(of: UInt8(ascii: "@")), at > range.lowerBound else {
      return false
    }
    let isName = text[range.lowerBound..<at].allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0)
    }
    let labels = text[at + 1..<range.upperBound].split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return isName
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
          && label.last != UInt8(ascii: "-")
          && label.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
          }
      }
  }
}

/// Writes code within a line.
enum MarkdownCode {
  /// The longest delimiter that md4c reads.
  private static let longestDelimiter = 32

  static func append(_ code: ArraySlice<UInt8>, isCell: Bool, to output: inout [UInt8]) {
    let lengths = backtickRuns(in: code)
    guard let length = (1...longestDelimiter).first(where: { !lengths.contains($0) }) else {
      return appendElement(code, isCell: isCell, to: &output)
    }
    let delimiter = repeatElement(UInt8(ascii: "`"), count: length)
    // A blank at both sides is none of the code.
    let isAllBlank = code.allSatisfy { isBlank($0) }
    let needsBlanks =
      code.first == UInt8(ascii: "`") || code.last == UInt8(ascii: "`")
      || !isAllBlank && code.first.map(isBlank) == true && code.last.map(isBlank) == true
    output.append(contentsOf: delimiter)
    if needsBlanks { output.append(0x20) }
    for byte in code {
      if byte == UInt8(ascii: "|"), isCell { output.append(UInt8(ascii: "\\")) }
      output.append(byte == .lineFeed || byte == 0x0D ? 0x20 : byte)
    }
    if needsBlanks { output.append(0x20) }
    output.append(contentsOf: delimiter)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == .lineFeed || byte == 0x0D
  }

  private static func backtickRuns(in code: ArraySlice<UInt8>) -> Set<Int> {
    var lengths: Set<Int> = []
    guard code.contains(UInt8(ascii: "`")) else { return lengths }
    var length = 0
    for byte in code {
      if byte == UInt8(ascii: "`") {
        length += 1
      } else if length > 0 {
        lengths.insert(length)
        length = 0
      }
    }
    if length > 0 { lengths.insert(length) }
    return lengths
  }

  /// Code that no delimiter can hold.
  private static func appendElement(
    _ code: ArraySlice<UInt8>, isCell: Bool, to output: inout [UInt8]
  ) {
    output += "<code>".utf8
    for byte in code {
      switch byte {
      case .lineFeed, 0x0D: output.append(0x20)
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: output += "&#\(byte);".utf8
      default: output.append(byte)
      }
    }
    output += "</code>".utf8
  }
}
