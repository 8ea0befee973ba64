internal import TextEncoding

extension [UInt8] {
  /// The integer that `range` begins with, by the HTML standard's rules for parsing integers; what
  /// has more than nine digits is none.
  func integer(in range: Range<Int>) -> Int? {
    var offset = trimmingSpace(range).lowerBound
    var isNegative = false
    if offset < range.upperBound, self[offset] == UInt8(ascii: "-") || self[offset] == 0x2B {
      isNegative = self[offset] == UInt8(ascii: "-")
      offset += 1
    }
    let first = offset
    var value = 0
    while offset < range.upperBound, self[offset].isASCIIDigit {
      guard offset - first < 9 else { return nil }
      value = value * 10 + Int(self[offset] & 0x0F)
      offset += 1
    }
    guard offset > first else { return nil }
    return isNegative ? -value : value
  }
}
