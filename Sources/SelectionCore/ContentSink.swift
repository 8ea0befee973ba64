/// Takes long content while the rest of it is still on its way, so that nobody has to hold all of it.
package protocol ContentSink: AnyObject {
  /// How much has to have come before it is asked whether it takes it, over what counts as long anyway.
  var minimumHead: Int { get }

  /// Asked once for each transfer: whether the content is to be handed on as it comes.
  ///
  /// - Parameter head: The representation, with what has come so far; where the answer is yes, it has been
  ///   taken.
  func begin(_ head: ReceivedRepresentation) -> Bool

  /// Takes what came next.
  func take(_ bytes: UnsafeRawBufferPointer) -> ContentSinkAnswer
}

package enum ContentSinkAnswer: Hashable, Sendable {
  case taken
  /// Neither these bytes nor any behind them: they are held, as without a sink.
  case declined
  /// Nobody wants the content any more: the transfer is to be broken off as one that is too large.
  case brokenOff
}

/// A sink as one transfer sees it.
package struct ContentHandover {
  private let sink: any ContentSink
  private var state = State.waiting

  private enum State { case waiting, begun, ended }

  package init(to sink: any ContentSink) { self.sink = sink }

  /// Whether it is to begin where so much has come: more than a pipe holds at first.
  package func isDue(at count: Int) -> Bool {
    state == .waiting && count > IncomingStream.pipeSize && count >= sink.minimumHead
  }

  /// Hands over the beginning of long content; whether it was taken.
  package mutating func begin(_ head: ReceivedRepresentation) -> Bool {
    state = sink.begin(head) ? .begun : .ended
    return state == .begun
  }

  package var isUnderWay: Bool { state == .begun }

  package mutating func take(_ bytes: UnsafeRawBufferPointer) -> ContentSinkAnswer {
    guard state == .begun else { return .declined }
    let answer = unsafe sink.take(bytes)
    if answer != .taken { state = .ended }
    return answer
  }
}
