internal import Glibc
internal import Synchronization
internal import SystemIO

/// A headless sway of our own, on a socket in a directory of its own, ended together with whoever holds
/// it, and with the test process in any case.
///
/// Sway refuses to run as root; where the tests do, it runs as nobody.
package final class SwayCompositor: Sendable {
  /// What `XDG_RUNTIME_DIR` and `WAYLAND_DISPLAY` have to be.
  package let directory: String
  package let display: String
  package let pid: Int32
  private let guardian: Mutex<ChildProcess?>

  /// What went wrong at the start.
  package enum StartError: Error { case notInstalled, noDisplay(String) }

  /// Without sway its tests are skipped on a developer's machine; in continuous integration they run,
  /// and fail.
  package static var isExpected: Bool {
    Programs.allAreRequired
      || ["sway", "wl-copy", "wl-paste"].allSatisfy { Programs.installed($0) != nil }
  }

  /// One that all tests of a process may share.
  package static func shared() throws -> SwayCompositor { try common.get() }

  private static let common = Result { try SwayCompositor() }
  private static let nobody: uid_t = 65534

  /// Starts a compositor and waits until it takes connections.
  ///
  /// - Parameter configuration: Lines of its configuration.
  package init(_ configuration: String = "xwayland disable\n") throws {
    guard let program = Programs.installed("sway") else { throw StartError.notInstalled }
    let isRoot = getuid() == 0
    let place = "/tmp/clipview-sway-\(getpid())-\(uniqueNumber())"
    try Files.makeDirectory(place)
    directory = place
    let file = "\(place)/config"
    let lines = "output * resolution 400x300\ndefault_border none\n" + configuration
    try Files.write(
      Array(lines.utf8), to: try Files.open(file, O_CREAT | O_WRONLY | O_CLOEXEC))
    if isRoot {
      for path in [place, file] { unsafe _ = chown(path, Self.nobody, Self.nobody) }
    }
    // A shell stands between: it kills the compositor when our end of its input closes, which happens
    // even when the test process is killed. exec: the number told is that of the compositor.
    let script = """
      exec 3>&1 1>/dev/null
      sh -c 'echo $$ >&3; exec 3>&-; exec "$@"' compositor "$@" 2>"$0/log" &
      exec 3>&-
      read -r line
      kill $! 2>/dev/null
      wait
      rm -rf "$0"
      """
    let drop = [
      "setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups",
    ]
    let child = try ChildProcess(
      "sh", ["-c", script, place] + (isRoot ? drop : []) + [program, "-c", file],
      environment: Programs.environment([
        "HOME": place, "XDG_RUNTIME_DIR": place, "WLR_BACKENDS": "headless",
        "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
      ]), options: SpawnOptions(input: .open))
    var socket: String?
    child.settle(within: 20) { child in
      socket = Files.names(in: place).first {
        $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock")
      }
      return socket != nil && child.received.contains(UInt8(ascii: "\n")) || !child.isRunning
    }
    guard let socket, let pid = Int32(text(child.received).split(separator: "\n").first ?? "")
    else {
      throw StartError.noDisplay((try? text(Files.read("\(place)/log"))) ?? "")
    }
    display = socket
    self.pid = pid
    guardian = Mutex(child)
  }

  deinit { stop() }

  /// Ends the compositor as a session's end does, and waits for it.
  ///
  /// Harmless when done twice.
  package func stop() {
    guardian.withLock { guardian in
      guard let child = guardian.take() else { return }
      child.endInput()
      _ = child.finish(within: 10)
    }
  }

  /// Ends the compositor at once, as a crash does.
  package func crash() {
    _ = kill(pid, SIGKILL)
    stop()
  }

  /// What a client of this display finds in its environment.
  package func environment(_ additions: [String: String] = [:]) -> [String: String] {
    Programs.environment(additions)
      .merging(["XDG_RUNTIME_DIR": directory, "WAYLAND_DISPLAY": display]) { $1 }
  }
}
