/// When to read what of another program's content, so that it can be served when its owner has died.
///
/// Politely: what it has is asked at once, content only when nothing has changed for a moment, a few
/// reads at a time, large things last, and nothing beyond the limits. Secret content is not kept at
/// all. Whatever ends by itself is kept; what was cleared or replaced on purpose is gone.
///
/// An owner that is about to end does not get that moment: it closes a window, or asks for its content
/// to be saved and waits for the answer, which it gets as soon as everything it named is there.
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
    /// The owner may be about to end.
    case hurried
    /// The owner asks for these targets to be saved, nil for all, since it is about to end.
    case saveAsked([String]?)
    /// The owner takes long for what can be made of something else.
    case slow
    /// Whoever asked has waited long enough.
    case saveOverdue
    /// Whoever asked lives on.
    case stayed
    case read(String, bytes: Int)
    case unread(String, Unread)
    /// What was read shows that it is secret.
    case secret
    /// We have taken it ourselves.
    case ours
    case cleared
    case ownerEnded
  }

  package enum Unread: Hashable, Sendable {
    /// More came than the read was allowed.
    case tooLarge
    /// A part came, and then nothing more from an owner that is about to end.
    case stalled
    case failed
  }

  package enum Action: Hashable, Sendable {
    /// Forget what was read so far.
    case discard
    case list
    case startTimer
    case stopTimer
    case read(String, limit: Int)
    /// Forget what was read of this one.
    case forget(String)
    /// Tell those who asked for a save whether something is there that can be published.
    case answerSave(Bool)
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
  /// What could be made of something else: one at a time, when all that could not is there.
  private var spare: [CaptureItem] = []
  private var isSlow = false
  /// What was found to be large, for the end.
  private var large: [CaptureItem] = []
  private var running: [CaptureItem] = []
  private var done: Set<ExactName> = []
  /// What has stood still once.
  private var stalled: Set<ExactName> = []
  private var byteCount = 0
  /// What the owner wants to be saved; nil for everything.
  private var wanted: Set<ExactName>?
  private var isSaveAsked = false
  /// Whether the owner has said that it is about to end: how it leaves the selection is no matter then.
  private var isLeaving = false

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Whether the owner wants this target to outlive it.
  package func isWanted(_ name: String) -> Bool { wanted?.contains(ExactName(name)) ?? true }

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (_, .taken):
      return ending(.listing) + [.discard, .list, .startTimer]

    case (.reading, .cleared), (.held, .cleared):
      // Programs that asked for a save give the selection up on their way out.
      return isLeaving ? publishing() : ending(.idle) + [.discard]
    // What is there now is ours, or nothing, or was meant to go, or is not to be kept.
    case (_, .ours), (_, .secret), (.idle, .cleared), (.listing, .cleared),
      (.awaitingList, .cleared),
      (.settling, .cleared):
      return ending(.idle) + [.discard]

    case (.listing, .listed(let items)), (.awaitingList, .listed(let items)):
      if items.isEmpty { return ending(.idle) }
      waiting = items.filter { !$0.isLast && $0.original == nil }
      spare = items.filter { !$0.isLast && $0.original != nil }
      large = items.filter(\.isLast)
      guard state == .awaitingList else {
        state = .settling
        return []
      }
      state = .reading
      return next()
    case (.listing, .notListed), (.awaitingList, .notListed):
      // Who does not tell what it has cannot be kept whole.
      return ending(.idle)
    case (.listing, .rested):
      state = .awaitingList
      return []
    case (.listing, .hurried):
      state = .awaitingList
      return [.stopTimer]
    case (.settling, .rested):
      state = .reading
      return next()
    case (.settling, .hurried):
      state = .reading
      return [.stopTimer] + next()

    case (.idle, .saveAsked):
      return [.answerSave(false)]
    case (_, .saveAsked(let names)):
      want(names)
      isSaveAsked = true
      isLeaving = true
      switch state {
      case .idle, .awaitingList: return []
      case .listing, .settling: return handle(.hurried)
      case .reading, .held:
        state = .reading
        return next()
      }
    case (_, .saveOverdue):
      return answeringSave(hasSomething)
    case (_, .stayed):
      isLeaving = false
      return []
    case (_, .slow):
      isSlow = true
      return []

    case (.reading, .read(let name, let bytes)), (.held, .read(let name, let bytes)):
      guard take(name) != nil else { return [] }
      guard bytes <= limits.offer - byteCount else {
        // Others have come meanwhile, and together they are too much.
        exceeded.append(name)
        return [.forget(name)] + next()
      }
      done.insert(ExactName(name))
      byteCount += bytes
      return next()
    case (.reading, .unread(let name, let reason)), (.held, .unread(let name, let reason)):
      guard let item = take(name) else { return [] }
      switch reason {
      // The second time it was allowed all that there is.
      case .tooLarge where item.isLast: exceeded.append(name)
      // It is tried once more when all the others are there.
      case .tooLarge: large.append(item.asLast)
      case .stalled: if stalled.insert(ExactName(name)).inserted { large.append(item.asLast) }
      case .failed: break
      }
      return next()

    case (.reading, .ownerEnded), (.held, .ownerEnded):
      return publishing()
    case (.listing, .ownerEnded), (.awaitingList, .ownerEnded), (.settling, .ownerEnded),
      (.idle, .ownerEnded):
      // It went before anything could be read of it.
      return ending(.idle) + [.discard]

    // What a peer, or a timer that has just fired, may still tell: it is about what was before.
    case (.idle, .listed), (.idle, .notListed), (.idle, .rested), (.idle, .hurried),
      (.idle, .read), (.idle, .unread),
      (.settling, .listed), (.settling, .notListed), (.settling, .read), (.settling, .unread),
      (.reading, .listed), (.reading, .notListed), (.reading, .rested), (.reading, .hurried),
      (.held, .listed), (.held, .notListed), (.held, .rested), (.held, .hurried),
      (.listing, .read), (.listing, .unread),
      (.awaitingList, .rested), (.awaitingList, .hurried), (.awaitingList, .read),
      (.awaitingList, .unread):
      return []
    }
  }

  private var isTimerRunning: Bool { state == .listing || state == .settling }

  /// Whether anything was read that the owner wants to outlive it.
  private var hasSomething: Bool {
    guard let wanted else { return !done.isEmpty }
    return !done.isDisjoint(with: wanted)
  }

  /// Leaves what was before, and whoever waits for it with an answer.
  private mutating func ending(_ state: State) -> [Action] {
    var actions: [Action] = isTimerRunning ? [.stopTimer] : []
    if isSaveAsked { actions.append(.answerSave(false)) }
    self = CaptureSchedule(limits)
    self.state = state
    return actions
  }

  private mutating func publishing() -> [Action] {
    let hasSomething = hasSomething
    let answer = answeringSave(hasSomething)
    let (names, wanted) = (exceeded, wanted)
    let ended = ending(.idle)
    // What is published is told by these.
    (exceeded, self.wanted) = (names, wanted)
    return answer + ended + [hasSomething ? .publish : .discard]
  }

  private mutating func answeringSave(_ isGranted: Bool) -> [Action] {
    guard isSaveAsked else { return [] }
    isSaveAsked = false
    return [.answerSave(isGranted)]
  }

  /// Notes what is asked for; of several who ask, each gets what it wants.
  private mutating func want(_ names: [String]?) {
    let names = names.map { Set($0.map { ExactName($0) }) }
    guard isLeaving, let before = wanted, let names else {
      wanted = isLeaving && wanted == nil ? nil : names
      return
    }
    wanted = before.union(names)
  }

  private mutating func take(_ name: String) -> CaptureItem? {
    guard let place = running.firstIndex(where: { $0.name == name }) else { return nil }
    return running.remove(at: place)
  }

  /// Whether it is worth the owner's time, who may be slow, or about to end.
  private func isNeeded(_ item: CaptureItem) -> Bool {
    guard isWanted(item.name) else { return false }
    guard isSlow || isLeaving && item.canBeMade, let original = item.original else { return true }
    return !done.contains(ExactName(original))
  }

  /// The first of them that is needed.
  private func place(in items: [CaptureItem]) -> Int? { items.firstIndex(where: isNeeded) }

  /// Begins as many reads as may run, and tells whoever waits when there is nothing more to be read.
  private mutating func next() -> [Action] {
    var actions: [Action] = []
    // Qt looks at one request each time that something comes, once it waits for the answer to a save: of
    // several at once the last ones are never looked at.
    let most = isLeaving ? 1 : limits.concurrentReads
    while running.count < most {
      let item: CaptureItem
      if let place = place(in: waiting) {
        item = waiting.remove(at: place)
      } else if running.isEmpty, let place = place(in: spare) {
        item = spare.remove(at: place)
      } else if running.isEmpty, let place = place(in: large) {
        // One at a time, when all that is small is there.
        item = large.remove(at: place)
      } else {
        break
      }
      let room = limits.offer - byteCount
      guard room > 0 else {
        exceeded.append(item.name)
        continue
      }
      // What nobody waits behind is not begun twice.
      let isAlone = running.isEmpty && place(in: waiting) == nil && place(in: large) == nil
      running.append(item)
      let allowed = item.isLast || isAlone ? limits.representation : limits.early
      actions.append(.read(item.name, limit: min(allowed, room)))
    }
    let isDone = [running, waiting, spare, large].allSatisfy { place(in: $0) == nil }
    guard isDone else { return actions }
    state = .held
    return actions + answeringSave(hasSomething)
  }
}

/// One target that is to be read.
package struct CaptureItem: Hashable, Sendable {
  package let name: String
  /// Whether it is read when all the others are there: images, and what was found to be large.
  package let isLast: Bool
  /// The one that says the same, and better: of a lesser spelling of the text the best one, of a picture
  /// that programs offer in every encoding they know the one that all of them read.
  ///
  /// It is read all the same, since programs have their own idea of what it is, but nobody who is slow is
  /// asked for it.
  package let original: String?
  /// Whether we make it of its original where it was not read; then nobody who is about to end is asked
  /// for it, either.
  package let canBeMade: Bool

  package init(
    _ name: String, isLast: Bool = false, original: String? = nil, canBeMade: Bool = true
  ) {
    self.name = name
    self.isLast = isLast
    self.original = original
    self.canBeMade = canBeMade
  }

  fileprivate var asLast: CaptureItem {
    CaptureItem(name, isLast: true, original: original, canBeMade: canBeMade)
  }
}
