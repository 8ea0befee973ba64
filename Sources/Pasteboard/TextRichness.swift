internal import TypeRegistry

/// How much a text can say: of the owner's own texts the richest is the best.
enum TextRichness: Int, Comparable {
  case markdown, rtf, html, plain

  /// Nil for what is no text.
  ///
  /// A picture is none, even if it is written as text, as SVG is.
  init?(of type: TypeIdentifier, in registry: TypeRegistry) {
    func isA(_ other: TypeIdentifier) -> Bool { type.conforms(to: other, in: registry) }

    guard isA(.text), !isA(.image) else { return nil }
    if isA(.markdown) {
      self = .markdown
    } else if isA(.rtf) {
      self = .rtf
    } else if isA(.html) || isA(.xhtml) {
      self = .html
    } else {
      self = .plain
    }
  }

  static func < (one: TextRichness, other: TextRichness) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// The forms of plain text that differ in nothing but the encoding.
///
/// An offer with several of them has one text in several spellings, and the best spelling is read,
/// never the first that comes.
enum PlainTextForm: Int, Comparable {
  /// UTF-8: nothing can go wrong.
  case utf8
  /// Another encoding that the type names.
  case encoded
  /// Some encoding: the forms into which programs put escapes and doubly encoded text.
  case unspecified

  /// Plain text in an encoding that whoever reads plain text does not expect.
  static let unreadable: [TypeIdentifier] =
    [.utf16PlainText, .utf16ExternalPlainText]
    + [TypeIdentifier("com.apple.traditional-mac-plain-text")].compactMap { $0 }

  /// Nil for everything that is more than plain text (source code, Markdown) or none.
  init?(of type: TypeIdentifier) {
    if type == .utf8PlainText {
      self = .utf8
    } else if type == .plainText {
      self = .unspecified
    } else if Self.unreadable.contains(type) {
      self = .encoded
    } else {
      return nil
    }
  }

  static func < (one: PlainTextForm, other: PlainTextForm) -> Bool {
    one.rawValue < other.rawValue
  }
}
