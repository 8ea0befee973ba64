/// How text looks, apart from what it is: what is `nil` is left to the style sheet.
///
/// Readers of formats that say looks (RTF, HTML) fill it; readers of formats that say structure
/// (Markdown) leave it empty. ``StyleSheet`` turns structure into a style.
public struct TextStyle: Hashable, Sendable {
  /// The family of the font, such as `DejaVu Sans`.
  public var fontFamily: String?

  /// The size of the font, in tenths of a point.
  public var fontSize: Int?

  /// The weight of the font on the scale of OpenType and CSS: 1 to 1000, 400 is regular, 700 bold.
  public var weight: Int?

  /// Whether the font slants.
  public var isItalic: Bool?

  /// Whether all characters have one width, whatever the family says.
  public var isMonospaced: Bool?

  /// The colour of the characters.
  public var foreground: TextColor?

  /// The colour behind the characters.
  public var background: TextColor?

  /// Whether a line stands under the text.
  public var isUnderlined: Bool?

  /// Whether a line goes through the text.
  public var isStruckThrough: Bool?

  /// Whether the text stands on the line, above or below it.
  public var baseline: Baseline?

  /// Where text stands against the line.
  public enum Baseline: Hashable, Sendable {
    case normal
    case superscript
    case subscripted
  }

  /// A style that leaves everything to the style sheet.
  public init() {}

  /// Whether the weight is that of bold text (600 and more).
  public var isBold: Bool { (weight ?? 400) >= 600 }

  /// This style where it says something, `other` where it does not.
  public func over(_ other: TextStyle) -> TextStyle {
    var style = self
    style.fontFamily = fontFamily ?? other.fontFamily
    style.fontSize = fontSize ?? other.fontSize
    style.weight = weight ?? other.weight
    style.isItalic = isItalic ?? other.isItalic
    style.isMonospaced = isMonospaced ?? other.isMonospaced
    style.foreground = foreground ?? other.foreground
    style.background = background ?? other.background
    style.isUnderlined = isUnderlined ?? other.isUnderlined
    style.isStruckThrough = isStruckThrough ?? other.isStruckThrough
    style.baseline = baseline ?? other.baseline
    return style
  }
}

/// A colour in sRGB, eight bits a component, without transparency.
public struct TextColor: Hashable, Sendable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8

  /// The colour of these components.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}
