internal import ControlProtocol

/// Any bytes as what comes over the control socket: from a client, and from a daemon.
enum ControlSubject {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    var decoder = ControlFrameDecoder()
    // In two pieces, so that a frame may be cut anywhere.
    let input = unsafe Array(bytes)
    let half = input.count / 2
    for piece in [Array(input[..<half]), Array(input[half...])] {
      decoder.append(piece)
      while let frame = (try? decoder.next()) ?? nil { check(frame) }
    }
    precondition(decoder.pendingCount <= ControlFrame.headerSize + ControlFrame.maximumBodySize)
  }

  /// What was understood is said again in the same words.
  private static func check(_ frame: ControlFrame) {
    if let request = try? ControlRequest(frame) {
      let again = request.frame(tag: frame.tag, hasAttachment: frame.hasAttachment)
      precondition(again.kind == frame.kind && again.body == frame.body)
    }
    if let reply = try? ControlReply(frame) {
      let again = reply.frame(tag: frame.tag, hasAttachment: frame.hasAttachment)
      precondition(again.kind == frame.kind && again.body == frame.body)
    }
  }
}
