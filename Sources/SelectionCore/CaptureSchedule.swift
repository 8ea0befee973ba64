/// When to read what of another program's content, so that it can be served when its owner has died.
///
/// Politely: what it has is asked at once, content only when nothing has changed for a moment, a few
/// reads at a time, large things last, and nothing beyond the limits. Secret content is not read at
/// all. Whatever ends by itself is kept; what was cleared or replaced on purpose is gone.
///
/// Without I/O: the shell says what happened and performs the actions, in their order. It feeds events
/// of the present ownership only.
package struct CaptureSchedule: Sendable {
  package enum State: Hashable, Sendable {
    /// Nothing is there, or it is our own, or it is not to be kept.
    case idle
    /// The owner was asked what it has; the moment of rest has not passed yet.
    case listing
    /// The moment has passed, and the owner has still not told what it has.
    case awaitingList
    /// What it has is known; the moment of rest has not passed yet.
    case settling
    case reading
    /// All that could be read was.
    case held
  }

  package enum Event: Hashable, Sendable {
    /// Another program has taken the selection, or has taken it anew.
    case taken
    /// Everything the owner has, in its order, and what of it is worth reading, in the order in which
    /// it is to be read; nothing for content that is not to be kept.
    case listed(toRead: [CaptureItem])
    case notListed
    /// The time since the last change is over.
    case rested
    case read(String, bytes: Int)
    case unread(String, Unread)
    /// We have taken it ourselves.
    case ours
    case cleared
    case ownerEnded
  }

  package enum Unread: Hashable, Sendable {
    /// More came than the read was allowed.
    case tooLarge
    case failed
  }

  package enum Action: Hashable, Sendable {
    /// Forget what was read so far.
    case discard
    case list
    case startTimer
    case stopTimer
    case read(String, limit: Int)
    /// The owner is gone: what was read is to be published.
    case publish
  }

  package struct Limits: Hashable, Sendable {
    package var concurrentReads = 4
    /// What is larger is read last.
    package var early = 16 << 20
    package var representation = 64 << 20
    package var offer = 256 << 20

    package init() {}
  }

  package private(set) var state = State.idle
  /// What is left out because it is too much.
  package private(set) var exceeded: [String] = []
  private let limits: Limits
  private var waiting: [CaptureItem] = []
  /// What was found to be large, for the end.
  private var large: [CaptureItem] = []
  private var running: [CaptureItem] = []
  private var readCount = 0
  private var byteCount = 0

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (_, .taken):
      let stop: [Action] = isTimerRunning ? [.stopTimer] : []
      reset(.listing)
      return stop + [.discard, .list, .startTimer]

    // What is there now is ours, or nothing, or was meant to go.
    case (_, .ours), (_, .cleared):
      let stop: [Action] = isTimerRunning ? [.stopTimer] : []
      reset(.idle)
      return stop + [.discard]

    case (.listing, .listed(let items)), (.awaitingList, .listed(let items)):
      if items.isEmpty {
        let stop: [Action] = isTimerRunning ? [.stopTimer] : []
        reset(.idle)
        return stop
      }
      waiting = items.filter { !$0.isLast }
      large = items.filter(\.isLast)
      guard state == .awaitingList else {
        state = .settling
        return []
      }
      state = .reading
      return next()
    case (.listing, .notListed), (.awaitingList, .notListed):
      // Who does not tell what it has cannot be kept whole.
      let stop: [Action] = isTimerRunning ? [.stopTimer] : []
      reset(.idle)
      return stop
    case (.listing, .rested):
      state = .awaitingList
      return []
    case (.settling, .rested):
      state = .reading
      return next()

    case (.reading, .read(let name, let bytes)):
      guard take(name) != nil else { return [] }
      readCount += 1
      byteCount += bytes
      return next()
    case (.reading, .unread(let name, let reason)):
      guard let item = take(name) else { return [] }
      if reason == .tooLarge {
        // The second time it was allowed all that there is.
        if item.isLast { exceeded.append(name) } else { large.append(item.asLast) }
      }
      return next()

    case (.reading, .ownerEnded), (.held, .ownerEnded):
      let hasSomething = readCount > 0
      let names = exceeded
      reset(.idle)
      exceeded = names
      return [hasSomething ? .publish : .discard]
    case (.listing, .ownerEnded), (.awaitingList, .ownerEnded), (.settling, .ownerEnded),
      (.idle, .ownerEnded):
      // It went before anything could be read of it.
      let stop: [Action] = isTimerRunning ? [.stopTimer] : []
      reset(.idle)
      return stop + [.discard]

    // What a peer, or a timer that has just fired, may still tell: it is about what was before.
    case (.idle, .listed), (.idle, .notListed), (.idle, .rested), (.idle, .read), (.idle, .unread),
      (.settling, .listed), (.settling, .notListed), (.settling, .read), (.settling, .unread),
      (.reading, .listed), (.reading, .notListed), (.reading, .rested),
      (.held, .listed), (.held, .notListed), (.held, .rested), (.held, .read), (.held, .unread),
      (.listing, .read), (.listing, .unread),
      (.awaitingList, .rested), (.awaitingList, .read), (.awaitingList, .unread):
      return []
    }
  }

  private var isTimerRunning: Bool { state == .listing || state == .settling }

  private mutating func reset(_ state: State) {
    self = CaptureSchedule(limits)
    self.state = state
  }

  private mutating func take(_ name: String) -> CaptureItem? {
    guard let place = running.firstIndex(where: { $0.name == name }) else { return nil }
    return running.remove(at: place)
  }

  /// Begins as many reads as may run.
  private mutating func next() -> [Action] {
    var actions: [Action] = []
    while running.count < limits.concurrentReads {
      let item: CaptureItem
      if !waiting.isEmpty {
        item = waiting.removeFirst()
      } else if !large.isEmpty, running.isEmpty {
        // One at a time, when all that is small is there.
        item = large.removeFirst()
      } else {
        break
      }
      let room = limits.offer - byteCount
      guard room > 0 else {
        exceeded.append(item.name)
        continue
      }
      running.append(item)
      let allowed = item.isLast ? limits.representation : limits.early
      actions.append(.read(item.name, limit: min(allowed, room)))
    }
    if running.isEmpty { state = .held }
    return actions
  }
}

/// One target that is to be read.
package struct CaptureItem: Hashable, Sendable {
  package let name: String
  /// Whether it is read when all the others are there: images, and what was found to be large.
  package let isLast: Bool

  package init(_ name: String, isLast: Bool = false) {
    self.name = name
    self.isLast = isLast
  }

  fileprivate var asLast: CaptureItem { CaptureItem(name, isLast: true) }
}
