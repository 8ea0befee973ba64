import Testing

@Suite("Layers")
struct LayerTests {
  let manifest: Manifest
  /// Where each target stands in the order of the layers.
  let ranks: [String: Int]

  init() throws {
    manifest = try #require(Manifest.inRepository())
    try #require(!manifest.targets.isEmpty)
    ranks = Dictionary(
      manifest.targets.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test("Each folder with sources is a target, and each target has its sources")
  func foldersAndTargetsAgree() {
    let folders = ["Sources", "Tests"].flatMap { top in
      Repository.entries(of: top).filter(\.isDirectory).map { "\(top)/\($0.name)" }
    }
    // Fixtures are what tests read, not what is compiled.
    let sources = folders.filter { folder in
      folder != "Tests/Fixtures" && !Repository.files(under: folder).isEmpty
    }
    let paths = Set(manifest.targets.map(\.path))
    #expect(sources.filter { !paths.contains($0) } == [], "folders without a target")
    #expect(paths.subtracting(sources).sorted() == [], "targets without sources")
  }

  @Test("Each target depends only on targets below it")
  func dependenciesPointDown() {
    let faults = manifest.targets.flatMap { target in
      target.dependencies.filter { ranks[$0, default: .max] >= ranks[target.name, default: 0] }
        .filter { !isExecutableUnderTest($0, by: target) }
        .map { "\(target.name) on \($0)" }
    }
    #expect(faults == [])
  }

  @Test("Each file imports only modules which the manifest lists for its target")
  func importsAreListedDependencies() {
    let faults = eachImport { target, file, declaration in
      ranks[declaration.module] != nil && !target.dependencies.contains(declaration.module)
        ? "\(file): \(declaration.module)" : nil
    }
    #expect(faults == [])
  }

  @Test("No import points up in the order of the layers")
  func importsPointDown() {
    let faults = eachImport { target, file, declaration in
      guard let rank = ranks[declaration.module], let own = ranks[target.name], rank >= own,
        !isExecutableUnderTest(declaration.module, by: target)
      else { return nil }
      return "\(file): \(declaration.module)"
    }
    #expect(faults == [])
  }

  @Test("What the program does knows the types of its user, not the built-in ones alone")
  func programUsesTheUsersTypes() {
    var faults: [String] = []
    for folder in ["Sources/ClipboardCore", "Sources/clipview"] {
      for file in Repository.files(under: folder, named: ".swift") {
        let text = Repository.text(of: file) ?? ""
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
          .enumerated()
        {
          let asksBuiltin =
            line.contains("TypeRegistry.builtin") || line.contains(": TypeRegistry = .builtin")
            || line.contains(".conforms(to: ") && !line.contains("in: ")
          if asksBuiltin { faults.append("\(file):\(number + 1)") }
        }
      }
    }
    #expect(faults == [])
  }

  @Test("C modules are imported internally and Foundation not at all")
  func importsKeepForeignTypesInside() {
    let cModules = Set(
      manifest.targets.filter { target in
        let files = Repository.files(under: target.path)
        return !files.isEmpty && !files.contains { $0.hasSuffix(".swift") }
      }.map(\.name))
    let faults = eachImport { target, file, declaration in
      guard target.path.hasPrefix("Sources/") else { return nil }
      let exports = !Set(["public", "package"]).isDisjoint(with: declaration.modifiers)
      return declaration.module.hasPrefix("Foundation")
        || (cModules.contains(declaration.module) && exports)
        ? "\(file): \(declaration.module)" : nil
    }
    #expect(faults == [])
  }

  @Test("ARCHITECTURE.md lists each target, in its order, with what it may import")
  func architectureListsTheTargets() throws {
    let table = try #require(DocumentTable.inFile("ARCHITECTURE.md"))
    let written = table.rows.filter { row in
      row.cells.count == 3 && row.id.hasPrefix("`")
    }
    let expected = manifest.targets.filter { $0.kind != .test }.map { target in
      "`\(target.name)`: \(target.dependencies.joined(separator: " "))"
    }
    #expect(
      written.map { "\($0.id): \($0.evidence.joined(separator: " "))" } == expected)
  }

  /// A test target may import the program it tests.
  private func isExecutableUnderTest(_ module: String, by target: Manifest.Target) -> Bool {
    guard let rank = ranks[module] else { return false }
    return target.kind == .test && manifest.targets[rank].kind == .executable
  }

  private func eachImport(
    _ fault: (Manifest.Target, _ file: String, ImportDeclaration) -> String?
  ) -> [String] {
    manifest.targets.flatMap { target in
      Repository.files(under: target.path, named: ".swift").flatMap { file in
        ImportDeclaration.all(in: Repository.text(of: file) ?? "").compactMap {
          fault(target, file, $0)
        }
      }
    }
  }
}

@Suite("Reading of the manifest and of imports")
struct ManifestReadingTests {
  @Test("Targets are read in their order with their dependencies")
  func manifestIsRead() throws {
    let manifest = Manifest(
      parsing: """
        func layer(_ name: String) -> Target { .target(name: name) }
        let package = Package(
          name: "sample",
          products: [.library(name: "Upper", targets: ["Upper"])],
          targets: [
            .target(name: "CLower", linkerSettings: [.linkedLibrary("lower")]),
            layer("Upper", on: ["CLower"]),
            .executableTarget(
              name: "program",
              dependencies: [
                "CLower", "Upper",
              ]),
            .target(name: "TestSupport", dependencies: [], path: "Tests/TestSupport"),
            tests("UpperTests", on: ["Upper"]),
          ]
        )
        """)
    #expect(
      manifest.targets.map(\.name) == ["CLower", "Upper", "program", "TestSupport", "UpperTests"])
    try #require(manifest.targets.count == 5)
    #expect(manifest.targets[0].dependencies == [])
    #expect(manifest.targets[1].dependencies == ["CLower"])
    #expect(manifest.targets[2].dependencies == ["CLower", "Upper"])
    #expect(manifest.targets[2].kind == .executable)
    #expect(manifest.targets[3].path == "Tests/TestSupport")
    #expect(manifest.targets[4].dependencies == ["Upper", "TestSupport"])
    #expect(manifest.targets[4].path == "Tests/UpperTests")
  }

  @Test(
    "Imports are read in all their forms",
    arguments: [
      ("import Glibc", "Glibc"), ("  package import SystemIO", "SystemIO"),
      ("@testable import Pasteboard", "Pasteboard"),
      ("public import struct TypeRegistry.TypeIdentifier", "TypeRegistry"),
      ("@preconcurrency internal import CX11", "CX11"), ("// import Commented", nil),
      ("let text = \"import Nothing\"", nil), ("the import of tea", nil), ("import", nil),
    ] as [(String, String?)])
  func importsAreRead(line: String, module: String?) {
    #expect(ImportDeclaration(parsing: line[...])?.module == module)
  }
}
