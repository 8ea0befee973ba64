/// Writes bytes one after another into memory whose size was computed beforehand.
///
/// The transcoders count their output first and then fill exactly that much, so the inner loops
/// neither grow an array nor check its bounds. Whoever makes a cursor answers for the size.
@unsafe
struct ByteCursor {
  private let start: UnsafeMutablePointer<UInt8>
  private var next: UnsafeMutablePointer<UInt8>

  init(_ start: UnsafeMutablePointer<UInt8>) {
    unsafe self.start = start
    unsafe next = start
  }

  /// Number of bytes written.
  @inline(__always)
  var count: Int { unsafe next - start }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    unsafe next.pointee = byte
    unsafe next += 1
  }

  @inline(__always)
  mutating func put(unit: UInt16) {
    unsafe UnsafeMutableRawPointer(next).storeBytes(of: unit, as: UInt16.self)
    unsafe next += 2
  }

  @inline(__always)
  mutating func put(word: UInt32) {
    unsafe UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt32.self)
    unsafe next += 4
  }

  @inline(__always)
  mutating func put(word: UInt64) {
    unsafe UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
    unsafe next += 8
  }

  @inline(__always)
  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    unsafe UnsafeMutableRawPointer(next).copyMemory(from: source, byteCount: bytes.count)
    unsafe next += bytes.count
  }

  /// Writes a scalar value as UTF-8.
  @inline(__always)
  mutating func put(scalar value: UInt32) {
    switch value {
    case 0..<0x80:
      unsafe put(UInt8(truncatingIfNeeded: value))
    case 0x80..<0x800:
      unsafe put(0xC0 | UInt8(truncatingIfNeeded: value >> 6))
      unsafe put(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    case 0x800..<0x10000:
      unsafe put(0xE0 | UInt8(truncatingIfNeeded: value >> 12))
      unsafe put(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
      unsafe put(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    default:
      unsafe put(0xF0 | UInt8(truncatingIfNeeded: value >> 18))
      unsafe put(0x80 | UInt8(truncatingIfNeeded: value >> 12 & 0x3F))
      unsafe put(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
      unsafe put(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    }
  }
}

extension [UInt8] {
  /// An array of at most `capacity` bytes, which `fill` writes, and whose number it returns.
  ///
  /// `fill` gets the cursor by value and moves a copy: one that the closure shared with this
  /// initializer would be stored back to memory after every byte.
  @inline(__always)
  init(capacity: Int, filledBy fill: (ByteCursor) -> Int) {
    unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = unsafe fill(ByteCursor(start))
      precondition(count <= capacity, "a transcoder wrote more bytes than it had counted")
    }
  }
}
