package import TextEncoding

extension HTMLDocument {
  /// Reads what a clipboard has as HTML: a document or a part of one, in whatever charset.
  ///
  /// - Parameter charset: the one named by the type under which the bytes were offered.
  /// - Complexity: Linear in the size of the bytes, whatever they are; memory is bounded by the limits.
  package init(
    reading bytes: [UInt8], charset: Charset? = nil, limits: HTMLLimits = HTMLLimits()
  ) {
    var input = HTMLInput(bytes, charset: charset, limit: limits.size)
    input.completeTable()
    // Clipboards are filled where scripts run.
    var builder = HTMLTreeBuilder(input.text, context: nil, isScripting: true, limits: limits)
    self = builder.build(marks: input.fragment)
  }

  /// Parses UTF-8 text.
  ///
  /// - Parameters:
  ///   - context: the element whose content the text is, if it is no document.
  ///   - isScripting: whether the content of `noscript` is text.
  package init(
    parsing text: [UInt8], context: HTMLContext? = nil, isScripting: Bool = true,
    limits: HTMLLimits = HTMLLimits()
  ) {
    var text = text
    HTMLInput.normalizeLineEnds(of: &text)
    var builder = HTMLTreeBuilder(
      text, context: context, isScripting: isScripting, limits: limits)
    self = builder.build()
  }
}
