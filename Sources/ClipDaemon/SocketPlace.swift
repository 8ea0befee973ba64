import DaemonBackend
import SystemIO

/// Where the service can be found: the socket, and the lock that says that it is ours.
final class SocketPlace {
  /// The socket, where it is ours to take away; nil where the service manager made it.
  private(set) var path: FilePath?
  /// Nobody but this user can look into it, and no other service uses it as long as this one lives.
  let directory: FilePath
  private let lock: ExclusiveLock

  init() throws(StartFailure) {
    do throws(RuntimeDirectory.Problem) {
      directory = try RuntimeDirectory.makePrivate(
        ControlSocket.directoryName, in: try RuntimeDirectory.base())
    } catch {
      throw StartFailure(.noPlace, Self.words(error))
    }
    guard let lock = try Self.lock(directory.appending(ControlSocket.lockName)) else {
      throw StartFailure(
        .alreadyRuns, "another clipd serves this user already: see 'clipview status'")
    }
    self.lock = lock
  }

  private static func lock(_ path: FilePath) throws(StartFailure) -> ExclusiveLock? {
    do throws(Errno) {
      return try ExclusiveLock.taking(path)
    } catch {
      throw StartFailure(.noPlace, "cannot use \(path.description): \(error.message)")
    }
  }

  /// The socket that the service manager made for us, else one of our own.
  func listener() throws(StartFailure) -> LocalListener {
    if let inherited = ServiceManager.inheritedListener() { return inherited }
    let path = directory.appending(ControlSocket.socketName)
    do throws(Errno) {
      // Left behind by one that was killed: the lock is ours, so nobody listens there.
      try removeFile(at: path)
      let listener = try LocalListener(at: path)
      self.path = path
      return listener
    } catch {
      throw StartFailure(
        .noPlace, "no socket can be made at \(path.description): \(error.message)")
    }
  }

  /// Takes the socket away, so that nobody looks for us where nobody is.
  func leave() { if let path { try? removeFile(at: path) } }

  private static func words(_ problem: RuntimeDirectory.Problem) -> String {
    switch problem {
    case .none: "there is no runtime directory: set XDG_RUNTIME_DIR"
    case .system(let path, let error): "cannot use \(path): \(error.message)"
    case .notPrivate(let path):
      "\(path) does not belong to this user: set XDG_RUNTIME_DIR to a directory that does"
    }
  }
}
