/// A client of the X server that does at the selection what a test tells it, right or wrong, as owner
/// and as requestor.
///
/// A peer belongs to one thread. While it waits it also does its work as owner; where the program
/// under test lives in the same thread, ``idle`` is the place to turn that program's loop. A
/// ``BackgroundPeer`` works by itself.
package final class RawPeer {
  let wire: WireConnection
  package let window: UInt32
  private var atoms: [String: UInt32] = [:]
  private var names: [UInt32: String] = [0: "None"]
  private var floods: [String: [UInt32]] = [:]

  /// Called over and over instead of waiting on the socket; best it waits a moment itself.
  package var idle: (() throws -> Void)?

  // What it is as an owner.
  var owned: [OwnedSelection] = []
  var transfers: [OutgoingChunks] = []
  var postponed: [PostponedAnswer] = []
  /// What others asked of it and did to it, in order.
  package internal(set) var log: [OwnerRecord] = []
  /// The most requests for content that waited for their answers at one moment.
  package internal(set) var mostOpen = 0
  /// How many requests it has answered, also with a refusal.
  package internal(set) var answersSent = 0
  /// How many chunks of answers by INCR it has sent.
  package internal(set) var chunksSent = 0

  /// - Parameter windowNumber: The number of its window among its resources, from 1 to a million. The
  ///   server gives what a client left to the next one, so windows of the same number get the same
  ///   identifier one after the other.
  package init(display: String, windowNumber: UInt32 = 1) throws {
    wire = try WireConnection(display: display, firstResource: windowNumber)
    window = try wire.makeWindow()
  }

  /// Another window of this peer.
  package func makeWindow() throws -> UInt32 { try wire.makeWindow() }

  static let propertyChangeMask: UInt32 = 0x0040_0000

  package convenience init(_ server: XServer) throws { try self.init(display: server.display) }

  /// The largest request the server takes, in bytes.
  package var maximumRequestLength: Int { wire.maximumRequestLength }

  /// Errors of the server so far, such as `BadWindow` for a requestor that went away.
  package var errors: [WireProtocolError] { wire.errors }
}

// MARK: - Atoms, properties, time

extension RawPeer {
  package func atom(_ name: String) throws -> UInt32 {
    if name.isEmpty || name == "None" { return 0 }
    if let known = atoms[name] { return known }
    return try alias(name, for: Array(name.utf8))
  }

  /// Atoms with this prefix and a number: more than a list may have.
  func flood(_ prefix: String) throws -> [UInt32] {
    if let known = floods[prefix] { return known }
    let requests = (0..<65_536).map { number in
      let name = Array("\(prefix)\(number)".utf8)
      var request = WireRequest(opcode: 16)
      request.append(UInt16(name.count))
      request.append(UInt16(0))
      request.append(bytes: name)
      return request
    }
    let atoms = try wire.ask(all: requests).map { $0.uint32(at: 8) }
    floods[prefix] = atoms
    return atoms
  }

  /// Lets a name stand for the atom of these bytes, which need not be UTF-8.
  @discardableResult
  package func alias(_ name: String, for bytes: [UInt8]) throws -> UInt32 {
    var request = WireRequest(opcode: 16)
    request.append(UInt16(bytes.count))
    request.append(UInt16(0))
    request.append(bytes: bytes)
    let atom = try wire.ask(request).uint32(at: 8)
    atoms[name] = atom
    names[atom] = name
    return atom
  }

  package func name(of atom: UInt32) throws -> String {
    if let known = names[atom] { return known }
    var request = WireRequest(opcode: 17)
    request.append(atom)
    do {
      let reply = try wire.ask(request)
      let name = text(Array(reply[32..<32 + Int(reply.uint16(at: 8))]))
      names[atom] = name
      return name
    } catch is WireProtocolError {
      return "bad atom \(atom)"
    }
  }

  /// Replaces or extends a property of a window.
  func setProperty(
    _ property: UInt32, of window: UInt32, type: UInt32, format: Int, _ bytes: [UInt8],
    appending: Bool = false
  ) throws {
    var request = WireRequest(opcode: 18, data: appending ? 2 : 0)
    request.append([window, property, type])
    request.append(UInt32(format))
    request.append(UInt32(bytes.count / (format / 8)))
    request.append(bytes: bytes)
    try wire.send(request)
  }

  /// Gives our window a class (ICCCM 4.1.2.5), by which others name its program.
  package func setClass(_ name: String, of other: UInt32? = nil) throws {
    let bytes = Array(name.utf8) + [0] + Array(name.utf8) + [0]
    try setProperty(try atom("WM_CLASS"), of: other ?? window, type: 31, format: 8, bytes)
  }

  func deleteProperty(_ property: UInt32, of window: UInt32? = nil) throws {
    var request = WireRequest(opcode: 19)
    request.append([window ?? self.window, property])
    try wire.send(request)
  }

  /// Reads a whole property of our window; nil when it does not exist.
  func property(_ property: UInt32, deleting: Bool) throws -> PropertyContent? {
    try self.property(property, of: window, deleting: deleting)
  }

  func property(
    _ property: UInt32, of window: UInt32, deleting: Bool
  ) throws -> PropertyContent? {
    var bytes: [UInt8] = []
    while true {
      var request = WireRequest(opcode: 20, data: deleting ? 1 : 0)
      request.append([window, property, 0, UInt32(bytes.count / 4), 1 << 22])
      let reply = try wire.ask(request)
      let type = reply.uint32(at: 8)
      if type == 0 { return nil }
      let format = Int(reply[1])
      bytes.append(contentsOf: reply[32..<32 + Int(reply.uint32(at: 16)) * (format / 8)])
      if reply.uint32(at: 12) == 0 {
        return PropertyContent(type: type, format: format, bytes: bytes)
      }
    }
  }

  /// The time of the server, as ICCCM 2.1 tells to get it: by a property change of no length.
  package func serverTime() throws -> UInt32 {
    let property = try atom("CLIPVIEW_TEST_TIME")
    try setProperty(property, of: window, type: 31, format: 8, [], appending: true)
    let time = try wait(Deadline(after: 10)) { event -> UInt32? in
      guard case .propertyChanged(_, property, let time, false) = event else { return nil }
      return time
    }
    guard let time else { throw WireError.noReply }
    return time
  }

  /// The window that owns a selection, 0 for none.
  package func owner(of selection: String) throws -> UInt32 {
    var request = WireRequest(opcode: 23)
    request.append(try atom(selection))
    return try wire.ask(request).uint32(at: 8)
  }

  /// The top-level windows of all clients.
  package func topLevelWindows() throws -> [UInt32] {
    var request = WireRequest(opcode: 15)
    request.append(wire.rootWindow)
    let reply = try wire.ask(request)
    return (0..<Int(reply.uint16(at: 16))).map { reply.uint32(at: 32 + $0 * 4) }
  }

  /// The names of all properties of a window; none of one that is gone.
  package func propertyNames(of window: UInt32) throws -> [String] {
    var request = WireRequest(opcode: 21)
    request.append(window)
    do {
      let reply = try wire.ask(request)
      return try (0..<Int(reply.uint16(at: 8))).map { try name(of: reply.uint32(at: 32 + $0 * 4)) }
    } catch is WireProtocolError {
      return []
    }
  }

  /// The atom of a name that somebody has made one of; nil where nobody has.
  package func existingAtom(_ name: String) throws -> UInt32? {
    var request = WireRequest(opcode: 16, data: 1)
    request.append(UInt16(name.utf8.count))
    request.append(UInt16(0))
    request.append(bytes: Array(name.utf8))
    let atom = try wire.ask(request).uint32(at: 8)
    return atom == 0 ? nil : atom
  }

  /// Whether a window has a property; false also for a window that is gone.
  package func hasProperty(_ name: String, of window: UInt32) throws -> Bool {
    var request = WireRequest(opcode: 20)
    request.append([window, try atom(name), 0, 0, 0])
    do {
      return try wire.ask(request).uint32(at: 8) != 0
    } catch is WireProtocolError {
      return false
    }
  }

  /// Returns when the server has done all that was asked so far.
  package func synchronize() throws { _ = try wire.ask(WireRequest(opcode: 43)) }

  func send(event: [UInt8], to window: UInt32) throws {
    var request = WireRequest(opcode: 25)
    request.append([window, 0])
    request.append(bytes: event)
    try wire.send(request)
  }
}

/// A property as the server has it.
struct PropertyContent {
  let type: UInt32
  let format: Int
  let bytes: [UInt8]
}

// MARK: - Waiting

extension RawPeer {
  /// Waits for an event that means something to the caller; all others are the owner's.
  func wait<Value>(
    _ deadline: Deadline, for match: (WireEvent) throws -> Value?
  ) throws -> Value? {
    while true {
      while let event = wire.nextEvent() {
        if let value = try match(event) { return value }
        try handle(event)
      }
      let next = try answerDue()
      if deadline.isOver { return nil }
      if let idle {
        try idle()
        try wire.receive(atMost: 0)
      } else {
        let wait = min(deadline.remaining, next ?? .infinity)
        try wire.receive(atMost: Int32(min(wait * 1000 + 1, 60_000)))
      }
    }
  }

  /// Does the owner's work that there is now, without waiting.
  package func turn() throws {
    try wire.receive(atMost: 0)
    while let event = wire.nextEvent() { try handle(event) }
    _ = try answerDue()
  }

  /// Does the owner's work until a condition holds or time is over.
  ///
  /// - Returns: Whether the condition held.
  @discardableResult
  package func work(
    within seconds: Double = 10, until condition: (RawPeer) throws -> Bool
  ) throws -> Bool {
    let deadline = Deadline(after: seconds)
    while true {
      if try condition(self) { return true }
      if deadline.isOver { return false }
      // Not for ever: the condition may look at something else than this connection.
      _ = try wait(Deadline(after: min(0.002, deadline.remaining))) { event -> Void? in
        try self.handle(event)
        return ()
      }
    }
  }
}
