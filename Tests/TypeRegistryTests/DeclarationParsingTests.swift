import TestSupport
import Testing
import TypeRegistry

@Suite("Declarations")
struct DeclarationParsingTests {
  @Test("A registry has its own declarations and no others")
  func registryHasItsOwnTypes() throws {
    let registry = try Declarations.registry(types: [
      "org.example.Child\torg.example.base,org.example.other\tchd, CH2\tapplication/x-child\tCHILD"
        + "\tChild name\t'chld','CH  '\torg.example.former\t\tsome note",
      "org.example.base\t\t\t\t\t\t\t\tthe base",
      "org.example.other",
    ])
    let child = try #require(TypeIdentifier("org.example.child"))
    let base = try #require(TypeIdentifier("org.example.base"))
    let other = try #require(TypeIdentifier("org.example.other"))
    #expect(registry.declaredTypes == [child, base, other])
    #expect(child.description == "org.example.Child")
    #expect(registry.parents(of: child) == [base, other])
    #expect(child.conforms(to: base, in: registry) && !child.conforms(to: base))
    #expect(child.isSubtype(of: other, in: registry) && base.isSupertype(of: child, in: registry))
    #expect(!base.conforms(to: child, in: registry))
    #expect(registry.description(of: child) == "the base")
    #expect(registry.description(of: other) == nil)
    #expect(registry.tags(of: child, in: .filenameExtension) == ["chd", "CH2"])
    #expect(registry.type(for: "ch2", in: .filenameExtension) == child)
    #expect(registry.tags(of: child, in: .osType) == ["chld", "CH  "])
    #expect(registry.type(for: "Child name", in: .pasteboardName) == child)
    #expect(registry.type(forTarget: "CHILD") == child)
    #expect(!registry.isDeclared(.png))
    #expect(registry.type(for: "png", in: .filenameExtension) == nil)
    #expect(registry.type(forTarget: "TARGETS").isDynamic)
    #expect(registry.role(ofTarget: "TARGETS") == .content)
    #expect(TypeIdentifier("org.example.former") != child)  // known to this registry alone
    #expect(registry.type(forTarget: "org.example.former") == child)
  }

  @Test("A declaration settles the spelling of a name met before")
  func declarationSettlesSpelling() throws {
    let met = try #require(TypeIdentifier("ORG.EXAMPLE.SPELLING"))
    _ = try Declarations.registry(types: ["org.example.Spelling"])
    #expect(met.description == "org.example.Spelling")
    _ = try Declarations.registry(types: ["org.example.spelling"])
    #expect(met.description == "org.example.Spelling")
  }

  @Test("Built-in declarations can be built upon, and what stands first wins")
  func builtinDeclarationsCanBeExtended() throws {
    let mine = """
      \(Declarations.typeHeader)
      org.example.typescript\tpublic.script\ttsx,ts

      """
    let registry = try TypeRegistry(parsing: Array(mine.utf8) + TypeRegistry.builtinDeclarations)
    let type = try #require(TypeIdentifier("org.example.typescript"))
    #expect(type.conforms(to: .text, in: registry) && !type.conforms(to: .text))
    #expect(registry.type(for: "tsx", in: .filenameExtension) == type)
    #expect(registry.type(for: "ts", in: .filenameExtension)?.isPublic == true)
    #expect(registry.types(for: "ts", in: .filenameExtension).dropFirst().first == type)
    #expect(TypeIdentifier.png.conforms(to: .image, in: registry))
    #expect(registry.role(ofTarget: "TARGETS") == .transferProtocol)
  }

  @Test("Comments, empty lines, CR LF, blanks in lists and a missing last line end are accepted")
  func lenientParts() throws {
    let text =
      "# comment\r\n\r\n\(Declarations.typeHeader)\r\n#\r\na.b\t\tx , y\r\nc.d\t a.b "
    let registry = try TypeRegistry(parsing: Array(text.utf8))
    let base = try #require(TypeIdentifier("a.b"))
    #expect(registry.tags(of: base, in: .filenameExtension) == ["x", "y"])
    #expect(try #require(TypeIdentifier("c.d")).conforms(to: base, in: registry))
    #expect(try TypeRegistry(parsing: []).declaredTypes.isEmpty)
    #expect(try TypeRegistry(parsing: []).type(for: "x", in: .filenameExtension) == nil)
  }

  @Test("A type that only a row of targets names is understood and not written")
  func targetRowIsOneWay() throws {
    let registry = try Declarations.registry(
      types: ["a.b\t\t\ta/b"],
      targets: [
        "other/name\tmime\tcontent\ta.b", "a/b\tmime\tmarker\ta.b", "OLD\ttarget\tprotocol\ta.b",
        "X-*\ttarget\tmarker\ta.b", "NONE\ttarget\tprotocol",
      ])
    let type = try #require(TypeIdentifier("a.b"))
    #expect(registry.type(forTarget: "other/name") == type)
    #expect(registry.type(forTarget: "OLD") == type)
    #expect(registry.type(forTarget: "X-1") == type && registry.type(forTarget: "X") != type)
    #expect(registry.tags(of: type, in: .mimeType) == ["a/b"])
    #expect(registry.tags(of: type, in: .x11Target).isEmpty)
    #expect(registry.types(for: "a/b", in: .mimeType) == [type])
    #expect(registry.role(ofTarget: "a/b") == .marker)
    #expect(registry.role(ofTarget: "X-1") == .marker)
    #expect(registry.type(forTarget: "NONE").isDynamic)
  }

  @Test(
    "A wrong row is refused with its line and the fault",
    arguments: [
      ("", 1, .missingHeader),
      ("\(Declarations.typeHeader)\nno dot", 2, .invalidIdentifier("no dot")),
      ("\(Declarations.typeHeader)\n\ta.b", 2, .invalidIdentifier("")),
      ("\(Declarations.typeHeader)\na.b,c.d", 2, .invalidIdentifier("c.d")),
      ("\(Declarations.typeHeader)\ndyn.age80s52", 2, .invalidIdentifier("dyn.age80s52")),
      ("\(Declarations.typeHeader)\na.b\nA.B", 3, .duplicateIdentifier("A.B")),
      ("\(Declarations.typeHeader)\na.b\t\t\t\t\t\t\tc.d\nc.d", 3, .duplicateIdentifier("c.d")),
      ("\(Declarations.typeHeader)\na.b\tc.d", 2, .undeclaredIdentifier("c.d")),
      ("\(Declarations.typeHeader)\na.b\n#\nc.d\ta.b,", 4, .undeclaredIdentifier("")),
      ("\(Declarations.typeHeader)\na.b\ta.b", 2, .conformanceCycle("a.b")),
      ("\(Declarations.typeHeader)\na.b\tc.d\nc.d\te.f\ne.f\ta.b", 4, .conformanceCycle("a.b")),
      ("\(Declarations.typeHeader)\na.b\t\t.png", 2, .invalidTag(".png")),
      ("\(Declarations.typeHeader)\na.b\t\tx,,y", 2, .invalidTag("")),
      ("\(Declarations.typeHeader)\na.b\t\t\ttext", 2, .invalidTag("text")),
      ("\(Declarations.typeHeader)\na.b\t\t\ta/b; c=d", 2, .invalidTag("a/b; c=d")),
      ("\(Declarations.typeHeader)\na.b\t\t\ta/b;d=1;c=1", 2, .invalidTag("a/b;d=1;c=1")),
      ("\(Declarations.typeHeader)\na.b\t\t\t\t\t\tPDF ", 2, .invalidTag("PDF")),
      ("\(Declarations.typeHeader)\na.b\t\t\t\t\t\t'PDF'", 2, .invalidTag("'PDF'")),
      ("\(Declarations.typeHeader)\na.b\t\t\t\t\t\t\t\t\t\tx", 2, .tooManyColumns),
      ("identifier\tconforms_to\na.b", 1, .missingHeader),
      ("name\trole", 1, .missingHeader),
      ("\(Declarations.targetHeader)\nX\ttarget\tcontents", 2, .unknownRole("contents")),
      ("\(Declarations.targetHeader)\nX\tx11\tcontent", 2, .unknownTargetClass("x11")),
      ("\(Declarations.targetHeader)\nX", 2, .unknownTargetClass("")),
      ("\(Declarations.targetHeader)\nX\ttarget\tcontent\ta.b", 2, .undeclaredIdentifier("a.b")),
      (
        "\(Declarations.targetHeader)\nX\ttarget\tcontent\nX\ttarget\tmarker", 3,
        .duplicateTarget("X")
      ),
      (
        "\(Declarations.targetHeader)\na/b\tmime\tcontent\nA/B\tmime\tcontent", 3,
        .duplicateTarget("A/B")
      ),
      ("\(Declarations.targetHeader)\nX\tmime\tcontent", 2, .invalidTag("X")),
      ("\(Declarations.targetHeader)\n\ttarget\tcontent", 2, .invalidTag("")),
      ("\(Declarations.targetHeader)\nX\ttarget\tcontent\t\tnote\tmore", 2, .tooManyColumns),
    ] as [(String, Int, TypeDeclarationError.Fault)])
  func wrongRowIsRefused(sample: (text: String, line: Int, fault: TypeDeclarationError.Fault)) {
    let text = sample.text.isEmpty ? "a.b" : sample.text
    do throws(TypeDeclarationError) {
      _ = try TypeRegistry(parsing: Array(text.utf8))
      Issue.record("\(text) was accepted")
    } catch {
      #expect(error.line == sample.line)
      #expect(error.fault == sample.fault)
    }
  }

  @Test("Bytes that are not UTF-8 are refused")
  func invalidUTF8IsRefused() {
    do throws(TypeDeclarationError) {
      _ = try TypeRegistry(parsing: Array("\(Declarations.typeHeader)\na.b\t\t".utf8) + [0xff])
      Issue.record("accepted")
    } catch {
      #expect(error.fault == .notUTF8 && error.line == 1)
    }
  }

  @Test("Declarations nested thousands deep, children first, are followed")
  func deepNestingIsFollowed() throws {
    var lines = [Declarations.typeHeader]
    let depth = 2_000
    for level in 0..<depth { lines.append("deep.n\(level)\tdeep.n\(level + 1)") }
    lines.append("deep.n\(depth)")
    let registry = try TypeRegistry(parsing: Array(lines.joined(separator: "\n").utf8))
    let first = try #require(TypeIdentifier("deep.n0"))
    let last = try #require(TypeIdentifier("deep.n\(depth)"))
    #expect(first.conforms(to: last, in: registry) && !last.conforms(to: first, in: registry))
    #expect(registry.supertypes(of: first).count == depth)
  }

  @Test("Damaged declarations are refused or read, never more")
  func damagedDeclarationsDoNotTrap() {
    var generator = SeededGenerator(seed: 20_240_607)
    let whole = TypeRegistry.builtinDeclarations
    let replacements: [UInt8] = [
      0, 9, 10, 13, 32, 34, 35, 39, 42, 44, 46, 47, 59, 61, 92, 105, 110, 0x80, 0xff,
    ]
    for _ in 0..<150 {
      let start = Int.random(in: 0..<whole.count, using: &generator)
      var bytes = Array("\(Declarations.typeHeader)\n".utf8)
      bytes += whole[start..<min(start + 4_000, whole.count)]
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        let byte = replacements.randomElement(using: &generator) ?? 0
        if Bool.random(using: &generator) {
          bytes[index] = byte
        } else {
          bytes.insert(byte, at: index)
        }
      }
      let registry = try? TypeRegistry(parsing: bytes)
      for type in registry?.declaredTypes ?? [] { _ = registry?.supertypes(of: type) }
    }
  }
}
