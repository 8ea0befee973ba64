import Testing
import TypeRegistry

@Suite("Added declarations")
struct TypeOverlayTests {
  /// A source with the line of column names in front, so that rows begin in line 2.
  private func source(_ name: String, _ rows: String...) -> TypeDeclarationSource {
    let lines = [Declarations.typeHeader] + rows
    return TypeDeclarationSource(name: name, bytes: Array(lines.joined(separator: "\n").utf8))
  }

  private func report(
    _ source: String, _ line: Int, _ finding: TypeDeclarationReport.Finding
  ) -> (String, Int, TypeDeclarationReport.Finding) { (source, line, finding) }

  private func expect(
    _ overlay: TypeOverlay, _ reports: [(String, Int, TypeDeclarationReport.Finding)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      overlay.reports.map { "\($0.source):\($0.line) \($0.finding)" }
        == reports.map { "\($0.0):\($0.1) \($0.2)" }, sourceLocation: sourceLocation)
  }

  @Test("Nothing added is the built-in registry itself")
  func nothingAdded() {
    let overlay = TypeOverlay([])
    #expect(overlay.reports.isEmpty)
    #expect(overlay.registry.declaredTypes == TypeRegistry.builtin.declaredTypes)
    let empty = TypeOverlay([TypeDeclarationSource(name: "empty", bytes: [])])
    #expect(empty.reports.isEmpty)
    #expect(empty.registry.declaredTypes == TypeRegistry.builtin.declaredTypes)
    for type in TypeRegistry.builtin.declaredTypes {
      #expect(empty.registry.supertypes(of: type) == TypeRegistry.builtin.supertypes(of: type))
      for tagClass in TagClass.allCases {
        let tags = TypeRegistry.builtin.tags(of: type, in: tagClass)
        #expect(empty.registry.tags(of: type, in: tagClass) == tags)
        for tag in tags {
          #expect(
            empty.registry.declaredTypes(for: tag, in: tagClass)
              == TypeRegistry.builtin.declaredTypes(for: tag, in: tagClass))
        }
      }
    }
  }

  @Test("An added type stands beside the built-in ones")
  func addedType() throws {
    let overlay = TypeOverlay([
      source(
        "mine",
        "org.example.Diary\tpublic.plain-text\tdiary\tapplication/x-diary\tDIARY"
          + "\tDiary name\t'diry'\torg.example.journal\ta diary")
    ])
    expect(overlay, [])
    let registry = overlay.registry
    let diary = try #require(TypeIdentifier("org.example.diary"))
    #expect(diary.description == "org.example.Diary")
    #expect(registry.isDeclared(diary) && !TypeRegistry.builtin.isDeclared(diary))
    #expect(diary.conforms(to: .text, in: registry) && !diary.conforms(to: .text))
    #expect(registry.description(of: diary) == "a diary")
    #expect(registry.type(for: "DIARY", in: .filenameExtension) == diary)
    #expect(registry.type(for: "application/x-diary", in: .mimeType) == diary)
    #expect(registry.type(forTarget: "DIARY") == diary)
    #expect(registry.type(for: "diry", in: .osType) == diary)
    #expect(registry.type(forTarget: "org.example.journal") == diary)
    #expect(TypeIdentifier.png.conforms(to: .image, in: registry))
    #expect(registry.declaredTypes.count == TypeRegistry.builtin.declaredTypes.count + 1)
    #expect(registry.types(forFileNamed: "a.diary") == [diary])
  }

  @Test("A row about a built-in type adds to it and takes nothing away")
  func addsToBuiltin() throws {
    let overlay = TypeOverlay([
      source("mine", "Public.PNG\tpublic.database\tpingg,PNG\timage/x-mine\t\t\t\torg.example.png")
    ])
    expect(overlay, [report("mine", 2, .addsToType("Public.PNG", section: nil))])
    let registry = overlay.registry
    #expect(registry.tags(of: .png, in: .filenameExtension) == ["pingg", "PNG"])
    #expect(registry.preferredFilenameExtension(of: .png) == "pingg")
    #expect(registry.tags(of: .png, in: .mimeType).prefix(2) == ["image/x-mine", "image/png"])
    #expect(registry.preferredMIMEType(of: .png) == "image/x-mine")
    #expect(registry.type(for: "png", in: .filenameExtension) == .png)
    #expect(TypeIdentifier.png.conforms(to: .image, in: registry))
    let database = try #require(TypeIdentifier("public.database"))
    #expect(TypeIdentifier.png.conforms(to: database, in: registry))
    #expect(TypeIdentifier.png.description == "public.png")
    #expect(registry.declaredTypes == TypeRegistry.builtin.declaredTypes)
    #expect(registry.type(forTarget: "org.example.png") == .png)
    #expect(registry.description(of: .png) == TypeRegistry.builtin.description(of: .png))
    #expect(registry.tags(of: .png, in: .osType) == ["PNGf"])
    #expect(registry.type(for: "PNGf", in: .osType) == .png)
  }

  @Test("An added tag comes before a built-in one, and that is said")
  func addedTagWins() throws {
    let overlay = TypeOverlay([source("mine", "org.example.doc\tpublic.data\tmd,doc2")])
    expect(overlay, [report("mine", 2, .sharesTag("md", .filenameExtension))])
    let types = overlay.registry.types(for: "md", in: .filenameExtension)
    #expect(types.map(\.description) == ["org.example.doc", "net.daringfireball.markdown"])
    #expect(overlay.registry.type(for: "md", in: .filenameExtension) == types[0])
    let texts = overlay.registry.types(for: "md", in: .filenameExtension, conformingTo: .text)
    #expect(texts == [.markdown])
  }

  @Test("Of two sources the later one counts more, and both together")
  func laterSourceWins() throws {
    let overlay = TypeOverlay([
      source("10", "org.example.a\tpublic.data\tone,both\t\t\t\t\t\tfirst"),
      source(
        "20", "org.example.a\tpublic.text\ttwo,both\t\t\t\t\t\tsecond", "org.example.b\t\tboth"),
    ])
    expect(
      overlay,
      [
        report("10", 2, .addsToType("org.example.a", section: 1)),
        report("20", 2, .sharesTag("both", .filenameExtension)),
      ])
    let type = try #require(TypeIdentifier("org.example.a"))
    #expect(overlay.registry.tags(of: type, in: .filenameExtension) == ["two", "both", "one"])
    #expect(overlay.registry.description(of: type) == "second")
    #expect(overlay.registry.parents(of: type) == [.text, .data])
    #expect(overlay.registry.type(for: "one", in: .filenameExtension) == type)
  }

  @Test("A broken line costs itself, not its neighbours, and is named")
  func brokenLines() throws {
    let overlay = TypeOverlay([
      source(
        "mine", "org.example.first\tpublic.data\tfst", "no identifier\t\tx", "# comment",
        "org.example.second\tpublic.nowhere,public.data\tscnd", "org.example.third\t\t.dot",
        "org.example.first\t\tagain", "org.example.loop\torg.example.loop",
        "org.example.fourth\tpublic.text\t\t\t\t\t\tpublic.png", "org.example.fifth\t\tfth"),
      TypeDeclarationSource(name: "other", bytes: Array("org.example.sixth\norg.x.y".utf8)),
      TypeDeclarationSource(
        name: "bytes",
        bytes: Array("\(Declarations.typeHeader)\norg.example.bad\t\t".utf8) + [0xff, 0x0a]
          + Array("org.example.good\t\tgood".utf8)),
    ])
    expect(
      overlay,
      [
        report("mine", 3, .fault(.invalidIdentifier("no identifier"))),
        report("mine", 5, .fault(.undeclaredIdentifier("public.nowhere"))),
        report("mine", 6, .fault(.invalidTag(".dot"))),
        report("mine", 7, .fault(.duplicateIdentifier("org.example.first"))),
        report("mine", 8, .fault(.conformanceCycle("org.example.loop"))),
        report("mine", 9, .fault(.duplicateIdentifier("public.png"))),
        report("other", 1, .fault(.missingHeader)),
        report("bytes", 2, .fault(.notUTF8)),
      ])
    #expect(overlay.reports.allSatisfy { $0.isFault })
    let registry = overlay.registry
    for (tag, name) in [("fst", "first"), ("scnd", "second"), ("fth", "fifth"), ("good", "good")] {
      #expect(registry.type(for: tag, in: .filenameExtension)?.description == "org.example.\(name)")
    }
    let second = try #require(TypeIdentifier("org.example.second"))
    #expect(registry.parents(of: second) == [.data])
    #expect(registry.type(forTarget: "public.png") == .png)
    for name in ["third", "sixth", "bad"] {
      #expect(!registry.isDeclared(try #require(TypeIdentifier("org.example.\(name)"))))
    }
  }

  @Test("No added parent makes a built-in type conform to itself")
  func cyclesAcrossSources() throws {
    let overlay = TypeOverlay([
      source(
        "mine", "public.data\tpublic.png", "org.example.x\tpublic.png", "public.png\torg.example.x")
    ])
    let faults = overlay.reports.filter(\.isFault)
    #expect(faults.map(\.line) == [2, 4])
    #expect(faults[1].finding == .fault(.conformanceCycle("org.example.x")))
    #expect(!TypeIdentifier.data.conforms(to: .png, in: overlay.registry))
    #expect(TypeIdentifier.png.conforms(to: .data, in: overlay.registry))
  }

  @Test("An added role counts before the built-in one, and that is said")
  func addedRole() {
    let rows = [
      Declarations.targetHeader, "text/html\tmime\tmarker\tpublic.html", "X-MINE\ttarget\tprotocol",
      "X-MINE\ttarget\tmarker", "TARGETS\ttarget\tprotocol",
    ]
    let overlay = TypeOverlay([
      TypeDeclarationSource(name: "t", bytes: Array(rows.joined(separator: "\n").utf8))
    ])
    expect(
      overlay,
      [
        report("t", 2, .overridesRole("text/html")),
        report("t", 4, .fault(.duplicateTarget("X-MINE"))),
      ])
    #expect(overlay.registry.role(ofTarget: "text/html") == .marker)
    #expect(overlay.registry.type(forTarget: "text/html") == .html)
    #expect(overlay.registry.role(ofTarget: "X-MINE") == .transferProtocol)
  }

  @Test("There is an end to how many types can be added")
  func tooManyTypes() {
    let rows = [Declarations.typeHeader] + (0..<4200).map { "org.example.many\($0)\tpublic.data" }
    let overlay = TypeOverlay([
      TypeDeclarationSource(name: "many", bytes: Array(rows.joined(separator: "\n").utf8))
    ])
    #expect(overlay.registry.declaredTypes.count == TypeRegistry.builtin.declaredTypes.count + 4096)
    #expect(overlay.reports.count == 104)
    #expect(overlay.reports.allSatisfy { $0.finding == .fault(.tooManyIdentifiers) })
    #expect(overlay.reports.first?.line == 4098)
  }
}
