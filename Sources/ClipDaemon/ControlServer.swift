import ControlProtocol
import DaemonBackend
import EventLoop
import SystemIO

/// Takes in those who connect to the control socket, as many as there is room for.
///
/// Whoever connects and says nothing, says half of something or does not read what it is told costs a
/// descriptor and a bounded piece of memory for a while, and nobody else anything.
final class ControlServer {
  private let listener: LocalListener
  private let loop: any EventLoop
  private let onRequest: (ControlClient, ControlRequest, SealedFile?, UInt32) -> Void
  private let onEnd: (ControlClient) -> Void
  private var token: LoopToken?
  private var pause: LoopToken?
  private var clients: [UInt64: ControlClient] = [:]
  private var lastNumber: UInt64 = 0
  var limits: Limits
  private let log: Log

  struct Limits {
    var clients = 128
    /// The most bytes that may come with a message.
    var attachment = 1 << 30
    /// The time for a message to come whole, and for an answer to be taken.
    var patience = Duration.seconds(10)
  }

  /// How many new connections are taken before the loop looks at others.
  private static let acceptsPerTurn = 16

  init(
    _ listener: consuming LocalListener, loop: any EventLoop, limits: Limits, log: Log,
    onRequest: @escaping (ControlClient, ControlRequest, SealedFile?, UInt32) -> Void,
    onEnd: @escaping (ControlClient) -> Void
  ) throws(Errno) {
    self.listener = listener
    self.loop = loop
    self.limits = limits
    self.log = log
    self.onRequest = onRequest
    self.onEnd = onEnd
    try listen()
  }

  private func listen() throws(Errno) {
    token = try loop.watch(listener.descriptor, for: .readable) { [weak self] _ in
      self?.acceptSome()
    }
  }

  private func acceptSome() {
    for _ in 0..<Self.acceptsPerTurn {
      do throws(Errno) {
        switch try listener.accept() {
        case .wouldBlock: return
        case .done(let descriptor): take(descriptor)
        }
      } catch {
        // One that went away while it waited is nobody's loss.
        if error == .connectionAborted { continue }
        log.write(.fault, "accept-failed", ["error": error.message])
        // No descriptors are left: some are made free, and the rest is left to time.
        evictOne()
        token = nil
        pause = loop.schedule(after: .milliseconds(200)) { [weak self] in try? self?.listen() }
        return
      }
    }
  }

  private func take(_ descriptor: consuming OwnedFD) {
    let socket = LocalSocket(adopting: descriptor)
    guard let peer = try? socket.peer(), peer.isSameUser else {
      log.write(.fault, "foreign-client", ["user": (try? socket.peer())?.user ?? 0])
      return
    }
    if clients.count >= limits.clients { evictOne() }
    lastNumber += 1
    let client = ControlClient(
      lastNumber, socket, peer, loop: loop, limits: limits,
      onRequest: { [weak self] client, request, file, tag in
        self?.onRequest(client, request, file, tag)
      },
      onEnd: { [weak self] client, reason in self?.forget(client, reason) })
    clients[lastNumber] = client
    log.write(.detail, "client-connected", ["client": lastNumber, "process": peer.process])
    client.start()
  }

  private func forget(_ client: ControlClient, _ reason: ControlClient.EndReason) {
    guard clients.removeValue(forKey: client.number) != nil else { return }
    log.write(
      reason == .closed ? .detail : .notice, "client-gone",
      ["client": client.number, "process": client.peer.process, "reason": reason])
    onEnd(client)
  }

  /// Makes room: of the process that has the most connections, the one that was silent longest.
  private func evictOne() {
    let counts = Dictionary(grouping: clients.values, by: \.peer.process)
    let crowd = counts.values.max { $0.count < $1.count }
    crowd?.min { $0.lastActivity < $1.lastActivity }?.end(.evicted)
  }
}
