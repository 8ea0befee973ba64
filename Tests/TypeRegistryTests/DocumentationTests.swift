import TestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func text(_ path: String) throws -> String {
    String(decoding: try Files.read("/\(Self.root)/\(path)"), as: UTF8.self)
  }

  /// The examples of an article, each line without its indentation.
  private func examples(in article: String) -> [[String]] {
    var examples: [[String]] = []
    var current: [String]?
    for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```swift" {
        current = []
      } else if line == "```" {
        if let current { examples.append(current) }
        current = nil
      } else {
        current?.append(line.drop { $0 == " " }.description)
      }
    }
    return examples
  }

  @Test(
    "Each example of the catalogue stands, line for line, among those that are compiled and run")
  func examplesAreCompiled() throws {
    let source = try text("Tests/TypeRegistryTests/DocumentationExamples.swift")
      .split(separator: "\n").map { $0.drop { $0 == " " }.description }
    let folder = "Sources/TypeRegistry/TypeRegistry.docc"
    var count = 0
    for name in Files.names(in: "/\(Self.root)/\(folder)") {
      for example in examples(in: try text("\(folder)/\(name)")) {
        count += 1
        let stands = source.indices.contains { start in
          source[start...].starts(with: example)
        }
        #expect(stands, "\(name): \(example.first ?? "")")
      }
    }
    #expect(count == 8)
  }

  @Test("What the examples print is what the catalogue says")
  func examplesHold() {
    var examples = DocumentationExamples()
    examples.runAll()
    #expect(
      examples.printed == [
        "true true", "[public.mpeg-2-transport-stream, com.microsoft.typescript]",
        "com.microsoft.typescript", "picture.jpeg image/jpeg", "true true", "dyn.ah62d4rv4ge80e5dx",
        "true true", "[\"bls\"]",
        "TARGETS transferProtocol dyn.ah62d4rv4r73gspx2f330n5dfqr4gw55sfz4gc6xhqz4d4zcbnmdynzcx",
        "UTF8_STRING content public.utf8-plain-text",
        "x-kde-passwordManagerHint marker org.kde.password-manager-hint",
        "image/png content public.png", "org.example.logbook true",
        "broken.tsv:1: fault(TypeRegistry.TypeDeclarationError.Fault.missingHeader)",
      ])
  }
}
