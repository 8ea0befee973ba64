import Testing
import TypeRegistry

@Suite("Aliases and kinds of MIME types")
struct MIMEGraphTests {
  static let cache: MIMECacheWriter = {
    var cache = MIMECacheWriter()
    cache.aliases = [
      ("application/x-gzip", "application/gzip"), ("audio/amr", "audio/AMR"),
      ("audio/amr-old", "audio/AMR"), ("text/x-chain", "text/x-link"),
      ("text/x-link", "text/x-end"), ("text/x-ring-a", "text/x-ring-b"),
      ("text/x-ring-b", "text/x-ring-a"), ("text/x-self", "text/x-self"),
    ]
    cache.parents = [
      ("application/x-compressed-tar", ["application/gzip"]),
      ("application/x-more", ["application/x-compressed-tar", "application/x-other"]),
      ("application/x-by-alias", ["application/x-gzip"]),
      ("text/x-cycle-a", ["text/x-cycle-b"]), ("text/x-cycle-b", ["text/x-cycle-a"]),
      ("application/javascript", ["application/ecmascript", "text/x-script"]),
      ("application/vnd.ms-excel.sheet.macroEnabled.12", ["application/zip"]),
    ]
    return cache
  }()

  @Test(
    "A name leads to the one the database prefers, in its spelling",
    arguments: [
      ("application/x-gzip", "application/gzip"), ("APPLICATION/X-GZIP", "application/gzip"),
      ("application/gzip", "application/gzip"), ("Audio/amr", "audio/AMR"),
      ("audio/AMR", "audio/AMR"), ("audio/amr-old", "audio/AMR"),
      ("text/x-chain", "text/x-end"), ("text/x-self", "text/x-self"),
      ("image/x-unknown", "image/x-unknown"), ("text/x-LINK; charset=utf-8", "text/x-end"),
      (
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.ms-excel.sheet.macroEnabled.12"
      ), ("nonsense", nil), ("", nil),
    ] as [(String, String?)])
  func canonicalNames(name: String, canonical: String?) throws {
    #expect(try mimeDatabase(Self.cache).canonicalMIMEType(of: name) == canonical)
  }

  @Test("Aliases are listed, and a ring of them ends")
  func aliases() throws {
    let database = try mimeDatabase(Self.cache)
    #expect(database.aliases(ofMIMEType: "audio/amr") == ["audio/amr-old"])
    #expect(database.aliases(ofMIMEType: "text/x-end") == ["text/x-chain", "text/x-link"])
    #expect(database.aliases(ofMIMEType: "image/png") == [])
    let ring = try #require(database.canonicalMIMEType(of: "text/x-ring-a"))
    #expect(["text/x-ring-a", "text/x-ring-b"].contains(ring))
  }

  @Test(
    "A kind is what a chain of parents, an alias or the name itself makes one",
    arguments: [
      ("application/x-more", "application/gzip", true),
      ("application/x-more", "application/x-gzip", true),
      ("application/x-by-alias", "application/gzip", true),
      ("application/x-more", "application/x-other", true),
      ("application/gzip", "application/x-more", false),
      ("Application/X-GZIP", "application/gzip", true),
      ("text/x-anything", "text/plain", true), ("application/javascript", "text/plain", true),
      ("application/gzip", "text/plain", false), ("image/png", "application/octet-stream", true),
      ("inode/directory", "application/octet-stream", false),
      ("text/x-cycle-a", "text/x-cycle-b", true), ("text/x-cycle-b", "text/x-cycle-a", true),
      ("text/x-cycle-a", "image/png", false), ("nonsense", "nonsense", false),
      ("image/png", "image/png; a=b", true),
    ])
  func kinds(name: String, other: String, isKind: Bool) throws {
    #expect(try mimeDatabase(Self.cache).isMIMEType(name, kindOf: other) == isKind)
  }

  @Test("Parents add up over directories, and aliases of the first one count")
  func overlays() throws {
    var user = MIMECacheWriter()
    user.aliases = [("application/x-gzip", "application/x-mine")]
    user.parents = [("application/x-more", ["text/x-user", "application/x-other"])]
    let database = try mimeDatabase(user, Self.cache)
    #expect(database.canonicalMIMEType(of: "application/x-gzip") == "application/x-mine")
    #expect(
      database.parents(ofMIMEType: "application/x-more")
        == ["text/x-user", "application/x-other", "application/x-compressed-tar"])
    // What a rule says of an alias is said of what it stands for.
    #expect(database.parents(ofMIMEType: "application/x-by-alias") == ["application/x-mine"])
  }

  @Test("Rules for aliases answer with the preferred name")
  func rulesOfAliases() throws {
    var user = MIMECacheWriter()
    user.rules = [
      .init(pattern: "*.gz", type: "application/x-gzip"),
      .init(pattern: "*.gz", type: "application/gzip"),
    ]
    user.magic = [.init(type: "audio/amr-old", parts: [.init("amr")])]
    let database = try mimeDatabase(user, Self.cache)
    #expect(database.mimeTypes(forFileName: "a.gz") == ["application/gzip"])
    #expect(database.mimeTypes(forContent: Array("amr".utf8)) == ["audio/AMR"])
  }
}
