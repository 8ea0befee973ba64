internal import Glibc
internal import SystemIO

/// Where the programs are that the tests run, and what those programs find in their environment.
package enum Programs {
  /// The `clipview` that was built together with the tests, or the one which `CLIPVIEW_BINARY` names.
  package static let clipview: String = {
    if let given = variable("CLIPVIEW_BINARY"), !given.isEmpty { return given }
    return buildDirectory + "/clipview"
  }()

  /// The `clipd` that was built together with the tests, or the one which `CLIPD_BINARY` names.
  package static let clipd: String = {
    if let given = variable("CLIPD_BINARY"), !given.isEmpty { return given }
    return buildDirectory + "/clipd"
  }()

  /// The directory of the running test program.
  package static let buildDirectory: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let path = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return text(Array(path[..<slash]))
  }()

  /// The full path of an installed program; nil where there is none.
  package static func installed(_ name: String) -> String? {
    for directory in (variable("PATH") ?? "/usr/bin:/bin").split(separator: ":") {
      let path = "\(directory)/\(name)"
      if unsafe access(path, X_OK) == 0 { return path }
    }
    return nil
  }

  /// Whether a missing program is a failure (in continuous integration) instead of a reason to skip.
  package static var allAreRequired: Bool { variable("CI") == "true" }

  /// What every child process of the tests starts from: nothing of the caller's session, so no
  /// display, no authority file and no daemon but those of the test.
  package static func environment(_ additions: [String: String] = [:]) -> [String: String] {
    var environment = [
      "PATH": variable("PATH") ?? "/usr/bin:/bin",
      "HOME": TemporaryDirectory.shared.path,
      "XDG_RUNTIME_DIR": TemporaryDirectory.shared.path,
      "LC_ALL": "C.UTF-8",
      "TERM": "xterm-256color",
      // A crash must be told by its signal at once, not after seconds of symbol look-up.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    // Programs built with a sanitizer report where the tests' own process does.
    let handedOn = [
      "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]
    for name in handedOn { environment[name] = variable(name) }
    for (name, value) in additions { environment[name] = value }
    return environment
  }

  /// Whether the tests and the program under test were built with a sanitizer, which needs memory of
  /// its own.
  package static var areSanitized: Bool {
    variable("ASAN_OPTIONS") != nil || variable("TSAN_OPTIONS") != nil
  }

  /// A variable of our own environment.
  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}

/// A private directory, removed with all that is in it when the owner goes.
package final class TemporaryDirectory: Sendable {
  package let path: String

  /// One for the whole run.
  ///
  /// It is removed when the process ends.
  package static let shared: TemporaryDirectory = {
    let directory = TemporaryDirectory()
    atexit { TemporaryDirectory.shared.remove() }
    return directory
  }()

  package init() {
    var template = Array("/tmp/clipview-tests.XXXXXX".utf8CString)
    let made = unsafe mkdtemp(&template) != nil
    precondition(made, "no temporary directory can be made")
    path = text(template.dropLast().map { UInt8(bitPattern: $0) })
  }

  deinit { remove() }

  /// Writes a file into the directory.
  ///
  /// - Returns: Its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = "\(self.path)/\(name)"
    let file = try Files.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
    try Files.write(bytes, to: file)
    try file.close()
    return path
  }

  /// Writes a file whose name need not be UTF-8.
  package func write(_ bytes: [UInt8], named name: [UInt8]) throws {
    let path = (Array("\(path)/".utf8) + name).map { CChar(bitPattern: $0) } + [0]
    let file = OwnedFD(
      adopting: try blockingSystemCall { unsafe creat(path, 0o600) })
    try Files.write(bytes, to: file)
    try file.close()
  }

  /// The names in the directory, sorted.
  package var names: [String] { Files.names(in: path).sorted() }

  private func remove() { Self.remove(Array(path.utf8CString.dropLast())) }

  /// By the bytes of the names, which need not be UTF-8.
  private static func remove(_ directory: [CChar]) {
    for name in Files.rawNames(in: directory) {
      let inner = directory + [CChar(bitPattern: UInt8(ascii: "/"))] + name
      // Programs leave folders of their own where they find their home, as xsel does.
      if unsafe unlink(inner + [0]) != 0 { remove(inner) }
    }
    unsafe _ = rmdir(directory + [0])
  }
}
