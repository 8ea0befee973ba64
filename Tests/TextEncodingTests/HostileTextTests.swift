import TestSupport
import Testing

@testable import TextEncoding

@Suite("Hostile text")
struct HostileTextTests {
  private static let charsets: [Charset] =
    [.utf8, .utf16, .utf16LE, .utf16BE, .latin1, .ascii, .compoundText]
    + ["euc-jp", "windows-1252", "gb18030", "iso-2022-kr", "utf-32", "utf-7", "big5"].compactMap {
      Charset(label: $0)
    }

  /// Decodes in both ways.
  ///
  /// Whatever the bytes are, repair succeeds, its result is UTF-8 that ends
  /// with no NUL, and it is lossy exactly where strict decoding throws.
  private func check(_ bytes: [UInt8], as charset: Charset) {
    let strict: DecodedText?
    do throws(TextDecodingError) {
      strict = try decoded(bytes, as: charset)
    } catch {
      strict = nil
      if case .undecodable(_, let offset) = error {
        #expect((0..<bytes.count).contains(offset))
      }
    }
    guard let repaired = try? decoded(bytes, as: charset, repairing: true) else {
      Issue.record("\(charset) did not repair \(bytes)")
      return
    }
    if let strict {
      #expect(repaired == strict, "\(charset): \(bytes)")
    } else {
      #expect(repaired.isLossy, "\(charset): \(bytes)")
    }
    let output = unsafe bytes.withUnsafeBytes { unsafe repaired.bytes(of: $0) }
    #expect(isValidUTF8(output) && output.last != 0, "\(charset): \(bytes)")
  }

  @Test(
    "Every beginning of every capture decodes in every charset or says where it does not",
    arguments: Fixture.all)
  func truncatedCaptures(name: String) throws {
    let bytes = try Fixture.bytes(name)
    for charset in HostileTextTests.charsets {
      for end in stride(from: 0, through: bytes.count, by: bytes.count > 120 ? 5 : 1) {
        check(Array(bytes[..<end]), as: charset)
      }
    }
  }

  @Test("Every short text of two bytes decodes in every charset or says where it does not")
  func shortTexts() {
    for charset in HostileTextTests.charsets {
      check([], as: charset)
      for first in stride(from: UInt8(0), through: 0xFC, by: 3) {
        check([first], as: charset)
        check([first, 0xFF &- first], as: charset)
      }
    }
  }

  @Test(
    "Random bytes that look like COMPOUND_TEXT decode or say where they do not", arguments: 1...12)
  func randomCompoundText(seed: Int) throws {
    let pieces: [[UInt8]] =
      [
        "ESC", "ESC (", "ESC $ ( A", "ESC $ ) B", "ESC $ ( C", "ESC - L", "ESC ) I", "ESC ( J",
        "ESC % G", "ESC % @", "ESC % / 1", "ESC % / 2 =8088", "ESC % / 0 =FFFF", "big5-0 STX",
        "iso10646-1 STX", "CSI", "CSI 2 ]", "F|K\\", "=C6FC", "=00", "=A0", "=FF", "=80", "=0A",
        "a",
        "=E28093", "ESC $ ( D", "ESC $ ( M", "ESC $ ( p", "ESC # ! 1",
      ].map(compound)
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...24, using: &generator) {
        if Bool.random(using: &generator) {
          bytes += pieces.randomElement(using: &generator) ?? []
        } else {
          bytes.append(UInt8.random(in: .min ... .max, using: &generator))
        }
      }
      check(bytes, as: .compoundText)
    }
  }

  @Test("Random bytes decode in every charset or say where they do not", arguments: 1...4)
  func randomBytes(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) << 32)
    for _ in 0..<40 {
      let count = Int.random(in: 1...90, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      for charset in HostileTextTests.charsets {
        check(bytes, as: charset)
      }
      _ = guessedCharset(bytes)
    }
  }
}
