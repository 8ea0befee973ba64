internal import Glibc
internal import Synchronization
internal import SystemIO

/// A display between programs and a server that passes everything on, and lets a test do something
/// between a certain request of a program and its next one.
///
/// A server handles the requests that a program sends together one right after the other, so no other
/// client ever gets between them; with a slow line to the server one does.
package final class WireRelay: Sendable {
  /// What `DISPLAY` has to be.
  package let display: String
  private let isStopped = StopFlag()
  private let thread: pthread_t

  /// - Parameters:
  ///   - opcode: The request after which something is done.
  ///   - action: What is done, with a peer of the server, each time.
  package init(
    _ server: XServer, after opcode: UInt8, _ action: @escaping @Sendable (RawPeer) throws -> Void
  ) throws {
    var port: UInt16 = 0
    let listener = try listeningSocket(port: &port)
    // The X Window System Protocol, appendix B: display N over TCP is port 6000 + N.
    display = "127.0.0.1:\(Int(port) - 6000)"
    let body = RelayBody(
      listener: listener.take(), server: server.display, opcode: opcode, action: action,
      isStopped: isStopped)
    var started = pthread_t()
    let context = unsafe Unmanaged.passRetained(body).toOpaque()
    let code = unsafe pthread_create(
      &started, nil,
      { context in
        guard let context = unsafe context else { return nil }
        try? unsafe Unmanaged<RelayBody>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context)
    precondition(code == 0, "no thread can be started")
    thread = started
  }

  deinit {
    isStopped.value.store(true, ordering: .relaxed)
    _ = pthread_join(thread, nil)
  }
}

private final class StopFlag: Sendable {
  let value = Atomic(false)
}

/// One program's connection and ours to the server.
private final class RelayedConnection {
  let program: OwnedFD
  let server: OwnedFD
  /// What the program sent and is not a whole request yet.
  var pending: [UInt8] = []
  var isSetUp = false

  init(program: consuming OwnedFD, server: consuming OwnedFD) {
    self.program = program
    self.server = server
  }
}

private final class RelayBody: Sendable {
  let listener: Int32
  let server: String
  let opcode: UInt8
  let action: @Sendable (RawPeer) throws -> Void
  let isStopped: StopFlag

  init(
    listener: Int32, server: String, opcode: UInt8,
    action: @escaping @Sendable (RawPeer) throws -> Void, isStopped: StopFlag
  ) {
    self.listener = listener
    self.server = server
    self.opcode = opcode
    self.action = action
    self.isStopped = isStopped
  }

  func run() throws {
    defer { _ = close(listener) }
    let peer = try RawPeer(display: server)
    var connections: [RelayedConnection] = []
    while !isStopped.value.load(ordering: .relaxed) {
      var waits = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
      for connection in connections {
        for descriptor in [connection.program.rawValue, connection.server.rawValue] {
          waits.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
      }
      guard unsafe poll(&waits, nfds_t(waits.count), 10) > 0 else { continue }
      var ended: [Int] = []
      for (index, connection) in connections.enumerated() {
        let fromProgram = waits[1 + 2 * index].revents != 0
        let fromServer = waits[2 + 2 * index].revents != 0
        let goesOnBack = !fromServer || passBack(connection)
        let goesOn = try !fromProgram || passOn(connection, peer)
        if !goesOnBack || !goesOn { ended.append(index) }
      }
      for index in ended.reversed() { connections.remove(at: index) }
      if waits[0].revents != 0 {
        let program = accept(listener, nil, nil)
        guard program >= 0 else { continue }
        connections.append(
          RelayedConnection(
            program: OwnedFD(adopting: program), server: try connectedSocket(to: server)))
      }
    }
  }

  /// From the server to the program; false at the end.
  private func passBack(_ connection: RelayedConnection) -> Bool {
    guard let bytes = received(from: connection.server.rawValue) else { return false }
    return sent(bytes, to: connection.program.rawValue)
  }

  /// From the program to the server, request by request; false at the end.
  private func passOn(_ connection: RelayedConnection, _ peer: RawPeer) throws -> Bool {
    guard let bytes = received(from: connection.program.rawValue) else { return false }
    connection.pending += bytes
    while let length = requestLength(connection), length <= connection.pending.count {
      let request = Array(connection.pending[..<length])
      connection.pending.removeFirst(length)
      guard sent(request, to: connection.server.rawValue) else { return false }
      if connection.isSetUp, request[0] == opcode { try action(peer) }
      connection.isSetUp = true
    }
    return true
  }

  /// The length of the first request; nil while too little of it is there.
  private func requestLength(_ connection: RelayedConnection) -> Int? {
    let bytes = connection.pending
    if !connection.isSetUp {
      guard bytes.count >= 12 else { return nil }
      let parts = [bytes.uint16(at: 6), bytes.uint16(at: 8)]
      return 12 + parts.reduce(0) { $0 + (Int($1) + 3) / 4 * 4 }
    }
    guard bytes.count >= 4 else { return nil }
    let units = Int(bytes.uint16(at: 2))
    if units > 0 { return units * 4 }
    // BIG-REQUESTS
    return bytes.count >= 8 ? Int(bytes.uint32(at: 4)) * 4 : nil
  }

  private func received(from descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  private func sent(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        return unsafe send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }
}
