internal import TextEncoding

/// What the typed-out text before an item says of it.
struct RTFListMarker: Equatable {
  var numbering = TextList.Numbering.bullet
  /// The number of the item, where there is one.
  var number: Int?
  /// The state of a task, whose bullet is a box.
  var isDone: Bool?

  /// Reads a marker, such as `•`, `1.`, `(iv)` or `2.3.`.
  ///
  /// - Parameter expected: how the list numbers its items. A letter alone does not tell whether it
  ///   is a letter or a Roman number.
  /// - Returns: `nil` for a marker that nobody sees.
  init?(_ marker: [UInt8], expected: TextList.Numbering?) {
    let text = marker[marker.trimmingSpace(0..<marker.count)]
    guard !text.isEmpty else { return nil }
    if let isDone = RTFListMarker.box(text) {
      self.isDone = isDone
      return
    }
    // The last number of several: that of the innermost level.
    let last = text.split(omittingEmptySubsequences: true) {
      !$0.isASCIILetter && !$0.isASCIIDigit
    }.last
    if let number = RTFListMarker.circled(text) {
      numbering = .decimal
      self.number = number
      return
    }
    guard let last else { return }
    // Word has an `o` in Courier for the bullets of the second level.
    if text.elementsEqual("o".utf8), expected != .lowerAlpha { return }
    if let number = RTFListMarker.decimal(last) {
      numbering = .decimal
      self.number = number
    } else if last.allSatisfy(\.isASCIILetter), last.count <= 15, text.allSatisfy({ $0 < 0x80 }) {
      readLetters(last, expected: expected)
    }
  }

  private mutating func readLetters(_ letters: ArraySlice<UInt8>, expected: TextList.Numbering?) {
    let isUpper = letters.allSatisfy { $0 & 0x20 == 0 }
    let isRomanExpected = expected == .lowerRoman || expected == .upperRoman
    let isAlphaExpected = expected == .lowerAlpha || expected == .upperAlpha
    let roman = RTFListMarker.roman(letters)
    // What several lists begin with: `i` is rather one, `c` rather three.
    let looksRoman =
      letters.count > 1 || [0x69, 0x76, 0x78].contains(letters.first.map { $0 | 0x20 })
    if let roman, isRomanExpected || (!isAlphaExpected && looksRoman) {
      numbering = isUpper ? .upperRoman : .lowerRoman
      number = roman
    } else if let first = letters.first, letters.allSatisfy({ $0 == first }) {
      // a to z, then aa to zz.
      numbering = isUpper ? .upperAlpha : .lowerAlpha
      number = Int(first & 0x1F) + 26 * (letters.count - 1)
    }
  }

  private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.count <= 9, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  }

  private static func roman(_ letters: ArraySlice<UInt8>) -> Int? {
    var sum = 0
    var previous = 0
    for letter in letters.reversed() {
      let value: Int
      switch letter.lowercasedASCII {
      case UInt8(ascii: "i"): value = 1
      case UInt8(ascii: "v"): value = 5
      case UInt8(ascii: "x"): value = 10
      case UInt8(ascii: "l"): value = 50
      case UInt8(ascii: "c"): value = 100
      case UInt8(ascii: "d"): value = 500
      case UInt8(ascii: "m"): value = 1000
      default: return nil
      }
      sum += value < previous ? -value : value
      previous = max(previous, value)
    }
    return sum
  }

  /// The number in a circle, from U+2460 on.
  private static func circled(_ text: ArraySlice<UInt8>) -> Int? {
    let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
    guard let scalar = scalars.first, scalars.count == 1, (0x2460...0x2473).contains(scalar.value)
    else { return nil }
    return Int(scalar.value) - 0x245F
  }

  /// Whether a box is checked; `nil` if this is no box.
  static func box(_ text: ArraySlice<UInt8>) -> Bool? {
    if text.elementsEqual("\u{2610}".utf8) { return false }
    if text.elementsEqual("\u{2611}".utf8) || text.elementsEqual("\u{2612}".utf8) { return true }
    return nil
  }

  // MARK: Typed by hand

  /// The marker that somebody, or a program without lists, has typed before a TAB.
  ///
  /// - Returns: the marker and the number of bytes that it takes with its TAB.
  static func typed(_ text: ArraySlice<UInt8>) -> (marker: RTFListMarker, length: Int)? {
    guard let tab = text.prefix(16).firstIndex(of: 0x09) else { return nil }
    let marker = Array(text[..<tab])
    let isBullet = bullets.contains { marker.elementsEqual($0.utf8) }
    let isNumber =
      (marker.last == UInt8(ascii: ".") || marker.last == UInt8(ascii: ")"))
      && marker.count > 1 && marker.count <= 8
    guard isBullet || isNumber, let read = RTFListMarker(marker, expected: nil) else { return nil }
    guard isBullet || read.number != nil else { return nil }
    return (read, text.distance(from: text.startIndex, to: tab) + 1)
  }

  private static let bullets = [
    "\u{2022}", "\u{00B7}", "\u{25E6}", "\u{25AA}", "\u{25CF}", "\u{25CB}", "\u{25A0}", "\u{25A1}",
    "\u{2023}", "\u{2043}", "\u{2013}", "\u{2014}", "-", "*", "\u{2610}", "\u{2611}", "\u{2612}",
    "\u{2219}", "\u{27A2}", "\u{2713}",
  ]
}
