import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Absolute path of a file")
struct AbsolutePathTests {
  let directory = TemporaryDirectory()

  private func absolute(_ path: String) throws -> String {
    try absolutePath(of: FilePath(path)).description
  }

  private func makeFolder(_ name: String) throws {
    try blockingSystemCall { unsafe mkdir("\(directory.path)/\(name)", 0o700) }
  }

  @Test("A path from the root stays, without dots and surplus slashes")
  func tidied() throws {
    try makeFolder("sub")
    try directory.write([], to: "sub/file")
    let root = directory.path
    for spelling in ["/sub/file", "//sub///file", "/./sub/./file", "/sub/../sub/file"] {
      #expect(try absolute(root + spelling) == root + "/sub/file", "\(spelling)")
    }
    for spelling in ["/sub", "/sub/", "/sub/.", "/sub/..//sub//"] {
      #expect(try absolute(root + spelling) == root + "/sub", "\(spelling)")
    }
    #expect(try absolute("/") == "/")
    #expect(try absolute("//..///../.") == "/")
    #expect(try absolute("/..\(root)") == root)
  }

  @Test("A relative path starts at the working directory")
  func relative() throws {
    let here = try workingDirectory().description
    #expect(try absolute(".") == here)
    #expect(try absolute("./") == here)
    #expect(here.hasPrefix("/"))
    var expected = stat()
    var actual = stat()
    #expect(unsafe stat(here, &actual) == 0 && stat(".", &expected) == 0)
    #expect(actual.st_ino == expected.st_ino)
    #expect(try absolute("..") == absolute(here + "/.."))
  }

  @Test("Links stay links, and .. behind one leads to where it points")
  func links() throws {
    try makeFolder("far")
    try makeFolder("far/inner")
    try directory.write([], to: "far/file")
    _ = try directory.link("link", to: "far/inner")
    _ = try directory.link("dangling", to: "nowhere")
    let root = directory.path
    #expect(try absolute("\(root)/link") == "\(root)/link")
    #expect(try absolute("\(root)/link/") == "\(root)/link")
    #expect(try absolute("\(root)/dangling") == "\(root)/dangling")
    // Taken by the letters alone this would be the file beside the link, which is not there.
    #expect(try absolute("\(root)/link/../file") == "\(root)/far/file")
    #expect(try absolute("\(root)/link/.././inner/../file") == "\(root)/far/file")
  }

  @Test("A name may be any bytes")
  func anyBytes() throws {
    let name: [UInt8] = [0x20, 0x0A, 0xFF, 0xC3, 0x23, 0x25, 0x2E, 0x2E, 0x2E]
    try directory.write([], named: name)
    let path = FilePath(bytes: Array("\(directory.path)/./".utf8) + name)
    #expect(try absolutePath(of: path).bytes == Array("\(directory.path)/".utf8) + name)
  }

  @Test("What is not there is an error, also where the rest would cancel it out")
  func missing() throws {
    let file = try directory.write([], to: "file")
    for path in ["", "\(directory.path)/none", "\(directory.path)/none/../file"] {
      #expect(throws: Errno.notFound) { try absolutePath(of: FilePath(path)) }
    }
    #expect(throws: Errno(ENOTDIR)) { try absolutePath(of: FilePath("\(file)/")) }
    #expect(throws: Errno.invalidArgument) {
      try absolutePath(of: FilePath(bytes: Array(file.utf8) + [0]))
    }
  }
}
