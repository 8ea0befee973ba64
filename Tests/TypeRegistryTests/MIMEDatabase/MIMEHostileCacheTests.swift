import TestSupport
import Testing
import TypeRegistry

@Suite("Hostile MIME caches")
struct MIMEHostileCacheTests {
  typealias Part = MIMECacheWriter.Part

  /// Has everything a cache can have.
  static let full: MIMECacheWriter = {
    var cache = MIMENameTests.cache
    cache.aliases = MIMEGraphTests.cache.aliases
    cache.parents = MIMEGraphTests.cache.parents
    cache.magic = MIMENameAndContentTests.cache.magic
    cache.magic.append(
      .init(
        type: "text/x-nested",
        parts: [
          Part([1, 2], mask: [3, 4], at: 1, range: 9, inner: [Part("x", inner: [Part("y")])])
        ]
      ))
    cache.genericIcons = [("image/png", "image-x-generic")]
    cache.deletesGlobs = ["image/png"]
    cache.deletesMagic = ["image/png"]
    return cache
  }()

  /// Asks a bit of everything; traps, hangs and senseless answers are what would fail.
  private func ask(_ bytes: [UInt8]) {
    guard let database = try? MIMEDatabase(caches: [bytes]) else { return }
    for name in ["README.tar.gz", "Makefile", "名前.日本"] {
      let types = database.mimeTypes(forFileName: name)
      #expect(types.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } })
    }
    let types = database.mimeTypes(forFileName: "a.ts", content: Array("x\u{1}y\u{2}".utf8))
    #expect(!types.isEmpty)
    #expect(database.contentExtent <= 1 << 18)
    for name in ["application/x-more", "text/x-ring-a"] {
      _ = database.aliases(ofMIMEType: name)
      _ = database.isMIMEType(name, kindOf: "image/png")
    }
  }

  @Test("A cache that is cut off at any place is refused or answers without harm")
  func cutOff() {
    let bytes = Self.full.bytes
    for count in stride(from: 40, to: bytes.count, by: 11) { ask(Array(bytes[..<count])) }
    for count in 0..<40 {
      #expect(throws: MIMECacheFault.cutOff) {
        _ = try MIMEDatabase(caches: [Array(bytes[..<count])])
      }
    }
  }

  @Test("Any number in a cache may be any number")
  func numbers() {
    let bytes = Self.full.bytes
    for place in stride(from: 0, to: bytes.count - 3, by: 4) {
      let values = [0, 40, bytes.count - 1, 0x7fff_ffff, 0xffff_ffff]
      // In turns; and its own place, so that it refers to itself.
      for value in [values[place / 4 % 5], place] {
        var changed = bytes
        for index in 0..<4 {
          changed[place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
        }
        ask(changed)
      }
    }
  }

  @Test("Random changes do no harm")
  func randomChanges() {
    var random = SeededGenerator(seed: 11)
    let bytes = Self.full.bytes
    for _ in 0..<300 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        changed[Int.random(in: 4..<bytes.count, using: &random)] = .random(
          in: .min ... .max, using: &random)
      }
      ask(changed)
    }
  }

  @Test("Versions that are not known are refused, 1.1 is read")
  func versions() throws {
    var cache = MIMENameTests.cache
    cache.version = (1, 1)
    #expect(try mimeDatabase(cache).mimeTypes(forFileName: "a.gz") == ["application/gzip"])
    for (major, minor) in [(1, 0), (1, 3), (2, 0), (0, 0)] {
      cache.version = (major, minor)
      #expect(throws: MIMECacheFault.unknownVersion(major: major, minor: minor)) {
        _ = try mimeDatabase(cache)
      }
    }
  }

  @Test("A cache that is too large is refused")
  func tooLarge() {
    let bytes = Self.full.bytes + [UInt8](repeating: 0, count: 16 << 20)
    #expect(throws: MIMECacheFault.tooLarge) { _ = try MIMEDatabase(caches: [bytes]) }
  }

  /// A file of numbers, for what no writer makes.
  private func words(_ count: Int, _ values: [Int: Int]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4 * count)
    for (place, value) in values {
      for index in 0..<4 {
        bytes[4 * place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
      }
    }
    return bytes
  }

  /// A header whose sections all begin at the same, empty one, but for those given.
  private func header(_ sections: [Int: Int]) -> [Int: Int] {
    var words = [0: 0x1_0002]
    for section in 0..<9 { words[1 + section] = sections[section] ?? 40 }
    return words
  }

  @Test("A tree of suffixes that leads back to itself ends with the name")
  func circularTree() throws {
    // The root at word 12 has the character a and itself as its only child.
    var values = header([3: 44])
    values.merge([11: 1, 12: 56, 14: 97, 15: 1, 16: 56]) { $1 }
    let database = try MIMEDatabase(caches: [words(20, values)])
    let name = String(repeating: "a", count: 5000)
    #expect(database.mimeTypes(forFileName: name) == [])
  }

  @Test("Rules for content that contain themselves end")
  func circularMagic() throws {
    // 64 parts, each with all of them within, of which none is ever met as a whole.
    let partCount = 64
    var values = header([5: 44])
    let first = 18
    values.merge([11: 1, 12: 4, 13: 56, 14: 50, 15: 0, 16: partCount, 17: 4 * first]) { $1 }
    for part in 0..<partCount {
      let place = first + 8 * part
      values.merge([
        place: 0, place + 1: 1 << 20, place + 2: 1, place + 3: 1, place + 4: 0, place + 5: 0,
        place + 6: partCount, place + 7: 4 * first,
      ]) { $1 }
    }
    let database = try MIMEDatabase(caches: [words(first + 8 * partCount, values)])
    #expect(database.mimeTypes(forContent: [0, 0, 0]) == ["application/octet-stream"])
  }

  @Test("Names that are no MIME types are no answers")
  func foreignNames() throws {
    var cache = MIMECacheWriter()
    for type in [
      "", "text", "text/", "/plain", "te xt/plain", "text/\u{1b}[31m", "text/é", "a/b/c",
    ] {
      cache.rules.append(.init(pattern: "*.x", type: type))
      cache.aliases.append((type, "image/png"))
      cache.magic.append(.init(type: type, parts: [Part("x")]))
    }
    cache.rules.append(.init(pattern: "*.x", type: "text/x-good"))
    let database = try mimeDatabase(cache)
    #expect(database.mimeTypes(forFileName: "a.x") == ["text/x-good"])
    #expect(database.mimeTypes(forContent: Array("x".utf8)) == ["text/plain"])
    #expect(database.aliases(ofMIMEType: "image/png") == [])
  }
}
