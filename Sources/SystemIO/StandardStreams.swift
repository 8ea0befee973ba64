internal import CLinux
internal import Glibc

/// The three descriptors that the caller gave us.
///
/// Used in place: they are not ours to close.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The columns of the terminal behind it; nil where there is none or it does not say.
  package var columns: Int? {
    let columns = clinux_terminal_columns(rawValue)
    return columns > 0 ? Int(columns) : nil
  }

  /// Whether something was put before the terminal: a pipe, a file or a socket.
  ///
  /// A closed descriptor, a terminal and `/dev/null` are nothing.
  package var isPipedOrFile: Bool {
    var status = stat()
    guard unsafe fstat(rawValue, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFIFO, S_IFREG, S_IFSOCK: return true
    default: return false
    }
  }

  /// Whether some kilobytes can be written without waiting for whoever reads; a stream that is broken
  /// has room too.
  package var hasRoom: Bool {
    var wait = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&wait, 1, 0) > 0
  }

  /// Writes everything, waiting where the descriptor blocks or would block.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    try unsafe writeFully(bytes, to: rawValue)
  }

  /// Writes a text, all of it.
  package func write(_ text: String) throws(Errno) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(Errno) in
        try unsafe writeFully(UnsafeRawBufferPointer(bytes), to: rawValue)
      }
    }
    try result.get()
  }

  /// Opens `/dev/null` in place of any of the three that is closed, so that no descriptor of ours
  /// ever gets one of these numbers and is mistaken for the caller's.
  ///
  /// Opened the wrong way round: reading from a closed input or writing to a closed output stays the
  /// error that it is.
  package static func ensureOpen() {
    for descriptor in Int32(0)...2 where clinux_fcntl(descriptor, F_GETFD, 0) == -1 {
      // The lowest free number is taken, and all below are open by now.
      _ = unsafe clinux_open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY, 0)
    }
  }

  /// Points all three at `/dev/null`: for a process that outlives its caller.
  package static func detachAll() throws(Errno) {
    let null = try blockingSystemCall { unsafe clinux_open("/dev/null", O_RDWR | O_CLOEXEC, 0) }
    for descriptor in Int32(0)...2 { try blockingSystemCall { dup2(null, descriptor) } }
    if null > 2 { _ = close(null) }
  }
}

/// Writes all of a buffer to a descriptor, which may be non-blocking.
func writeFully(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Errno) {
  var rest = unsafe bytes[...]
  while unsafe !rest.isEmpty {
    let piece = unsafe UnsafeRawBufferPointer(rebasing: rest)
    switch try systemCall(
      isOurs: false, { unsafe write(descriptor, piece.baseAddress, piece.count) })
    {
    case .done(let count): unsafe rest = rest.dropFirst(count)
    case .wouldBlock:
      var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      try blockingSystemCall { unsafe poll(&wait, 1, -1) }
    }
  }
}
