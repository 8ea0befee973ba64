internal import Pasteboard
internal import TypeRegistry

/// The type that the first bytes of content show, by signatures long enough not to be met by chance.
///
/// Only formats that carry such a signature: text is never looked at here, since what a text is for
/// cannot be told from its beginning.
///
/// - Parameters:
///   - bytes: The beginning of the content, 64 bytes or all of it.
///   - size: The size of the whole.
func sniffedType(ofHead bytes: UnsafeRawBufferPointer, size total: Int) -> TypeIdentifier? {
  func starts(with signature: [UInt8], at offset: Int = 0) -> Bool {
    guard bytes.count >= offset + signature.count else { return false }
    return unsafe bytes[offset..<offset + signature.count].elementsEqual(signature)
  }
  if starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
  if starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
  if starts(with: Array("GIF87a".utf8)) || starts(with: Array("GIF89a".utf8)) { return .gif }
  if starts(with: [0x49, 0x49, 0x2A, 0x00]) || starts(with: [0x4D, 0x4D, 0x00, 0x2A]) {
    return .tiff
  }
  if starts(with: Array("RIFF".utf8)), starts(with: Array("WEBP".utf8), at: 8) { return .webP }
  if starts(with: Array("%PDF-".utf8)) { return .pdf }
  if starts(with: Array(#"{\rtf"#.utf8)) { return .rtf }
  // A bitmap says its own size, so two letters are enough together with that.
  if starts(with: Array("BM".utf8)), bytes.count >= 14 {
    let size = unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self)
    if Int(UInt32(littleEndian: size)) == total { return .bmp }
  }
  return nil
}

extension TypeIdentifier {
  /// Whether content of this type can be told by its first bytes, so that other bytes are not it.
  var hasSignature: Bool {
    let types: [TypeIdentifier] = [.png, .jpeg, .gif, .tiff, .webP, .pdf, .rtf, .bmp]
    return types.contains(self)
  }
}

/// As above, of a payload.
func sniffedType(of payload: Payload) -> TypeIdentifier? {
  unsafe payload.withUnsafeBytes(in: 0..<min(payload.count, 64)) { head in
    unsafe sniffedType(ofHead: head, size: payload.count)
  }
}
