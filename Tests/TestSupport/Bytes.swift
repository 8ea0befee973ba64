internal import Glibc

/// Bytes that compress to nothing known: the same for the same count and seed, every eight of them
/// different from all others, so that a lost, doubled or exchanged chunk shows.
package func scrambledBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  let words = (count + 7) / 8
  var bytes = unsafe [UInt8](unsafeUninitializedCapacity: words * 8) { buffer, initialized in
    unsafe buffer.withMemoryRebound(to: UInt64.self) { buffer in
      var state = seed &* 0x9E37_79B9_7F4A_7C15
      var index = 0
      while index < words {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        unsafe buffer[index] = word ^ (word &>> 27)
        index += 1
      }
    }
    initialized = words * 8
  }
  bytes.removeLast(bytes.count - count)
  return bytes
}

/// Printable ASCII of any length in numbered lines, so that a lost or doubled chunk shows.
package func numberedText(_ count: Int) -> [UInt8] {
  // One line for every number below a million, cut into pieces of sixteen bytes.
  let words = (count + 15) / 16
  var bytes = unsafe [UInt8](unsafeUninitializedCapacity: words * 16) { buffer, initialized in
    var index = 0
    while index < words {
      var number = index
      var column = 14
      while column >= 0 {
        unsafe buffer[index * 16 + column] = UInt8(truncatingIfNeeded: 48 + number % 10)
        number /= 10
        column -= 1
      }
      unsafe buffer[index * 16 + 15] = 10
      index += 1
    }
    initialized = words * 16
  }
  bytes.removeLast(bytes.count - count)
  return bytes
}

/// What differs between two byte strings, in words for a failure message; nil when nothing does.
///
/// `==` on arrays walks element by element in a debug build, and a failed expectation would print
/// megabytes.
package func difference(_ actual: [UInt8], _ expected: [UInt8]) -> String? {
  let shared = min(actual.count, expected.count)
  let isPrefix = unsafe actual.withUnsafeBytes { actual in
    unsafe expected.withUnsafeBytes { expected in
      guard let left = actual.baseAddress, let right = expected.baseAddress else { return true }
      return unsafe memcmp(left, right, shared) == 0
    }
  }
  if isPrefix {
    guard actual.count != expected.count else { return nil }
    return "\(actual.count) bytes instead of \(expected.count), alike as far as they go"
  }
  let offset = zip(actual, expected).prefix { $0 == $1 }.count
  return "\(actual.count) bytes instead of \(expected.count), different from byte \(offset) on"
}

/// A digest for streams that nobody wants to keep: FNV-1a over 64 bits.
package struct StreamDigest: Hashable, Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
  package private(set) var count = 0

  package init() {}

  package init(_ bytes: [UInt8]) { update(bytes) }

  package mutating func update(_ bytes: [UInt8]) {
    var value = value
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    self.value = value
    count += bytes.count
  }
}

/// The bytes as text, wrong sequences replaced, for comparisons and failure messages.
package func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
