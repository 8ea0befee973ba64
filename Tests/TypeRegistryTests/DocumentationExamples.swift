import TypeRegistry

// The examples of the documentation, line for line: `DocumentationTests` compares. What they say is
// checked there too.

struct DocumentationExamples {
  /// What the examples printed.
  private(set) var printed: [String] = []

  private mutating func print(_ values: Any...) {
    printed.append(values.map { "\($0)" }.joined(separator: " "))
  }

  mutating func overview() {
    let registry = TypeRegistry.builtin
    let type = registry.type(for: "png", in: .filenameExtension)
    print(type == .png, TypeIdentifier.png.conforms(to: .image))
  }

  mutating func owners() {
    let owners = TypeRegistry.builtin.types(for: "ts", in: .filenameExtension)
    print(owners)  // the transport stream, then the TypeScript source
    let script = TypeRegistry.builtin.type(for: "ts", in: .filenameExtension, conformingTo: .text)
    print(script?.description ?? "none")
  }

  mutating func preferredTags() {
    let name = "picture." + (TypeRegistry.builtin.preferredFilenameExtension(of: .jpeg) ?? "bin")
    let header = TypeRegistry.builtin.preferredMIMEType(of: .jpeg) ?? "application/octet-stream"
    print(name, header)
  }

  mutating func mimeTypes() {
    let unicode = TypeRegistry.builtin.type(for: "Text/Plain; charset=\"UTF-8\"", in: .mimeType)
    let russian = TypeRegistry.builtin.type(for: "text/plain;charset=koi8-r", in: .mimeType)
    print(unicode == .utf8PlainText, russian == .plainText)
  }

  mutating func dynamicTypes() {
    let unknown = TypeRegistry.builtin.dynamicType(for: "bls", in: .filenameExtension)
    print(unknown)  // dyn.ah62d4rv4ge80e5dx
    print(unknown.isDynamic, unknown.conforms(to: .data))
    print(TypeRegistry.builtin.tags(of: unknown, in: .filenameExtension))
  }

  mutating func targets() {
    for target in ["TARGETS", "UTF8_STRING", "x-kde-passwordManagerHint", "image/png"] {
      let registry = TypeRegistry.builtin
      print(target, registry.role(ofTarget: target), registry.type(forTarget: target))
    }
  }

  mutating func addedDeclarations() {
    let rows = """
      identifier\tconforms_to\textensions\tmime_types\ttargets\tpasteboard_names\tostypes\taliases\tdescription\tnotes
      org.example.logbook\tpublic.plain-text\tlogbook\tapplication/x-logbook\t\t\t\t\ta logbook
      """
    let source = TypeDeclarationSource(name: "logbook.tsv", bytes: Array(rows.utf8))
    let overlay = TypeOverlay([source])
    if let logbook = overlay.registry.type(for: "logbook", in: .filenameExtension) {
      print(logbook, logbook.conforms(to: .text, in: overlay.registry))
    }
  }

  mutating func reports() {
    let broken = TypeDeclarationSource(name: "broken.tsv", bytes: Array("no header".utf8))
    for report in TypeOverlay([broken]).reports where report.isFault {
      print("\(report.source):\(report.line): \(report.finding)")
    }
  }

  /// Runs all of them, in the order of the documentation.
  mutating func runAll() {
    overview()
    owners()
    preferredTags()
    mimeTypes()
    dynamicTypes()
    targets()
    addedDeclarations()
    reports()
  }
}
