/// What happened to the owner of a selection.
package enum SelectionChange: Hashable, Sendable {
  /// A program has taken it, or taken it anew; its window where there are windows.
  case taken(by: UInt32?)
  /// A program has left it without an owner, on purpose.
  case cleared
  /// Its owner has ended, or given up the window that it owned it through.
  case ownerEnded
}

/// Why changes of a selection are not reported.
package enum WatchFailure: Error, Hashable, Sendable {
  /// The display does not report changes; looking again and again would be the only way.
  case unsupported
  case connectionLost
}

/// Reports of the changes of a selection: they end when it is cancelled or let go.
package final class SelectionWatchToken {
  private var onCancel: (() -> Void)?

  package init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  package func cancel() {
    onCancel?()
    onCancel = nil
  }

  deinit { onCancel?() }
}
