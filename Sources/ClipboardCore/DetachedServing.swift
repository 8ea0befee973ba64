internal import SelectionCore
internal import SystemIO

extension ClipboardSession {
  /// Leaves a process behind that serves what was published until it is lost, and ends this one.
  ///
  /// Call it when the selection is ours and everything is said: the connection to the server goes
  /// on in the other process, so nothing may touch it here any more.
  ///
  /// - Parameters:
  ///   - lossStatus: The exit status of the other process where the display goes away first.
  ///   - isDone: Whether everything published has been lost.
  package func continueDetached(
    lossStatus: Int32, until isDone: () -> Bool
  ) throws(DetachmentFailure) -> Never {
    do {
      switch try forkDetached(keeping: descriptors) {
      case .parent: exitImmediately(0)
      case .detachedChild:
        serve(until: isDone)
        exitImmediately(backend.isLost ? lossStatus : 0)
      }
    } catch {
      throw DetachmentFailure(message: error.message)
    }
  }
}

/// The system lets no further process be made.
package struct DetachmentFailure: Error, Hashable, Sendable {
  package let message: String
}
