import Testing
import TypeRegistry

@Suite("Type identifiers")
struct TypeIdentifierTests {
  @Test(
    "Names with two labels of letters, digits, hyphens and other scripts are identifiers",
    arguments: [
      "public.html", "com.example.Thing", "a.b", "org.7-zip.7-zip-archive", "de.müller.日本",
      "public.source-code.preprocessed",
    ])
  func wellFormedNameIsAccepted(name: String) throws {
    let type = try #require(TypeIdentifier(name))
    #expect(type.description == name)
    #expect("\(type)" == name)
    #expect(!type.isDynamic)
  }

  @Test(
    "MIME types, targets and other names are no identifiers",
    arguments: [
      "", ".", "html", ".html", "html.", "a..b", "text/html", "UTF8_STRING", "public.plain_text",
      "a.b:c", "a b.c", "a.b ", "STRING", "a.b\n", "a.\u{0}b", "application/x.y",
    ])
  func malformedNameIsRefused(name: String) {
    #expect(TypeIdentifier(name) == nil)
  }

  @Test("Case is ignored in comparisons and kept in output")
  func caseIsIgnoredAndDeclaredSpellingKept() throws {
    let declared = try #require(TypeIdentifier("com.apple.iwork.keynote.SFFKEY"))
    #expect(declared == TypeIdentifier("com.apple.iWork.Keynote.sffkey"))
    #expect(declared.description == "com.apple.iWork.Keynote.sffkey")
    #expect(TypeRegistry.builtin.isDeclared(declared))
    let first = try #require(TypeIdentifier("com.example.CaseTest"))
    #expect(TypeIdentifier("COM.EXAMPLE.CASETEST") == first)
    #expect(TypeIdentifier("COM.EXAMPLE.CASETEST")?.description == "com.example.CaseTest")
    #expect(Set([first, TypeIdentifier("com.example.casetest")]).count == 1)
  }

  @Test("An undeclared identifier conforms to itself alone")
  func undeclaredIdentifierStandsAlone() throws {
    let type = try #require(TypeIdentifier("com.example.undeclared"))
    let registry = TypeRegistry.builtin
    #expect(type.conforms(to: type) && !type.conforms(to: .data))
    #expect(!TypeIdentifier.png.conforms(to: type))
    #expect(!registry.isDeclared(type) && !type.isDynamic && !type.isPublic)
    #expect(registry.supertypes(of: type).isEmpty && registry.parents(of: type).isEmpty)
    #expect(registry.description(of: type) == nil)
    #expect(registry.tags(of: type, in: .mimeType).isEmpty)
    #expect(registry.preferredFilenameExtension(of: type) == nil)
  }

  @Test("Only names of the public space are public, whatever their case")
  func publicSpace() {
    #expect(TypeIdentifier.png.isPublic && !TypeIdentifier.gif.isPublic)
    #expect(TypeIdentifier("Public.never-declared")?.isPublic == true)
    #expect(TypeIdentifier("publicly.declared")?.isPublic == false)
    // Another name of a type does not make it public.
    #expect(TypeIdentifier("public.webp")?.isPublic == false)
  }

  @Test("An older name is the same type")
  func aliasIsTheSameType() {
    #expect(TypeIdentifier("public.webp") == .webP)
    #expect(TypeIdentifier("public.webp")?.description == "org.webmproject.webp")
  }

  @Test("The same name has the same value on all threads")
  func interningIsConsistentAcrossThreads() async {
    let sets = await withTaskGroup(of: [TypeIdentifier?].self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<500).map { number in
            number.isMultiple(of: 2)
              ? TypeIdentifier("com.example.thread-\(number)")
              : TypeRegistry.builtin.dynamicType(for: "thread\(number)", in: .x11Target)
          }
        }
      }
      return await group.reduce(into: Set<[TypeIdentifier?]>()) { $0.insert($1) }
    }
    #expect(sets.count == 1)
    #expect(sets.first?.contains(nil) == false)
  }

  @Test("Names past the limit are refused, and tags then stand for their supertype")
  func tableIsBounded() async {
    await #expect(processExitsWith: .success) {
      var number = 0
      while TypeIdentifier("com.example.n\(number)") != nil, number < 1 << 20 { number += 1 }
      let registry = TypeRegistry.builtin
      precondition(number > 100_000 && number < 1 << 20)
      precondition(registry.dynamicType(for: "new", in: .x11Target) == .data)
      precondition(registry.type(forTarget: "image/x-new") == .image)
      precondition(registry.type(forTarget: "NEW_TARGET") == .data)
      precondition(TypeIdentifier("com.example.n7")?.description == "com.example.n7")
      precondition(TypeIdentifier("public.png") == .png)
      do throws(TypeDeclarationError) {
        _ = try TypeRegistry(parsing: Array("\(Declarations.typeHeader)\na.new\n".utf8))
        preconditionFailure("a declaration found room")
      } catch {
        precondition(error.fault == .tooManyIdentifiers && error.line == 2)
      }
    }
  }
}
