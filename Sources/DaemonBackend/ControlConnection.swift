package import ControlProtocol
internal import EventLoop
package import SystemIO

/// Why `clipd` cannot be asked.
package enum ControlConnectionFailure: Error, Hashable, Sendable {
  /// It does not run, or there is no runtime directory that it could be found in.
  case notRunning
  /// Whoever listens there is another user.
  case foreign
  /// It runs, and does not manage the display.
  case notManaged
  /// It speaks another version of the protocol.
  case otherVersion(UInt16)
  case timedOut
  /// It went away, or what it said makes no sense.
  case brokenOff
  case system(Errno)
}

/// An answer, and the memory file that came with it.
package struct ControlAnswer {
  package let reply: ControlReply
  package let attachment: SealedFile?
}

/// A connection to `clipd`: one question at a time, waited for.
///
/// For a command, which has nothing else to do meanwhile.
package final class ControlConnection {
  private let socket: LocalSocket
  private var decoder = ControlFrameDecoder()
  private let received = ReceivedDescriptors()
  private var lastTag: UInt32 = 0

  /// More than that is no answer of `clipd`'s.
  package static let maximumAttachment = 1 << 46

  package init(path: FilePath? = ControlSocket.path) throws(ControlConnectionFailure) {
    guard let path else { throw .notRunning }
    do throws(Errno) {
      socket = try LocalSocket(connectingTo: path)
      guard try socket.peer().isSameUser else { throw .notPermitted }
    } catch {
      switch error {
      case .notFound, .connectionRefused, .notDirectory: throw .notRunning
      case .notPermitted: throw .foreign
      // Its queue of those that have connected and were not taken yet is full.
      case .wouldBlock: throw .timedOut
      default: throw .system(error)
      }
    }
  }

  package var descriptor: Int32 { socket.descriptor }

  /// Asks, and waits for the answer for so long.
  package func call(
    _ request: ControlRequest, attaching file: SealedFile? = nil, timeout: Duration
  ) throws(ControlConnectionFailure) -> ControlAnswer {
    let end = MonotonicTime.now + timeout
    let tag = try send(request, attaching: file, until: end)
    while true {
      while let (answered, answer) = try nextAnswer() {
        if answered == tag { return answer }
      }
      try wait(writing: false, until: end)
      try take()
    }
  }

  /// Sends a question whose answers are taken with ``nextAnswer()``.
  ///
  /// - Returns: The tag that they have.
  @discardableResult
  package func send(
    _ request: ControlRequest, attaching file: SealedFile? = nil, timeout: Duration
  ) throws(ControlConnectionFailure) -> UInt32 {
    try send(request, attaching: file, until: MonotonicTime.now + timeout)
  }

  private func send(
    _ request: ControlRequest, attaching file: SealedFile?, until end: MonotonicTime
  ) throws(ControlConnectionFailure) -> UInt32 {
    lastTag += 1
    let frame = request.frame(tag: lastTag, hasAttachment: file != nil)
    guard frame.fits else { throw .system(.tooLarge) }
    let bytes = frame.bytes
    var sent = 0
    while sent < bytes.count {
      let result: IOResult<Int>
      do throws(Errno) {
        let attached = sent == 0 ? file?.descriptor : nil
        result = try unsafe bytes[sent...].withUnsafeBufferPointer { bytes throws(Errno) in
          try unsafe socket.send(UnsafeRawBufferPointer(bytes), descriptor: attached)
        }
      } catch {
        throw error == .brokenPipe || error == .connectionReset ? .brokenOff : .system(error)
      }
      switch result {
      case .done(let count): sent += count
      case .wouldBlock: try wait(writing: true, until: end)
      }
    }
    return lastTag
  }

  /// The next answer that has come whole; nil where more is to be waited for.
  package func nextAnswer() throws(ControlConnectionFailure)
    -> (tag: UInt32, answer: ControlAnswer)?
  {
    guard let frame = try understanding({ () throws(ControlFault) in try decoder.next() }) else {
      return nil
    }
    guard frame.version == ControlFrame.currentVersion else { throw .otherVersion(frame.version) }
    let reply = try understanding { () throws(ControlFault) in try ControlReply(frame) }
    guard frame.hasAttachment else {
      return (frame.tag, ControlAnswer(reply: reply, attachment: nil))
    }
    guard let descriptor = received.take() else { throw .brokenOff }
    do throws(SealedFile.Refusal) {
      let file = try SealedFile(adopting: descriptor, limit: Self.maximumAttachment)
      return (frame.tag, ControlAnswer(reply: reply, attachment: file))
    } catch {
      throw .brokenOff
    }
  }

  private func understanding<Value>(
    _ body: () throws(ControlFault) -> Value
  ) throws(ControlConnectionFailure) -> Value {
    do throws(ControlFault) { return try body() } catch { throw .brokenOff }
  }

  /// Takes what has come, without waiting.
  package func take() throws(ControlConnectionFailure) {
    do throws(Errno) {
      try unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 16) {
        buffer throws(Errno) in
        switch try unsafe socket.receive(into: buffer) {
        case .wouldBlock: return
        case .done(var bytes):
          if bytes.count == 0 { throw .connectionReset }
          if let descriptor = bytes.takeDescriptor() { received.add(descriptor) }
          unsafe decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<bytes.count]))
        }
      }
    } catch {
      throw error == .connectionReset ? .brokenOff : .system(error)
    }
  }

  private func wait(
    writing: Bool, until end: MonotonicTime
  ) throws(ControlConnectionFailure) {
    let left = end - MonotonicTime.now
    guard left > .zero else { throw .timedOut }
    do throws(Errno) {
      let milliseconds = Int32(clamping: left.nanoseconds / 1_000_000 + 1)
      if try !socket.wait(writing: writing, milliseconds: milliseconds) { throw .timedOut }
    } catch {
      throw error == .timedOut ? .timedOut : .system(error)
    }
  }
}

/// Descriptors that have come, in their order, until the frames that they belong to are whole.
package final class ReceivedDescriptors {
  private final class Box {
    var descriptor: OwnedFD?
    init(_ descriptor: consuming OwnedFD) { self.descriptor = consume descriptor }
  }

  private var boxes: [Box] = []

  package init() {}

  package var count: Int { boxes.count }

  package func add(_ descriptor: consuming OwnedFD) { boxes.append(Box(descriptor)) }

  package func take() -> OwnedFD? {
    guard !boxes.isEmpty else { return nil }
    return boxes.removeFirst().descriptor.take()
  }
}
