/// Characters that come in parts.
struct RTFCharacterAssembly {
  enum Result {
    case nothing
    case scalar(UInt32)
    /// The byte before this one began no character, and this one is still to be taken.
    case invalidLead
  }

  /// The first half of a surrogate pair, which control words may separate from the second.
  var highSurrogate: UInt32?
  /// The first of two bytes.
  private var lead: UInt8?
  /// Bytes of UTF-8, which are decoded when the run ends.
  private var utf8: [UInt8] = []

  var hasHighSurrogate: Bool { highSurrogate != nil }
  var awaitsTrail: Bool { lead != nil }
  var hasBytes: Bool { lead != nil || !utf8.isEmpty }
  var isPending: Bool { hasBytes || hasHighSurrogate }

  /// Takes a byte of text in a code page of letters; an ASCII one ends the run unless a second byte
  /// is awaited.
  mutating func take(_ byte: UInt8, in page: RTFCodePage) -> Result {
    if let lead {
      // The second byte may look like ASCII, a backslash even.
      self.lead = nil
      guard let scalar = page.scalar(for: lead, byte) else { return .invalidLead }
      return .scalar(scalar)
    }
    guard byte >= 0x80 else { return .scalar(UInt32(byte)) }
    if page.kind == .utf8 {
      utf8.append(byte)
      return .nothing
    }
    if let scalar = page.scalar(for: byte) { return .scalar(scalar) }
    guard page.kind == .doubleByte else { return .scalar(0xFFFD) }
    lead = byte
    return .nothing
  }

  /// Ends a run of bytes.
  mutating func takeBytes() -> [UInt32] {
    var scalars = String(decoding: utf8, as: UTF8.self).unicodeScalars.map(\.value)
    utf8.removeAll(keepingCapacity: true)
    if lead != nil {
      lead = nil
      scalars.append(0xFFFD)
    }
    return scalars
  }
}
