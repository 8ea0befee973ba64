import Pasteboard
import TypeRegistry

/// A conversion that writes what it did around what it got.
///
/// `html(markdown)`: a text that was converted twice would show it.
func tracing(_ from: TypeIdentifier, _ to: TypeIdentifier, cost: Int) -> Conversion {
  let name = shortName(of: to)
  return Conversion(from: from, to: to, cost: cost) { payload in
    Payload("\(name)(\(String(decoding: payload.bytes, as: UTF8.self)))")
  }
}

func shortName(of type: TypeIdentifier) -> String {
  switch type {
  case .markdown: "markdown"
  case .rtf: "rtf"
  case .html: "html"
  case .utf8PlainText: "utf8"
  case .utf16PlainText: "utf16"
  case .plainText: "plain"
  default: type.description
  }
}

extension ConversionTable {
  /// The conversions of the cost table, one entry a row.
  static let standard = ConversionTable([
    tracing(.markdown, .html, cost: ConversionCost.markdownToHTML),
    tracing(.markdown, .utf8PlainText, cost: ConversionCost.markdownToPlainText),
    tracing(.html, .utf8PlainText, cost: ConversionCost.htmlToPlainText),
    tracing(.rtf, .utf8PlainText, cost: ConversionCost.rtfToPlainText),
    tracing(.markdown, .rtf, cost: ConversionCost.markdownToRTF),
    tracing(.html, .rtf, cost: ConversionCost.htmlToRTF),
    tracing(.rtf, .html, cost: ConversionCost.rtfToHTML),
    tracing(.html, .markdown, cost: ConversionCost.htmlToMarkdown),
    tracing(.rtf, .markdown, cost: ConversionCost.rtfToMarkdown),
    tracing(.plainText, .html, cost: ConversionCost.plainTextToHTML),
    tracing(.plainText, .utf8PlainText, cost: ConversionCost.characterSet),
    tracing(.utf16PlainText, .utf8PlainText, cost: ConversionCost.characterSet),
    tracing(.utf8PlainText, .utf16PlainText, cost: ConversionCost.characterSet),
    tracing(.plainText, .utf16PlainText, cost: ConversionCost.characterSet),
  ])
}

extension Negotiator {
  static let standard = Negotiator(table: .standard)

  /// A negotiator that takes things as they are.
  static let withoutConversions = Negotiator(table: ConversionTable())
}

extension OfferedRepresentation {
  static func native(_ type: TypeIdentifier) -> Self { Self(type: type) }

  static func made(_ type: TypeIdentifier, from source: TypeIdentifier) -> Self {
    Self(type: type, origin: .made(from: source))
  }

  static func marker(_ type: TypeIdentifier) -> Self { Self(type: type, isMarker: true) }
}

/// An offer of native representations.
func natives(_ types: TypeIdentifier...) -> [OfferedRepresentation] {
  types.map { .native($0) }
}

extension NegotiatedChoice {
  /// The representation at `index`, as it is.
  static func taken(_ index: Int, _ type: TypeIdentifier, cost: Int = 0) -> Self {
    Self(index: index, conversion: nil, cost: cost, type: type)
  }

  /// The representation at `index`, converted.
  static func converted(_ index: Int, to type: TypeIdentifier, cost: Int) -> Self {
    Self(index: index, conversion: type, cost: cost, type: type)
  }
}

extension TypeIdentifier {
  /// What the tests need and the registry has no constant for.
  static func named(_ name: String) -> TypeIdentifier {
    guard let type = TypeIdentifier(name) else {
      preconditionFailure("\(name) is no type identifier")
    }
    return type
  }

  static let swiftSource = named("public.swift-source")
  static let openDocument = named("org.oasis-open.opendocument.text")
  static let privateFormat = named("com.example.private")
}
