/// A pattern for names as `fnmatch` has them without flags: `*`, `?`, `[…]`, and a backslash that
/// takes away the meaning of what follows.
///
/// Bytes are compared, not characters, but for `?` and brackets, which stand for a whole character
/// of UTF-8 where there is one.
struct GlobPattern {
  private let bytes: TextSlice

  init(_ bytes: TextSlice) { self.bytes = bytes }

  /// Whether the whole name is one of those the pattern describes; false when the budget is spent.
  ///
  /// A star that turns out to have taken too little takes one more; earlier stars need not be tried
  /// again, so the work is at most the product of the lengths.
  func matches(_ name: TextSlice, budget: inout WorkBudget) -> Bool {
    var position = 0
    var index = 0
    var lastStar: (position: Int, index: Int)?
    while index < name.count {
      guard budget.take() else { return false }
      if position < bytes.count, bytes[position] == UInt8(ascii: "*") {
        position += 1
        lastStar = (position, index)
      } else if let step = step(at: position, name, index) {
        (position, index) = step
      } else if let star = lastStar {
        lastStar = (star.position, star.index + 1)
        (position, index) = (star.position, star.index + 1)
      } else {
        return false
      }
    }
    while position < bytes.count, bytes[position] == UInt8(ascii: "*") { position += 1 }
    return position == bytes.count
  }

  /// The bytes with which a name that matches begins and ends: nearly all names are told apart by these.
  var ends: (first: ByteSet, last: ByteSet) {
    guard !bytes.isEmpty else { return (.all, .all) }
    let first = possibleBytes(at: 0).set
    var position = 0
    var last = ByteSet.all
    while position < bytes.count { (last, position) = possibleBytes(at: position) }
    return (first, last)
  }

  /// The bytes that the element at a position may begin or end with, and where the next one begins.
  private func possibleBytes(at position: Int) -> (set: ByteSet, next: Int) {
    switch bytes[position] {
    case UInt8(ascii: "*"), UInt8(ascii: "?"):
      return (.all, position + 1)
    case UInt8(ascii: "["):
      guard let end = endOfBracket(at: position) else { break }
      guard end - position <= Self.bracketLimit else { return (.all, end) }
      return (ByteSet { isInBracket(UInt32($0), (position + 1)..<(end - 1)) }, end)
    case UInt8(ascii: "\\") where position + 1 < bytes.count:
      let byte = bytes[position + 1]
      return (ByteSet { $0 == byte }, position + 2)
    default:
      break
    }
    let byte = bytes[position]
    return (ByteSet { $0 == byte }, position + 1)
  }

  /// Longer sets are not looked through beforehand.
  private static let bracketLimit = 32

  /// Where pattern and name go on behind one element of the pattern, nil when it does not fit.
  private func step(
    at position: Int, _ name: TextSlice, _ index: Int
  ) -> (position: Int, index: Int)? {
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "?"):
      return (position + 1, name.endOfCharacter(at: index, before: name.count))
    case UInt8(ascii: "["):
      if let end = endOfBracket(at: position) {
        let next = name.endOfCharacter(at: index, before: name.count)
        let value = name.scalarValue(index..<next)
        return isInBracket(value, (position + 1)..<(end - 1)) ? (end, next) : nil
      }
      return literal(UInt8(ascii: "["), position, name, index)
    case UInt8(ascii: "\\") where position + 1 < bytes.count:
      return literal(bytes[position + 1], position + 1, name, index)
    case let byte:
      return literal(byte, position, name, index)
    }
  }

  private func literal(
    _ byte: UInt8, _ position: Int, _ name: TextSlice, _ index: Int
  ) -> (position: Int, index: Int)? {
    name[index] == byte ? (position + 1, index + 1) : nil
  }

  /// The position behind the closing bracket; nil when there is none and `[` means itself.
  private func endOfBracket(at position: Int) -> Int? {
    var index = position + 1
    if index < bytes.count, bytes[index].isNegation { index += 1 }
    // A bracket that stands first is one of the set.
    if index < bytes.count, bytes[index] == UInt8(ascii: "]") { index += 1 }
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "]") { return index + 1 }
      index += 1
    }
    return nil
  }

  /// Whether the set between brackets has a character of that number.
  private func isInBracket(_ value: UInt32, _ set: Range<Int>) -> Bool {
    var position = set.lowerBound
    let isNegated = position < set.upperBound && bytes[position].isNegation
    if isNegated { position += 1 }
    func takeCharacter() -> UInt32 {
      let start = position
      position = bytes.endOfCharacter(at: start, before: set.upperBound)
      return bytes.scalarValue(start..<position)
    }
    var isFound = false
    while position < set.upperBound {
      let low = takeCharacter()
      var high = low
      if position + 1 < set.upperBound, bytes[position] == UInt8(ascii: "-") {
        position += 1
        high = takeCharacter()
      }
      if low <= value && value <= high { isFound = true }
    }
    return isFound != isNegated
  }
}

extension TextSlice {
  /// Where a character ends: behind one byte where the bytes are no UTF-8.
  fileprivate func endOfCharacter(at start: Int, before limit: Int) -> Int {
    guard start < limit else { return limit }
    let first = self[start]
    guard first >= 0xc2 else { return start + 1 }
    let end = start + (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)
    guard end <= limit, ((start + 1)..<end).allSatisfy({ self[$0] & 0xc0 == 0x80 }) else {
      return start + 1
    }
    return end
  }

  /// The number of a character, that of the byte where it is no UTF-8.
  fileprivate func scalarValue(_ range: Range<Int>) -> UInt32 {
    guard let first = range.first else { return 0 }
    if range.count > 1, self[range].isValidUTF8,
      let scalar = self[range].string.unicodeScalars.first
    {
      return scalar.value
    }
    return UInt32(self[first])
  }
}

extension UInt8 {
  fileprivate var isNegation: Bool { self == UInt8(ascii: "!") || self == UInt8(ascii: "^") }
}

/// A set of ASCII bytes; all others are in each.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  static let all = ByteSet { _ in true }

  init(_ isMember: (UInt8) -> Bool) {
    for byte in UInt8(0)..<64 where isMember(byte) { low |= 1 << UInt64(byte) }
    for byte in UInt8(64)..<128 where isMember(byte) { high |= 1 << UInt64(byte - 64) }
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 != 0
  }
}
