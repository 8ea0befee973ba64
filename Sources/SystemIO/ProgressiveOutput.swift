internal import CLinux
internal import Glibc

/// Output that is written while what it gets is still on its way.
package protocol ProgressiveOutput: AnyObject {
  /// How much has to be there before the first of it is written.
  var minimumHead: Int { get }

  /// Whether nothing remains where it is given up before it is whole, also where an interrupt, a
  /// termination, a hang-up or a quit ends the process; unless others write to the same file meanwhile.
  var canBeTakenBack: Bool { get }

  /// Writes as much as goes without a wait beyond this time since the boot for whoever reads; how much
  /// that was.
  func writeSoon(_ bytes: UnsafeRawBufferPointer, until deadline: Duration) throws(Errno) -> Int

  /// Writes everything, however long that takes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno)

  /// Takes back all that was written; then it may be written anew.
  func takeBack() throws(Errno)

  /// It is whole.
  func finish() throws(Errno)
}

extension ProgressiveOutput {
  /// Writes all of it: nobody reads it while it is written.
  package func writeSoon(
    _ bytes: UnsafeRawBufferPointer, until deadline: Duration
  ) throws(Errno) -> Int {
    try unsafe write(bytes)
    return bytes.count
  }
}

extension StandardStream {
  /// The stream for what is written while it still comes; nil where that is to be whole: a terminal, a
  /// socket, the middle of a file.
  package func progressive() -> (any ProgressiveOutput)? {
    var status = stat()
    guard unsafe fstat(rawValue, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return FileEnd(self, size: status.st_size)
    case S_IFIFO: return PipeStream(self)
    case S_IFCHR where status.st_rdev == nullDevice: return NullDevice(self)
    default: return nil
    }
  }
}

/// The numbers of `/dev/null`.
private let nullDevice = dev_t(1 << 8 | 3)

/// A regular file that is written to at its end.
///
/// What was written is cut off again where it is given up.
private final class FileEnd: ProgressiveOutput {
  let minimumHead = 0
  let canBeTakenBack = true

  /// Nil where something stands behind the place that is written to, and where nothing can be cut off.
  init?(_ stream: StandardStream, size: off_t) {
    let descriptor = stream.rawValue
    let isAppended = clinux_fcntl(descriptor, F_GETFL, 0) & O_APPEND != 0
    guard isAppended || lseek(descriptor, 0, SEEK_CUR) == size,
      clinux_may_shrink(descriptor) != 0, clinux_begin_output(descriptor, nil) == 0
    else { return nil }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let piece = unsafe UnsafeRawBufferPointer(rebasing: rest)
      guard
        case .done(let count) = try systemCall(
          isOurs: false, { unsafe clinux_write_output(piece.baseAddress, piece.count) })
      else { throw .wouldBlock }
      unsafe rest = rest.dropFirst(count)
    }
  }

  func takeBack() throws(Errno) { try blockingSystemCall { clinux_take_back_output() } }

  func finish() { clinux_end_output() }
}

/// `/dev/null`: what is written to it nobody sees, and whether it can be written to is seen.
private final class NullDevice: ProgressiveOutput {
  private let stream: StandardStream
  let minimumHead = 0
  let canBeTakenBack = true

  init(_ stream: StandardStream) { self.stream = stream }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) { try unsafe stream.write(bytes) }
  func takeBack() {}
  func finish() {}
}

/// A pipe, whose reader has what it has read.
///
/// So what is written while it comes is only what nobody would want to have held: much.
private final class PipeStream: ProgressiveOutput {
  // Opened anew, so that nobody else's writes stop to block.
  private let pipe: OwnedFD
  let minimumHead = 8 << 20
  let canBeTakenBack = false
  private var isEnlarged = false

  /// Nil where the pipe cannot be opened anew: it is somebody else's, or there is no `/proc`; and where it
  /// is the end that is read from, which would be another one then.
  init?(_ stream: StandardStream) {
    guard clinux_fcntl(stream.rawValue, F_GETFL, 0) & O_ACCMODE != O_RDONLY else { return nil }
    let path = "/proc/self/fd/\(stream.rawValue)"
    let descriptor = unsafe clinux_open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    pipe = OwnedFD(adopting: descriptor)
  }

  func writeSoon(
    _ bytes: UnsafeRawBufferPointer, until deadline: Duration
  ) throws(Errno) -> Int {
    let descriptor = pipe.rawValue
    if !isEnlarged { Pipe.enlarge(descriptor) }
    isEnlarged = true
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let piece = unsafe UnsafeRawBufferPointer(rebasing: rest)
      switch try unsafe writeAvailable(piece, to: descriptor) {
      case .done(let count): unsafe rest = rest.dropFirst(count)
      case .wouldBlock:
        let left = (deadline - currentTimeSinceBoot()) / .milliseconds(1)
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard left > 0, try blockingSystemCall({ unsafe poll(&wait, 1, Int32(left) + 1) }) > 0
        else {
          return unsafe bytes.count - rest.count
        }
      }
    }
    return bytes.count
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    try unsafe writeFully(bytes, to: pipe.rawValue)
  }

  func takeBack() throws(Errno) { throw .notSupported }

  func finish() {}
}
