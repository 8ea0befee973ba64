package import Pasteboard

/// Where the bytes of a target come from: they are there, or are made when somebody asks.
///
/// A back-end serves what is ``there(_:)`` at once. What is ``State/toBeMade`` it has made on the
/// worker, by ``payload()``, and answers when the result is back; others are served meanwhile.
package struct ContentSource: Sendable {
  package enum State: Sendable {
    case there(Payload)
    /// Making it may take time.
    case toBeMade
    /// There is nothing, and never will be.
    case refused
  }

  private enum Form: Sendable {
    case bytes(Payload)
    case promise(Representation, isQuick: Bool)
    case nothing
  }

  private let form: Form

  private init(_ form: Form) { self.form = form }

  /// Bytes that are there.
  package init(_ payload: Payload) { self.init(.bytes(payload)) }

  /// The bytes of a representation, or its promise.
  ///
  /// - Parameter isQuick: Whether it is made in no time, so that no thread is needed for it.
  package init(_ representation: Representation, isQuick: Bool = false) {
    if let payload = representation.availablePayload {
      self.init(.bytes(payload))
    } else {
      self.init(.promise(representation, isQuick: isQuick))
    }
  }

  /// What is listed and not given.
  package static let refused = ContentSource(.nothing)

  /// How the bytes are to be had at this moment; never waits.
  package var state: State {
    switch form {
    case .bytes(let payload): .there(payload)
    case .nothing: .refused
    case .promise(let representation, let isQuick):
      if let payload = representation.availablePayload {
        .there(payload)
      } else if isQuick {
        (try? representation.payload()).map { .there($0) } ?? .refused
      } else {
        .toBeMade
      }
    }
  }

  /// The bytes, made now unless they are there: on whatever thread, once however many ask.
  package func payload() throws -> Payload {
    switch form {
    case .bytes(let payload): return payload
    case .promise(let representation, _): return try representation.payload()
    case .nothing: throw Refused()
    }
  }

  package struct Refused: Error {}
}
