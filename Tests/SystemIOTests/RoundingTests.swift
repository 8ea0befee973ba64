import CLinux
import Glibc
import TestSupport
import Testing

@Suite("Rounding as libm does")
struct RoundingTests {
  private static let edges: [Double] = [
    0, -0.0, 0.2, -0.2, 0.5, -0.5, 0.49999999999999994, -0.49999999999999994, 1.5, 2.5, -1.5, -2.5,
    0x1p51 + 0.5, 0x1p52 - 0.5, 0x1p52, -0x1p52, 0x1p53, 0x1p63, 1e300, -1e300, .infinity,
    -.infinity, .nan, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 8_388_607.5, 8_388_608.5,
  ]

  private func isSame(_ one: Double, _ other: Double) -> Bool {
    one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
  }

  private func isSame(_ one: Float, _ other: Float) -> Bool {
    one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
  }

  private func check(_ value: Double) {
    #expect(isSame(clinux_trunc(value), Glibc.trunc(value)), "trunc \(value)")
    #expect(isSame(clinux_floor(value), Glibc.floor(value)), "floor \(value)")
    #expect(isSame(clinux_ceil(value), Glibc.ceil(value)), "ceil \(value)")
    #expect(isSame(clinux_round(value), Glibc.round(value)), "round \(value)")
    #expect(isSame(clinux_rint(value), Glibc.rint(value)), "rint \(value)")
    #expect(isSame(clinux_nearbyint(value), Glibc.nearbyint(value)), "nearbyint \(value)")
  }

  private func check(_ value: Float) {
    #expect(isSame(clinux_truncf(value), Glibc.truncf(value)), "truncf \(value)")
    #expect(isSame(clinux_floorf(value), Glibc.floorf(value)), "floorf \(value)")
    #expect(isSame(clinux_ceilf(value), Glibc.ceilf(value)), "ceilf \(value)")
    #expect(isSame(clinux_roundf(value), Glibc.roundf(value)), "roundf \(value)")
    #expect(isSame(clinux_rintf(value), Glibc.rintf(value)), "rintf \(value)")
    #expect(isSame(clinux_nearbyintf(value), Glibc.nearbyintf(value)), "nearbyintf \(value)")
  }

  @Test("Zeros, halves, the largest numbers with a fraction, infinities and NaN")
  func edges() {
    for value in Self.edges {
      check(value)
      check(Float(value))
    }
  }

  @Test("Any bits, and numbers of everyday size")
  func randomNumbers() {
    var numbers = SeededGenerator(seed: 52)
    for _ in 0..<4000 {
      let bits = numbers.next()
      check(Double(bitPattern: bits))
      check(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      check(Double.random(in: -1e6...1e6, using: &numbers))
      check(Float.random(in: -1000...1000, using: &numbers))
    }
  }
}
