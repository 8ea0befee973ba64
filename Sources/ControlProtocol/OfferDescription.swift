/// A range of the bytes that go with a message.
package struct AttachedRange: Hashable, Sendable {
  package var offset: Int
  package var count: Int

  package init(offset: Int, count: Int) {
    self.offset = offset
    self.count = count
  }

  /// The range within an attachment of that size; nil where it reaches beyond it.
  package func range(within size: Int) -> Range<Int>? {
    let (end, overflow) = offset.addingReportingOverflow(count)
    return offset >= 0 && count >= 0 && !overflow && end <= size ? offset..<end : nil
  }
}

/// Something to be published, as it is handed over: what is there, and what is to be made from it
/// when somebody asks.
package struct OfferDescription: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case bytes(AttachedRange)
    /// Made, when somebody asks, from the representation of another type.
    case converted
    /// Listed, and refused to everybody.
    case refused
  }

  /// A representation of the item.
  package struct Representation: Hashable, Sendable {
    package var type: String
    /// The spelling on the wire, where exactly this one matters.
    package var target: String?
    /// The type that it was or is made from; nil for a native one.
    package var source: String?
    package var content: Content

    package init(type: String, target: String?, source: String?, content: Content) {
      self.type = type
      self.target = target
      self.source = source
      self.content = content
    }
  }

  /// A name under which plain text is offered.
  package struct Spelling: Hashable, Sendable {
    package var target: String
    package var replyType: String
    package var charset: String

    package init(target: String, replyType: String, charset: String) {
      self.target = target
      self.replyType = replyType
      self.charset = charset
    }
  }

  /// A target that belongs to no representation: a marker, or one of a saved clipboard.
  package struct Target: Hashable, Sendable {
    package var name: String
    package var typeName: String
    package var format: UInt8
    package var content: Content

    package init(name: String, typeName: String, format: UInt8, content: Content) {
      self.name = name
      self.typeName = typeName
      self.format = format
      self.content = content
    }
  }

  package var representations: [Representation] = []
  package var spellings: [Spelling] = []
  package var targets: [Target] = []
  /// Whether what the representations offer stands behind the targets, which keep their names.
  package var isBehind = false
  package var isOnce = false
  package var lifetimeMilliseconds: UInt64?
  package var guardMilliseconds: UInt64?

  package init() {}

  /// More than any program offers.
  package static let maximumTargets = 4096
}

extension AttachedRange: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.uint64(UInt64(offset))
    writer.uint64(UInt64(count))
  }

  init?(from reader: inout ControlReader) {
    guard let offset = reader.count(), let count = reader.count() else { return nil }
    self.init(offset: offset, count: count)
  }
}

extension OfferDescription.Content: ControlCodable {
  func write(to writer: inout ControlWriter) {
    switch self {
    case .bytes(let range):
      writer.uint8(0)
      writer.value(range)
    case .converted: writer.uint8(1)
    case .refused: writer.uint8(2)
    }
  }

  init?(from reader: inout ControlReader) {
    switch reader.uint8() {
    case 0:
      guard let range: AttachedRange = reader.value() else { return nil }
      self = .bytes(range)
    case 1: self = .converted
    case 2: self = .refused
    default: return nil
    }
  }
}

extension OfferDescription.Representation: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.text(type)
    writer.optional(target) { $0.text($1) }
    writer.optional(source) { $0.text($1) }
    writer.value(content)
  }

  init?(from reader: inout ControlReader) {
    guard let type = reader.text(), let target = reader.optional({ $0.text() }),
      let source = reader.optional({ $0.text() }),
      let content: OfferDescription.Content = reader.value()
    else { return nil }
    // What is made is made from something.
    if content == .converted, source == nil { return nil }
    self.init(type: type, target: target, source: source, content: content)
  }
}

extension OfferDescription.Spelling: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.text(target)
    writer.text(replyType)
    writer.text(charset)
  }

  init?(from reader: inout ControlReader) {
    guard let target = reader.text(), let replyType = reader.text(), let charset = reader.text()
    else { return nil }
    self.init(target: target, replyType: replyType, charset: charset)
  }
}

extension OfferDescription.Target: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.text(name)
    writer.text(typeName)
    writer.uint8(format)
    writer.value(content)
  }

  init?(from reader: inout ControlReader) {
    guard let name = reader.text(), let typeName = reader.text(), let format = reader.uint8(),
      [8, 16, 32].contains(format), let content: OfferDescription.Content = reader.value(),
      content != .converted
    else { return nil }
    self.init(name: name, typeName: typeName, format: format, content: content)
  }
}

extension OfferDescription: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.values(representations)
    writer.values(spellings)
    writer.values(targets)
    writer.boolean(isBehind)
    writer.boolean(isOnce)
    writer.optional(lifetimeMilliseconds) { $0.uint64($1) }
    writer.optional(guardMilliseconds) { $0.uint64($1) }
  }

  init?(from reader: inout ControlReader) {
    guard let representations: [Representation] = reader.values(atMost: Self.maximumTargets),
      let spellings: [Spelling] = reader.values(atMost: Self.maximumTargets),
      let targets: [Target] = reader.values(atMost: Self.maximumTargets),
      let isBehind = reader.boolean(), let isOnce = reader.boolean(),
      let lifetime = reader.optional({ $0.uint64() }),
      let guardTime = reader.optional({ $0.uint64() })
    else { return nil }
    self.representations = representations
    self.spellings = spellings
    self.targets = targets
    self.isBehind = isBehind
    self.isOnce = isOnce
    lifetimeMilliseconds = lifetime
    guardMilliseconds = guardTime
  }
}
