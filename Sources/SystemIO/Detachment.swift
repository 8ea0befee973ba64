internal import CLinux
internal import Glibc

/// Which side of a fork this is.
package enum ForkSide: Sendable {
  /// Where the caller waits: the other process is on its own by now.
  case parent
  case detachedChild
}

/// Splits off a process that has no tie to the caller any more.
///
/// Only while there is a single thread. Returns in the parent when the child is on its own:
/// before that, whatever hits the parent's terminal or group (Ctrl-C, a window that closes) would hit
/// the child too, after the parent had reported success.
///
/// - Parameter descriptors: What the child keeps open.
package func forkDetached(keeping descriptors: [Int32]) throws(Errno) -> ForkSide {
  let pipe = try Pipe()
  let child = try blockingSystemCall { clinux_fork() }
  if child == 0 {
    // The parent waits for the outcome: 0, or the number of the error.
    var outcome: Int32 = 0
    do {
      try cutTies(keeping: descriptors + [pipe.writeEnd.rawValue])
    } catch {
      outcome = error.code
    }
    _ = unsafe write(pipe.writeEnd.rawValue, &outcome, 4)
    // Never back into the caller's code as a second process that failed.
    if outcome != 0 { exitImmediately(1) }
    return .detachedChild
  }
  let (readEnd, writeEnd) = pipe.ends()
  _ = close(writeEnd)
  var outcome: Int32 = 0
  let count = try blockingSystemCall { unsafe read(readEnd, &outcome, 4) }
  _ = close(readEnd)
  // An end without a word: the child was killed before it was on its own.
  if count != 4 { throw .noSuchProcess }
  if outcome != 0 { throw Errno(outcome) }
  return .parent
}

/// Cuts every tie: session and terminal, directory, standard streams and every descriptor but those
/// listed.
///
/// A descriptor that stayed open would make `$(… | clipview copy)` wait for ever; a directory would
/// keep its file system from being unmounted.
private func cutTies(keeping descriptors: [Int32]) throws(Errno) {
  _ = setsid()
  _ = unsafe chdir("/")
  try StandardStream.detachAll()
  var next: Int32 = 3
  for kept in descriptors.sorted() where kept >= next {
    if kept > next { _ = clinux_close_range(UInt32(next), UInt32(kept - 1)) }
    next = kept + 1
  }
  _ = clinux_close_range(UInt32(next), UInt32.max)
}

/// Ends the process at once, without running anything that was set up to run at its end.
package func exitImmediately(_ status: Int32) -> Never { _exit(status) }

/// Lets writes to a broken pipe fail as an error instead of ending the process.
package func ignoreBrokenPipes() { clinux_ignore_signal(SIGPIPE) }

/// Makes a write that would exceed a limit for files an error instead of a signal that ends the process.
package func ignoreFileSizeLimits() { clinux_ignore_signal(SIGXFSZ) }

/// Ends the process as an unhandled SIGPIPE does: quietly, and visibly so to the shell.
package func endByBrokenPipe() -> Never {
  clinux_reset_signal(SIGPIPE)
  _ = raise(SIGPIPE)
  exitImmediately(128 + SIGPIPE)
}
