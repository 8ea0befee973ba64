internal import Pasteboard
internal import SelectionCore
internal import TextEncoding
internal import TypeRegistry

/// Text as it came, made UTF-8: what was decoded and whether anything was lost on the way.
struct DecodedPayload: Sendable {
  let payload: Payload
  let isLossy: Bool
}

/// Makes UTF-8 of what came under a text target: charset, byte order mark and closing NULs are
/// dealt with, everything else stays.
///
/// Text that is UTF-8 already is not copied.
///
/// - Parameters:
///   - charset: What the target says; nil where it leaves it open.
///   - repairing: Whether what cannot be decoded becomes U+FFFD.
/// - Returns: nil where the bytes are not text in that charset.
func decodeText(
  _ payload: Payload, charset: Charset?, repairing: Bool = false
) -> DecodedPayload? {
  if charset == nil, let guess = wideCharset(of: payload) {
    // Looked for before UTF-8, since ASCII with zeros between is that too. A mark is a promise; by its
    // looks alone it has to be UTF-16 whole.
    let text = decodeText(payload, charset: guess.charset, repairing: repairing && guess.isMarked)
    if text != nil || guess.isMarked { return text }
  }
  if charset == nil || charset == .utf8 || charset == .ascii {
    if let text = trimmedUTF8(payload) { return DecodedPayload(payload: text, isLossy: false) }
  }
  // Left open and not UTF-8: Latin-1, which holds any bytes.
  let charset = charset ?? (repairing ? .utf8 : .latin1)
  let decoded = unsafe payload.withUnsafeBytes { bytes -> DecodedPayload? in
    guard let text = try? unsafe TextDecoder.decode(bytes, as: charset, repairing: repairing)
    else { return nil }
    switch text {
    case .unchanged(let range): return DecodedPayload(payload: payload[range], isLossy: false)
    case .transcoded(let bytes, let isLossy):
      return DecodedPayload(payload: Payload(bytes), isLossy: isLossy)
    }
  }
  return decoded
}

/// UTF-8 that something went before, with U+FFFD for what is none; closing NULs are cut off.
func repairedContinuation(_ payload: Payload) -> DecodedPayload {
  let (bytes, isLossy) = unsafe payload.withUnsafeBytes { unsafe TextDecoder.repairUTF8($0) }
  return DecodedPayload(payload: Payload(bytes), isLossy: isLossy)
}

/// The order of bytes of text that is UTF-16 by its beginning, and whether a mark says so.
private func wideCharset(of payload: Payload) -> (charset: Charset, isMarked: Bool)? {
  // As much as the guess looks at: the pieces of a long text are not gathered for it.
  unsafe payload.withUnsafeBytes(in: 0..<min(payload.count, UTF16Guess.sampleSize)) { head in
    let charset = unsafe UTF16Guess.charset(of: head)
    guard charset != .utf8 else { return nil }
    return unsafe (charset, head[0] >= 0xFE && head[1] >= 0xFE)
  }
}

/// The UTF-8 text of a payload without byte order mark and closing NULs, sharing its memory; nil
/// where it is not UTF-8.
///
/// Looks at one chunk after the other: a long text is never gathered.
private func trimmedUTF8(_ payload: Payload) -> Payload? {
  var validator = UTF8ChunkValidator()
  var isValid = true
  unsafe payload.forEachChunk { chunk in
    if isValid { isValid = unsafe validator.accept(chunk) }
  }
  guard isValid, validator.isComplete else { return nil }

  return payload.withoutClosingNULs.withoutByteOrderMark
}

extension Payload {
  /// Without the NULs that programs end text with.
  var withoutClosingNULs: Payload {
    var end = count
    for chunk in chunks.reversed() {
      let kept = unsafe chunk.withUnsafeBytes { bytes in
        var count = bytes.count
        while count > 0, unsafe bytes[count - 1] == 0 { count -= 1 }
        return count
      }
      end -= chunk.count - kept
      if kept > 0 { break }
    }
    return end == count ? self : self[0..<end]
  }

  /// Without the mark that UTF-8 may begin with.
  var withoutByteOrderMark: Payload {
    let head = unsafe withUnsafeBytes(in: 0..<min(3, count)) { unsafe Array($0) }
    return head == [0xEF, 0xBB, 0xBF] ? self[3..<count] : self
  }
}

/// Checks UTF-8 that comes in pieces, which may end inside a character.
struct UTF8ChunkValidator {
  /// The beginning of a character whose rest is in the next piece; at most three bytes.
  private(set) var pending: [UInt8] = []

  var isComplete: Bool { pending.isEmpty }

  mutating func accept(_ chunk: UnsafeRawBufferPointer) -> Bool {
    var rest = unsafe chunk[...]
    while let lead = pending.first {
      let missing = Self.length(ofLead: lead) - pending.count
      guard unsafe rest.count >= missing else {
        unsafe pending += rest
        return pending.count < 4
      }
      unsafe pending += rest.prefix(missing)
      unsafe rest = rest.dropFirst(missing)
      let isValid = unsafe pending.withUnsafeBytes { unsafe UTF8Validation.isValid($0) }
      guard isValid else { return false }
      pending.removeAll()
    }
    // What the piece ends with may be the beginning of a character.
    var tail = 0
    for distance in 1...3 where unsafe distance <= rest.count {
      let byte = unsafe rest[rest.endIndex - distance]
      if byte & 0xC0 == 0x80 { continue }
      if byte >= 0xC0, Self.length(ofLead: byte) > distance { tail = distance }
      break
    }
    unsafe pending = Array(rest.suffix(tail))
    let whole = unsafe UnsafeRawBufferPointer(rebasing: rest.dropLast(tail))
    return unsafe UTF8Validation.isValid(whole)
  }

  private static func length(ofLead byte: UInt8) -> Int {
    switch byte {
    case 0xF0...0xF7: 4
    case 0xE0...0xEF: 3
    case 0xC0...0xDF: 2
    default: 1
    }
  }
}

/// The charset that a MIME type names as its parameter; nil where it leaves it open.
func declaredCharset(ofTarget target: String) -> Charset? {
  MIMEType(target)?.charset.flatMap { Charset(label: $0) }
}
