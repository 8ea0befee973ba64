import Glibc
import SystemIO
import Testing

@Suite("System calls")
struct SystemCallTests {
  /// A call that fails with each of the errors in turn and then gives a value.
  private final class Script {
    private var errors: [Int32]
    private(set) var calls = 0

    init(_ errors: [Int32]) { self.errors = errors.reversed() }

    func call() -> Int {
      calls += 1
      guard let error = errors.popLast() else { return 42 }
      errno = error
      return -1
    }
  }

  @Test("What succeeds is handed through")
  func successIsValue() throws {
    let script = Script([])
    guard case .done(42) = try systemCall(script.call) else {
      Issue.record("not the value of the call")
      return
    }
    #expect(script.calls == 1)
  }

  @Test("An interrupted call is made again, as often as it takes")
  func interruptionsAreRetried() throws {
    let script = Script([EINTR, EINTR, EINTR])
    guard case .done(42) = try systemCall(script.call) else {
      Issue.record("not the value of the call")
      return
    }
    #expect(script.calls == 4)
    #expect(try blockingSystemCall(Script([EINTR]).call) == 42)
  }

  @Test("Would-block is a value")
  func wouldBlockIsValue() throws {
    let script = Script([EINTR, EAGAIN])
    guard case .wouldBlock = try systemCall(script.call) else {
      Issue.record("not taken for would-block")
      return
    }
    #expect(script.calls == 2)
  }

  @Test("Where nothing can block, would-block is an error")
  func wouldBlockIsThrownOtherwise() {
    #expect(throws: Errno.wouldBlock) { try blockingSystemCall(Script([EAGAIN]).call) }
  }

  @Test("Everything else is thrown", arguments: [ENOENT, EPIPE, EIO, ENOSPC, EMFILE, 4095])
  func otherErrorsAreThrown(error: Int32) {
    #expect(throws: Errno(error)) { try systemCall(Script([error]).call) }
    #expect(throws: Errno(error)) { try blockingSystemCall(Script([error]).call) }
  }

  @Test("A descriptor that is not ours traps and says so")
  func badDescriptorTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try? systemCall { close(-1) }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("what we do not own"))
  }

  @Test("A pointer to nowhere traps")
  func badAddressTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = try? systemCall { () -> Int32 in
        errno = EFAULT
        return -1
      }
    }
  }

  @Test("Errors have the system's words", arguments: [ENOENT, EACCES, 4095])
  func errorsHaveWords(code: Int32) {
    #expect(!Errno(code).message.isEmpty)
  }

  @Test("Equal numbers are equal errors")
  func errorsCompareByNumber() {
    #expect(Errno(ENOENT) == .notFound)
    #expect(Errno(EAGAIN) == .wouldBlock)
    #expect(Errno.notFound.message == "No such file or directory")
  }
}
