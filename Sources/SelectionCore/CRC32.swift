package import Pasteboard

/// The checksum of gzip, PNG and zlib (ISO 3309): the polynomial 0x04C11DB7, bits reversed.
///
/// Finds every changed bit, every change within 32 bits in a row, and all but one in four thousand
/// million of whatever else befalls a file on its way. It is no seal: whoever wants to can change a
/// file and its checksum with it. Programs at hand compute it (`crc32`, Python's `zlib.crc32`), and it
/// costs a fraction of what a cryptographic hash would.
package struct CRC32: Sendable {
  private var state: UInt32 = 0xFFFF_FFFF

  package init() {}

  package init(of payload: Payload) {
    update(payload)
  }

  package init(of bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  /// The checksum of all bytes so far.
  package var value: UInt32 { ~state }

  package mutating func update(_ payload: Payload) {
    unsafe payload.forEachChunk { unsafe update($0) }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    var crc = state
    unsafe Self.tables.withUnsafeBufferPointer { tables in
      var position = 0
      // Eight bytes at a time: table k tells what a byte does to the checksum k bytes later.
      while position + 8 <= bytes.count {
        let low =
          unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt32.self))
          ^ crc
        let high = unsafe UInt32(
          littleEndian: base.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
        crc =
          unsafe tables[0x700 | Int(low & 0xFF)] ^ tables[0x600 | Int(low >> 8 & 0xFF)]
          ^ tables[0x500 | Int(low >> 16 & 0xFF)] ^ tables[0x400 | Int(low >> 24)]
        crc =
          unsafe crc ^ tables[0x300 | Int(high & 0xFF)] ^ tables[0x200 | Int(high >> 8 & 0xFF)]
          ^ tables[0x100 | Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
        position += 8
      }
      while position < bytes.count {
        let byte = unsafe base.load(fromByteOffset: position, as: UInt8.self)
        crc = unsafe tables[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8
        position += 1
      }
    }
    state = crc
  }

  /// Eight tables of 256 in a row.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
      tables[byte] = value
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = tables[Int(before & 0xFF)] ^ before >> 8
    }
    return tables
  }()
}
