internal import CLinux
internal import Glibc

/// Writes a directory beside its place and puts it there in one step: whoever looks sees what was
/// there before or all of the new, and a failure or an interruption (Ctrl-C) leaves nothing behind.
///
/// A directory that is there already is replaced when it is empty or when the caller says that it may
/// be; else the error is ``Errno/exists`` and nothing is touched.
///
/// - Parameters:
///   - isPrivate: Whether nobody but the user may look into a new directory.
///   - names: The names of its files.
///   - mayReplace: Whether a directory with these names in it may go. Only they are ever removed.
///   - fill: Fills one of the files, by its place among the names.
package func replaceDirectory(
  at path: FilePath, isPrivate: Bool = false, names: [String], mayReplace: ([String]) -> Bool,
  filling fill: (Int, (UnsafeRawBufferPointer) throws(Errno) -> Void) throws(Errno) -> Void
) throws(Errno) {
  var status = stat()
  let exists = unsafe path.withCString { unsafe stat($0, &status) } == 0
  var old: [String] = []
  if exists {
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notDirectory }
    old = try namesInDirectory(path)
    if !old.isEmpty, !mayReplace(old) { throw .exists }
  }
  guard let place = exists ? resolved(path) : path.withoutClosingSlashes else { throw .notFound }
  let temporary = place.directory.appending(
    ".clipview-\(getpid())-\(UInt32.random(in: 0 ... .max))")
  let mode: mode_t = isPrivate ? 0o700 : 0o777
  let hold = SignalHold()
  defer { hold.end() }
  try blockingSystemCall { unsafe temporary.withCString { unsafe mkdir($0, mode) } }
  do throws(Errno) {
    for (index, name) in names.enumerated() {
      let file = try makeFile(temporary.appending(name), isPrivate: isPrivate)
      let descriptor = file.rawValue
      try unsafe fill(index) { bytes throws(Errno) in
        if hold.hasPending { throw .interrupted }
        try unsafe writeFully(bytes, to: descriptor)
      }
      if hold.hasPending { throw .interrupted }
      try file.close()
    }
    if exists {
      _ = unsafe temporary.withCString { unsafe chmod($0, status.st_mode & 0o7777) }
    }
    if old.isEmpty {
      // An empty directory gives way by itself.
      try rename(temporary, to: place)
    } else {
      try exchange(temporary, with: place)
      remove(temporary, old)
    }
  } catch {
    remove(temporary, names)
    throw error
  }
}

/// Opens a file for writing that is not there yet.
private func makeFile(_ path: FilePath, isPrivate: Bool) throws(Errno) -> OwnedFD {
  let mode: mode_t = isPrivate ? 0o600 : 0o666
  return OwnedFD(
    adopting: try blockingSystemCall {
      unsafe path.withCString {
        unsafe clinux_open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      }
    })
}

private func rename(_ from: FilePath, to place: FilePath) throws(Errno) {
  try blockingSystemCall {
    unsafe from.withCString { from in unsafe place.withCString { unsafe rename(from, $0) } }
  }
}

/// Swaps two directories, in one step where the file system can.
private func exchange(_ new: FilePath, with place: FilePath) throws(Errno) {
  let isDone = unsafe new.withCString { new in
    unsafe place.withCString { unsafe clinux_exchange(new, $0) } == 0
  }
  if isDone { return }
  guard errno == EINVAL || errno == ENOSYS else { throw .current }
  let aside = FilePath(bytes: new.bytes + Array("-old".utf8))
  try rename(place, to: aside)
  do throws(Errno) {
    try rename(new, to: place)
  } catch {
    try? rename(aside, to: place)
    throw error
  }
  try? rename(aside, to: new)
}

/// Removes a directory that holds nothing but these.
private func remove(_ directory: FilePath, _ names: [String]) {
  for name in names { _ = unsafe directory.appending(name).withCString { unsafe unlink($0) } }
  _ = unsafe directory.withCString { unsafe rmdir($0) }
}

/// The names in a directory without `.` and `..`, in no order; what is not UTF-8 becomes U+FFFD.
package func namesInDirectory(_ path: FilePath) throws(Errno) -> [String] {
  guard let stream = unsafe path.withCString({ unsafe opendir($0) }) else { throw .current }
  defer { _ = unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe clinux_next_name(stream) {
    let name = unsafe String(cString: entry)
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Holds back the signals that end a program from outside, while something half-made lies about.
///
/// They take effect when the hold ends; ``hasPending`` tells that it had better be soon.
private struct SignalHold {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private var before = sigset_t()

  init() {
    var held = sigset_t()
    unsafe sigemptyset(&held)
    for signal in Self.signals { unsafe sigaddset(&held, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
  }

  func end() {
    var before = before
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Whether one of them came that nobody held back before.
  var hasPending: Bool {
    var before = before
    var pending = sigset_t()
    guard unsafe sigpending(&pending) == 0 else { return false }
    return Self.signals.contains {
      unsafe sigismember(&pending, $0) == 1 && sigismember(&before, $0) == 0
    }
  }
}
