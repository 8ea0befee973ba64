package import Pasteboard

/// What may be done to the line ends of a text on its way in or out.
package struct LineShaping: Hashable, Sendable {
  package enum Flattening: Hashable, Sendable {
    /// Each inner line break becomes one blank.
    case blanks
    /// Inner line breaks vanish: for text that a terminal wrapped.
    case joined
  }

  /// Drops one line end at the end.
  package var trimsFinalLineEnd = false
  package var flattening: Flattening?
  /// CR LF becomes LF.
  package var convertsToLF = false

  package init() {}

  package func apply(to payload: Payload) -> Payload {
    if flattening == nil && !convertsToLF {
      return trimsFinalLineEnd ? Self.withoutFinalLineEnd(payload) : payload
    }
    let text = trimsFinalLineEnd || flattening != nil ? Self.withoutFinalLineEnd(payload) : payload
    var bytes = text.bytes
    if flattening != nil, text.count == payload.count, bytes.last == UInt8(ascii: "\r") {
      // What counts as a line break inside counts at the end.
      bytes.removeLast()
    }
    let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    var shaped: [UInt8] = []
    shaped.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      let isPair = byte == cr && index < bytes.count && bytes[index] == lf
      if isPair { index += 1 }
      guard isPair || byte == lf || (byte == cr && flattening != nil) else {
        shaped.append(byte)
        continue
      }
      switch flattening {
      case .blanks: shaped.append(UInt8(ascii: " "))
      case .joined: break
      case nil: shaped.append(lf)
      }
    }
    return Payload(shaped)
  }

  /// The text less exactly one `\n` or `\r\n` at its end.
  private static func withoutFinalLineEnd(_ payload: Payload) -> Payload {
    let count = payload.count
    let tail = unsafe payload.withUnsafeBytes(in: max(0, count - 2)..<count) { unsafe Array($0) }
    guard tail.last == UInt8(ascii: "\n") else { return payload }
    let isPair = tail.count == 2 && tail[0] == UInt8(ascii: "\r")
    return payload[0..<count - (isPair ? 2 : 1)]
  }
}
