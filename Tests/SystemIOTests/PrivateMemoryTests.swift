import SystemIO
import Testing

@Suite("Private memory")
struct PrivateMemoryTests {
  @Test("A process can keep its memory to itself")
  func memoryIsPrivate() async {
    await #expect(processExitsWith: .exitCode(7)) {
      guard !isMemoryPrivate else { exitImmediately(1) }
      keepMemoryPrivate()
      guard isMemoryPrivate else { exitImmediately(2) }
      exitImmediately(7)
    }
  }
}
