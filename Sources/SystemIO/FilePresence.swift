internal import Glibc

/// Whether something is under a path, a link without an end counting as something.
package enum FilePresence: Hashable, Sendable {
  case there
  case gone
  /// The system does not let us know.
  case unknown

  package init(of path: FilePath) {
    var status = stat()
    do throws(Errno) {
      try blockingSystemCall { unsafe path.withCString { unsafe lstat($0, &status) } }
      self = .there
    } catch {
      self = error == .notFound || error == .notDirectory ? .gone : .unknown
    }
  }
}
