import RichText
import TestSupport
import Testing

/// Captured clipboards.
enum Fixture {
  /// Reads a file of `Tests/Fixtures/html`.
  static func bytes(_ name: String) throws -> [UInt8] {
    try Files.read(Fixtures.path("html/\(name)"))
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
