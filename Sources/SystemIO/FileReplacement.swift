internal import CLinux
internal import Glibc

/// Writes a file beside its place and renames it there: a reader sees the old file or the whole new
/// one, never a part, and an interruption leaves nothing behind.
///
/// Without a name while it is filled, where the file system can (`O_TMPFILE`); else under a name of
/// its own that is taken away again on failure. An existing file keeps its permissions. A target
/// that is no regular file (`/dev/stdout`, a named pipe), or one that has no name any more (a
/// deleted file behind `/dev/stdout`), is written in place, as it must be.
///
/// - Parameter isPrivate: Whether nobody but the user may read a new file.
package func replaceFile(
  at path: FilePath, isPrivate: Bool = false, writing chunks: FileFilling
) throws(Errno) {
  var status = stat()
  let exists = unsafe path.withCString { unsafe stat($0, &status) } == 0
  // A symbolic link is followed: its target is replaced, the link stays.
  let place = exists ? resolved(path) : path
  // A link to a file that is not there yet: that file is made, as a shell would.
  if !exists, isSymbolicLink(path) {
    return try unsafe writeInPlace(path, O_CREAT, chunks)
  }
  guard let place, !exists || status.st_mode & S_IFMT == S_IFREG else {
    if status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
    return try unsafe writeInPlace(path, O_TRUNC, chunks)
  }
  let directory = place.directory
  let mode: mode_t = exists ? status.st_mode & 0o7777 : isPrivate ? 0o600 : 0o666
  let draft = try FileDraft(in: directory, mode: mode)
  try unsafe draft.write(chunks)
  if exists { draft.setMode(mode) }
  try draft.put(at: place)
}

/// What fills a file: called with a function that takes the next bytes.
package typealias FileFilling =
  ((UnsafeRawBufferPointer) throws(Errno) -> Void) throws(Errno) -> Void

private func writeInPlace(
  _ path: FilePath, _ flags: Int32, _ chunks: FileFilling
) throws(Errno) {
  let descriptor = try blockingSystemCall {
    unsafe path.withCString {
      unsafe clinux_open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, 0o666)
    }
  }
  let file = OwnedFD(adopting: descriptor)
  try unsafe chunks { bytes throws(Errno) in try unsafe writeFully(bytes, to: descriptor) }
  try file.close()
}

private func isSymbolicLink(_ path: FilePath) -> Bool {
  var status = stat()
  return unsafe path.withCString { unsafe lstat($0, &status) } == 0
    && status.st_mode & S_IFMT == S_IFLNK
}

func resolved(_ path: FilePath) -> FilePath? {
  guard let real = unsafe path.withCString({ unsafe realpath($0, nil) }) else { return nil }
  defer { unsafe free(real) }
  return unsafe FilePath(bytes: Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
}
