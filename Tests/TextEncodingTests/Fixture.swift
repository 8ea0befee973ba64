import Glibc
import Testing

@testable import TextEncoding

/// Captured clipboards.
enum Fixture {
  /// Reads a file of `Tests/Fixtures/text-encoding`.
  static func bytes(_ name: String, from file: String = #filePath) throws -> [UInt8] {
    var components = file.split(separator: "/", omittingEmptySubsequences: false)
    components.removeLast(2)
    let path = components.joined(separator: "/") + "/Fixtures/text-encoding/" + name
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
