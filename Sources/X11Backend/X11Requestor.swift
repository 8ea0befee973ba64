internal import EventLoop
internal import Pasteboard
internal import SelectionCore

/// Reads selections of other owners: any number of conversions at once, each in a place of its own so that
/// their answers cannot be mixed up.
final class X11Requestor {
  /// An owner that has not answered by then is looked after: is it still there? Asking at once would
  /// cost every paste two round trips.
  private static let ownerCheckDelay = Duration.milliseconds(20)
  /// How long an answer of an owner that was replaced may still be on its way.
  private static let replacedOwnerGrace = Duration.milliseconds(100)

  let connection: X11Connection
  private let loop: any EventLoop
  /// Those that wait for their answers.
  ///
  /// A list, though it is asked by place: there are a few at a time, and the type of a dictionary, which
  /// the runtime makes when the first one is filled, costs a tenth of a paste.
  private var conversions: [X11Conversion] = []
  private var windows: AnswerWindows
  private var watchedSelections: [AtomID] = []
  /// When selections were last taken, as far as that was reported.
  private var acquisitions: [AtomID: ServerTime] = [:]
  private var isOpeningTimeUsed = false

  init(connection: X11Connection, loop: any EventLoop) {
    self.connection = connection
    self.loop = loop
    windows = AnswerWindows(connection)
  }

  /// Asks for one target.
  ///
  /// - Parameter window: Where the answer comes; nil for a window to itself.
  func convert(
    _ request: X11Conversion.Request, on window: AnswerWindow? = nil,
    _ completion: @escaping X11Conversion.Completion
  ) {
    let ownerSerial = connection.nextSerial
    switch bind(request.ownership, of: request.selection) {
    case .failure(let failure): completion(.failure(failure))
    case .success(let owner):
      let conversion = X11Conversion(
        request, in: windows.take(on: window), of: owner, knownSince: ownerSerial,
        at: request.ownership.time, completion)
      conversions.append(conversion)
      send(conversion)
      armDeadline(of: conversion)
      conversion.ownerTimer = loop.schedule(after: Self.ownerCheckDelay) { [weak self] in
        self?.checkOwner(of: conversion)
      }
    }
  }

  private func send(_ conversion: X11Conversion) {
    let place = conversion.place
    conversion.request.prepare?(place)
    connection.convert(
      conversion.selection, to: conversion.target, into: place.property, of: place.window.id,
      at: conversion.time)
    connection.flush()
  }

  private func conversion(in property: AtomID, on window: WindowID) -> X11Conversion? {
    for conversion in conversions where conversion.place.isAt(property, on: window) {
      return conversion
    }
    return nil
  }

  // MARK: Whose content it is

  /// The owner that an operation reads from, if it is the one that it began with.
  ///
  /// That it takes the selection anew, or another one takes it, in the moment before our request
  /// reaches the server, is seen by the time: such an owner refuses the request (ICCCM 2.2).
  private func bind(
    _ ownership: ReadOwnership, of selection: AtomID
  ) -> Result<WindowID, ReadFailure> {
    let owner = connection.owner(of: selection)
    if connection.isLost { return .failure(.connectionLost) }
    if let bound = ownership.owner {
      let isSame = owner.rawValue == bound
      guard isSame, !ownership.isSuperseded(byAcquisitionAt: acquisitions[selection]) else {
        return .failure(.ownerGone)
      }
      return .success(owner)
    }
    guard owner != .none else { return .failure(.noOwner) }
    // The time at which we connected is as good as an event's, and saves a round trip. An owner that
    // took the selection only after that refuses it, and is asked again.
    let isFresh = isOpeningTimeUsed || acquisitions[selection] != nil
    let time = isFresh ? connection.serverTime() : connection.openingTime
    isOpeningTimeUsed = true
    ownership.bind(to: owner.rawValue, at: time, isFresh: isFresh)
    return .success(owner)
  }

  /// A refusal may be about the time, and then about who owns the selection since when.
  private func refused(_ conversion: X11Conversion) {
    let ownership = conversion.ownership
    let meaning = ownership.meaning(
      ofRefusalAt: conversion.time, isRepeated: conversion.isRepeated,
      acquired: acquisitions[conversion.selection])
    switch meaning {
    case .isFinal:
      break
    case .mayConcernOldTime:
      return ask(conversion, again: ownership.time)
    case .mayConcernTime:
      let time = connection.serverTime()
      guard time != ownership.time else { break }
      ownership.renew(at: time)
      return ask(conversion, again: time)
    case .mayConcernOwnership:
      guard !conversion.request.isVerification else { break }
      return verify(conversion)
    }
    feed(.refused, to: conversion)
  }

  private func ask(_ conversion: X11Conversion, again time: ServerTime) {
    conversion.isRepeated = true
    conversion.time = time
    send(conversion)
  }

  /// Asks for the list at the old time: an owner that took the selection anew refuses that too.
  private func verify(_ conversion: X11Conversion) {
    conversion.isBeingVerified = true
    let list = X11Conversion.Request(
      selection: conversion.selection, target: connection.atoms.targets,
      ownership: conversion.ownership, deadline: conversion.request.deadline,
      share: conversion.request.share, limit: X11Backend.maximumListSize, isVerification: true)
    // That one was answered: the window is free for this one.
    convert(list, on: conversion.place.window) { [weak self] result in
      // It may have ended meanwhile, by its deadline or with the owner.
      guard let self, conversion.isAwaitingAnswer else { return }
      let event: IncomingTransfer.Event =
        switch result {
        case .success(let answer)
        where conversion.ownership.isContradicted(
          by: answer.payload, on: conversion.target.rawValue):
          .ownerGone
        case .success, .failure(.malformed), .failure(.tooLarge): .refused
        case .failure(.refused), .failure(.ownerGone), .failure(.noOwner): .ownerGone
        case .failure(.timedOut): .deadline
        case .failure(.connectionLost): .connectionLost
        }
      feed(event, to: conversion)
    }
  }

  // MARK: Events

  func handle(_ event: X11Event) {
    switch event {
    case .selectionNotify(let requestor, let selection, let target, let property):
      let window = windows.window(named: requestor)
      if property == .none {
        refused(selection: selection, target: target, on: window)
      } else {
        answered(selection: selection, target: target, in: property, on: window)
      }
    case .propertyChanged(let window, let property, isDeleted: false, _):
      if let conversion = conversion(in: property, on: window) {
        feed(.newValue, to: conversion)
      } else {
        windows.noteLateValue(in: property, on: window)
      }
    case .ownerChanged(let selection, let owner, let acquired, let cause, let serial):
      ownerChanged(of: selection, to: owner, acquired: acquired, cause: cause, serial: serial)
    case .windowDestroyed(let window):
      for conversion in conversions
      where conversion.owner == window && conversion.watchSerial != nil {
        feed(.ownerGone, to: conversion)
      }
    default:
      break
    }
  }

  /// A refusal does not say which property it is about, only which target.
  ///
  /// One that was refused already is not meant.
  private func refused(selection: AtomID, target: AtomID, on window: WindowID) {
    let match = conversions.first { conversion in
      conversion.place.window.id == window && conversion.selection == selection
        && conversion.target == target && conversion.isAwaitingAnswer
        && !conversion.isBeingVerified
    }
    if let match { refused(match) } else { windows.noteLateRefusal(on: window) }
  }

  private func answered(
    selection: AtomID, target: AtomID, in property: AtomID, on window: WindowID
  ) {
    // Owners may answer twice, and say what they like: only what answers our request counts.
    guard let conversion = conversion(in: property, on: window),
      conversion.selection == selection, conversion.target == target
    else { return windows.discardLateAnswer(in: property, on: window) }
    conversion.ownership.noteGrant(ofRequestAt: conversion.time)
    feed(.answered, to: conversion)
  }

  /// An error on the window of an owner, of a request since we look after it, says that it is gone.
  func handle(_ error: X11Connection.ReportedError) {
    for conversion in conversions where conversion.owner.rawValue == error.resource {
      guard let serial = conversion.watchSerial, error.serial >= serial else { continue }
      feed(.ownerGone, to: conversion)
    }
  }

  func connectionLost() {
    for conversion in conversions { feed(.connectionLost, to: conversion) }
  }

  // MARK: Owners that go away

  /// Whether somebody waits for changes of this selection's owner because of an answer.
  func isWatching(_ selection: AtomID) -> Bool { watchedSelections.contains(selection) }

  private func checkOwner(of conversion: X11Conversion) {
    let selection = conversion.selection
    if !watchedSelections.contains(selection) {
      watchedSelections.append(selection)
      connection.watchOwner(of: selection)
    }
    if connection.owner(of: selection) != conversion.owner { awaitLast(of: conversion) }
  }

  /// An owner that was replaced may have answered before it knew.
  private func awaitLast(of conversion: X11Conversion) {
    guard conversion.isAwaitingAnswer else { return }
    conversion.isOwnerReplaced = true
    conversion.ownerTimer = loop.schedule(after: Self.replacedOwnerGrace) { [weak self] in
      guard conversion.isAwaitingAnswer else { return }
      self?.feed(.ownerGone, to: conversion)
    }
  }

  private func ownerChanged(
    of selection: AtomID, to owner: WindowID, acquired: ServerTime, cause: X11Event.OwnerChange,
    serial: UInt
  ) {
    if cause == .newOwner { acquisitions[selection] = acquired }
    // A transfer that is under way already goes on: its owner's window is looked after. A notice from
    // before we asked whose the selection is, is about earlier owners, and once another one has taken
    // it notices are about that one.
    for conversion in conversions {
      guard conversion.selection == selection, conversion.isAwaitingAnswer,
        serial >= conversion.ownerSerial, !conversion.isOwnerReplaced
      else { continue }
      switch cause {
      case .newOwner where owner != conversion.owner:
        awaitLast(of: conversion)
      case .newOwner:
        // The same window still has our request. Whose content the answer would be nobody can tell,
        // which matters where something was read before.
        if conversion.ownership.hasBegun { feed(.ownerGone, to: conversion) }
      case .ownerDestroyed, .ownerDisconnected:
        // What it set before it went has arrived before this notice.
        feed(.ownerGone, to: conversion)
      }
    }
  }

  // MARK: Deadlines

  private func armDeadline(of conversion: X11Conversion) {
    conversion.deadlineTimer = loop.schedule(after: max(conversion.due - .now, .zero)) {
      [weak self] in
      guard let self else { return }
      // Another part of the operation may have moved since.
      if loop.now < conversion.due { return armDeadline(of: conversion) }
      feed(.deadline, to: conversion)
    }
  }

  // MARK: The machine

  private func feed(_ event: IncomingTransfer.Event, to conversion: X11Conversion) {
    var events = [event]
    while !events.isEmpty {
      for action in conversion.machine.handle(events.removeFirst()) {
        switch action {
        case .readProperty:
          events.append(readProperty(of: conversion))
        case .keep:
          break
        case .restartDeadline:
          conversion.request.deadline.noteProgress(at: MonotonicTime.now.nanoseconds)
        case .finish(let outcome):
          finish(conversion, outcome)
        }
      }
    }
  }

  private func readProperty(of conversion: X11Conversion) -> IncomingTransfer.Event {
    let place = conversion.place
    let limit = conversion.request.limit
    let room = limit - min(limit, conversion.content.count)
    let value = connection.takeProperty(place.property, of: place.window.id, limit: room)
    if connection.isLost { return .connectionLost }
    guard let value else {
      let isPromised = conversion.isPromised || conversion.machine.state != .reading
      return .found(isPromised ? .nothing : .nothingPromised)
    }
    if value.type == connection.atoms.incremental {
      // From here on the owner has to live; that it went away meanwhile is seen by its window.
      if conversion.watchSerial == nil {
        let others = conversions.filter { $0.owner == conversion.owner }
        conversion.watchSerial = others.compactMap(\.watchSerial).min() ?? connection.nextSerial
        connection.watch(conversion.owner)
      }
      return .found(.announcement)
    }
    if value.isCut || value.payload.count > room { return .limitExceeded }
    if !value.payload.isEmpty || conversion.content.isEmpty {
      conversion.type = value.type
      conversion.format = value.format
      append(value.payload, to: conversion)
      if conversion.content.isUnwanted { return .limitExceeded }
    }
    return .found(.content(count: value.payload.count))
  }

  private func append(_ payload: Payload, to conversion: X11Conversion) {
    conversion.content.append(payload)
    // What came in one property is there already.
    guard conversion.watchSerial != nil else { return }
    conversion.content.handOn { [connection] head in
      connection.representation(
        .init(type: conversion.type, format: conversion.format, payload: head),
        of: connection.name(of: conversion.target) ?? "")
    }
  }

  private func finish(_ conversion: X11Conversion, _ outcome: IncomingTransfer.Outcome) {
    conversions.removeAll { $0 === conversion }
    conversion.deadlineTimer?.cancel()
    conversion.ownerTimer?.cancel()
    if conversion.watchSerial != nil { connection.unwatch(conversion.owner) }
    if outcome == .received {
      windows.putBack(conversion.place)
    } else if let awaited = awaited(of: conversion, after: outcome) {
      windows.giveUp(conversion.place, awaiting: awaited)
    } else {
      windows.clearAndPutBack(conversion.place)
    }
    conversion.completion(result(of: conversion, outcome))
  }

  /// What the owner may still do, where it did not come to an end for it.
  private func awaited(
    of conversion: X11Conversion, after outcome: IncomingTransfer.Outcome
  ) -> AnswerWindow.Awaited? {
    if conversion.watchSerial != nil { return .value }
    switch outcome {
    case .received, .refused, .tooLarge: return nil
    case .malformed: return .value
    // What is looked into was refused.
    case .ownerGone, .timedOut, .connectionLost: return conversion.isBeingVerified ? nil : .answer
    }
  }

  private func result(
    of conversion: X11Conversion, _ outcome: IncomingTransfer.Outcome
  ) -> Result<X11Conversion.Answer, ReadFailure> {
    switch outcome {
    case .received:
      let payload = conversion.content.take()
      if conversion.target == connection.atoms.targets, !conversion.request.isVerification {
        conversion.ownership.noteList(payload)
      }
      return .success(.init(type: conversion.type, format: conversion.format, payload: payload))
    case .refused: return .failure(.refused)
    case .malformed: return .failure(.malformed)
    case .ownerGone: return .failure(.ownerGone)
    case .timedOut: return .failure(.timedOut)
    case .tooLarge: return .failure(.tooLarge)
    case .connectionLost: return .failure(.connectionLost)
    }
  }
}

// MARK: - Several targets at once

extension X11Requestor {
  typealias TogetherCompletion =
    (Result<[Result<X11Conversion.Answer, ReadFailure>], ReadFailure>) -> Void

  /// Asks for several targets by one request (ICCCM 2.6.2, MULTIPLE).
  ///
  /// - Parameter request: What they are asked with; its target is passed over.
  func convertTogether(
    _ targets: [AtomID], _ request: X11Conversion.Request,
    _ completion: @escaping TogetherCompletion
  ) {
    guard !targets.isEmpty else { return completion(.success([])) }
    // All on one window: that is what the request says.
    let first = windows.take()
    let places = [first] + targets.dropFirst().map { _ in windows.take(on: first.window) }
    let multiple = MultipleRequest(
      zip(targets, places).map { .init(target: $0.rawValue, property: $1.property.rawValue) })
    let words = multiple.words
    let list = X11Conversion.Request(
      selection: request.selection, target: connection.servingAtoms.multiple,
      ownership: request.ownership, deadline: request.deadline, share: request.share,
      // A longer one is not our list any more.
      limit: words.count * 4,
      prepare: { [connection] place in
        connection.setProperty(
          place.property, of: place.window.id, type: connection.servingAtoms.atomPair,
          values: words)
      })
    convert(list, on: first.window) { [weak self] result in
      guard let self else { return }
      let verdicts: [MultipleRequest.Verdict]
      switch result {
      case .success(let answer):
        verdicts = multiple.verdicts(on: answer.payload.words, format: answer.format)
      case .failure(.malformed), .failure(.tooLarge):
        // Answered, and the list is not to be had: what is in the properties counts.
        verdicts = multiple.verdicts(on: nil, format: 0)
      case .failure(let failure):
        // What may still come comes before the answer, which is awaited where it may.
        for place in places { windows.clearAndPutBack(place) }
        return completion(.failure(failure))
      }
      collect(zip(targets, zip(places, verdicts)).map { ($0, $1.0, $1.1) }, request, completion)
    }
  }

  /// Reads what the pairs were answered with, each by a transfer of its own.
  private func collect(
    _ pairs: [(target: AtomID, place: AnswerPlace, verdict: MultipleRequest.Verdict)],
    _ request: X11Conversion.Request, _ completion: @escaping TogetherCompletion
  ) {
    var results = [Result<X11Conversion.Answer, ReadFailure>?](repeating: nil, count: pairs.count)
    var missing = pairs.count
    let owner = WindowID(request.ownership.owner ?? 0)
    // All are under way before the first is looked at: from then on its next chunk may come.
    var conversions: [X11Conversion] = []
    for (index, pair) in pairs.enumerated() {
      let single = X11Conversion.Request(
        selection: request.selection, target: pair.target, ownership: request.ownership,
        deadline: request.deadline, share: request.share, limit: request.limit)
      let conversion = X11Conversion(
        single, in: pair.place, of: owner, knownSince: connection.nextSerial,
        at: request.ownership.time
      ) { result in
        results[index] = result
        missing -= 1
        if missing == 0 { completion(.success(results.compactMap { $0 })) }
      }
      conversion.isPromised = pair.verdict == .granted
      self.conversions.append(conversion)
      conversions.append(conversion)
    }
    for (pair, conversion) in zip(pairs, conversions) {
      armDeadline(of: conversion)
      feed(pair.verdict == .refused ? .refused : .answered, to: conversion)
    }
  }
}
