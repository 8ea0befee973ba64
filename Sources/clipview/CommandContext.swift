import ClipboardCore
import ControlProtocol
import DaemonBackend
import Pasteboard
import SelectionCore
import SystemIO

/// What every command needs of the command line: which selection, which display, how long.
struct CommandContext {
  let arguments: ParsedArguments
  let selection: PasteboardName
  let timeout: Duration
  let timeoutText: String
  private let choice: DisplayChoice

  init(_ arguments: ParsedArguments) throws(Failure) {
    self.arguments = arguments
    selection = try Self.selection(arguments)
    timeoutText = arguments.value(of: .timeout)?.text ?? "5"
    guard let timeout = Duration(seconds: timeoutText, atMost: 1e6) else {
      throw .usage(
        "--timeout does not take '\(timeoutText)'", hint: "give seconds, more than 0, such as 2.5")
    }
    self.timeout = timeout
    var choice = DisplayChoice()
    choice.display = arguments.value(of: .display)?.text
    // An empty one is a variable that was not set; that of the environment may be another display.
    if choice.display == "" { throw .usage("--display needs a name", hint: "as in --display :0") }
    if let name = arguments.value(of: .backend)?.text {
      let known = DisplayChoice.Backend.allCases.map(\.rawValue)
      guard let backend = DisplayChoice.Backend(rawValue: name) else {
        throw .unknown("back-end", name, among: known)
      }
      choice.backend = backend
    }
    choice.waylandDisplay = arguments.value(of: .waylandDisplay)?.text
    choice.seat = arguments.value(of: .seat)?.text
    if choice.waylandDisplay == "" {
      throw .usage("--wayland-display needs a name", hint: "as in --wayland-display wayland-1")
    }
    if choice.waylandDisplay != nil, choice.backend == .auto {
      if choice.display != nil {
        throw .usage("--display and --wayland-display name two displays", hint: "give one of them")
      }
      choice.backend = .wayland
    }
    self.choice = choice
  }

  private static func selection(_ arguments: ParsedArguments) throws(Failure) -> PasteboardName {
    let name = arguments.value(of: .selection)?.text
    if arguments.has(.primary) {
      guard name == nil || name == "primary" else {
        throw .usage("-p and -s \(name ?? "") name different selections", hint: "give one of them")
      }
      return .primary
    }
    switch name {
    case nil, "clipboard": return .clipboard
    case "primary": return .primary
    case "secondary": return .secondary
    case "": throw .usage("--selection needs a name", hint: "clipboard, primary or secondary")
    case let name?:
      guard name.utf8.count <= ControlPlace.maximumNameSize else {
        throw .usage(
          "the name of the pasteboard is too long",
          hint: "give one of \(ControlPlace.maximumNameSize) bytes at most")
      }
      return PasteboardName(name)
    }
  }

  /// Whether it is a pasteboard that no display knows.
  var isNamed: Bool { ![.clipboard, .primary, .secondary].contains(selection) }

  /// What needs `clipd`, where something does.
  private var whoNeedsService: String? {
    isNamed ? "named pasteboards need" : choice.backend == .daemon ? "--backend daemon needs" : nil
  }

  var isVerbose: Bool { arguments.has(.verbose) && !arguments.has(.quiet) }
  var isQuiet: Bool { arguments.has(.quiet) }

  /// Says what was done, for those who asked; what is not said is not even put together.
  func say(_ text: @autoclosure () -> String) {
    if isVerbose { tell("clipview: " + visible(text())) }
  }

  func warn(_ text: String) {
    if !isQuiet { tell("clipview: " + visible(text)) }
  }

  func warn(_ failure: Failure) {
    if !isQuiet { tell(failure.message) }
  }

  /// Bounds a wait for the display server, which Xlib itself never ends.
  private func beginWatch() {
    let failure = Failure(
      .timedOut, "the display did not answer in \(timeoutText) s",
      hint: "see whether its server hangs, or give it more time with --timeout")
    Watchdog.set(
      for: timeout, message: isQuiet ? "" : failure.message, status: failure.code.rawValue)
  }

  func openSession() throws(Failure) -> ClipboardSession {
    beginWatch()
    // From then on whoever reads has deadlines of its own, which come first.
    defer { Watchdog.set(for: timeout + timeout + .seconds(1)) }
    if let whoNeedsService, isNamed || !namesDisplay {
      return try openDaemonSession(whoNeedsService)
    }
    let session: ClipboardSession
    do throws(SessionFailure) {
      var choice = choice
      // The display is read by its own protocol, whoever publishes there.
      if choice.backend == .daemon { choice.backend = .auto }
      session = try ClipboardSession(choice)
    } catch {
      throw Failure(error)
    }
    if isVerbose { sayOfWayland(session) }
    guard session.backend.supports(selection) else { throw .noSelection(selection) }
    // Never closed: that would wait for the server once more, and the end of the process does it too.
    _ = unsafe Unmanaged.passRetained(session)
    if choice.backend == .auto || choice.backend == .daemon { try joinManager(of: session) }
    return session
  }

  /// How long a command waits for a `clipd` that it could do without.
  private static let managerPatience = Duration.seconds(1)

  /// From here on `clipd` is asked, where it manages the display.
  private func joinManager(of session: ClipboardSession) throws(Failure) {
    do throws(ControlConnectionFailure) {
      try session.joinManager(of: selection, timeout: min(timeout, Self.managerPatience))
    } catch {
      if let whoNeedsService { throw Failure(error, whoNeeds: whoNeedsService) }
      switch error {
      case .notRunning, .notManaged: break
      default:
        let failure = Failure(error, whoNeeds: "this would go through")
        // A hot key says nothing unasked.
        if isHotKey { say("\(failure.happened): \(failure.hint)") } else { warn(failure) }
      }
    }
  }

  private var isHotKey: Bool { ["plain", "flat", "enrich"].contains(arguments.command?.name) }

  private func openDaemonSession(_ whoNeeds: String) throws(Failure) -> ClipboardSession {
    if isNamed, ![.auto, .daemon].contains(choice.backend) {
      throw .usage(
        "the \(selection.spoken) is on no display",
        hint: "leave --backend out, or name a selection of the display")
    }
    do throws(ControlConnectionFailure) {
      let session = try ClipboardSession(daemonFor: nil)
      _ = unsafe Unmanaged.passRetained(session)
      return session
    } catch {
      throw Failure(error, whoNeeds: whoNeeds)
    }
  }

  /// Whether there is a display to talk to; where there is none, `clipd` keeps its selections itself.
  private var namesDisplay: Bool {
    choice.display != nil || choice.waylandDisplay != nil
      || environmentVariable("DISPLAY") != nil || environmentVariable("WAYLAND_DISPLAY") != nil
  }

  /// Says that a display which nobody has ruled out is passed over, and why.
  private func sayOfWayland(_ session: ClipboardSession) {
    if session.needsFocus {
      say("only the focused window can use the clipboard: a window takes the focus for a moment")
    }
    guard let problem = session.passedOver else { return }
    let name = session.backend.displayName
    say("\(Failure(problem).happened), so it is the X display \(name)")
  }

  /// From here on the display may take its time.
  func endStart() { Watchdog.callOff() }

  func reader(on session: ClipboardSession) -> ContentReader {
    ContentReader(session, selection, timeout: timeout)
  }

  /// Runs a reading operation, once more where another owner took over meanwhile, and words what
  /// went wrong.
  func reading<Value>(
    _ wanted: String? = nil, with reader: ContentReader,
    _ operation: () throws(ReadProblem) -> Value
  ) throws(Failure) -> Value {
    defer { Watchdog.callOff() }
    do throws(ReadProblem) {
      return try reader.withNewOwner(operation)
    } catch {
      if let whoNeedsService, error == .connectionLost, let failure = reader.daemonFailure {
        throw Failure(failure, whoNeeds: whoNeedsService)
      }
      throw failure(error, wanted: wanted)
    }
  }

  /// What there is to say where the session is at its end.
  func lost(_ session: ClipboardSession) -> Failure {
    guard let whoNeedsService, let daemon = session.daemon else {
      return failure(.connectionLost)
    }
    return Failure(daemon.failure ?? .brokenOff, whoNeeds: whoNeedsService)
  }

  func failure(_ problem: ReadProblem, wanted: String? = nil) -> Failure {
    Failure(problem, wanted: wanted, selection: selection, timeout: timeoutText)
  }

  /// Stays as long as what was handed over is there.
  private func waitForEnd(on session: ClipboardSession) throws(Failure) {
    do throws(WatchFailure) {
      let watch = try SelectionWatch(
        session, selection, timeout: timeout, includesPresent: false)
      watch.waitForChange()
    } catch {
      throw Failure(error)
    }
    if let daemon = session.daemon, daemon.isLost {
      throw Failure(daemon.failure ?? .brokenOff, whoNeeds: whoNeedsService ?? "this needs")
    }
  }

  /// Publishes an offer and leaves a process behind that serves it, or serves it here.
  func publish(
    _ offer: Offer, on session: ClipboardSession, inForeground: Bool = false
  ) throws(Failure) {
    if !inForeground, let manager = session.manager {
      switch manager.publish(offer, to: selection, onEnd: {}) {
      case .success:
        Watchdog.callOff()
        return say("clipd serves the \(selection.spoken)")
      case .failure(.contested):
        throw Failure(OwnershipFailure.contested, selection: selection)
      case .failure(let failure):
        say("clipd does not take it (\(failure)), so it is served from here")
      }
    }
    var hasEnded = false
    let result = session.backend.publish(offer, to: selection, onEnd: { hasEnded = true })
    Watchdog.callOff()
    if case .failure(let failure) = result {
      if failure == .connectionLost, let daemon = session.daemon, let whoNeedsService {
        throw Failure(daemon.failure ?? .brokenOff, whoNeeds: whoNeedsService)
      }
      throw Failure(failure, selection: selection)
    }
    if session.daemon != nil {
      say("clipd keeps the \(selection.spoken)")
      if inForeground { try waitForEnd(on: session) }
      return
    }
    say("the \(selection.spoken) is ours: \(offer.targets.map(\.name).joined(separator: ", "))")
    if inForeground {
      session.serve { hasEnded }
      if session.backend.isLost {
        throw Failure(OwnershipFailure.connectionLost, selection: selection)
      }
      return
    }
    do throws(DetachmentFailure) {
      try session.continueDetached(lossStatus: ExitCode.noDisplay.rawValue) { hasEnded }
    } catch {
      throw Failure(
        .unreadable, "no process could be started to keep the content (\(error.message))",
        hint: "serve it from this one with copy --foreground")
    }
  }
}
