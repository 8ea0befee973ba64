internal import TextEncoding

/// Which elements and attributes of raw HTML are harmless.
enum SafeMarkupRules {
  /// A name in small letters; empty for one that is longer than any here.
  typealias Name = String

  enum AttributeKind {
    case text
    /// A URL that is followed.
    case link
    /// A URL that is loaded.
    case source
    /// Several of these, with sizes between.
    case sources
  }

  static func name(_ range: Range<Int>, of html: [UInt8]) -> Name {
    guard range.count <= longestName else { return "" }
    return String(decoding: html[range].lazy.map(\.lowercasedASCII), as: UTF8.self)
  }

  private static let longestName = 16

  /// Elements that only say what text is, how it looks, or show pictures, sound and film.
  static let elements: Set<Name> = [
    "a", "abbr", "acronym", "address", "area", "article", "aside", "audio", "b", "bdi", "bdo",
    "big", "blockquote", "br", "caption", "center", "cite", "code", "col", "colgroup", "data",
    "dd", "del", "details", "dfn", "dir", "div", "dl", "dt", "em", "figcaption", "figure", "font",
    "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "i", "img", "input",
    "ins", "kbd", "label", "li", "main", "map", "mark", "menu", "meter", "nav", "nobr", "ol", "p",
    "picture", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "search",
    "section", "small", "source", "span", "strike", "strong", "sub", "summary", "sup", "table",
    "tbody", "td", "tfoot", "th", "thead", "time", "tr", "track", "tt", "u", "ul", "var", "video",
    "wbr",
  ]

  /// Elements that go with all that is in them: it is no text, or is read by other rules.
  static let elementsWithoutText: Set<Name> = [
    "applet", "frameset", "iframe", "math", "noembed", "noframes", "noscript", "plaintext",
    "script", "style", "svg", "template", "textarea", "title", "xmp",
  ]

  static let attributes: [Name: AttributeKind] = {
    var attributes: [Name: AttributeKind] = [
      "href": .link, "cite": .link, "longdesc": .link, "src": .source, "poster": .source,
      "srcset": .sources,
    ]
    for name in [
      "abbr", "align", "alt", "aria-checked", "aria-describedby", "aria-hidden", "aria-label",
      "aria-labelledby", "aria-level", "axis", "bgcolor", "border", "cellpadding", "cellspacing",
      "char", "charoff", "checked", "class", "clear", "color", "cols", "colspan", "compact",
      "controls", "coords", "data-lang", "data-language", "datetime", "default", "dir",
      "disabled", "face", "for", "frame", "headers", "height", "hidden", "high", "hreflang",
      "hspace", "id", "ismap", "itemprop", "itemscope", "kind", "label", "lang", "loading", "loop",
      "low", "max", "media", "min", "muted", "name", "noshade", "nowrap", "open", "optimum",
      "preload", "readonly", "rel", "rev", "reversed", "role", "rows", "rowspan", "rules", "scope",
      "shape", "size", "sizes", "span", "srclang", "start", "summary", "tabindex", "target",
      "title", "translate", "type", "usemap", "valign", "value", "vspace", "width",
    ] {
      attributes[name] = .text
    }
    return attributes
  }()
}
