/// What is said of a run of characters: what it is (`spans`, `image`, `isSoftBreak`), and how it
/// looks (`style`).
public struct TextAttributes: Hashable, Sendable {
  /// What the text is, outermost first: emphasis inside of a link is `[.link(…), .emphasis]`.
  ///
  /// The order is what Markdown and HTML need to nest elements as their author did.
  public var spans: [TextSpan]

  /// The picture that stands here.
  ///
  /// Its run is one U+FFFC OBJECT REPLACEMENT CHARACTER a picture.
  public var image: TextImage?

  /// Whether this blank was a line end in the source that no reader shall see as one.
  public var isSoftBreak: Bool

  /// How the text looks, as far as the source said.
  public var style: TextStyle

  /// Attributes that say nothing unless told so.
  public init(spans: [TextSpan] = [], style: TextStyle = TextStyle()) {
    self.spans = spans
    self.style = style
    image = nil
    isSoftBreak = false
  }

  /// What text has of which nothing was said.
  public static let plain = TextAttributes()

  /// Whether the text is emphasized, by what it is or by how it looks.
  public var isEmphasized: Bool { spans.contains(.emphasis) || style.isItalic == true }

  /// Whether the text is strongly emphasized, by what it is or by how it looks.
  public var isStrong: Bool { spans.contains(.strong) || style.isBold }

  /// Whether the text is struck through, by what it is or by how it looks.
  public var isStruckThrough: Bool {
    spans.contains(.strikethrough) || style.isStruckThrough == true
  }

  /// Whether the text is code within a line.
  public var isCode: Bool { spans.contains(.code) }

  /// Whether the text is source of HTML that stands in Markdown, no text to be shown.
  public var isMarkup: Bool { spans.contains(.markup) }

  /// Where the innermost link leads that the text is part of.
  public var link: TextLink? {
    for span in spans.reversed() {
      if case .link(let link) = span { return link }
    }
    return nil
  }
}

/// One thing that a run of text is or is part of.
public enum TextSpan: Hashable, Sendable {
  case emphasis
  case strong
  case strikethrough
  /// Code within a line; the text is the code, byte for byte.
  case code
  case link(TextLink)
  /// HTML within Markdown: the text is a tag, a comment or the like, byte for byte.
  case markup
}

/// Where a link leads.
public struct TextLink: Hashable, Sendable {
  private var hashedDestination: HashedString
  private var hashedTitle: HashedString?

  /// The URL, unescaped as far as its format escapes, but percent escapes as they stood.
  public var destination: String {
    get { hashedDestination.value }
    set { hashedDestination = HashedString(newValue) }
  }

  /// The advisory text, as a tool tip shows it.
  public var title: String? {
    get { hashedTitle?.value }
    set { hashedTitle = newValue.map(HashedString.init) }
  }

  /// A link to `destination`.
  public init(destination: String, title: String? = nil) {
    hashedDestination = HashedString(destination)
    hashedTitle = title.map(HashedString.init)
  }
}

/// A picture that text refers to.
public struct TextImage: Hashable, Sendable {
  private var hashedSource: HashedString
  private var hashedAlternative: HashedString
  private var hashedTitle: HashedString?

  /// The URL, as in ``TextLink/destination``; empty where a document holds the picture itself.
  public var source: String {
    get { hashedSource.value }
    set { hashedSource = HashedString(newValue) }
  }

  /// What to read in place of the picture.
  public var alternative: String {
    get { hashedAlternative.value }
    set { hashedAlternative = HashedString(newValue) }
  }

  /// The advisory text.
  public var title: String? {
    get { hashedTitle?.value }
    set { hashedTitle = newValue.map(HashedString.init) }
  }

  /// The picture at `source`.
  public init(source: String, alternative: String, title: String? = nil) {
    hashedSource = HashedString(source)
    hashedAlternative = HashedString(alternative)
    hashedTitle = title.map(HashedString.init)
  }
}

/// A string that is hashed once, however often it is looked up.
///
/// What is said of text is looked up at each run, and a document may say something a megabyte long of a hundred thousand
/// runs, such as a link to a `data:` URL around all its lines.
private struct HashedString: Hashable, Sendable {
  let value: String
  private let digest: Int

  init(_ value: String) {
    self.value = value
    digest = value.hashValue
  }

  static func == (left: Self, right: Self) -> Bool {
    left.digest == right.digest && left.value == right.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
