package import ControlProtocol
package import Pasteboard
package import SelectionCore
package import SystemIO
internal import TextEncoding
package import TypeRegistry

/// An offer as it is handed over: what it is, and its contents in one memory file.
package struct PackedOffer {
  package let description: OfferDescription
  /// Nil where there is not one byte.
  package let contents: SealedFile?

  /// Puts an offer together for another process.
  ///
  /// What is there goes as bytes, what is promised as the conversion that is to make it, so that
  /// nothing is converted before somebody asks.
  package init(_ offer: Offer) throws(Errno) {
    var packer = Packer()
    var description = OfferDescription()
    if let recipe = offer.recipe {
      for representation in recipe.item.representations {
        description.representations.append(packer.description(of: representation))
      }
      description.spellings = recipe.textSpellings.map {
        .init(target: $0.target, replyType: $0.replyType, charset: $0.charset.name)
      }
    }
    for target in offer.targetsBesideRecipe {
      description.targets.append(packer.description(of: target))
    }
    description.isBehind = offer.recipe?.isBehind ?? false
    description.isOnce = offer.serving.isOnce
    description.lifetimeMilliseconds = offer.serving.lifetime.map(Self.milliseconds)
    description.guardMilliseconds = offer.serving.guardTime.map(Self.milliseconds)
    self.description = description
    contents = try packer.file()
  }

  private static func milliseconds(_ time: Duration) -> UInt64 {
    let (seconds, attoseconds) = time.components
    let part = UInt64(clamping: attoseconds / 1_000_000_000_000_000)
    let (whole, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1000)
    return overflow ? .max : whole + part
  }
}

/// Lays contents one behind the other, each once.
private struct Packer {
  private var payloads: [(payload: Payload, offset: Int)] = []
  private var size = 0

  mutating func description(
    of representation: Representation
  ) -> OfferDescription.Representation {
    var source: String?
    if case .made(let type) = representation.origin { source = type.description }
    let content: OfferDescription.Content
    if let payload = representation.availablePayload {
      content = .bytes(add(payload))
    } else if source != nil {
      content = .converted
    } else {
      content = (try? representation.payload()).map { .bytes(add($0)) } ?? .refused
    }
    return OfferDescription.Representation(
      type: representation.type.description, target: representation.target, source: source,
      content: content)
  }

  mutating func description(of target: OfferedTarget) -> OfferDescription.Target {
    OfferDescription.Target(
      name: target.name, typeName: target.typeName, format: UInt8(clamping: target.format),
      content: (try? target.content.payload()).map { .bytes(add($0)) } ?? .refused)
  }

  private mutating func add(_ payload: Payload) -> AttachedRange {
    // The same memory under several names is the rule: text in its spellings.
    if let there = payloads.first(where: { $0.payload.sharesMemory(with: payload) }) {
      return AttachedRange(offset: there.offset, count: payload.count)
    }
    defer { size += payload.count }
    payloads.append((payload, size))
    return AttachedRange(offset: size, count: payload.count)
  }

  func file() throws(Errno) -> SealedFile? {
    guard size > 0 else { return nil }
    return try unsafe SealedFile(name: "clipview", size: size) { write throws(Errno) in
      for (payload, _) in payloads {
        try unsafe payload.forEachChunk { bytes throws(Errno) in try unsafe write(bytes) }
      }
    }
  }
}

extension Payload {
  /// Whether both are the very same bytes in memory.
  fileprivate func sharesMemory(with other: Payload) -> Bool {
    guard count == other.count, count > 0 else { return false }
    let (mine, theirs) = (chunks, other.chunks)
    return mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0 === $1 }
  }

  /// A part of a memory file.
  package init(_ range: Range<Int>, of file: SealedFile) {
    let all = Payload(
      chunks: [unsafe ByteChunk(unowned: file.bytes) { withExtendedLifetime(file) {} }])
    self = all[range]
  }
}

extension Offer {
  /// The offer that another process handed over; nil where its description does not fit its contents.
  ///
  /// - Parameter table: What makes what is promised.
  package init?(
    _ description: OfferDescription, contents: SealedFile?, table: ConversionTable,
    in registry: TypeRegistry
  ) {
    let size = contents?.count ?? 0
    func payload(_ attached: AttachedRange) -> Payload? {
      guard let range = attached.range(within: size) else { return nil }
      guard let contents, !range.isEmpty else { return Payload([]) }
      return Payload(range, of: contents)
    }
    var item = PasteboardItem()
    for representation in description.representations {
      guard let type = TypeIdentifier(representation.type),
        let source = Self.source(representation.source)
      else { return nil }
      switch representation.content {
      case .bytes(let range):
        guard let payload = payload(range) else { return nil }
        item.set(
          payload, for: type, target: representation.target,
          origin: source.map { .made(from: $0) } ?? .native)
      case .refused:
        item.promise(type, from: source, target: representation.target) { throw NotToBeHad() }
      case .converted:
        guard let source, let native = item.representation(for: source),
          let conversion = table.conversion(from: source, to: type, in: registry)
        else { return nil }
        item.promise(type, from: source, target: representation.target) {
          try conversion.convert(native.payload(), target: native.target)
        }
      }
    }
    var spellings: [PublishedTextSpelling] = []
    for spelling in description.spellings {
      guard let charset = Self.charset(spelling.charset) else { return nil }
      spellings.append(
        PublishedTextSpelling(
          target: spelling.target, replyType: spelling.replyType, charset: charset))
    }
    var others: [OfferedTarget] = []
    for target in description.targets {
      switch target.content {
      case .bytes(let range):
        guard let payload = payload(range) else { return nil }
        others.append(
          OfferedTarget(
            name: target.name, typeName: target.typeName, format: Int(target.format), payload))
      case .refused, .converted:
        others.append(OfferedTarget(name: target.name, content: .refused))
      }
    }
    if description.isBehind {
      self.init(in: registry)
      // The marker tells what was made as well, and stands behind it.
      for target in others where target.name != OriginMarker.target { set(target) }
      append(item, textSpellings: spellings, in: registry)
    } else {
      self.init(item, textSpellings: spellings, in: registry)
    }
    for target in others { set(target) }
    serving.isOnce = description.isOnce
    serving.lifetime = description.lifetimeMilliseconds.map(Self.duration)
    serving.guardTime = description.guardMilliseconds.map(Self.duration)
  }

  private static func source(_ text: String?) -> TypeIdentifier?? {
    guard let text else { return .some(nil) }
    guard let type = TypeIdentifier(text) else { return nil }
    return .some(type)
  }

  private static func charset(_ name: String) -> Charset? {
    [.utf8, .latin1, .compoundText].first { $0.name == name }
  }

  private static func duration(_ milliseconds: UInt64) -> Duration {
    // A thousand years: what is longer means the same.
    .milliseconds(min(milliseconds, 31_536_000_000_000))
  }
}

/// The owner could not give it either.
private struct NotToBeHad: Error {}
