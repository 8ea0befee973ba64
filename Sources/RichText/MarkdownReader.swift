internal import TextEncoding

/// Why Markdown could not be read.
///
/// Whatever the bytes are, they mean something: none of these is about what stands in them.
public enum MarkdownReadingError: Error, Equatable, Sendable {
  /// The library md4c, which reads Markdown, is not installed (`libmd4c0` in Debian).
  case parserNotInstalled
  /// The text is longer than ``MarkdownReader/maximumLength``.
  case tooLong
  /// The parser could not get memory.
  case outOfMemory
}

/// What Markdown may have beyond CommonMark.
public struct MarkdownExtensions: OptionSet, Hashable, Sendable {
  /// One bit for each.
  public let rawValue: Int

  /// The extensions whose bits are set.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Tables with bars between their cells.
  public static let tables = MarkdownExtensions(rawValue: 1)
  /// `~~struck through~~`.
  public static let strikethrough = MarkdownExtensions(rawValue: 2)
  /// `- [x]` for a task that is done.
  public static let taskLists = MarkdownExtensions(rawValue: 4)
  /// Links without angle brackets: `https://…`, `www.…`, addresses of mail.
  public static let bareLinks = MarkdownExtensions(rawValue: 8)

  /// All of them, as on GitHub.
  public static let gitHub: MarkdownExtensions = [
    .tables, .strikethrough, .taskLists, .bareLinks,
  ]
}

/// Reads Markdown: CommonMark with the tables, struck-through text, task lists and bare links of
/// GitHub.
///
/// ```swift
/// let text = try MarkdownReader().read(Array("# A *heading*".utf8))
/// ```
///
/// HTML in Markdown becomes ``Paragraph/Kind/markup`` and ``TextSpan/markup``, byte for byte. What is
/// not UTF-8 becomes U+FFFD, as does NUL.
public struct MarkdownReader: Sendable {
  /// The longest text that is read, in bytes.
  public static let maximumLength = 1 << 30

  /// What is read beyond CommonMark.
  public var extensions: MarkdownExtensions

  /// A reader of what GitHub reads, unless told so.
  public init(extensions: MarkdownExtensions = .gitHub) {
    self.extensions = extensions
  }

  /// Reads a document.
  ///
  /// Takes time by the length of the text. For that, references are nothing but text where they would make
  /// much more of a text than it is, and so are the brackets of a paragraph of more than 20,000 lines
  /// with links in them: md4c takes time for those by the square of its lines.
  public func read(_ utf8: [UInt8]) throws(MarkdownReadingError) -> AttributedText {
    guard utf8.count <= Self.maximumLength else { throw .tooLong }
    let source = MarkdownSource(Self.sound(utf8), hasTables: extensions.contains(.tables))
    return try MarkdownParsing.text(of: source, extensions)
  }

  /// Valid UTF-8, without a mark of the byte order in front and without NULs behind the text.
  private static func sound(_ bytes: [UInt8]) -> [UInt8] {
    let decoded = unsafe bytes.withUnsafeBytes { bytes in
      try? unsafe TextDecoder.decode(bytes, as: .utf8, repairing: true)
    }
    switch decoded {
    case .unchanged(bytes.indices), nil: return bytes
    case .unchanged(let range): return Array(bytes[range])
    case .transcoded(let text, _): return text
    }
  }
}
