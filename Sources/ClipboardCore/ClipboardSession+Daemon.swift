internal import ControlProtocol
package import DaemonBackend
package import EventLoop
package import Pasteboard
package import SelectionCore
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

  /// A display for a service, which has a loop of its own.
  package static func backend(
    for choice: DisplayChoice, on loop: EpollEventLoop, worker: Worker
  ) throws(SessionFailure) -> any DisplayBackend {
    try open(choice, loop, worker).backend
  }

  /// Finds out whether `clipd` manages this session's display; from then on it is the one that
  /// publishes and counts there.
  ///
  /// When it returns the display has done all that it was asked to before, by whomever.
  package func joinManager(
    of selection: PasteboardName, timeout: Duration
  ) throws(ControlConnectionFailure) {
    do throws(ControlConnectionFailure) {
      try joinManagerNow(of: selection, timeout)
    } catch {
      guard error == .notManaged, backend.kind == .x11,
        let path = environmentVariable("XAUTHORITY"),
        let authority = try? absolutePath(of: FilePath(path))
      else { throw error }
      // It may have been started before there was a display, and cannot know where the key is.
      try? DaemonBackend(display: nameOfDisplay, loop: loop)
        .introduce(authority: authority.description, timeout: timeout)
      try joinManagerNow(of: selection, timeout)
    }
  }

  private func joinManagerNow(
    of selection: PasteboardName, _ timeout: Duration
  ) throws(ControlConnectionFailure) {
    let candidate = try DaemonBackend(display: nameOfDisplay, loop: loop)
    try candidate.synchronize(selection, timeout: timeout)
    manager = candidate
  }

  /// The session's display as `clipd` calls it.
  private var nameOfDisplay: String {
    let name = backend.displayName
    return backend.kind == .wayland ? DisplayName.wayland(name) : DisplayName.x11(name)
  }

  /// Asks for the change count anew, where somebody counts.
  package func refreshChangeCount(of selection: PasteboardName) {
    try? manager?.synchronize(selection, timeout: .seconds(1))
  }

  /// How long `clipd` refuses what it serves on the selection; nil where it does not.
  ///
  /// For a reader that was refused: also one that does not go through `clipd` otherwise.
  func guardTime(of selection: PasteboardName) -> Duration? {
    if let service = daemon ?? manager { return service.guardTime(of: selection) }
    // One connection for all that is refused.
    if askedService?.isLost != false {
      askedService = try? DaemonBackend(display: nameOfDisplay, loop: loop)
    }
    return askedService?.guardTime(of: selection)
  }

  /// Whether `clipd`, where it manages the display, knows what is there as a secret.
  func isKnownSecret(_ selection: PasteboardName) -> Bool {
    manager?.isSecret(selection) ?? false
  }

  /// What keeps the content of this session; nil where that is a display.
  package var daemon: DaemonBackend? { backend as? DaemonBackend }

  /// How often the selection has changed, where somebody counts.
  package func changeCount(of selection: PasteboardName) -> Int? {
    (daemon ?? manager)?.changeCount(of: selection)
  }
}

extension ContentReader {
  /// Why `clipd` gives no answer any more; nil where it is not asked.
  package var daemonFailure: ControlConnectionFailure? {
    session.daemon.map { $0.failure ?? .brokenOff }
  }
}
