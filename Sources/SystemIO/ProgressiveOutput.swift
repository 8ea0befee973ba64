internal import CLinux
internal import Glibc

/// Output that is written while what it gets is still on its way.
package protocol ProgressiveOutput: AnyObject {
  /// How much has to be there before the first of it is written.
  var minimumHead: Int { get }

  /// Whether nothing remains where it is given up before it is whole, be it by a signal.
  var canBeTakenBack: Bool { get }

  /// Writes as much as goes without a long wait for whoever reads; how much that was.
  func writeSoon(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int

  /// Writes everything, however long that takes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno)

  /// Takes back all that was written; then it may be written anew.
  func takeBack() throws(Errno)

  /// It is whole.
  func finish() throws(Errno)
}

/// How much of content is long: as much as a pipe holds at first.
package let longContentSize = 1 << 16

extension StandardStream {
  /// The stream for what is written while it still comes; nil where that is to be whole: a terminal, a
  /// socket, the middle of a file.
  package func progressive() -> (any ProgressiveOutput)? {
    var status = stat()
    guard unsafe fstat(rawValue, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return FileEnd(self, size: status.st_size)
    case S_IFIFO: return PipeStream(self)
    case S_IFCHR where status.st_rdev == nullDevice: return NullStream()
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
  private let stream: StandardStream
  let minimumHead = longContentSize
  let canBeTakenBack = true

  /// Nil where something stands behind the place that is written to.
  init?(_ stream: StandardStream, size: off_t) {
    let descriptor = stream.rawValue
    self.stream = stream
    let isAppended = clinux_fcntl(descriptor, F_GETFL, 0) & O_APPEND != 0
    guard isAppended || lseek(descriptor, 0, SEEK_CUR) == size else { return nil }
    guard clinux_begin_output(descriptor, size, nil) == 0 else { return nil }
  }

  func writeSoon(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try unsafe stream.write(bytes)
    return bytes.count
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) { try unsafe stream.write(bytes) }

  func takeBack() throws(Errno) { try blockingSystemCall { clinux_take_back_output() } }

  func finish() { clinux_end_output() }
}

/// What is written to it nobody sees.
private final class NullStream: ProgressiveOutput {
  let minimumHead = longContentSize
  let canBeTakenBack = true

  func writeSoon(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count }
  func write(_ bytes: UnsafeRawBufferPointer) {}
  func takeBack() {}
  func finish() {}
}

/// A pipe, whose reader has what it has read.
///
/// So what is written while it comes is only what nobody would want to have held: much.
private final class PipeStream: ProgressiveOutput {
  private let stream: StandardStream
  let minimumHead = 16 << 20
  let canBeTakenBack = false

  /// How long a reader may let us wait that is waited for, in milliseconds.
  private static let patience: Int32 = 100

  private var isEnlarged = false

  init(_ stream: StandardStream) { self.stream = stream }

  func writeSoon(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    let descriptor = stream.rawValue
    if !isEnlarged { Pipe.enlarge(descriptor) }
    isEnlarged = true
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      var room = Int(clinux_pipe_room(descriptor))
      if room <= 0 {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard try blockingSystemCall({ unsafe poll(&wait, 1, Self.patience) }) > 0 else { break }
        // So much always goes then.
        room = Int(PIPE_BUF)
      }
      let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(room))
      if case .done(let count) = try unsafe writeAvailable(piece, to: descriptor) {
        unsafe rest = rest.dropFirst(count)
      }
    }
    return unsafe bytes.count - rest.count
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) { try unsafe stream.write(bytes) }

  func takeBack() throws(Errno) { throw .notSupported }

  func finish() {}
}
