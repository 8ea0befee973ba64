import ClipboardCore
import ControlProtocol
import EventLoop
import SelectionCore
import SystemIO

/// What is ours on one selection of a display.
final class PublishedContent {
  let offer: Offer
  let byteCount: Int
  let isSensitive: Bool
  /// Whether it is what stands in the runtime directory, or as good as that.
  let isWrittenDown: Bool
  private let loop: any EventLoop
  private let beginning: Duration
  private var isGuardLifted = false

  init(_ offer: Offer, byteCount: Int, isWrittenDown: Bool = false, loop: any EventLoop) {
    self.loop = loop
    beginning = loop.timeSinceBoot
    self.isWrittenDown = isWrittenDown
    self.offer = offer
    self.byteCount = byteCount
    isSensitive = !SensitivityMarker.markers(among: offer.targets.map(\.name)).isEmpty
  }

  /// What was handed over, where it may be handed over again at once.
  private var received: (description: OfferDescription, contents: SealedFile?)?

  func note(_ description: OfferDescription, _ contents: SealedFile?) {
    if offer.serving.isUnlimited { received = (description, contents) }
  }

  /// Whether something is the very content that was handed over a moment ago.
  ///
  /// Who copies what it is told of, with each copy told as a change again, would go on for ever
  /// (`wl-paste --watch clipview copy`).
  func isJust(_ description: OfferDescription, _ contents: SealedFile?) -> Bool {
    guard let received, loop.timeSinceBoot - beginning < Self.moment else { return false }
    return received.description == description && received.contents.hasSameBytes(as: contents)
  }

  private static let moment = Duration.milliseconds(500)

  /// Ends the guard that the offer brought along, for the next connection too.
  func liftGuard() { isGuardLifted = true }

  /// The same for another connection, its terms counted on; nil where it is not to be offered again:
  /// what is secret, what was for one paste, and what has come to its end.
  var again: Offer? {
    guard !isSensitive, !offer.serving.isOnce else { return nil }
    let elapsed = loop.timeSinceBoot - beginning
    var again = offer
    if let lifetime = offer.serving.lifetime {
      guard lifetime > elapsed else { return nil }
      again.serving.lifetime = lifetime - elapsed
    }
    again.serving.guardTime = offer.serving.guardTime.flatMap {
      $0 > elapsed && !isGuardLifted ? $0 - elapsed : nil
    }
    return again
  }
}

extension SealedFile? {
  /// Larger ones are not compared: that would hold everybody up.
  private static var maximumCompared: Int { 16 << 20 }

  fileprivate func hasSameBytes(as other: SealedFile?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    guard self.count == other.count, self.count <= Self.maximumCompared else { return false }
    return unsafe self.bytes.elementsEqual(other.bytes)
  }
}
