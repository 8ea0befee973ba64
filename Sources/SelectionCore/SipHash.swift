package import Pasteboard

/// SipHash-2-4 (Aumasson and Bernstein): 64 bits of some bytes that tell nothing about them to whoever
/// does not have the key.
///
/// Swift's own hasher is one of its kind too, but may be told to be the same in each process.
package struct SipHash: Sendable {
  package struct Key: Hashable, Sendable {
    let low: UInt64
    let high: UInt64

    package init(_ low: UInt64, _ high: UInt64) {
      self.low = low
      self.high = high
    }
  }

  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  /// The bytes that are no whole word yet, the first one lowest.
  private var tail: UInt64 = 0
  private var count = 0

  package init(_ key: Key) {
    v0 = key.low ^ 0x736F_6D65_7073_6575
    v1 = key.high ^ 0x646F_7261_6E64_6F6D
    v2 = key.low ^ 0x6C79_6765_6E65_7261
    v3 = key.high ^ 0x7465_6462_7974_6573
  }

  package mutating func update(_ payload: Payload) {
    unsafe payload.forEachChunk { chunk in
      for index in chunk.indices { update(unsafe chunk[index]) }
    }
  }

  package mutating func update(_ byte: UInt8) {
    tail |= UInt64(byte) << UInt64(8 * (count % 8))
    count += 1
    guard count % 8 == 0 else { return }
    take(tail)
    tail = 0
  }

  /// The hash of all bytes so far.
  package var value: UInt64 {
    var last = self
    last.take(tail | UInt64(count & 0xFF) << 56)
    last.v2 ^= 0xFF
    for _ in 0..<4 { last.mix() }
    return last.v0 ^ last.v1 ^ last.v2 ^ last.v3
  }

  private mutating func take(_ word: UInt64) {
    v3 ^= word
    mix()
    mix()
    v0 ^= word
  }

  private mutating func mix() {
    v0 &+= v1
    v1 = Self.turned(v1, 13) ^ v0
    v0 = Self.turned(v0, 32)
    v2 &+= v3
    v3 = Self.turned(v3, 16) ^ v2
    v0 &+= v3
    v3 = Self.turned(v3, 21) ^ v0
    v2 &+= v1
    v1 = Self.turned(v1, 17) ^ v2
    v2 = Self.turned(v2, 32)
  }

  private static func turned(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word << bits | word >> (64 - bits)
  }
}
