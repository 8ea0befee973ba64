internal import HTMLReader
internal import TextEncoding

/// Which program wrote a document, as far as its habits are its own.
enum HTMLProducer {
  case unknown
  case word
  case wordOnline
  case excel
  case libreOffice
  case googleDocs
  case cocoa
  case qt
  case abiWord

  /// Whether a margin of nothing is how it writes all paragraphs, not how it writes lines.
  var writesParagraphsWithoutMargin: Bool {
    switch self {
    case .word, .wordOnline, .excel, .libreOffice, .googleDocs, .abiWord: true
    case .unknown, .cocoa, .qt: false
    }
  }

  /// Whether white space that it keeps at the beginning of a line is meant.
  var meansLeadingBlanks: Bool { self != .googleDocs && self != .wordOnline }

  /// Whether it writes paragraphs into every item.
  var writesParagraphsInItems: Bool {
    switch self {
    case .word, .wordOnline, .libreOffice, .googleDocs: true
    case .unknown, .excel, .cocoa, .qt, .abiWord: false
    }
  }

  /// Whether it writes a `pre` or a paragraph for each line of code.
  var writesLinesOfCode: Bool {
    switch self {
    case .libreOffice, .qt, .abiWord: true
    default: false
    }
  }
}

/// What a look at the elements of a document says about the whole.
struct HTMLSurvey {
  private(set) var producer = HTMLProducer.unknown
  private(set) var sheet = HTMLStyleSheet()
  /// Whether line ends in text may be how somebody wrote it: nothing says that a program did.
  private(set) var mayKeepLineEnds = true

  init(_ document: HTMLDocument) {
    if document.fragment.lowerBound > 0 { mayKeepLineEnds = false }
    for number in document.nodes.indices {
      let node = Int32(number)
      switch document.nodes[number].kind {
      case .element: look(at: node, document)
      default: continue
      }
    }
  }

  private mutating func look(at node: Int32, _ document: HTMLDocument) {
    let element = document.nodes[Int(node)]
    switch element.tag {
    case .meta:
      mayKeepLineEnds = false
      lookAtMeta(node, document)
    case .style:
      mayKeepLineEnds = false
      if element.firstChild >= 0 { sheet.add(document.text[document.text(of: element.firstChild)]) }
    case .officeParagraph:
      found(.word)
    case .unknown where document.name(of: node).elementsEqual("google-sheets-html-origin".utf8):
      found(.excel)
    default:
      guard document.hasAttributes(node) else { return }
      if document.attribute(.style, of: node) != nil { mayKeepLineEnds = false }
      if producer != .unknown { return }
      if let id = document.attribute(.id, of: node),
        document.text.hasPrefix("docs-internal-guid", in: id)
      {
        found(.googleDocs)
      } else if document.attribute(.dataAriaLevel, of: node) != nil {
        found(.wordOnline)
      } else if let names = document.attribute(.class, of: node) {
        if document.text.hasPrefix("mso", in: names) {
          found(.word)
        } else if document.text.hasPrefix("textrun", in: names)
          || document.text.hasPrefix("outlineelement", in: names)
          || document.text.hasPrefix("listcontainerwrapper", in: names)
        {
          found(.wordOnline)
        }
      }
    }
  }

  private mutating func lookAtMeta(_ node: Int32, _ document: HTMLDocument) {
    guard let name = document.attribute(.name, of: node) else { return }
    if document.text.isWord("qrichtext", in: name) {
      found(.qt)
      return
    }
    guard let content = document.attribute(.content, of: node),
      document.text.isWord("generator", in: name) || document.text.isWord("progid", in: name)
    else { return }
    for offset in content {
      if document.text.hasWord("excel", at: offset) { found(.excel) }
      if document.text.hasWord("libreoffice", at: offset) { found(.libreOffice) }
      if document.text.hasWord("openoffice", at: offset) { found(.libreOffice) }
      if document.text.hasWord("word", at: offset) { found(.word) }
      if document.text.hasWord("cocoa html", at: offset) { found(.cocoa) }
      if document.text.hasWord("abiword", at: offset) { found(.abiWord) }
    }
  }

  private mutating func found(_ producer: HTMLProducer) {
    if self.producer == .unknown { self.producer = producer }
  }
}
