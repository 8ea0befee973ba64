/// ISO 8859-1 and ASCII, whose bytes are the first scalars.
enum SingleByteCoding {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, as charset: Charset, repairing: Bool
  ) throws(TextDecodingError) -> DecodedText {
    let end = unsafe TextDecoder.endWithoutClosingNULs(of: bytes)
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
    let firstHigh = unsafe UTF8Validation.asciiPrefixLength(of: text)
    guard firstHigh < end else { return .unchanged(0..<end) }
    let isASCII = charset == .ascii
    guard !isASCII || repairing else { throw .undecodable(charset, offset: firstHigh) }

    var high = 0
    for offset in firstHigh..<end {
      high += unsafe Int(text[offset] >> 7)
    }
    // A high byte is two bytes of UTF-8, or the three of U+FFFD.
    let output = unsafe [UInt8](capacity: end + high * (isASCII ? 2 : 1)) { cursor in
      var cursor = unsafe cursor
      var offset = 0
      while true {
        let asciiEnd = unsafe UTF8Validation.endOfASCII(in: text, from: offset)
        unsafe cursor.put(UnsafeRawBufferPointer(rebasing: text[offset..<asciiEnd]))
        offset = asciiEnd
        guard offset < end else { return unsafe cursor.count }
        repeat {
          unsafe cursor.put(scalar: isASCII ? 0xFFFD : UInt32(text[offset]))
          offset += 1
        } while unsafe offset < end && text[offset] >= 0x80
      }
    }
    return .transcoded(output, isLossy: isASCII)
  }

  /// Encodes valid UTF-8, with `?` for every scalar over `limit`.
  static func encode(_ utf8: UnsafeRawBufferPointer, limit: UInt32) -> EncodedText {
    var substitutions = 0
    let output = unsafe [UInt8](capacity: utf8.count) { cursor in
      var cursor = unsafe cursor
      var offset = 0
      while true {
        let asciiEnd = unsafe UTF8Validation.endOfASCII(in: utf8, from: offset)
        unsafe cursor.put(UnsafeRawBufferPointer(rebasing: utf8[offset..<asciiEnd]))
        offset = asciiEnd
        guard offset < utf8.count else { return unsafe cursor.count }
        repeat {
          let length = unsafe UTF8Sequence.validLength(lead: utf8[offset])
          let scalar = unsafe UTF8Sequence.scalar(in: utf8, at: offset, length: length)
          if scalar <= limit {
            unsafe cursor.put(UInt8(truncatingIfNeeded: scalar))
          } else {
            unsafe cursor.put(UInt8(ascii: "?"))
            substitutions += 1
          }
          offset += length
        } while unsafe offset < utf8.count && utf8[offset] >= 0x80
      }
    }
    return EncodedText(bytes: output, substitutions: substitutions)
  }
}
