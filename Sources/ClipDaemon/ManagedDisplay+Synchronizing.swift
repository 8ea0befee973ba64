import ControlProtocol
import EventLoop
import Pasteboard
import SelectionCore

/// An answer waits until everything that was to be told before has been.
extension ManagedDisplay {
  /// Has the display done all that it was asked to by anybody, and calls with the change count when
  /// everything that was to be told of it has been.
  func synchronize(
    _ selection: PasteboardName, _ completion: @escaping (Result<UInt64, ControlFailure>) -> Void
  ) {
    guard let backend, backend.supports(selection) else { return completion(.failure(.notManaged)) }
    backend.synchronize()
    settle(selection, after: nil, hops: 16, completion)
  }

  /// What the round trip brought is handled in the next turn; where that was much, in the one after.
  private func settle(
    _ selection: PasteboardName, after count: UInt64?, hops: Int,
    _ completion: @escaping (Result<UInt64, ControlFailure>) -> Void
  ) {
    settling.add(
      loop.schedule(after: .zero) { [weak self] in
        self?.settling.takeFirst()
        guard let self, self.backend != nil else { return completion(.failure(.connectionLost)) }
        let now = self.selections[selection]?.changeCount ?? 0
        if now == count || hops == 0 { return completion(.success(now)) }
        self.settle(selection, after: now, hops: hops - 1, completion)
      })
  }
}

/// Timers that fire in the order in which they were set.
final class TokenQueue {
  private var tokens: [LoopToken] = []
  func add(_ token: LoopToken) { tokens.append(token) }
  func takeFirst() { if !tokens.isEmpty { tokens.removeFirst() } }
}
