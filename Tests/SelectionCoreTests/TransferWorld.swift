import SelectionCore
import TestSupport
import Testing

/// One owner and some requestors with any number of transfers between them, and a model of the
/// server: properties, and events that are late.
///
/// What a client asks of the server is done in its order, and what the server tells a client comes
/// in its order (X11 promises that much); between clients a random choice decides what is next. The
/// shells around the machines are as the back-end has them.
struct TransferWorld {
  /// Where a transfer goes.
  private struct Place: Hashable, Comparable {
    let requestor: Int
    let property: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.requestor, one.property) < (other.requestor, other.property)
    }
  }

  /// What one request is to bring, known by its number.
  private struct Request {
    let count: Int
    var answers = 0
    /// Whether something happened that may end it before its content is whole.
    var isDisturbed = false
    /// Whether nobody is there to be answered, or nobody to answer.
    var mayStayUnanswered = false
  }

  private enum Value {
    case announcement
    case bytes(request: Int, Range<Int>)
  }

  private enum OwnerEvent {
    case requested(Int, Place)
    case deleted(Place)
    /// The window is gone, or an error said so.
    case vanished(requestor: Int)
  }

  private enum OwnerOrder {
    case watch(requestor: Int)
    case set(Place, Value)
    case answer(request: Int, Place, success: Bool)
  }

  private enum RequestorEvent {
    case answered(property: Int, success: Bool)
    case newValue(property: Int)
  }

  private struct Outgoing {
    var machine: OutgoingTransfer
    let request: Int
    var isFilled = false
  }

  private struct Incoming {
    var machine = IncomingTransfer()
    let request: Int
    var received = 0
  }

  private struct Requestor {
    var isAlive = true
    var events: [RequestorEvent] = []
    var conversions: [Int: Incoming] = [:]
    var freeProperties = [0, 1, 2]
    var propertyCount = 3
  }

  private let seed: UInt64
  private var numbers: SeededGenerator
  private var requests: [Request] = []
  private var requestors: [Requestor]
  private var outgoing: [Place: Outgoing] = [:]
  private var ownerEvents: [OwnerEvent] = []
  private var ownerOrders: [OwnerOrder] = []
  private var properties: [Place: Value] = [:]
  private var watched: Set<Int> = []
  private var isOwnerAlive = true
  private var steps = 0
  private(set) var incomingOutcomes: [IncomingTransfer.Outcome: Int] = [:]
  private(set) var outgoingOutcomes: [OutgoingTransfer.Outcome: Int] = [:]

  init(seed: UInt64, requestors count: Int) {
    self.seed = seed
    numbers = SeededGenerator(seed: seed)
    requestors = Array(repeating: Requestor(), count: count)
  }

  // MARK: Chance

  private mutating func isChance(_ one: Int, in many: Int) -> Bool {
    Int.random(in: 0..<many, using: &numbers) < one
  }

  /// Runs so many steps, brings what is under way then to its end and looks at what is left.
  mutating func run(steps: Int, faults: Bool) throws {
    do {
      for _ in 0..<steps { try step(faults: faults) }
      try drain()
    } catch let violation as ScriptViolation {
      throw ScriptViolation(description: "seed \(seed), step \(self.steps): \(violation)")
    }
  }

  /// One step: somebody does the next thing.
  private mutating func step(faults: Bool) throws {
    steps += 1
    let index = Int.random(in: requestors.indices, using: &numbers)
    switch Int.random(in: 0..<100, using: &numbers) {
    case 0..<8: ask(requestor: index)
    case 8..<10: askAgain(requestor: index)
    case 10..<38: try ownerTakesEvent()
    case 38..<65: serverDoesOrder()
    case 65..<70: try ownerMakesContent(fails: faults && isChance(1, in: 20))
    case 70 where faults: try disturb(requestor: index)
    default: try requestorTakesEvent(index)
    }
  }

  private mutating func disturb(requestor index: Int) throws {
    switch Int.random(in: 0..<1000, using: &numbers) {
    case 0..<15: try endOwner()
    case 15..<80: killRequestor(index)
    case 80..<500:
      guard let place = outgoing.keys.sorted().randomElement(using: &numbers) else { return }
      try feed(.deadline, at: place)
    default:
      let waiting = requestors[index].conversions.keys.sorted()
      guard let property = waiting.randomElement(using: &numbers) else { return }
      try feed(.deadline, requestor: index, property)
    }
  }

  /// Lets everything that is under way come to its end, without new faults, and looks at what is
  /// left.
  private mutating func drain() throws {
    var isBusy = true
    while isBusy {
      isBusy = !ownerEvents.isEmpty || !ownerOrders.isEmpty
      while !ownerEvents.isEmpty { try ownerTakesEvent() }
      while outgoing.values.contains(where: { !$0.isFilled }) {
        try ownerMakesContent(fails: false)
      }
      while !ownerOrders.isEmpty { serverDoesOrder() }
      for index in requestors.indices where requestors[index].isAlive {
        isBusy = isBusy || !requestors[index].events.isEmpty
        while !requestors[index].events.isEmpty { try requestorTakesEvent(index) }
      }
    }
    // Whoever still waits was disturbed, and its deadline ends it.
    for place in outgoing.keys.sorted() {
      try checkDisturbed(outgoing[place]?.request, "the owner waits for")
      try feed(.deadline, at: place)
    }
    for index in requestors.indices where requestors[index].isAlive {
      for property in requestors[index].conversions.keys.sorted() {
        let request = requestors[index].conversions[property]?.request
        try checkDisturbed(request, "requestor \(index) waits for")
        try feed(.deadline, requestor: index, property)
      }
    }
    while !ownerOrders.isEmpty { serverDoesOrder() }
    try check(outgoing.isEmpty, "transfers without an end: \(outgoing.count)")
    for (number, request) in requests.enumerated() {
      try check(
        request.answers == 1 || (request.answers == 0 && request.mayStayUnanswered),
        "request \(number) has \(request.answers) answers")
    }
  }

  private func checkDisturbed(_ request: Int?, _ who: String) throws {
    guard let request else { return }
    try check(requests[request].isDisturbed, "\(who) request \(request), and nothing comes")
  }

  // MARK: Requestors

  private mutating func ask(requestor index: Int) {
    guard requestors[index].isAlive, requestors[index].conversions.count < 4 else { return }
    let property: Int
    if let free = requestors[index].freeProperties.popLast() {
      property = free
    } else {
      property = requestors[index].propertyCount
      requestors[index].propertyCount += 1
    }
    convert(Place(requestor: index, property: property))
  }

  /// Breaks a transfer off by asking anew with the same property, as a requestor may.
  private mutating func askAgain(requestor index: Int) {
    let running = requestors[index].conversions.filter {
      $0.value.machine.state == .awaitingChunk && !requests[$0.value.request].isDisturbed
    }
    guard requestors[index].isAlive, let property = running.keys.sorted().first else { return }
    let place = Place(requestor: index, property: property)
    if let old = requestors[index].conversions[property] {
      requests[old.request].isDisturbed = true
    }
    _ = take(place)
    convert(place)
  }

  private mutating func convert(_ place: Place) {
    let request = Request(count: Int.random(in: 0...60, using: &numbers))
    requests.append(request)
    let number = requests.count - 1
    requestors[place.requestor].conversions[place.property] = Incoming(request: number)
    guard isOwnerAlive else {
      // The server answers for nobody.
      requests[number].answers += 1
      requestors[place.requestor].events.append(
        .answered(property: place.property, success: false))
      return
    }
    ownerEvents.append(.requested(number, place))
  }

  /// Reads a property and deletes it, in one step of the server.
  private mutating func take(_ place: Place) -> Value? {
    guard let value = properties.removeValue(forKey: place) else { return nil }
    if watched.contains(place.requestor) { ownerEvents.append(.deleted(place)) }
    return value
  }

  private mutating func requestorTakesEvent(_ index: Int) throws {
    guard requestors[index].isAlive, !requestors[index].events.isEmpty else { return }
    switch requestors[index].events.removeFirst() {
    case .answered(let property, let success):
      guard requestors[index].conversions[property] != nil else {
        _ = take(Place(requestor: index, property: property))
        return
      }
      try feed(success ? .answered : .refused, requestor: index, property)
    case .newValue(let property):
      guard requestors[index].conversions[property] != nil else { return }
      try feed(.newValue, requestor: index, property)
    }
  }

  private mutating func feed(
    _ first: IncomingTransfer.Event, requestor index: Int, _ property: Int
  ) throws {
    var events = [first]
    while !events.isEmpty {
      let event = events.removeFirst()
      guard var incoming = requestors[index].conversions[property] else { return }
      if event == .deadline { requests[incoming.request].isDisturbed = true }
      let actions = incoming.machine.handle(event)
      requestors[index].conversions[property] = incoming
      for action in actions {
        switch action {
        case .readProperty:
          events.append(try look(requestor: index, property))
        case .keep, .restartDeadline: break
        case .finish(let outcome):
          try finish(outcome, requestor: index, property)
        }
      }
    }
  }

  /// What the shell finds in a property; it keeps the bytes, as the back-end does.
  private mutating func look(requestor index: Int, _ property: Int) throws -> IncomingTransfer.Event
  {
    switch take(Place(requestor: index, property: property)) {
    case nil: return .found(.nothing)
    case .announcement: return .found(.announcement)
    case .bytes(let request, let range):
      guard let incoming = requestors[index].conversions[property] else {
        throw ScriptViolation(description: "read for nobody")
      }
      let (wanted, received) = (incoming.request, incoming.received)
      try check(wanted == request, "content of request \(request) for \(wanted)")
      try check(range.lowerBound == received, "\(range) behind \(received) bytes")
      requestors[index].conversions[property]?.received = range.upperBound
      return .found(.content(count: range.count))
    }
  }

  private mutating func finish(
    _ outcome: IncomingTransfer.Outcome, requestor index: Int, _ property: Int
  ) throws {
    guard let ended = requestors[index].conversions.removeValue(forKey: property) else {
      throw ScriptViolation(description: "ended twice")
    }
    incomingOutcomes[outcome, default: 0] += 1
    let request = requests[ended.request]
    let isWhole = ended.received == request.count
    try check(
      outcome == .received ? isWhole : request.isDisturbed || !isOwnerAlive,
      "request \(ended.request): \(outcome), \(ended.received) of \(request.count) bytes")
    // As the back-end has it: the owner may still write to a property that was given up.
    if outcome == .received || outcome == .refused {
      requestors[index].freeProperties.append(property)
    }
  }

  private mutating func killRequestor(_ index: Int) {
    guard requestors[index].isAlive else { return }
    for conversion in requestors[index].conversions.values {
      requests[conversion.request].isDisturbed = true
    }
    requestors[index] = Requestor()
    requestors[index].isAlive = false
    // Somebody new comes for whoever went.
    requestors.append(Requestor())
    properties = properties.filter { $0.key.requestor != index }
    if watched.remove(index) != nil { ownerEvents.append(.vanished(requestor: index)) }
  }

  // MARK: The server

  private mutating func serverDoesOrder() {
    guard !ownerOrders.isEmpty else { return }
    switch ownerOrders.removeFirst() {
    case .watch(let requestor):
      guard requestors[requestor].isAlive else { return complain(requestor) }
      watched.insert(requestor)
    case .set(let place, let value):
      guard requestors[place.requestor].isAlive else { return complain(place.requestor) }
      properties[place] = value
      requestors[place.requestor].events.append(.newValue(property: place.property))
    case .answer(let request, let place, let success):
      requests[request].answers += 1
      guard requestors[place.requestor].isAlive else { return complain(place.requestor) }
      requestors[place.requestor].events.append(
        .answered(property: place.property, success: success))
    }
  }

  /// An error: there is no such window.
  private mutating func complain(_ requestor: Int) {
    if isOwnerAlive { ownerEvents.append(.vanished(requestor: requestor)) }
  }

  // MARK: The owner

  private mutating func ownerTakesEvent() throws {
    guard !ownerEvents.isEmpty else { return }
    switch ownerEvents.removeFirst() {
    case .requested(let number, let place):
      if let stale = outgoing[place] {
        requests[stale.request].isDisturbed = true
        try feed(.superseded, at: place)
      }
      let limits = OutgoingTransfer.Limits(
        single: Int.random(in: 0...20, using: &numbers),
        chunk: Int.random(in: 1...20, using: &numbers))
      outgoing[place] = Outgoing(machine: OutgoingTransfer(limits: limits), request: number)
      if isChance(1, in: 2) { try fill(place, fails: false) }
    case .deleted(let place):
      if outgoing[place] != nil { try feed(.propertyDeleted, at: place) }
    case .vanished(let requestor):
      for place in outgoing.keys.sorted() where place.requestor == requestor {
        try feed(.requestorGone, at: place)
      }
    }
  }

  private mutating func ownerMakesContent(fails: Bool) throws {
    let empty = outgoing.filter { !$0.value.isFilled }.keys
    guard let place = empty.sorted().randomElement(using: &numbers) else { return }
    try fill(place, fails: fails)
  }

  private mutating func fill(_ place: Place, fails: Bool) throws {
    guard let request = outgoing[place]?.request else { return }
    outgoing[place]?.isFilled = true
    if fails { requests[request].isDisturbed = true }
    try feed(fails ? .contentFailed : .contentReady(count: requests[request].count), at: place)
  }

  private mutating func feed(_ event: OutgoingTransfer.Event, at place: Place) throws {
    guard var transfer = outgoing[place] else { return }
    let request = transfer.request
    switch event {
    case .requestorGone:
      requests[request].isDisturbed = true
      requests[request].mayStayUnanswered = true
    case .deadline, .superseded: requests[request].isDisturbed = true
    case .contentReady, .contentFailed, .propertyDeleted: break
    }
    let actions = transfer.machine.handle(event)
    outgoing[place] = transfer
    for action in actions {
      switch action {
      case .setContent(let range), .setChunk(let range):
        ownerOrders.append(.set(place, .bytes(request: request, range)))
      case .announce:
        ownerOrders.append(.watch(requestor: place.requestor))
        ownerOrders.append(.set(place, .announcement))
      case .setEnd:
        let count = requests[request].count
        ownerOrders.append(.set(place, .bytes(request: request, count..<count)))
      case .answer(let success):
        ownerOrders.append(.answer(request: request, place, success: success))
      case .restartDeadline: break
      case .finish(let outcome):
        outgoingOutcomes[outcome, default: 0] += 1
        try check(outgoing.removeValue(forKey: place) != nil, "ended twice")
      }
    }
  }

  /// The owner's connection ends: what it had asked of the server is still done, and then every
  /// requestor hears of it.
  private mutating func endOwner() throws {
    let open = outgoing.values.map(\.request)
    for number in open {
      requests[number].isDisturbed = true
      requests[number].mayStayUnanswered = true
    }
    for case .requested(let number, _) in ownerEvents {
      requests[number].isDisturbed = true
      requests[number].mayStayUnanswered = true
    }
    while !ownerOrders.isEmpty { serverDoesOrder() }
    outgoing = [:]
    ownerEvents = []
    watched = []
    isOwnerAlive = false
    for index in requestors.indices where requestors[index].isAlive {
      while !requestors[index].events.isEmpty { try requestorTakesEvent(index) }
      for property in requestors[index].conversions.keys.sorted() {
        if let waiting = requestors[index].conversions[property]?.request {
          requests[waiting].isDisturbed = true
          requests[waiting].mayStayUnanswered = true
        }
        try feed(.ownerGone, requestor: index, property)
      }
    }
    ownerEvents = []
  }
}
