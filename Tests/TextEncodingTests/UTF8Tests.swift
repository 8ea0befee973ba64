import Testing

@testable import TextEncoding

@Suite("UTF-8")
struct UTF8Tests {
  /// Every byte at which the rules of well-formedness change.
  private static let critical: [UInt8] = [
    0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xF0,
    0xF1, 0xF4, 0xF5, 0xFF,
  ]

  @Test("Validation and repair agree with the standard library on every critical sequence")
  func agreesWithStandardLibrary() {
    var differences = 0
    for first in UTF8Tests.critical {
      for second in UTF8Tests.critical {
        for third in UTF8Tests.critical {
          for fourth in UTF8Tests.critical {
            let bytes = [first, second, third, fourth]
            let valid = String(validating: bytes, as: UTF8.self)
            if isValidUTF8(bytes) != (valid != nil) { differences += 1 }
          }
          let bytes = [first, second, third]
          let repaired = String(decoding: bytes, as: UTF8.self)
          var output: [UInt8] = []
          let isLossy = unsafe bytes.withUnsafeBytes { unsafe output.appendRepairingUTF8($0) }
          if !output.elementsEqual(repaired.utf8) { differences += 1 }
          if isLossy != (String(validating: bytes, as: UTF8.self) == nil) { differences += 1 }
        }
      }
    }
    #expect(differences == 0)
  }

  @Test("The first invalid byte is found wherever it stands among ASCII")
  func findsInvalidByteAtEveryOffset() {
    for length in 0...70 {
      let ascii = [UInt8](repeating: UInt8(ascii: "a"), count: length)
      #expect(firstInvalidOffset(ascii) == nil)
      for position in 0..<length {
        var bytes = ascii
        bytes[position] = 0xFF
        #expect(firstInvalidOffset(bytes) == position)
      }
    }
  }

  @Test("A sequence cut off by the end is invalid from its first byte", arguments: ["é", "–", "🎉"])
  func refusesTruncatedSequences(character: String) {
    let bytes = Array(("abcdefgh" + character).utf8)
    #expect(firstInvalidOffset(bytes) == nil)
    for end in 9..<bytes.count {
      #expect(firstInvalidOffset(Array(bytes[..<end])) == 8)
    }
  }

  @Test("Valid text is not copied")
  func leavesValidTextInPlace() throws {
    let bytes = Array("naïve – 日本語 🎉\r\n".utf8)
    #expect(try decoded(bytes, as: .utf8) == .unchanged(0..<bytes.count))
    #expect(try decoded([], as: .utf8) == .unchanged(0..<0))
  }

  @Test("Byte order mark and closing NULs are cut off, other NULs are text")
  func cutsMarkAndNULs() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(try decoded(mark + Array("a\0b\0\0".utf8), as: .utf8) == .unchanged(3..<6))
    #expect(try decoded(mark, as: .utf8) == .unchanged(3..<3))
    #expect(try decoded([0, 0], as: .utf8) == .unchanged(0..<0))
    #expect(try decoded([0xEF, 0xBB, 0xBF, 0], as: .utf8) == .unchanged(3..<3))
    // A second mark is a character.
    #expect(try decoded(mark + mark, as: .utf8) == .unchanged(3..<6))
  }

  @Test("What is not UTF-8 throws with its offset in the whole input")
  func throwsWithOffset() {
    #expect(throws: TextDecodingError.undecodable(.utf8, offset: 4)) {
      try decoded([0xEF, 0xBB, 0xBF, 0x61, 0xE9, 0x62], as: .utf8)
    }
  }

  @Test("Repair puts one U+FFFD for each maximal ill-formed part")
  func repairs() throws {
    let bytes: [UInt8] = [0x61, 0xE9, 0x62, 0xF0, 0x9F, 0x8E, 0x63, 0xED, 0xA0, 0x80, 0x00]
    let result = try decoded(bytes, as: .utf8, repairing: true)
    #expect(
      result
        == .transcoded(Array("a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}\u{FFFD}".utf8), isLossy: true))
    #expect(result.isLossy)
  }
}
