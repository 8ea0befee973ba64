internal import CLinux
internal import Glibc

/// Who is at the other end of a local socket, as the system knows it from the connecting process.
package struct PeerCredentials: Hashable, Sendable {
  package let user: UInt32
  package let process: Int32

  /// Whether it runs as the same user as we do.
  package var isSameUser: Bool { user == getuid() }
}

/// What one look at a socket gave.
package struct ReceivedBytes: ~Copyable {
  /// 0 where the other end was closed.
  package let count: Int
  private var received: OwnedFD?

  fileprivate init(count: Int, _ received: consuming OwnedFD?) {
    self.count = count
    self.received = received
  }

  /// The descriptor that came along, if one did.
  package mutating func takeDescriptor() -> OwnedFD? { received.take() }
}

/// One end of a local stream socket, over which bytes and descriptors go; never blocks.
package struct LocalSocket: ~Copyable {
  private let file: OwnedFD

  package init(adopting descriptor: consuming OwnedFD) { file = descriptor }

  /// Connects to a listener, which is waited for so long where others come before us.
  package init(
    connectingTo path: FilePath, patience: Duration = .seconds(5)
  ) throws(Errno) {
    let (seconds, attoseconds) = patience.components
    let microseconds = max(1, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    let descriptor = try blockingSystemCall {
      unsafe path.withCString { unsafe clinux_unix_connect($0, microseconds) }
    }
    file = OwnedFD(adopting: descriptor)
  }

  package var descriptor: Int32 { file.rawValue }

  package func peer() throws(Errno) -> PeerCredentials {
    var user: uid_t = 0
    var process: pid_t = 0
    let descriptor = self.descriptor
    try blockingSystemCall { unsafe clinux_peer(descriptor, &user, &process) }
    return PeerCredentials(user: user, process: process)
  }

  /// Sends what fits; a descriptor goes along with the first byte, and stays ours.
  package func send(
    _ bytes: UnsafeRawBufferPointer, descriptor attached: Int32? = nil
  ) throws(Errno) -> IOResult<Int> {
    let descriptor = self.descriptor
    return try systemCall {
      unsafe clinux_send(descriptor, bytes.baseAddress, bytes.count, attached ?? -1)
    }
  }

  /// Takes what has come; of several descriptors in one look the first.
  package func receive(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> IOResult<ReceivedBytes> {
    var received: Int32 = -1
    let descriptor = self.descriptor
    let result = try systemCall {
      unsafe clinux_receive(descriptor, buffer.baseAddress, buffer.count, &received)
    }
    switch result {
    case .wouldBlock: return .wouldBlock
    case .done(let count):
      return .done(
        ReceivedBytes(count: count, received >= 0 ? OwnedFD(adopting: received) : nil))
    }
  }

  /// Waits until there is something to take, or room to send; false when the time is over.
  ///
  /// For a program that has nothing else to do.
  package func wait(writing: Bool = false, milliseconds: Int32) throws(Errno) -> Bool {
    var wait = pollfd(
      fd: descriptor, events: Int16(writing ? POLLOUT : POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&wait, 1, milliseconds)
      if count >= 0 { return count > 0 }
      if Errno.current != .interrupted { throw .current }
    }
  }
}

/// A local socket that others connect to.
package struct LocalListener: ~Copyable {
  private let file: OwnedFD

  /// Makes a socket at the path, which only this user may connect to.
  ///
  /// Fails with ``Errno/addressInUse`` where a file is there already.
  package init(at path: FilePath, backlog: Int32 = 64) throws(Errno) {
    let descriptor = try blockingSystemCall {
      unsafe path.withCString { unsafe clinux_unix_listen($0, backlog) }
    }
    file = OwnedFD(adopting: descriptor)
  }

  private init(_ descriptor: consuming OwnedFD) { file = descriptor }

  /// Takes over a listener that somebody else made; nil where the descriptor is none.
  package static func adopting(_ descriptor: consuming OwnedFD) -> LocalListener? {
    // The flag belongs to the socket, which whoever made it never accepts from.
    guard clinux_is_unix_listener(descriptor.rawValue) == 1,
      (try? descriptor.setNonBlocking()) != nil
    else { return nil }
    return LocalListener(descriptor)
  }

  package var descriptor: Int32 { file.rawValue }

  /// The next that has connected.
  package func accept() throws(Errno) -> IOResult<OwnedFD> {
    let descriptor = self.descriptor
    switch try systemCall({ clinux_unix_accept(descriptor) }) {
    case .wouldBlock: return .wouldBlock
    case .done(let accepted): return .done(OwnedFD(adopting: accepted))
    }
  }
}

/// Sends one datagram to a local address; a leading `@` stands for an abstract one.
package func sendDatagram(_ text: String, to address: String) throws(Errno) {
  let bytes = Array(text.utf8)
  try blockingSystemCall {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe clinux_unix_send_datagram(address, bytes.baseAddress, bytes.count)
    }
  }
}
