package import DaemonBackend
internal import EventLoop
package import Pasteboard
internal import SystemIO

extension ClipboardSession {
  /// A session on the pasteboards that `clipd` keeps.
  ///
  /// - Parameter display: The display whose selections are meant; nil for pasteboards that no display
  ///   knows.
  package convenience init(
    daemonFor display: String?
  ) throws(ControlConnectionFailure) {
    let loop: EpollEventLoop
    do throws(Errno) {
      loop = try EpollEventLoop()
    } catch {
      throw .system(error)
    }
    let backend = try DaemonBackend(display: display, loop: loop)
    self.init(
      backend, descriptor: backend.descriptor, loop: loop, worker: Worker(on: loop))
  }

  /// What keeps the content of this session; nil where that is a display.
  package var daemon: DaemonBackend? { backend as? DaemonBackend }

  /// How often the selection has changed, where somebody counts.
  package func changeCount(of selection: PasteboardName) -> Int? {
    daemon?.changeCount(of: selection)
  }
}

extension ContentReader {
  /// Why `clipd` gives no answer any more; nil where it does, or is not asked.
  package var daemonFailure: ControlConnectionFailure? { session.daemon?.failure }
}
