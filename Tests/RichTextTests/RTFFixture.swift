import Glibc
import RichText
import Testing

/// Captured clipboards.
enum RTFFixture {
  static let all = [
    "libreoffice-document", "libreoffice-line", "libreoffice-cells", "abiword-document",
  ]

  /// Reads a file of `Tests/Fixtures/rtf`.
  static func bytes(_ name: String, from file: String = #filePath) throws -> [UInt8] {
    var components = file.split(separator: "/", omittingEmptySubsequences: false)
    components.removeLast(2)
    let path = components.joined(separator: "/") + "/Fixtures/rtf/" + name
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
}

/// The text of RTF whose bytes are the scalars of `rtf`; nil if it is no RTF.
func plainText(ofRTF rtf: String) -> String? {
  let bytes = rtf.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  return RTFPlainText.text(of: bytes).map { String(decoding: $0, as: UTF8.self) }
}

/// The text of the content of an RTF document.
func plainText(ofContent content: String) -> String? {
  plainText(ofRTF: #"{\rtf1\ansi "# + content + "}")
}
