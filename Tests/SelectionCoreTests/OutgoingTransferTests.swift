import SelectionCore
import TestSupport
import Testing

private typealias State = OutgoingTransfer.State
private typealias Event = OutgoingTransfer.Event
private typealias Action = OutgoingTransfer.Action
private typealias Outcome = OutgoingTransfer.Outcome

private let limits = OutgoingTransfer.Limits(single: 10, chunk: 4)

/// Every event, the ones with a value in each form that makes a difference.
private let everyEvent: [Event] = [
  .contentReady(count: 0), .contentReady(count: 10), .contentReady(count: 11), .contentFailed,
  .propertyDeleted, .requestorGone, .superseded, .deadline,
]

/// In the states behind `filling` the content has 11 bytes: chunks of 4, 4 and 3.
private let openStates: [State] = [
  .filling, .announced, .chunkOnWire(end: 4), .chunkOnWire(end: 8), .chunkOnWire(end: 11),
]

private let everyOutcome: [Outcome] = [.sent, .refused, .requestorGone, .superseded, .stalled]

/// What happens in a state when an event comes; pairs that are not here trap.
private typealias Row = TransitionRow<State, Event, Action>

extension TransitionRow
where
  State == OutgoingTransfer.State, Event == OutgoingTransfer.Event,
  Action == OutgoingTransfer.Action
{
  /// A row that ends the transfer.
  fileprivate init(
    _ state: State, _ event: Event, _ actions: [Action] = [], ends outcome: OutgoingTransfer.Outcome
  ) {
    self.init(state, event, .finished(outcome), actions + [.finish(outcome)])
  }
}

private let table: [Row] =
  [
    Row(
      .filling, .contentReady(count: 0), [.setContent(0..<0), .answer(success: true)], ends: .sent),
    Row(
      .filling, .contentReady(count: 10), [.setContent(0..<10), .answer(success: true)], ends: .sent
    ),
    Row(
      .filling, .contentReady(count: 11), .announced,
      [.announce(count: 11), .answer(success: true), .restartDeadline]),
    Row(.filling, .contentFailed, [.answer(success: false)], ends: .refused),
    Row(.filling, .propertyDeleted, .filling),
    Row(.filling, .requestorGone, ends: .requestorGone),
    Row(.filling, .superseded, [.answer(success: false)], ends: .superseded),
    Row(.filling, .deadline, [.answer(success: false)], ends: .stalled),

    Row(.announced, .propertyDeleted, .chunkOnWire(end: 4), [.setChunk(0..<4), .restartDeadline]),
    Row(.announced, .requestorGone, ends: .requestorGone),
    Row(.announced, .superseded, ends: .superseded),
    Row(.announced, .deadline, ends: .stalled),

    Row(
      .chunkOnWire(end: 4), .propertyDeleted, .chunkOnWire(end: 8),
      [.setChunk(4..<8), .restartDeadline]),
    Row(
      .chunkOnWire(end: 8), .propertyDeleted, .chunkOnWire(end: 11),
      [.setChunk(8..<11), .restartDeadline]),
    Row(.chunkOnWire(end: 11), .propertyDeleted, [.setEnd], ends: .sent),
  ]
  + [4, 8, 11].flatMap { end in
    [
      Row(.chunkOnWire(end: end), .requestorGone, ends: .requestorGone),
      Row(.chunkOnWire(end: end), .superseded, ends: .superseded),
      Row(.chunkOnWire(end: end), .deadline, ends: .stalled),
    ]
  }

/// The pairs that cannot come from a peer, only from a fault of ours.
private let forbidden: [(state: State, event: Event)] = openStates.flatMap { state in
  everyEvent.filter { event in !table.contains { $0.state == state && $0.event == event } }
    .map { (state, $0) }
}

/// A transfer that has come to this state the way it does.
private func transfer(in state: State) -> OutgoingTransfer {
  let announced: [Event] = [.contentReady(count: 11)]
  let events: [Event] =
    switch state {
    case .filling: []
    case .announced: announced
    case .chunkOnWire(let end):
      announced + Array(repeating: .propertyDeleted, count: (end + 3) / 4)
    case .finished(.sent): [.contentReady(count: 1)]
    case .finished(.refused): [.contentFailed]
    case .finished(.requestorGone): [.requestorGone]
    case .finished(.superseded): announced + [.superseded]
    case .finished(.stalled): announced + [.deadline]
    }
  var transfer = OutgoingTransfer(limits: limits)
  for event in events { _ = transfer.handle(event) }
  return transfer
}

@Suite("INCR send")
struct OutgoingTransferTests {
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
    #expect(forbidden.count == 16)
  }

  @Test("Content that is made twice traps and names state and event", arguments: forbidden.indices)
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
      text.contains("illegal transition of an outgoing transfer: \(pair.state), \(pair.event)"))
  }

  @Test("Limits that leave no room to move are a fault of ours")
  func senselessLimitsTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = OutgoingTransfer.Limits(single: 10, chunk: 0)
    }
    await #expect(processExitsWith: .failure) {
      _ = OutgoingTransfer.Limits(single: -1, chunk: 1)
    }
  }

  @Test("Chunks are as large as they may be when they are sent")
  func chunkLimits() {
    var transfer = OutgoingTransfer(limits: limits)
    _ = transfer.handle(.contentReady(count: 11))
    var sizes: [Int] = []
    for limit in [1, 3, 100] {
      transfer.limitChunks(to: limit)
      guard case .setChunk(let range)? = transfer.handle(.propertyDeleted).first else { break }
      sizes.append(range.count)
    }
    #expect(sizes == [1, 3, 7])
    #expect(transfer.handle(.propertyDeleted) == [.setEnd, .finish(.sent)])
  }

  @Test("The limit of one property is exact", arguments: [0, 1, 9, 10, 11, 12])
  func singleLimit(count: Int) {
    var transfer = OutgoingTransfer(limits: limits)
    let actions = transfer.handle(.contentReady(count: count))
    #expect(actions.contains(.setContent(0..<count)) == (count <= 10))
    #expect(actions.contains(.announce(count: count)) == (count > 10))
    #expect(actions.contains(.answer(success: true)))
  }
}

@Suite("INCR send, random scripts")
struct OutgoingTransferScriptTests {
  /// A requestor that puts together what it is given, for one transfer.
  private struct Script {
    let limits: OutgoingTransfer.Limits
    let count: Int
    var transfer: OutgoingTransfer
    var isFilled = false
    var received = 0
    var isWhole = false
    var answer: Bool?
    var outcome: Outcome?
    var steps = 0

    init(limits: OutgoingTransfer.Limits, count: Int) {
      self.limits = limits
      self.count = count
      transfer = OutgoingTransfer(limits: limits)
    }

    mutating func feed(_ event: Event) throws {
      steps += 1
      let stateBefore = transfer.state
      let actions = transfer.handle(event)
      if outcome != nil {
        try check(actions.isEmpty, "actions after the end: \(actions)")
        try check(transfer.state == stateBefore, "\(transfer.state) after \(stateBefore)")
        return
      }
      for (index, action) in actions.enumerated() {
        switch action {
        case .setContent(let range):
          let isRight = range == 0..<count && count <= limits.single && received == 0
          try check(isRight, "\(range) of \(count) in one piece, \(limits)")
          received = range.upperBound
          isWhole = true
        case .announce(let announced):
          let isRight = announced == count && count > limits.single
          try check(isRight, "announced \(announced) of \(count), \(limits)")
        case .setChunk(let range):
          // Each byte once, in order, and never an empty chunk: that would be the end.
          let isNext = range.lowerBound == received && !range.isEmpty
          try check(isNext && range.count <= limits.chunk, "\(range) after \(received)")
          try check(event == .propertyDeleted, "a chunk that nobody asked for, after \(event)")
          received = range.upperBound
        case .setEnd:
          try check(received == count && !isWhole, "the end after \(received) of \(count)")
          isWhole = true
        case .answer(let success):
          try check(answer == nil, "a second answer, after \(event)")
          answer = success
        case .restartDeadline: break
        case .finish(let result):
          try check(index == actions.count - 1, "actions behind the end: \(actions)")
          outcome = result
        }
      }
      if let outcome {
        try check(transfer.state == .finished(outcome), "\(transfer.state) after \(outcome)")
      }
    }
  }

  @Test(
    "A million steps send each byte once and in order, and answer once", arguments: scriptSeeds)
  func randomScripts(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    var steps = 0
    var outcomes: [Outcome: Int] = [:]
    while steps < stepsPerSeed {
      let limits = OutgoingTransfer.Limits(
        single: Int.random(in: 0...20, using: &numbers),
        chunk: Int.random(in: 1...20, using: &numbers))
      var script = Script(limits: limits, count: Int.random(in: 0...200, using: &numbers))
      var late = 0
      while late < 3 {
        if script.outcome != nil { late += 1 }
        switch Int.random(in: 0..<60, using: &numbers) {
        case 0: try script.feed(.requestorGone)
        case 1: try script.feed(.superseded)
        case 2: try script.feed(.deadline)
        case 3 where !script.isFilled || script.outcome != nil:
          script.isFilled = true
          try script.feed(.contentFailed)
        case 4..<30 where !script.isFilled || script.outcome != nil:
          script.isFilled = true
          try script.feed(.contentReady(count: script.count))
        default: try script.feed(.propertyDeleted)
        }
      }
      steps += script.steps
      let outcome = try #require(script.outcome, "a transfer without an end")
      outcomes[outcome, default: 0] += 1
      // One answer for each request, except to somebody who went before there was one.
      try check(script.answer != nil || outcome == .requestorGone, "no answer, \(outcome)")
      try check((outcome == .sent) == script.isWhole, "\(script.received) bytes, \(outcome)")
      if outcome == .sent {
        let isWhole = script.answer == true && script.received == script.count
        try check(isWhole, "sent \(script.received) of \(script.count)")
      }
      if outcome == .refused {
        try check(script.answer == false && script.received == 0, "refused and sent")
      }
    }
    #expect(Set(outcomes.keys) == Set(everyOutcome))
  }
}
