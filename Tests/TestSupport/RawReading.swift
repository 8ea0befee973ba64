internal import Glibc

/// One conversion that a peer asked for and follows step by step, so that one thread can be any number
/// of readers at once, and one peer can read several things at once.
package final class RawReading {
  private enum State {
    case asked
    case taking(RawValue)
    case ended(RawAnswer)
    case over
  }

  package let peer: RawPeer
  private let target: UInt32
  private let place: UInt32
  private let chunkLimit: Int?
  private var state = State.asked
  /// How many chunks have come.
  package private(set) var chunks = 0

  /// Asks; nothing is waited for.
  ///
  /// - Parameter chunkLimit: How many chunks of an INCR answer to take before going silent; 0 leaves
  ///   even the announcement where it is.
  package init(
    _ target: String, by peer: RawPeer, of selection: String = "CLIPBOARD",
    property: String = "CLIPVIEW_TEST", chunkLimit: Int? = nil
  ) throws {
    self.peer = peer
    self.target = try peer.atom(target)
    place = try peer.atom(property)
    self.chunkLimit = chunkLimit
    try peer.deleteProperty(place)
    // Finding out the time would take events away from the peer's other readings.
    try peer.convert(target, of: selection, property: property, time: .current)
  }

  /// Whether nothing more will come, or nothing more will be taken.
  package var hasEnded: Bool {
    switch state {
    case .asked, .taking: false
    case .ended, .over: true
    }
  }

  /// What came of it, once: the bytes are let go.
  package func takeAnswer() -> RawAnswer? {
    guard case .ended(let answer) = state else { return nil }
    state = .over
    return answer
  }

  /// Lets readings go on until each has ended or the condition holds.
  ///
  /// - Returns: Whether one of both came about in time.
  @discardableResult
  package static func advance(
    _ readings: [RawReading], within seconds: Double, until isDone: () throws -> Bool = { false }
  ) throws -> Bool {
    let deadline = Deadline(after: seconds)
    let peers = Dictionary(grouping: readings) { ObjectIdentifier($0.peer) }.values.map { $0 }
    while true {
      for readings in peers { try advance(readings) }
      if try isDone() || readings.allSatisfy(\.hasEnded) { return true }
      if deadline.isOver { return false }
      if let idle = peers.first?.first?.peer.idle {
        try idle()
      } else {
        wait(for: peers, deadline)
      }
    }
  }

  /// Handles what has come for the readings of one peer.
  private static func advance(_ readings: [RawReading]) throws {
    guard let peer = readings.first?.peer else { return }
    try peer.wire.receive(atMost: 0)
    while let event = peer.wire.nextEvent() {
      for reading in readings { try reading.handle(event) }
    }
  }

  private static func wait(for peers: [[RawReading]], _ deadline: Deadline) {
    var waits = peers.compactMap { readings -> pollfd? in
      guard let peer = readings.first?.peer, !readings.allSatisfy(\.hasEnded) else { return nil }
      return pollfd(fd: peer.wire.descriptor, events: Int16(POLLIN), revents: 0)
    }
    // The condition may look at something else than these connections.
    unsafe _ = poll(&waits, nfds_t(waits.count), min(deadline.remainingMilliseconds, 10))
  }

  private func handle(_ event: WireEvent) throws {
    switch (state, event) {
    case (.asked, .selectionNotified(_, target, 0, _)):
      state = .ended(.refused)
    case (.asked, .selectionNotified(_, target, place, _)):
      try begin()
    case (.taking(let value), .propertyChanged(peer.window, place, _, isDeleted: false)):
      try takeChunk(of: value)
    default:
      break
    }
  }

  private func begin() throws {
    guard let first = try peer.property(place, deleting: chunkLimit != 0) else {
      state = .ended(.refused)
      return
    }
    var value = RawValue(
      type: try peer.name(of: first.type), format: first.format, bytes: first.bytes)
    guard value.type == "INCR" else {
      state = .ended(.value(value))
      return
    }
    value.announced = first.bytes.uint32s
    value.bytes = []
    value.chunks = []
    state = chunkLimit == 0 ? .ended(.stalled(value)) : .taking(value)
  }

  private func takeChunk(of taken: RawValue) throws {
    // The state lets go of the bytes, so that they grow in place.
    var value = taken
    state = .over
    guard let chunk = try peer.property(place, deleting: true) else {
      state = .ended(.stalled(value))
      return
    }
    value.type = try peer.name(of: chunk.type)
    value.format = chunk.format
    guard !chunk.bytes.isEmpty else {
      state = .ended(.value(value))
      return
    }
    value.bytes.append(contentsOf: chunk.bytes)
    value.chunks?.append(chunk.bytes.count)
    chunks += 1
    state = chunks == chunkLimit ? .ended(.stalled(value)) : .taking(value)
  }
}
