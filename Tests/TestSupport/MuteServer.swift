internal import Glibc
internal import SystemIO

/// Something that listens where an X server would and is none: it takes connections and never says a
/// word, or ends them at once.
package final class MuteServer {
  /// What `DISPLAY` has to be.
  package let display: String
  private let listener: OwnedFD

  /// Listens on a port of this machine that the system chooses.
  package init() throws {
    var port: UInt16 = 0
    listener = try listeningSocket(port: &port)
    // The X Window System Protocol, appendix B: display N over TCP is port 6000 + N.
    display = "127.0.0.1:\(Int(port) - 6000)"
  }

  /// Takes a connection that waits, and closes it.
  package func hangUp() {
    let connection = accept(listener.rawValue, nil, nil)
    if connection >= 0 { _ = close(connection) }
  }
}

/// Listens on a port of this machine that the system chooses.
func listeningSocket(port: inout UInt16) throws -> OwnedFD {
  let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
  let listener = OwnedFD(adopting: try blockingSystemCall { socket(AF_INET, flags, 0) })
  let descriptor = listener.rawValue
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  try unsafe withUnsafeMutablePointer(to: &address) { pointer in
    try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      try blockingSystemCall { unsafe bind(descriptor, pointer, length) }
      try blockingSystemCall { unsafe getsockname(descriptor, pointer, &length) }
    }
  }
  try blockingSystemCall { listen(descriptor, 8) }
  port = UInt16(bigEndian: address.sin_port)
  return listener
}
