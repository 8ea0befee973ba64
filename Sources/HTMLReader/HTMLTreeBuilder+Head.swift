internal import TextEncoding

// The insertion modes before the body (13.2.6.4.1 to 13.2.6.4.6).
extension HTMLTreeBuilder {
  mutating func initial(_ token: Token) -> Outcome {
    switch token {
    case .space:
      return .done
    case .comment(let range):
      insertComment(range, at: Place(parent: HTMLDocument.root))
      return .done
    case .doctype(let doctype):
      document.doctype = doctype
      isQuirky = doctype.isQuirky
      insert(makeNode(.doctype, start: 0, end: 0), at: Place(parent: HTMLDocument.root))
      mode = .beforeHTML
      return .done
    case .text, .startTag, .endTag, .end:
      isQuirky = true
      mode = .beforeHTML
      return .again
    }
  }

  mutating func beforeHTML(_ token: Token) -> Outcome {
    switch token {
    case .doctype, .space:
      return .done
    case .comment(let range):
      insertComment(range, at: Place(parent: HTMLDocument.root))
      return .done
    case .startTag where tokenizer.tag.tag == .html:
      insertElement()
      mode = .beforeHead
      return .done
    case .endTag where !isAnyOf(.head, .body, .html, .br):
      return .done
    case .text, .startTag, .endTag, .end:
      insertImpliedElement(.html)
      mode = .beforeHead
      return .again
    }
  }

  mutating func beforeHead(_ token: Token) -> Outcome {
    switch token {
    case .doctype, .space:
      return .done
    case .comment(let range):
      insertComment(range)
      return .done
    case .startTag where tokenizer.tag.tag == .html:
      return inBody(token)
    case .startTag where tokenizer.tag.tag == .head:
      head = insertElement() ?? -1
      mode = .inHead
      return .done
    case .endTag where !isAnyOf(.head, .body, .html, .br):
      return .done
    case .text, .startTag, .endTag, .end:
      head = insertImpliedElement(.head) ?? -1
      mode = .inHead
      return .again
    }
  }

  mutating func inHead(_ token: Token) -> Outcome {
    switch token {
    case .doctype:
      return .done
    case .space(let range):
      insertText(range)
      return .done
    case .comment(let range):
      insertComment(range)
      return .done
    case .startTag:
      if let outcome = startTagInHead(token) { return outcome }
    case .endTag:
      switch tokenizer.tag.tag {
      case .head:
        open.pop(through: .head)
        mode = .afterHead
        return .done
      case .template:
        endTemplate()
        return .done
      case .body, .html, .br: break
      default: return .done
      }
    case .text, .end:
      break
    }
    open.pop(through: .head)
    mode = .afterHead
    return .again
  }

  /// Nothing for a tag that ends the head.
  private mutating func startTagInHead(_ token: Token) -> Outcome? {
    switch tokenizer.tag.tag {
    case .html:
      return inBody(token)
    case .base, .basefont, .bgsound, .link, .meta:
      insertVoidElement()
    case .title:
      beginText(.escapableText)
    case .noscript where !isScripting:
      insertElement()
      mode = .inHeadNoscript
    case .noframes, .style, .noscript:
      beginText(.rawText)
    case .script:
      beginText(.script)
    case .template:
      startTemplate()
    case .head:
      break
    default:
      return nil
    }
    return .done
  }

  /// Inserts an element whose content is not markup.
  mutating func beginText(_ content: HTMLTokenizer.Content) {
    // Where there is no room for the element its text is not markup all the same, and is dropped.
    tokenizer.content = content
    originalMode = mode
    mode = .text
    insertElement()
  }

  mutating func inHeadNoscript(_ token: Token) -> Outcome {
    switch token {
    case .doctype:
      return .done
    case .space, .comment:
      return inHead(token)
    case .startTag:
      switch tokenizer.tag.tag {
      case .html: return inBody(token)
      case .basefont, .bgsound, .link, .meta, .noframes, .style: return inHead(token)
      case .head, .noscript: return .done
      default: break
      }
    case .endTag:
      if tokenizer.tag.tag == .noscript {
        open.pop()
        mode = .inHead
        return .done
      }
      if tokenizer.tag.tag != .br { return .done }
    case .text, .end:
      break
    }
    open.pop()
    mode = .inHead
    return .again
  }

  mutating func afterHead(_ token: Token) -> Outcome {
    switch token {
    case .doctype:
      return .done
    case .space(let range):
      insertText(range)
      return .done
    case .comment(let range):
      insertComment(range)
      return .done
    case .startTag:
      switch tokenizer.tag.tag {
      case .html:
        return inBody(token)
      case .body:
        insertElement()
        framesetIsOK = false
        mode = .inBody
        return .done
      case .frameset:
        insertElement()
        mode = .inFrameset
        return .done
      case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
        guard head >= 0 else { return inHead(token) }
        open.push(openElement(head))
        _ = inHead(token)
        if let index = open.index(ofNode: head) { open.remove(at: index) }
        return .done
      case .head:
        return .done
      default: break
      }
    case .endTag:
      switch tokenizer.tag.tag {
      case .template:
        endTemplate()
        return .done
      case .body, .html, .br: break
      default: return .done
      }
    case .text, .end:
      break
    }
    insertImpliedElement(.body)
    mode = .inBody
    return .again
  }

  /// Whether the current tag is one of these.
  func isAnyOf(_ tags: HTMLTag...) -> Bool { tags.contains(tokenizer.tag.tag) }
}

extension HTMLDoctype {
  /// Whether pages with this type are drawn as old browsers drew them (13.2.6.4.1).
  var isQuirky: Bool {
    if forcesQuirks || name != Array("html".utf8) { return true }
    if let systemIdentifier,
      HTMLDoctype.equal(
        systemIdentifier, "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd")
    {
      return true
    }
    guard let identifier = publicIdentifier else { return false }
    let known: [StaticString] = [
      "-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html",
    ]
    if known.contains(where: { HTMLDoctype.equal(identifier, $0) }) { return true }
    if systemIdentifier == nil,
      identifier.hasWord("-//w3c//dtd html 4.01 frameset//", at: 0)
        || identifier.hasWord("-//w3c//dtd html 4.01 transitional//", at: 0)
    {
      return true
    }
    return HTMLDoctype.quirkyPrefixes.contains { identifier.hasWord($0, at: 0) }
  }

  private static func equal(_ identifier: [UInt8], _ word: StaticString) -> Bool {
    identifier.isWord(word, in: 0..<identifier.count)
  }

  private static let quirkyPrefixes: [StaticString] = [
    "+//silmaril//dtd html pro v0r11 19970101//", "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//", "-//ietf//dtd html",
    "-//metrius//dtd metrius presentational//", "-//microsoft//dtd internet explorer",
    "-//netscape comm. corp.//dtd html//", "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html", "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro", "-//softquad//dtd hotmetal pro",
    "-//spyglass//dtd html 2.0 extended//", "-//sun microsystems corp.//dtd hotjava",
    "-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//", "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental", "-//w3c//dtd w3 html 3.0//", "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html",
  ]
}
