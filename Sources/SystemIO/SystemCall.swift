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
package func systemCall<Value: FixedWidthInteger>(
  isOurs: Bool = true, _ call: () -> Value
) throws(Errno) -> IOResult<Value> {
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

/// A system call on something that never blocks: "would block" is thrown like any other error.
@discardableResult
package func blockingSystemCall<Value: FixedWidthInteger>(
  _ call: () -> Value
) throws(Errno) -> Value {
  switch try systemCall(call) {
  case .done(let value): return value
  case .wouldBlock: throw .wouldBlock
  }
}
