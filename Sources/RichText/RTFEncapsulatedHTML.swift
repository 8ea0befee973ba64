internal import TextEncoding

/// Restores the HTML that Outlook and Exchange made RTF of (MS-OXRTFEX).
///
///     {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Hello {\*\htmltag84 &amp;}\htmlrtf &\htmlrtf0 …
///
/// `\*\htmltag` groups hold what the RTF has no words for, and `\htmlrtf` encloses what stands for
/// them in RTF; the reader leaves the latter out. The rest is the HTML's text.
struct RTFEncapsulatedHTML: RTFSink {
  private(set) var html: [UInt8] = []

  var isFull: Bool { false }
  var isInParagraph: Bool { false }

  init(expecting size: Int) {
    html.reserveCapacity(size)
  }

  mutating func append(_ ascii: ArraySlice<UInt8>, _ state: RTFState) {
    if state.destination == .htmlTag {
      html.append(contentsOf: ascii)
    } else {
      for byte in ascii { append(UInt32(byte), state) }
    }
  }

  mutating func append(_ scalar: UInt32, _ state: RTFState) {
    switch scalar {
    case _ where state.destination == .listText: break
    case 0x26 where state.destination == .body: html.append(contentsOf: "&amp;".utf8)
    case 0x3C where state.destination == .body: html.append(contentsOf: "&lt;".utf8)
    default: html.appendUTF8(scalar)
    }
  }

  mutating func end(_ boundary: RTFBoundary, _ state: RTFState) {
    switch boundary {
    case .paragraph, .line: html.append(UInt8(ascii: "\n"))
    case .section, .cell, .row, .nestedCell, .nestedRow: break
    }
  }

  // What the HTML says itself.
  mutating func append(_ picture: TextImage, _ state: RTFState) {}

  mutating func endDocument(_ state: RTFState, isOwn: Bool) {}

  mutating func beginRowDefinition(_ state: RTFState) {}

  mutating func endRow(
    _ definition: RTFRowDefinition, _ boundary: RTFBoundary, _ state: RTFState
  ) {}

  mutating func beginListText() {}

  mutating func endListText() {}
}
