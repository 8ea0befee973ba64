import Testing

@testable import SystemIO

@Suite("When large pages are asked for")
struct LargePagePolicyTests {
  private let quick = Duration.microseconds(90)
  private let slow = Duration.milliseconds(5)

  /// How many of so many pieces of 2 MiB are asked for as large pages, each of which takes so long.
  private func tries(
    of count: Int, taking time: Duration, by policy: inout LargePagePolicy
  ) -> Int {
    var tries = 0
    for _ in 0..<count where policy.takesLarge() {
      tries += 1
      policy.note(time)
    }
    return tries
  }

  @Test("As long as they come quickly, always")
  func alwaysWhileQuick() {
    var policy = LargePagePolicy()
    #expect(tries(of: 1000, taking: quick, by: &policy) == 1000)
  }

  @Test("Once they are slow, one in 2 GiB, and soon one in 8")
  func seldomWhileSlow() {
    var policy = LargePagePolicy()
    #expect(tries(of: 1024, taking: slow, by: &policy) == 1)
    #expect(tries(of: 20 * 512, taking: slow, by: &policy) == 2)
  }

  @Test("When they come quickly again, always again")
  func returns() {
    var policy = LargePagePolicy()
    _ = tries(of: 1, taking: slow, by: &policy)
    #expect(tries(of: 1024, taking: quick, by: &policy) == 0)
    #expect(tries(of: 1000, taking: quick, by: &policy) == 1000)
  }
}
