internal import HTMLReader

/// What becomes of white space in text.
enum WhiteSpace {
  /// Runs of blanks and line ends become one blank.
  case collapse
  /// Runs of blanks become one, line ends stay.
  case preserveLines
  case preserve
}

/// How the text of an element looks, after all that is said of it and of what is around it.
struct HTMLComputedStyle: Equatable {
  var weight: Int16 = 400
  var isItalic = false
  var isMonospaced = false
  var isUnderlined = false
  var isStruckThrough = false
  var whiteSpace = WhiteSpace.collapse
  var baseline: TextStyle.Baseline?
  var foreground: TextColor?
  var background: TextColor?
  var alignment: Paragraph.Alignment?
  var numbering: TextList.Numbering?

  var isBold: Bool { weight >= 600 }

  /// What browsers make of an element of which nobody says anything.
  mutating func applyDefaults(of tag: HTMLTag) {
    switch tag {
    case .b, .strong: weight = 700
    case .h1, .h2, .h3, .h4, .h5, .h6, .th: weight = 700
    case .i, .em, .cite, .var: isItalic = true
    case .u, .ins: isUnderlined = true
    case .s, .strike, .del: isStruckThrough = true
    case .code, .kbd, .samp, .tt: isMonospaced = true
    case .pre, .listing, .xmp, .plaintext:
      isMonospaced = true
      whiteSpace = .preserve
    case .textarea: whiteSpace = .preserve
    case .sub: baseline = .subscripted
    case .sup: baseline = .superscript
    case .mark: background = TextColor(red: 255, green: 255, blue: 0)
    default: break
    }
  }

  mutating func apply(
    _ change: HTMLStyleChange, isBlock: Bool, inherited: HTMLComputedStyle
  ) {
    switch change.weight {
    case .absolute(let weight)?: self.weight = weight
    case .bolder?: weight = weight < 350 ? 400 : weight < 550 ? 700 : 900
    case .lighter?: weight = weight < 550 ? 100 : weight < 750 ? 400 : 700
    case nil: break
    }
    isItalic = change.isItalic ?? isItalic
    isMonospaced = change.isMonospaced ?? isMonospaced
    whiteSpace = change.whiteSpace ?? whiteSpace
    // Lines are drawn through all that is in an element, whatever is said there.
    isUnderlined = inherited.isUnderlined || (change.isUnderlined ?? isUnderlined)
    isStruckThrough = inherited.isStruckThrough || (change.isStruckThrough ?? isStruckThrough)
    baseline = change.baseline ?? baseline
    foreground = change.foreground ?? foreground
    // The ground of a block is no mark of its text.
    if !isBlock { background = change.background ?? background }
    alignment = change.alignment ?? alignment
    numbering = change.numbering ?? numbering
  }

  /// What spans do not say.
  func textStyle(isLink: Bool) -> TextStyle {
    var style = TextStyle()
    if isUnderlined, !isLink { style.isUnderlined = true }
    if let baseline, baseline != .normal { style.baseline = baseline }
    if let foreground, !isLink, foreground != TextColor(red: 0, green: 0, blue: 0) {
      style.foreground = foreground
    }
    if let background, background != TextColor(red: 255, green: 255, blue: 255) {
      style.background = background
    }
    return style
  }
}
