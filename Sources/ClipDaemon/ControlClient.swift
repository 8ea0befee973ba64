import ControlProtocol
import DaemonBackend
import EventLoop
import SystemIO

/// One program that is connected: what it says, and what it is told.
///
/// A question at a time: the next one is not looked at before the answer to the last has gone out, so
/// whoever does not read is not heard, and nothing piles up.
final class ControlClient {
  enum EndReason {
    case closed
    /// It sent what is no message.
    case fault
    case slow
    case evicted
  }

  let number: UInt64
  let peer: PeerCredentials
  private(set) var lastActivity = MonotonicTime.now
  private let socket: LocalSocket
  private let loop: any EventLoop
  private let limits: ControlServer.Limits
  private let onRequest: (ControlClient, ControlRequest, SealedFile?, UInt32) -> Void
  private let onEnd: (ControlClient, EndReason) -> Void
  private var decoder = ControlFrameDecoder()
  private let descriptors = ReceivedDescriptors()
  private var outgoing: [Outgoing] = []
  private var isAnswering = false
  private var endsWhenSent = false
  private var hasEnded = false
  private var interest: Interest = []
  private var token: LoopToken?
  private var timer: LoopToken?

  private struct Outgoing {
    let bytes: [UInt8]
    var offset = 0
    let file: SealedFile?
    let onSent: (() -> Void)?
  }

  /// What waits for somebody who watches and does not read: more, and it is gone.
  private static let maximumOutgoing = 256
  private static let readSize = 1 << 16

  init(
    _ number: UInt64, _ socket: consuming LocalSocket, _ peer: PeerCredentials,
    loop: any EventLoop, limits: ControlServer.Limits,
    onRequest: @escaping (ControlClient, ControlRequest, SealedFile?, UInt32) -> Void,
    onEnd: @escaping (ControlClient, EndReason) -> Void
  ) {
    self.number = number
    self.socket = socket
    self.peer = peer
    self.loop = loop
    self.limits = limits
    self.onRequest = onRequest
    self.onEnd = onEnd
  }

  func start() { settle() }

  func end(_ reason: EndReason) {
    guard !hasEnded else { return }
    hasEnded = true
    token = nil
    timer = nil
    outgoing = []
    onEnd(self, reason)
  }

  // MARK: Hearing

  private func read() {
    lastActivity = loop.now
    do throws(Errno) {
      try unsafe withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 16) {
        buffer throws(Errno) in
        switch try unsafe socket.receive(into: buffer) {
        case .wouldBlock: return
        case .done(var bytes):
          if let descriptor = bytes.takeDescriptor() { descriptors.add(descriptor) }
          guard bytes.count > 0 else { return end(.closed) }
          unsafe decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<bytes.count]))
        }
      }
    } catch {
      return end(.closed)
    }
    process()
  }

  /// Looks at what has come, as long as nothing is still to be answered.
  private func process() {
    while !hasEnded, !isAnswering, !endsWhenSent, outgoing.isEmpty {
      do throws(ControlFault) {
        guard let frame = try decoder.next() else { break }
        try handle(frame)
      } catch {
        switch error {
        case .malformed:
          endsWhenSent = true
          push(.failure(.malformed), tag: 0)
        case .notAFrame, .tooLong, .noDescriptor, .surplusDescriptor: end(.fault)
        }
      }
    }
    // More descriptors than the frames that are not whole yet can have: one.
    if descriptors.count > 1 { return end(.fault) }
    settle()
  }

  private func handle(_ frame: ControlFrame) throws(ControlFault) {
    guard frame.version == ControlFrame.currentVersion else {
      // Said in our version: its header is what tells the other end which one that is.
      endsWhenSent = true
      return push(.failure(.version), tag: frame.tag)
    }
    let request = try ControlRequest(frame)
    var file: SealedFile?
    if frame.hasAttachment {
      guard let descriptor = descriptors.take() else { throw .noDescriptor }
      do throws(SealedFile.Refusal) {
        file = try SealedFile(adopting: descriptor, limit: limits.attachment)
      } catch {
        if error == .notSealed { throw .malformed(kind: frame.kind) }
        return push(.failure(error == .tooLarge ? .tooLarge : .busy), tag: frame.tag)
      }
    } else if descriptors.count > 0 {
      throw .surplusDescriptor
    }
    isAnswering = true
    onRequest(self, request, file, frame.tag)
  }

  // MARK: Telling

  /// Answers the question that it asked.
  ///
  /// - Parameter onSent: Called when the other end's socket has all of it; not where it is gone.
  func answer(
    _ reply: ControlReply, tag: UInt32, attaching file: SealedFile? = nil,
    onSent: (() -> Void)? = nil
  ) {
    guard !hasEnded else { return }
    isAnswering = false
    push(reply, tag: tag, attaching: file, onSent: onSent)
    // Not from inside of the question: whoever asks and asks would never come back from it.
    loop.defer { [weak self] in self?.process() }
  }

  /// Tells something that it asked to be told.
  func report(_ reply: ControlReply, tag: UInt32) {
    guard !hasEnded else { return }
    push(reply, tag: tag)
    settle()
  }

  private func push(
    _ reply: ControlReply, tag: UInt32, attaching file: SealedFile? = nil,
    onSent: (() -> Void)? = nil
  ) {
    var frame = reply.frame(tag: tag, hasAttachment: file != nil)
    var file = file
    if !frame.fits {
      frame = ControlReply.failure(.tooLarge).frame(tag: tag)
      file = nil
    }
    outgoing.append(Outgoing(bytes: frame.bytes, file: file, onSent: onSent))
    if outgoing.count > Self.maximumOutgoing { return end(.slow) }
    flush()
  }

  private func flush() {
    while !hasEnded, let first = outgoing.first {
      do throws(Errno) {
        let result = try unsafe first.bytes[first.offset...].withUnsafeBufferPointer {
          bytes throws(Errno) in
          try unsafe socket.send(
            UnsafeRawBufferPointer(bytes),
            descriptor: first.offset == 0 ? first.file?.descriptor : nil)
        }
        guard case .done(let count) = result else { return }
        lastActivity = loop.now
        outgoing[0].offset += count
        timer = nil
      } catch {
        return end(.closed)
      }
      guard outgoing[0].offset == outgoing[0].bytes.count else { continue }
      let onSent = outgoing.removeFirst().onSent
      onSent?()
    }
    if outgoing.isEmpty, endsWhenSent { end(.fault) }
  }

  // MARK: Waiting

  /// Waits for what is to come next: room to write, or more to read.
  private func settle() {
    guard !hasEnded else { return }
    // While an answer is being made, only the end of the connection is of interest.
    let wanted: Interest = !outgoing.isEmpty ? .writable : isAnswering ? [] : .readable
    if wanted != interest || token == nil {
      interest = wanted
      token = nil
      token = try? loop.watch(socket.descriptor, for: wanted) { [weak self] event in
        self?.happened(event)
      }
      if token == nil { return end(.evicted) }
    }
    let isOverdue = !outgoing.isEmpty || decoder.pendingCount > 0 && !isAnswering
    if !isOverdue {
      timer = nil
    } else if timer == nil {
      timer = loop.schedule(after: limits.patience) { [weak self] in self?.end(.slow) }
    }
  }

  private func happened(_ event: Interest) {
    if event.contains(.writable), !outgoing.isEmpty {
      flush()
      return process()
    }
    if event.contains(.readable) { return read() }
    // Both directions are closed: nobody is left to answer.
    if event.contains(.hangUp) { end(.closed) }
  }
}
