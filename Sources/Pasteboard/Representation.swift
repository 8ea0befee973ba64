public import TypeRegistry

/// Where the bytes of a representation come from.
public enum RepresentationOrigin: Hashable, Sendable {
  /// The owner's own: nothing was converted to get it.
  case native
  /// Converted from the representation of another type, so never the source of a conversion.
  case made(from: TypeIdentifier)
}

/// Bytes, or a promise of bytes, for one type identifier of an item.
public struct Representation: Sendable {
  enum Content {
    case bytes(Payload)
    case promise(Promise)
  }

  /// The type that the bytes have.
  public let type: TypeIdentifier

  /// Whether the bytes are the owner's own or made from something else.
  public let origin: RepresentationOrigin

  /// The spelling on the wire where exactly this one matters, as for private targets; else nil.
  public let target: String?

  let content: Content

  /// The bytes; those of a promise are made now unless they are there already.
  ///
  /// A promise is made at most once, however many ask and on whatever thread: who comes meanwhile
  /// waits, and the result is kept, whether bytes or an error.
  public func payload() throws -> Payload {
    switch content {
    case .bytes(let payload): payload
    case .promise(let promise): try promise.keep()
    }
  }

  /// The bytes if they are there: nil for a promise that was not made yet, or could not be kept.
  ///
  /// Never waits, not even for a promise that is being made at this moment.
  public var availablePayload: Payload? {
    switch content {
    case .bytes(let payload): payload
    case .promise(let promise): try? promise.available?.get()
    }
  }
}
