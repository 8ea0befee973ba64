/// Who asks for content, as far as the display system tells.
///
/// A client on X11, not one of its windows: a program may ask with several.
package struct ReaderID: Hashable, Sendable {
  package let rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Decides who is served for how long, by a policy.
///
/// Without I/O: the shell says what happened and when, asks before it serves, and tells how each
/// transfer that it was allowed ended. Times are counted from the beginning of the ownership.
///
/// Content that is served once belongs, from the first request that is granted, to one reader. Others
/// are refused, and as soon as something has reached the reader whole, the end is set: half a second
/// later, or when the reader has gone. Where everything that the reader asked for broke off, nobody
/// has had the paste, and it is free again. Only content counts. What the shell answers itself (what
/// is there, since when) needs no leave, and marks, which say something about the content, do not make
/// a paste: managers read the mark of a secret to leave the content alone.
package struct ServingRules: Sendable {
  package enum State: Hashable, Sendable {
    /// Whoever asks is served, unless the guard is on.
    case open
    /// Served once: a reader has it, nothing has arrived there whole yet.
    case reserved(ReaderID, transfers: Int)
    /// Served once: a reader has had it and may ask for more of it until then.
    case served(ReaderID, until: Duration)
    case ended
  }

  package enum Subject: Hashable, Sendable {
    case content
    /// Something about the content.
    case mark
  }

  package enum Event: Hashable, Sendable {
    case request(Subject, from: ReaderID)
    /// A transfer of content that was granted has ended with the last byte.
    case delivered(to: ReaderID)
    /// A transfer of content that was granted has ended in any other way.
    case failed(to: ReaderID)
    /// The reader has no window left that it asked with.
    case readerGone(ReaderID)
    /// Time has passed.
    case clock
  }

  package enum Action: Hashable, Sendable {
    case serve
    case refuse
    /// The content is gone: give the selection up; transfers under way go on to their end.
    case end
  }

  /// How long the one reader may ask for more: programs take several representations for one paste.
  package static let grace = Duration.milliseconds(500)

  package private(set) var state = State.open
  private var policy: ServingPolicy

  package init(_ policy: ServingPolicy) { self.policy = policy }

  /// Whether one reader is all that is served.
  package var isOnce: Bool { policy.isOnce }

  /// Ends the guard before its time.
  package mutating func liftGuard() { policy.guardTime = nil }

  /// The one reader, while there is one.
  package var reader: ReaderID? {
    switch state {
    case .reserved(let reader, _), .served(let reader, _): reader
    case .open, .ended: nil
    }
  }

  /// When time alone changes something next; nil for never.
  package var nextDeadline: Duration? {
    switch state {
    case .ended: nil
    case .served(_, let until): min(until, policy.lifetime ?? until)
    case .open, .reserved: policy.lifetime
    }
  }

  package mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    if let deadline = nextDeadline, now >= deadline {
      // Whatever it is, it comes after the end.
      state = .ended
      return [.end] + handle(event, at: now)
    }
    let isGuarded = policy.guardTime.map { now < $0 } ?? false
    switch (state, event) {
    case (.open, .request(.content, let reader)):
      if isGuarded { return [.refuse] }
      if policy.isOnce { state = .reserved(reader, transfers: 1) }
      return [.serve]
    case (.open, .request(.mark, _)):
      return [.serve]
    case (.open, .delivered), (.open, .failed):
      precondition(!policy.isOnce, "a transfer that nobody was granted: \(event)")
      return []

    case (.reserved(let reader, let transfers), .request(.content, let asking)):
      guard asking == reader else { return [.refuse] }
      state = .reserved(reader, transfers: transfers + 1)
      return [.serve]
    case (.reserved(let reader, _), .delivered(let served)):
      precondition(served == reader, "a transfer that was not granted: \(event)")
      state = .served(reader, until: now + Self.grace)
      return []
    case (.reserved(let reader, let transfers), .failed(let served)):
      precondition(served == reader, "a transfer that was not granted: \(event)")
      state = transfers == 1 ? .open : .reserved(reader, transfers: transfers - 1)
      return []
    case (.reserved, .readerGone):
      // Its transfers fail one by one and tell so.
      return []

    case (.served(let reader, _), .request(.content, let asking)),
      (.served(let reader, _), .request(.mark, let asking)),
      (.reserved(let reader, _), .request(.mark, let asking)):
      return [asking == reader ? .serve : .refuse]
    case (.served, .delivered), (.served, .failed):
      return []
    case (.served(let reader, _), .readerGone(let gone)):
      guard gone == reader else { return [] }
      // Nobody is left who could ask for more.
      state = .ended
      return [.end]

    case (.ended, .request):
      return [.refuse]

    // Routine: transfers that were under way at the end, a reader that goes when it has what it wants.
    case (.open, .readerGone), (_, .clock), (.ended, _):
      return []
    }
  }

  /// What can be told of the policy at this moment.
  package func terms(at now: Duration) -> ServingTerms {
    var terms = ServingTerms()
    terms.guardTime = policy.guardTime.map { $0 - now }.flatMap { $0 > .zero ? $0 : nil }
    terms.lifetime = policy.lifetime.map { max(.zero, $0 - now) }
    terms.isOnce = policy.isOnce
    terms.isTaken = reader != nil
    return terms
  }
}
