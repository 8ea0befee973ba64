package import Pasteboard
package import SelectionCore
internal import TextEncoding
package import TypeRegistry

/// Why nothing could be read.
package enum ReadProblem: Error, Hashable, Sendable {
  /// The selection has no owner.
  case nothingThere
  /// The owner has something, but nothing of this kind.
  case notOffered(offered: [String])
  case timedOut
  /// The owner broke the protocol or went away half-way.
  case brokenOff(target: String)
  case connectionLost
  /// Content is there and cannot become what was asked for.
  case unconvertible(from: TypeIdentifier, to: TypeIdentifier)
}

/// What was read, ready to be handed on.
package struct PastedContent: Sendable {
  package enum Method: Hashable, Sendable {
    /// The offered bytes, untouched.
    case asOffered
    /// Offered text, made UTF-8.
    case asText
    case converted(from: TypeIdentifier)
  }

  package let payload: Payload
  // Nil is plain text: the commonest paste must not have to set up the registry, which is most of
  // what a whole paste costs.
  private let knownType: TypeIdentifier?
  /// The target that was read.
  package let target: String
  package let method: Method
  /// Whether some of the text could not be decoded.
  package let isLossy: Bool

  package var type: TypeIdentifier { knownType ?? .utf8PlainText }

  init(
    payload: Payload, type: TypeIdentifier?, target: String, method: Method, isLossy: Bool
  ) {
    self.payload = payload
    knownType = type
    self.target = target
    self.method = method
    self.isLossy = isLossy
  }
}

/// Reads what another program offers on one selection.
///
/// All steps of an operation share one deadline: the time without progress after which it gives up.
package final class ContentReader {
  let session: ClipboardSession
  let selection: PasteboardName
  private let deadline: ProgressDeadline
  // Looked up when something is to be converted, not before.
  private lazy var table = ConversionTable.standard
  private var listedNames: [String]??
  private var readMarker: OriginMarker??
  /// Whether the owner let the time pass when asked what it has.
  package private(set) var hasListingTimedOut = false

  package init(
    _ session: ClipboardSession, _ selection: PasteboardName, timeout: Duration
  ) {
    self.session = session
    self.selection = selection
    deadline = ProgressDeadline(timeout, startingAt: session.backend.clock)
  }

  var wire: TextSpelling.Wire { session.backend.kind == .wayland ? .wayland : .x11 }

  /// How long an empty selection may be about to get an owner: `xclip -i` returns before its request
  /// has reached the server.
  private static let ownerDelay = Duration.milliseconds(50)
  private var hasWaitedForOwner = false

  // MARK: What is there

  /// The owner's targets, in its order and spelling; nil where the owner does not tell.
  package func targetNames() throws(ReadProblem) -> [String]? {
    if let listedNames { return listedNames }
    // A silent owner gets half of the time; the other half is for asking it for text.
    let result = session.wait { done in
      session.backend.listTargets(of: selection, deadline: deadline, share: 0.5, done)
    }
    let names: [String]?
    switch result {
    case .success(let list): names = list
    case .failure(.timedOut):
      hasListingTimedOut = true
      names = nil
    case .failure(.refused), .failure(.malformed): names = nil
    case .failure(.noOwner) where !hasWaitedForOwner:
      hasWaitedForOwner = true
      _ = session.wait(atMost: Self.ownerDelay) { session.backend.hasOwner(selection) }
      return try targetNames()
    case .failure(let failure): throw problem(failure, target: "TARGETS")
    }
    listedNames = names
    return names
  }

  /// What is offered; for an owner that does not tell, nothing.
  package func offeredContent() throws(ReadProblem) -> OfferedContent {
    let names = try targetNames() ?? []
    return OfferedContent(names, marker: try originMarker(among: names), on: wire)
  }

  func originMarker(among names: [String]) throws(ReadProblem) -> OriginMarker? {
    if let readMarker { return readMarker }
    var marker: OriginMarker?
    if names.contains(OriginMarker.target),
      let answer = try readIfGiven(OriginMarker.target), answer.payload.count <= 1 << 20
    {
      marker = OriginMarker(parsing: answer.payload.bytes)
    }
    readMarker = marker
    return marker
  }

  /// The markers that say that the content is secret, as they are offered.
  package func secretMarkers() throws(ReadProblem) -> [OfferedTarget] {
    var secrets: [OfferedTarget] = []
    for name in SensitivityMarker.markers(among: try targetNames() ?? []) {
      let value = try readIfGiven(name)?.payload
      guard SensitivityMarker.isSecret(name, value: value) else { continue }
      let kept = value ?? Payload([])
      secrets.append(OfferedTarget(name: name) { kept })
    }
    return secrets
  }

  // MARK: One target

  /// The target's bytes, or nil where the owner refuses it.
  private func readIfGiven(_ target: String) throws(ReadProblem) -> ReceivedRepresentation? {
    let result = session.wait { done in
      session.backend.read(target, of: selection, deadline: deadline, limit: .max, done)
    }
    switch result {
    case .success(let representation): return representation
    case .failure(.refused): return nil
    case .failure(let failure): throw problem(failure, target: target)
    }
  }

  private func problem(_ failure: ReadFailure, target: String) -> ReadProblem {
    switch failure {
    case .noOwner: .nothingThere
    case .timedOut: .timedOut
    case .connectionLost: .connectionLost
    case .refused, .malformed, .tooLarge, .ownerGone: .brokenOff(target: target)
    }
  }

  /// Runs an operation, and once more where the owner went away under it and another one is there.
  private func withNewOwner<Value>(
    _ operation: () throws(ReadProblem) -> Value
  ) throws(ReadProblem) -> Value {
    do {
      return try operation()
    } catch .brokenOff {
      guard session.backend.hasOwner(selection) else { throw .nothingThere }
      listedNames = nil
      readMarker = nil
      return try operation()
    } catch {
      throw error
    }
  }

  // MARK: Operations

  /// The representation that is or conforms to what was asked for, its bytes untouched.
  package func representation(_ query: String) throws(ReadProblem) -> PastedContent {
    try withNewOwner { () throws(ReadProblem) in
      guard let names = try targetNames() else { return try blindRepresentation(query) }
      if names.contains(query) {
        guard let answer = try readIfGiven(query) else { throw .notOffered(offered: names) }
        return untouched(answer, type: TypeRegistry.builtin.type(forTarget: query))
      }
      let content = try offeredContent()
      let request = TypeRequest.ordered(TypeQuery(query, offered: names).types())
      let negotiator = Negotiator(table: ConversionTable([]))
      guard let choice = negotiator.choose(request, from: content.offer) else {
        throw .notOffered(offered: names)
      }
      let entry = content.entries[choice.index]
      for target in entry.targets {
        if let answer = try readIfGiven(target) { return untouched(answer, type: entry.type) }
      }
      throw .notOffered(offered: names)
    }
  }

  private func untouched(
    _ answer: ReceivedRepresentation, type: TypeIdentifier
  ) -> PastedContent {
    PastedContent(
      payload: answer.payload, type: type, target: answer.target, method: .asOffered,
      isLossy: false)
  }

  /// Asks an owner that does not tell what it has for the very target, or for text.
  private func blindRepresentation(_ query: String) throws(ReadProblem) -> PastedContent {
    let type = TypeQuery(query).types()[0]
    let targets =
      TypeIdentifier.utf8PlainText.conforms(to: type) && TextSpelling(query) == nil
      ? TextSpelling.blind : [query]
    for target in targets {
      guard let answer = try readIfGiven(target) else { continue }
      // Some owners answer whatever they are asked with the same bytes. Where the type has a
      // signature, content without it is not what was asked for.
      if type.hasSignature, sniffedType(of: answer.payload)?.conforms(to: type) != true { continue }
      return untouched(answer, type: type)
    }
    throw .notOffered(offered: [])
  }

  /// The plain text there is, as UTF-8: native plain text, else Markdown's own and that of other
  /// textual types, else one conversion; nil where there is nothing of the kind.
  package func plainText() throws(ReadProblem) -> PastedContent? {
    try withNewOwner { () throws(ReadProblem) in
      let names = try targetNames()
      let spellings = TextSpelling.ranked(among: names ?? TextSpelling.blind, on: wire)
      if let text = try firstText(spellings.map(\.target)) { return text }
      guard names != nil else { return nil }
      let content = try offeredContent()
      return try made(.ordered([.markdown, .plainText]), from: content, as: .plainText)
    }
  }

  /// The best of what is offered for a request, converted where need be; text as UTF-8.
  package func negotiated(_ request: TypeRequest) throws(ReadProblem) -> PastedContent {
    try withNewOwner { () throws(ReadProblem) in
      let content = try offeredContent()
      guard let result = try made(request, from: content, as: nil) else {
        throw .notOffered(offered: content.names)
      }
      return result
    }
  }

  /// What was asked for as offered, else made by one conversion; text as UTF-8.
  package func converted(to query: String) throws(ReadProblem) -> PastedContent {
    try withNewOwner { () throws(ReadProblem) in
      let names = try targetNames()
      let types: [TypeIdentifier]
      switch TypeQuery(query, offered: names ?? []) {
      case .target(let target):
        if let answer = try readIfGiven(target) {
          let type = TypeRegistry.builtin.type(forTarget: target)
          return try finished(answer, type: type, choice: nil)
        }
        throw .notOffered(offered: names ?? [])
      case .types(let asked): types = asked
      }
      // Plain text is plain text in whatever spelling, before anything that merely conforms to it.
      let isPlain = types.first == .plainText || types.first == .utf8PlainText
      let spellings = TextSpelling.ranked(among: names ?? TextSpelling.blind, on: wire)
      if isPlain, let text = try firstText(spellings.map(\.target)) { return text }
      let content = try offeredContent()
      guard let result = try made(.ordered(types), from: content, as: nil) else {
        throw .notOffered(offered: content.names)
      }
      return result
    }
  }

  /// The owner's first content, untouched; nil where it has none.
  package func firstContent() throws(ReadProblem) -> PastedContent? {
    for entry in try offeredContent().entries where !entry.isMarker {
      for target in entry.targets {
        if let answer = try readIfGiven(target) { return untouched(answer, type: entry.type) }
      }
    }
    return nil
  }

  // MARK: Text and conversion

  /// The first of the spellings that can be had and decoded; where none can be decoded whole, the
  /// first with what cannot be read marked as such.
  private func firstText(_ targets: [String]) throws(ReadProblem) -> PastedContent? {
    var damaged: ReceivedRepresentation?
    for target in targets {
      guard let answer = try readIfGiven(target) else { continue }
      if let text = decodeText(answer.payload, charset: charset(of: answer)) {
        return pasted(text, of: answer)
      }
      if damaged == nil { damaged = answer }
    }
    guard let damaged else { return nil }
    let charset = charset(of: damaged) ?? .utf8
    let text = decodeText(damaged.payload, charset: charset, repairing: true)
    return text.map { pasted($0, of: damaged) }
  }

  private func pasted(
    _ text: DecodedPayload, of answer: ReceivedRepresentation
  ) -> PastedContent {
    PastedContent(
      payload: text.payload, type: nil, target: answer.target, method: .asText,
      isLossy: text.isLossy)
  }

  /// What the target promises; where it promises nothing (`TEXT`), what the answer's type says.
  func charset(of answer: ReceivedRepresentation) -> Charset? {
    TextSpelling(answer.target)?.charset
      ?? TextSpelling.charset(ofReplyType: answer.typeName)
      ?? declaredCharset(ofTarget: answer.target)
  }

  private func made(
    _ request: TypeRequest, from content: OfferedContent, as type: TypeIdentifier?
  ) throws(ReadProblem) -> PastedContent? {
    let negotiator = Negotiator(table: table)
    guard let choice = negotiator.choose(request, from: content.offer) else { return nil }
    let entry = content.entries[choice.index]
    if entry.isPlainText, choice.conversion == nil { return try firstText(entry.targets) }
    for target in entry.targets {
      guard let answer = try readIfGiven(target) else { continue }
      return try finished(answer, type: entry.type, choice: choice)
    }
    return nil
  }

  /// Makes UTF-8 of text, and what was negotiated of that.
  private func finished(
    _ answer: ReceivedRepresentation, type: TypeIdentifier, choice: NegotiatedChoice?
  ) throws(ReadProblem) -> PastedContent {
    var payload = answer.payload
    var isLossy = false
    // RTF says itself, inside, in what charset it is; everything else textual is read here.
    let isText = type.conforms(to: .text) && !type.conforms(to: .rtf)
    if isText {
      let declared = charset(of: answer)
      let text =
        decodeText(payload, charset: declared)
        ?? decodeText(payload, charset: declared ?? .utf8, repairing: true)
      if let text { (payload, isLossy) = (text.payload, text.isLossy) }
    }
    guard let target = choice?.conversion else {
      return PastedContent(
        payload: payload, type: type, target: answer.target,
        method: isText ? .asText : .asOffered, isLossy: isLossy)
    }
    guard let conversion = table.conversion(from: type, to: target),
      let made = try? conversion.convert(payload)
    else { throw .unconvertible(from: type, to: target) }
    return PastedContent(
      payload: made, type: target, target: answer.target, method: .converted(from: type),
      isLossy: isLossy)
  }
}
