import Testing

@testable import SystemIO

@Suite("File path")
struct FilePathTests {
  @Test(
    "The extension is what stands behind the last dot of the last component",
    arguments: [
      ("notes.md", "md"), ("a.tar.gz", "gz"), ("/home/me/page.HTML", "HTML"), ("./x.c", "c"),
      ("dir.d/file.txt", "txt"), ("..x", "x"), ("a b.t t", "t t"), ("-.png", "png"),
      ("naïve.txt", "txt"),
    ])
  func extensions(path: String, expected: String) {
    #expect(FilePath(path).filenameExtension == expected)
  }

  @Test(
    "Names without an extension",
    arguments: [
      "", "notes", ".profile", "dir.d/file", "dir.d/.hidden", "notes.", "a.b.", ".", "..", "../..",
      "/", "dir.d/", "photo.é", "x.日本",
    ])
  func noExtension(path: String) {
    #expect(FilePath(path).filenameExtension == nil)
  }

  @Test("A name that is no UTF-8 keeps its bytes and may have an extension")
  func foreignBytes() {
    let path = FilePath(bytes: [0x64, 0x2F, 0xFF, 0xFE, 0x2E, 0x6D, 0x64])
    #expect(path.filenameExtension == "md")
    #expect(Array(path.lastComponent) == [0xFF, 0xFE, 0x2E, 0x6D, 0x64])
    #expect(path.description == "d/\u{FFFD}\u{FFFD}.md")
    #expect(FilePath(bytes: [0x61, 0x2E, 0xFF]).filenameExtension == nil)
  }

  @Test(
    "The directory is all before the last slash",
    arguments: [
      ("name", "."), ("dir/name", "dir"), ("/name", "/"), ("/a/b/name", "/a/b"), ("./name", "."),
      ("dir/", "dir"),
    ])
  func directories(path: String, expected: String) {
    #expect(FilePath(path).directory == FilePath(expected))
  }

  @Test("A component is appended behind a slash")
  func appending() {
    #expect(FilePath("/a").appending("b") == "/a/b")
  }
}
