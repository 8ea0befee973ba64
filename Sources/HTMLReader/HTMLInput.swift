internal import TextEncoding

/// What a clipboard has as HTML, as the parser reads it: UTF-8 with line feeds, without byte order mark,
/// NUL and the header of Windows' "HTML Format".
struct HTMLInput {
  private(set) var text: [UInt8]
  /// Where the fragment lies in the text, if a header says so and no comments do.
  private(set) var fragment: Range<Int>?

  /// - Parameter charset: what the name under which the bytes were offered says.
  init(_ bytes: [UInt8], charset: Charset?, limit: Int) {
    text = HTMLInput.decode(bytes, charset: charset, limit: limit)
    if let null = text.firstIndex(of: 0) { text.removeLast(text.count - null) }
    takeHeader()
    normalizeLineEnds()
  }

  // MARK: Charsets

  /// A charset that was named for the bytes, a byte order mark, the looks of UTF-16, what the document
  /// says, then UTF-8 if it is that, and windows-1252 at last.
  private static func decode(_ bytes: [UInt8], charset declared: Charset?, limit: Int) -> [UInt8] {
    unsafe bytes.withUnsafeBytes { all in
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: all[..<end(of: all, limit: limit)])
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      if declared == nil, unsafe bytes.starts(with: mark) { return unsafe decode(bytes, .utf8) }
      // Markup has no NUL, which all UTF-16 of it has.
      let guess = unsafe UTF16Guess.charset(of: bytes)
      if guess != .utf8, declared == nil || declared == .utf8 { return unsafe decode(bytes, guess) }
      if let declared { return unsafe decode(bytes, declared) }
      if let named = unsafe HTMLMetaCharset.charset(of: bytes) {
        return unsafe decode(bytes, named)
      }
      return unsafe decode(bytes, UTF8Validation.isValid(bytes) ? .utf8 : nil)
    }
  }

  /// As many bytes as are read, and no part of a character of UTF-8.
  private static func end(of bytes: UnsafeRawBufferPointer, limit: Int) -> Int {
    guard bytes.count > limit else { return bytes.count }
    var end = limit & ~1
    while end > limit - 4, end > 0, unsafe bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// Decodes; nil is windows-1252, which on the Web is also what Latin-1 and ASCII mean.
  private static func decode(_ bytes: UnsafeRawBufferPointer, _ charset: Charset?) -> [UInt8] {
    guard let charset, charset != .latin1, charset != .ascii, charset.name != "WINDOWS-1252" else {
      return unsafe decodeWindows1252(bytes)
    }
    guard let decoded = try? unsafe TextDecoder.decode(bytes, as: charset, repairing: true) else {
      return unsafe decodeWindows1252(bytes)
    }
    return unsafe decoded.bytes(of: bytes)
  }

  private static func decodeWindows1252(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 4)
    for index in 0..<bytes.count {
      let byte = unsafe bytes[index]
      if byte < 0x80 {
        text.append(byte)
      } else if byte < 0xA0 {
        let character = HTMLCharacterReference.windows1252[Int(byte - 0x80)]
        text.appendUTF8(character == 0 ? UInt32(byte) : UInt32(character))
      } else {
        text.appendUTF8(UInt32(byte))
      }
    }
    return text
  }

  // MARK: The header of "HTML Format"

  /// Cuts off a header and takes from it where the fragment lies.
  ///
  ///     Version:0.9
  ///     StartHTML:00000097
  ///     EndHTML:00000170
  ///     StartFragment:00000133
  ///     EndFragment:00000134
  ///     <html><body><!--StartFragment-->…
  private mutating func takeHeader() {
    guard text.hasWord("version:", at: 0) else { return }
    let end = text.firstIndex(of: HTMLTokenizer.less) ?? text.count
    guard number(of: "starthtml:", before: end) != nil else { return }
    // Comments are right even where offsets count something else.
    if let start = number(of: "startfragment:", before: end),
      let fragmentEnd = number(of: "endfragment:", before: end),
      start >= end, fragmentEnd > start, fragmentEnd <= text.count, !hasFragmentComment(from: end)
    {
      fragment = start - end..<fragmentEnd - end
    }
    text.removeFirst(end)
  }

  private func number(of key: StaticString, before end: Int) -> Int? {
    guard var offset = (0..<end).first(where: { text.hasWord(key, at: $0) }) else { return nil }
    offset += key.utf8CodeUnitCount
    while offset < end, text[offset] == UInt8(ascii: " ") { offset += 1 }
    // A part that is not there has -1.
    if offset < end, text[offset] == UInt8(ascii: "-") { return -1 }
    var value = 0
    let first = offset
    while offset < end, offset - first < 12, text[offset].isASCIIDigit {
      value = value * 10 + Int(text[offset] & 0x0F)
      offset += 1
    }
    return offset > first ? value : nil
  }

  private func hasFragmentComment(from start: Int) -> Bool {
    var offset = start
    while let less = text[offset...].firstIndex(of: HTMLTokenizer.less) {
      if text.hasWord("<!--startfragment", at: less) || text.hasWord("<!-- startfragment", at: less)
      {
        return true
      }
      offset = less + 1
    }
    return false
  }

  // MARK: Rows without their table

  /// Puts rows or cells that come alone into a table: browsers would drop their tags.
  mutating func completeTable() {
    guard fragment == nil, let start = text.firstIndex(where: { !$0.isHTMLSpace }) else { return }
    for tag: StaticString in ["<tr", "<td", "<th", "<tbody", "<thead"]
    where text.hasWord(tag, at: start) {
      let end = start + tag.utf8CodeUnitCount
      guard end < text.count, text[end].isHTMLSpace || text[end] == HTMLTokenizer.greater else {
        continue
      }
      text.insert(contentsOf: Array("<table>".utf8), at: start)
      return
    }
  }

  // MARK: Line ends

  private mutating func normalizeLineEnds() {
    guard let fragment else {
      HTMLInput.normalizeLineEnds(of: &text)
      return
    }
    // Of the bytes before a place as many go as there are line feeds behind carriage returns.
    let start = fragment.lowerBound - pairs(before: fragment.lowerBound)
    let end = fragment.upperBound - pairs(before: fragment.upperBound)
    self.fragment = start..<max(start, end)
    HTMLInput.normalizeLineEnds(of: &text)
  }

  private func pairs(before end: Int) -> Int {
    var count = 0
    for index in 1..<max(end, 1) where text[index] == 0x0A && text[index - 1] == 0x0D { count += 1 }
    return count
  }

  /// CR LF and CR become LF (13.2.3.5).
  static func normalizeLineEnds(of text: inout [UInt8]) {
    guard let first = text.firstIndex(of: 0x0D) else { return }
    var target = first
    var source = first
    while source < text.count {
      let byte = text[source]
      text[target] = byte == 0x0D ? 0x0A : byte
      target += 1
      source += byte == 0x0D && source + 1 < text.count && text[source + 1] == 0x0A ? 2 : 1
    }
    text.removeLast(text.count - target)
  }
}
