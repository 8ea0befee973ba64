internal import Glibc

/// What a call on a descriptor that may be non-blocking gives back.
package enum IOResult<Value: ~Copyable>: ~Copyable {
  case done(Value)
  case wouldBlock
}

extension IOResult: Copyable where Value: Copyable {}
extension IOResult: Sendable where Value: Sendable & ~Copyable {}

/// The one funnel for system calls.
///
/// Repeats interrupted calls, gives "would block" back as a value, and traps on the two errors that
/// only a fault of ours can cause (a descriptor that is not open, a pointer to nowhere).
///
/// - Parameter isOurs: Whether we opened the descriptor. One that we were given may be open for the
///   other direction only (`clipview copy 0>file`), which the system reports as a bad descriptor
///   too: not our fault, so an error like any other.
package func systemCall(
  isOurs: Bool = true, _ call: () -> Int
) throws(Errno) -> IOResult<Int> {
  while true {
    let result = call()
    if result != -1 { return .done(result) }
    let error = Errno.current
    switch error {
    case .interrupted: continue
    case .wouldBlock: return .wouldBlock
    case .badDescriptor where !isOurs: throw error
    case .badDescriptor, .badAddress:
      preconditionFailure("system call on what we do not own: \(error.message)")
    default: throw error
    }
  }
}

// Calls of C give back an int or a long. Generic over both, the first call of a process would have to find
// out what integers are: as many instructions as a dozen system calls.

/// The same, of a call that gives back an int.
package func systemCall(
  isOurs: Bool = true, _ call: () -> Int32
) throws(Errno) -> IOResult<Int32> {
  switch try systemCall(isOurs: isOurs, { Int(call()) }) {
  case .done(let value): return .done(Int32(truncatingIfNeeded: value))
  case .wouldBlock: return .wouldBlock
  }
}

/// A system call on something that never blocks: "would block" is thrown like any other error.
@discardableResult
package func blockingSystemCall(_ call: () -> Int) throws(Errno) -> Int {
  switch try systemCall(call) {
  case .done(let value): return value
  case .wouldBlock: throw .wouldBlock
  }
}

/// The same, of a call that gives back an int.
@discardableResult
package func blockingSystemCall(_ call: () -> Int32) throws(Errno) -> Int32 {
  Int32(truncatingIfNeeded: try blockingSystemCall { Int(call()) })
}
