internal import TextEncoding

/// Makes a tree of the tokens of a document, by the WHATWG's rules for tree construction
/// (WHATWG HTML, 13.2.6).
///
/// The files beside this one hold the insertion modes, a method for each, which takes a token and says
/// whether it is to be processed again in what has become the mode. What the standard only reports is
/// not reported.
struct HTMLTreeBuilder {
  /// 13.2.4.1, the insertion mode.
  enum Mode {
    case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable
    case inTableText, inCaption, inColumnGroup, inTableBody, inRow, inCell, inSelect
    case inSelectInTable, inTemplate, afterBody, inFrameset, afterFrameset, afterAfterBody
    case afterAfterFrameset

    /// Whether white space has rules of its own.
    var splitsSpace: Bool {
      switch self {
      case .initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead, .inColumnGroup,
        .afterBody, .inFrameset, .afterFrameset, .afterAfterBody, .afterAfterFrameset:
        true
      case .inBody, .text, .inTable, .inTableText, .inCaption, .inTableBody, .inRow, .inCell,
        .inSelect, .inSelectInTable, .inTemplate:
        false
      }
    }
  }

  /// A token as the insertion modes see it.
  enum Token {
    /// Only white space, where the mode tells it from other text.
    case space(Range<Int>)
    case text(Range<Int>)
    case comment(Range<Int>)
    case doctype(HTMLDoctype)
    case startTag
    case endTag
    case end
  }

  /// What a method for a mode says about its token.
  enum Outcome {
    case done
    /// Process the token again.
    case again
  }

  let limits: HTMLLimits
  /// Whether `noscript` is text, as it is where scripts run.
  let isScripting: Bool
  let context: HTMLContext?

  var tokenizer: HTMLTokenizer
  var document = HTMLDocument()
  var mode = Mode.initial
  /// Where to go on behind text that is not markup, and behind text in a table.
  var originalMode = Mode.initial
  var templateModes: [Mode] = []

  var open = HTMLOpenElements()
  /// The list of active formatting elements, -1 for a marker.
  var formatting: [Int32] = []
  var head: Int32 = -1
  var form: Int32 = -1
  var framesetIsOK = true
  /// Whether what has no place in a table goes before the table.
  var fosters = false
  var isQuirky = false
  /// Whether a line feed that comes right now is dropped.
  var skipsLineFeed = false
  /// Text in a table that waits for its end.
  var tableText: [Range<Int>] = []
  /// Text is not joined to nodes before this one.
  var joinBarrier: Int32 = 0
  /// The text node that takes all text when there may be no more nodes.
  var overflow: Int32 = -1
  var hasEnded = false
  /// How much there may still be in the attributes of elements that were opened again.
  var copiedAttributesLeft: Int

  init(_ html: [UInt8], context: HTMLContext?, isScripting: Bool, limits: HTMLLimits) {
    self.limits = limits
    self.isScripting = isScripting
    self.context = context
    copiedAttributesLeft = 8 * html.count + 1 << 20
    tokenizer = HTMLTokenizer(html, attributeLimit: limits.attributesOfTag)
    document.text.reserveCapacity(html.count / 2)
    document.nodes.reserveCapacity(min(html.count / 16, limits.nodes) + 8)
    _ = makeNode(.document, start: 0, end: 0)
  }

  /// Reads the document.
  ///
  /// - Parameter marks: offsets in the document at which the fragment begins and ends, if it is not
  ///   comments that say so.
  mutating func build(marks: Range<Int>? = nil) -> HTMLDocument {
    if context != nil { beginFragment() }
    tokenizer.mark = marks?.lowerBound ?? .max
    while !hasEnded {
      if tokenizer.position >= tokenizer.mark, let marks { pass(marks) }
      tokenizer.allowsCharacterData = adjustedCurrent.map { !$0.isHTML } ?? false
      switch tokenizer.next(into: &document.text) {
      case .text(let range, let hasNUL): process(text: range, hasNUL: hasNUL)
      case .comment(let range):
        skipsLineFeed = false
        process(.comment(range))
        noteFragment(range)
      case .startTag:
        skipsLineFeed = false
        process(.startTag)
      case .endTag:
        skipsLineFeed = false
        process(.endTag)
      case .doctype(let doctype):
        skipsLineFeed = false
        process(.doctype(doctype))
      case .end:
        guard tokenizer.position < tokenizer.mark else { continue }
        process(.end)
        hasEnded = true
      }
    }
    // A fragment that does not end is none.
    if document.fragment.upperBound == .max { document.fragment = 0..<Int32.max }
    document.tagNames = tokenizer.tagNames
    document.attributeNames = tokenizer.attributeNames
    return document
  }

  // MARK: Fragments

  private mutating func pass(_ marks: Range<Int>) {
    if tokenizer.mark == marks.lowerBound, tokenizer.mark < marks.upperBound {
      beginMarkedNodes()
      tokenizer.mark = marks.upperBound
    } else {
      endMarkedNodes()
      tokenizer.mark = .max
    }
  }

  private mutating func beginMarkedNodes() {
    document.fragment = Int32(document.nodes.count)..<Int32.max
    joinBarrier = Int32(document.nodes.count)
  }

  private mutating func endMarkedNodes() {
    let count = Int32(document.nodes.count)
    document.fragment = min(document.fragment.lowerBound, count)..<count
    joinBarrier = count
  }

  /// The first of the comments that begin a fragment counts, and the last that ends one: a copied page
  /// may have been pasted together from other fragments.
  private mutating func noteFragment(_ comment: Range<Int>) {
    let comment = document.text.trimmingSpace(comment)
    if document.fragment.lowerBound == 0, document.text.isWord("startfragment", in: comment) {
      beginMarkedNodes()
    } else if document.fragment.lowerBound > 0, document.text.isWord("endfragment", in: comment) {
      endMarkedNodes()
    }
  }

  // MARK: Dispatching

  /// 13.2.6: the rules for foreign content are for what is not HTML, with the exceptions that let HTML
  /// in again.
  private func isForeign(_ token: Token) -> Bool {
    guard let current = adjustedCurrent, !current.isHTML else { return false }
    switch token {
    case .startTag:
      if current.traits.contains(.htmlIntegrationPoint) { return false }
      if current.traits.contains(.textIntegrationPoint) {
        return tokenizer.tag.tag == .mglyph || tokenizer.tag.tag == .malignmark
      }
      return !(current.traits.contains(.annotation) && tokenizer.tag.tag == .svg)
    case .text, .space:
      return current.traits.isDisjoint(with: [.htmlIntegrationPoint, .textIntegrationPoint])
    case .end:
      return false
    case .comment, .endTag, .doctype:
      return true
    }
  }

  mutating func process(_ token: Token) {
    var outcome: Outcome
    repeat {
      outcome = isForeign(token) ? inForeignContent(token) : process(token, in: mode)
    } while outcome == .again
  }

  mutating func process(_ token: Token, in mode: Mode) -> Outcome {
    switch mode {
    case .inBody: inBody(token)
    case .text: inText(token)
    case .inTable: inTable(token)
    case .inTableText: inTableText(token)
    case .inTableBody: inTableBody(token)
    case .inRow: inRow(token)
    case .inCell: inCell(token)
    case .inCaption: inCaption(token)
    case .inColumnGroup: inColumnGroup(token)
    case .initial: initial(token)
    case .beforeHTML: beforeHTML(token)
    case .beforeHead: beforeHead(token)
    case .inHead: inHead(token)
    case .inHeadNoscript: inHeadNoscript(token)
    case .afterHead: afterHead(token)
    case .inSelect: inSelect(token)
    case .inSelectInTable: inSelectInTable(token)
    case .inTemplate: inTemplate(token)
    case .afterBody: afterBody(token)
    case .afterAfterBody: afterAfterBody(token)
    case .inFrameset: inFrameset(token)
    case .afterFrameset: afterFrameset(token)
    case .afterAfterFrameset: afterAfterFrameset(token)
    }
  }

  private mutating func process(text range: Range<Int>, hasNUL: Bool) {
    if hasNUL {
      // U+FFFD in the place of NUL is no text that a frameset could not follow.
      let isOK = framesetIsOK && document.text[range].allSatisfy { $0 == 0 || $0.isHTMLSpace }
      process(text: withoutNUL(range))
      if isOK { framesetIsOK = true }
    } else {
      process(text: range)
    }
  }

  private mutating func process(text range: Range<Int>) {
    var rest = range
    if skipsLineFeed {
      skipsLineFeed = false
      if !rest.isEmpty, document.text[rest.lowerBound] == 0x0A {
        rest = rest.lowerBound + 1..<rest.upperBound
      }
    }
    while !rest.isEmpty {
      guard mode.splitsSpace, adjustedCurrent?.isHTML ?? true else { return process(.text(rest)) }
      let isSpace = document.text[rest.lowerBound].isHTMLSpace
      var end = rest.lowerBound + 1
      while end < rest.upperBound, document.text[end].isHTMLSpace == isSpace { end += 1 }
      // Other text leads to a mode where all text is alike, save in framesets.
      process(isSpace ? .space(rest.lowerBound..<end) : .text(rest.lowerBound..<end))
      rest = end..<rest.upperBound
    }
  }

  /// NUL is dropped in HTML and replaced in foreign content (13.2.6.4.7, 13.2.6.5); before the body it
  /// is text like any other.
  private mutating func withoutNUL(_ range: Range<Int>) -> Range<Int> {
    let bytes = Array(document.text[range])
    document.text.removeLast(document.text.count - range.lowerBound)
    let isHTML = adjustedCurrent.map {
      $0.isHTML || !$0.traits.isDisjoint(with: [.htmlIntegrationPoint, .textIntegrationPoint])
    }
    for byte in bytes {
      if byte != 0 {
        document.text.append(byte)
      } else if isHTML == false {
        document.text.append(contentsOf: HTMLTokenizer.replacement)
      } else if mode.splitsSpace {
        // It must have the effect of a character, for instance to begin the body.
        ensureBody()
      }
    }
    return range.lowerBound..<document.text.count
  }

  private mutating func ensureBody() {
    switch mode {
    case .initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead, .afterBody,
      .afterAfterBody:
      process(.text(document.text.count..<document.text.count))
    default:
      break
    }
  }
}

/// The element that a fragment is the content of.
package struct HTMLContext: Sendable {
  package var tag: HTMLTag
  package var namespace: HTMLNode.Namespace

  package init(_ tag: HTMLTag, _ namespace: HTMLNode.Namespace = .html) {
    self.tag = tag
    self.namespace = namespace
  }
}
