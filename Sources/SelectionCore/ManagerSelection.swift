/// Whether we hold a manager selection, such as `CLIPBOARD_MANAGER` (ICCCM 2.8).
///
/// Whoever holds it manages something for everybody, and gives it up only to somebody who takes it. We
/// take it from nobody: where another manager is there it stays, and we wait until it goes.
///
/// Without I/O: the shell says what happened and performs the actions, in their order.
package struct ManagerSelection: Sendable {
  package enum State: Hashable, Sendable {
    /// Another manager is there, or none, and we have not tried yet.
    case waiting
    case taking
    case managing
    case ended
  }

  package enum Event: Hashable, Sendable {
    /// Nobody holds it.
    case vacant
    /// Our attempt has succeeded.
    case won
    /// Somebody took it at the same moment.
    case beaten
    /// Another manager has taken it, from us or from whomever.
    case taken
    /// We do not want it any more.
    case ended
  }

  package enum Action: Hashable, Sendable {
    /// Take it, through a window of its own, and say what came of it.
    case take
    /// Tell everybody that there is a manager now.
    case announce
    /// Leave it, and destroy the window through which it was held.
    case release
  }

  package private(set) var state = State.waiting

  package init() {}

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.waiting, .vacant):
      state = .taking
      return [.take]
    case (.taking, .won):
      state = .managing
      // ICCCM 2.8: who has become the manager says so to all who wait for one.
      return [.announce]
    case (.taking, .beaten):
      state = .waiting
      return []
    case (.managing, .taken):
      state = .waiting
      // ICCCM 2.8: that the window is destroyed tells the new manager that we are done.
      return [.release]
    case (.managing, .vacant):
      // Our window was destroyed by somebody else, or a client took it away from us for no one.
      state = .taking
      return [.release, .take]
    case (.managing, .ended):
      state = .ended
      return [.release]
    case (.waiting, .ended), (.taking, .ended):
      state = .ended
      return []
    case (.waiting, .taken):
      return []
    case (.ended, _):
      return []

    // An attempt is one call, during which nothing else is told; its end is told once.
    case (.taking, .vacant), (.taking, .taken), (.waiting, .won), (.waiting, .beaten),
      (.managing, .won), (.managing, .beaten):
      preconditionFailure("illegal transition of a manager selection: \(state), \(event)")
    }
  }
}
