import Glibc
import RichText
import Testing

/// Captured clipboards.
enum Fixture {
  /// Reads a file of `Tests/Fixtures/html`.
  static func bytes(_ name: String, from file: String = #filePath) throws -> [UInt8] {
    var components = file.split(separator: "/", omittingEmptySubsequences: false)
    components.removeLast(2)
    let path = components.joined(separator: "/") + "/Fixtures/html/" + name
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0, "no fixture \(path)")
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      try #require(count >= 0, "cannot read \(path)")
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  static func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  static let all = [
    "firefox-page.html", "chromium-page.html", "chromium-image.html", "libreoffice-document.html",
    "libreoffice-line.html", "libreoffice-cells.html", "abiword-document.html",
    "ghostwriter-markdown.html", "retext-markdown.html",
  ]
}

func text(of html: String) -> String {
  String(decoding: HTMLPlainText.text(of: Array(html.utf8)), as: UTF8.self)
}

/// Splitmix64: the same numbers every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
