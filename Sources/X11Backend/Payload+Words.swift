internal import Pasteboard

extension Payload {
  /// The 32-bit values of a property, in the machine's order of bytes; what is left over is cut off.
  var words: [UInt32] {
    unsafe withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { offset in
        unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      }
    }
  }
}
