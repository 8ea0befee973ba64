internal import EventLoop
internal import Pasteboard
internal import SelectionCore

/// One conversion under way: what was asked of whom, what has come so far, who waits for it.
final class X11Conversion {
  typealias Completion = (Result<Answer, ReadFailure>) -> Void

  struct Answer {
    let type: AtomID
    let format: Int
    let payload: Payload
  }

  /// What a conversion is asked with.
  struct Request {
    let selection: AtomID
    let target: AtomID
    let ownership: ReadOwnership
    let deadline: ProgressDeadline
    /// The part of the deadline that is for this one.
    var share = 1.0
    var limit = Int.max
    /// Takes long content as it comes.
    var sink: (any ContentSink)?
    /// Whether it only finds out what a refusal meant.
    var isVerification = false
    /// Run before each time it is sent: what the owner is to find in the property.
    var prepare: ((AnswerPlace) -> Void)?
  }

  var machine = IncomingTransfer()
  let request: Request
  /// Where the answer comes.
  let place: AnswerPlace
  /// Who owned the selection when we asked.
  let owner: WindowID
  /// The serial number of the request that told us so: notices from before it are about others.
  let ownerSerial: UInt
  /// Whether somebody else has taken the selection since.
  var isOwnerReplaced = false
  let completion: Completion
  /// The time that it named when it was sent last.
  var time: ServerTime
  /// Whether it was sent more than once.
  var isRepeated = false
  /// Whether a refusal is being looked into.
  var isBeingVerified = false
  /// Whether the owner has promised a value: not so where a list that came back makes no sense.
  var isPromised = true
  var content: GatheredContent
  /// The serial number of the request that had the end of the owner's window reported.
  var watchSerial: UInt?
  var type = AtomID.none
  var format = 8
  var deadlineTimer: LoopToken?
  var ownerTimer: LoopToken?

  var selection: AtomID { request.selection }
  var target: AtomID { request.target }
  var ownership: ReadOwnership { request.ownership }
  var isAwaitingAnswer: Bool { machine.state == .requested }

  /// When it is given up, unless something moves until then.
  var due: MonotonicTime {
    MonotonicTime(nanoseconds: request.deadline.lastProgress)
      + request.deadline.interval * request.share
  }

  init(
    _ request: Request, in place: AnswerPlace, of owner: WindowID, knownSince ownerSerial: UInt,
    at time: ServerTime, _ completion: @escaping Completion
  ) {
    self.request = request
    content = GatheredContent(into: request.sink)
    self.place = place
    self.owner = owner
    self.ownerSerial = ownerSerial
    self.time = time
    self.completion = completion
  }
}

extension X11Connection {
  func representation(
    _ answer: X11Conversion.Answer, of target: String
  ) -> ReceivedRepresentation {
    ReceivedRepresentation(
      target: target, typeName: name(of: answer.type) ?? "", format: answer.format,
      payload: answer.payload)
  }
}
