internal import Glibc

/// An error number of the system: an open set, so a struct with named constants.
package struct Errno: Error, Hashable, Sendable {
  package let code: Int32

  package init(_ code: Int32) { self.code = code }

  package static var current: Errno { Errno(errno) }

  package static let notFound = Errno(ENOENT)
  package static let exists = Errno(EEXIST)
  package static let noSuchProcess = Errno(ESRCH)
  package static let interrupted = Errno(EINTR)
  package static let wouldBlock = Errno(EAGAIN)
  package static let badDescriptor = Errno(EBADF)
  package static let badAddress = Errno(EFAULT)
  package static let brokenPipe = Errno(EPIPE)
  package static let invalidArgument = Errno(EINVAL)
  package static let isDirectory = Errno(EISDIR)
  /// A symbolic link where none is followed.
  package static let isLink = Errno(ELOOP)
  package static let notDirectory = Errno(ENOTDIR)
  package static let noMemory = Errno(ENOMEM)
  package static let noSpace = Errno(ENOSPC)
  package static let tooLarge = Errno(EFBIG)
  package static let notSupported = Errno(EOPNOTSUPP)
  package static let notPermitted = Errno(EPERM)
  package static let connectionRefused = Errno(ECONNREFUSED)
  package static let connectionReset = Errno(ECONNRESET)
  package static let connectionAborted = Errno(ECONNABORTED)
  package static let timedOut = Errno(ETIMEDOUT)
  package static let addressInUse = Errno(EADDRINUSE)

  /// The system's own words, such as `No such file or directory`.
  package var message: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
