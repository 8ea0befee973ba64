internal import Glibc

/// Looks at processes that are not children of ours, such as those that serve a selection.
package enum Processes {
  /// This one.
  package static var own: Int32 { getpid() }

  /// Whether a process runs.
  ///
  /// One that has ended and whose parent has not noticed yet does not.
  package static func isRunning(_ pid: Int32) -> Bool {
    guard let state = status(pid) else { return false }
    return state.first != "Z" && state.first != "X"
  }

  /// The processes that run an executable on a display.
  package static func running(_ executable: String, display: String) -> [Int32] {
    running(executable, with: "DISPLAY=\(display)")
  }

  /// The processes that run an executable and have a variable in their environment.
  package static func running(_ executable: String, with variable: String) -> [Int32] {
    Files.names(in: "/proc").compactMap { Int32($0) }.filter { pid in
      guard isRunning(pid),
        Files.destination(ofLink: "/proc/\(pid)/exe") == resolved(executable),
        let environment = try? Files.read("/proc/\(pid)/environ")
      else { return false }
      return environment.split(separator: 0).contains {
        $0.elementsEqual(variable.utf8)
      }
    }
  }

  /// The session that a process is in.
  package static func session(of pid: Int32) -> Int32? {
    status(pid).flatMap { $0.count > 3 ? Int32($0[3]) : nil }
  }

  /// Whether a process is stopped by a signal.
  package static func isStopped(_ pid: Int32) -> Bool { status(pid)?.first == "T" }

  /// The memory of a process that no file stands behind, in bytes; nil where it is gone.
  package static func anonymousMemory(of pid: Int32) -> Int? { memory("RssAnon:", of: pid) }

  /// The memory of a process but for the program and its libraries, which other files stand behind, in
  /// bytes; nil where it is gone.
  package static func ownMemory(of pid: Int32) -> Int? {
    guard let anonymous = anonymousMemory(of: pid), let shared = memory("RssShmem:", of: pid) else {
      return nil
    }
    return anonymous + shared
  }

  /// The memory that a process has in use now, shared memory included, in bytes; nil where it is gone.
  package static func residentMemory(of pid: Int32) -> Int? { memory("VmRSS:", of: pid) }

  /// The most memory that a process has had at one moment, shared memory included, in bytes; nil
  /// where it is gone.
  package static func peakMemory(of pid: Int32) -> Int? { memory("VmHWM:", of: pid) }

  private static func memory(_ name: String, of pid: Int32) -> Int? {
    guard let bytes = try? Files.read("/proc/\(pid)/status") else { return nil }
    let line = text(bytes).split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first
      .map { $0 * 1024 }
  }

  /// The processor time that a process has used, in hundredths of a second; nil where it is gone.
  package static func processorTime(of pid: Int32) -> Int? {
    guard let fields = status(pid), fields.count > 12, let user = Int(fields[11]),
      let system = Int(fields[12])
    else { return nil }
    return user + system
  }

  /// The children of a process, those among them that have ended and were not asked for their end.
  package static func children(of pid: Int32) -> [Int32] {
    guard let bytes = try? Files.read("/proc/\(pid)/task/\(pid)/children") else { return [] }
    return text(bytes).split(separator: " ").compactMap { Int32($0) }
  }

  /// How often a process has gone to sleep; nil where it is gone.
  package static func sleeps(of pid: Int32) -> Int? {
    guard let bytes = try? Files.read("/proc/\(pid)/status") else { return nil }
    let line = text(bytes).split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    return line?.split(separator: "\t").last.flatMap { Int($0) }
  }

  /// Waits until a process sleeps and goes on to: what it sleeps in is the same sleep for as long as one
  /// looks.
  package static func comeToRest(_ pid: Int32) -> Bool {
    eventually {
      let before = sleeps(of: pid)
      return before != nil && !eventually(within: 0.5) { sleeps(of: pid) != before }
    }
  }

  /// Sends a signal to a process that is no child of ours.
  package static func send(signal: Int32, to pid: Int32) { _ = kill(pid, signal) }

  /// The parent, group and session of a process follow its state.
  private static func status(_ pid: Int32) -> [Substring]? {
    guard let bytes = try? Files.read("/proc/\(pid)/stat") else { return nil }
    // The name before it may hold anything, also blanks and parentheses.
    let line = text(bytes)
    guard let end = line.lastIndex(of: ")") else { return nil }
    return line[line.index(after: end)...].split(separator: " ")
  }

  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
