internal import Glibc
internal import SystemIO

// The scripted peers speak the X protocol themselves, without Xlib. The program under test may then
// live in the same process: Xlib has one error handler and one I/O error handler for all of a
// process, and a peer that used it would have to share them. It also makes the peers a second
// opinion: what Xlib hides (format-32 items as C longs, split requests) is seen as it is on the wire.
// Numbers and layouts are those of the X Window System Protocol, version 11, appendix B.

/// What a connection reports when it cannot go on.
package enum WireError: Error, Hashable, Sendable {
  case noServer(display: String)
  case refused(String)
  case connectionLost
  case noReply
}

/// An error that the server sent: which request it answers and which resource it names.
package struct WireProtocolError: Error, Hashable, Sendable {
  package let code: UInt8
  package let resource: UInt32
  package let opcode: UInt8
}

/// One connection to an X server: requests out, replies, events and errors in.
final class WireConnection {
  private let socketFD: OwnedFD
  private var incoming: [UInt8] = []
  private var incomingOffset = 0
  private var sent: UInt64 = 0
  private var nextResource: UInt32
  private var resourceBase: UInt32 = 0
  private var bigRequestUnits = 0
  private(set) var rootWindow: UInt32 = 0
  /// Events that came and that nobody has looked at.
  private(set) var events: [WireEvent] = []
  /// Errors that no caller waited for.
  private(set) var errors: [WireProtocolError] = []

  /// - Parameter firstResource: The number of its first resource among those that it may have, from 1
  ///   to a million.
  init(display: String, firstResource: UInt32 = 1) throws {
    nextResource = firstResource - 1
    socketFD = try connectedSocket(to: display)
    // Little endian, version 11.0, no authorization.
    try write([0x6C, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    let head = try packet(atLeast: 8)
    let length = 8 + Int(head.uint16(at: 6)) * 4
    let setup = try packet(atLeast: length)
    incomingOffset += length
    guard setup[0] == 1 else { throw WireError.refused(text(Array(setup[8..<length]))) }
    resourceBase = setup.uint32(at: 12)
    let vendorLength = (Int(setup.uint16(at: 24)) + 3) / 4 * 4
    rootWindow = setup.uint32(at: 40 + vendorLength + Int(setup[29]) * 8)
    try enableBigRequests()
  }

  var descriptor: Int32 { socketFD.rawValue }

  /// The largest request the server takes, in bytes.
  var maximumRequestLength: Int { bigRequestUnits * 4 }

  func makeResource() -> UInt32 {
    nextResource += 1
    return resourceBase | nextResource
  }

  /// A window that is never shown and tells of changes of its properties.
  func makeWindow() throws -> UInt32 {
    let window = makeResource()
    var create = WireRequest(opcode: 1)
    create.append([window, rootWindow])
    create.append(UInt32(0))  // x, y
    create.append(UInt32(0x0001_0001))  // width, height
    create.append(UInt32(0x0002_0000))  // border width, class InputOnly
    create.append(UInt32(0))  // visual
    create.append([0x0800, RawPeer.propertyChangeMask])
    try send(create)
    return window
  }

  private func enableBigRequests() throws {
    let name = Array("BIG-REQUESTS".utf8)
    var query = WireRequest(opcode: 98)
    query.append(UInt16(name.count))
    query.append(UInt16(0))
    query.append(bytes: name)
    let reply = try ask(query)
    guard reply[8] == 1 else { throw WireError.refused("no BIG-REQUESTS") }
    bigRequestUnits = Int(try ask(WireRequest(opcode: reply[9])).uint32(at: 8))
  }
}

// MARK: - Requests

extension WireConnection {
  func send(_ request: WireRequest) throws {
    try write(request.encoded)
    sent += 1
  }

  /// Sends a request and waits for its reply; events that come before it are kept.
  func ask(_ request: WireRequest) throws -> [UInt8] {
    try send(request)
    return try answer(to: UInt16(truncatingIfNeeded: sent), Deadline(after: 20))
  }

  private func answer(to sequence: UInt16, _ deadline: Deadline) throws -> [UInt8] {
    while true {
      while let packet = nextPacket() {
        let answers = packet.uint16(at: 2) == sequence
        switch packet[0] {
        case 1 where answers: return packet
        case 0 where answers: throw protocolError(packet)
        default: keep(packet)
        }
      }
      if deadline.isOver { throw WireError.noReply }
      try receive(atMost: deadline.remainingMilliseconds)
    }
  }

  /// Sends requests whose answers are waited for together, which saves their round trips.
  func ask(all requests: [WireRequest]) throws -> [[UInt8]] {
    var answers: [[UInt8]] = []
    // So many that neither side's buffers fill up with what the other does not read.
    for start in stride(from: 0, to: requests.count, by: 256) {
      let batch = requests[start..<min(start + 256, requests.count)]
      let first = sent + 1
      try write(batch.flatMap(\.encoded))
      sent += UInt64(batch.count)
      let deadline = Deadline(after: 20)
      for number in first...sent {
        answers.append(try answer(to: UInt16(truncatingIfNeeded: number), deadline))
      }
    }
    return answers
  }

  /// Takes the oldest event; nil when none has come.
  func nextEvent() -> WireEvent? {
    while let packet = nextPacket() { keep(packet) }
    return events.isEmpty ? nil : events.removeFirst()
  }

  /// Waits for something to come and takes it off the socket; zero milliseconds just look.
  func receive(atMost milliseconds: Int32) throws {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wait, 1, milliseconds) > 0 else { return }
    try receive()
  }

  private func keep(_ packet: [UInt8]) {
    if packet[0] == 0 {
      errors.append(protocolError(packet))
    } else if let event = WireEvent(packet) {
      events.append(event)
    }
  }

  private func protocolError(_ packet: [UInt8]) -> WireProtocolError {
    WireProtocolError(code: packet[1], resource: packet.uint32(at: 4), opcode: packet[10])
  }
}

// MARK: - Bytes

extension WireConnection {
  private func write(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        // A server that is gone must be an error, not a signal.
        unsafe Glibc.send(
          descriptor, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw WireError.connectionLost }
      offset += count
    }
  }

  private func receive() throws {
    if incomingOffset > 1 << 20 || incomingOffset == incoming.count {
      incoming.removeFirst(incomingOffset)
      incomingOffset = 0
    }
    let count = unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 {
        unsafe incoming.append(contentsOf: UnsafeRawBufferPointer(buffer)[..<count])
      }
      return count
    }
    if count > 0 || (count < 0 && errno == EINTR) { return }
    throw WireError.connectionLost
  }

  /// Waits until so many bytes are there, without taking them.
  private func packet(atLeast count: Int) throws -> [UInt8] {
    while incoming.count - incomingOffset < count { try receive() }
    return Array(incoming[incomingOffset...])
  }

  private func nextPacket() -> [UInt8]? {
    let available = incoming.count - incomingOffset
    guard available >= 32 else { return nil }
    let kind = incoming[incomingOffset]
    var length = 32
    // Replies and generic events are longer than 32 bytes by what they say.
    if kind == 1 || kind & 0x7F == 35 {
      length += Int(incoming.uint32(at: incomingOffset + 4)) * 4
    }
    guard available >= length else { return nil }
    defer { incomingOffset += length }
    return Array(incoming[incomingOffset..<incomingOffset + length])
  }
}

/// Connects to `:N` or `:N.S` through the socket in the file system or the abstract one.
func connectedSocket(to display: String) throws -> OwnedFD {
  let number = display.drop { $0 != ":" }.dropFirst().prefix { $0 != "." }
  for isAbstract in [false, true] {
    let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw Errno.current }
    let candidate = OwnedFD(adopting: raw)
    let path = (isAbstract ? "\0" : "") + "/tmp/.X11-unix/X\(number)"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count + (isAbstract ? 0 : 1))
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(raw, $0, length)
      }
    }
    if result == 0 { return candidate }
  }
  throw WireError.noServer(display: display)
}
