import Testing
import TypeRegistry

@Suite("Built-in types")
struct BuiltinTypesTests {
  let registry = TypeRegistry.builtin

  private func type(_ name: String) throws -> TypeIdentifier {
    let type = try #require(TypeIdentifier(name))
    #expect(registry.isDeclared(type), "\(name) is not declared")
    return type
  }

  @Test("The tables pass all checks and say the same when read anew")
  func tablesPassAllChecks() throws {
    let bytes = TypeRegistry.builtinDeclarations
    #expect(bytes.last == UInt8(ascii: "\n"))
    let anew = try TypeRegistry(parsing: bytes)
    #expect(anew.declaredTypes == registry.declaredTypes)
    for type in anew.declaredTypes {
      #expect(anew.supertypes(of: type) == registry.supertypes(of: type))
      #expect(anew.parents(of: type) == registry.parents(of: type))
      #expect(anew.description(of: type) == registry.description(of: type))
      for tagClass in TagClass.allCases {
        #expect(anew.tags(of: type, in: tagClass) == registry.tags(of: type, in: tagClass))
      }
    }
  }

  @Test("Every row of the table is a type with a description, in the order of the rows")
  func everyRowIsAType() throws {
    let rows = Declarations.builtinRows.types
    #expect(rows.count > 750)
    #expect(registry.declaredTypes.map(\.description) == rows.map { $0[0] })
    for row in rows {
      let type = try type(row[0])
      #expect(registry.description(of: type) == row[8] && !row[8].isEmpty)
      let parents = row[1].split(separator: ",").map(String.init)
      #expect(registry.parents(of: type).map(\.description) == parents)
    }
  }

  @Test("Every tag of the table leads to a type that has it")
  func everyTagIsFound() throws {
    for type in registry.declaredTypes {
      for tagClass in TagClass.allCases {
        for tag in registry.tags(of: type, in: tagClass) {
          #expect(registry.types(for: tag, in: tagClass).contains(type), "\(tag) of \(type)")
          #expect(registry.type(for: tag, in: tagClass) != nil)
        }
      }
    }
  }

  @Test("Conformance is reachability along declared parents, for all pairs")
  func conformanceIsReachability() {
    let all = registry.declaredTypes
    for type in all {
      let reachable = Set(registry.supertypes(of: type))
      let conforming = all.filter { type.conforms(to: $0) }
      #expect(Set(conforming) == reachable.union([type]))
      #expect(Set(all.filter { type.isSubtype(of: $0) }) == reachable)
    }
  }

  @Test(
    "Apple's conformances hold",
    arguments: [
      ("public.html", "public.text"), ("public.html", "public.content"),
      ("public.html", "public.item"), ("public.svg-image", "public.xml"),
      ("public.svg-image", "public.image"), ("public.svg-image", "public.text"),
      ("public.comma-separated-values-text", "public.plain-text"),
      ("com.netscape.javascript-source", "public.script"),
      ("com.netscape.javascript-source", "public.executable"),
      ("net.daringfireball.markdown", "public.plain-text"),
      ("net.daringfireball.markdown", "public.utf8-plain-text"),
      ("public.file-url", "public.url"), ("com.adobe.pdf", "public.composite-content"),
      ("org.oasis-open.opendocument.spreadsheet", "public.spreadsheet"),
      ("com.apple.application-bundle", "com.apple.bundle"),
      ("public.disk-image", "public.archive"), ("public.png", "public.png"),
    ])
  func declaredConformanceHolds(pair: (String, String)) throws {
    #expect(try type(pair.0).conforms(to: try type(pair.1)))
  }

  @Test(
    "What Apple does not declare does not hold",
    arguments: [
      ("public.executable", "public.item"), ("public.archive", "public.item"),
      ("public.disk-image", "public.item"), ("public.message", "public.item"),
      ("public.contact", "public.item"), ("public.database", "public.item"),
      ("public.playlist", "public.item"), ("com.apple.resolvable", "public.item"),
      ("public.mpeg-4-audio", "public.mpeg-4"), ("public.text", "public.plain-text"),
      ("public.plain-text", "public.utf8-plain-text"), ("public.html", "public.plain-text"),
      ("public.rtf", "public.plain-text"), ("com.adobe.pdf", "public.image"),
      ("public.url", "public.file-url"), ("public.item", "public.data"),
    ])
  func undeclaredConformanceDoesNotHold(pair: (String, String)) throws {
    #expect(!(try type(pair.0).conforms(to: try type(pair.1))))
  }

  @Test("Supertypes come depth first in declared order, each once")
  func supertypesComeDepthFirst() throws {
    #expect(
      registry.supertypes(of: .svg).map(\.description) == [
        "public.image", "public.data", "public.item", "public.content", "public.xml",
        "public.text",
      ])
    #expect(registry.supertypes(of: .item).isEmpty)
    #expect(registry.parents(of: .html) == [.text])
  }

  @Test("Subtype and supertype are strict")
  func subtypeIsStrict() {
    #expect(TypeIdentifier.png.isSubtype(of: .image) && !TypeIdentifier.png.isSubtype(of: .png))
    #expect(TypeIdentifier.image.isSupertype(of: .png))
    #expect(!TypeIdentifier.png.isSupertype(of: .png))
    #expect(!TypeIdentifier.image.isSubtype(of: .png))
  }

  @Test("Types of our own that a receiver of text or images could not use are neither")
  func privateFormatsStayOutOfFamilies() throws {
    for name in [
      "org.gnome.copied-files", "org.x.file-name", "org.vim.text", "org.mozilla.url",
      "org.mozilla.html-context", "org.libreoffice.tab-separated-cells", "org.clipview.origin",
      "org.clipview.terms",
      "org.kde.password-manager-hint", "org.x.pixmap", "io.qt.image",
    ] {
      let type = try type(name)
      #expect(!type.conforms(to: .text) && !type.conforms(to: .image), "\(name)")
    }
  }

  @Test("Constants name the types they say")
  func constantsNameTheirTypes() {
    let constants: [(TypeIdentifier, String)] = [
      (.item, "public.item"),
      (.data, "public.data"),
      (.content, "public.content"),
      (.compositeContent, "public.composite-content"),
      (.directory, "public.directory"),
      (.folder, "public.folder"),
      (.package, "com.apple.package"),
      (.archive, "public.archive"),
      (.executable, "public.executable"),
      (.text, "public.text"),
      (.plainText, "public.plain-text"),
      (.utf8PlainText, "public.utf8-plain-text"),
      (.utf16PlainText, "public.utf16-plain-text"),
      (.utf16ExternalPlainText, "public.utf16-external-plain-text"),
      (.html, "public.html"),
      (.xhtml, "public.xhtml"),
      (.rtf, "public.rtf"),
      (.flatRTFD, "com.apple.flat-rtfd"),
      (.markdown, "net.daringfireball.markdown"),
      (.xml, "public.xml"),
      (.json, "public.json"),
      (.yaml, "public.yaml"),
      (.css, "public.css"),
      (.delimitedText, "public.delimited-values-text"),
      (.csv, "public.comma-separated-values-text"),
      (.tsv, "public.tab-separated-values-text"),
      (.sourceCode, "public.source-code"),
      (.script, "public.script"),
      (.shellScript, "public.shell-script"),
      (.vCard, "public.vcard"),
      (.image, "public.image"),
      (.png, "public.png"),
      (.jpeg, "public.jpeg"),
      (.gif, "com.compuserve.gif"),
      (.tiff, "public.tiff"),
      (.bmp, "com.microsoft.bmp"),
      (.ico, "com.microsoft.ico"),
      (.svg, "public.svg-image"),
      (.webP, "org.webmproject.webp"),
      (.heic, "public.heic"),
      (.avif, "public.avif"),
      (.jpegXL, "public.jpeg-xl"),
      (.audiovisualContent, "public.audiovisual-content"),
      (.audio, "public.audio"),
      (.movie, "public.movie"),
      (.pdf, "com.adobe.pdf"),
      (.postScript, "com.adobe.postscript"),
      (.spreadsheet, "public.spreadsheet"),
      (.presentation, "public.presentation"),
      (.font, "public.font"),
      (.zip, "public.zip-archive"),
      (.url, "public.url"),
      (.fileURL, "public.file-url"),
      (.urlName, "public.url-name"),
      (.gnomeCopiedFiles, "org.gnome.copied-files"),
      (.kdeCutSelection, "org.kde.cut-selection"),
      (.passwordManagerHint, "org.kde.password-manager-hint"),
      (.concealed, "org.nspasteboard.ConcealedType"),
      (.clipviewOrigin, "org.clipview.origin"),
    ]
    for (constant, name) in constants {
      #expect(constant.description == name)
      #expect(registry.isDeclared(constant))
    }
  }
}
