import TestSupport
import Testing

/// Runs the body many times and expects that it leaves no descriptor open.
///
/// For a process of its own (an exit test), where no other test opens anything. What the runtime
/// opens there for itself, once and when it likes, is less than one for each time.
func expectNothingLeftOpen(_ body: () throws -> Void) throws {
  let before = OpenDescriptors()
  let times = 20
  for _ in 0..<times { try body() }
  let opened = before.opened(within: 0)
  #expect(opened.count < times, "\(opened)")
}
