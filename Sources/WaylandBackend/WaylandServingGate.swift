internal import EventLoop
internal import Pasteboard
internal import SelectionCore

/// Keeps one publication to its policy: keeps the clock of the rules, and tells when the content is gone.
///
/// Wayland does not say who asks: all readers count as one. What is served once is served, from the first
/// request that gets its content on, for as long as the rules give that reader.
final class WaylandServingGate {
  private var rules: ServingRules
  private let offer: Offer
  private let loop: any EventLoop
  private let onEnd: () -> Void
  private let beginning = timeSinceBoot()
  private var timer: LoopToken?
  private var timerDeadline: Duration?

  private static let reader = ReaderID(0)

  /// - Parameters:
  ///   - offer: What is served, and by which policy.
  ///   - onEnd: Called once, when the content is gone.
  init(_ offer: Offer, loop: any EventLoop, onEnd: @escaping () -> Void) {
    self.offer = offer
    rules = ServingRules(offer.serving)
    self.loop = loop
    self.onEnd = onEnd
    setTimer()
  }

  /// The mark that tells the terms, made at each request since they change with time.
  var terms: OfferedTarget {
    OfferedTarget(name: ServingTerms.target, Payload(rules.terms(at: elapsed).bytes))
  }

  /// Whether whoever asks gets it.
  func admits(_ target: OfferedTarget) -> Bool {
    if target.name == ServingTerms.target { return true }
    return feed(.request(offer.isMark(target) ? .mark : .content, from: Self.reader))
  }

  /// A transfer that was admitted has ended.
  func noteEnd(of target: OfferedTarget, wasDelivered: Bool) {
    guard !offer.isMark(target) else { return }
    feed(wasDelivered ? .delivered(to: Self.reader) : .failed(to: Self.reader))
  }

  /// The selection belongs to somebody else: nothing is left to be decided.
  func stop() { timer = nil }

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
