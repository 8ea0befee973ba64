extension TextList.Numbering {
  /// The number of an item as it is shown, without a stop: `3`, `c`, `III`; a hyphen for bullets.
  ///
  /// What letters or Roman numerals cannot say is said by digits.
  func label(_ number: Int) -> String {
    switch self {
    case .bullet: "-"
    case .decimal: String(number)
    case .lowerAlpha: Self.letters(number, first: 0x61) ?? String(number)
    case .upperAlpha: Self.letters(number, first: 0x41) ?? String(number)
    case .lowerRoman: Self.roman(number)?.lowercased() ?? String(number)
    case .upperRoman: Self.roman(number) ?? String(number)
    }
  }

  /// From a to z, then aa, ab and so on.
  private static func letters(_ number: Int, first: UInt8) -> String? {
    guard number > 0 else { return nil }
    var rest = number
    var letters: [UInt8] = []
    while rest > 0 {
      rest -= 1
      letters.append(first + UInt8(rest % 26))
      rest /= 26
    }
    return String(decoding: letters.reversed(), as: UTF8.self)
  }

  private static func roman(_ number: Int) -> String? {
    guard (1...3999).contains(number) else { return nil }
    let numerals = [
      (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
      (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ]
    var rest = number
    var result = ""
    for (value, numeral) in numerals {
      while rest >= value {
        result += numeral
        rest -= value
      }
    }
    return result
  }
}
