/// What came of a request for a selection.
package enum RawAnswer: Hashable, Sendable {
  case value(RawValue)
  /// The owner (or the server, where there is none) said no.
  case refused
  /// Nobody said anything in time.
  case unanswered
  /// The owner began and stopped: what had come until then.
  case stalled(RawValue)

  /// The value of a complete answer.
  package var value: RawValue? { if case .value(let value) = self { value } else { nil } }
}

/// A value as it came.
package struct RawValue: Hashable, Sendable {
  package var type: String
  package var format: Int
  package var bytes: [UInt8]
  /// The lengths of its pieces where it came by INCR; nil where it came in one.
  package var chunks: [Int]?
  /// What the INCR property announced: its items.
  package var announced: [UInt32] = []

  package init(
    type: String, format: Int, bytes: [UInt8], chunks: [Int]? = nil, announced: [UInt32] = []
  ) {
    self.type = type
    self.format = format
    self.bytes = bytes
    self.chunks = chunks
    self.announced = announced
  }

  package var isIncremental: Bool { chunks != nil }
  package var text: String { TestSupport.text(bytes) }
}

extension RawValue: CustomStringConvertible {
  /// What a failure message shows: never megabytes.
  package var description: String {
    let shown = TestSupport.text(Array(bytes.prefix(200))).debugDescription
    return "\(type)/\(format), \(bytes.count) bytes \(shown)\(isIncremental ? " by INCR" : "")"
  }
}

/// The time that a request names.
package enum RawTime: Hashable, Sendable {
  /// The server's, as it should be.
  case now
  /// 0, CurrentTime.
  case current
  case at(UInt32)
}

extension RawPeer {
  /// Sends a request that has nothing but a window in it, and waits until the server has done it.
  func send(opcode: UInt8, about window: UInt32) throws {
    var request = WireRequest(opcode: opcode)
    request.append(window)
    try wire.send(request)
    try synchronize()
  }

  /// Destroys a window, whoever made it.
  package func destroy(_ window: UInt32) throws {
    try send(opcode: 4, about: window)
  }

  /// Ends the connection of whoever made a window, as `xkill` does.
  package func killClient(of window: UInt32) throws {
    try send(opcode: 113, about: window)
  }

  /// Asks the owner of a selection for a target and takes what comes.
  ///
  /// - Parameter chunkLimit: How many chunks of an INCR answer to take before going silent; 0 leaves
  ///   even the announcement where it is.
  package func ask(
    _ target: String, of selection: String = "CLIPBOARD", time: RawTime = .now,
    property: String = "CLIPVIEW_TEST", timeout: Double = 10, chunkLimit: Int? = nil
  ) throws -> RawAnswer {
    // ICCCM 2.2: an obsolete requestor names no property, and the target is used as one.
    let place = try atom(property.isEmpty ? target : property)
    try deleteProperty(place)
    let deadline = Deadline(after: timeout)
    let asked = try convert(target, of: selection, property: property, time: time)
    let answered = try answer(to: try atom(target), in: place, at: asked, deadline)
    guard let answered else { return .unanswered }
    guard answered != 0 else { return .refused }
    return try take(place, timeout: timeout, chunkLimit: chunkLimit)
  }

  /// The names of the targets that the owner offers, in its order; nil when it does not say.
  package func targets(of selection: String = "CLIPBOARD", timeout: Double = 10) throws -> [String]?
  {
    guard let value = try ask("TARGETS", of: selection, timeout: timeout).value else { return nil }
    return try value.bytes.uint32s.map { try name(of: $0) }
  }

  /// Asks for many targets at once.
  ///
  /// - Returns: The type of the list that came back and one answer for each pair; nil when the whole
  ///   request was refused.
  package func multiple(
    _ targets: [String], of selection: String = "CLIPBOARD", timeout: Double = 10
  ) throws -> (type: String, answers: [RawAnswer])? {
    var pairs: [UInt32] = []
    for (index, target) in targets.enumerated() {
      let place = try atom("CLIPVIEW_TEST_\(index)")
      try deleteProperty(place)
      pairs += [try atom(target), place]
    }
    guard let list = try multiple(list: pairs, of: selection, timeout: timeout) else { return nil }
    let slots = list.bytes.uint32s
    var answers: [RawAnswer] = []
    for index in targets.indices {
      // ICCCM 2.6.2: a pair that fails has None in the place of its property. xsel puts it in the
      // place of the target; either counts.
      let isRefused =
        slots.count < index * 2 + 2 || slots[index * 2] == 0 || slots[index * 2 + 1] == 0
      answers.append(
        isRefused ? .refused : try take(pairs[index * 2 + 1], timeout: timeout, chunkLimit: nil))
    }
    return (list.type, answers)
  }

  /// Sends a MULTIPLE request with any list whatever, such as one of an odd length.
  ///
  /// - Returns: The list as the owner left it; nil when it refused or did not answer.
  package func multiple(
    list: [UInt32], type: String = "ATOM_PAIR", format: Int = 32,
    property: String = "CLIPVIEW_LIST",
    of selection: String = "CLIPBOARD", timeout: Double = 10
  ) throws -> RawValue? {
    try askMultiple(
      list: list, type: type, format: format, property: property, of: selection, timeout: timeout
    ).value
  }

  /// The same, with refusals and silence told apart.
  ///
  /// - Parameter list: Nil sets no property at all.
  package func askMultiple(
    list: [UInt32]?, type: String = "ATOM_PAIR", format: Int = 32,
    property: String = "CLIPVIEW_LIST",
    of selection: String = "CLIPBOARD", timeout: Double = 10
  ) throws -> RawAnswer {
    let place = try atom(property)
    if place != 0 {
      try deleteProperty(place)
      if let list {
        try setProperty(
          place, of: window, type: try atom(type), format: format, littleEndian(list))
      }
    }
    let asked = try convert("MULTIPLE", of: selection, property: property, time: .now)
    let answered = try answer(
      to: try atom("MULTIPLE"), in: place, at: asked, Deadline(after: timeout))
    guard let answered else { return .unanswered }
    guard answered != 0, let content = try self.property(place, deleting: true) else {
      return .refused
    }
    return .value(
      RawValue(type: try name(of: content.type), format: content.format, bytes: content.bytes))
  }

  /// What a property of our window holds, which is left there; nil when it does not exist.
  package func content(ofProperty name: String) throws -> RawValue? {
    try property(try atom(name), deleting: false).map { content in
      RawValue(
        type: try self.name(of: content.type), format: content.format, bytes: content.bytes)
    }
  }

  /// Sends an owner a request in the name of any window whatever, with any numbers whatever: the
  /// server passes on what clients send each other without looking at it.
  package func forgeRequest(
    to owner: UInt32, requestor: UInt32, target: UInt32, property: UInt32,
    of selection: String = "CLIPBOARD", time: UInt32 = 0
  ) throws {
    let fields = [time, owner, requestor, try atom(selection), target, property, 0]
    try send(event: [30, 0, 0, 0] + littleEndian(fields), to: owner)
  }

  /// Sends several requests before it looks at any answer, so that the owner finds all of them.
  ///
  /// - Parameter fromOwnWindows: Whether each comes from a window of its own, which stays.
  package func ask(
    all targets: [String], of selection: String = "CLIPBOARD", fromOwnWindows: Bool = false,
    timeout: Double = 10
  ) throws -> [RawAnswer] {
    let time = try serverTime()
    let windows = try targets.map { _ in fromOwnWindows ? try makeWindow() : window }
    for (index, target) in targets.enumerated() {
      var request = WireRequest(opcode: 24)
      request.append([
        windows[index], try atom(selection), try atom(target), try atom("CLIPVIEW_TEST_\(index)"),
        time,
      ])
      try wire.send(request)
    }
    return try targets.indices.map { index in
      let answered = try answer(
        to: try atom(targets[index]), in: try atom("CLIPVIEW_TEST_\(index)"), at: time,
        Deadline(after: timeout))
      guard let answered else { return .unanswered }
      guard answered != 0,
        let content = try property(answered, of: windows[index], deleting: true)
      else { return .refused }
      return .value(
        RawValue(type: try name(of: content.type), format: content.format, bytes: content.bytes))
    }
  }

  /// Takes what is still to come of an answer that was left unfinished.
  ///
  /// - Parameter isAnnounced: Whether even the announcement was left where it is.
  package func rest(
    of value: RawValue, property: String = "CLIPVIEW_TEST", isAnnounced: Bool = false,
    timeout: Double = 10
  ) throws -> RawAnswer {
    let place = try atom(property)
    if isAnnounced { try deleteProperty(place) }
    return try takeChunks(of: value, in: place, timeout: timeout, chunkLimit: nil)
  }

  /// Sends a request and waits for nothing.
  ///
  /// - Returns: The time that it names.
  @discardableResult
  package func convert(
    _ target: String, of selection: String = "CLIPBOARD", property: String = "CLIPVIEW_TEST",
    time: RawTime = .now
  ) throws -> UInt32 {
    let time: UInt32 =
      switch time {
      case .now: try serverTime()
      case .current: 0
      case .at(let time): time
      }
    var request = WireRequest(opcode: 24)
    request.append([
      window, try atom(selection), try atom(target), try atom(property), time,
    ])
    try wire.send(request)
    return time
  }

  /// Destroys the window that its requests are from, and lives on.
  ///
  /// Nothing that needs the window works from then on.
  package func destroyWindow() throws {
    try send(opcode: 4, about: window)
  }

  /// Sends the owner of a selection what only the server may say: that a window has gone, that one of
  /// its properties was deleted, that the selection is lost.
  package func forgeNotices(
    to selection: String = "CLIPBOARD", about victim: UInt32, property: UInt32
  ) throws {
    let owner = try owner(of: selection)
    let time = try serverTime()
    let propertyNotify = littleEndian([victim, property, time]) + [1] + littleEndian([0, 0, 0, 0])
    try send(event: [28, 0, 0, 0] + propertyNotify.prefix(28), to: owner)
    try send(event: [17, 0, 0, 0] + littleEndian([victim, victim, 0, 0, 0, 0, 0]), to: owner)
    let clear = [time, owner, try atom(selection), 0, 0, 0, 0]
    try send(event: [29, 0, 0, 0] + littleEndian(clear), to: owner)
  }

  /// Waits for the answer to a request: its property, 0 for a refusal.
  ///
  /// Numbers of windows come back, so an answer may be for somebody who went away.
  func answer(
    to target: UInt32, in place: UInt32, at time: UInt32, _ deadline: Deadline
  ) throws -> UInt32? {
    try wait(deadline) { event in
      guard case .selectionNotified(_, target, let property, time) = event,
        property == place || property == 0
      else { return nil }
      return property
    }
  }

  func take(_ place: UInt32, timeout: Double, chunkLimit: Int?) throws -> RawAnswer {
    let incremental = try atom("INCR")
    guard let first = try property(place, deleting: chunkLimit != 0) else { return .refused }
    guard first.type == incremental else {
      return .value(
        RawValue(type: try name(of: first.type), format: first.format, bytes: first.bytes))
    }
    let value = RawValue(
      type: "INCR", format: first.format, bytes: [], chunks: [], announced: first.bytes.uint32s)
    return try takeChunks(of: value, in: place, timeout: timeout, chunkLimit: chunkLimit)
  }

  private func takeChunks(
    of begun: RawValue, in place: UInt32, timeout: Double, chunkLimit: Int?
  ) throws -> RawAnswer {
    var value = begun
    var chunks = 0
    while chunks != chunkLimit {
      // ICCCM 2.7.2: every chunk is announced by the property's new value. The deadline is one
      // without progress, as large transfers are slow.
      let isThere = try wait(Deadline(after: timeout)) { event -> Bool? in
        guard case .propertyChanged(window, place, _, false) = event else { return nil }
        return true
      }
      guard isThere != nil, let chunk = try property(place, deleting: true) else { break }
      value.type = try name(of: chunk.type)
      value.format = chunk.format
      if chunk.bytes.isEmpty { return .value(value) }
      value.bytes.append(contentsOf: chunk.bytes)
      value.chunks?.append(chunk.bytes.count)
      chunks += 1
    }
    return .stalled(value)
  }
}
