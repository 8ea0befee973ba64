/// Text in a charset that somebody asked for.
package struct EncodedText: Equatable, Sendable {
  package var bytes: [UInt8]

  /// How many scalars the charset lacks; a `?` stands for each.
  package var substitutions: Int

  package init(bytes: [UInt8], substitutions: Int) {
    self.bytes = bytes
    self.substitutions = substitutions
  }
}

package enum TextEncodingError: Error, Equatable, Sendable {
  /// The text is not UTF-8 from this offset on.
  case notUTF8(offset: Int)

  /// The system's iconv does not convert to this charset.
  case unavailable(Charset)
}

/// Makes text of any charset from UTF-8.
package struct TextEncoder {
  /// Encodes `utf8`, without byte order mark or closing NUL.
  package static func encode(
    _ utf8: UnsafeRawBufferPointer, to charset: Charset
  ) throws(TextEncodingError) -> EncodedText {
    if let offset = unsafe UTF8Validation.firstInvalidOffset(in: utf8) {
      throw .notUTF8(offset: offset)
    }
    switch charset.kind {
    case .utf8:
      return unsafe EncodedText(bytes: [UInt8](utf8), substitutions: 0)
    case .utf16:
      return unsafe UTF16Encoding.encode(utf8, order: .native)
    case .utf16LE:
      return unsafe UTF16Encoding.encode(utf8, order: .little)
    case .utf16BE:
      return unsafe UTF16Encoding.encode(utf8, order: .big)
    case .latin1:
      return unsafe SingleByteCoding.encode(utf8, limit: 0xFF)
    case .ascii:
      return unsafe SingleByteCoding.encode(utf8, limit: 0x7F)
    case .compoundText:
      return unsafe CompoundTextEncoder.encode(utf8)
    case .other:
      return try unsafe encodeThroughIconv(utf8, to: charset)
    }
  }

  private static func encodeThroughIconv(
    _ utf8: UnsafeRawBufferPointer, to charset: Charset
  ) throws(TextEncodingError) -> EncodedText {
    guard var descriptor = IconvDescriptor(from: "UTF-8", to: charset.name) else {
      throw .unavailable(charset)
    }
    var output: [UInt8] = []
    output.reserveCapacity(utf8.count)
    var substitutions = 0
    var offset = 0
    while unsafe descriptor.convert(utf8, from: &offset, appendingTo: &output) != .finished {
      // The question mark goes through iconv as well, since the charset may shift or be wide.
      unsafe [UInt8(ascii: "?")].withUnsafeBytes { mark in
        var markOffset = 0
        _ = unsafe descriptor.convert(mark, from: &markOffset, appendingTo: &output)
      }
      substitutions += 1
      guard offset < utf8.count else { break }
      offset += unsafe UTF8Sequence.validLength(lead: utf8[offset])
    }
    descriptor.finish(appendingTo: &output)
    return EncodedText(bytes: output, substitutions: substitutions)
  }
}
