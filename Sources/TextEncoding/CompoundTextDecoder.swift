// COMPOUND_TEXT is ISO 2022 in a strait-jacket: a left half (GL, bytes 0x21–0x7E) and a right half
// (GR, 0xA0–0xFF), each holding one set of characters at a time, and escape sequences that exchange
// them. A text begins with ASCII to the left and ISO 8859-1's right half to the right.
//
//     n a \xEF v e          the Latin-1 bytes mean themselves
//     ESC $ ( B  F | K \    JIS X 0208 to the left: two bytes a character, 日本
//     ESC ( B               ASCII again
//     ESC % G … ESC % @     UTF-8 between, halves untouched
//     ESC % / 1 M L name STX …   a charset by name, M and L being its length
//     CSI 2 ] … CSI ]       right to left between; says nothing about characters
//
// (Compound Text Encoding, version 1.1, X Consortium; the UTF-8 sequence is XFree86's addition that
// every living implementation has.)

/// Decodes one COMPOUND_TEXT.
///
/// `decode()` runs once; the text stands in `output` then.
@safe
struct CompoundTextDecoder {
  private(set) var output: [UInt8] = []
  private(set) var isLossy = false

  /// Lives as long as the call that made this decoder, which does not leave it.
  private let bytes: UnsafeRawBufferPointer
  private let count: Int
  private let isRepairing: Bool
  private var offset = 0
  private var left = GraphicSet.ascii(.international)
  private var right = GraphicSet.latin1
  private var converters = IconvConverterPool()
  /// Bytes of one run in the form that iconv knows them.
  private var scratch: [UInt8] = []
  /// What the last extended segment was in; they mostly repeat.
  private var lastSegment: (name: String, charset: Charset?) = ("", nil)

  private static let escape: UInt8 = 0x1B
  private static let controlSequenceIntroducer: UInt8 = 0x9B
  private static let startOfText: UInt8 = 0x02

  init(_ bytes: UnsafeRawBufferPointer, repairing: Bool) {
    unsafe self.bytes = bytes
    count = bytes.count
    isRepairing = repairing
    output.reserveCapacity(bytes.count + bytes.count / 4)
  }

  mutating func decode() throws(TextDecodingError) {
    while let byte = byte(at: offset) {
      switch byte {
      case CompoundTextDecoder.escape:
        try escapeSequence()
      case CompoundTextDecoder.controlSequenceIntroducer:
        try controlSequence()
      case 0:
        // ICCCM 2.7.1: NUL separates the elements of a list, and each element is a text of its own.
        output.append(0)
        offset += 1
        left = .ascii(.international)
        right = .latin1
      case 0x01...0x20, 0x7F:
        // Only TAB and LF are allowed, but a carriage return is no reason to lose a text.
        output.append(byte)
        offset += 1
      case 0x21...0x7E:
        try graphics(in: left, while: 0x21...0x7E)
      case 0xA0...0xFF:
        try graphics(in: right, while: right.has96Characters ? 0xA0...0xFF : 0xA1...0xFE)
      default:
        try undecodable(skipping: 1)
      }
    }
  }

  // MARK: Characters

  /// Decodes a run of one half's bytes.
  private mutating func graphics(
    in set: GraphicSet, while range: ClosedRange<UInt8>
  ) throws(TextDecodingError) {
    var end = offset
    while let byte = byte(at: end), range.contains(byte) {
      end += 1
    }
    guard end > offset else {
      // 0xA0 or 0xFF with a set that has neither.
      return try undecodable(skipping: 1)
    }
    switch set {
    case .ascii(.international) where range.upperBound < 0x80:
      unsafe output.append(contentsOf: slice(offset..<end))
      offset = end
    case .ascii(let variant):
      for index in offset..<end {
        output.appendUTF8(variant.scalar((byte(at: index) ?? 0) & 0x7F))
      }
      offset = end
    case .latin1:
      for index in offset..<end {
        output.appendUTF8(UInt16(byte(at: index) ?? 0))
      }
      offset = end
    case .katakana:
      while offset < end {
        let column = (byte(at: offset) ?? 0) & 0x7F
        // The set ends with the semi-voiced sound mark.
        if column <= 0x5F {
          output.appendUTF8(0xFF61 + UInt16(column - 0x21))
          offset += 1
        } else {
          try undecodable(skipping: 1)
        }
      }
    case .rightHalf(let charset):
      try convert(upTo: end, from: charset, width: 1, prefix: [])
    case .doubleByte(let charset, let prefix):
      try convert(upTo: end, from: charset, width: 2, prefix: prefix)
    case .unknown(let width):
      while offset < end {
        try undecodable(skipping: min(width, end - offset))
      }
    }
  }

  /// Decodes a run through iconv, each character's bytes with the high bit set and behind `prefix`.
  private mutating func convert(
    upTo end: Int, from charset: Charset, width: Int, prefix: [UInt8]
  ) throws(TextDecodingError) {
    let whole = (end - offset) / width
    scratch.removeAll(keepingCapacity: true)
    for character in 0..<whole {
      scratch.append(contentsOf: prefix)
      for index in 0..<width {
        scratch.append((byte(at: offset + character * width + index) ?? 0) | 0x80)
      }
    }
    guard let converter = converters.converter(from: charset) else {
      while offset < end {
        try undecodable(skipping: min(width, end - offset))
      }
      return
    }
    let start = offset
    let step = prefix.count + width
    var done = 0
    while done < whole {
      var position = done * step
      let input = scratch
      let stop = unsafe input.withUnsafeBytes { buffer in
        unsafe converter.convert(buffer, from: &position, appendingTo: &output)
      }
      done = position / step
      offset = start + done * width
      converter.finish(appendingTo: &output)
      if stop == .finished { break }
      try undecodable(skipping: width)
      done += 1
    }
    offset = start + whole * width
    if offset < end {
      // Half a character, because the run ended within it.
      try undecodable(skipping: end - offset)
    }
  }

  // MARK: Control sequences

  /// ESC, intermediate bytes 0x20–0x2F, a final byte 0x30–0x7E.
  private mutating func escapeSequence() throws(TextDecodingError) {
    var end = offset + 1
    while let byte = byte(at: end), (0x20...0x2F).contains(byte) {
      end += 1
    }
    guard let final = byte(at: end), (0x30...0x7E).contains(final), end > offset + 1 else {
      // Cut off, or an escape of another kind.
      return try undecodable(skipping: max(1, end - offset))
    }
    let second = end > offset + 2 ? byte(at: offset + 2) : nil
    let sequenceEnd = end + 1
    switch (byte(at: offset + 1), second, end - offset - 1) {
    case (UInt8(ascii: "("), _, 1):
      left = .set94(final)
    case (UInt8(ascii: ")"), _, 1):
      right = .set94(final)
    case (UInt8(ascii: "-"), _, 1):
      right = .set96(final)
    case (UInt8(ascii: "$"), UInt8(ascii: "("), 2):
      left = .multiByte(final)
    case (UInt8(ascii: "$"), UInt8(ascii: ")"), 2):
      right = .multiByte(final)
    case (UInt8(ascii: "$"), nil, 1) where (UInt8(ascii: "@")...UInt8(ascii: "B")).contains(final):
      // ISO 2022's older, shorter form, which three sets keep.
      left = .multiByte(final)
    case (UInt8(ascii: "%"), nil, 1) where final == UInt8(ascii: "G"),
      (UInt8(ascii: "%"), UInt8(ascii: "/"), 2)
    where (UInt8(ascii: "G")...UInt8(ascii: "I")).contains(final):
      offset = sequenceEnd
      return try utf8Segment()
    case (UInt8(ascii: "%"), nil, 1) where final == UInt8(ascii: "@"):
      // The end of a UTF-8 segment that never began.
      break
    case (UInt8(ascii: "%"), UInt8(ascii: "/"), 2)
    where (UInt8(ascii: "0")...UInt8(ascii: "4")).contains(final):
      return try extendedSegment(lengthAt: sequenceEnd)
    case (UInt8(ascii: "#"), _, 2), (UInt8(ascii: "&"), _, 1), (UInt8(ascii: " "), _, 1):
      // The version of the encoding, the revision of a set, which facilities are used: nothing that
      // changes what the bytes mean.
      break
    default:
      return try undecodable(skipping: sequenceEnd - offset)
    }
    offset = sequenceEnd
  }

  /// CSI, parameters 0x30–0x3F, intermediate bytes 0x20–0x2F, a final byte 0x40–0x7E.
  private mutating func controlSequence() throws(TextDecodingError) {
    var end = offset + 1
    while let byte = byte(at: end), (0x20...0x3F).contains(byte) {
      end += 1
    }
    guard let final = byte(at: end), (0x40...0x7E).contains(final) else {
      return try undecodable(skipping: end - offset)
    }
    // Section 6: "CSI 1 ]" and "CSI 2 ]" begin a direction, "CSI ]" ends it. Unicode's characters
    // have theirs.
    guard final == UInt8(ascii: "]") else {
      return try undecodable(skipping: end + 1 - offset)
    }
    offset = end + 1
  }

  // MARK: Segments

  /// UTF-8 until `ESC % @`, or the end.
  private mutating func utf8Segment() throws(TextDecodingError) {
    var end = offset
    while let byte = byte(at: end) {
      if byte == CompoundTextDecoder.escape, self.byte(at: end + 1) == UInt8(ascii: "%"),
        self.byte(at: end + 2) == UInt8(ascii: "@")
      {
        break
      }
      end += 1
    }
    let segment = unsafe slice(offset..<end)
    if let invalid = unsafe UTF8Validation.firstInvalidOffset(in: segment), !isRepairing {
      throw .undecodable(.compoundText, offset: offset + invalid)
    }
    if unsafe output.appendRepairingUTF8(segment) {
      isLossy = true
    }
    offset = min(end + 3, count)
  }

  /// `ESC % / F M L`, the name of a charset, STX, and text in that charset: section 5.
  private mutating func extendedSegment(lengthAt lengthOffset: Int) throws(TextDecodingError) {
    guard let high = byte(at: lengthOffset), let low = byte(at: lengthOffset + 1), high >= 0x80,
      low >= 0x80
    else {
      return try undecodable(skipping: lengthOffset - offset)
    }
    let start = lengthOffset + 2
    let length = Int(high - 0x80) << 7 | Int(low - 0x80)
    let end = min(start + length, count)
    guard start + length <= count else {
      // A length that is not there says nothing about where the segment ends, but bytes of an
      // unknown charset are not text either.
      return try undecodable(skipping: end - offset)
    }
    var nameEnd = start
    while nameEnd < end, byte(at: nameEnd) != CompoundTextDecoder.startOfText {
      nameEnd += 1
    }
    guard nameEnd < end,
      let charset = segmentCharset(named: start..<nameEnd)
    else {
      return try undecodable(skipping: end - offset)
    }
    let segment = nameEnd + 1..<end
    do {
      try decodeSegment(segment, as: charset)
    } catch .undecodable(_, let position) {
      throw .undecodable(.compoundText, offset: segment.lowerBound + position)
    } catch .unavailable {
      return try undecodable(skipping: end - offset)
    }
    offset = end
  }

  private mutating func decodeSegment(
    _ range: Range<Int>, as charset: Charset
  ) throws(TextDecodingError) {
    let segment = unsafe slice(range)
    if case .other = charset.kind {
      guard let converter = converters.converter(from: charset) else {
        throw .unavailable(charset)
      }
      let lossy = try unsafe converter.decode(
        segment, as: charset, repairing: isRepairing, appendingTo: &output)
      isLossy = isLossy || lossy
      return
    }
    let decoded = try unsafe TextDecoder.decode(segment, as: charset, repairing: isRepairing)
    unsafe output.append(contentsOf: decoded.bytes(of: segment))
    isLossy = isLossy || decoded.isLossy
  }

  /// The charset of a segment.
  ///
  /// X names them as it names fonts: `iso8859-15`, `big5-0`, `microsoft-cp1251`,
  /// `gb18030.2000-0`, `iso10646-1`.
  private mutating func segmentCharset(named range: Range<Int>) -> Charset? {
    guard range.count <= 64 else { return nil }
    let name = unsafe String(decoding: slice(range), as: UTF8.self).lowercased()
    guard name != lastSegment.name else { return lastSegment.charset }
    var charset: Charset?
    switch name {
    // Johab, which iconv knows by its nickname only.
    case "ksc5601.1992-3": charset = Charset(label: "JOHAB")
    case "jisx0213.2000-0", "jisx0213.2000-1": charset = Charset(label: "EUC-JISX0213")
    default:
      charset =
        Charset(label: name)
        ?? (name.hasSuffix("-0") ? Charset(label: String(name.dropLast(2))) : nil)
    }
    // A segment within a segment could nest without end.
    if charset == .compoundText {
      charset = nil
    }
    lastSegment = (name, charset)
    return charset
  }

  // MARK: Foreign bytes

  /// Writes one U+FFFD for `count` bytes, or throws.
  private mutating func undecodable(skipping count: Int) throws(TextDecodingError) {
    guard isRepairing else { throw .undecodable(.compoundText, offset: offset) }
    output.appendReplacementCharacter()
    isLossy = true
    offset += count
  }

  private func byte(at index: Int) -> UInt8? {
    index < count ? unsafe bytes[index] : nil
  }

  private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
  }
}
