import Testing

@Suite("Nothing of a developer's machine")
struct HygieneTests {
  /// Directories of the machines where this was written; put together here, so that this file does
  /// not find itself.
  static let foreignPaths = ["/wo" + "rk/", "/tm" + "p/h", "/tm" + "p/spec", "/ro" + "ot/"]

  @Test("No file names a directory of a developer's machine")
  func filesNameNoForeignDirectory() {
    let needles = Self.foreignPaths.map { Array($0.utf8) }
    let faults = Repository.files().filter { !$0.hasPrefix("Tests/Fixtures/") }.filter { file in
      let content = Repository.bytes(of: file) ?? []
      return needles.contains { Self.names($0, in: content) }
    }
    #expect(faults == [])
  }

  @Test(
    "An absolute path is told from a part of another word",
    arguments: [
      ("see /wo@rk/main", true), ("frame/wo@rk/x", false), ("/wo@rk/", true), ("wo@rk", false),
    ])
  func absolutePathsAreFound(text: String, expected: Bool) {
    let bytes = text.utf8.filter { $0 != UInt8(ascii: "@") }
    #expect(Self.names(Array(Self.foreignPaths[0].utf8), in: bytes) == expected)
  }

  /// Whether a path occurs and is not just the tail of a longer one.
  private static func names(_ path: [UInt8], in content: [UInt8]) -> Bool {
    var start = content.startIndex
    while let slash = content[start...].firstIndex(of: UInt8(ascii: "/")) {
      if content[slash...].starts(with: path), slash == 0 || !isWord(content[slash - 1]) {
        return true
      }
      start = slash + 1
    }
    return false
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "~"):
      return true
    default:
      return false
    }
  }
}
