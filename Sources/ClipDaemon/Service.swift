import ClipboardCore
import ControlProtocol
import DaemonBackend
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO

/// The service: one loop, the socket, the pasteboards.
final class Service {
  private let loop: EpollEventLoop
  private let options: Options
  private var configuration: Configuration
  private let log = Log()
  private let manager = ServiceManager()
  private let place: SocketPlace
  private let worker: Worker
  private let guardian: PasteGuard
  private let copies: RuntimeCopies
  private let secrets = SecretMemory()
  // Both need `self` to be called back.
  private lazy var pasteboards = NamedPasteboards(
    limits: Self.pasteboardLimits(configuration), loop: loop, worker: worker, guardian: guardian,
    copies: copies, secrets: secrets
  ) { [weak self] change in
    self?.changed(ControlPlace(display: nil, name: change.name), change.count, change.kind)
  }
  private var server: ControlServer?
  private var signals: SignalSource?
  private var watchers: [Watcher] = []
  private var displays: [ManagedDisplay] = []
  private var adoption = DisplayAdoption()
  /// Whether the session has a Wayland display, managed or not, as far as is known.
  private var mayHaveWayland = false
  private var isEnding = false

  private struct Watcher {
    let client: ControlClient
    let tag: UInt32
    let place: ControlPlace
  }

  private enum Signal {
    static let hangUp: Int32 = 1
    static let interrupt: Int32 = 2
    static let terminate: Int32 = 15
  }

  init(options: Options, configuration: Configuration) throws(StartFailure) {
    self.options = options
    self.configuration = configuration
    log.level = configuration.log
    place = try SocketPlace()
    do {
      loop = try EpollEventLoop()
    } catch {
      throw StartFailure(.noPlace, "no event loop: \(error.message)")
    }
    worker = Worker(on: loop)
    guardian = PasteGuard(loop: loop, log: log, file: GuardFile(in: place.directory))
    copies = RuntimeCopies(
      in: place.directory, limit: configuration.runtimeCopy, loop: loop, worker: worker, log: log)
  }

  /// Serves until it is told to end.
  func run() throws(StartFailure) {
    let listener = try place.listener()
    do throws(Errno) {
      signals = try SignalSource(
        [Signal.hangUp, Signal.interrupt, Signal.terminate], on: loop
      ) { [weak self] in self?.received($0) }
      server = try ControlServer(
        listener, loop: loop, limits: Self.serverLimits(configuration), log: log,
        onRequest: { [weak self] in self?.handle($1, from: $0, $2, tag: $3) },
        onEnd: { [weak self] in self?.clientGone($0) })
    } catch {
      throw StartFailure(.noPlace, "the socket cannot be watched: \(error.message)")
    }
    pasteboards.restore { [log] copy in
      log.write(
        .notice, "restored",
        ["pasteboard": copy.place.name, "count": copy.changeCount, "bytes": copy.size])
    }
    openDisplays()
    manager.tell("READY=1")
    log.write(.notice, "ready", ["socket": place.path?.description ?? "inherited"])
    do throws(Errno) {
      try loop.run { isEnding }
    } catch {
      preconditionFailure("the loop cannot wait: \(error)")
    }
    manager.tell("STOPPING=1")
    place.leave()
    log.write(.notice, "ended")
  }

  /// The displays that were named, else those of the environment.
  private func openDisplays() {
    var x11 = options.displays
    var wayland = options.waylandDisplays
    if x11.isEmpty, wayland.isEmpty {
      x11 = environmentVariable("DISPLAY").map { [$0] } ?? []
      wayland = environmentVariable("WAYLAND_DISPLAY").map { [$0] } ?? []
    }
    mayHaveWayland = !wayland.isEmpty || environmentVariable("WAYLAND_DISPLAY") != nil
    for display in x11 {
      var choice = DisplayChoice()
      choice.backend = .x11
      choice.display = display
      manage(DisplayName.x11(display), choice)
    }
    for display in wayland {
      var choice = DisplayChoice()
      choice.backend = .wayland
      choice.waylandDisplay = display
      manage(DisplayName.wayland(display), choice)
    }
    if displays.isEmpty {
      log.write(.notice, "no-display", ["reason": "neither DISPLAY nor WAYLAND_DISPLAY is set"])
    }
  }

  /// A program tells where the key to a display is.
  private func introduced(_ name: String, _ authority: String) -> ControlReply {
    let display = displays.first { $0.name == name }
    display?.connect(with: authority)
    let isConnected = (display ?? adopted(name, authority: authority))?.isConnected == true
    return isConnected ? .done(changeCount: 0) : .failure(.notManaged)
  }

  /// A display that a program names, where none was known before.
  private func adopted(_ name: String, authority: String? = nil) -> ManagedDisplay? {
    guard displays.isEmpty,
      let choice = adoption.candidate(for: name, authority: authority, at: loop.now)
    else { return nil }
    // What else the session has nobody has told.
    mayHaveWayland = true
    manage(name, choice)
    if displays.last?.isConnected != true { displays = [] }
    return displays.last
  }

  /// What is kept of other programs' content.
  private var keeping: [PasteboardName: KeepingRules] {
    configuration.keeping.mapValues { rules in
      var rules = rules
      // Xwayland asks programs on Wayland, where a secret may be for one paste and does not say so.
      if mayHaveWayland { rules.remembersSecrets = false }
      return rules
    }
  }

  private func manage(_ name: String, _ choice: DisplayChoice) {
    guard !displays.contains(where: { $0.name == name }) else { return }
    displays.append(
      ManagedDisplay(
        name: name, choice, loop: loop, worker: worker, log: log, keeping: keeping,
        guardian: guardian, copies: copies, secrets: secrets
      ) { [weak self] selection, count, change in
        self?.changed(ControlPlace(display: name, name: selection.description), count, change)
      })
  }

  private func received(_ signal: Int32) {
    if signal != Signal.hangUp {
      isEnding = true
      return
    }
    manager.tell("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now.nanoseconds / 1000)")
    do throws(ConfigurationFaults) {
      configuration = try ConfigurationFile(options.configuration).read()
      log.level = configuration.log
      server?.limits = Self.serverLimits(configuration)
      pasteboards.limits = Self.pasteboardLimits(configuration)
      copies.limit = configuration.runtimeCopy
      for display in displays { display.keep(keeping) }
      log.write(.notice, "configuration-read")
    } catch {
      // What held goes on to hold: half of a configuration is none.
      for line in error.lines { log.write(.fault, "configuration-fault", ["fault": line]) }
    }
    manager.tell("READY=1")
  }

  private static func serverLimits(_ configuration: Configuration) -> ControlServer.Limits {
    var limits = ControlServer.Limits()
    limits.clients = configuration.maximumClients
    limits.attachment = configuration.maximumOffer
    return limits
  }

  private static func pasteboardLimits(
    _ configuration: Configuration
  ) -> NamedPasteboards.Limits {
    NamedPasteboards.Limits(
      pasteboards: configuration.maximumPasteboards, totalBytes: configuration.maximumTotal)
  }

  // MARK: Questions

  private func handle(
    _ request: ControlRequest, from client: ControlClient, _ file: SealedFile?, tag: UInt32
  ) {
    func answer(_ reply: ControlReply) { client.answer(reply, tag: tag) }
    if case .status = request { return answer(.status(status)) }
    if case .guarding(let order, let name) = request { return answer(guarding(order, name)) }
    if case .introduce(let display, let authority) = request {
      return answer(introduced(display, authority))
    }
    guard let place = request.place else { return answer(.failure(.malformed)) }
    if let name = place.display {
      guard let display = displays.first(where: { $0.name == name }) ?? adopted(name) else {
        return answer(.failure(.notManaged))
      }
      return handle(request, on: display, place, from: client, file, tag: tag)
    }
    let name = place.name
    switch request {
    case .status, .guarding, .introduce: break
    case .synchronize: answer(.done(changeCount: pasteboards.changeCount(of: name)))
    case .list:
      guard let targets = pasteboards.targets(of: name) else { return answer(.failure(.empty)) }
      answer(.listing(changeCount: pasteboards.changeCount(of: name), targets: targets))
    case .read(_, let changeCount, let target):
      let reader = ReaderID(UInt32(truncatingIfNeeded: client.number))
      pasteboards.read(target, of: name, changeCount: changeCount, by: reader) { result, noteEnd in
        switch result {
        case .failure(let failure): answer(.failure(failure))
        case .content(let content, let file):
          client.answer(.content(content), tag: tag, attaching: file) { noteEnd(true) }
        }
      }
    case .publish(_, let description):
      switch pasteboards.publish(description, contents: file, on: name) {
      case .success(let count):
        log.write(
          .notice, "published",
          ["pasteboard": name, "count": count, "bytes": file?.count ?? 0, "client": client.number])
        copies.settle(place) { answer(.done(changeCount: count)) }
      case .failure(let failure):
        log.write(.notice, "publish-refused", ["pasteboard": name, "reason": failure])
        answer(.failure(failure))
      }
    case .clear: answer(.done(changeCount: pasteboards.clear(name)))
    case .watch:
      watchers.append(Watcher(client: client, tag: tag, place: place))
      answer(.done(changeCount: pasteboards.changeCount(of: name)))
    }
  }

  private func handle(
    _ request: ControlRequest, on display: ManagedDisplay, _ place: ControlPlace,
    from client: ControlClient, _ file: SealedFile?, tag: UInt32
  ) {
    let selection = PasteboardName(place.name)
    func settle(_ result: Result<UInt64, ControlFailure>) {
      switch result {
      case .success(let count): client.answer(.done(changeCount: count), tag: tag)
      case .failure(let failure): client.answer(.failure(failure), tag: tag)
      }
    }
    switch request {
    case .synchronize: display.synchronize(selection, settle)
    case .publish(_, let description):
      display.publish(description, contents: file, to: selection) { [log] result in
        switch result {
        case .success(let count):
          log.write(
            .notice, "published",
            [
              "display": display.name, "selection": selection, "count": count,
              "bytes": file?.count ?? 0, "client": client.number,
            ])
        case .failure(let failure):
          log.write(
            .fault, "not-published",
            [
              "display": display.name, "selection": selection, "client": client.number,
              "reason": failure,
            ])
        }
        settle(result)
      }
    case .clear: display.clear(selection, settle)
    case .watch:
      watchers.append(Watcher(client: client, tag: tag, place: place))
      display.synchronize(selection, settle)
    // Content of a display is read from its owner, by the display's own protocol.
    case .list, .read: client.answer(.failure(.refused), tag: tag)
    case .status, .guarding, .introduce: client.answer(.failure(.malformed), tag: tag)
    }
  }

  private func guarding(_ order: GuardOrder, _ name: String?) -> ControlReply {
    switch order {
    case .ask: break
    case .arm(let milliseconds):
      // A year: what is longer means the same.
      let time = Duration.milliseconds(min(milliseconds, 31_536_000_000))
      guard guardian.arm(name, for: time) else { return .failure(.busy) }
    case .lift:
      guardian.lift(name)
      pasteboards.liftGuards(of: name)
      for display in displays { display.liftGuards(of: name) }
    }
    return .guarding(
      ControlGuard(
        milliseconds: guardian.remaining(for: name)?.wholeMilliseconds ?? 0,
        unguarded: displays.flatMap { $0.unguarded(name) }))
  }

  private func clientGone(_ client: ControlClient) {
    watchers.removeAll { $0.client === client }
    pasteboards.readerGone(ReaderID(UInt32(truncatingIfNeeded: client.number)))
  }

  private func changed(_ place: ControlPlace, _ count: UInt64, _ change: ControlChange) {
    for watcher in watchers where watcher.place == place {
      watcher.client.report(.changed(changeCount: count, change), tag: watcher.tag)
    }
  }

  private var status: ControlStatus {
    ControlStatus(
      program: programVersion, process: ownProcessID,
      displays: displays.map { .init(name: $0.name, isConnected: $0.isConnected) },
      pasteboards: displays.flatMap(\.status) + pasteboards.status,
      guards: guardian.guards.map {
        .init(name: $0.name, milliseconds: $0.remaining.wholeMilliseconds)
      })
  }
}

extension ControlRequest {
  /// What it is about; nil for what is about the service as a whole.
  fileprivate var place: ControlPlace? {
    switch self {
    case .status, .guarding, .introduce: nil
    case .synchronize(let place), .list(let place), .read(let place, _, _),
      .publish(let place, _), .clear(let place), .watch(let place):
      place
    }
  }
}
