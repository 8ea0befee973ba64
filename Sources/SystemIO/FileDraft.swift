internal import CLinux
internal import Glibc

/// A file that is written before it has its place: without a name where the file system can
/// (`O_TMPFILE`), so that nothing is left of one that is given up, however the process ends; else
/// under a name of its own, which is taken away when it is let go.
///
/// It may be written on one thread and put in place on another.
package final class FileDraft: Sendable {
  private let file: OwnedFD
  private let temporary: FilePath
  private let isUnnamed: Bool

  /// Its name until it is in place; nil where it has none.
  var temporaryName: FilePath? { isUnnamed ? nil : temporary }

  /// What the names of files begin with that are not in place yet.
  package static let prefix = ".clipview-"

  /// Writes a file that nobody but the user may read.
  package convenience init(
    privateIn directory: FilePath, writing chunks: FileFilling
  ) throws(Errno) {
    try self.init(in: directory, mode: 0o600)
    try unsafe write(chunks)
  }

  /// Opens an empty one; the process's mask takes its part of the mode.
  init(in directory: FilePath, mode: mode_t) throws(Errno) {
    let temporary = directory.appending(
      "\(Self.prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))")
    var descriptor = unsafe directory.withCString { unsafe clinux_open_unnamed($0, mode) }
    isUnnamed = descriptor >= 0
    if !isUnnamed {
      guard errno == EOPNOTSUPP else { throw .current }
      descriptor = try blockingSystemCall {
        unsafe temporary.withCString {
          unsafe clinux_open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        }
      }
    }
    file = OwnedFD(adopting: descriptor)
    self.temporary = temporary
  }

  // One that is in place has its name no more, and no other file ever has it.
  deinit { _ = unsafe temporary.withCString { unsafe unlink($0) } }

  func write(_ chunks: FileFilling) throws(Errno) {
    let descriptor = file.rawValue
    try unsafe chunks { bytes throws(Errno) in try unsafe writeFully(bytes, to: descriptor) }
  }

  /// Takes away all that was written.
  func empty() throws(Errno) {
    let descriptor = file.rawValue
    try blockingSystemCall { ftruncate(descriptor, 0) }
    try blockingSystemCall { lseek(descriptor, 0, SEEK_SET) }
  }

  /// Gives it exactly these permissions.
  func setMode(_ mode: mode_t) { _ = fchmod(file.rawValue, mode) }

  /// Puts it in place, in one step: whoever looks sees what was there before or all of this.
  package func put(at place: FilePath) throws(Errno) {
    let descriptor = file.rawValue
    // Some file systems tell only at a close what they could not write.
    try OwnedFD(adopting: try blockingSystemCall { clinux_fcntl(descriptor, F_DUPFD_CLOEXEC, 0) })
      .close()
    if isUnnamed {
      // Where nothing is in its place yet that is all.
      if unsafe place.withCString({ unsafe clinux_link_unnamed(descriptor, $0) }) == 0 { return }
      guard Errno.current == .exists else { throw .current }
      try blockingSystemCall {
        unsafe temporary.withCString { unsafe clinux_link_unnamed(descriptor, $0) }
      }
    }
    try blockingSystemCall {
      unsafe temporary.withCString { from in unsafe place.withCString { unsafe rename(from, $0) } }
    }
  }
}

/// The bytes that the file system of a directory has left for this user.
package func freeSpace(in directory: FilePath) throws(Errno) -> Int {
  var facts = statvfs()
  try blockingSystemCall { unsafe directory.withCString { unsafe statvfs($0, &facts) } }
  let (bytes, overflow) = Int(clamping: facts.f_bavail)
    .multipliedReportingOverflow(by: Int(clamping: facts.f_frsize))
  return overflow ? .max : bytes
}

/// The size of a file, without following a link.
package func fileSize(at path: FilePath) throws(Errno) -> Int {
  var status = stat()
  try blockingSystemCall { unsafe path.withCString { unsafe lstat($0, &status) } }
  return Int(status.st_size)
}
