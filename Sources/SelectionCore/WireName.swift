/// Names on the wire are bytes: an X server keeps any, UTF-8 or not, and tells apart what differs in
/// one of them.
///
/// Inside, a name is a `String`. A byte that is no part of UTF-8 stands in it as a scalar of the
/// last private plane, U+10FF00 and the byte: 0xE9 alone is U+10FFE9. The bytes of those scalars
/// themselves count as no UTF-8, so that every byte string has one name and every name is one byte
/// string. Where names are told apart they are compared as ``ExactName``.
///
/// ```swift
/// String(wireBytes: [0x61, 0xE9])            // "a\u{10FFE9}"
/// String(wireBytes: [0x61, 0xE9]).wireBytes  // [0x61, 0xE9]
/// ```
extension String {
  package init(wireBytes bytes: some Collection<UInt8>) {
    self.init(wireBytes: Array(bytes))
  }

  package init(wireBytes bytes: [UInt8]) {
    // Nearly all names; what follows has types that the runtime makes when they are first needed.
    if bytes.allSatisfy({ $0 < 0x80 }) {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    if let text = String(validating: bytes, as: UTF8.self), !text.mayHoldEscapedBytes {
      self = text
      return
    }
    self.init()
    var rest = bytes[...]
    while let first = rest.first {
      // Swift's decoder would merge the bytes of what it cannot read; each has to stay itself.
      let length = Self.sequenceLength(first)
      let sequence = rest.prefix(length)
      let text = sequence.count == length ? String(validating: sequence, as: UTF8.self) : nil
      if let text, text.unicodeScalars.allSatisfy({ $0.escapedWireByte == nil }) {
        append(text)
        rest = rest.dropFirst(length)
      } else {
        unicodeScalars.append(Unicode.Scalar(escapedWireByte: first))
        rest = rest.dropFirst()
      }
    }
  }

  private static func sequenceLength(_ first: UInt8) -> Int {
    switch first {
    case 0..<0x80: 1
    case 0x80..<0xE0: 2
    case 0xE0..<0xF0: 3
    default: 4
    }
  }

  /// The bytes that the name stands for.
  package var wireBytes: [UInt8] {
    guard mayHoldEscapedBytes else { return Array(utf8) }
    var bytes: [UInt8] = []
    for scalar in unicodeScalars {
      if let byte = scalar.escapedWireByte {
        bytes.append(byte)
      } else {
        bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    return bytes
  }

  /// Nothing below the last plane starts with this byte.
  private var mayHoldEscapedBytes: Bool { utf8.contains(0xF4) }
}

extension Unicode.Scalar {
  /// The byte of no UTF-8 that the scalar stands for in a name; nil for all others.
  package var escapedWireByte: UInt8? {
    (0x10FF80...0x10FFFF).contains(value) ? UInt8(truncatingIfNeeded: value) : nil
  }

  /// A byte from 0x80 on: those below are UTF-8 by themselves.
  fileprivate init(escapedWireByte byte: UInt8) {
    self = Unicode.Scalar(0x10FF00 + UInt32(byte)) ?? "\u{FFFD}"
  }
}
