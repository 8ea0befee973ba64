internal import CLinux
internal import Glibc

/// The directory of the user's session: `XDG_RUNTIME_DIR`, else the one that the system makes for the
/// user, whether it is there or not.
package func runtimeDirectory() -> String {
  environmentVariable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
}

/// Where the sockets and the short-lived files of this user's session are.
package enum RuntimeDirectory {
  /// Why there is none that can be used.
  package enum Problem: Error, Hashable, Sendable {
    /// `XDG_RUNTIME_DIR` is not set and `/run/user/UID` is not there.
    case none
    case system(path: String, Errno)
    /// Somebody else could put files there, or take ours away.
    case notPrivate(path: String)
  }

  /// `XDG_RUNTIME_DIR`, else `/run/user/UID` where that is ours.
  package static func base() throws(Problem) -> FilePath {
    if let set = environmentVariable("XDG_RUNTIME_DIR"), set.hasPrefix("/") {
      return FilePath(set)
    }
    let usual = FilePath("/run/user/\(getuid())")
    var status = stat()
    guard unsafe usual.withCString({ unsafe lstat($0, &status) }) == 0 else { throw .none }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
      throw .notPrivate(path: usual.description)
    }
    return usual
  }

  /// A directory of our own in it that nobody else can look into, made where it is not there.
  package static func makePrivate(_ name: String, in base: FilePath) throws(Problem) -> FilePath {
    let path = base.appending(name)
    let made = unsafe path.withCString { unsafe mkdir($0, 0o700) }
    if made != 0, Errno.current != .exists {
      throw .system(path: path.description, .current)
    }
    var status = stat()
    guard unsafe path.withCString({ unsafe lstat($0, &status) }) == 0 else {
      throw .system(path: path.description, .current)
    }
    // A link, or somebody else's directory, is how one user would have another write where he likes.
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
      throw .notPrivate(path: path.description)
    }
    if status.st_mode & 0o077 != 0 {
      guard unsafe path.withCString({ unsafe chmod($0, 0o700) }) == 0 else {
        throw .system(path: path.description, .current)
      }
    }
    return path
  }
}

/// A file that only one process can have: the system lets go of it when that process ends, however
/// it does.
package struct ExclusiveLock: ~Copyable {
  private let file: OwnedFD

  private init(_ file: consuming OwnedFD) { self.file = file }

  /// Nil where another process has it.
  package static func taking(_ path: FilePath) throws(Errno) -> ExclusiveLock? {
    let descriptor = try blockingSystemCall {
      unsafe path.withCString {
        unsafe clinux_open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
      }
    }
    let file = OwnedFD(adopting: descriptor)
    guard clinux_lock(descriptor) == 0 else {
      if Errno.current == .wouldBlock { return nil }
      throw .current
    }
    return ExclusiveLock(file)
  }
}

/// Takes a file's name away; nothing where there is none.
package func removeFile(at path: FilePath) throws(Errno) {
  guard unsafe path.withCString({ unsafe unlink($0) }) != 0, Errno.current != .notFound else {
    return
  }
  throw .current
}

/// Gives memory that was freed back to the system.
package func giveBackFreedMemory() { clinux_give_back_freed_memory() }

/// The number of this process.
package var ownProcessID: Int32 { getpid() }
