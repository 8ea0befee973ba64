import RichText
import TestSupport
import Testing

/// Captured clipboards.
enum RTFFixture {
  static let all = [
    "libreoffice-document", "libreoffice-line", "libreoffice-cells", "abiword-document",
  ]

  /// Reads a file of `Tests/Fixtures/rtf`.
  static func bytes(_ name: String) throws -> [UInt8] {
    try Files.read(Fixtures.path("rtf/\(name)"))
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
