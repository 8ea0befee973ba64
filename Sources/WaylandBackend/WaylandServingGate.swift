internal import EventLoop
internal import Pasteboard
internal import SelectionCore

/// Keeps one publication to its policy: keeps the clock of the rules, and tells when the content is gone.
///
/// Wayland does not say who asks: all readers count as one. What is served once is served, from the first
/// request that gets its content on, for as long as the rules give that reader.
final class WaylandServingGate {
  private let clock: ServingClock<LoopToken>
  private let offer: Offer

  private static let reader = ReaderID(0)

  /// - Parameters:
  ///   - offer: What is served, and by which policy.
  ///   - onEnd: Called once, when the content is gone.
  init(_ offer: Offer, loop: any EventLoop, onEnd: @escaping () -> Void) {
    self.offer = offer
    clock = ServingClock(
      offer.serving, time: { loop.timeSinceBoot },
      schedule: { loop.scheduleForUser(after: $0, $1) })
    clock.onEnd = onEnd
  }

  /// The mark that tells the terms, made at each request since they change with time.
  var terms: OfferedTarget { clock.terms }

  /// Whether nobody gets content yet.
  var isGuarded: Bool { clock.isGuarded }

  func liftGuard() { clock.liftGuard() }

  /// Whether whoever asks gets it.
  func admits(_ target: OfferedTarget) -> Bool {
    if target.name == ServingTerms.target { return true }
    return clock.feed(.request(offer.isMark(target) ? .mark : .content, from: Self.reader))
  }

  /// A transfer that was admitted has ended.
  func noteEnd(of target: OfferedTarget, wasDelivered: Bool) {
    guard !offer.isMark(target) else { return }
    clock.feed(wasDelivered ? .delivered(to: Self.reader) : .failed(to: Self.reader))
  }

  /// The selection belongs to somebody else: nothing is left to be decided.
  func stop() { clock.stop() }
}
