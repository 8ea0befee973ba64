internal import TextEncoding

// Foreign content: SVG and MathML (13.2.6.5).
extension HTMLTreeBuilder {
  mutating func inForeignContent(_ token: Token) -> Outcome {
    switch token {
    case .text(let range), .space(let range):
      insertText(range)
      if framesetIsOK, document.text[range].contains(where: { !$0.isHTMLSpace }) {
        framesetIsOK = false
      }
    case .comment(let range):
      insertComment(range)
    case .doctype, .end:
      break
    case .startTag:
      // In a fragment nothing leads out of foreign content by the standard that html5lib tests. (Since
      // 2021 it does; no context here is foreign but that of tests.)
      if context == nil, tokenizer.tag.tag.endsForeignContent || isFontWithLooks {
        return leaveForeignContent(token)
      }
      guard let current = adjustedCurrent else { return .done }
      if insertElement(current.namespace) != nil, tokenizer.tag.isSelfClosing { open.pop() }
    case .endTag:
      if tokenizer.tag.tag == .br || tokenizer.tag.tag == .p { return leaveForeignContent(token) }
      return endTagInForeignContent(token)
    }
    return .done
  }

  private var isFontWithLooks: Bool {
    guard tokenizer.tag.tag == .font else { return false }
    return tokenizer.attributes.contains { attribute in
      [HTMLAttributeName.color, .face, .size].contains { attribute.name == UInt16($0.rawValue) }
    }
  }

  private mutating func leaveForeignContent(_ token: Token) -> Outcome {
    open.pop {
      $0.isHTML || !$0.traits.isDisjoint(with: [.textIntegrationPoint, .htmlIntegrationPoint])
    }
    return process(token, in: mode)
  }

  private mutating func endTagInForeignContent(_ token: Token) -> Outcome {
    var index = open.count - 1
    while index > 0 {
      let element = open[index]
      if element.name == tokenizer.tag.name {
        open.removeAll(from: index)
        return .done
      }
      index -= 1
      if open[index].isHTML { return process(token, in: mode) }
    }
    return .done
  }

  /// Whether an `annotation-xml` says that it holds HTML.
  func isHTMLAnnotation(_ node: Int32) -> Bool {
    guard let value = document.attribute(.encoding, of: node) else { return false }
    return document.text.isWord("text/html", in: value)
      || document.text.isWord("application/xhtml+xml", in: value)
  }

  // MARK: Names

  /// The name that SVG has for an element whose capitals the tokenizer made small.
  mutating func adjustedSVGName(_ name: UInt16) -> UInt16 {
    HTMLTreeBuilder.adjusted(name, HTMLTreeBuilder.svgTags, &tokenizer.tagNames)
  }

  private static func adjusted(
    _ name: UInt16, _ list: [StaticString], _ table: inout HTMLNameTable
  ) -> UInt16 {
    let spelling = table.spelling(of: name)
    for adjusted in list where adjusted.utf8CodeUnitCount == spelling.count {
      let matches = adjusted.withUTF8Buffer { letters in
        unsafe zip(letters, spelling).allSatisfy { $0.lowercasedASCII == $1 }
      }
      if matches {
        return table.number(ofExactly: adjusted.withUTF8Buffer { unsafe Array($0) })
      }
    }
    return name
  }

  /// Gives the attributes of a foreign element, which begin at `start`, their names.
  mutating func adjustAttributes(from start: Int, _ namespace: HTMLNode.Namespace) {
    for index in start..<document.attributes.count {
      let name = document.attributes[index].name
      let spelling = tokenizer.attributeNames.spelling(of: name)
      if let colon = spelling.firstIndex(of: UInt8(ascii: ":")) {
        let prefix = spelling[..<colon]
        let space: HTMLAttribute.Namespace? =
          prefix.elementsEqual("xlink".utf8)
          ? .xlink
          : prefix.elementsEqual("xml".utf8)
            ? .xml : prefix.elementsEqual("xmlns".utf8) ? .xmlns : nil
        let local = Array(spelling[(colon + 1)...])
        if let space, HTMLTreeBuilder.isForeignAttribute(local, space) {
          document.attributes[index].namespace = space
          document.attributes[index].name = tokenizer.attributeNames.number(ofExactly: local)
        }
      } else if spelling.elementsEqual("xmlns".utf8) {
        document.attributes[index].namespace = .xmlns
      } else {
        document.attributes[index].name = HTMLTreeBuilder.adjusted(
          name, namespace == .svg ? HTMLTreeBuilder.svgAttributes : ["definitionURL"],
          &tokenizer.attributeNames)
      }
    }
  }

  private static func isForeignAttribute(
    _ local: [UInt8], _ namespace: HTMLAttribute.Namespace
  ) -> Bool {
    let names: [String] =
      switch namespace {
      case .xlink: ["actuate", "arcrole", "href", "role", "show", "title", "type"]
      case .xml: ["lang", "space"]
      case .xmlns: ["xlink"]
      case .none: []
      }
    return names.contains { local.elementsEqual($0.utf8) }
  }

  private static let svgTags: [StaticString] = [
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform",
    "clipPath", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite",
    "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow",
    "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage", "feMerge",
    "feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight",
    "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient", "radialGradient",
    "textPath",
  ]

  private static let svgAttributes: [StaticString] = [
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits",
    "diffuseConstant", "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits",
    "kernelMatrix", "kernelUnitLength", "keyPoints", "keySplines", "keyTimes", "lengthAdjust",
    "limitingConeAngle", "markerHeight", "markerUnits", "markerWidth", "maskContentUnits",
    "maskUnits", "numOctaves", "pathLength", "patternContentUnits", "patternTransform",
    "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
    "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions",
    "requiredFeatures", "specularConstant", "specularExponent", "spreadMethod", "startOffset",
    "stdDeviation", "stitchTiles", "surfaceScale", "systemLanguage", "tableValues", "targetX",
    "targetY", "textLength", "viewBox", "viewTarget", "xChannelSelector", "yChannelSelector",
    "zoomAndPan",
  ]
}
