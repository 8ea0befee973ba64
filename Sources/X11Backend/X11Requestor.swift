internal import EventLoop
internal import Pasteboard
internal import SelectionCore

/// Reads selections of other owners: any number of conversions at once, each in a property of its
/// own so that their answers cannot be mixed up.
final class X11Requestor {
  typealias Completion = (Result<Answer, ReadFailure>) -> Void

  struct Answer {
    let type: AtomID
    let format: Int
    let payload: Payload
  }

  private final class Conversion {
    var machine = IncomingTransfer()
    let selection: AtomID
    let target: AtomID
    /// Who owned the selection when we asked.
    let owner: WindowID
    /// The serial of the request that told us so: notices from before it are about others.
    let ownerSerial: UInt
    /// Whether somebody else has taken the selection since.
    var isOwnerReplaced = false
    let deadline: ProgressDeadline
    let share: Double
    let limit: Int
    let completion: Completion
    var chunks: [ByteChunk] = []
    var count = 0
    var isWatchingOwner = false
    var type = AtomID.none
    var format = 8
    var deadlineTimer: LoopToken?
    var ownerTimer: LoopToken?

    var patience: Duration { deadline.interval * share }

    init(
      selection: AtomID, target: AtomID, owner: WindowID, ownerSerial: UInt,
      deadline: ProgressDeadline, share: Double, limit: Int, completion: @escaping Completion
    ) {
      self.selection = selection
      self.target = target
      self.owner = owner
      self.ownerSerial = ownerSerial
      self.deadline = deadline
      self.share = share
      self.limit = limit
      self.completion = completion
    }
  }

  /// An owner that has not answered by then is looked after: is it still there? Asking at once would
  /// cost every paste two round trips.
  private static let ownerCheckDelay = Duration.milliseconds(20)
  /// How long an answer of an owner that was replaced may still be on its way.
  private static let replacedOwnerGrace = Duration.milliseconds(100)

  private let connection: X11Connection
  private let loop: any EventLoop
  private var conversions: [AtomID: Conversion] = [:]
  private var freeProperties: [AtomID]
  private var retiredProperties: [AtomID] = []
  private var propertyCount: Int
  private var watchedSelections: Set<AtomID> = []

  init(connection: X11Connection, loop: any EventLoop) {
    self.connection = connection
    self.loop = loop
    freeProperties = connection.atoms.transferProperties.reversed()
    propertyCount = freeProperties.count
  }

  func convert(
    _ selection: AtomID, to target: AtomID, deadline: ProgressDeadline, share: Double = 1,
    limit: Int = .max, _ completion: @escaping Completion
  ) {
    guard !connection.isLost else { return completion(.failure(.connectionLost)) }
    let ownerSerial = connection.nextSerial
    let owner = connection.owner(of: selection)
    guard owner != .none else {
      return completion(.failure(connection.isLost ? .connectionLost : .noOwner))
    }
    let property = takeFreeProperty()
    let conversion = Conversion(
      selection: selection, target: target, owner: owner, ownerSerial: ownerSerial,
      deadline: deadline, share: share, limit: limit, completion: completion)
    conversions[property] = conversion
    connection.convert(selection, to: target, into: property, at: requestTime(for: owner))
    connection.flush()
    armDeadline(of: conversion, property)
    conversion.ownerTimer = loop.schedule(after: Self.ownerCheckDelay) { [weak self] in
      self?.checkOwner(of: conversion, property)
    }
  }

  // The time at which we connected is as good as an event's, and saves a round trip. An owner that
  // took the selection only after that refuses it (ICCCM 2.2), so until one request was granted a
  // refusal may be about the time.
  private var lastOwner = WindowID.none
  private var lastTime = ServerTime.current
  private var isTimeAccepted = false
  /// Whether the same owner has taken a selection anew since, so that our time may be too old.
  private var isTimeOutdated = false

  private func requestTime(for owner: WindowID) -> ServerTime {
    if owner != lastOwner || isTimeOutdated {
      isTimeAccepted = lastOwner != .none
      lastTime = isTimeAccepted ? connection.serverTime() : connection.openingTime
      lastOwner = owner
      isTimeOutdated = false
    }
    return lastTime
  }

  /// Asks once more, with the server's time now, where a refusal may have been about the time.
  private func askedAgain(_ conversion: Conversion, _ property: AtomID) -> Bool {
    guard !isTimeAccepted, conversion.owner == lastOwner else { return false }
    isTimeAccepted = true
    let time = connection.serverTime()
    guard time != lastTime else { return false }
    lastTime = time
    connection.convert(conversion.selection, to: conversion.target, into: property, at: time)
    connection.flush()
    return true
  }

  private func takeFreeProperty() -> AtomID {
    if let property = freeProperties.popLast() { return property }
    propertyCount += 1
    return connection.atom(named: "_CLIPVIEW_\(propertyCount - 1)")
  }

  /// Puts a name aside that an answer may still come under.
  ///
  /// Names are atoms, which servers keep for ever, so there are only so many: the one that was put
  /// aside first comes back.
  private func retire(_ property: AtomID) {
    retiredProperties.append(property)
    guard retiredProperties.count > Self.maximumRetiredProperties else { return }
    let oldest = retiredProperties.removeFirst()
    _ = connection.takeProperty(oldest, of: connection.window, limit: 0)
    freeProperties.append(oldest)
  }

  private static let maximumRetiredProperties = 64

  // MARK: Events

  func handle(_ event: X11Event) {
    switch event {
    case .selectionNotify(let selection, let target, let property):
      answered(selection: selection, target: target, property: property)
    case .propertyChanged(connection.window, let property, isDeleted: false, _):
      if let conversion = conversions[property] { feed(.newValue, to: conversion, property) }
    case .ownerChanged(let selection, let owner, let cause, let serial):
      if owner != .none, owner == lastOwner { isTimeOutdated = true }
      ownerChanged(of: selection, to: owner, cause: cause, serial: serial)
    case .windowDestroyed(let window):
      ownerVanished(window)
    default:
      break
    }
  }

  private func answered(selection: AtomID, target: AtomID, property: AtomID) {
    if property != .none {
      guard let conversion = conversions[property], conversion.selection == selection else {
        // An answer that came after its deadline: it must not lie about in the server.
        _ = connection.takeProperty(property, of: connection.window)
        return
      }
      isTimeAccepted = true
      feed(.answered, to: conversion, property)
      return
    }
    // A refusal does not say which property it is about, only which target.
    let match = conversions.first { entry in
      entry.value.selection == selection && entry.value.target == target
        && entry.value.machine.state == .requested
    }
    guard let (property, conversion) = match, !askedAgain(conversion, property) else { return }
    feed(.refused, to: conversion, property)
  }

  /// An error on the window of an owner says that it is gone.
  func handle(_ error: X11Connection.ReportedError) {
    ownerVanished(WindowID(error.resource))
  }

  private func ownerVanished(_ window: WindowID) {
    for (property, conversion) in conversions
    where conversion.owner == window && conversion.isWatchingOwner {
      feed(.ownerGone, to: conversion, property)
    }
  }

  func connectionLost() {
    for (property, conversion) in conversions { feed(.connectionLost, to: conversion, property) }
  }

  // MARK: Owners that go away

  private func checkOwner(of conversion: Conversion, _ property: AtomID) {
    let selection = conversion.selection
    if watchedSelections.insert(selection).inserted { connection.watchOwner(of: selection) }
    guard connection.owner(of: selection) != conversion.owner else { return }
    conversion.ownerTimer = loop.schedule(after: Self.replacedOwnerGrace) { [weak self] in
      guard conversion.machine.state == .requested else { return }
      self?.feed(.ownerGone, to: conversion, property)
    }
  }

  /// Whether somebody waits for changes of this selection's owner because of an answer.
  func isWatching(_ selection: AtomID) -> Bool { watchedSelections.contains(selection) }

  private func ownerChanged(
    of selection: AtomID, to owner: WindowID, cause: X11Event.OwnerChange, serial: UInt
  ) {
    for (property, conversion) in conversions
    where conversion.selection == selection && serial >= conversion.ownerSerial
      && !conversion.isOwnerReplaced
    {
      switch cause {
      case .ownerDestroyed, .ownerDisconnected:
        // What it set before it went has arrived before this notice.
        feed(.ownerGone, to: conversion, property)
      case .newOwner:
        // An owner that takes it anew still has our request.
        guard owner != conversion.owner else { continue }
        conversion.isOwnerReplaced = true
        guard conversion.machine.state == .requested else { continue }
        conversion.ownerTimer = loop.schedule(after: Self.replacedOwnerGrace) { [weak self] in
          guard conversion.machine.state == .requested else { return }
          self?.feed(.ownerGone, to: conversion, property)
        }
      }
    }
  }

  // MARK: Deadlines

  private func armDeadline(of conversion: Conversion, _ property: AtomID) {
    let due = MonotonicTime(nanoseconds: conversion.deadline.lastProgress) + conversion.patience
    let left = due - MonotonicTime.now
    conversion.deadlineTimer = loop.schedule(after: max(left, .zero)) { [weak self] in
      guard let self else { return }
      // Another part of the operation may have moved since.
      let due = MonotonicTime(nanoseconds: conversion.deadline.lastProgress) + conversion.patience
      if loop.now < due { return armDeadline(of: conversion, property) }
      feed(.deadline, to: conversion, property)
    }
  }

  // MARK: The machine

  private func feed(
    _ event: IncomingTransfer.Event, to conversion: Conversion, _ property: AtomID
  ) {
    var events = [event]
    while !events.isEmpty {
      for action in conversion.machine.handle(events.removeFirst()) {
        switch action {
        case .readProperty:
          events.append(readProperty(property, of: conversion))
        case .keep:
          break
        case .restartDeadline:
          conversion.deadline.noteProgress(at: MonotonicTime.now.nanoseconds)
        case .finish(let outcome):
          finish(conversion, property, outcome)
        }
      }
    }
  }

  private func readProperty(
    _ property: AtomID, of conversion: Conversion
  ) -> IncomingTransfer.Event {
    let room = conversion.limit - min(conversion.limit, conversion.count)
    let value = connection.takeProperty(property, of: connection.window, limit: room)
    if connection.isLost { return .connectionLost }
    guard let value else { return .found(.nothing) }
    if value.type == connection.atoms.incremental {
      // From here on the owner has to live; that it went away meanwhile is seen by its window.
      if !conversion.isWatchingOwner {
        conversion.isWatchingOwner = true
        connection.watch(conversion.owner)
      }
      return .found(.announcement)
    }
    if value.isCut || value.payload.count > room { return .limitExceeded }
    if !value.payload.isEmpty || conversion.chunks.isEmpty {
      conversion.type = value.type
      conversion.format = value.format
      conversion.chunks += value.payload.chunks
      conversion.count += value.payload.count
    }
    return .found(.content(count: value.payload.count))
  }

  private func finish(
    _ conversion: Conversion, _ property: AtomID, _ outcome: IncomingTransfer.Outcome
  ) {
    conversions[property] = nil
    conversion.deadlineTimer?.cancel()
    conversion.ownerTimer?.cancel()
    if conversion.isWatchingOwner { connection.unwatch(conversion.owner) }
    let result: Result<Answer, ReadFailure> =
      switch outcome {
      case .received:
        .success(
          Answer(
            type: conversion.type, format: conversion.format,
            payload: Payload(chunks: conversion.chunks)))
      case .refused: .failure(.refused)
      case .malformed: .failure(.malformed)
      case .ownerGone: .failure(.ownerGone)
      case .timedOut: .failure(.timedOut)
      case .tooLarge: .failure(.tooLarge)
      case .connectionLost: .failure(.connectionLost)
      }
    switch outcome {
    case .received, .refused: freeProperties.append(property)
    // The owner may still write to it: the name is not used again for a while.
    case .malformed, .ownerGone, .timedOut, .tooLarge, .connectionLost: retire(property)
    }
    conversion.completion(result)
  }
}
