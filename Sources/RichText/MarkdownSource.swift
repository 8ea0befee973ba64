/// Markdown as it is handed to md4c: valid UTF-8 whose lines end with line feeds, with bytes put in where
/// md4c 0.4.8 would read something else than CommonMark and GitHub do.
///
/// ``MarkdownParsing`` takes those bytes out again of all text that holds them.
struct MarkdownSource {
  /// A byte that is put in before the one at an offset.
  typealias Insertion = (offset: Int, byte: UInt8)

  private(set) var bytes: [UInt8]
  /// Where bytes stand that were put in, in order.
  private(set) var inserted: [Int] = []
  /// Whether there is nothing in it that references could refer to.
  private(set) var isWithoutDefinitions = false
  /// Whether brackets in parts of it were made text.
  private(set) var hasEscapedBrackets = false

  /// Text in valid UTF-8, as it is read with or without tables.
  init(_ utf8: [UInt8], hasTables: Bool) {
    bytes = Self.withLineFeeds(utf8)
    // md4c looks at what stands behind a line without a look at the size.
    if let last = bytes.last, last != .lineFeed { bytes.append(.lineFeed) }
    if hasTables { MarkdownTableMending.mend(&self) }
    MarkdownListMending.mend(&self)
  }

  /// Every way to end a line as a line feed.
  private static func withLineFeeds(_ utf8: [UInt8]) -> [UInt8] {
    guard utf8.contains(0x0D) else { return utf8 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var wasReturn = false
    for byte in utf8 {
      if byte == 0x0D {
        bytes.append(.lineFeed)
      } else if byte != .lineFeed || !wasReturn {
        bytes.append(byte)
      }
      wasReturn = byte == 0x0D
    }
    return bytes
  }

  /// The same text with nothing that references refer to: with a backslash before each bracket that a
  /// definition could begin with.
  func withoutDefinitions() -> MarkdownSource {
    var insertions: [Insertion] = []
    for offset in bytes.indices
    where bytes[offset] == UInt8(ascii: "[")
      && (offset == 0 || bytes[offset - 1] <= 0x20 || bytes[offset - 1] == UInt8(ascii: ">"))
    {
      insertions.append((offset, UInt8(ascii: "\\")))
    }
    var source = self
    source.insert(insertions)
    // What was put in has moved the lines.
    MarkdownListMending.mend(&source)
    source.isWithoutDefinitions = true
    return source
  }

  /// The same text with brackets that are nothing but text in these parts of it: with a backslash before
  /// each that has none.
  func withoutBrackets(in ranges: [Range<Int>]) -> MarkdownSource {
    var insertions: [Insertion] = []
    for range in ranges {
      // The part may begin behind one.
      var isEscaped =
        bytes[..<range.lowerBound].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
      for offset in range {
        if bytes[offset] == UInt8(ascii: "["), !isEscaped {
          insertions.append((offset, UInt8(ascii: "\\")))
        }
        isEscaped = bytes[offset] == UInt8(ascii: "\\") && !isEscaped
      }
    }
    guard !insertions.isEmpty else { return self }
    var source = self
    source.insert(insertions)
    // What was put in has moved the lines.
    MarkdownListMending.mend(&source)
    source.hasEscapedBrackets = true
    return source
  }

  /// Puts bytes in, at offsets of the text as it is now.
  mutating func insert(_ insertions: [Insertion]) {
    guard !insertions.isEmpty else { return }
    var all: [UInt8] = []
    all.reserveCapacity(bytes.count + insertions.count)
    var offsets: [Int] = []
    offsets.reserveCapacity(inserted.count + insertions.count)
    var done = 0
    var next = 0
    func append(before end: Int) {
      // What was put in earlier moves on.
      while next < inserted.count, inserted[next] < end {
        offsets.append(inserted[next] - done + all.count)
        next += 1
      }
      all.append(contentsOf: bytes[done..<end])
      done = end
    }
    for insertion in insertions.sorted(by: { $0.offset < $1.offset }) {
      append(before: insertion.offset)
      offsets.append(all.count)
      all.append(insertion.byte)
    }
    append(before: bytes.count)
    (bytes, inserted) = (all, offsets)
  }
}
