internal import EventLoop
internal import Pasteboard
internal import SelectionCore

/// Keeps one publication to its policy: knows who asks, keeps the clock of the rules, and tells when
/// the content is gone.
///
/// Only where there is a policy, so that what everybody is served costs nothing.
final class X11ServingGate {
  private let clock: ServingClock<LoopToken>
  private let offer: Offer
  private let connection: X11Connection
  /// The windows with which the one reader asked.
  ///
  /// When the last of them is gone so is the reader, and the server may give its number to the next
  /// client at once.
  private var readersWindows: Set<WindowID> = []

  /// - Parameters:
  ///   - offer: What is served, and by which policy.
  ///   - onEnd: Called once, when the content is gone.
  init(
    _ offer: Offer, connection: X11Connection, loop: any EventLoop,
    onEnd: @escaping () -> Void
  ) {
    self.offer = offer
    self.connection = connection
    clock = ServingClock(
      offer.serving, time: { loop.timeSinceBoot },
      schedule: { loop.scheduleForUser(after: $0, $1) })
    clock.onEnd = { [weak self] in
      self?.forgetReader()
      onEnd()
    }
  }

  /// Whether the content is gone by now.
  var hasEnded: Bool {
    clock.feed(.clock)
    return clock.rules.state == .ended
  }

  /// The mark that tells the terms, made at each request since they change with time.
  var terms: OfferedTarget { clock.terms }

  /// Whether nobody gets content yet.
  var isGuarded: Bool { clock.isGuarded }

  func liftGuard() { clock.liftGuard() }

  /// Whether whoever has this window gets what it asks for.
  func admits(_ target: OfferedTarget, to window: WindowID) -> Bool {
    if target.name == ServingTerms.target { return true }
    let subject: ServingRules.Subject = offer.isMark(target) ? .mark : .content
    guard clock.rules.isOnce, subject == .content else {
      return clock.feed(.request(subject, from: reader(window)))
    }
    // Watched first and looked for then: of a window that is there now, the end will be told. One that
    // is gone must not have been the one that was served.
    connection.watch(window)
    let isAdmitted =
      connection.exists(window) && clock.feed(.request(subject, from: reader(window)))
    if !isAdmitted || !readersWindows.insert(window).inserted { connection.unwatch(window) }
    return isAdmitted
  }

  /// A transfer that was admitted has ended.
  func noteEnd(of target: OfferedTarget, to window: WindowID, wasDelivered: Bool) {
    guard !offer.isMark(target) else { return }
    clock.feed(wasDelivered ? .delivered(to: reader(window)) : .failed(to: reader(window)))
    if clock.rules.reader == nil { forgetReader() }
  }

  /// Call it after the window's transfers have ended.
  func windowDestroyed(_ window: WindowID) {
    guard readersWindows.remove(window) != nil else { return }
    connection.unwatch(window)
    if readersWindows.isEmpty { clock.feed(.readerGone(reader(window))) }
  }

  /// The selection belongs to somebody else: nothing is left to be decided.
  func stop() {
    clock.stop()
    forgetReader()
  }

  private func forgetReader() {
    for window in readersWindows { connection.unwatch(window) }
    readersWindows = []
  }

  private func reader(_ window: WindowID) -> ReaderID {
    ReaderID(connection.client(of: window))
  }
}
