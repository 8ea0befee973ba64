internal import TextEncoding

/// What stands behind an ampersand: one or two characters, by number or by name.
///
/// (WHATWG HTML, 13.2.5.72 and following.)
package struct HTMLCharacterReference: Equatable {
  package let first: UInt32
  /// The second of the two characters that some names stand for.
  package let second: UInt32?
  /// The offset behind the reference.
  package let end: Int

  /// The longest name of the list has 31 letters.
  private static let longestName = 31
  /// The longest of the old names that need no semicolon has 6.
  private static let longestOldName = 6

  /// The reference whose ampersand stands right before `start`, or `nil` if the ampersand is text.
  ///
  /// Nothing from `limit` on is looked at.
  package static func match(
    in html: [UInt8], at start: Int, before limit: Int, inAttribute: Bool
  ) -> HTMLCharacterReference? {
    guard start < limit else { return nil }
    if html[start] == UInt8(ascii: "#") {
      return number(in: html, at: start + 1, before: limit)
    }
    guard html[start].isASCIILetter else { return nil }
    return name(in: html, at: start, before: limit, inAttribute: inAttribute)
  }

  // MARK: Numbers

  private static func number(
    in html: [UInt8], at start: Int, before limit: Int
  ) -> HTMLCharacterReference? {
    let isHexadecimal = start < limit && html[start] | 0x20 == UInt8(ascii: "x")
    let firstDigit = isHexadecimal ? start + 1 : start
    var end = firstDigit
    var value: UInt32 = 0
    while end < limit, let digit = html[end].hexadecimalValue, isHexadecimal || digit < 10 {
      // Whatever grows beyond Unicode stays beyond it.
      value = min(value * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
      end += 1
    }
    guard end > firstDigit else { return nil }
    if end < limit, html[end] == UInt8(ascii: ";") { end += 1 }
    return HTMLCharacterReference(first: character(numbered: value), second: nil, end: end)
  }

  /// The character that a number means: not always the one with that number.
  private static func character(numbered value: UInt32) -> UInt32 {
    switch value {
    case 0, 0xD800...0xDFFF, 0x11_0000...:
      return 0xFFFD
    case 0x80...0x9F:
      // Numbers of C1 controls are meant in windows-1252, as old pages used them.
      let character = windows1252[Int(value - 0x80)]
      return character == 0 ? value : UInt32(character)
    default:
      return value
    }
  }

  /// The characters of windows-1252 from 0x80 to 0x9F, 0 where it has none.
  static let windows1252: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  // MARK: Names

  /// The longest name that stands at `start`.
  ///
  /// A name with its semicolon is longer than any without, and a semicolon can only stand behind all
  /// the letters: so it is that one name or an old name at the front.
  private static func name(
    in html: [UInt8], at start: Int, before limit: Int, inAttribute: Bool
  ) -> HTMLCharacterReference? {
    let scanEnd = min(limit, start + longestName + 1)
    var end = start
    while end < scanEnd, html[end].isASCIILetter || html[end].isASCIIDigit { end += 1 }
    if end < limit, html[end] == UInt8(ascii: ";"),
      case .found(let entry) = search(start..<end, of: html)
    {
      return HTMLCharacterReference(first: entry.first, second: entry.second, end: end + 1)
    }
    var oldEnd = min(end, start + longestOldName)
    while oldEnd > start + 1 {
      switch search(start..<oldEnd, of: html) {
      case .found(let entry) where entry.isOld:
        // In attributes `?a=b&copy=1` is an address.
        if inAttribute, oldEnd < limit,
          html[oldEnd] == UInt8(ascii: "=") || html[oldEnd].isASCIILetter
            || html[oldEnd].isASCIIDigit
        {
          return nil
        }
        return HTMLCharacterReference(first: entry.first, second: entry.second, end: oldEnd)
      case .found:
        oldEnd -= 1
      case .missing(let shared):
        oldEnd = min(oldEnd - 1, start + shared)
      }
    }
    return nil
  }

  private struct Entry {
    var first: UInt32 = 0
    var second: UInt32?
    var isOld = false
  }

  private enum Search {
    case found(Entry)
    /// No such name. What the list has of the beginnings of this one is not longer than what this one
    /// shares with its predecessor in the list, since all names between would share that too.
    case missing(shared: Int)
  }

  /// Searches the list by halves: of bytes, not of entries, whose beginning is then looked for.
  private static func search(_ name: Range<Int>, of html: [UInt8]) -> Search {
    names.withUTF8Buffer { list in
      var low = 0
      var high = list.count
      var shared = 0
      while low < high {
        var offset = low + (high - low) / 2
        while offset > low, unsafe list[offset - 1] > 0x20 { offset -= 1 }
        let entryStart = offset
        var index = name.lowerBound
        // Names are letters and digits; the marks behind them, `!` and `:`, are neither.
        while offset < high, index < name.upperBound, unsafe list[offset] == html[index] {
          offset += 1
          index += 1
        }
        guard offset < high else { return .missing(shared: shared) }
        let listed = unsafe list[offset]
        let isNameEnd = !listed.isASCIILetter && !listed.isASCIIDigit
        if index == name.upperBound {
          if isNameEnd { return unsafe .found(entry(at: offset, of: list)) }
          high = entryStart
        } else if isNameEnd || listed < html[index] {
          while offset < high, unsafe list[offset] > 0x20 { offset += 1 }
          low = offset + 1
          shared = index - name.lowerBound
        } else {
          high = entryStart
        }
      }
      return .missing(shared: shared)
    }
  }

  /// Reads an entry from the mark behind its name on.
  private static func entry(at mark: Int, of list: UnsafeBufferPointer<UInt8>) -> Entry {
    var entry = Entry()
    entry.isOld = unsafe list[mark] == UInt8(ascii: "!")
    var offset = mark + 1
    while offset < list.count, let digit = unsafe list[offset].hexadecimalValue {
      entry.first = entry.first << 4 | digit
      offset += 1
    }
    guard offset < list.count, unsafe list[offset] == UInt8(ascii: ".") else { return entry }
    offset += 1
    var second: UInt32 = 0
    while offset < list.count, let digit = unsafe list[offset].hexadecimalValue {
      second = second << 4 | digit
      offset += 1
    }
    entry.second = second
    return entry
  }
}
