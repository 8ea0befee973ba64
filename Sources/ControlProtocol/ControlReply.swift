/// Why `clipd` did not do what it was asked.
package enum ControlFailure: Error, Hashable, Sendable {
  /// It does not manage the display.
  case notManaged
  /// Nothing is there.
  case empty
  /// It is not offered, or was refused by its owner.
  case refused
  /// What was listed is not what is there now.
  case changed
  /// The owner did not answer in time.
  case timedOut
  /// More than is taken.
  case tooLarge
  /// Another program keeps taking the selection.
  case contested
  /// The display is gone.
  case connectionLost
  /// Nobody gets the content for so long.
  case guarded(milliseconds: UInt64)
  /// The message is not one that makes sense.
  case malformed
  /// Too much is under way already.
  case busy
  /// The other end speaks another version of the protocol; its header says which.
  case version
}

/// What `clipd` answers.
package enum ControlReply: Hashable, Sendable {
  case done(changeCount: UInt64)
  case listing(changeCount: UInt64, targets: [String])
  /// The bytes are the memory file that comes along; without one there are none.
  case content(ControlContent)
  case status(ControlStatus)
  /// One change, for whoever watches.
  case changed(changeCount: UInt64, ControlChange)
  case guarding(ControlGuard)
  case failure(ControlFailure)

  private enum Kind {
    static let done: UInt8 = 0x81
    static let listing: UInt8 = 0x82
    static let content: UInt8 = 0x83
    static let status: UInt8 = 0x84
    static let changed: UInt8 = 0x85
    static let guarding: UInt8 = 0x86
    static let failure: UInt8 = 0xFF
  }

  package func frame(tag: UInt32, hasAttachment: Bool = false) -> ControlFrame {
    var writer = ControlWriter()
    let kind: UInt8
    switch self {
    case .done(let changeCount):
      kind = Kind.done
      writer.uint64(changeCount)
    case .listing(let changeCount, let targets):
      kind = Kind.listing
      writer.uint64(changeCount)
      writer.list(targets) { $0.text($1) }
    case .content(let content):
      kind = Kind.content
      writer.value(content)
    case .status(let status):
      kind = Kind.status
      writer.value(status)
    case .changed(let changeCount, let change):
      kind = Kind.changed
      writer.uint64(changeCount)
      writer.uint8(change.rawValue)
    case .guarding(let state):
      kind = Kind.guarding
      writer.value(state)
    case .failure(let failure):
      kind = Kind.failure
      writer.value(failure)
    }
    return ControlFrame(kind: kind, hasAttachment: hasAttachment, tag: tag, body: writer.bytes)
  }

  package init(_ frame: ControlFrame) throws(ControlFault) {
    var reader = ControlReader(frame.body)
    guard let reply = Self.reply(frame.kind, &reader), reader.isAtEnd else {
      throw .malformed(kind: frame.kind)
    }
    if frame.hasAttachment, frame.kind != Kind.content { throw .malformed(kind: frame.kind) }
    self = reply
  }

  private static func reply(_ kind: UInt8, _ reader: inout ControlReader) -> ControlReply? {
    switch kind {
    case Kind.done: return reader.uint64().map { .done(changeCount: $0) }
    case Kind.listing:
      guard let changeCount = reader.uint64(),
        let targets = reader.list(atMost: 1 << 16, { $0.text() })
      else { return nil }
      return .listing(changeCount: changeCount, targets: targets)
    case Kind.content: return reader.value().map { .content($0) }
    case Kind.status: return reader.value().map { .status($0) }
    case Kind.changed:
      guard let changeCount = reader.uint64(),
        let change = reader.uint8().flatMap({ ControlChange(rawValue: $0) })
      else { return nil }
      return .changed(changeCount: changeCount, change)
    case Kind.guarding: return reader.value().map { .guarding($0) }
    case Kind.failure: return reader.value().map { .failure($0) }
    default: return nil
    }
  }
}

/// What happened to a pasteboard.
package enum ControlChange: UInt8, Sendable {
  /// Something was written to it.
  case written = 0
  /// It was cleared on purpose.
  case cleared = 1
  /// Its content came to its end by itself: served once, or expired.
  case ended = 2
}

/// One target's wire form, and where its bytes are in the memory file that goes along.
///
/// The file may hold more: it is often the one in which all of the item was handed over.
package struct ControlContent: Hashable, Sendable {
  package var typeName: String
  package var format: UInt8
  package var range: AttachedRange

  package init(typeName: String, format: UInt8, range: AttachedRange) {
    self.typeName = typeName
    self.format = format
    self.range = range
  }
}

extension ControlContent: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.text(typeName)
    writer.uint8(format)
    writer.value(range)
  }

  init?(from reader: inout ControlReader) {
    guard let typeName = reader.text(), let format = reader.uint8(),
      [8, 16, 32].contains(format), let range: AttachedRange = reader.value()
    else { return nil }
    self.init(typeName: typeName, format: format, range: range)
  }
}

extension ControlFailure: ControlCodable {
  /// In the order of their numbers on the wire.
  private static let plain: [ControlFailure] = [
    .notManaged, .empty, .refused, .changed, .timedOut, .tooLarge, .contested, .connectionLost,
    .malformed, .busy, .version,
  ]
  private static let guardedNumber: UInt8 = 0x80

  func write(to writer: inout ControlWriter) {
    if case .guarded(let milliseconds) = self {
      writer.uint8(Self.guardedNumber)
      writer.uint64(milliseconds)
    } else {
      writer.uint8(UInt8(clamping: Self.plain.firstIndex(of: self) ?? Self.plain.count))
    }
  }

  init?(from reader: inout ControlReader) {
    guard let number = reader.uint8() else { return nil }
    if number == Self.guardedNumber {
      guard let milliseconds = reader.uint64() else { return nil }
      self = .guarded(milliseconds: milliseconds)
    } else {
      guard Int(number) < Self.plain.count else { return nil }
      self = Self.plain[Int(number)]
    }
  }
}
