/// A selection that a peer owns or thinks it owns.
struct OwnedSelection {
  let name: String
  let atom: UInt32
  let window: UInt32
  var script: OwnerScript
  let time: UInt32
  var takenBack = 0
}

/// An answer by INCR that is under way.
struct OutgoingChunks {
  let window: UInt32
  let property: UInt32
  let target: String
  let type: UInt32
  let format: Int
  let bytes: [UInt8]
  let manner: OwnerScript.Increments
  var offset = 0
  var sent = 0
  /// When the next chunk goes out; nil while the last one waits to be taken.
  var due: Double?
}

/// An answer that is held back.
struct PostponedAnswer {
  let request: WireSelectionRequest
  let due: Double
}

extension RawPeer {
  /// Takes a selection and serves it by the script.
  ///
  /// - Parameter other: Another one of its windows, by which it is to own it.
  /// - Returns: The time from which it is owned.
  @discardableResult
  package func own(
    _ script: OwnerScript, selection: String = "CLIPBOARD", by other: UInt32? = nil
  ) throws -> UInt32 {
    try own(script, selection: selection, by: other ?? window, after: nil)
  }

  private func own(
    _ script: OwnerScript, selection: String, by window: UInt32, after earlier: UInt32?
  ) throws -> UInt32 {
    let atom = try atom(selection)
    // Made now: whoever asks does not wait that long.
    if case .flooding(let prefix) = script.list { _ = try flood(prefix) }
    var time = try serverTime()
    // Of two moments in the same millisecond nobody can tell which came first.
    while let earlier, time == earlier { time = try serverTime() }
    try setOwner(window, of: atom, time: time)
    owned.removeAll { $0.atom == atom }
    owned.append(
      OwnedSelection(name: selection, atom: atom, window: window, script: script, time: time))
    guard try owner(of: selection) == window else { throw WireError.refused("selection") }
    return time
  }

  /// Takes the selection anew where the script says so.
  private func succeed(
    _ selection: OwnedSelection, on target: String, _ moment: OwnerScript.Succession.Moment,
    after time: UInt32
  ) throws {
    guard let succession = selection.script.succession, succession.target == target,
      succession.moment == moment, let next = succession.next.first
    else { return }
    let window = succession.changesWindow ? try makeWindow() : selection.window
    _ = try own(next, selection: selection.name, by: window, after: time)
  }

  /// Serves something else from now on without taking the selection anew.
  package func change(_ script: OwnerScript, selection: String = "CLIPBOARD") {
    for index in owned.indices where owned[index].name == selection {
      owned[index].script = script
    }
  }

  /// Gives a selection up and lives on.
  package func release(_ selection: String = "CLIPBOARD") throws {
    owned.removeAll { $0.name == selection }
    try setOwner(0, of: try atom(selection), time: try serverTime())
    try synchronize()
  }

  private func setOwner(_ window: UInt32, of selection: UInt32, time: UInt32) throws {
    var request = WireRequest(opcode: 22)
    request.append([window, selection, time])
    try wire.send(request)
  }

  /// The targets that others asked for, in order.
  package var requests: [String] { log.compactMap(\.target) }

  func handle(_ event: WireEvent) throws {
    switch event {
    case .selectionRequested(let request): try receive(request)
    case .selectionCleared(let selection, let window): try lose(selection, of: window)
    case .propertyChanged(let window, let property, _, isDeleted: true):
      // ICCCM 2.7.2: the requestor deletes the property to ask for the next chunk.
      let first = transfers.first { $0.window == window }
      if let first, first.manner.isOneForEachWindow, first.property != property { break }
      for index in transfers.indices
      where transfers[index].window == window && transfers[index].property == property {
        transfers[index].due = Deadline.now + transfers[index].manner.pause
      }
    case .propertyChanged, .selectionNotified, .message: break
    }
  }

  private func lose(_ selection: UInt32, of window: UInt32) throws {
    guard
      let index = owned.firstIndex(where: { $0.atom == selection && $0.window == window })
    else { return }
    log.append(.cleared(selection: owned[index].name))
    guard owned[index].takenBack < owned[index].script.takesBack else {
      owned.remove(at: index)
      return
    }
    owned[index].takenBack += 1
    try setOwner(window, of: selection, time: try serverTime())
  }

  private func receive(_ request: WireSelectionRequest) throws {
    guard let selection = owned.first(where: { $0.atom == request.selection }) else {
      return try notify(request, property: 0)
    }
    let target = try name(of: request.target)
    log.append(.request(target: target, time: request.time))
    try succeed(selection, on: target, .beforeAnswer, after: request.time)
    let script = owned.first { $0.atom == request.selection }?.script ?? selection.script
    if isSilent(script, on: target) { return }
    if script.delay > 0, !protocolTargets.contains(target) {
      postponed.append(PostponedAnswer(request: request, due: Deadline.now + script.delay))
      mostOpen = max(mostOpen, postponed.count)
    } else if script.listDelay > 0, target == "TARGETS" {
      postponed.append(PostponedAnswer(request: request, due: Deadline.now + script.listDelay))
    } else {
      try answer(request)
    }
  }

  private func isSilent(_ script: OwnerScript, on target: String) -> Bool {
    if target == "TARGETS", case .silent = script.list { return true }
    return script.silent.contains(target) || (script.silent.contains("*") && target != "TARGETS")
  }

  private func answer(_ request: WireSelectionRequest) throws {
    guard let selection = owned.first(where: { $0.atom == request.selection }) else {
      return try notify(request, property: 0)
    }
    // ICCCM 2.2: what was asked in the time of somebody else is refused. Times wrap around.
    if selection.script.refusesEarlierRequests, request.time != 0,
      Int32(bitPattern: request.time &- selection.time) < 0
    {
      return try notify(request, property: 0)
    }
    // ICCCM 2.2: an obsolete requestor names no property, and the target is used as one.
    let place = request.property == 0 ? request.target : request.property
    let isDone: Bool
    let announcement = try announcement(of: request.target, selection.script)
    if case .strayFirst = announcement { try notifyStray(request, place) }
    if case .hollow = announcement {
      isDone = true
    } else if selection.script.knowsMultiple, request.target == (try atom("MULTIPLE")) {
      isDone = try answerMultiple(request, place, selection)
    } else {
      isDone = try put(request.target, at: place, of: request.requestor, selection)
    }
    try succeed(selection, on: try name(of: request.target), .afterAnswer, after: request.time)
    switch announcement {
    case .honest, .hollow: break
    case .repeated: try notify(request, property: isDone ? place : 0)
    case .strayFirst: try notifyStray(request, place)
    }
    try notify(request, property: isDone ? place : 0)
    let isOver = transfers.contains {
      $0.window == request.requestor && $0.property == place && $0.manner.endsWithAnnouncement
    }
    // Ends a peer in the background together with its connection.
    if isOver { throw WireError.connectionLost }
  }

  private func answerMultiple(
    _ request: WireSelectionRequest, _ place: UInt32, _ selection: OwnedSelection
  ) throws -> Bool {
    let content = try? property(place, of: request.requestor, deleting: false)
    guard var pairs = content?.bytes.uint32s, pairs.count >= 2 else { return false }
    let manner = selection.script.multiple
    for index in stride(from: 0, to: pairs.count - 1, by: 2) {
      log.append(.request(target: try name(of: pairs[index]), time: request.time))
      let isDone = try put(pairs[index], at: pairs[index + 1], of: request.requestor, selection)
      if case .marksTargets = manner, !isDone {
        pairs[index] = 0
      } else if !isDone {
        pairs[index + 1] = 0
      }
    }
    var type = "ATOM_PAIR"
    var format = 32
    switch manner {
    case .untouched: return true
    case .honest, .marksTargets: break
    case .typed(let other): type = other
    case .format(let other): format = other
    case .shortened: pairs.removeLast()
    case .lengthened: pairs += [pairs[0], pairs[1]]
    case .deleted:
      try deleteProperty(place, of: request.requestor)
      return true
    case .reversed:
      let starts = stride(from: 0, to: pairs.count - 1, by: 2).reversed()
      pairs = starts.flatMap { [pairs[$0], pairs[$0 + 1]] }
    case .incremental:
      let list = RawTarget("MULTIPLE", type: type, format: 32, littleEndian(pairs))
      try putIncrements(list, at: place, of: request.requestor, .init(chunk: 8))
      return true
    }
    try setProperty(
      place, of: request.requestor, type: try atom(type), format: format, littleEndian(pairs))
    return true
  }

  private func announcement(
    of target: UInt32, _ script: OwnerScript
  ) throws -> OwnerScript.Announcement {
    let isMeant = script.announced?.contains(try name(of: target)) ?? true
    return isMeant ? script.announcement : .honest
  }

  /// Announces what was not asked for, in the property that was named and in another one.
  private func notifyStray(_ request: WireSelectionRequest, _ place: UInt32) throws {
    let stray = try atom("x-stray")
    try notify(request, property: stray)
    try notify(request, property: place, target: stray)
    try notify(request, property: place, selection: stray)
  }

  private func notify(
    _ request: WireSelectionRequest, property: UInt32, target: UInt32? = nil,
    selection: UInt32? = nil
  ) throws {
    answersSent += 1
    let script = owned.first { $0.atom == request.selection }?.script
    let requestor = script?.forgetsRequestor == true ? window : request.requestor
    let fields = [
      request.time, requestor, selection ?? request.selection, target ?? request.target,
      property,
    ]
    try send(event: [31, 0, 0, 0] + littleEndian(fields + [0, 0]), to: request.requestor)
  }
}

// MARK: - Content

/// Targets that ask about the selection instead of for its content.
private let protocolTargets: Set = ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE"]

extension RawPeer {
  /// Puts what a target stands for into a property of the requestor; false for what is refused.
  private func put(
    _ target: UInt32, at place: UInt32, of window: UInt32, _ selection: OwnedSelection
  ) throws -> Bool {
    let script = selection.script
    let name = try name(of: target)
    if script.refused.contains(name) { return false }
    if name == "TARGETS" { return try putTargets(place, of: window, script) }
    if name == "TIMESTAMP", script.knowsTimestamp {
      let type = try atom("INTEGER")
      try setProperty(place, of: window, type: type, format: 32, littleEndian(selection.time))
      return true
    }
    guard
      let content = script.targets.first(where: { $0.name == name })
        ?? script.answersAnything.map({ RawTarget(name, $0) })
    else { return false }
    try put(content, at: place, of: window, script)
    return true
  }

  private func put(
    _ content: RawTarget, at place: UInt32, of window: UInt32, _ script: OwnerScript
  ) throws {
    let type = try atom(content.type)
    let isLarge = content.bytes.count > maximumRequestLength - 64
    let isMeant = script.incremented?.contains(content.name) ?? true
    let scripted = isMeant ? script.increments : nil
    guard let manner = scripted ?? (isLarge ? .init() : nil) else {
      return try setProperty(place, of: window, type: type, format: content.format, content.bytes)
    }
    try putIncrements(content, at: place, of: window, manner)
  }

  private func putIncrements(
    _ content: RawTarget, at place: UInt32, of window: UInt32, _ manner: OwnerScript.Increments
  ) throws {
    let type = try atom(manner.chunkType ?? content.type)
    transfers.removeAll { $0.window == window && $0.property == place }
    var select = WireRequest(opcode: 2)
    select.append([window, 0x0800, RawPeer.propertyChangeMask])
    // Our own window has the mask already, and more than the owner's side needs it.
    if window != self.window { try wire.send(select) }
    let word: [UInt32] =
      switch manner.sizeWord {
      case .exact: [UInt32(content.bytes.count)]
      case .number(let number): [number]
      case .empty: []
      }
    let incremental = try atom("INCR")
    try setProperty(
      place, of: window, type: incremental, format: manner.announcementFormat,
      littleEndian(word))
    transfers.append(
      OutgoingChunks(
        window: window, property: place, target: content.name, type: type, format: content.format,
        bytes: content.bytes, manner: manner))
  }

  private func putTargets(
    _ place: UInt32, of window: UInt32, _ script: OwnerScript
  ) throws -> Bool {
    let content = try script.targets.map { try atom($0.name) }
    var known = [try atom("TARGETS")]
    if script.knowsTimestamp { known.append(try atom("TIMESTAMP")) }
    if script.knowsMultiple { known.append(try atom("MULTIPLE")) }
    var list = known + content
    var type = "ATOM"
    var format = 32
    switch script.list {
    case .honest: break
    case .badAtoms: list = [0x1FFF_FFF0, 0] + known + [0x1FFF_FFF1] + content + [0x7FFF_FFFF]
    case .format(let other): format = other
    case .padded: list = list.flatMap { [$0, 0] }
    case .crowded: list = known + (try (0..<10_000).map { try atom("x-crowd/\($0)") }) + content
    case .flooding(let prefix):
      list = known + content + (try flood(prefix))
      list.removeSubrange(min(list.count, 65_536)...)
    case .mistyped: type = "TARGETS"
    case .repeated: list += content + content
    case .withoutProtocolTargets: list = content
    case .exactly(let names): list = try names.map { try atom($0) }
    case .incremental:
      let content = RawTarget("TARGETS", type: type, format: 32, littleEndian(list))
      try putIncrements(content, at: place, of: window, .init(chunk: 4))
      return true
    case .endless: list = (0..<100_000).map { 0x1FF0_0000 + UInt32($0) }
    case .refused, .silent: return false
    }
    try setProperty(
      place, of: window, type: try atom(type), format: format, littleEndian(list))
    return true
  }

  /// Sends what is due.
  ///
  /// - Returns: Seconds until the next thing is; nil when nothing waits for a time.
  func answerDue() throws -> Double? {
    while let index = postponed.firstIndex(where: { $0.due <= Deadline.now }) {
      try answer(postponed.remove(at: index).request)
    }
    for index in transfers.indices {
      if let due = transfers[index].due, due <= Deadline.now { try sendChunk(index) }
    }
    transfers.removeAll { $0.sent == .max }
    let next = (transfers.compactMap(\.due) + postponed.map(\.due)).min()
    return next.map { max(0, $0 - Deadline.now) }
  }

  private func sendChunk(_ index: Int) throws {
    let transfer = transfers[index]
    transfers[index].due = nil
    if transfer.sent == transfer.manner.stopsAfter { return }
    let isAtEnd = transfer.offset == transfer.bytes.count
    let start = isAtEnd && transfer.manner.isEndless ? 0 : transfer.offset
    let end = min(transfer.bytes.count, start + transfer.manner.chunk)
    let chunk = Array(transfer.bytes[start..<end])
    transfers[index].offset = end
    transfers[index].sent += 1
    chunksSent += 1
    if chunk.isEmpty {
      // Over; removed by the caller.
      transfers[index].sent = .max
      log.append(.finished(target: transfer.target))
      if transfer.manner.forgetsEnd { return }
    }
    try setProperty(
      transfer.property, of: transfer.window, type: transfer.type, format: transfer.format, chunk)
  }
}
