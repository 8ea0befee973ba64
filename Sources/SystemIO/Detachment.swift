internal import CLinux
internal import Glibc

/// Which side of a fork this is.
package enum ForkSide: Sendable {
  case parent(child: Int32)
  case child
}

/// Splits the process.
///
/// Only while it has a single thread.
package func forkProcess() throws(Errno) -> ForkSide {
  let child = try blockingSystemCall { clinux_fork() }
  return child == 0 ? .child : .parent(child: child)
}

/// Cuts every tie to the caller: its session and terminal, its directory, its standard streams and
/// every descriptor but those listed.
///
/// A descriptor that stayed open would make `$(… | clipview copy)` wait for ever; a session that was
/// shared would let Ctrl-C or Ctrl-Z in the terminal reach the process that holds the clipboard.
package func detachFromCaller(keeping descriptors: [Int32]) throws(Errno) {
  _ = setsid()
  // A directory held would keep its file system from being unmounted.
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
package func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

/// Ends the process as an unhandled SIGPIPE does: quietly, and visibly so to the shell.
package func endByBrokenPipe() -> Never {
  _ = signal(SIGPIPE, SIG_DFL)
  _ = raise(SIGPIPE)
  exitImmediately(128 + SIGPIPE)
}
