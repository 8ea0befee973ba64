/// The two orders of UTF-16's bytes, and how to tell them apart.
enum UTF16ByteOrder {
  case little
  case big

  static var native: UTF16ByteOrder {
    UInt16(littleEndian: 1) == 1 ? .little : .big
  }

  /// The order that a mark at the beginning states.
  init?(markIn bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else { return nil }
    switch unsafe (bytes[0], bytes[1]) {
    case (0xFF, 0xFE): self = .little
    case (0xFE, 0xFF): self = .big
    default: return nil
    }
  }

  /// The order by the looks of the text, where it has ASCII characters at all.
  init?(zerosIn bytes: UnsafeRawBufferPointer) {
    let evidence = unsafe UTF16Evidence(bytes)
    if evidence.little == evidence.big { return nil }
    self = evidence.little > evidence.big ? .little : .big
  }

  @inline(__always)
  func unit(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt16 {
    let raw = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
    return self == .little ? UInt16(littleEndian: raw) : UInt16(bigEndian: raw)
  }
}

/// How many pairs of bytes look like ASCII in UTF-16, and how many like ASCII in bytes.
struct UTF16Evidence {
  /// An ASCII character and a zero.
  var little = 0
  /// A zero and an ASCII character.
  var big = 0
  /// Two ASCII characters.
  var narrow = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    let end = min(bytes.count, UTF16Guess.sampleSize) & ~1
    for offset in stride(from: 0, to: end, by: 2) {
      let first = unsafe bytes[offset]
      let second = unsafe bytes[offset + 1]
      guard first < 0x80, second < 0x80 else { continue }
      switch (first, second) {
      case (0, 0): continue
      case (_, 0): little += 1
      case (0, _): big += 1
      default: narrow += 1
      }
    }
  }
}

/// Whether text that says nothing about its charset is UTF-16.
///
/// Old Firefox and a few others put `text/html` on the clipboard in UTF-16, with or without a byte
/// order mark, and nothing in the target says so.
package enum UTF16Guess {
  /// How many bytes are looked at: the beginning of a text shows well enough what it is.
  package static let sampleSize = 8192

  /// The charset by a byte order mark, else by the zero bytes beside ASCII characters, else UTF-8.
  ///
  /// - Returns: `.utf16LE`, `.utf16BE` or `.utf8`.
  package static func charset(of bytes: UnsafeRawBufferPointer) -> Charset {
    let order: UTF16ByteOrder
    if let marked = unsafe UTF16ByteOrder(markIn: bytes) {
      order = marked
    } else {
      // Markup is full of ASCII. In UTF-16 each of its characters shows as a pair with a zero; CJK
      // text between may look like two ASCII bytes, but does not prevail. UTF-8 has two ASCII bytes
      // everywhere and hardly a zero.
      let evidence = unsafe UTF16Evidence(bytes)
      guard evidence.little != evidence.big, max(evidence.little, evidence.big) >= evidence.narrow
      else { return .utf8 }
      order = evidence.little > evidence.big ? .little : .big
    }
    return order == .little ? .utf16LE : .utf16BE
  }
}
