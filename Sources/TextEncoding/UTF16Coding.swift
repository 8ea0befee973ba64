/// UTF-16 to UTF-8.
enum UTF16Decoding {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, as charset: Charset, repairing: Bool
  ) throws(TextDecodingError) -> DecodedText {
    let (order, start) = unsafe byteOrder(of: bytes, as: charset)
    var end = bytes.count
    // A text terminated by one zero byte, as bytes are.
    if (end - start) % 2 != 0, unsafe bytes[end - 1] == 0 {
      end -= 1
    }
    let hasHalfUnit = (end - start) % 2 != 0
    var unitsEnd = hasHalfUnit ? end - 1 : end
    if !hasHalfUnit {
      while unitsEnd > start, unsafe order.unit(in: bytes, at: unitsEnd - 2) == 0 {
        unitsEnd -= 2
      }
    }
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<unitsEnd])

    let size = unsafe measure(text, order)
    if !repairing {
      if let lone = size.firstLoneSurrogate {
        throw .undecodable(charset, offset: start + lone)
      }
      if hasHalfUnit {
        throw .undecodable(charset, offset: unitsEnd)
      }
    }
    let output = unsafe [UInt8](capacity: size.utf8Count + (hasHalfUnit ? 3 : 0)) { cursor in
      var cursor = unsafe transcode(text, order, into: cursor)
      if hasHalfUnit {
        unsafe cursor.put(scalar: 0xFFFD)
      }
      return unsafe cursor.count
    }
    return .transcoded(output, isLossy: hasHalfUnit || size.firstLoneSurrogate != nil)
  }

  /// A byte order mark outranks the label: U+FFFE, which the mark would be in the other order, is
  /// not a character.
  private static func byteOrder(
    of bytes: UnsafeRawBufferPointer, as charset: Charset
  ) -> (order: UTF16ByteOrder, start: Int) {
    if let marked = unsafe UTF16ByteOrder(markIn: bytes) { return (marked, 2) }
    return switch charset.kind {
    case .utf16LE: (.little, 0)
    case .utf16BE: (.big, 0)
    default: unsafe (UTF16ByteOrder(zerosIn: bytes) ?? .native, 0)
    }
  }

  /// The size of the text in UTF-8, a lone surrogate being U+FFFD there, and where the first stands.
  private static func measure(
    _ text: UnsafeRawBufferPointer, _ order: UTF16ByteOrder
  ) -> (utf8Count: Int, firstLoneSurrogate: Int?) {
    var utf8Count = 0
    var firstLone: Int?
    var offset = 0
    while offset < text.count {
      let unit = unsafe order.unit(in: text, at: offset)
      if unit & 0xF800 != 0xD800 {
        utf8Count += 1 + (unit >= 0x80 ? 1 : 0) + (unit >= 0x800 ? 1 : 0)
        offset += 2
      } else if unsafe pair(in: text, at: offset, order) != nil {
        utf8Count += 4
        offset += 4
      } else {
        if firstLone == nil { firstLone = offset }
        utf8Count += 3
        offset += 2
      }
    }
    return (utf8Count, firstLone)
  }

  private static func transcode(
    _ text: UnsafeRawBufferPointer, _ order: UTF16ByteOrder, into cursor: ByteCursor
  ) -> ByteCursor {
    var cursor = unsafe cursor
    let end = text.count
    var offset = 0
    while offset < end {
      // Four ASCII characters at a time.
      while end - offset >= 8 {
        let raw = unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let little = UInt64(littleEndian: raw)
        let word = order == .little ? little : little >> 8 | little << 56
        guard word & 0xFF80_FF80_FF80_FF80 == 0 else { break }
        let halves = (word | word >> 8) & 0x0000_FFFF_0000_FFFF
        unsafe cursor.put(word: UInt32(truncatingIfNeeded: halves | halves >> 16).littleEndian)
        offset += 8
      }
      guard offset < end else { break }
      let unit = unsafe order.unit(in: text, at: offset)
      offset += 2
      if unit & 0xF800 != 0xD800 {
        unsafe cursor.put(scalar: UInt32(unit))
      } else if let scalar = unsafe pair(in: text, at: offset - 2, order) {
        unsafe cursor.put(scalar: scalar)
        offset += 2
      } else {
        unsafe cursor.put(scalar: 0xFFFD)
      }
    }
    return unsafe cursor
  }

  /// The scalar of the surrogate pair at `offset`, if there is one.
  @inline(__always)
  private static func pair(
    in text: UnsafeRawBufferPointer, at offset: Int, _ order: UTF16ByteOrder
  ) -> UInt32? {
    guard text.count - offset >= 4 else { return nil }
    let high = unsafe order.unit(in: text, at: offset)
    let low = unsafe order.unit(in: text, at: offset + 2)
    guard high & 0xFC00 == 0xD800, low & 0xFC00 == 0xDC00 else { return nil }
    return 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF))
  }
}

/// Valid UTF-8 to UTF-16.
enum UTF16Encoding {
  static func encode(_ utf8: UnsafeRawBufferPointer, order: UTF16ByteOrder) -> EncodedText {
    let end = utf8.count
    let capacity = unsafe unitCount(of: utf8) * 2
    let output = unsafe [UInt8](capacity: capacity) { cursor in
      var cursor = unsafe cursor
      var offset = 0
      while offset < end {
        // Eight ASCII characters at a time.
        while end - offset >= 8 {
          let raw = unsafe utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          let word = UInt64(littleEndian: raw)
          guard word & 0x8080_8080_8080_8080 == 0 else { break }
          unsafe cursor.put(word: order.storedWidened(UInt32(truncatingIfNeeded: word)))
          unsafe cursor.put(word: order.storedWidened(UInt32(truncatingIfNeeded: word >> 32)))
          offset += 8
        }
        guard offset < end else { break }
        repeat {
          let length = unsafe UTF8Sequence.validLength(lead: utf8[offset])
          let scalar = unsafe UTF8Sequence.scalar(in: utf8, at: offset, length: length)
          offset += length
          if scalar < 0x10000 {
            unsafe cursor.put(unit: order.stored(UInt16(truncatingIfNeeded: scalar)))
          } else {
            let rest = scalar - 0x10000
            unsafe cursor.put(unit: order.stored(UInt16(truncatingIfNeeded: 0xD800 | rest >> 10)))
            unsafe cursor.put(
              unit: order.stored(UInt16(truncatingIfNeeded: 0xDC00 | rest & 0x3FF)))
          }
        } while unsafe offset < end && utf8[offset] >= 0x80
      }
      return unsafe cursor.count
    }
    return EncodedText(bytes: output, substitutions: 0)
  }

  /// One unit for every sequence, two for those of four bytes.
  private static func unitCount(of utf8: UnsafeRawBufferPointer) -> Int {
    var units = 0
    for offset in 0..<utf8.count {
      let byte = unsafe utf8[offset]
      units += (byte & 0xC0 != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0)
    }
    return units
  }
}

extension UTF16ByteOrder {
  @inline(__always)
  fileprivate func stored(_ unit: UInt16) -> UInt16 {
    self == .little ? unit.littleEndian : unit.bigEndian
  }

  /// Four ASCII characters as four units.
  @inline(__always)
  fileprivate func storedWidened(_ characters: UInt32) -> UInt64 {
    var word = UInt64(characters)
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
    return self == .little ? word.littleEndian : (word << 8).littleEndian
  }
}
