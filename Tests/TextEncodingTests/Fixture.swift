import TestSupport
import Testing

@testable import TextEncoding

/// Captured clipboards.
enum Fixture {
  /// Reads a file of `Tests/Fixtures/text-encoding`.
  static func bytes(_ name: String) throws -> [UInt8] {
    try Files.read(Fixtures.path("text-encoding/\(name)"))
  }

  static let all = [
    "emacs-compound-text.bin", "gtk3-compound-text.bin", "gvim-compound-text.bin",
    "xterm-compound-text.bin", "firefox-compound-text.bin", "libreoffice-compound-text.bin",
    "gtk4-compound-text.bin", "libreoffice-utf16.bin", "firefox-html-context.bin",
    "qt5-moz-url.bin", "qt5-string.bin", "gtk3-string.bin", "chromium-string.bin",
    "abiword-terminated.utf8", "plain-text.utf8", "gvim-text.utf8", "xterm-text.utf8",
    "firefox-page.utf8", "libreoffice-document.utf8",
  ]
}

/// The module's calls on arrays, as the tests hold them.
func decoded(
  _ bytes: [UInt8], as charset: Charset, repairing: Bool = false
) throws(TextDecodingError) -> DecodedText {
  let result: Result<DecodedText, TextDecodingError> = unsafe bytes.withUnsafeBytes { buffer in
    do throws(TextDecodingError) {
      return try unsafe .success(TextDecoder.decode(buffer, as: charset, repairing: repairing))
    } catch {
      return .failure(error)
    }
  }
  return try result.get()
}

func text(
  _ bytes: [UInt8], as charset: Charset, repairing: Bool = false
) throws(TextDecodingError) -> String {
  let decoded = try decoded(bytes, as: charset, repairing: repairing)
  return unsafe bytes.withUnsafeBytes { buffer in
    String(decoding: unsafe decoded.bytes(of: buffer), as: UTF8.self)
  }
}

func encoded(_ bytes: [UInt8], to charset: Charset) throws(TextEncodingError) -> EncodedText {
  let result: Result<EncodedText, TextEncodingError> = unsafe bytes.withUnsafeBytes { buffer in
    do throws(TextEncodingError) {
      return try unsafe .success(TextEncoder.encode(buffer, to: charset))
    } catch {
      return .failure(error)
    }
  }
  return try result.get()
}

func encoded(_ string: String, to charset: Charset) throws(TextEncodingError) -> EncodedText {
  try encoded(Array(string.utf8), to: charset)
}

func isValidUTF8(_ bytes: [UInt8]) -> Bool {
  unsafe bytes.withUnsafeBytes { unsafe UTF8Validation.isValid($0) }
}

func firstInvalidOffset(_ bytes: [UInt8]) -> Int? {
  unsafe bytes.withUnsafeBytes { unsafe UTF8Validation.firstInvalidOffset(in: $0) }
}

func guessedCharset(_ bytes: [UInt8]) -> Charset {
  unsafe bytes.withUnsafeBytes { unsafe UTF16Guess.charset(of: $0) }
}
