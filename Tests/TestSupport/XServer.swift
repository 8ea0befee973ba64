internal import Glibc
internal import SystemIO
internal import Synchronization

/// An `Xvfb` of our own on a display that it chose itself, ended together with whoever holds it, and
/// with the test process in any case.
package final class XServer: Sendable {
  /// What `DISPLAY` has to be.
  package let display: String
  package let pid: Int32
  private let guardian: Mutex<ChildProcess?>

  /// What went wrong at the start.
  package enum StartError: Error { case notInstalled, noDisplay(String) }

  /// Whether tests with a display run.
  ///
  /// Without an Xvfb they are skipped on a developer's machine; in
  /// continuous integration they run, and fail.
  package static var isExpected: Bool {
    Programs.allAreRequired || Programs.installed("Xvfb") != nil
  }

  /// A server that all tests of a process may share.
  package static func shared() throws -> XServer { try common.get() }

  private static let common = Result { try XServer() }

  /// Starts a server and waits until it takes connections.
  package init(arguments: [String] = []) throws {
    guard let program = Programs.installed("Xvfb") else { throw StartError.notInstalled }
    // A shell stands between: it kills the server when our end of its input closes, which happens
    // even when the test process is killed. The inner shell tells its own number, which stays that
    // of the server. -noreset: without it the server restarts whenever its last client leaves.
    let script = """
      exec 3>&1 1>/dev/null
      sh -c 'echo $$ >&3; exec "$@"' server "$@" -displayfd 3 &
      exec 3>&-
      read -r line
      kill $! 2>/dev/null
      wait
      """
    let child = try ChildProcess(
      "sh",
      [
        "-c", script, "guardian", program, "-noreset", "-screen", "0", "640x480x24", "-nolisten",
        "tcp",
      ] + arguments,
      environment: Programs.environment(), options: SpawnOptions(input: .open))
    child.settle(within: 20) { child in
      child.received.count { $0 == UInt8(ascii: "\n") } == 2 || !child.isRunning
    }
    let lines = text(child.received).split(separator: "\n").compactMap { Int32($0) }
    guard lines.count == 2 else { throw StartError.noDisplay(text(child.receivedErrors)) }
    pid = lines[0]
    display = ":\(lines[1])"
    guardian = Mutex(child)
  }

  deinit { stop() }

  /// Ends the server as a session's end does, and waits for it.
  ///
  /// Harmless when done twice.
  package func stop() {
    guardian.withLock { guardian in
      guard let child = guardian.take() else { return }
      child.endInput()
      _ = child.finish(within: 10)
    }
  }

  /// Ends the server at once, as a crash does.
  package func crash() {
    _ = kill(pid, SIGKILL)
    stop()
    // What the server would have taken away itself.
    unsafe _ = unlink("/tmp/.X11-unix/X\(display.dropFirst())")
    unsafe _ = unlink("/tmp/.X\(display.dropFirst())-lock")
  }

  /// What a client of this display finds in its environment.
  package func environment(_ additions: [String: String] = [:]) -> [String: String] {
    Programs.environment(additions).merging(["DISPLAY": display]) { $1 }
  }
}
