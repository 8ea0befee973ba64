/// The colour table of a document.
struct RTFColors {
  /// `nil` is the colour that the program has for text.
  private var colors: [TextColor?] = []
  private var current: TextColor?

  private static let limit = 4096

  mutating func setComponent(_ component: WritableKeyPath<TextColor, UInt8>, _ value: Int) {
    var color = current ?? TextColor(red: 0, green: 0, blue: 0)
    color[keyPath: component] = UInt8(clamping: value)
    current = color
  }

  /// Ends as many colours as there are semicolons.
  mutating func handle(_ text: ArraySlice<UInt8>) {
    for byte in text where byte == UInt8(ascii: ";") {
      if colors.count < RTFColors.limit { colors.append(current) }
      current = nil
    }
  }

  /// The colour of a number; `nil` for that of the program.
  subscript(number: UInt16) -> TextColor? {
    let index = Int(number)
    return colors.indices.contains(index) ? colors[index] : nil
  }
}
