import SystemIO
import TestSupport
import Testing

@testable import ClipboardCore

@Suite("File URLs")
struct FileURLTests {
  private func url(_ path: String) -> String {
    String(decoding: FilePath(path).fileURL, as: UTF8.self)
  }

  private func path(_ url: String, host: String = "here") -> String? {
    FilePath(fileURL: Array(url.utf8), onHost: Array(host.utf8))?.description
  }

  @Test(
    "What a URL cannot hold is escaped, the rest stays, as GLib has it",
    arguments: [
      ("/", "file:///"), ("/a/b.txt", "file:///a/b.txt"), ("/a b", "file:///a%20b"),
      ("/100%", "file:///100%25"), ("/#1?", "file:///%231%3F"), ("/a\nb", "file:///a%0Ab"),
      ("/-._~!$&'()*+,=:@", "file:///-._~!$&'()*+,=:@"),
      ("/;\"<>[]\\^`{|}", "file:///%3B%22%3C%3E%5B%5D%5C%5E%60%7B%7C%7D"),
      (
        "/tmp/demo/files/naïve 日本 & 100%.txt",
        "file:///tmp/demo/files/na%C3%AFve%20%E6%97%A5%E6%9C%AC%20&%20100%25.txt"
      ),
      ("//a", "file:////a"),
    ])
  func escaping(path: String, expected: String) {
    #expect(url(path) == expected)
  }

  @Test(
    "Every way to write a file of this machine is read",
    arguments: [
      ("file:///a/b", "/a/b"), ("file:/a/b", "/a/b"), ("file://localhost/a", "/a"),
      ("FILE://LocalHost/a", "/a"), ("file://here/a", "/a"), ("file://HERE/a", "/a"),
      ("file:///a%20b%c3%AF", "/a bï"), ("file:///a b", "/a b"), ("file:///naïve", "/naïve"),
      ("file:////a", "//a"), ("file:///", "/"), ("file:///a%23%3F%25", "/a#?%"),
      ("file:///a/../b", "/a/../b"),
    ])
  func reading(url: String, expected: String) {
    #expect(path(url) == expected)
  }

  @Test(
    "What names no file of this machine for certain is none",
    arguments: [
      "", "/a", "a", "file", "file:", "file:a", "file://", "file://a", "file://localhost",
      "file://there/a", "file://herex/a", "file://her/a", "http://here/a", "sftp://h/a",
      "trash:///a", "file:///a%", "file:///a%2", "file:///a%zz", "file:///a%00b", "file:///a\0b",
      "file:///a%2Fb", "file:///a%2fb", "file:///a#b", "file:///a?b", "files:///a",
    ])
  func notFiles(url: String) {
    #expect(path(url) == nil)
  }

  @Test("A machine without a name knows its files all the same")
  func nameless() {
    #expect(path("file:///a", host: "") == "/a")
    #expect(path("file://there/a", host: "") == nil)
  }

  @Test("Bytes that are no UTF-8 are read")
  func foreignBytes() {
    let url = Array("file:///%FF".utf8) + [0xFE]
    #expect(FilePath(fileURL: url, onHost: [])?.bytes == [0x2F, 0xFF, 0xFE])
  }

  @Test("Every path comes back from its URL, byte for byte, and the URL is printable ASCII")
  func roundTrip() {
    var generator = SeededGenerator(seed: 54)
    for _ in 0..<2_000 {
      let path = FilePath(bytes: anyAbsolutePath(&generator))
      let url = path.fileURL
      #expect(url.allSatisfy { (0x21...0x7E).contains($0) })
      #expect(FilePath(fileURL: url, onHost: []) == path)
    }
  }

  @Test("No bytes make a path with a NUL, nor a relative one")
  func anyURL() {
    var generator = SeededGenerator(seed: 56)
    let pieces = [
      "file:", "//", "/", "%", "%2", "00", "localhost", "\0", "a", "#", "\u{FF}", "..%",
    ]
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...8, using: &generator)
      let url = (0..<count).flatMap { _ in
        Array((pieces.randomElement(using: &generator) ?? "").utf8)
      }
      guard let path = FilePath(fileURL: url, onHost: Array("a".utf8)) else { continue }
      #expect(path.bytes.first == UInt8(ascii: "/") && !path.bytes.contains(0))
    }
  }
}

/// An absolute path of any bytes that a path may have, difficult ones more often than others.
func anyAbsolutePath(_ generator: inout SeededGenerator) -> [UInt8] {
  let difficult = Array(" \n\r\t#%&?;/\\\"'é".utf8) + [0xFF, 0xFE, 0x80, 0x01, 0x7F]
  let count = Int.random(in: 0...24, using: &generator)
  return [UInt8(ascii: "/")]
    + (0..<count).map { _ in
      Bool.random(using: &generator)
        ? difficult.randomElement(using: &generator) ?? 1
        : UInt8.random(in: 1...255, using: &generator)
    }
}
