internal import TextEncoding

/// The style sheet of a document, as far as it says what paragraphs and characters are.
struct RTFStyles {
  struct Style {
    var name: [UInt8] = []
    var basedOn: Int32?
    var character = RTFCharacterFormat()
    var paragraph = RTFParagraphFormat()
  }

  enum Kind {
    case paragraph
    case character
    /// Of tables and sections.
    case other
  }

  private var paragraphStyles: [Int32: Style] = [:]
  private var characterStyles: [Int32: Style] = [:]

  /// The style that is being defined.
  private var current = Style()
  private var currentNumber: Int32 = 0
  private var currentKind = Kind.paragraph

  private static let limit = 4096
  private static let longestName = 64
  /// Styles are rarely based on each other through more than five.
  private static let longestChain = 16

  // MARK: The table

  mutating func begin() {
    current = Style()
    currentNumber = 0
    currentKind = .paragraph
  }

  mutating func setNumber(_ number: Int32, _ kind: Kind) {
    currentNumber = number
    currentKind = kind
  }

  mutating func setBase(_ number: Int32) {
    current.basedOn = number
  }

  /// Appends to the current style's name, which a semicolon ends.
  mutating func appendName(_ text: ArraySlice<UInt8>, _ state: RTFState) {
    let end = text.firstIndex(of: UInt8(ascii: ";")) ?? text.endIndex
    let room = max(0, RTFStyles.longestName - current.name.count)
    current.name.append(contentsOf: text[..<end].prefix(room))
    guard end < text.endIndex else { return }
    current.character = state.character
    current.paragraph = state.paragraph
    let styles = currentKind == .paragraph ? paragraphStyles : characterStyles
    if styles.count < RTFStyles.limit {
      switch currentKind {
      case .paragraph: paragraphStyles[currentNumber] = current
      case .character: characterStyles[currentNumber] = current
      case .other: break
      }
    }
    begin()
  }

  // MARK: Questions

  /// Whether the document has no styles.
  var isEmpty: Bool { paragraphStyles.isEmpty && characterStyles.isEmpty }

  func characterStyle(_ number: Int32) -> Style? { characterStyles[number] }

  /// The style and those that it is based on, nearest first.
  func chain(ofParagraphStyle number: Int32) -> [Style] {
    var chain: [Style] = []
    var next: Int32? = number
    while let number = next, chain.count < RTFStyles.longestChain,
      let style = paragraphStyles[number]
    {
      chain.append(style)
      next = style.basedOn == number ? nil : style.basedOn
    }
    return chain
  }
}

/// What the name of a style says of text.
enum RTFStyleRole: Equatable {
  case heading(level: Int)
  case quote
  case code
  case thematicBreak

  /// The role of a paragraph style of this name.
  init?(paragraphStyleName name: [UInt8]) {
    // Behind a comma Word has other names of the style.
    let name = RTFStyleRole.folded(name.prefix { $0 != UInt8(ascii: ",") })
    if name.hasPrefix("heading"), let level = Int(name.dropFirst(7)), (1...9).contains(level) {
      self = .heading(level: min(level, 6))
      return
    }
    switch name {
    case "quote", "intensequote", "quotations", "quotation", "blocktext", "blockquote",
      "blockquotation", "blockquotes":
      self = .quote
    case "preformattedtext", "htmlpreformatted", "preformatted", "code", "sourcecode", "codeblock",
      "verbatim", "macrotext", "listing":
      self = .code
    case "horizontalline", "horizontalrule":
      self = .thematicBreak
    default:
      return nil
    }
  }

  /// Whether a character style of this name is that of code.
  static func isCode(characterStyleName name: [UInt8]) -> Bool {
    switch folded(name[...]) {
    case "sourcetext", "teletype", "htmlcode", "code", "verbatimchar", "inlinecode", "sourcecode",
      "htmltypewriter", "htmlkeyboard", "htmlsample", "htmlpreformattedchar", "codechar":
      true
    default:
      false
    }
  }

  /// Small letters and digits only; AbiWord puts `_text` behind the names of character styles.
  private static func folded(_ name: ArraySlice<UInt8>) -> String {
    var end = name.endIndex
    if name.suffix(5).elementsEqual("_text".utf8) { end -= 5 }
    let letters = name[..<end].lazy.map(\.lowercasedASCII).filter {
      $0.isASCIILetter || $0.isASCIIDigit || $0 >= 0x80
    }
    return String(decoding: Array(letters), as: UTF8.self)
  }
}
