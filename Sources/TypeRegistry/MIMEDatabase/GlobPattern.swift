/// A pattern for names as `fnmatch` has them without flags: `*`, `?`, `[…]`, and a backslash that
/// takes away the meaning of what follows.
///
/// Bytes are compared, not characters, but for `?` and brackets, which stand for a whole character
/// of UTF-8 where there is one.
struct GlobPattern {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Whether the whole name is one of those the pattern describes; false when the budget is spent.
  ///
  /// A star that turns out to have taken too little takes one more; earlier stars need not be tried
  /// again, so the work is at most the product of the lengths.
  func matches(_ name: ArraySlice<UInt8>, budget: inout WorkBudget) -> Bool {
    var position = bytes.startIndex
    var index = name.startIndex
    var lastStar: (position: Int, index: Int)?
    while index < name.endIndex {
      guard budget.take() else { return false }
      if position < bytes.endIndex, bytes[position] == UInt8(ascii: "*") {
        position += 1
        lastStar = (position, index)
      } else if let step = step(at: position, name[index...]) {
        (position, index) = step
      } else if let star = lastStar {
        lastStar = (star.position, star.index + 1)
        (position, index) = (star.position, star.index + 1)
      } else {
        return false
      }
    }
    while position < bytes.endIndex, bytes[position] == UInt8(ascii: "*") { position += 1 }
    return position == bytes.endIndex
  }

  /// Where pattern and name go on behind one element of the pattern, nil when it does not fit.
  private func step(
    at position: Int, _ name: ArraySlice<UInt8>
  ) -> (position: Int, index: Int)? {
    guard position < bytes.endIndex else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "?"):
      return (position + 1, name.endOfFirstCharacter)
    case UInt8(ascii: "["):
      if let end = endOfBracket(at: position) {
        let end = (end, name.endOfFirstCharacter)
        return isInBracket(name[..<end.1], at: position) ? end : nil
      }
      return literal(UInt8(ascii: "["), position, name)
    case UInt8(ascii: "\\") where position + 1 < bytes.endIndex:
      return literal(bytes[position + 1], position + 1, name)
    case let byte:
      return literal(byte, position, name)
    }
  }

  private func literal(
    _ byte: UInt8, _ position: Int, _ name: ArraySlice<UInt8>
  ) -> (position: Int, index: Int)? {
    name.first == byte ? (position + 1, name.startIndex + 1) : nil
  }

  /// The position behind the closing bracket; nil when there is none and `[` means itself.
  private func endOfBracket(at position: Int) -> Int? {
    var index = position + 1
    if index < bytes.endIndex, bytes[index].isNegation { index += 1 }
    // A bracket that stands first is one of the set.
    if index < bytes.endIndex, bytes[index] == UInt8(ascii: "]") { index += 1 }
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "]") { return index + 1 }
      index += 1
    }
    return nil
  }

  private func isInBracket(_ character: ArraySlice<UInt8>, at position: Int) -> Bool {
    guard let end = endOfBracket(at: position) else { return false }
    var set = bytes[(position + 1)..<(end - 1)]
    let isNegated = set.first?.isNegation ?? false
    if isNegated { set = set.dropFirst() }
    let value = character.scalarValue
    var isFound = false
    while !set.isEmpty {
      let low = set.takeCharacter().scalarValue
      var high = low
      if set.first == UInt8(ascii: "-"), set.count > 1 {
        set = set.dropFirst()
        high = set.takeCharacter().scalarValue
      }
      if low <= value && value <= high { isFound = true }
    }
    return isFound != isNegated
  }
}

extension ArraySlice<UInt8> {
  /// Where the first character ends: behind one byte where the bytes are no UTF-8.
  fileprivate var endOfFirstCharacter: Int {
    guard let first, first >= 0xc2 else { return Swift.min(startIndex + 1, endIndex) }
    let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    let end = startIndex + length
    guard end <= endIndex, self[(startIndex + 1)..<end].allSatisfy({ $0 & 0xc0 == 0x80 }) else {
      return startIndex + 1
    }
    return end
  }

  fileprivate mutating func takeCharacter() -> ArraySlice<UInt8> {
    let character = self[..<endOfFirstCharacter]
    self = self[character.endIndex...]
    return character
  }

  /// The number of a character, that of the byte where it is no UTF-8.
  fileprivate var scalarValue: UInt32 {
    if count > 1, let text = String(validating: self, as: UTF8.self),
      let scalar = text.unicodeScalars.first
    {
      return scalar.value
    }
    return first.map(UInt32.init) ?? 0
  }
}

extension UInt8 {
  fileprivate var isNegation: Bool { self == UInt8(ascii: "!") || self == UInt8(ascii: "^") }
}
