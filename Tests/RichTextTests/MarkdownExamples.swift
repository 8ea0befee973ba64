import TestSupport
import Testing

/// The examples of the CommonMark and GFM specifications, each Markdown and its HTML.
///
/// They are not part of this project (CC BY-SA 4.0) and lie beside it, in `../shared/reference`; the
/// tests that need them are skipped without.
struct MarkdownExample: Sendable, CustomTestStringConvertible {
  let number: Int
  let markdown: String
  let html: String

  var testDescription: String { "example \(number)" }

  enum Source: String {
    case commonMark = "commonmark-0.31.2.json"
    case earlierCommonMark = "commonmark-0.30-differences.json"
    case gitHub = "gfm-0.29-extensions.json"
  }

  static var areThere: Bool { Files.exists(path(.commonMark)) }

  /// All examples of a file; none where it is not there.
  static func all(_ source: Source) -> [MarkdownExample] {
    guard let bytes = try? Files.read(path(source)),
      let list = JSON(String(decoding: bytes, as: UTF8.self))?.array
    else { return [] }
    return list.compactMap { pair in
      guard let number = pair["example"]?.int, let markdown = pair["markdown"]?.string,
        let html = pair["html"]?.string
      else { return nil }
      return MarkdownExample(number: number, markdown: markdown, html: html)
    }
  }

  private static func path(_ source: Source) -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return root.dropLast().joined(separator: "/") + "/shared/reference/" + source.rawValue
  }
}
