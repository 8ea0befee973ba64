package import SystemIO

/// Where `clipd`'s files are in the runtime directory.
package enum ControlSocket {
  package static let directoryName = "clipview"
  package static let socketName = "control"
  package static let lockName = "clipd.lock"

  /// The socket of this user's `clipd`; nil where there can be none.
  package static var path: FilePath? {
    guard let base = try? RuntimeDirectory.base() else { return nil }
    return base.appending(directoryName).appending(socketName)
  }
}
