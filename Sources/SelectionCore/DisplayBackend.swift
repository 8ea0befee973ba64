package import Pasteboard

/// A back-end that serves content itself: on a display, not by way of a service.
package protocol DisplayBackend: SelectionBackend {
  /// Has a say in each request for content; nobody has, unless it is set.
  ///
  /// It is for what is published from then on.
  var supervisor: ServingSupervisor? { get set }

  /// Publishes what somebody had on the selection who is gone, as if that one had it still: not where
  /// the selection was taken or cleared after that time, which is a contest that is lost.
  ///
  /// - Parameter time: When it was taken by that one; nil where that is not known.
  func publish(
    _ offer: Offer, to selection: PasteboardName, continuing time: ServerTime?,
    onEnd: @escaping () -> Void
  ) -> Result<Void, OwnershipFailure>

  /// Whether a change that was just reported is that a publication of this very back-end took the
  /// selection.
  func isOurs(_ change: SelectionChange, of selection: PasteboardName) -> Bool

  /// Whether a publication of this very back-end has the selection, as far as it was told.
  ///
  /// One that was replaced may serve those who had begun to read it for long after that.
  func isServing(_ selection: PasteboardName) -> Bool

  /// Ends the guard that what is published there brought along.
  func liftGuard(of selection: PasteboardName)
}

// Only X servers remember when a selection was changed last.
extension DisplayBackend {
  package func publish(
    _ offer: Offer, to selection: PasteboardName, continuing time: ServerTime?,
    onEnd: @escaping () -> Void
  ) -> Result<Void, OwnershipFailure> {
    publish(offer, to: selection, onEnd: onEnd)
  }
}
