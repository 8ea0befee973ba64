import SelectionCore
import TestSupport
import Testing

private typealias State = IncomingTransfer.State
private typealias Event = IncomingTransfer.Event
private typealias Action = IncomingTransfer.Action
private typealias Outcome = IncomingTransfer.Outcome

/// Every event, the ones with a value in each form that makes a difference.
private let everyEvent: [Event] = [
  .answered, .refused, .found(.announcement), .found(.content(count: 0)),
  .found(.content(count: 5)), .found(.nothing), .found(.nothingPromised), .newValue, .ownerGone,
  .deadline, .limitExceeded, .connectionLost,
]

private let openStates: [State] = [.requested, .reading, .awaitingChunk, .readingChunk]

private let everyOutcome: [Outcome] = [
  .received, .refused, .malformed, .ownerGone, .timedOut, .tooLarge, .connectionLost,
]

/// What happens in a state when an event comes; pairs that are not here trap.
private typealias Row = TransitionRow<State, Event, Action>

extension TransitionRow
where
  State == IncomingTransfer.State, Event == IncomingTransfer.Event,
  Action == IncomingTransfer.Action
{
  /// A row that ends the transfer.
  fileprivate init(
    _ state: State, _ event: Event, _ actions: [Action] = [], ends outcome: IncomingTransfer.Outcome
  ) {
    self.init(state, event, .finished(outcome), actions + [.finish(outcome)])
  }
}

private let table: [Row] = [
  Row(.requested, .answered, .reading, [.restartDeadline, .readProperty]),
  Row(.requested, .refused, ends: .refused),
  Row(.requested, .newValue, .requested),
  Row(.requested, .ownerGone, ends: .ownerGone),
  Row(.requested, .deadline, ends: .timedOut),
  Row(.requested, .connectionLost, ends: .connectionLost),

  Row(.reading, .found(.announcement), .awaitingChunk, [.restartDeadline]),
  Row(.reading, .found(.content(count: 0)), [.keep], ends: .received),
  Row(.reading, .found(.content(count: 5)), [.keep], ends: .received),
  Row(.reading, .found(.nothing), ends: .malformed),
  Row(.reading, .found(.nothingPromised), ends: .refused),
  Row(.reading, .limitExceeded, ends: .tooLarge),
  Row(.reading, .connectionLost, ends: .connectionLost),

  Row(.awaitingChunk, .newValue, .readingChunk, [.readProperty]),
  Row(.awaitingChunk, .answered, .awaitingChunk),
  Row(.awaitingChunk, .refused, .awaitingChunk),
  Row(.awaitingChunk, .ownerGone, ends: .ownerGone),
  Row(.awaitingChunk, .deadline, ends: .timedOut),
  Row(.awaitingChunk, .connectionLost, ends: .connectionLost),

  Row(.readingChunk, .found(.content(count: 5)), .awaitingChunk, [.keep, .restartDeadline]),
  Row(.readingChunk, .found(.content(count: 0)), ends: .received),
  Row(.readingChunk, .found(.announcement), ends: .malformed),
  Row(.readingChunk, .found(.nothing), .awaitingChunk),
  Row(.readingChunk, .limitExceeded, ends: .tooLarge),
  Row(.readingChunk, .connectionLost, ends: .connectionLost),
]

/// The pairs that cannot come from a peer, only from a fault of ours.
private let forbidden: [(state: State, event: Event)] = openStates.flatMap { state in
  everyEvent.filter { event in !table.contains { $0.state == state && $0.event == event } }
    .map { (state, $0) }
}

/// A transfer that has come to this state the way it does.
private func transfer(in state: State) -> IncomingTransfer {
  let events: [Event] =
    switch state {
    case .requested: []
    case .reading: [.answered]
    case .awaitingChunk: [.answered, .found(.announcement)]
    case .readingChunk: [.answered, .found(.announcement), .newValue]
    case .finished(.received): [.answered, .found(.content(count: 1))]
    case .finished(.refused): [.refused]
    case .finished(.malformed): [.answered, .found(.nothing)]
    case .finished(.ownerGone): [.ownerGone]
    case .finished(.timedOut): [.deadline]
    case .finished(.tooLarge): [.answered, .limitExceeded]
    case .finished(.connectionLost): [.connectionLost]
    }
  var transfer = IncomingTransfer()
  for event in events { _ = transfer.handle(event) }
  return transfer
}

@Suite("INCR receive")
struct IncomingTransferTests {
  @Test(
    "Every pair of state and event that can happen does what it should", arguments: table.indices)
  func possiblePairs(index: Int) {
    let row = table[index]
    var transfer = transfer(in: row.state)
    #expect(transfer.state == row.state)
    #expect(transfer.handle(row.event) == row.actions, "\(row.state), \(row.event)")
    #expect(transfer.state == row.next, "\(row.state), \(row.event)")
  }

  @Test("After the end every event is routine and changes nothing", arguments: everyOutcome.indices)
  func lateEvents(index: Int) {
    let state = State.finished(everyOutcome[index])
    for event in everyEvent {
      var transfer = transfer(in: state)
      #expect(transfer.state == state)
      #expect(transfer.handle(event) == [])
      #expect(transfer.state == state)
    }
  }

  @Test("The table has every pair once")
  func tableIsComplete() {
    #expect(table.count + forbidden.count == openStates.count * everyEvent.count)
    #expect(forbidden.count == 23)
  }

  @Test(
    "What only a fault of ours can cause traps and names state and event",
    arguments: forbidden.indices)
  func forbiddenPairs(index: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [index = index as Int] in
      var transfer = transfer(in: forbidden[index].state)
      _ = transfer.handle(forbidden[index].event)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let pair = forbidden[index]
    #expect(
      text.contains("illegal transition of an incoming transfer: \(pair.state), \(pair.event)"))
  }

  @Test("A value in one piece")
  func singleValue() {
    var transfer = IncomingTransfer()
    #expect(transfer.state == .requested)
    #expect(transfer.handle(.newValue) == [])
    #expect(transfer.handle(.answered) == [.restartDeadline, .readProperty])
    #expect(transfer.handle(.found(.content(count: 9))) == [.keep, .finish(.received)])
  }

  @Test("A value in chunks ends with an empty one")
  func chunkedValue() {
    var transfer = IncomingTransfer()
    _ = transfer.handle(.answered)
    #expect(transfer.handle(.found(.announcement)) == [.restartDeadline])
    for _ in 0..<3 {
      #expect(transfer.handle(.newValue) == [.readProperty])
      #expect(transfer.handle(.found(.content(count: 4))) == [.keep, .restartDeadline])
    }
    #expect(transfer.handle(.newValue) == [.readProperty])
    #expect(transfer.handle(.found(.content(count: 0))) == [.finish(.received)])
  }

  @Test("An announcement without any chunk is content of zero bytes")
  func emptyChunkedValue() {
    var transfer = IncomingTransfer()
    _ = transfer.handle(.answered)
    _ = transfer.handle(.found(.announcement))
    _ = transfer.handle(.newValue)
    #expect(transfer.handle(.found(.content(count: 0))) == [.finish(.received)])
  }
}

@Suite("INCR receive, random scripts")
struct IncomingTransferScriptTests {
  /// An owner, a server and a shell around one transfer.
  ///
  /// Each script is one transfer and some events after its end. Whatever comes, and in whatever
  /// order, what is kept is what the owner sent, each byte once and in order.
  private struct Script {
    var transfer = IncomingTransfer()
    var sent = 0
    var kept = 0
    var lastFound = 0
    var outcome: Outcome?
    var wantsRead = false
    var steps = 0

    private var isEnded: Bool { outcome != nil }

    mutating func feed(_ event: Event) throws {
      steps += 1
      let wasEnded = isEnded
      let stateBefore = transfer.state
      let actions = transfer.handle(event)
      if wasEnded {
        try check(actions.isEmpty, "actions after the end: \(actions)")
        try check(transfer.state == stateBefore, "\(transfer.state) after \(stateBefore)")
        return
      }
      for (index, action) in actions.enumerated() {
        switch action {
        case .readProperty:
          try check(!wantsRead, "told to read twice")
          wantsRead = true
        case .keep:
          guard case .found(.content) = event else {
            throw ScriptViolation(description: "kept what was not found, after \(event)")
          }
          kept += lastFound
        case .restartDeadline: break
        case .finish(let result):
          try check(outcome == nil, "ended twice")
          try check(index == actions.count - 1, "actions behind the end: \(actions)")
          outcome = result
        }
      }
      if let outcome {
        try check(transfer.state == .finished(outcome), "\(transfer.state) after \(outcome)")
      }
    }

    /// The shell does what it was told: looks at the property, at once.
    mutating func read(_ finding: IncomingTransfer.Finding) throws {
      wantsRead = false
      lastFound = if case .content(let count) = finding { count } else { 0 }
      sent += lastFound
      try feed(.found(finding))
    }
  }

  @Test(
    "A million steps keep what was sent, once and in order, and end once", arguments: scriptSeeds)
  func randomScripts(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    var steps = 0
    var outcomes: [Outcome: Int] = [:]
    while steps < stepsPerSeed {
      var script = Script()
      var late = 0
      while late < 3 {
        if script.outcome != nil { late += 1 }
        if script.wantsRead {
          let isIncremental = script.transfer.state == .readingChunk
          switch Int.random(in: 0..<20, using: &numbers) {
          case 0: try script.read(.nothing)
          case 1: try script.feed(.connectionLost)
          case 2: try script.read(.content(count: 0))
          case 10: try script.feed(.limitExceeded)
          case 11 where !isIncremental: try script.read(.nothingPromised)
          case 3..<9 where !isIncremental, 3 where isIncremental: try script.read(.announcement)
          default: try script.read(.content(count: Int.random(in: 1...100_000, using: &numbers)))
          }
          if script.outcome != nil { script.wantsRead = false }
          continue
        }
        // What may come while nothing is being read; after the end all of it is late.
        var events: [Event] = [
          .answered, .answered, .newValue, .newValue, .newValue, .newValue, .newValue, .newValue,
          .newValue, .newValue, .refused, .ownerGone, .deadline, .connectionLost,
        ]
        if script.transfer.state == .requested {
          events += [.answered, .answered, .answered, .answered, .answered, .answered]
        }
        if script.outcome != nil { events += everyEvent }
        try script.feed(events.randomElement(using: &numbers) ?? .deadline)
      }
      steps += script.steps
      let outcome = try #require(script.outcome, "a transfer without an end")
      outcomes[outcome, default: 0] += 1
      // A protocol broken half-way does not lose what was found before either.
      try check(script.kept == script.sent, "kept \(script.kept) of \(script.sent), \(outcome)")
    }
    // The scripts reach every end.
    #expect(Set(outcomes.keys) == Set(everyOutcome))
  }
}
