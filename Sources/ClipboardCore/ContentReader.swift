package import Pasteboard
package import SelectionCore
package import SystemIO
package import TypeRegistry

/// Why nothing could be read.
package enum ReadProblem: Error, Hashable, Sendable {
  /// The selection has no owner.
  case nothingThere
  /// The owner has something, but nothing of this kind.
  case notOffered(offered: [String])
  /// The owner does not tell what it has, and has nothing of what it was asked for.
  case notListed
  case timedOut
  /// The owner broke the protocol or went away half-way.
  case brokenOff(target: String)
  case connectionLost
  /// Another program, or the same one anew, took the selection while all of it was being read.
  case changed
  /// The owner lets nobody have it for that long.
  case guarded(Duration)
  /// `clipd` serves it and lets nobody have it for that long.
  case guardedByService(Duration)
  /// It was for one paste, which somebody else has.
  case taken
  /// Content is there and cannot become what was asked for.
  case unconvertible(from: TypeIdentifier, to: TypeIdentifier, TextConversionFailure?)
  /// A list of files has none of this machine; its first address.
  case noLocalFiles(address: String, target: String)
  /// A list has files of this machine and something else; the first address that is something else.
  case notAllLocalFiles(address: String, target: String)
  /// What was read could not be handed on.
  case unwritable(Errno)
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

  package var isPlainText: Bool { knownType == nil }
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
  /// Takes long content that is wanted as it is offered; what is returned then is the rest of it.
  package var early: EarlyOutput?
  private let deadline: ProgressDeadline
  private(set) var ownership = ReadOwnership()
  // Looked up when something is to be converted, not before.
  lazy var table = ConversionTable.standard
  private var knownNames: [String]??
  private var knownOrigins: OriginMarker??
  /// Whether the owner let the time pass when asked what it has.
  private(set) var hasListingTimedOut = false

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
  ///
  /// - Parameter asksBlindly: Whether an owner that is silent is asked for content next. It then gets
  ///   half of the time for its list, and the other half is for that.
  package func targetNames(asksBlindly: Bool = true) throws(ReadProblem) -> [String]? {
    if let knownNames { return knownNames }
    let result = session.wait { done in
      session.backend.listTargets(
        of: selection, in: ownership, deadline: deadline, share: asksBlindly ? 0.5 : 1, done)
    }
    let names: [String]?
    switch result {
    case .success(let list): names = list
    case .failure(.timedOut):
      hasListingTimedOut = true
      names = nil
    case .failure(.refused), .failure(.malformed), .failure(.tooLarge): names = nil
    case .failure(.noOwner) where !hasWaitedForOwner && wire == .x11:
      hasWaitedForOwner = true
      _ = session.wait(atMost: Self.ownerDelay) { session.backend.hasOwner(selection) }
      return try targetNames(asksBlindly: asksBlindly)
    case .failure(let failure): throw problem(failure, target: "TARGETS")
    }
    knownNames = names
    return names
  }

  /// The same, of an owner that is asked for nothing where it does not tell.
  package func listedNames() throws(ReadProblem) -> [String] {
    guard let names = try targetNames(asksBlindly: false) else { throw notListed }
    return names
  }

  /// What an owner that tells offers.
  func offeredContent(_ names: [String]) throws(ReadProblem) -> OfferedContent {
    if knownOrigins == nil, names.contains(OriginMarker.target) {
      let value = try readMarker(OriginMarker.target)
      knownOrigins = .some(value.flatMap { OriginMarker(parsing: $0.bytes) })
    }
    return OfferedContent(names, marker: knownOrigins ?? nil, on: wire)
  }

  /// The value of a marker, within limits of its own: markers are small, and an owner that sends
  /// one without end must not hold up what is really wanted.
  ///
  /// Nil where it cannot be had so.
  private func readMarker(_ target: String) throws(ReadProblem) -> Payload? {
    let now = session.backend.clock
    let left = markerTime - .nanoseconds(markerTimeUsed)
    guard left > .zero else { return nil }
    defer { markerTimeUsed += session.backend.clock - now }
    let deadline = ProgressDeadline(left, startingAt: now, isTotal: true)
    switch read(target, deadline: deadline, limit: Self.maximumMarkerSize) {
    case .success(let answer): return answer.payload
    case .failure(.connectionLost): throw .connectionLost
    case .failure(.ownerGone): throw .brokenOff(target: target)
    case .failure: return nil
    }
  }

  /// An answer that has to be small and to come soon, by a deadline of its own.
  func quickAnswer(_ target: String) -> Result<ReceivedRepresentation, ReadFailure> {
    let deadline = ProgressDeadline(markerTime, startingAt: session.backend.clock, isTotal: true)
    return read(target, deadline: deadline, limit: Self.maximumMarkerSize)
  }

  /// How long all markers together may take.
  private var markerTime: Duration { min(deadline.interval * 0.5, .seconds(1)) }
  private var markerTimeUsed: Int64 = 0

  static let maximumMarkerSize = 1 << 20

  /// The markers that say that the content is secret, as they are offered.
  package func secretMarkers() throws(ReadProblem) -> [OfferedTarget] {
    var secrets: [OfferedTarget] = []
    for name in SensitivityMarker.markers(among: try targetNames() ?? []) {
      let value = try readMarker(name)
      guard SensitivityMarker.isSecret(name, value: value) else { continue }
      // One that could not be read says secret, as far as we know: so it has to for others.
      let kept = value ?? SensitivityMarker.secretValue(of: name)
      secrets.append(OfferedTarget(name: name, kept))
    }
    return secrets
  }

  // MARK: Terms

  private var hasSilentTerms = false
  private var listsTerms: Bool {
    !hasSilentTerms && (knownNames ?? nil)?.contains(ServingTerms.target) == true
  }

  /// The terms on which the content is served; nil where the owner names none.
  package func servingTerms() throws(ReadProblem) -> ServingTerms? {
    _ = try targetNames()
    guard listsTerms else { return nil }
    switch quickAnswer(ServingTerms.target) {
    case .success(let answer): return ServingTerms(parsing: answer.payload.bytes)
    // An owner that lists them and refuses them has just come to its end.
    case .failure(.refused), .failure(.ownerGone), .failure(.noOwner):
      throw .brokenOff(target: ServingTerms.target)
    case .failure(.connectionLost): throw .connectionLost
    case .failure:
      // Not to be waited for again with the next target.
      hasSilentTerms = true
      return nil
    }
  }

  private func checkTerms() throws(ReadProblem) {
    guard let terms = try servingTerms() else { return }
    if let time = terms.guardTime { throw .guarded(time) }
    if terms.isTaken { throw .taken }
  }

  /// Whether what was refused may be given by now: where the terms allow it, what stood in the way has
  /// just passed, as a guard does.
  private func isWorthAnotherTry() throws(ReadProblem) -> Bool {
    if let time = session.guardTime(of: selection) { throw .guardedByService(time) }
    guard listsTerms else { return false }
    try checkTerms()
    return true
  }

  // MARK: One target

  /// The target's bytes, or nil where the owner refuses it.
  ///
  /// An answer of another kind than was asked for counts as a refusal.
  ///
  /// - Parameter form: How it may be handed on while it comes, where there is an early output; nil where
  ///   it is to be held.
  func readIfGiven(
    _ target: String, handingOn form: EarlyOutput.Form? = nil
  ) throws(ReadProblem) -> ReceivedRepresentation? {
    guard let representation = try answer(to: target, handingOn: form) else { return nil }
    guard representation.isOfAnotherKind(than: target) else { return representation }
    if early?.holdsBeginning(of: target) == true { try takeBack() }
    return nil
  }

  /// Whatever the owner answers, of whatever kind; nil where it refuses.
  func answer(
    to target: String, handingOn form: EarlyOutput.Form? = nil
  ) throws(ReadProblem) -> ReceivedRepresentation? {
    var isSecondTry = false
    while true {
      switch read(target, deadline: deadline, limit: .max, into: early?.sink(for: form)) {
      case .success(let representation):
        // A pipe has no other refusal than nothing at all.
        guard wire == .wayland, representation.payload.isEmpty,
          early?.holdsBeginning(of: target) != true, !isSecondTry,
          try isWorthAnotherTry()
        else { return representation }
        isSecondTry = true
      case .failure(.refused):
        guard !isSecondTry, try isWorthAnotherTry() else { return nil }
        isSecondTry = true
      case .failure(let failure): throw problem(failure, target: target)
      }
    }
  }

  private func read(
    _ target: String, deadline: ProgressDeadline, limit: Int, into sink: EarlyOutput? = nil
  ) -> Result<ReceivedRepresentation, ReadFailure> {
    session.wait { done in
      session.backend.read(
        target, of: selection, in: ownership, deadline: deadline, limit: limit, into: sink, done)
    }
  }

  /// Takes back what was handed on, for something else.
  func takeBack() throws(ReadProblem) {
    if let error = early?.takeBack() { throw .unwritable(error) }
  }

  private func problem(_ failure: ReadFailure, target: String) -> ReadProblem {
    if let failure = early?.failure { return .unwritable(failure) }
    return switch failure {
    case .noOwner: .nothingThere
    case .timedOut: .timedOut
    case .connectionLost: .connectionLost
    case .refused, .malformed, .tooLarge, .ownerGone: .brokenOff(target: target)
    }
  }

  /// Runs an operation, and once more where the owner went away under it or took the selection anew:
  /// from the beginning, with whoever owns it then.
  ///
  /// What was handed on is taken back before.
  package func withNewOwner<Value>(
    _ operation: () throws(ReadProblem) -> Value
  ) throws(ReadProblem) -> Value {
    do {
      return try operation()
    } catch {
      let canBeRepeated = early?.takeBack() == nil
      switch error {
      case .brokenOff, .changed: guard canBeRepeated else { throw error }
      default: throw error
      }
      // What was learnt was about the other owner.
      ownership = ReadOwnership()
      knownNames = nil
      knownOrigins = nil
      hasListingTimedOut = false
      hasSilentTerms = false
    }
    do {
      return try operation()
    } catch {
      _ = early?.takeBack()
      throw error
    }
  }

  // MARK: Operations

  /// The representation that is or conforms to what was asked for, its bytes untouched.
  package func representation(_ query: String) throws(ReadProblem) -> PastedContent {
    guard let names = try targetNames() else {
      let type = TypeQuery(query).types()[0]
      guard let answer = try blindAnswer(query) else { throw notListed }
      return untouched(answer, type: type)
    }
    if names.contains(query) {
      guard let answer = try readIfGiven(query, handingOn: .bytes) else {
        throw .notOffered(offered: names)
      }
      return untouched(answer, type: TypeRegistry.current.type(forTarget: query))
    }
    let content = try offeredContent(names)
    let request = TypeRequest.ordered(TypeQuery(query, offered: names).types())
    let negotiator = Negotiator(table: ConversionTable([]), registry: .current)
    if let choice = negotiator.choose(request, from: content.offer) {
      let entry = content.entries[choice.index]
      for target in entry.targets {
        if let answer = try readIfGiven(target, handingOn: .bytes) {
          return untouched(answer, type: entry.type)
        }
      }
    }
    throw .notOffered(offered: names)
  }

  private func untouched(
    _ answer: ReceivedRepresentation, type: TypeIdentifier
  ) -> PastedContent {
    PastedContent(
      payload: answer.payload, type: type, target: answer.target, method: .asOffered,
      isLossy: false)
  }

  /// The plain text there is, as UTF-8: native plain text, else Markdown's own and that of other
  /// textual types, else one conversion; nil where there is nothing of the kind.
  package func plainText() throws(ReadProblem) -> PastedContent? {
    let names = try targetNames()
    let spellings = TextSpelling.ranked(among: names ?? TextSpelling.blind, on: wire)
    if let text = try firstText(spellings.map(\.target)) { return text }
    guard let names else { return nil }
    return try made(.ordered([.plainText]), from: try offeredContent(names))
  }

  /// What was asked for as offered, else made by one conversion; text as UTF-8.
  package func converted(to query: String) throws(ReadProblem) -> PastedContent {
    try negotiated([query], isOrdered: true)
  }

  /// The best of what is offered for several wishes, converted where need be; text as UTF-8.
  ///
  /// - Parameters:
  ///   - queries: What is accepted, each as TYPE is read.
  ///   - isOrdered: Whether the first that can be had is taken; else the best of all.
  package func negotiated(
    _ queries: [String], isOrdered: Bool
  ) throws(ReadProblem) -> PastedContent {
    guard let names = try targetNames() else {
      for query in queries {
        guard let answer = try blindAnswer(query) else { continue }
        return try finished(answer, type: TypeQuery(query).types()[0], choice: nil)
      }
      throw notListed
    }
    let content = try offeredContent(names)
    if !isOrdered {
      let types = queries.flatMap { TypeQuery($0, offered: names).types() }
      let spelled = queries.filter { names.contains($0) }
      if let result = try made(.unordered(types), from: content, preferring: spelled) {
        return result
      }
      throw .notOffered(offered: names)
    }
    for query in queries {
      let types: [TypeIdentifier]
      switch TypeQuery(query, offered: names) {
      case .target(let target):
        guard names.contains(target) else { continue }
        let type = TypeRegistry.current.type(forTarget: target)
        guard let answer = try readIfGiven(target, handingOn: form(of: type)) else { continue }
        return try finished(answer, type: type, choice: nil)
      case .types(let asked): types = asked
      }
      // Plain text is plain text in whatever spelling, before anything that merely conforms to it.
      if types[0] == .plainText || types[0] == .utf8PlainText {
        let spellings = TextSpelling.ranked(among: names, on: wire)
        if let text = try firstText(spellings.map(\.target)) { return text }
      }
      if let result = try made(.ordered(types), from: content) { return result }
    }
    throw .notOffered(offered: names)
  }

  /// The plain text there is, else the owner's first content: what a program gets that asks for no
  /// type.
  package func textOrFirstContent() throws(ReadProblem) -> PastedContent {
    if let text = try plainText() { return text }
    if let first = try firstContent() { return first }
    throw .notOffered(offered: try listedNames())
  }

  /// The owner's first content, untouched; nil where it has none.
  package func firstContent() throws(ReadProblem) -> PastedContent? {
    guard let names = try targetNames() else { return nil }
    for entry in try offeredContent(names).entries where !entry.isMarker {
      for target in entry.targets {
        if let answer = try readIfGiven(target, handingOn: .bytes) {
          return untouched(answer, type: entry.type)
        }
      }
    }
    return nil
  }

  // MARK: Owners that do not tell

  var notListed: ReadProblem { hasListingTimedOut ? .timedOut : .notListed }

  /// Asks an owner that does not tell what it has for the very target, or for text.
  private func blindAnswer(_ query: String) throws(ReadProblem) -> ReceivedRepresentation? {
    let type = TypeQuery(query).types()[0]
    let registry = TypeRegistry.current
    var targets = [query]
    if TextSpelling(query) == nil {
      if TypeIdentifier.utf8PlainText.conforms(to: type, in: .current) {
        targets = TextSpelling.blind
      } else if let usual = registry.preferredMIMEType(of: type), usual != query {
        targets =
          registry.role(ofTarget: query) == .content && query.contains("/")
          ? [query, usual] : [usual]
      }
    }
    for target in targets {
      guard let answer = try readIfGiven(target) else { continue }
      // Some owners answer whatever they are asked with the same bytes. Where the type has a
      // signature, content without it is not what was asked for.
      if type.hasSignature,
        sniffedType(of: answer.payload)?.conforms(to: type, in: .current) != true
      {
        continue
      }
      return answer
    }
    return nil
  }
}
