import Testing
import TypeRegistry

/// A database of some caches, that of the highest precedence first.
func mimeDatabase(_ caches: MIMECacheWriter...) throws -> MIMEDatabase {
  try MIMEDatabase(caches: caches.map(\.bytes))
}

@Suite("MIME types by name")
struct MIMENameTests {
  typealias Rule = MIMECacheWriter.Rule

  static let cache: MIMECacheWriter = {
    var cache = MIMECacheWriter()
    cache.rules = [
      Rule(pattern: "*.gz", type: "application/gzip"),
      Rule(pattern: "*.tar.gz", type: "application/x-compressed-tar"),
      Rule(pattern: "*.jpg", type: "image/jpeg"),
      Rule(pattern: "*.c", type: "text/x-csrc", isCaseSensitive: true),
      Rule(pattern: "*.C", type: "text/x-c++src", isCaseSensitive: true),
      Rule(pattern: "makefile", type: "text/x-makefile"),
      Rule(pattern: "Core", type: "application/x-core", isCaseSensitive: true),
      Rule(pattern: "*.mk", type: "text/x-mk"),
      Rule(pattern: "list.mk", type: "text/x-list"),
      Rule(pattern: "readme*", type: "text/x-readme", weight: 90),
      Rule(pattern: "*.[1-9]", type: "text/x-man"),
      Rule(pattern: "[0-9][0-9].vdr", type: "video/x-vdr"),
      Rule(pattern: "*~", type: "application/x-trash"),
      Rule(pattern: "*.md", type: "application/x-rom", weight: 10),
      Rule(pattern: "*.md", type: "text/markdown"),
      Rule(pattern: "*.long.md", type: "text/x-long", weight: 40),
      Rule(pattern: "*.tie", type: "text/x-second"),
      Rule(pattern: "*.tie", type: "text/x-first"),
      Rule(pattern: "*.日本", type: "text/x-japan"),
      Rule(pattern: "*.é", type: "text/x-accent"),
    ]
    return cache
  }()

  @Test(
    "Each name has the types of the rules it meets, the best first",
    arguments: [
      // The longest suffix first, whatever stands before it.
      ("data.tar.gz", ["application/x-compressed-tar", "application/gzip"]),
      (".tar.gz", ["application/x-compressed-tar", "application/gzip"]),
      ("tar.gz", ["application/gzip"]),
      ("IMAGE.JPG", ["image/jpeg"]), ("image.Jpg", ["image/jpeg"]), ("jpg", []),
      // Capitals count where a rule says so.
      ("main.C", ["text/x-c++src"]), ("x.c", ["text/x-csrc"]),
      ("Makefile", ["text/x-makefile"]), ("MAKEFILE", ["text/x-makefile"]),
      ("makefile2", []), ("Core", ["application/x-core"]), ("core", []), ("CORE", []),
      // Whole names before suffixes, suffixes before patterns, whatever their weights.
      ("list.mk", ["text/x-list", "text/x-mk"]), ("readme.mk", ["text/x-mk", "text/x-readme"]),
      ("README", ["text/x-readme"]), ("ls.1", ["text/x-man"]), ("ls.0", []),
      ("07.vdr", ["video/x-vdr"]), ("a7.vdr", []), ("notes.md~", ["application/x-trash"]),
      ("~", ["application/x-trash"]),
      // Weight before length, then the order of the cache.
      ("a.md", ["text/markdown", "application/x-rom"]),
      ("a.long.md", ["text/markdown", "text/x-long", "application/x-rom"]),
      ("a.tie", ["text/x-second", "text/x-first"]),
      // Only the last part of a path is a name.
      ("dir.md/a.jpg", ["image/jpeg"]), ("a.jpg/", []), ("/", []), ("", []),
      ("名前.日本", ["text/x-japan"]), ("x.é", ["text/x-accent"]), ("x.É", []),
    ] as [(String, [String])])
  func typesOfNames(name: String, types: [String]) throws {
    #expect(try mimeDatabase(Self.cache).mimeTypes(forFileName: name) == types)
  }

  @Test("A name that is not UTF-8 meets the rules for what is")
  func foreignBytes() throws {
    let database = try mimeDatabase(Self.cache)
    #expect(
      database.mimeTypes(forFileName: [0xff, 0x2e] + Array("JPG".utf8)) == ["image/jpeg"])
    #expect(database.mimeTypes(forFileName: Array("x.jp".utf8) + [0xe6]) == [])
    #expect(database.mimeTypes(forFileName: [0x80, 0x80, 0x80, 0x80, 0x80]) == [])
    #expect(database.mimeTypes(forFileName: [0]) == [])
  }

  @Test("A very long name is looked at from its end")
  func longNames() throws {
    let database = try mimeDatabase(Self.cache)
    let name = String(repeating: "x", count: 1 << 20) + ".tar.gz"
    #expect(database.mimeTypes(forFileName: name).first == "application/x-compressed-tar")
  }

  @Test(
    "Patterns are those of fnmatch",
    arguments: [
      ("a*b*c", "a-b-c", true), ("a*b*c", "abbcbc", true), ("a*b*c", "abcd", false),
      ("a?c*", "abc", true), ("a?c*", "ac", false), ("?é?*", "xéy", true),
      ("[a-c]x*", "bx", true), ("[a-c]x*", "dx", false), ("[!a-c]x*", "dx", true),
      ("[^a-c]x*", "ax", false), ("[]x]y*", "]y", true), ("[]x]y*", "xy", true),
      ("[a-]y*", "-y", true), ("[y*", "[y", true), ("[y*", "ay", false),
      ("\\*x?", "*xy", true), ("\\*x?", "axy", false), ("x[à-é]*", "xç", true),
      ("x[à-é]*", "xz", false), ("*?", "x", true), ("*?", "xx", true), ("x*\\", "x\\", true),
    ])
  func patterns(pattern: String, name: String, isMet: Bool) throws {
    var cache = MIMECacheWriter()
    cache.rules = [Rule(pattern: pattern, type: "text/x-met")]
    #expect(
      try mimeDatabase(cache).mimeTypes(forFileName: name) == (isMet ? ["text/x-met"] : []))
  }

  @Test("Rules of several directories add up, and the first directory wins ties")
  func overlays() throws {
    var user = MIMECacheWriter()
    user.rules = [
      Rule(pattern: "*.jpg", type: "image/x-mine"),
      Rule(pattern: "*.md", type: "text/x-light", weight: 20),
      Rule(pattern: "*.new", type: "text/x-new"),
    ]
    let database = try mimeDatabase(user, Self.cache)
    #expect(database.mimeTypes(forFileName: "a.jpg") == ["image/x-mine", "image/jpeg"])
    #expect(
      database.mimeTypes(forFileName: "a.md")
        == ["text/markdown", "text/x-light", "application/x-rom"])
    #expect(database.mimeTypes(forFileName: "a.new") == ["text/x-new"])
    #expect(database.mimeTypes(forFileName: "a.gz") == ["application/gzip"])
  }

  @Test("A type that forgets its rules keeps those of its own directory")
  func deletedRules() throws {
    var user = MIMECacheWriter()
    user.deletesGlobs = ["image/JPEG"]
    user.rules = [Rule(pattern: "*.jpeg", type: "image/jpeg")]
    let database = try mimeDatabase(user, Self.cache)
    #expect(database.mimeTypes(forFileName: "a.jpg") == [])
    #expect(database.mimeTypes(forFileName: "a.jpeg") == ["image/jpeg"])
    #expect(database.mimeTypes(forFileName: "a.gz") == ["application/gzip"])
    #expect(database.mimeTypes(forFileName: "__NOGLOBS__") == [])
    // Only behind itself.
    let other = try mimeDatabase(Self.cache, user)
    #expect(other.mimeTypes(forFileName: "a.jpg") == ["image/jpeg"])
  }
}
