internal import TypeRegistry

/// A `mime.cache` of any bytes, asked everything that a cache can be asked.
enum MIMECacheSubject {
  private static let names = [
    "data.tar.gz", "main.C", "Makefile", "README", "07.vdr", "x.\u{e9}", "a.Foo~", "",
  ]
  private static let contents: [[UInt8]] = [
    Array("PK\u{3}\u{4}mimetypeabc".utf8), [0x12, 0x34, 0, 0, 0x11, 0x22, 0x33, 0x44, 0x55], [],
    Array(repeating: UInt8(ascii: "a"), count: 300),
  ]
  private static let types = ["text/x-foo", "text/x-bar", "application/zip", "image/png"]

  static func run(_ bytes: UnsafeRawBufferPointer) {
    let bytes = unsafe Array(bytes)
    guard let alone = try? MIMEDatabase(caches: [bytes]) else { return }
    ask(alone)
    // Twice: what one says about the other.
    if let database = try? MIMEDatabase(caches: [bytes, bytes]) { ask(database) }
  }

  private static func ask(_ database: MIMEDatabase) {
    for name in names {
      check(database.mimeTypes(forFileName: name))
      for content in contents {
        check(database.mimeTypes(forFileName: name, content: content))
      }
    }
    for type in types {
      check(database.parents(ofMIMEType: type))
      check(database.aliases(ofMIMEType: type))
      _ = database.isMIMEType(type, kindOf: "image/x-other")
    }
    precondition(database.contentExtent <= 1 << 18)
  }

  /// Answers are types and each one is there once.
  private static func check(_ types: [String]) {
    precondition(types.allSatisfy { MIMEType($0)?.parameters.isEmpty == true })
    precondition(Set(types).count == types.count)
  }
}
