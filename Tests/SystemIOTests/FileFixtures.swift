import Glibc
import SystemIO
import TestSupport

extension TemporaryDirectory {
  /// The path of a name in the directory.
  func path(_ name: String) -> FilePath { FilePath("\(path)/\(name)") }

  /// A file with these permissions, whatever the process's mask.
  func make(_ name: String, _ contents: [UInt8], mode: mode_t = 0o644) throws -> FilePath {
    let path = try write(contents, to: name)
    try blockingSystemCall { unsafe chmod(path, mode) }
    return FilePath(path)
  }

  func link(_ name: String, to target: String) throws -> FilePath {
    try blockingSystemCall { unsafe symlink(target, "\(path)/\(name)") }
    return path(name)
  }
}

extension FilePath {
  /// What stat says, following a link or not.
  func status(ofLink: Bool = false) throws -> stat {
    var status = stat()
    try blockingSystemCall {
      unsafe ofLink ? lstat(description, &status) : stat(description, &status)
    }
    return status
  }

  func mode() throws -> mode_t { try status().st_mode & 0o7777 }

  /// Whether it is of this kind (`S_IFREG` and so on).
  func isKind(_ kind: mode_t) throws -> Bool { try status(ofLink: true).st_mode & S_IFMT == kind }
}

/// Runs something on a thread of its own, for what blocks on its other end.
final class Background {
  private final class Body: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    // Released by the thread, which starts exactly once.
    let argument = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, argument)
    precondition(code == 0, "no thread for a test")
  }

  func wait() { _ = pthread_join(thread, nil) }
}
