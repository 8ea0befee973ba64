internal import HTMLReader
internal import TextEncoding

// Blocks: paragraphs, headings, quotes, code, lists, tables.
extension HTMLWalk {
  /// - Returns: whether the content of the element is to be gone through.
  mutating func enterBlock(
    _ node: Int32, _ tag: HTMLTag, _ change: HTMLStyleChange, _ inner: Context
  ) -> Bool {
    var inner = inner
    changeLook(of: &inner)
    switch tag {
    case .html, .body:
      applyLook(of: change, &inner)
      push(inner, tag, breaksBelow: 0)
      return true
    case .pre, .listing, .xmp, .plaintext:
      enterPre(node, tag, inner)
      return true
    case .hr:
      separate(by: 2)
      if isSeen(node) { writeLine(inner) }
      return false
    case .table, .tr, .td, .th, .tbody, .thead, .tfoot, .caption:
      return enterTablePart(node, tag, change, inner)
    default:
      break
    }
    if isSeen(node) { hasBlock = true }
    if tag == .li || tag == .ul || tag == .ol || tag == .menu || tag == .dir {
      enterListPart(node, tag, change, inner)
      return true
    }
    if isInCode {
      // Lines of code in elements of their own.
      separate(by: 1)
      push(inner, tag, breaksBelow: 1)
      return true
    }
    if isCode(node, tag, inner) {
      let joins = tag == .p && survey.producer.writesLinesOfCode
      if !joins || !isAfterCode { separate(by: 2) }
      beginCode(joining: joins, isSeen: isSeen(node))
      inner.kind = .code(info: "")
      push(inner, tag, breaksBelow: 2, .code)
      return true
    }
    enterParagraph(node, tag, change, &inner)
    return true
  }

  private var isAfterCode: Bool { if case .code = paragraphKind { true } else { false } }

  private mutating func enterParagraph(
    _ node: Int32, _ tag: HTMLTag, _ change: HTMLStyleChange, _ inner: inout Context
  ) {
    var above = tag.breaks
    var below = tag.breaks
    if !survey.producer.writesParagraphsWithoutMargin {
      if change.hasNoMarginAbove == true { above = min(above, 1) }
      if change.hasNoMarginBelow == true { below = min(below, 1) }
    }
    if let level = headingLevel(node, tag, change) {
      (above, below) = (2, 2)
      inner.kind = .heading(level: level)
      // What a heading looks like emphasizes nothing in it.
      inner.isBoldItself = inner.style.isBold
      inner.isItalicItself = inner.style.isItalic
      inner.spans.removeAll { $0 == .strong || $0 == .emphasis && inner.isItalicItself }
    } else {
      applyLook(of: change, &inner)
    }
    separate(by: above)
    if tag == .p { noteParagraphInItem(node) }
    if tag == .blockquote || has("msoquote", in: attribute(.class, node))
      || has("msointensequote", in: attribute(.class, node))
    {
      inner.isItalicItself = inner.isItalicItself || change.isItalic == true
      if inner.isItalicItself { inner.spans.removeAll { $0 == .emphasis } }
      push(inner, tag, breaksBelow: 2, .container)
      path.append(makeEntry(.quote))
      context.pathCount = path.count
      return
    }
    if let list = change.officeList, inner.kind == .body, !change.isOutOfLists, !isInList {
      push(inner, tag, breaksBelow: 2, .container)
      let marker = HTMLWalk.meaning(ofMarker: officeMarker(node))
      context.isOfficeItem = true
      enterOfficeItem(
        list.list, level: list.level, numbering: marker.numbering, start: marker.number)
      context.pathCount = path.count
      return
    }
    push(inner, tag, breaksBelow: below)
  }

  private var isInList: Bool { if case .item? = path.last?.kind { true } else { false } }

  /// The level of a heading, by the element, by its role, or by what Word says.
  private func headingLevel(_ node: Int32, _ tag: HTMLTag, _ change: HTMLStyleChange) -> Int? {
    switch tag {
    case .h1: return 1
    case .h2: return 2
    case .h3: return 3
    case .h4: return 4
    case .h5: return 5
    case .h6: return 6
    case .p, .div:
      if let level = change.outlineLevel, (1...9).contains(level) { return min(level, 6) }
      guard document.hasAttributes(node) else { return nil }
      if let role = attribute(.role, node), document.text.isWord("heading", in: role) {
        let level = integer(.ariaLevel, node) ?? integer(.dataAriaLevel, node) ?? 2
        return min(max(level, 1), 6)
      }
      if let names = attribute(.class, node), document.text.isWord("msotitle", in: names) {
        return 1
      }
      return nil
    default: return nil
    }
  }

  /// Says by spans how a block looks unlike what is around it.
  private mutating func applyLook(of change: HTMLStyleChange, _ inner: inout Context) {
    let old = context.style
    let new = inner.style
    if new.isBold != old.isBold {
      inner.spans.removeAll { $0 == .strong }
      if new.isBold { inner.spans.append(.strong) }
    }
    if new.isItalic != old.isItalic {
      inner.spans.removeAll { $0 == .emphasis }
      if new.isItalic { inner.spans.append(.emphasis) }
    }
    if new.isStruckThrough, !old.isStruckThrough { inner.spans.append(.strikethrough) }
    inner.spans.removeAll { $0 == .code }
    if new.isMonospaced { inner.spans.append(.code) }
  }

  // MARK: Lines across and code

  private mutating func writeLine(_ inner: Context) {
    hasBlock = true
    synchronize()
    pending.removeAll(keepingCapacity: true)
    lineBreaks = 0
    builder.beginParagraph(.thematicBreak)
    builder.endParagraph()
    paragraphKind = .thematicBreak
    blockBreak = 2
    hasText = true
    recentList = nil
    endOfficeLists()
  }

  private mutating func enterPre(_ node: Int32, _ tag: HTMLTag, _ inner: Context) {
    var inner = inner
    if isSeen(node) { hasBlock = true }
    // Unless white space is kept it is no code but text.
    guard inner.style.whiteSpace != .collapse, !isInCode else {
      separate(by: isInCode ? 1 : 2)
      push(inner, tag, breaksBelow: isInCode ? 1 : 2)
      return
    }
    let joins = survey.producer.writesLinesOfCode && isNextToPre(node)
    if !joins { separate(by: 2) }
    beginCode(joining: joins, isSeen: isSeen(node))
    let code = codeElement(in: node)
    inner.kind = .code(info: language(of: node, code) ?? "")
    inner.spans = []
    if code >= 0, isAloneBesideBars(code, in: node) { inner.codeElement = code }
    push(inner, tag, breaksBelow: 2, .code)
  }

  /// Whether the element before a `pre` is one too.
  private func isNextToPre(_ node: Int32) -> Bool {
    var sibling = document.nodes[Int(node)].previousSibling
    while sibling >= 0, document.nodes[Int(sibling)].kind != .element {
      sibling = document.nodes[Int(sibling)].previousSibling
    }
    return sibling >= 0 && document.nodes[Int(sibling)].isElement(.pre)
  }

  /// Whether a block without a `pre` is code: its white space is kept, or it has lines, and its font
  /// has characters of one width.
  private func isCode(_ node: Int32, _ tag: HTMLTag, _ inner: Context) -> Bool {
    guard inner.style.isMonospaced, context.kind == .body else { return false }
    switch tag {
    case .div, .section, .article:
      return inner.style.whiteSpace == .preserve || hasLineBreak(node)
    case .p:
      return survey.producer == .qt || hasLineBreak(node)
    default:
      return false
    }
  }

  /// Whether there is a line break among the children of an element and theirs.
  private func hasLineBreak(_ root: Int32) -> Bool {
    var node = document.nodes[Int(root)].firstChild
    var steps = 0
    var found = false
    while node >= 0, steps < 512 {
      steps += 1
      let element = document.nodes[Int(node)]
      if element.isElement(.br) { found = true }
      if element.kind == .element, element.namespace == .html, element.tag.breaks > 0 {
        if element.tag != .div { return false }
        if element.previousSibling >= 0 { found = true }
      }
      node = document.next(after: node, within: root)
    }
    return found
  }

  /// The language of a block of code, by the customs of those who colour it.
  private func language(of pre: Int32, _ code: Int32) -> String? {
    if let language = languageNamed(by: pre) { return language }
    if code >= 0, let language = languageNamed(by: code) { return language }
    var parent = document.nodes[Int(pre)].parent
    for _ in 0..<3 where parent > 0 {
      if let language = languageNamed(by: parent) { return language }
      parent = document.nodes[Int(parent)].parent
    }
    return nil
  }

  /// The first `code` in a `pre`, among or in the first few elements; -1 where there is none.
  private func codeElement(in pre: Int32) -> Int32 {
    var node = document.nodes[Int(pre)].firstChild
    var steps = 0
    while node >= 0, steps < 48 {
      steps += 1
      let element = document.nodes[Int(node)]
      if element.isElement(.code) { return node }
      // Within running text it is no more than a part of that.
      if element.kind == .text, element.parent == pre, !isBlank(node) { return -1 }
      node = document.next(after: node, within: pre)
    }
    return -1
  }

  /// Whether all that a `pre` has beside its `code` are bars with buttons and the like: `div` elements
  /// without code beside those that the code is in.
  ///
  /// Where there is too much to look at, all of it is code.
  private func isAloneBesideBars(_ code: Int32, in pre: Int32) -> Bool {
    guard document.nodes[Int(code)].parent != pre else { return false }
    var around: [Int32] = [pre]
    var parent = document.nodes[Int(code)].parent
    while parent != pre {
      guard parent > 0, document.nodes[Int(parent)].isElement(.div) else { return false }
      around.append(parent)
      parent = document.nodes[Int(parent)].parent
    }
    var node = document.nodes[Int(pre)].firstChild
    var steps = 0
    while node >= 0 {
      steps += 1
      guard steps < 96 else { return false }
      let element = document.nodes[Int(node)]
      if node != code {
        if element.isElement(.code) || element.isElement(.pre) { return false }
        if around.contains(element.parent), !around.contains(node) {
          let isBar = element.isElement(.div) || element.isElement(.button)
          if !isBar, element.kind == .element || element.kind == .text && !isBlank(node) {
            return false
          }
        }
      }
      node = document.next(after: node, within: pre, skipsContent: node == code)
    }
    return true
  }

  private func isBlank(_ text: Int32) -> Bool {
    document.text[document.text(of: text)].allSatisfy(\.isHTMLSpace)
  }

  /// What is longer is no name of a language.
  private static let longestLanguage = 64

  private func languageNamed(by node: Int32) -> String? {
    guard document.hasAttributes(node) else { return nil }
    for attribute in [HTMLAttributeName.dataLang, .dataLanguage] {
      guard let range = self.attribute(attribute, node), range.count <= Self.longestLanguage else {
        continue
      }
      if let language = string(attribute, node) { return language }
    }
    // Those of an element around many blocks are looked at for each.
    guard let names = attribute(.class, node), names.count <= 1024 else { return nil }
    let isPre = document.nodes[Int(node)].isElement(.pre)
    let words = document.text.words(in: names)
    for (index, word) in words.enumerated() {
      // SyntaxHighlighter writes `brush: java; gutter: false`.
      if document.text.isWord("brush:", in: word), index + 1 < words.count {
        let name = document.text[words[index + 1]].prefix { $0 != UInt8(ascii: ";") }
        if !name.isEmpty, name.count <= Self.longestLanguage {
          return String(decoding: name, as: UTF8.self)
        }
      }
      for prefix: StaticString in ["language-", "lang-", "highlight-source-", "brush:"]
      where document.text.hasPrefix(prefix, in: word) {
        let name = word.lowerBound + prefix.utf8CodeUnitCount..<word.upperBound
        if !name.isEmpty, name.count <= Self.longestLanguage {
          return String(decoding: document.text[name], as: UTF8.self)
        }
      }
    }
    // What pandoc writes.
    if isPre, words.count == 2, document.text.isWord("sourcecode", in: words[0]) {
      return String(decoding: document.text[words[1]], as: UTF8.self)
    }
    return nil
  }

  // MARK: Lists

  private mutating func enterListPart(
    _ node: Int32, _ tag: HTMLTag, _ change: HTMLStyleChange, _ inner: Context
  ) {
    var inner = inner
    endImpliedParts()
    applyLook(of: change, &inner)
    inner.isChecked = change.isChecked
    if tag == .li {
      let level = context.itemLevels.flatMap { self.level(of: node, by: $0) }
      separate(by: 1)
      push(inner, tag, breaksBelow: 1, level == nil ? .item : .container)
      if let level {
        let list = document.nodes[Int(node)].parent
        let isOrdered = list >= 0 && document.nodes[Int(list)].tag == .ol
        context.isOfficeItem = true
        enterOfficeItem(
          0, level: level, numbering: isOrdered ? .decimal : .bullet,
          start: isOrdered ? integer(.start, list) ?? 1 : 1, isDone: taskState(node))
      } else {
        seenParts.append(isSeen(node))
        enterItem(node)
      }
      context.pathCount = path.count
      return
    }
    inner.itemLevels = levels(ofList: node)
    if inner.itemLevels != nil {
      separate(by: 1)
      push(inner, tag, breaksBelow: 1)
      return
    }
    let isNested = path.contains { if case .list = $0.kind { true } else { false } }
    separate(by: isNested ? 1 : 2)
    push(inner, tag, breaksBelow: isNested ? 1 : 2, .list)
    enterList(node)
    context.pathCount = path.count
  }

  /// How the items of a list tell their levels, where lists do not lie in lists.
  private func levels(ofList list: Int32) -> ItemLevels? {
    if attribute(.dataIndent, list) != nil { return .list }
    var child = document.nodes[Int(list)].firstChild
    while child >= 0 {
      if document.nodes[Int(child)].isElement(.li) {
        if survey.producer == .wordOnline {
          return level(of: child, by: .item) == nil ? nil : .item
        }
        if indentClass(of: child) != nil { return .indentClass }
      }
      child = document.nodes[Int(child)].nextSibling
    }
    return nil
  }

  private func level(of item: Int32, by levels: ItemLevels) -> Int? {
    let level: Int? =
      switch levels {
      case .item: integer(.dataAriaLevel, item) ?? integer(.ariaLevel, item)
      case .list: integer(.dataIndent, document.nodes[Int(item)].parent).map { min($0, 31) + 1 }
      case .indentClass: min(indentClass(of: item) ?? 0, 31) + 1
      }
    return level.map { min(max($0, 1), 32) }
  }

  /// The indent that Quill gives to an item, as a class.
  private func indentClass(of item: Int32) -> Int? {
    guard let names = attribute(.class, item) else { return nil }
    for word in document.text.words(in: names) where document.text.hasPrefix("ql-indent-", in: word)
    {
      return document.text.integer(in: word.lowerBound + 10..<word.upperBound)
    }
    return nil
  }
}
