internal import CLinux
internal import Glibc

/// Writes a file beside its place and renames it there: a reader sees the old file or the whole new
/// one, never a part, and an interruption leaves nothing behind.
///
/// Without a name while it is filled, where the file system can (`O_TMPFILE`); else under a name of
/// its own that is taken away again on failure. An existing file keeps its permissions. A target
/// that is no regular file (`/dev/stdout`, a named pipe) is written in place, as it must be.
package func replaceFile(
  at path: FilePath,
  writing chunks: ((UnsafeRawBufferPointer) throws(Errno) -> Void) throws(Errno) -> Void
) throws(Errno) {
  var status = stat()
  let exists = unsafe path.withCString { unsafe stat($0, &status) } == 0
  if exists && status.st_mode & S_IFMT != S_IFREG {
    if status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
    let descriptor = try blockingSystemCall {
      unsafe path.withCString { unsafe clinux_open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0) }
    }
    let file = OwnedFD(adopting: descriptor)
    try unsafe chunks { bytes throws(Errno) in try unsafe writeFully(bytes, to: descriptor) }
    try file.close()
    return
  }
  // A symbolic link is followed: its target is replaced, the link stays.
  let place = exists ? (resolved(path) ?? path) : path
  let directory = place.directory
  let mode: mode_t = exists ? status.st_mode & 0o7777 : 0o666
  let temporary = directory.appending(".clipview-\(getpid())-\(UInt32.random(in: 0 ... .max))")

  var descriptor = unsafe directory.withCString { unsafe clinux_open_unnamed($0, mode) }
  let isUnnamed = descriptor >= 0
  if !isUnnamed {
    guard errno == EOPNOTSUPP else { throw .current }
    descriptor = try blockingSystemCall {
      unsafe temporary.withCString {
        unsafe clinux_open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      }
    }
  }
  let file = OwnedFD(adopting: descriptor)
  var isNamed = !isUnnamed
  do throws(Errno) {
    try unsafe chunks { bytes throws(Errno) in try unsafe writeFully(bytes, to: descriptor) }
    if exists { _ = fchmod(descriptor, mode) }
    if isUnnamed {
      try blockingSystemCall {
        unsafe temporary.withCString { unsafe clinux_link_unnamed(descriptor, $0) }
      }
      isNamed = true
    }
    try file.close()
    try blockingSystemCall {
      unsafe temporary.withCString { from in unsafe place.withCString { unsafe rename(from, $0) } }
    }
  } catch {
    if isNamed { _ = unsafe temporary.withCString { unsafe unlink($0) } }
    throw error
  }
}

private func resolved(_ path: FilePath) -> FilePath? {
  guard let real = unsafe path.withCString({ unsafe realpath($0, nil) }) else { return nil }
  defer { unsafe free(real) }
  return unsafe FilePath(bytes: Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
}
