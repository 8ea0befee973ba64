internal import TextEncoding

/// Markdown as md4c reads the lists of it rightly, wherever in the document they stand.
///
/// An item that begins with two empty lines ends its list. md4c 0.4.8 keeps that rule by looking at the
/// last eight bytes of its list of blocks, whether they are the beginning of an item, which is 4 in the
/// first byte. But those bytes may as well be the last line of a block, which is the offset where it
/// begins, or, in code and HTML, the one where it ends. So what follows such a line and two empty lines,
/// or a heading, a line across or a fence and one, leaves its list wherever the last digits of the offset
/// are 4 by chance, once in 256 times:
///
///     - a            the code ends at offset 260: for md4c the second item is one of a new list
///       ```
///       code
///       ```
///
///     - b
///
/// Lines are moved on from such offsets by a carriage return before the line feed that ends the line before,
/// which is an end of line like a line feed alone.
enum MarkdownListMending {
  /// The number of an item among md4c's kinds of blocks.
  private static let item = 4
  /// How far back lines are moved so that one of them gets away.
  private static let farthest = 6

  static func mend(_ source: inout MarkdownSource) {
    let bytes = source.bytes
    guard hasLists(bytes) else { return }
    var insertions: [MarkdownSource.Insertion] = []
    // The last lines, and by how much each was moved.
    var lines: [(range: Range<Int>, shift: Int)] = []
    var shift = 0
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != .lineFeed { end += 1 }
      if lines.count == 2 * farthest { lines.removeFirst(farthest) }
      lines.append((start..<end, shift))
      if isAtFault(bytes, start..<end, shift) { move(&lines, of: bytes, &insertions) }
      shift = lines[lines.count - 1].shift
      start = end + 1
    }
    source.insert(insertions)
  }

  /// Whether anything stands in it that lists could begin with.
  private static func hasLists(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 == 0x2D || $0 == 0x2A || $0 == 0x2B || $0.isASCIIDigit }
  }

  /// Moves the last line on, and as many before it as that takes.
  private static func move(
    _ lines: inout [(range: Range<Int>, shift: Int)], of bytes: [UInt8],
    _ insertions: inout [MarkdownSource.Insertion]
  ) {
    let last = lines.count - 1
    for count in 1...farthest {
      // The last line moves by `count`, each before it by what is put in before that one.
      var left = count
      var index = last
      var places: [Int] = []
      while left > 0, index >= 0, last - index < farthest {
        let line = lines[index]
        guard !isAtFault(bytes, line.range, line.shift + left) else { break }
        let place = line.range.lowerBound - 1
        if index == 0, place < 0 {
          // Empty lines at the beginning of the document.
          for _ in 0..<left { insertions.append((0, .lineFeed)) }
          left = 0
        } else if index == 0 || lines[index - 1].shift == line.shift, !isReturn(bytes, place - 1) {
          places.append(place)
          left -= 1
        }
        index -= 1
      }
      guard left == 0 else { continue }
      for place in places { insertions.append((place, 0x0D)) }
      for moved in index + 1...last {
        lines[moved].shift +=
          count - places.count { $0 >= lines[moved].range.upperBound }
      }
      return
    }
  }

  private static func isReturn(_ bytes: [UInt8], _ offset: Int) -> Bool {
    offset >= 0 && bytes[offset] == 0x0D
  }

  /// Whether md4c could take a line for the beginning of an item, moved by `shift`: by its end, or by
  /// where its text begins behind marks of containers and headings.
  private static func isAtFault(_ bytes: [UInt8], _ line: Range<Int>, _ shift: Int) -> Bool {
    func isFault(_ offset: Int) -> Bool { (offset + shift) & 0xFF == item }
    var end = line.upperBound
    if end > line.lowerBound, bytes[end - 1] == 0x0D { end -= 1 }
    if isFault(end) { return true }
    while end > line.lowerBound, bytes[end - 1] == 0x20 { end -= 1 }
    if isFault(end) { return true }
    var offset = line.lowerBound
    while true {
      while offset < end, bytes[offset] == 0x20 || bytes[offset] == 0x09 { offset += 1 }
      if isFault(offset) { return true }
      guard offset < end, let mark = endOfMark(bytes, offset..<end) else { return false }
      offset = mark
    }
  }

  /// Behind the mark of a quote, an item, a task or a heading.
  private static func endOfMark(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let first = bytes[range.lowerBound]
    var end = range.lowerBound + 1
    switch first {
    case UInt8(ascii: ">"): return end
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"): break
    case UInt8(ascii: "#"):
      while end < range.upperBound, bytes[end] == first { end += 1 }
    case UInt8(ascii: "["):
      guard range.count > 3, bytes[end + 1] == UInt8(ascii: "]") else { return nil }
      end += 2
    case let digit where digit.isASCIIDigit:
      while end < range.upperBound, bytes[end].isASCIIDigit { end += 1 }
      guard end < range.upperBound,
        bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: ")")
      else { return nil }
      end += 1
    default: return nil
    }
    guard end < range.upperBound, bytes[end] == 0x20 || bytes[end] == 0x09 else { return nil }
    return end
  }
}
