import Glibc

/// What became of foreign text: always UTF-8.
package enum DecodedText: Equatable, Sendable {
  /// The input already is UTF-8. This range of it is the text; a byte order mark and closing NULs
  /// lie outside.
  case unchanged(Range<Int>)

  /// New bytes. Lossy means that U+FFFD stands for something that could not be decoded.
  case transcoded([UInt8], isLossy: Bool)

  package var isLossy: Bool {
    switch self {
    case .unchanged: false
    case .transcoded(_, let isLossy): isLossy
    }
  }

  /// The text's bytes, copied out of `input` where they were left there.
  package func bytes(of input: UnsafeRawBufferPointer) -> [UInt8] {
    switch self {
    case .unchanged(let range):
      unsafe [UInt8](UnsafeRawBufferPointer(rebasing: input[range.clamped(to: 0..<input.count)]))
    case .transcoded(let bytes, _):
      bytes
    }
  }
}

package enum TextDecodingError: Error, Equatable, Sendable {
  /// The bytes at this offset of the input mean nothing in the charset.
  case undecodable(Charset, offset: Int)

  /// The system's iconv does not convert from this charset after all.
  case unavailable(Charset)
}

/// Makes UTF-8 of text in any charset.
package struct TextDecoder {
  /// Decodes `bytes`.
  ///
  /// Closing NULs are cut off, whatever the charset, since programs terminate text with them, and so
  /// is a byte order mark. Line ends and everything else stay as they are. Text that needs no
  /// conversion is not copied. Nobody may write to the bytes meanwhile, in another process neither.
  ///
  /// - Parameter repairing: writes U+FFFD for what cannot be decoded instead of throwing.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer, as charset: Charset, repairing: Bool = false
  ) throws(TextDecodingError) -> DecodedText {
    switch charset.kind {
    case .utf8:
      return try unsafe decodeUTF8(bytes, repairing: repairing)
    case .utf16, .utf16LE, .utf16BE:
      return try unsafe UTF16Decoding.decode(bytes, as: charset, repairing: repairing)
    case .latin1, .ascii:
      return try unsafe SingleByteCoding.decode(bytes, as: charset, repairing: repairing)
    case .compoundText:
      return try unsafe decodeCompoundText(bytes, repairing: repairing)
    case .other:
      return try unsafe decodeThroughIconv(bytes, as: charset, repairing: repairing)
    }
  }

  private static func decodeUTF8(
    _ bytes: UnsafeRawBufferPointer, repairing: Bool
  ) throws(TextDecodingError) -> DecodedText {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = unsafe bytes.starts(with: mark) ? mark.count : 0
    let end = unsafe max(start, endWithoutClosingNULs(of: bytes))
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    guard let invalid = unsafe UTF8Validation.firstInvalidOffset(in: text) else {
      return .unchanged(start..<end)
    }
    guard repairing else { throw .undecodable(.utf8, offset: start + invalid) }
    let (output, isLossy) = unsafe repairUTF8(text)
    return .transcoded(output, isLossy: isLossy)
  }

  /// Text that ought to be UTF-8, without closing NULs, with U+FFFD for what is not; at its beginning
  /// a byte order mark is a character.
  package static func repairUTF8(
    _ bytes: UnsafeRawBufferPointer
  ) -> (bytes: [UInt8], isLossy: Bool) {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<endWithoutClosingNULs(of: bytes)])
    var output: [UInt8] = []
    output.reserveCapacity(text.count + 16)
    let isLossy = unsafe output.appendRepairingUTF8(text)
    return (output, isLossy)
  }

  private static func decodeCompoundText(
    _ bytes: UnsafeRawBufferPointer, repairing: Bool
  ) throws(TextDecodingError) -> DecodedText {
    // Closing NULs are looked for in the result: an extended segment may well end with a zero byte.
    guard let start = bytes.baseAddress else { return .unchanged(0..<0) }
    if unsafe UTF8Validation.asciiPrefixLength(of: bytes) == bytes.count,
      unsafe memchr(start, 0x1B, bytes.count) == nil
    {
      return unsafe .unchanged(0..<endWithoutClosingNULs(of: bytes))
    }
    var decoder = unsafe CompoundTextDecoder(bytes, repairing: repairing)
    try decoder.decode()
    var output = decoder.output
    output.cutClosingNULs()
    return .transcoded(output, isLossy: decoder.isLossy)
  }

  private static func decodeThroughIconv(
    _ bytes: UnsafeRawBufferPointer, as charset: Charset, repairing: Bool
  ) throws(TextDecodingError) -> DecodedText {
    if charset.isASCIISuperset,
      unsafe UTF8Validation.asciiPrefixLength(of: bytes) == bytes.count
    {
      return unsafe .unchanged(0..<endWithoutClosingNULs(of: bytes))
    }
    guard let converter = IconvConverter(from: charset) else { throw .unavailable(charset) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    let isLossy = try unsafe converter.decode(
      bytes, as: charset, repairing: repairing, appendingTo: &output)
    output.cutClosingNULs()
    // UTF-32 and GB 18030 have a byte order mark too, and iconv keeps it in most of them.
    if output.starts(with: [0xEF, 0xBB, 0xBF]) {
      output.removeFirst(3)
    }
    return .transcoded(output, isLossy: isLossy)
  }

  static func endWithoutClosingNULs(of bytes: UnsafeRawBufferPointer) -> Int {
    var end = bytes.count
    while end > 0, unsafe bytes[end - 1] == 0 {
      end -= 1
    }
    return end
  }
}

extension IconvConverter {
  /// Decodes a whole text.
  ///
  /// - Returns: whether U+FFFD had to be written.
  func decode(
    _ bytes: UnsafeRawBufferPointer, as charset: Charset, repairing: Bool,
    appendingTo output: inout [UInt8]
  ) throws(TextDecodingError) -> Bool {
    var offset = 0
    var isLossy = false
    while true {
      let stop = unsafe convert(bytes, from: &offset, appendingTo: &output)
      guard stop == .finished || repairing else {
        throw .undecodable(charset, offset: offset)
      }
      // What was held back stands before the gap. In a shifting charset nothing is held back, and
      // the state must last.
      if stop == .finished || !charset.isShifting {
        finish(appendingTo: &output)
      }
      if stop == .finished { return isLossy }
      output.appendReplacementCharacter()
      isLossy = true
      if stop == .truncated { return true }
      offset = min(bytes.count, offset + charset.unitSize)
    }
  }
}

extension [UInt8] {
  mutating func cutClosingNULs() {
    let end = lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    removeLast(count - end)
  }
}
