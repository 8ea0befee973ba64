internal import RichText

/// Any bytes as Markdown, written as Markdown, read and written again.
///
/// That the second text equals the first is shown by tests for what Markdown can say
/// (`MarkdownRoundTripTests`); what random bytes say it sometimes cannot, such as a blank that is emphasized.
enum MarkdownSubject {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let text = try? MarkdownReader().read(unsafe Array(bytes)) else { return }
    let markdown = MarkdownWriter().write(text)
    check(markdown)
    guard let again = try? MarkdownReader().read(markdown) else {
      preconditionFailure("what was written cannot be read")
    }
    if again != text { check(MarkdownWriter().write(again)) }
    check(MarkdownWriter(isExact: false).write(text.readingMarkup()))
  }

  private static func check(_ markdown: [UInt8]) {
    precondition(String(validating: markdown, as: UTF8.self) != nil)
  }
}
