import SelectionCore
import TestSupport
import Testing

private typealias State = ServingRules.State
private typealias Event = ServingRules.Event
private typealias Action = ServingRules.Action

private let ada = ReaderID(0x20_0000)
private let bob = ReaderID(0x40_0000)

/// The time of the events of the table; the guard is over then, the rest is still to come.
private let now = Duration.seconds(20)

private func policy(
  once: Bool = false, lifetime: Int? = nil, guarded: Int? = nil
) -> ServingPolicy {
  var policy = ServingPolicy()
  policy.isOnce = once
  policy.lifetime = lifetime.map { .seconds($0) }
  policy.guardTime = guarded.map { .seconds($0) }
  return policy
}

/// Every event, from the reader that matters and from another.
private let everyEvent: [Event] =
  [ada, bob].flatMap { reader -> [Event] in
    [
      .request(.content, from: reader), .request(.mark, from: reader), .delivered(to: reader),
      .failed(to: reader), .readerGone(reader),
    ]
  } + [.clock]

private let openStates: [State] = [
  .open, .reserved(ada, transfers: 1), .reserved(ada, transfers: 2),
  .served(ada, until: .seconds(20) + .milliseconds(300)),
]

/// What content that is served once does in a state when an event comes; pairs that are not here trap.
private typealias Row = TransitionRow<State, Event, Action>

extension TransitionRow
where State == ServingRules.State, Event == ServingRules.Event, Action == ServingRules.Action {
  /// A row that changes nothing.
  fileprivate init(_ state: State, _ event: Event, _ actions: [Action] = []) {
    self.init(state, event, state, actions)
  }
}

private let afterDelivery = State.served(ada, until: now + ServingRules.grace)

private let table: [Row] = {
  let (open, one, two, served) = (openStates[0], openStates[1], openStates[2], openStates[3])
  return [
    Row(open, .request(.content, from: ada), one, [.serve]),
    Row(open, .request(.content, from: bob), .reserved(bob, transfers: 1), [.serve]),
    Row(open, .request(.mark, from: ada), [.serve]),
    Row(open, .request(.mark, from: bob), [.serve]),
    Row(open, .readerGone(ada)),
    Row(open, .readerGone(bob)),
    Row(open, .clock),

    Row(one, .request(.content, from: ada), two, [.serve]),
    Row(one, .request(.content, from: bob), [.refuse]),
    Row(one, .request(.mark, from: ada), [.serve]),
    Row(one, .request(.mark, from: bob), [.refuse]),
    Row(one, .delivered(to: ada), afterDelivery),
    Row(one, .failed(to: ada), open),
    Row(one, .readerGone(ada)),
    Row(one, .readerGone(bob)),
    Row(one, .clock),

    Row(two, .request(.content, from: ada), .reserved(ada, transfers: 3), [.serve]),
    Row(two, .request(.content, from: bob), [.refuse]),
    Row(two, .request(.mark, from: ada), [.serve]),
    Row(two, .request(.mark, from: bob), [.refuse]),
    Row(two, .delivered(to: ada), afterDelivery),
    Row(two, .failed(to: ada), one),
    Row(two, .readerGone(ada)),
    Row(two, .readerGone(bob)),
    Row(two, .clock),

    Row(served, .request(.content, from: ada), [.serve]),
    Row(served, .request(.content, from: bob), [.refuse]),
    Row(served, .request(.mark, from: ada), [.serve]),
    Row(served, .request(.mark, from: bob), [.refuse]),
    Row(served, .delivered(to: ada)),
    Row(served, .failed(to: ada)),
    Row(served, .delivered(to: bob)),
    Row(served, .failed(to: bob)),
    Row(served, .readerGone(ada), .ended, [.end]),
    Row(served, .readerGone(bob)),
    Row(served, .clock),
  ]
}()

/// The pairs that only a fault of ours could cause: the end of a transfer that was not granted.
private let forbidden: [(state: State, event: Event)] = openStates.flatMap { state in
  everyEvent.filter { event in !table.contains { $0.state == state && $0.event == event } }
    .map { (state, $0) }
}

/// Rules of content that is served once, in a state that was come to as it is in life.
private func rules(in state: State) -> ServingRules {
  var rules = ServingRules(policy(once: true, lifetime: 1000, guarded: 10))
  switch state {
  case .open: break
  case .reserved(let reader, let transfers):
    for _ in 0..<transfers { _ = rules.handle(.request(.content, from: reader), at: now) }
  case .served(let reader, let until):
    let begin = until - ServingRules.grace
    _ = rules.handle(.request(.content, from: reader), at: begin)
    _ = rules.handle(.delivered(to: reader), at: begin)
  case .ended: _ = rules.handle(.clock, at: .seconds(1000))
  }
  return rules
}

@Suite("Serving rules")
struct ServingRulesTests {
  @Test(
    "Every pair of state and event that can happen does what it should", arguments: table.indices)
  func servingPairs(index: Int) {
    let row = table[index]
    var rules = rules(in: row.state)
    #expect(rules.state == row.state)
    #expect(rules.handle(row.event, at: now) == row.actions, "\(row.state), \(row.event)")
    #expect(rules.state == row.next, "\(row.state), \(row.event)")
  }

  @Test("The table has every pair once")
  func servingTableIsComplete() {
    #expect(table.count + forbidden.count == openStates.count * everyEvent.count)
    #expect(forbidden.count == 8)
  }

  @Test("The end of a transfer that was not granted traps", arguments: forbidden.indices)
  func forbiddenServingPairs(index: Int) async {
    await #expect(processExitsWith: .failure) { [index = index as Int] in
      var rules = rules(in: forbidden[index].state)
      _ = rules.handle(forbidden[index].event, at: now)
    }
  }

  @Test("After the end requests are refused and all else is routine")
  func servingEnded() {
    for event in everyEvent {
      var rules = rules(in: .ended)
      let expected: [Action] = if case .request = event { [.refuse] } else { [] }
      #expect(rules.handle(event, at: .seconds(2000)) == expected)
      #expect(rules.state == .ended && rules.nextDeadline == nil)
    }
  }

  @Test("Whatever comes when time is up comes after the end", arguments: openStates.indices)
  func servingLifetime(index: Int) {
    for event in everyEvent {
      var rules = rules(in: openStates[index])
      let expected: [Action] = if case .request = event { [.end, .refuse] } else { [.end] }
      #expect(rules.handle(event, at: .seconds(1000)) == expected, "\(event)")
      #expect(rules.state == .ended)
    }
  }

  @Test("Half a second after the first delivery it is the end, however much was asked for since")
  func servingGrace() {
    var rules = rules(in: .open)
    _ = rules.handle(.request(.content, from: ada), at: now)
    #expect(rules.nextDeadline == .seconds(1000))
    _ = rules.handle(.delivered(to: ada), at: now)
    for milliseconds in [1, 250, 499] {
      let time = now + .milliseconds(milliseconds)
      #expect(rules.handle(.request(.content, from: ada), at: time) == [.serve])
      _ = rules.handle(.delivered(to: ada), at: time)
      #expect(rules.nextDeadline == now + .milliseconds(500))
    }
    #expect(rules.handle(.clock, at: now + .milliseconds(500)) == [.end])
  }

  @Test("The guard refuses content only, to everybody, and nothing counts as the one paste")
  func servingGuard() {
    var rules = ServingRules(policy(once: true, guarded: 10))
    for reader in [ada, bob] {
      #expect(rules.handle(.request(.content, from: reader), at: .zero) == [.refuse])
      #expect(rules.handle(.request(.content, from: reader), at: .milliseconds(9999)) == [.refuse])
      #expect(rules.handle(.request(.mark, from: reader), at: .zero) == [.serve])
    }
    #expect(rules.state == .open && rules.nextDeadline == nil)
    #expect(rules.handle(.request(.content, from: bob), at: .seconds(10)) == [.serve])
  }

  @Test("Without a policy everybody is served for ever")
  func servingUnlimited() {
    var rules = ServingRules(ServingPolicy())
    #expect(ServingPolicy().isUnlimited && !policy(once: true).isUnlimited)
    #expect(!policy(lifetime: 1).isUnlimited && !policy(guarded: 1).isUnlimited)
    for event in everyEvent {
      let expected: [Action] = if case .request = event { [.serve] } else { [] }
      #expect(rules.handle(event, at: .seconds(1_000_000_000)) == expected)
      #expect(rules.state == .open && rules.nextDeadline == nil)
    }
  }

  @Test("The terms are those of the moment")
  func termsOfRules() {
    var rules = ServingRules(policy(once: true, lifetime: 60, guarded: 10))
    var terms = ServingTerms()
    terms.isOnce = true
    terms.guardTime = .seconds(10)
    terms.lifetime = .seconds(60)
    #expect(rules.terms(at: .zero) == terms)
    terms.guardTime = nil
    terms.lifetime = .seconds(50)
    #expect(rules.terms(at: .seconds(10)) == terms)
    _ = rules.handle(.request(.content, from: ada), at: .seconds(10))
    terms.isTaken = true
    #expect(rules.terms(at: .seconds(10)) == terms)
    #expect(ServingRules(ServingPolicy()).terms(at: .zero) == ServingTerms())
  }

  @Test("Random scripts keep every promise", arguments: 1...12 as ClosedRange<UInt64>)
  func servingScripts(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    var ends = 0
    for _ in 0..<1500 {
      var script = Script(&numbers)
      for _ in 0..<Int.random(in: 1...40, using: &numbers) { script.step(&numbers) }
      if script.hasEnded { ends += 1 }
    }
    #expect(ends > 100)
  }
}

/// Rules under random events, as a shell could cause them.
private struct Script {
  let policy: ServingPolicy
  var rules: ServingRules
  var time = Duration.zero
  /// Transfers that were granted and have not ended.
  var running: [ReaderID] = []
  /// Readers that something reached whole.
  var served: Set<ReaderID> = []
  var firstDelivery: Duration?
  var hasEnded = false

  init(_ numbers: inout SeededGenerator) {
    var policy = ServingPolicy()
    policy.isOnce = Bool.random(using: &numbers)
    let milliseconds = Int.random(in: 1...4000, using: &numbers)
    if Bool.random(using: &numbers) { policy.lifetime = .milliseconds(milliseconds) }
    if Bool.random(using: &numbers) {
      policy.guardTime = .milliseconds(Int.random(in: 1...2000, using: &numbers))
    }
    self.policy = policy
    rules = ServingRules(policy)
  }

  mutating func step(_ numbers: inout SeededGenerator) {
    time += .milliseconds(Int.random(in: 0...150, using: &numbers))
    let reader = ReaderID(UInt32.random(in: 1...3, using: &numbers))
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0..<4: feed(.request(.content, from: reader))
    case 4: feed(.request(.mark, from: reader))
    case 5: feed(.readerGone(reader))
    case 6: feed(.clock)
    default:
      guard let index = running.indices.randomElement(using: &numbers) else { return }
      let reader = running.remove(at: index)
      if Int.random(in: 0..<3, using: &numbers) == 0 {
        feed(.failed(to: reader))
      } else {
        if !hasEnded, firstDelivery == nil { firstDelivery = time }
        feed(.delivered(to: reader))
        served.insert(reader)
      }
    }
  }

  private mutating func feed(_ event: Event) {
    let hadEnded = hasEnded
    let actions = rules.handle(event, at: time)
    // The end comes once, and nothing is served from then on.
    #expect(actions.count { $0 == .end } <= (hadEnded ? 0 : 1))
    if actions.contains(.end) { hasEnded = true }
    #expect((rules.state == .ended) == hasEnded)
    let answers = actions.filter { $0 != .end }
    guard case .request(let subject, let reader) = event else {
      #expect(answers.isEmpty)
      return
    }
    // One answer to each request.
    #expect(answers.count == 1)
    let isServed = answers == [.serve]
    if hasEnded { #expect(!isServed) }
    if let lifetime = policy.lifetime, time >= lifetime { #expect(!isServed && hasEnded) }
    guard subject == .content else { return }
    if let guardTime = policy.guardTime, time < guardTime { #expect(!isServed) }
    if policy.isOnce {
      // At no time do two have it, and never another one after somebody had it whole.
      if isServed {
        #expect(Set(running).subtracting([reader]).isEmpty && served.subtracting([reader]).isEmpty)
        if let firstDelivery { #expect(time < firstDelivery + ServingRules.grace) }
      }
    } else if !hasEnded, time >= policy.guardTime ?? .zero {
      #expect(isServed)
    }
    if isServed { running.append(reader) }
  }
}
