import Testing
import TypeRegistry

@Suite("MIME types by content")
struct MIMEContentTests {
  typealias Part = MIMECacheWriter.Part
  typealias Magic = MIMECacheWriter.Magic
  typealias Rule = MIMECacheWriter.Rule

  private func types(_ content: [UInt8], _ magic: Magic...) throws -> [String] {
    var cache = MIMECacheWriter()
    cache.magic = magic
    return try mimeDatabase(cache).mimeTypes(forContent: content)
  }

  private func isMet(_ part: Part, _ content: [UInt8]) throws -> Bool {
    let type = "application/x-met"
    return try types(content, Magic(type: type, parts: [part])) == [type]
  }

  @Test("A value stands where its part says, or somewhere in a range")
  func places() throws {
    #expect(try isMet(Part("abc"), Array("abcd".utf8)))
    #expect(try !isMet(Part("abc"), Array("ab".utf8)))
    #expect(try !isMet(Part("abc"), Array("xabc".utf8)))
    #expect(try isMet(Part("abc", at: 1), Array("xabc".utf8)))
    for start in 0..<8 {
      let content = Array("........".utf8)[..<start] + Array("abc".utf8)
      let isInRange = (2..<6).contains(start)
      #expect(try isMet(Part("abc", at: 2, range: 4), Array(content)) == isInRange, "\(start)")
    }
    #expect(try isMet(Part("aab", range: 10), Array("aaaab".utf8)))
  }

  @Test("A mask tells which bits count")
  func masks() throws {
    let part = Part([0x12, 0x34], mask: [0xff, 0xf0])
    #expect(try isMet(part, [0x12, 0x3f]))
    #expect(try !isMet(part, [0x12, 0x4f]))
    #expect(try isMet(Part([0x12], mask: [0xff], at: 1, range: 3), [0, 0, 0, 0x12]))
  }

  @Test("Words in the order of the machine are turned around on a little-endian one")
  func wordSizes() throws {
    let value: [UInt8] = [0x11, 0x22, 0x33, 0x44]
    func native(_ size: Int) -> [UInt8] {
      guard 1.littleEndian == 1 else { return value }
      return stride(from: 0, to: 4, by: size).flatMap { value[$0..<$0 + size].reversed() }
    }
    for size in [1, 2, 4] {
      #expect(try isMet(Part(value, wordSize: size), native(size)), "\(size)")
    }
    let masked = Part(value, mask: [0xff, 0, 0, 0], wordSize: 4)
    var content = native(4)
    let significant = content.firstIndex(of: 0x11) ?? 0
    for index in content.indices where index != significant { content[index] = 0x77 }
    #expect(try isMet(masked, content))
    content[significant] = 0
    #expect(try !isMet(masked, content))
  }

  @Test("Of parts beside each other one must be there, of parts within a part one as well")
  func nestedParts() throws {
    let rule = Magic(
      type: "text/x-met",
      parts: [
        Part("A", inner: [Part("1", at: 1), Part("2", at: 1, inner: [Part("x", at: 2)])]),
        Part("B"),
      ])
    for (content, isMet) in [
      ("A1", true), ("A2", false), ("A2x", true), ("A3", false), ("B", true), ("C", false),
    ] {
      let expected = isMet ? "text/x-met" : "text/plain"
      #expect(try types(Array(content.utf8), rule) == [expected], "\(content)")
    }
  }

  @Test("High priority comes first, then the order of the cache")
  func priorities() throws {
    let found = try types(
      Array("abc".utf8), Magic(type: "text/x-low", priority: 10, parts: [Part("a")]),
      Magic(type: "text/x-one", parts: [Part("ab")]),
      Magic(type: "text/x-two", parts: [Part("abc")]),
      Magic(type: "text/x-high", priority: 90, parts: [Part("a")]),
      Magic(type: "text/x-other", priority: 90, parts: [Part("b")]))
    #expect(found == ["text/x-high", "text/x-one", "text/x-two", "text/x-low"])
  }

  @Test(
    "Content that no rule knows is text, bytes or nothing",
    arguments: [
      ("", "application/x-zerosize"), ("a\tb\r\n", "text/plain"), ("naïve", "text/plain"),
      ("a\u{0}", "application/octet-stream"), ("a\u{1b}", "application/octet-stream"),
      ("a\u{7f}", "application/octet-stream"),
      (String(repeating: "x", count: 128) + "\u{0}", "text/plain"),
      (String(repeating: "x", count: 127) + "\u{0}", "application/octet-stream"),
    ])
  func unknownContent(content: String, type: String) throws {
    #expect(try types(Array(content.utf8)) == [type])
    let none = try MIMEDatabase(caches: [])
    #expect(none.mimeTypes(forContent: Array(content.utf8)) == [type])
  }

  @Test("Rules of several directories compete by priority; a type may forget those behind it")
  func overlays() throws {
    var user = MIMECacheWriter()
    user.magic = [
      Magic(type: "text/x-mine", parts: [Part("a")]),
      Magic(type: "text/x-light", priority: 20, parts: [Part("a")]),
    ]
    var system = MIMECacheWriter()
    system.magic = [
      Magic(type: "text/x-system", parts: [Part("a")]),
      Magic(type: "text/x-heavy", priority: 80, parts: [Part("a")]),
    ]
    let content = Array("abc".utf8)
    #expect(
      try mimeDatabase(user, system).mimeTypes(forContent: content)
        == ["text/x-heavy", "text/x-mine", "text/x-system", "text/x-light"])
    user.deletesMagic = ["text/x-heavy"]
    #expect(
      try mimeDatabase(user, system).mimeTypes(forContent: content)
        == ["text/x-mine", "text/x-system", "text/x-light"])
    let order = Array("__NOMAGIC__".utf8)
    #expect(try mimeDatabase(user).mimeTypes(forContent: order) == ["text/plain"])
  }

  @Test("As much of the content counts as the rules look at")
  func extent() throws {
    var cache = MIMECacheWriter()
    #expect(try mimeDatabase(cache).contentExtent == 128)
    cache.magic = [Magic(type: "text/x-far", parts: [Part("far", at: 5000)])]
    let database = try mimeDatabase(cache)
    #expect(database.contentExtent == 5004)
    let content = Array(repeating: UInt8(ascii: " "), count: 5000) + Array("far".utf8)
    #expect(database.mimeTypes(forContent: content) == ["text/x-far"])
    cache.magic = [Magic(type: "text/x-far", parts: [Part("far", at: 1 << 30)])]
    #expect(try mimeDatabase(cache).contentExtent == 1 << 18)
  }
}

@Suite("MIME types by name and content")
struct MIMENameAndContentTests {
  typealias Part = MIMECacheWriter.Part
  typealias Magic = MIMECacheWriter.Magic
  typealias Rule = MIMECacheWriter.Rule

  static let cache: MIMECacheWriter = {
    var cache = MIMECacheWriter()
    cache.rules = [
      Rule(pattern: "*.docx", type: "application/x-docx"),
      Rule(pattern: "*.zip", type: "application/zip"),
      Rule(pattern: "*.doc", type: "application/msword"),
      Rule(pattern: "*.doc", type: "text/x-doc", weight: 40),
      Rule(pattern: "*.ts", type: "text/x-linguist"),
      Rule(pattern: "*.ts", type: "video/mp2t"),
      Rule(pattern: "*.x", type: "application/x-one"),
      Rule(pattern: "*.x", type: "application/x-two"),
    ]
    cache.magic = [
      Magic(type: "application/zip", parts: [Part("PK")]),
      Magic(type: "application/x-ole", parts: [Part("OLE")]),
      Magic(type: "video/mp2t", parts: [Part("G")]),
    ]
    cache.parents = [
      ("application/x-docx", ["application/zip"]), ("application/msword", ["application/x-ole"]),
    ]
    return cache
  }()

  @Test(
    "One name decides, of several the content",
    arguments: [
      ("a.docx", "PK..", ["application/x-docx", "application/zip"]),
      ("a.zip", "PK..", ["application/zip"]), ("a", "PK..", ["application/zip"]),
      ("a", "", ["application/x-zerosize"]),
      ("a.docx", "text", ["application/x-docx", "text/plain"]),
      ("a.doc", "OLE\u{0}", ["application/msword", "text/x-doc", "application/x-ole"]),
      ("a.doc", "words", ["text/x-doc", "application/msword", "text/plain"]),
      ("a.ts", "G@", ["video/mp2t", "text/x-linguist"]),
      ("a.ts", "<TS>", ["text/x-linguist", "video/mp2t", "text/plain"]),
      ("a.ts", "\u{0}", ["video/mp2t", "text/x-linguist", "application/octet-stream"]),
      ("a.x", "PK", ["application/x-one", "application/x-two", "application/zip"]),
      ("a.x", "words", ["application/x-one", "application/x-two", "text/plain"]),
    ] as [(String, String, [String])])
  func combinations(name: String, content: String, types: [String]) throws {
    let database = try mimeDatabase(Self.cache)
    #expect(database.mimeTypes(forFileName: name, content: Array(content.utf8)) == types)
  }
}
