import ControlProtocol
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO

/// What is on one pasteboard, and who may have it.
final class ServedContent {
  let offer: Offer
  let isSensitive: Bool
  /// The bytes that were handed over, in one piece.
  private let contents: SealedFile?
  private var rules: ServingRules?
  private let beginning: Duration
  /// What was made, or put together, for a reader: the next one gets the same.
  private var made: [ExactName: SealedFile] = [:]
  private var readers: [ReaderID: Int] = [:]
  private let loop: any EventLoop
  private let onEnd: () -> Void
  private var timer: LoopToken?
  private var timerDeadline: Duration?

  /// - Parameter onEnd: Called once, when the terms on which it is served are at their end.
  init(
    _ offer: Offer, contents: SealedFile?, isSensitive: Bool, loop: any EventLoop,
    onEnd: @escaping () -> Void
  ) {
    self.offer = offer
    self.contents = contents
    self.isSensitive = isSensitive
    self.loop = loop
    beginning = loop.timeSinceBoot
    self.onEnd = onEnd
    if !offer.serving.isUnlimited { rules = ServingRules(offer.serving) }
    setTimer()
  }

  /// The bytes that it holds.
  var byteCount: Int { (contents?.count ?? 0) + made.values.reduce(0) { $0 + $1.count } }

  var names: [String] {
    offer.targets.map(\.name) + (rules == nil ? [] : [ServingTerms.target])
  }

  // MARK: Terms

  enum Admission {
    case granted
    case refused
    case guarded(Duration)
  }

  /// Whether a reader gets a target; one that does is to be told of with ``noteEnd(_:to:wasDelivered:)``.
  func admits(_ target: OfferedTarget, to reader: ReaderID) -> Admission {
    guard rules != nil else { return .granted }
    if feed(.request(offer.isMark(target) ? .mark : .content, from: reader)) {
      if !offer.isMark(target) { readers[reader, default: 0] += 1 }
      return .granted
    }
    return rules?.terms(at: elapsed).guardTime.map { .guarded($0) } ?? .refused
  }

  func noteEnd(of target: OfferedTarget, to reader: ReaderID, wasDelivered: Bool) {
    guard rules != nil, !offer.isMark(target), let count = readers[reader] else { return }
    readers[reader] = count > 1 ? count - 1 : nil
    feed(wasDelivered ? .delivered(to: reader) : .failed(to: reader))
  }

  func readerGone(_ reader: ReaderID) {
    guard rules != nil else { return }
    // What was granted and did not arrive before it went has failed.
    for _ in 0..<(readers.removeValue(forKey: reader) ?? 0) { feed(.failed(to: reader)) }
    feed(.readerGone(reader))
  }

  /// Ends the guard that the offer brought along.
  func liftGuard() {
    rules?.liftGuard()
    setTimer()
  }

  /// What the terms are now, as their own target tells them.
  var terms: Payload? { rules.map { Payload($0.terms(at: elapsed).bytes) } }

  /// It was replaced: nothing is left to be decided.
  func stop() { timer = nil }

  private var elapsed: Duration { loop.timeSinceBoot - beginning }

  /// Whether it was a request that is granted.
  @discardableResult
  private func feed(_ event: ServingRules.Event) -> Bool {
    guard let actions = rules?.handle(event, at: elapsed) else { return false }
    setTimer()
    if actions.contains(.end) {
      stop()
      // Whoever told us of the event is to be done with it first.
      loop.defer { [onEnd] in onEnd() }
    }
    return actions.last == .serve
  }

  private func setTimer() {
    let deadline = rules?.nextDeadline
    guard deadline != timerDeadline else { return }
    timerDeadline = deadline
    timer = deadline.map { deadline in
      loop.scheduleForUser(after: max(.zero, deadline - elapsed)) { [weak self] in
        self?.feed(.clock)
      }
    }
  }

  // MARK: Bytes

  /// A payload as a part of a memory file: of that in which it was handed over where it lies there.
  func file(
    for payload: Payload, of target: String
  ) throws(Errno) -> (file: SealedFile?, range: AttachedRange) {
    if payload.isEmpty { return (nil, AttachedRange(offset: 0, count: 0)) }
    if let contents, let offset = contents.offset(of: payload) {
      return (contents, AttachedRange(offset: offset, count: payload.count))
    }
    let key = ExactName(target)
    if let there = made[key] { return (there, AttachedRange(offset: 0, count: there.count)) }
    let file = try SealedFile(copyOf: payload)
    made[key] = file
    return (file, AttachedRange(offset: 0, count: file.count))
  }
}

extension SealedFile {
  /// The same bytes, to be handed on by descriptor.
  convenience init(copyOf payload: Payload) throws(Errno) {
    try unsafe self.init(name: "clipd", size: payload.count) { write throws(Errno) in
      try unsafe payload.forEachChunk { bytes throws(Errno) in try unsafe write(bytes) }
    }
  }

  /// Where in the file a payload lies that shares its memory; nil for any other.
  fileprivate func offset(of payload: Payload) -> Int? {
    guard payload.chunks.count == 1, let base = unsafe bytes.baseAddress else { return nil }
    return unsafe payload.withUnsafeBytes { part in
      guard let start = part.baseAddress, unsafe start >= base else { return nil }
      let offset = unsafe start - base
      return offset + part.count <= count ? offset : nil
    }
  }
}
