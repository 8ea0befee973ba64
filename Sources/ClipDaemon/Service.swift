import ControlProtocol
import DaemonBackend
import EventLoop
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
  // Both need `self` to be called back.
  private lazy var pasteboards = NamedPasteboards(
    limits: Self.pasteboardLimits(configuration), loop: loop, worker: worker
  ) { [weak self] change in self?.changed(change) }
  private var server: ControlServer?
  private var signals: SignalSource?
  private var watchers: [Watcher] = []
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
    manager.tell("READY=1\nSTATUS=Serving named pasteboards")
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
    guard let place = request.place else { return answer(.failure(.malformed)) }
    guard place.display == nil else { return answer(.failure(.notManaged)) }
    let name = place.name
    switch request {
    case .status: break
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
        answer(.done(changeCount: count))
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

  private func clientGone(_ client: ControlClient) {
    watchers.removeAll { $0.client === client }
    pasteboards.readerGone(ReaderID(UInt32(truncatingIfNeeded: client.number)))
  }

  private func changed(_ change: NamedPasteboards.Change) {
    let place = ControlPlace(display: nil, name: change.name)
    for watcher in watchers where watcher.place == place {
      watcher.client.report(.changed(changeCount: change.count, change.kind), tag: watcher.tag)
    }
  }

  private var status: ControlStatus {
    ControlStatus(
      program: programVersion, process: ownProcessID, displays: [],
      pasteboards: pasteboards.status)
  }
}

extension ControlRequest {
  /// What it is about; nil for what is about the service as a whole.
  fileprivate var place: ControlPlace? {
    switch self {
    case .status: nil
    case .synchronize(let place), .list(let place), .read(let place, _, _),
      .publish(let place, _), .clear(let place), .watch(let place):
      place
    }
  }
}
