import SystemIO
import TestSupport
import Testing

@testable import X11Backend

@Suite("Files with keys to displays")
struct AuthorityFileTests {
  /// An entry, as the file has it.
  private static func entry(
    _ family: UInt16, _ address: String, _ number: String, _ key: UInt8,
    name: String = "MIT-MAGIC-COOKIE-1"
  ) -> [UInt8] {
    func text(_ bytes: [UInt8]) -> [UInt8] { [0, UInt8(bytes.count)] + bytes }
    return [UInt8(family >> 8), UInt8(family & 0xFF)] + text(Array(address.utf8))
      + text(Array(number.utf8)) + text(Array(name.utf8)) + text([UInt8](repeating: key, count: 16))
  }

  private static let file =
    entry(256, "other", "1", 1) + entry(0, "here", "1", 2)
    + entry(256, "here", "1", 3, name: "XDM-AUTHORIZATION-1") + entry(256, "here", "1", 4)
    + entry(65535, "", "2", 5) + entry(256, "here", "1", 6) + entry(65535, "", "", 7)

  @Test(
    "The key is that of the first entry for this machine and display",
    arguments: [("1", "here", 4), ("2", "here", 5), ("2", "elsewhere", 5), ("3", "here", 7)]
      as [(String, String, UInt8)])
  func keyIsFound(number: String, host: String, key: UInt8) {
    let found = AuthorityFile.key(
      toDisplay: Array(number.utf8), of: Array(host.utf8), in: Self.file)
    #expect(found?.data == [UInt8](repeating: key, count: 16))
    #expect(found?.name == Array("MIT-MAGIC-COOKIE-1".utf8))
  }

  @Test("A file that is cut anywhere has the keys before the cut; random bytes do no harm")
  func damagedFiles() {
    let length = Self.file.count
    for count in 0...length {
      let found = AuthorityFile.key(
        toDisplay: Array("1".utf8), of: Array("here".utf8), in: Array(Self.file[..<count]))
      #expect(found == nil || found?.data.first == 4)
    }
    for seed in 0..<200 {
      let bytes = scrambledBytes(200, seed: UInt64(seed + 1))
      _ = AuthorityFile.key(toDisplay: [], of: [], in: bytes)
    }
  }

  @Test("Displays of other machines, and what is no file, have no key here")
  func elsewhere() throws {
    let directory = TemporaryDirectory()
    let path = try directory.write(Self.file, to: "authority")
    func key(_ display: String, _ path: String) -> AuthorityFile.Key? {
      AuthorityFile.key(toDisplay: display, in: FilePath(path))
    }
    #expect(key(":2.0", path)?.data.first == 5)
    #expect(key("host:2", path) == nil)
    #expect(key("", path) == nil)
    #expect(key(":2", directory.path) == nil)
    #expect(key(":2", "\(directory.path)/none") == nil)
  }
}
