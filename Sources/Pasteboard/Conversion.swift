public import TypeRegistry

/// A way from one type to another.
public struct Conversion: Sendable {
  /// The type of what is converted; types that conform to it are taken too.
  public let from: TypeIdentifier

  /// The type of the result.
  public let to: TypeIdentifier

  /// What is lost on the way, on the scale of ``ConversionCost``.
  ///
  /// Zero is a mere change of the character set: the same representation in another spelling.
  public let cost: Int

  private let result: @Sendable (Payload, String?) throws -> Payload

  /// A way from one type to another.
  public init(
    from: TypeIdentifier, to: TypeIdentifier, cost: Int,
    convert: @escaping @Sendable (Payload) throws -> Payload
  ) {
    self.init(from: from, to: to, cost: cost) { payload, _ in try convert(payload) }
  }

  /// A way from one type to another, on which the spelling of the source counts.
  ///
  /// - Parameter convert: Takes the target under which the source is offered as well, where it is not
  ///   the usual one of its type: `text/html;charset=iso-8859-1` says how its bytes are to be read.
  public init(
    from: TypeIdentifier, to: TypeIdentifier, cost: Int,
    convert: @escaping @Sendable (Payload, String?) throws -> Payload
  ) {
    precondition(cost >= 0, "a conversion cannot cost less than nothing")
    self.from = from
    self.to = to
    self.cost = cost
    result = convert
  }

  /// Converts.
  ///
  /// It may be called on any thread.
  ///
  /// - Parameter target: The target under which the content is offered, if it is not the usual one of
  ///   its type.
  public func convert(_ payload: Payload, target: String? = nil) throws -> Payload {
    try result(payload, target)
  }
}

/// The standard costs of conversions: how much of the content does not survive.
public enum ConversionCost {
  /// Taken as it is.
  public static let identity = 0
  /// Another character set: free.
  public static let characterSet = 0
  /// Markdown to HTML, which can say all that Markdown says.
  public static let markdownToHTML = 1
  /// Markdown to plain text, which it is already.
  public static let markdownToPlainText = 1
  /// HTML to plain text.
  public static let htmlToPlainText = 1
  /// RTF to plain text.
  public static let rtfToPlainText = 1
  /// Markdown to RTF.
  public static let markdownToRTF = 2
  /// HTML to RTF.
  public static let htmlToRTF = 2
  /// RTF to HTML.
  public static let rtfToHTML = 2
  /// HTML to Markdown.
  public static let htmlToMarkdown = 3
  /// RTF to Markdown.
  public static let rtfToMarkdown = 4
  /// Plain text to HTML, escaped: the last resort, since nothing is gained.
  public static let plainTextToHTML = 5
  /// A table in a text to values with separators: all that stands around it is lost.
  public static let tableToValues = 6
}
