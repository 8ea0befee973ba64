internal import CLinux
internal import Glibc

/// Connects to a socket of this machine by its path.
package func connectToSocket(at path: String) throws(Errno) -> OwnedFD {
  var address = sockaddr_un()
  let room = MemoryLayout.size(ofValue: address.sun_path)
  let bytes = Array(path.utf8)
  guard bytes.count < room, !bytes.contains(0) else { throw .invalidArgument }
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  let socket = OwnedFD(adopting: try blockingSystemCall { Glibc.socket(AF_UNIX, kind, 0) })
  let descriptor = socket.rawValue
  let size = socklen_t(MemoryLayout<sockaddr_un>.size)
  try unsafe withUnsafePointer(to: &address) { address throws(Errno) in
    try unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(Errno) in
      _ = try blockingSystemCall { unsafe connect(descriptor, address, size) }
    }
  }
  return socket
}

/// The name of the program at the other end of a socket; nil where the system does not tell.
package func peerName(ofSocket descriptor: Int32) -> String? {
  let process = clinux_peer_process(descriptor)
  guard process > 0, let file = try? openForReading(FilePath("/proc/\(process)/comm")),
    let name = try? readStart(of: file, count: 64)
  else { return nil }
  let line = name.prefix { $0 != UInt8(ascii: "\n") }
  return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
}
