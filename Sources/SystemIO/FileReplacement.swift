internal import CLinux
internal import Glibc

/// Writes a file beside its place and renames it there: a reader sees the old file or the whole new
/// one, never a part, and a failure leaves nothing behind.
///
/// As ``FileReplacement`` does. A target that is no regular file (`/dev/stdout`, a named pipe), or one
/// that has no name any more (a deleted file behind `/dev/stdout`), is written in place, as it must be.
///
/// - Parameter isPrivate: Whether nobody but the user may read a new file.
package func replaceFile(
  at path: FilePath, isPrivate: Bool = false, writing chunks: FileFilling
) throws(Errno) {
  if let replacement = try FileReplacement(of: path, isPrivate: isPrivate) {
    try unsafe chunks { bytes throws(Errno) in try unsafe replacement.write(bytes) }
    return try replacement.finish()
  }
  switch FileReplacement.place(of: path) {
  case .isDirectory: throw .isDirectory
  // A link to a file that is not there yet: that file is made, as a shell would.
  case .isDangling: try unsafe writeInPlace(path, O_CREAT, chunks)
  case .isFile, .isSpecial: try unsafe writeInPlace(path, O_TRUNC, chunks)
  }
}

/// A file on its way into the place of another one.
///
/// Without a name while it is filled, where the file system can (`O_TMPFILE`); else under a name of
/// its own that is taken away again on failure. An existing file keeps its permissions.
package final class FileReplacement: ProgressiveOutput {
  package let minimumHead = 0
  package let canBeTakenBack = true

  private let draft: FileDraft
  private let place: FilePath
  private let mode: mode_t?

  enum Place {
    /// A regular file, or none yet; which one, links followed.
    case isFile(FilePath, mode: mode_t?)
    case isDirectory
    /// A link to nothing.
    case isDangling
    /// What can only be written where it is.
    case isSpecial
  }

  static func place(of path: FilePath) -> Place {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else {
      return isSymbolicLink(path) ? .isDangling : .isFile(path, mode: nil)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .isDirectory
    case S_IFREG:
      // A symbolic link is followed: its target is replaced, the link stays.
      return resolved(path).map { .isFile($0, mode: status.st_mode & 0o7777) } ?? .isSpecial
    default: return .isSpecial
    }
  }

  /// Nil where nothing can be put in the place of what is there.
  ///
  /// - Parameter isPrivate: Whether nobody but the user may read a new file.
  package init?(of path: FilePath, isPrivate: Bool = false) throws(Errno) {
    guard case .isFile(let place, let mode) = Self.place(of: path) else { return nil }
    self.place = place
    self.mode = mode
    draft = try FileDraft(in: place.directory, mode: mode ?? (isPrivate ? 0o600 : 0o666))
  }

  /// Has what lies about meanwhile taken away where a signal ends the process, from now until
  /// ``finish()``; for the one output of a program.
  package func cleanUpAtSignals() {
    guard let name = draft.temporaryName else { return }
    _ = unsafe name.withCString { unsafe clinux_begin_output(-1, $0) }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    try unsafe draft.write { write throws(Errno) in try unsafe write(bytes) }
  }

  package func takeBack() throws(Errno) { try draft.empty() }

  package func finish() throws(Errno) {
    if let mode { draft.setMode(mode) }
    try draft.put(at: place)
    if draft.temporaryName != nil { clinux_end_output() }
  }
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
