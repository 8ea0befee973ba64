internal import CMd4c

/// Keeps md4c's time for links by the length of the text.
///
/// For each pair of brackets md4c 0.4.8 looks for the line that they stand in, from the first line of their
/// block on. A paragraph of as many lines as links so takes time by its square: five seconds for 133,000
/// lines, forty for 400,000. Where more such steps would be taken than ``limit(for:)``
/// allows, which takes a paragraph of more than 20,000 lines with a link in each, the brackets of the blocks
/// that go beyond are text.
struct MarkdownLinkWork {
  /// How many lines may be looked at for the sake of brackets: what takes about as long as all the rest,
  /// and a tenth of a second more.
  private static func limit(for count: Int) -> Int { 1 << 28 + 64 * count }

  private static let opening = UInt8(ascii: "[")
  private static let closing = UInt8(ascii: "]")

  /// The source itself where md4c has no more to do than is allowed, as in all that people write.
  ///
  /// - Parameter flags: What md4c reads, as it is told.
  static func bounded(_ source: MarkdownSource, flags: UInt32) -> MarkdownSource {
    let bytes = source.bytes
    let limit = limit(for: bytes.count)
    // What stands between two empty lines is never less than a block: most often that says enough.
    guard steps(in: bytes, bytes.indices, untilEmptyLines: true) > limit else { return source }
    var left = limit
    var excessive: [Range<Int>] = []
    for block in blocks(of: bytes, flags: flags) {
      let steps = steps(in: bytes, block, untilEmptyLines: false)
      if steps <= left { left -= steps } else { excessive.append(block) }
    }
    return source.withoutBrackets(in: excessive)
  }

  /// How many lines are looked at, at the most, in a block, or in what may be one.
  private static func steps(
    in bytes: [UInt8], _ range: Range<Int>, untilEmptyLines: Bool
  ) -> Int {
    var steps = 0
    var line = 0
    var isEmpty = true
    unsafe bytes.withUnsafeBufferPointer { bytes in
      for offset in range {
        switch unsafe bytes[offset] {
        case .lineFeed:
          line = isEmpty && untilEmptyLines ? 0 : line + 1
          isEmpty = true
        case closing:
          steps += line
          isEmpty = false
        case 0x20, 0x09, 0x0D: break
        default: isEmpty = false
        }
      }
    }
    return steps
  }

  // MARK: Where blocks are

  /// Where the blocks lie that links can stand in, as md4c finds them in a text without brackets, which it
  /// reads in no time and whose blocks are the same: definitions of links are lines of paragraphs
  /// then.
  private static func blocks(of bytes: [UInt8], flags: UInt32) -> [Range<Int>] {
    let finder = MarkdownBlockFinder(count: bytes.count)
    let neutral = withoutLinks(bytes) + repeatElement(0, count: 64)
    unsafe neutral.withUnsafeBytes { neutral in
      let text = unsafe UnsafeRawBufferPointer(rebasing: neutral[..<bytes.count])
        .assumingMemoryBound(to: CChar.self)
      unsafe finder.base = unsafe UnsafeRawPointer(text.baseAddress)
      var parser = MD_PARSER()
      parser.flags = flags
      unsafe parser.enter_block = { _, _, context in
        // An item of a tight list has its text in it, and other blocks behind that.
        unsafe MarkdownBlockFinder.of(context)?.end()
        return 0
      }
      unsafe parser.leave_block = { kind, _, context in
        unsafe MarkdownBlockFinder.of(context)?.end(
          isVerbatim: kind == MD_BLOCK_CODE || kind == MD_BLOCK_HTML)
        return 0
      }
      unsafe parser.enter_span = { _, _, _ in 0 }
      unsafe parser.leave_span = { _, _, _ in 0 }
      unsafe parser.text = { _, text, size, context in
        unsafe MarkdownBlockFinder.of(context)?.extend(text, Int(size))
        return 0
      }
      // Where md4c is not to be had that is found out soon enough.
      _ = withExtendedLifetime(finder) {
        unsafe cmd4c_parse(
          text.baseAddress, UInt32(clamping: text.count), &parser,
          Unmanaged.passUnretained(finder).toOpaque())
      }
      unsafe finder.base = nil
    }
    return finder.blocks
  }

  /// The text with another sign for each bracket but those of CDATA, which begin and end blocks of HTML.
  private static func withoutLinks(_ bytes: [UInt8]) -> [UInt8] {
    var neutral = bytes
    let begin = Array("<![CDATA[".utf8)
    var offset = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case begin[0]:
        // A `<` behind a backslash, or in a word, begins nothing.
        let isOpen =
          offset == 0 || bytes[offset - 1] <= 0x20 || bytes[offset - 1] == UInt8(ascii: ">")
        if isOpen, bytes[offset...].starts(with: begin) { offset += begin.count - 1 }
      case closing where bytes[offset...].starts(with: "]]>".utf8):
        offset += 2
      case opening, closing:
        // No mark of a block, nor of the name of an element.
        neutral[offset] = UInt8(ascii: "^")
      default: break
      }
      offset += 1
    }
    return neutral
  }
}

/// Notes where md4c finds text of paragraphs, headings and cells.
@safe private final class MarkdownBlockFinder {
  var base: UnsafeRawPointer?
  private let count: Int
  private var extent: Range<Int>?
  private(set) var blocks: [Range<Int>] = []

  init(count: Int) {
    self.count = count
    unsafe base = nil
  }

  static func of(_ context: UnsafeMutableRawPointer?) -> MarkdownBlockFinder? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<MarkdownBlockFinder>.fromOpaque(context).takeUnretainedValue()
  }

  func extend(_ text: UnsafePointer<CChar>?, _ size: Int) {
    guard let base = unsafe base, let text = unsafe text else { return }
    // Line ends and the like are strings of md4c's own.
    let offset = unsafe UnsafeRawPointer(text) - base
    guard offset >= 0, size <= count, offset <= count - size else { return }
    extent = min(extent?.lowerBound ?? offset, offset)..<max(extent?.upperBound ?? 0, offset + size)
  }

  func end(isVerbatim: Bool = false) {
    if !isVerbatim, let extent { blocks.append(extent) }
    extent = nil
  }
}
