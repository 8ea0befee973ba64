internal import Synchronization

/// Content made when somebody asks for it, once, however many ask and on whatever thread.
///
/// Whoever comes while it is being made waits for it. The result is kept, a failure too: a second
/// try would not make broken Markdown whole, and all receivers of one offer get the same answer.
final class Promise: Sendable {
  private enum State {
    case pending(@Sendable () throws -> Payload)
    case made(Result<Payload, any Error>)
  }

  // The first lock is held while the content is made. The second one is only ever held for a
  // moment, so that a loop may look whether the content is there without waiting for the worker.
  private let state: Mutex<State>
  private let result = Mutex<Result<Payload, any Error>?>(nil)

  init(_ make: @escaping @Sendable () throws -> Payload) {
    state = Mutex(.pending(make))
  }

  /// What was made, or nil if that has not happened yet; never waits.
  var available: Result<Payload, any Error>? {
    result.withLock { $0 }
  }

  /// Makes the content, or waits for it, or takes what is there.
  ///
  /// A promise that asks for itself could never be kept; it traps on its own lock.
  func keep() throws -> Payload {
    if let available { return try available.get() }
    return try state.withLock { state in
      switch state {
      case .made(let made):
        return made
      case .pending(let make):
        let made = Result { try make() }
        state = .made(made)  // lets go of the closure and of what it captured
        result.withLock { $0 = made }
        return made
      }
    }.get()
  }
}
