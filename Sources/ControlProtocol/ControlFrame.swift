/// A message as it goes over the control socket: a header of fixed size, then the body.
///
/// See Documentation/protocols/control.md. The header never changes from version to version, so that two ends of different versions can tell
/// each other so.
package struct ControlFrame: Hashable, Sendable {
  /// The version of the messages that this build speaks.
  package static let currentVersion: UInt16 = 1

  package static let magic: [UInt8] = Array("CLPV".utf8)
  package static let headerSize = 16

  /// The largest body: names and sizes only, contents go by descriptor.
  package static let maximumBodySize = 1 << 20

  package var version = ControlFrame.currentVersion
  package var kind: UInt8
  /// Whether a descriptor goes with the first byte of the header.
  package var hasAttachment: Bool
  /// Chosen by whoever asks; the answer has the same.
  package var tag: UInt32
  package var body: [UInt8]

  package init(kind: UInt8, hasAttachment: Bool = false, tag: UInt32, body: [UInt8]) {
    self.kind = kind
    self.hasAttachment = hasAttachment
    self.tag = tag
    self.body = body
  }

  /// Whether a receiver takes it: what is put together from what others said may be too long.
  package var fits: Bool { body.count <= Self.maximumBodySize }

  /// The frame as it goes over the socket.
  package var bytes: [UInt8] {
    precondition(body.count <= Self.maximumBodySize, "a body larger than any receiver takes")
    var writer = ControlWriter()
    writer.raw(Self.magic)
    writer.uint16(version)
    writer.uint8(kind)
    writer.uint8(hasAttachment ? 1 : 0)
    writer.uint32(tag)
    writer.uint32(UInt32(body.count))
    writer.raw(body)
    return writer.bytes
  }
}

/// What makes a stream of frames unusable: nothing that comes behind it can be understood.
package enum ControlFault: Error, Hashable, Sendable {
  /// It does not begin as frames do, or has flags that mean nothing.
  case notAFrame
  case tooLong(Int)
  /// A body that is no message of its kind.
  case malformed(kind: UInt8)
  /// A descriptor was announced and did not come.
  case noDescriptor
  /// More descriptors came than frames that announced one.
  case surplusDescriptor
}

/// Cuts a stream of bytes into frames, however they come in pieces.
///
/// Holds one frame at most: what a peer sends without end costs no more than that.
package struct ControlFrameDecoder: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0
  private var fault: ControlFault?

  package init() {}

  package mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }

  /// Takes no collection of any kind: to find out what such a one is, while it runs, costs a third of a
  /// whole paste.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard fault == nil else { return }
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
      start = 0
    } else if start > 1 << 16 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    unsafe buffer.append(contentsOf: bytes)
  }

  /// How many bytes wait for the rest of their frame.
  package var pendingCount: Int { buffer.count - start }

  /// The next whole frame; nil until more has come.
  ///
  /// A fault is final.
  package mutating func next() throws(ControlFault) -> ControlFrame? {
    if let fault { throw fault }
    do {
      return try take()
    } catch {
      fault = error
      buffer = []
      start = 0
      throw error
    }
  }

  private mutating func take() throws(ControlFault) -> ControlFrame? {
    let available = buffer[start...]
    // Told by the first bytes, not when sixteen of them have come: a stranger is to go away at once.
    guard available.prefix(4).elementsEqual(ControlFrame.magic.prefix(available.count)) else {
      throw .notAFrame
    }
    guard available.count >= ControlFrame.headerSize else { return nil }
    var reader = ControlReader(available.prefix(ControlFrame.headerSize).dropFirst(4))
    guard let version = reader.uint16(), let kind = reader.uint8(), let flags = reader.uint8(),
      let tag = reader.uint32(), let length = reader.uint32(), flags <= 1
    else { throw .notAFrame }
    guard length <= ControlFrame.maximumBodySize else { throw .tooLong(Int(length)) }
    let end = ControlFrame.headerSize + Int(length)
    guard available.count >= end else { return nil }
    let body = Array(available.dropFirst(ControlFrame.headerSize).prefix(Int(length)))
    start += end
    var frame = ControlFrame(kind: kind, hasAttachment: flags == 1, tag: tag, body: body)
    frame.version = version
    return frame
  }
}
