/// An element that text within a paragraph stands in.
enum HTMLInlineElement: Equatable {
  case emphasis, strong, strikethrough, code
  case link(TextLink)
  /// Looks without meaning.
  case bold, italic, struck, underline, superscript, subscripted
  /// Other looks, as the declarations of an inline style.
  case styled(String)

  /// The elements around text of these attributes, outermost first.
  ///
  /// - Parameter isBoldHere: whether text is bold where nothing is said of it.
  static func elements(
    of attributes: TextAttributes, isBoldHere: Bool, isSafe: Bool
  ) -> [HTMLInlineElement] {
    var elements: [HTMLInlineElement] = []
    var isStrong = false
    var isEmphasized = false
    var isStruck = false
    var isCode = false
    var isLink = false
    for span in attributes.spans {
      switch span {
      case .emphasis:
        elements.append(.emphasis)
        isEmphasized = true
      case .strong:
        elements.append(.strong)
        isStrong = true
      case .strikethrough:
        elements.append(.strikethrough)
        isStruck = true
      case .code:
        elements.append(.code)
        isCode = true
      case .link(let link):
        // A link in a link is none.
        guard !isLink, !isSafe || SafeURL.isSafe(link.destination, in: .link) else { continue }
        elements.append(.link(link))
        isLink = true
      case .markup: break
      }
    }
    let style = attributes.style
    guard style != TextStyle() else { return elements }
    let declarations = Self.declarations(
      of: style, isBold: isBoldHere || isStrong, isCode: isCode, isLink: isLink)
    if !declarations.isEmpty { elements.append(.styled(declarations)) }
    if style.isBold, !isStrong, !isBoldHere { elements.append(.bold) }
    if style.isItalic == true, !isEmphasized { elements.append(.italic) }
    if style.isStruckThrough == true, !isStruck { elements.append(.struck) }
    if style.isUnderlined == true { elements.append(.underline) }
    switch style.baseline {
    case .superscript: elements.append(.superscript)
    case .subscripted: elements.append(.subscripted)
    case .normal, nil: break
    }
    return elements
  }

  /// What no element says of a style.
  private static func declarations(
    of style: TextStyle, isBold: Bool, isCode: Bool, isLink: Bool
  ) -> String {
    var declarations: [String] = []
    let isMonospaced = style.isMonospaced == true && !isCode
    if let family = style.fontFamily.map(quotable), !family.isEmpty {
      declarations.append("font-family:'\(family)'\(isMonospaced ? ",monospace" : "")")
    } else if isMonospaced {
      declarations.append("font-family:monospace")
    }
    if let size = style.fontSize, (1...99_999).contains(size) {
      declarations.append("font-size:\(size / 10)\(size % 10 == 0 ? "" : ".\(size % 10)")pt")
    }
    if let weight = style.weight, weight != 700, weight != 400 || isBold {
      declarations.append("font-weight:\(min(max(weight, 1), 1000))")
    }
    if let color = style.foreground { declarations.append("color:\(color.hexadecimal)") }
    if let color = style.background {
      declarations.append("background-color:\(color.hexadecimal)")
    }
    if isLink, style.isUnderlined == false { declarations.append("text-decoration:none") }
    return declarations.joined(separator: ";")
  }

  /// The name of a font without what could end the string that it stands in.
  private static func quotable(_ family: String) -> String {
    String(
      String.UnicodeScalarView(
        family.unicodeScalars.filter {
          $0.value >= 0x20 && !"'\"\\;{}<>&".unicodeScalars.contains($0)
        }))
  }

  func appendStart(to bytes: inout [UInt8]) {
    switch self {
    case .emphasis: bytes.append("<em>" as StaticString)
    case .strong: bytes.append("<strong>" as StaticString)
    case .strikethrough: bytes.append("<del>" as StaticString)
    case .code: bytes.append("<code>" as StaticString)
    case .bold: bytes.append("<b>" as StaticString)
    case .italic: bytes.append("<i>" as StaticString)
    case .struck: bytes.append("<s>" as StaticString)
    case .underline: bytes.append("<u>" as StaticString)
    case .superscript: bytes.append("<sup>" as StaticString)
    case .subscripted: bytes.append("<sub>" as StaticString)
    case .link(let link):
      bytes.append("<a href=\"" as StaticString)
      bytes.appendHTML(url: link.destination)
      if let title = link.title {
        bytes.append("\" title=\"" as StaticString)
        bytes.appendHTML(escaping: title)
      }
      bytes.append("\">" as StaticString)
    case .styled(let declarations):
      bytes.append("<span style=\"" as StaticString)
      bytes.appendHTML(escaping: declarations)
      bytes.append("\">" as StaticString)
    }
  }

  func appendEnd(to bytes: inout [UInt8]) {
    let end: StaticString =
      switch self {
      case .emphasis: "</em>"
      case .strong: "</strong>"
      case .strikethrough: "</del>"
      case .code: "</code>"
      case .bold: "</b>"
      case .italic: "</i>"
      case .struck: "</s>"
      case .underline: "</u>"
      case .superscript: "</sup>"
      case .subscripted: "</sub>"
      case .link: "</a>"
      case .styled: "</span>"
      }
    bytes.append(end)
  }
}

extension TextColor {
  /// As CSS writes it: `#0563c1`.
  var hexadecimal: String {
    var bytes: [UInt8] = [UInt8(ascii: "#")]
    for component in [red, green, blue] {
      bytes.append(UInt8.hexadecimalDigit(component >> 4) | 0x20)
      bytes.append(UInt8.hexadecimalDigit(component & 0x0F) | 0x20)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
