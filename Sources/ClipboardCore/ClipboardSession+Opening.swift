internal import EventLoop
internal import SelectionCore
internal import SystemIO
internal import WaylandBackend
internal import X11Backend

/// Why a Wayland display cannot be used.
package enum WaylandProblem: Error, Hashable, Sendable {
  /// Nothing names one.
  case noneNamed
  /// The system has no libwayland-client, or one that is too old.
  case noLibrary
  case cannotOpen(display: String)
  /// It went away, or hung up, while it was being opened.
  case lost(display: String)
  /// The compositor lets nobody but the focused window use the clipboard.
  case noDataControl(compositor: String)
  case noSeat(compositor: String)
  case noKeyboard(compositor: String)
  case noWindows(compositor: String)
  case noSuchSeat(String, known: [String])
}

extension ClipboardSession {
  struct Opened {
    let backend: any DisplayBackend
    let descriptor: Int32
    var passedOver: WaylandProblem?
    var needsFocus = false
  }

  static func open(
    _ choice: DisplayChoice, _ loop: EpollEventLoop, _ worker: Worker
  ) throws(SessionFailure) -> Opened {
    switch choice.backend {
    case .x11: return try openX11(choice, loop, worker)
    case .wayland:
      do {
        return try openWayland(choice, loop, worker)
      } catch {
        return try openFocused(choice, loop, worker, insteadOf: error)
      }
    case .waylandCore: return try openFocused(choice, loop, worker, insteadOf: nil)
    case .auto: return try openAny(choice, loop, worker)
    case .daemon, .osc52: throw .notBuilt(choice.backend)
    }
  }

  /// Wayland where the compositor lets us; else the X server that there is; else whatever Wayland lets
  /// us do.
  private static func openAny(
    _ choice: DisplayChoice, _ loop: EpollEventLoop, _ worker: Worker
  ) throws(SessionFailure) -> Opened {
    guard choice.display == nil, environmentVariable(waylandVariable) != nil else {
      return try openX11(choice, loop, worker)
    }
    let problem: WaylandProblem
    do {
      return try openWayland(choice, loop, worker)
    } catch {
      problem = error
    }
    // A seat is something that only Wayland has, and only with it is what was asked for.
    if case .noSuchSeat = problem { throw .wayland(problem) }
    do {
      var opened = try openX11(choice, loop, worker)
      opened.passedOver = problem
      return opened
    } catch {
      // What is named by the environment and works not at all is what to complain about.
      return try openFocused(choice, loop, worker, insteadOf: problem)
    }
  }

  /// By the core protocol, with a window for a moment.
  ///
  /// - Parameter problem: What stands in the way of data-control; nil where it is not wanted.
  private static func openFocused(
    _ choice: DisplayChoice, _ loop: EpollEventLoop, _ worker: Worker,
    insteadOf problem: WaylandProblem?
  ) throws(SessionFailure) -> Opened {
    switch problem {
    case nil, .noDataControl: break
    case let problem?: throw .wayland(problem)
    }
    do {
      var opened = try openWayland(choice, loop, worker, by: .focus)
      opened.needsFocus = true
      return opened
    } catch {
      throw .wayland(error)
    }
  }

  // MARK: X11

  private static func openX11(
    _ choice: DisplayChoice, _ loop: EpollEventLoop, _ worker: Worker
  ) throws(SessionFailure) -> Opened {
    do {
      let x11 = try X11Backend(
        displayName: choice.display, authority: choice.authority.map { FilePath($0) }, loop: loop,
        worker: worker)
      return Opened(backend: x11, descriptor: x11.descriptor)
    } catch {
      switch error {
      case .cannotOpen(let name): throw .cannotOpen(display: name)
      case .noDisplayNamed: throw .noDisplay
      }
    }
  }

  // MARK: Wayland

  private static let waylandVariable = "WAYLAND_DISPLAY"

  private static func openWayland(
    _ choice: DisplayChoice, _ loop: EpollEventLoop, _ worker: Worker,
    by access: WaylandBackend.Access = .control
  ) throws(WaylandProblem) -> Opened {
    // The name that compositors take first, and clients where nothing names one.
    let name =
      choice.waylandDisplay ?? environmentVariable(waylandVariable)
      ?? (choice.backend == .auto ? nil : "wayland-0")
    guard let name else { throw .noneNamed }
    let socket: OwnedFD
    do throws(Errno) {
      socket = try connectToSocket(at: socketPath(name))
    } catch {
      throw .cannotOpen(display: name)
    }
    do {
      let wayland = try WaylandBackend(
        socket, displayName: name, by: access, seat: choice.seat,
        activationToken: access == .focus ? environmentVariable("XDG_ACTIVATION_TOKEN") : nil,
        loop: loop, worker: worker)
      return Opened(backend: wayland, descriptor: wayland.descriptor)
    } catch {
      switch error {
      case .noLibrary: throw .noLibrary
      case .lost: throw .lost(display: name)
      case .noDataControl(let compositor): throw .noDataControl(compositor: compositor)
      case .noSeat(let compositor): throw .noSeat(compositor: compositor)
      case .noKeyboard(let compositor): throw .noKeyboard(compositor: compositor)
      case .noWindows(let compositor): throw .noWindows(compositor: compositor)
      case .noSuchSeat(let name, let known): throw .noSuchSeat(name, known: known)
      }
    }
  }

  /// A display is a socket: an absolute path, or a name in the directory of the session.
  private static func socketPath(_ name: String) -> String {
    if name.hasPrefix("/") { return name }
    return "\(runtimeDirectory())/\(name)"
  }
}
