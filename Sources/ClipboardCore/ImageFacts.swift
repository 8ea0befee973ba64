/// What the head of an image says about it.
package struct ImageFacts: Hashable, Sendable {
  package let kind: String
  package let width: Int
  package let height: Int

  /// How many bytes from the beginning are enough to tell; for JPEG nearly always.
  package static let headSize = 65_536

  /// Reads the head; nil where it is of no kind known here or cut off too early.
  package init?(head: [UInt8]) {
    let reader = HeadReader(bytes: head)
    if reader.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self.init("PNG", reader.big32(16), reader.big32(20))
    } else if reader.starts(with: Array("GIF8".utf8)) {
      self.init("GIF", reader.little16(6), reader.little16(8))
    } else if reader.starts(with: Array("BM".utf8)) {
      if reader.little32(14) == 12 {
        // The header of OS/2, in halves.
        self.init("BMP", reader.little16(18), reader.little16(20))
      } else {
        // Negative heights mean that the rows run downwards.
        let height = reader.little32(22).map { Int(Int32(truncatingIfNeeded: $0).magnitude) }
        self.init("BMP", reader.little32(18), height)
      }
    } else if reader.starts(with: [0xFF, 0xD8]) {
      guard let frame = Self.jpegFrame(reader) else { return nil }
      self.init("JPEG", reader.big16(frame + 7), reader.big16(frame + 5))
    } else if reader.starts(with: Array("RIFF".utf8)),
      reader.starts(with: Array("WEBP".utf8), at: 8)
    {
      guard let (width, height) = Self.webPSize(reader) else { return nil }
      self.init("WebP", width, height)
    } else {
      return nil
    }
  }

  private init?(_ kind: String, _ width: Int?, _ height: Int?) {
    guard let width, let height else { return nil }
    self.kind = kind
    self.width = width
    self.height = height
  }

  /// Where the frame header stands, which comes after any number of other segments.
  private static func jpegFrame(_ reader: HeadReader) -> Int? {
    var position = 2
    while let mark = reader.byte(position), mark == 0xFF, let kind = reader.byte(position + 1) {
      // SOF0–SOF15 without the tables and extensions that share the range.
      if (0xC0...0xCF).contains(kind), kind != 0xC4, kind != 0xC8, kind != 0xCC { return position }
      if kind == 0xFF {
        position += 1
        continue
      }
      guard let length = reader.big16(position + 2), length >= 2 else { return nil }
      position += 2 + length
    }
    return nil
  }

  private static func webPSize(_ reader: HeadReader) -> (Int, Int)? {
    if reader.starts(with: Array("VP8 ".utf8), at: 12),
      let width = reader.little16(26), let height = reader.little16(28)
    {
      return (width & 0x3FFF, height & 0x3FFF)
    }
    if reader.starts(with: Array("VP8L".utf8), at: 12), let bits = reader.little32(21) {
      return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
    if reader.starts(with: Array("VP8X".utf8), at: 12),
      let width = reader.little24(24), let height = reader.little24(27)
    {
      return (width + 1, height + 1)
    }
    return nil
  }
}

/// Numbers out of a head that may be cut off anywhere.
private struct HeadReader {
  let bytes: [UInt8]

  func byte(_ offset: Int) -> Int? {
    bytes.indices.contains(offset) ? Int(bytes[offset]) : nil
  }

  func starts(with signature: [UInt8], at offset: Int = 0) -> Bool {
    bytes.count >= offset && bytes[offset...].starts(with: signature)
  }

  private func number(_ offsets: [Int]) -> Int? {
    var value = 0
    for offset in offsets {
      guard let byte = byte(offset) else { return nil }
      value = value << 8 | byte
    }
    return value
  }

  func big16(_ at: Int) -> Int? { number([at, at + 1]) }
  func big32(_ at: Int) -> Int? { number([at, at + 1, at + 2, at + 3]) }
  func little16(_ at: Int) -> Int? { number([at + 1, at]) }
  func little24(_ at: Int) -> Int? { number([at + 2, at + 1, at]) }
  func little32(_ at: Int) -> Int? { number([at + 3, at + 2, at + 1, at]) }
}
