internal import HTMLReader
internal import TextEncoding

/// What `&…;` in Markdown stands for (CommonMark 2.5): unlike HTML, only with the semicolon, and
/// numbers are code points, those of C1 controls too.
enum MarkdownCharacterReference {
  /// Appends the characters that a whole reference stands for, or its bytes where the name is none.
  static func append(_ reference: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    unsafe append(Array(reference), to: &output)
  }

  static func append(_ reference: [UInt8], to output: inout [UInt8]) {
    guard reference.count > 3, reference[0] == UInt8(ascii: "&"),
      reference.last == UInt8(ascii: ";")
    else { return output.append(contentsOf: reference) }
    if reference[1] == UInt8(ascii: "#") {
      return output.appendUTF8(number(reference[2..<reference.count - 1]))
    }
    guard
      let match = HTMLCharacterReference.match(
        in: reference, at: 1, before: reference.count, inAttribute: false),
      match.end == reference.count
    else { return output.append(contentsOf: reference) }
    output.appendUTF8(match.first)
    if let second = match.second { output.appendUTF8(second) }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt32 {
    var digits = digits
    var radix: UInt32 = 10
    if let first = digits.first, first | 0x20 == UInt8(ascii: "x") {
      radix = 16
      digits = digits.dropFirst()
    }
    var value: UInt32 = 0
    for digit in digits { value = min(value * radix + (digit.hexadecimalValue ?? 0), 0x11_0000) }
    switch value {
    case 0, 0xD800...0xDFFF, 0x11_0000...: return 0xFFFD
    default: return value
    }
  }
}

extension MarkdownCharacterReference {
  /// Whether a reference that means a character begins with the ampersand at `offset`.
  static func stands(in bytes: [UInt8], at offset: Int) -> Bool {
    let start = offset + 1
    guard start < bytes.count else { return false }
    if bytes[start] == UInt8(ascii: "#") {
      var index = start + 1
      let isHexadecimal = index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: "x")
      if isHexadecimal { index += 1 }
      let first = index
      while index < bytes.count, index - first <= 8,
        bytes[index].isASCIIDigit || isHexadecimal && bytes[index].hexadecimalValue != nil
      {
        index += 1
      }
      return index > first && index < bytes.count && bytes[index] == UInt8(ascii: ";")
    }
    guard
      let match = HTMLCharacterReference.match(
        in: bytes, at: start, before: min(bytes.count, start + 40), inAttribute: false)
    else { return false }
    return bytes[match.end - 1] == UInt8(ascii: ";")
  }
}
