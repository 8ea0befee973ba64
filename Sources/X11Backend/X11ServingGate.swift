internal import EventLoop
internal import Pasteboard
internal import SelectionCore

/// Keeps one publication to its policy: knows who asks, keeps the clock of the rules, and tells when
/// the content is gone.
///
/// Only where there is a policy, so that what everybody is served costs nothing.
final class X11ServingGate {
  private var rules: ServingRules
  private let offer: Offer
  private let connection: X11Connection
  private let loop: any EventLoop
  private let onEnd: () -> Void
  private let beginning = timeSinceBoot()
  private var timer: LoopToken?
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
    rules = ServingRules(offer.serving)
    self.connection = connection
    self.loop = loop
    self.onEnd = onEnd
    setTimer()
  }

  /// Whether the content is gone by now.
  var hasEnded: Bool {
    feed(.clock)
    return rules.state == .ended
  }

  /// The mark that tells the terms, made at each request since they change with time.
  var terms: OfferedTarget {
    let bytes = rules.terms(at: elapsed).bytes
    return OfferedTarget(name: ServingTerms.target, Payload(bytes))
  }

  /// Whether whoever has this window gets what it asks for.
  func admits(_ target: OfferedTarget, to window: WindowID) -> Bool {
    if target.name == ServingTerms.target { return true }
    let subject: ServingRules.Subject = offer.isMark(target) ? .mark : .content
    guard rules.isOnce, subject == .content else {
      return feed(.request(subject, from: reader(window)))
    }
    // Watched first and looked for then: of a window that is there now, the end will be told. One that
    // is gone must not have been the one that was served.
    connection.watch(window)
    let isAdmitted =
      connection.exists(window) && feed(.request(subject, from: reader(window)))
    if !isAdmitted || !readersWindows.insert(window).inserted { connection.unwatch(window) }
    return isAdmitted
  }

  /// A transfer that was admitted has ended.
  func noteEnd(of target: OfferedTarget, to window: WindowID, wasDelivered: Bool) {
    guard !offer.isMark(target) else { return }
    feed(wasDelivered ? .delivered(to: reader(window)) : .failed(to: reader(window)))
    if rules.reader == nil { forgetReader() }
  }

  /// Call it after the window's transfers have ended.
  func windowDestroyed(_ window: WindowID) {
    guard readersWindows.remove(window) != nil else { return }
    connection.unwatch(window)
    if readersWindows.isEmpty { feed(.readerGone(reader(window))) }
  }

  /// The selection belongs to somebody else: nothing is left to be decided.
  func stop() {
    timer = nil
    forgetReader()
  }

  private func forgetReader() {
    for window in readersWindows { connection.unwatch(window) }
    readersWindows = []
  }

  private func reader(_ window: WindowID) -> ReaderID {
    ReaderID(connection.client(of: window))
  }

  // MARK: Rules and time

  /// Since the ownership began; a machine that sleeps does not lengthen what was to last a minute.
  private var elapsed: Duration { timeSinceBoot() - beginning }

  /// Whether it was a request that is granted.
  @discardableResult
  private func feed(_ event: ServingRules.Event) -> Bool {
    var isGranted = false
    var isEnd = false
    for action in rules.handle(event, at: elapsed) {
      switch action {
      case .serve: isGranted = true
      case .refuse: isGranted = false
      case .end: isEnd = true
      }
    }
    if isEnd {
      stop()
      onEnd()
    } else {
      setTimer()
    }
    return isGranted
  }

  private var timerDeadline: Duration?

  private func setTimer() {
    let deadline = rules.nextDeadline
    guard deadline != timerDeadline || timer == nil else { return }
    timerDeadline = deadline
    timer = deadline.map { deadline in
      loop.schedule(after: max(.zero, deadline - elapsed)) { [weak self] in
        self?.timer = nil
        self?.feed(.clock)
      }
    }
  }
}
