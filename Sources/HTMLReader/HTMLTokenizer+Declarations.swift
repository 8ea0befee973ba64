internal import TextEncoding

// What begins with `<!` or `<?`: comments, document type declarations, character data.
extension HTMLTokenizer {
  /// Takes what stands behind `<`, an exclamation mark first.
  ///
  /// Nothing for character data, which comes as text.
  mutating func takeDeclaration(into text: inout [UInt8]) -> Token? {
    if html.hasWord("!--", at: position) {
      position += 3
      return takeComment(into: &text)
    }
    if html.hasWord("!doctype", at: position) {
      position += 8
      return .doctype(takeDoctype())
    }
    if allowsCharacterData, html.hasWord("![cdata[", at: position), !hasSmallLetters(position + 2) {
      position += 8
      content = .characterData
      return nil
    }
    position += 1
    return takeBogusComment(into: &text)
  }

  /// Whether `cdata` at an offset is in small letters, as it does not count.
  private func hasSmallLetters(_ offset: Int) -> Bool {
    html[offset..<offset + 5].contains { $0 & 0x20 != 0 }
  }

  /// Takes what is read as a comment, since it is nothing else, up to the next `>`.
  mutating func takeBogusComment(into text: inout [UInt8]) -> Token {
    let start = text.count
    let end = html[position...].firstIndex(of: HTMLTokenizer.greater) ?? count
    append(position..<end, to: &text)
    position = min(end + 1, count)
    return .comment(start..<text.count)
  }

  /// Takes a comment behind its `<!--`, up to `-->` or `--!>`.
  private mutating func takeComment(into text: inout [UInt8]) -> Token {
    let start = text.count
    let content = position
    // `<!-->` and `<!--->` are whole.
    if byte(at: content) == HTMLTokenizer.greater {
      position = content + 1
      return .comment(start..<start)
    }
    if html.hasWord("->", at: content) {
      position = content + 2
      return .comment(start..<start)
    }
    var offset = content
    while let dash = html[offset...].firstIndex(of: HTMLTokenizer.dash) {
      if byte(at: dash + 1) == HTMLTokenizer.dash {
        let behind = dash + 2
        let end =
          byte(at: behind) == HTMLTokenizer.greater
          ? behind + 1 : html.hasWord("!>", at: behind) ? behind + 2 : nil
        if let end {
          append(content..<dash, to: &text)
          position = end
          return .comment(start..<text.count)
        }
      }
      offset = dash + 1
    }
    // A document that ends within: what could be the beginning of the comment's end is not part of it.
    var end = count
    if end - content >= 3, html.hasWord("--!", at: end - 3) {
      end -= 3
    } else if end - content >= 2, html.hasWord("--", at: end - 2) {
      end -= 2
    } else if end - content >= 1, html[end - 1] == HTMLTokenizer.dash {
      end -= 1
    }
    append(content..<end, to: &text)
    position = count
    return .comment(start..<text.count)
  }

  /// Takes character data up to `]]>`.
  mutating func takeCharacterData(into text: inout [UInt8]) -> Bool {
    let start = position
    var end = count
    position = count
    var offset = start
    while let bracket = html[offset...].firstIndex(of: UInt8(ascii: "]")) {
      if html.hasWord("]]>", at: bracket) {
        end = bracket
        position = bracket + 3
        break
      }
      offset = bracket + 1
    }
    text.append(contentsOf: html[start..<end])
    return html[start..<end].contains(0)
  }

  // MARK: Document types

  private mutating func takeDoctype() -> HTMLDoctype {
    var doctype = HTMLDoctype()
    skipSpace()
    guard let first = byte(at: position), first != HTMLTokenizer.greater else {
      doctype.forcesQuirks = true
      position = min(position + 1, count)
      return doctype
    }
    let start = position
    while position < count, !html[position].isHTMLSpace, html[position] != HTMLTokenizer.greater {
      position += 1
    }
    var name: [UInt8] = []
    append(start..<position, to: &name)
    doctype.name = name.map(\.lowercasedASCII)
    skipSpace()
    guard let byte = byte(at: position) else {
      doctype.forcesQuirks = true
      return doctype
    }
    if byte == HTMLTokenizer.greater {
      position += 1
    } else if html.hasWord("public", at: position) {
      position += 6
      takeIdentifiers(of: &doctype, isPublic: true)
    } else if html.hasWord("system", at: position) {
      position += 6
      takeIdentifiers(of: &doctype, isPublic: false)
    } else {
      doctype.forcesQuirks = true
      skipRestOfDoctype()
    }
    return doctype
  }

  private mutating func takeIdentifiers(of doctype: inout HTMLDoctype, isPublic: Bool) {
    skipSpace()
    if isPublic {
      guard let identifier = takeIdentifier(of: &doctype) else {
        doctype.forcesQuirks = true
        skipRestOfDoctype()
        return
      }
      doctype.publicIdentifier = identifier
      guard !doctype.forcesQuirks else { return }
      skipSpace()
      if byte(at: position) == HTMLTokenizer.greater {
        position += 1
        return
      }
    }
    guard let identifier = takeIdentifier(of: &doctype) else {
      doctype.forcesQuirks = true
      skipRestOfDoctype()
      return
    }
    doctype.systemIdentifier = identifier
    // It ended with the declaration or the document.
    guard !doctype.forcesQuirks else { return }
    skipSpace()
    if position >= count { doctype.forcesQuirks = true }
    // What else stands here is no reason for quirks.
    skipRestOfDoctype()
  }

  /// An identifier in quotes; nil where none stands.
  ///
  /// One that does not end is cut and forces quirks,
  /// as does a document that ends behind it.
  private mutating func takeIdentifier(of doctype: inout HTMLDoctype) -> [UInt8]? {
    guard let quote = byte(at: position), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return nil }
    position += 1
    let start = position
    while position < count, html[position] != quote, html[position] != HTMLTokenizer.greater {
      position += 1
    }
    var identifier: [UInt8] = []
    append(start..<position, to: &identifier)
    let isComplete = byte(at: position) == quote
    position = min(position + 1, count)
    if !isComplete || position == count { doctype.forcesQuirks = true }
    return identifier
  }

  private mutating func skipRestOfDoctype() {
    let end = html[position...].firstIndex(of: HTMLTokenizer.greater) ?? count
    position = min(end + 1, count)
  }
}
