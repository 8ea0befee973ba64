import SelectionCore
import TestSupport
import Testing

@Suite("Server time")
struct ServerTimeTests {
  @Test(
    "A time lies before what follows within half of the circle, across its end too",
    arguments: [
      (1, 2), (1, 0x7FFF_FFFF), (0xFFFF_FFFF, 1), (0xFFFF_FF00, 0x100), (0x8000_0000, 0xFFFF_FFFF),
      (0xFFFF_FFFE, 0xFFFF_FFFF), (0xC000_0000, 0x3FFF_FFFF),
    ] as [(UInt32, UInt32)])
  func order(earlier: UInt32, later: UInt32) {
    #expect(ServerTime(earlier).isBefore(ServerTime(later)))
    #expect(!ServerTime(later).isBefore(ServerTime(earlier)))
  }

  @Test("No time lies before itself", arguments: [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
  func irreflexive(value: UInt32) {
    #expect(!ServerTime(value).isBefore(ServerTime(value)))
  }

  @Test("Order holds around the whole circle")
  func everywhere() {
    var numbers = SeededGenerator(seed: 9)
    for _ in 0..<10_000 {
      let start = UInt32.random(in: .min ... .max, using: &numbers)
      let distance = UInt32.random(in: 1...0x7FFF_FFFF, using: &numbers)
      let (earlier, later) = (ServerTime(start), ServerTime(start &+ distance))
      #expect(earlier.isBefore(later) && !later.isBefore(earlier))
    }
  }

  @Test(
    "A request concerns an ownership from its first moment on, and always without a time",
    arguments: [
      (100, 100, true), (101, 100, true), (99, 100, false), (0, 100, true), (0, 0xFFFF_FFF0, true),
      (5, 0xFFFF_FFF0, true), (0xFFFF_FFEF, 0xFFFF_FFF0, false), (0xFFFF_FFF0, 5, false),
    ] as [(UInt32, UInt32, Bool)])
  func ownership(request: UInt32, acquired: UInt32, expected: Bool) {
    let concerns = ServerTime(request).concerns(ownershipSince: ServerTime(acquired))
    #expect(concerns == expected)
  }

  @Test("An ownership may last longer than half of the circle of times, and than all of it")
  func longOwnership() {
    let day: UInt32 = 86_400_000
    let acquired = ServerTime(4_000_000_000)
    func concerns(_ days: UInt32, after acquiredFor: Int64) -> Bool {
      ServerTime(acquired.rawValue &+ days &* day)
        .concerns(ownershipSince: acquired, for: .milliseconds(acquiredFor * Int64(day)))
    }
    #expect(concerns(24, after: 24) && concerns(26, after: 26) && concerns(49, after: 49))
    #expect(concerns(1, after: 60) && concerns(30, after: 60))
    // What lies ahead of now by days, seen from an old ownership, lay before its beginning.
    #expect(!concerns(40, after: 30) && !concerns(48, after: 1))
    #expect(
      !ServerTime(acquired.rawValue - 1).concerns(ownershipSince: acquired, for: .seconds(60)))
  }
}
