/// The owner's side of one conversion: from the request to the last byte, INCR included.
///
/// Without I/O: the shell feeds what happened and does what it is told, in order. Every request is
/// answered exactly once.
package struct OutgoingTransfer: Sendable {
  /// How much goes into one property, in bytes.
  package struct Limits: Hashable, Sendable {
    /// Up to here a value is one property; beyond, it goes in chunks.
    package var single: Int
    package var chunk: Int

    package init(single: Int, chunk: Int) {
      precondition(single >= 0 && chunk > 0, "a transfer needs room to move")
      self.single = single
      self.chunk = chunk
    }
  }

  package enum State: Hashable, Sendable {
    /// The content is being made.
    case filling
    /// Chunks were announced; the requestor has not taken the announcement yet.
    case announced
    /// A chunk is in the property, up to this offset of the content.
    case chunkOnWire(end: Int)
    case finished(Outcome)
  }

  package enum Event: Hashable, Sendable {
    case contentReady(count: Int)
    case contentFailed
    /// The requestor has taken the property away.
    case propertyDeleted
    case requestorGone
    /// The same requestor asks anew with the same property.
    case superseded
    case deadline
  }

  package enum Action: Hashable, Sendable {
    /// The whole content as the property's value.
    case setContent(Range<Int>)
    /// Watch the requestor, then set the INCR announcement.
    case announce(count: Int)
    case setChunk(Range<Int>)
    case setEnd
    case answer(success: Bool)
    case restartDeadline
    case finish(Outcome)
  }

  package enum Outcome: Hashable, Sendable {
    case sent
    case refused
    case requestorGone
    case superseded
    case stalled
  }

  package private(set) var state = State.filling
  private var limits: Limits
  private var count = 0

  package init(limits: Limits) { self.limits = limits }

  /// Bounds the chunks from here on: how large they may be depends on what else is under way.
  package mutating func limitChunks(to size: Int) {
    precondition(size > 0, "a transfer needs room to move")
    limits.chunk = size
  }

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.filling, .contentReady(let count)):
      self.count = count
      if count <= limits.single {
        return [.setContent(0..<count), .answer(success: true)] + finish(.sent)
      }
      state = .announced
      // ICCCM 2.7.2: the INCR property holds a lower bound of the size.
      return [.announce(count: count), .answer(success: true), .restartDeadline]
    case (.filling, .contentFailed):
      return [.answer(success: false)] + finish(.refused)
    case (.filling, .deadline), (.filling, .superseded):
      // Whoever asked is still told: no request stays without an answer.
      return [.answer(success: false)] + finish(event == .deadline ? .stalled : .superseded)
    case (.filling, .requestorGone):
      return finish(.requestorGone)
    case (.filling, .propertyDeleted):
      // A leftover of an earlier transfer to the same property.
      return []

    case (.announced, .propertyDeleted):
      return sendChunk(from: 0)
    case (.chunkOnWire(let end), .propertyDeleted):
      if end == count { return [.setEnd] + finish(.sent) }
      return sendChunk(from: end)

    case (.announced, .requestorGone), (.chunkOnWire, .requestorGone):
      return finish(.requestorGone)
    case (.announced, .superseded), (.chunkOnWire, .superseded):
      return finish(.superseded)
    case (.announced, .deadline), (.chunkOnWire, .deadline):
      return finish(.stalled)

    // Late events after the end are routine.
    case (.finished, _):
      return []

    // Content is made once.
    case (.announced, .contentReady), (.announced, .contentFailed),
      (.chunkOnWire, .contentReady), (.chunkOnWire, .contentFailed):
      preconditionFailure("illegal transition of an outgoing transfer: \(state), \(event)")
    }
  }

  private mutating func sendChunk(from start: Int) -> [Action] {
    let end = min(start + limits.chunk, count)
    state = .chunkOnWire(end: end)
    return [.setChunk(start..<end), .restartDeadline]
  }

  private mutating func finish(_ outcome: Outcome) -> [Action] {
    state = .finished(outcome)
    return [.finish(outcome)]
  }
}
