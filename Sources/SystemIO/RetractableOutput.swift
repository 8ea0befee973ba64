internal import CLinux
internal import Glibc

/// Output of which nothing remains where it is given up before it is whole, be it by a signal.
///
/// One at a time in a process.
package protocol RetractableOutput: AnyObject {
  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno)
  /// Takes back all that was written; then it may be written anew.
  func takeBack() throws(Errno)
  /// It is whole.
  func finish() throws(Errno)
}

/// A standard stream that leads where it can be taken back: a regular file, which it was written to at
/// the end, or nowhere.
package final class RetractableStream: RetractableOutput {
  private let stream: StandardStream

  /// Nil where what is written cannot be taken back: a pipe, a terminal, the middle of a file.
  package init?(_ stream: StandardStream) {
    let descriptor = stream.rawValue
    self.stream = stream
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      let isAppended = clinux_fcntl(descriptor, F_GETFL, 0) & O_APPEND != 0
      guard isAppended || lseek(descriptor, 0, SEEK_CUR) == status.st_size else { return nil }
      guard clinux_begin_output(descriptor, status.st_size, nil) == 0 else { return nil }
    case S_IFCHR where status.st_rdev == Self.nullDevice: break
    default: return nil
    }
  }

  private static let nullDevice = dev_t(1 << 8 | 3)

  package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) { try unsafe stream.write(bytes) }

  package func takeBack() throws(Errno) { try blockingSystemCall { clinux_take_back_output() } }

  package func finish() { clinux_end_output() }
}
