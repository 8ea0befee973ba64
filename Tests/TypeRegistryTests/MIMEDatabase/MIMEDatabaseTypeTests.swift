import Testing

@testable import TypeRegistry

@Suite("Type identifiers for MIME types")
struct MIMEDatabaseTypeTests {
  static let cache: MIMECacheWriter = {
    var cache = MIMECacheWriter()
    cache.aliases = [
      ("image/heic", "image/heif"), ("image/heic-sequence", "image/heif"),
      ("image/heif-sequence", "image/heif"), ("audio/m4a", "audio/mp4"),
      ("application/x-odd-pdf", "application/pdf"), ("audio/wav", "audio/x-new-wave"),
      ("audio/wave", "audio/x-new-wave"), ("audio/x-older-wave", "audio/x-new-wave"),
      ("image/gif", "image/x-several"), ("image/bmp", "image/x-several"),
      ("application/x-old-name", "application/x-new-name"),
    ]
    cache.parents = [
      ("application/x-drawing", ["application/zip"]), ("application/x-script", ["text/x-source"]),
      ("application/json", ["application/javascript"]),
      ("application/x-loop-a", ["application/x-loop-b"]),
      ("application/x-loop-b", ["application/x-loop-a", "image/png"]),
    ]
    cache.rules = [
      .init(pattern: "*.m4a", type: "audio/mp4"), .init(pattern: "*.heic", type: "image/heif"),
      .init(pattern: "*.zzdrawing", type: "application/x-drawing"),
      .init(pattern: "*.ts", type: "text/x-linguist"),
      .init(pattern: "*.ts", type: "video/x-stream"),
      .init(pattern: "*.tgz", type: "application/x-own-tar"),
      .init(pattern: "*.png", type: "image/png"),
    ]
    cache.magic = [
      .init(type: "image/png", parts: [.init("PNG")]),
      .init(type: "text/x-linguist", parts: [.init("<TS")]),
    ]
    return cache
  }()

  let database: MIMEDatabase

  init() throws { database = try mimeDatabase(Self.cache) }

  @Test(
    "Aliases add names and merge no declared types",
    arguments: [
      ("image/heif", "public.heif"), ("image/heic", "public.heic"),
      ("image/heic-sequence", "public.heics"), ("image/heif-sequence", "public.heifs"),
      ("audio/mp4", "public.mpeg-4-audio"), ("application/x-odd-pdf", "com.adobe.pdf"),
      ("audio/x-new-wave", "com.microsoft.waveform-audio"),
      ("audio/x-older-wave", "com.microsoft.waveform-audio"),
      ("audio/wav", "com.microsoft.waveform-audio"), ("image/gif", "com.compuserve.gif"),
      ("Text/Plain; charset=UTF-8", "public.utf8-plain-text"),
      ("text/plain;charset=x-unknown", "public.plain-text"),
    ])
  func declaredTypes(name: String, type: String) {
    #expect(database.type(forMIMEType: name)?.description == type)
  }

  @Test("A name whose aliases are several declared types is none of them")
  func ambiguousAliases() throws {
    let type = try #require(database.type(forMIMEType: "image/x-several"))
    #expect(type.isDynamic)
    #expect(database.isType(type, conformingTo: .image))
    #expect(!database.isType(type, conformingTo: .gif))
  }

  @Test(
    "An undeclared type has one identifier under all its names, the one made without a database")
  func undeclaredTypes() throws {
    let type = try #require(database.type(forMIMEType: "application/x-new-name"))
    #expect(type.isDynamic)
    #expect(database.type(forMIMEType: "APPLICATION/X-Old-Name") == type)
    #expect(TypeRegistry.builtin.type(forTarget: "application/x-new-name") == type)
    #expect(try MIMEDatabase(caches: []).type(forMIMEType: "application/x-new-name") == type)
    #expect(TypeIdentifier(type.description) == type)
    #expect(database.type(forMIMEType: "nonsense") == nil)
  }

  @Test(
    "What a type conforms to follows from its name",
    arguments: [
      ("image/x-foo", ["public.image"]), ("audio/x-foo", ["public.audio"]),
      ("video/x-foo", ["public.movie"]), ("font/x-foo", ["public.font"]),
      ("text/x-foo", ["public.text"]), ("model/x-foo", ["public.3d-content", "public.data"]),
      ("message/x-foo", ["public.message", "public.data"]),
      ("inode/directory", ["public.directory"]), ("inode/x-foo", ["public.item"]),
      ("application/x-foo", ["public.data"]), ("x-content/x-foo", ["public.data"]),
      ("application/x-foo+xml", ["public.xml"]), ("application/x-foo+json", ["public.json"]),
      ("application/x-foo+zip", ["com.pkware.zip-archive"]),
      ("image/x-foo+xml", ["public.image", "public.xml"]), ("text/x-foo+xml", ["public.xml"]),
      ("model/x-foo+zip", ["public.3d-content", "com.pkware.zip-archive"]),
      ("application/x-foo+cbor", ["public.data"]),
    ] as [(String, [String])])
  func impliedSupertypes(name: String, supertypes: [String]) throws {
    let type = try #require(MIMEType(name))
    #expect(type.impliedSupertypes.map(\.description) == supertypes)
    let identifier = try #require(database.type(forMIMEType: name))
    for supertype in type.impliedSupertypes {
      #expect(identifier.conforms(to: supertype) || identifier == supertype)
    }
  }

  @Test("Undeclared types conform to their parents in the database, declared ones to no more")
  func databaseParents() throws {
    let drawing = try #require(database.type(forMIMEType: "application/x-drawing"))
    #expect(database.isType(drawing, conformingTo: .zip))
    #expect(database.isType(drawing, conformingTo: .archive))
    #expect(!drawing.conforms(to: .archive))
    #expect(database.supertypes(of: drawing).contains(.zip))
    let script = try #require(database.type(forMIMEType: "application/x-script"))
    #expect(database.isType(script, conformingTo: .plainText))
    let text = try #require(database.type(forMIMEType: "text/x-unknown"))
    #expect(database.isType(text, conformingTo: .plainText))
    // In the database JSON is a kind of JavaScript.
    let javaScript = try #require(database.type(forMIMEType: "text/javascript"))
    #expect(database.isMIMEType("application/json", kindOf: "application/javascript"))
    #expect(!database.isType(.json, conformingTo: javaScript))
    #expect(database.supertypes(of: .json) == TypeRegistry.builtin.supertypes(of: .json))
  }

  @Test("Types that are kinds of each other make no circle")
  func circles() throws {
    let one = try #require(database.type(forMIMEType: "application/x-loop-a"))
    let other = try #require(database.type(forMIMEType: "application/x-loop-b"))
    #expect(!database.isType(one, conformingTo: other))
    #expect(!database.isType(other, conformingTo: one))
    #expect(database.isType(other, conformingTo: .png))
  }

  @Test(
    "A name has the type of its extension where the database says no more",
    arguments: [
      ("a.m4a", "com.apple.m4a-audio"), ("a.heic", "public.heic"), ("A.PNG", "public.png"),
      ("dir.x/a.png", "public.png"), ("a.rtf", "public.rtf"),
      ("a.tgz", "org.gnu.gnu-zip-tar-archive"), (".rtf", "public.data"), ("notes", "public.data"),
      ("", "public.data"),
      // The database has no hidden files: its suffixes may be whole names.
      (".png", "public.png"),
    ])
  func typesOfNames(name: String, type: String) {
    #expect(database.type(forFileName: name).description == type)
  }

  @Test("Names that nobody knows mean dynamic types of their extension")
  func unknownNames() {
    let registry = TypeRegistry.builtin
    #expect(
      database.type(forFileName: "a.zzunknown")
        == registry.dynamicType(for: "zzunknown", in: .filenameExtension))
    let drawing = database.type(forFileName: "a.zzdrawing")
    #expect(registry.tags(of: drawing, in: .mimeType) == ["application/x-drawing"])
  }

  @Test("Content decides where a name leaves several types or none")
  func content() {
    let translation = database.type(forFileName: "a.ts", content: Array("<TS>".utf8))
    #expect(TypeRegistry.builtin.tags(of: translation, in: .mimeType) == ["text/x-linguist"])
    #expect(database.type(forFileName: "a", content: Array("PNG".utf8)) == .png)
    #expect(database.type(forFileName: "a.png", content: Array("text".utf8)) == .png)
    #expect(database.type(forFileName: "a.rtf", content: Array("PNG".utf8)) == .rtf)
    #expect(database.type(forContent: Array("PNG".utf8)) == .png)
    #expect(database.type(forContent: Array("words".utf8)) == .plainText)
    #expect(database.type(forContent: [0, 1, 2]) == .data)
    #expect(database.type(forContent: []) == .data)
  }

  @Test("Without a database the declared types serve")
  func noDatabase() throws {
    let none = MIMEDatabase(dataDirectories: ["/nonexistent"])
    #expect(none.mimeTypes(forFileName: "a.png") == [])
    #expect(none.type(forFileName: "a.png") == .png)
    #expect(none.type(forFileName: "a.tar.gz").description.hasPrefix("org.gnu.gnu-zip"))
    #expect(none.type(forMIMEType: "image/png") == .png)
    #expect(none.type(forContent: Array("words".utf8)) == .plainText)
    #expect(none.canonicalMIMEType(of: "Image/PNG") == "image/png")
    #expect(none.isMIMEType("text/x-foo", kindOf: "text/plain"))
    #expect(none.faults.isEmpty)
  }
}
