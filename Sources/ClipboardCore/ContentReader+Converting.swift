internal import Pasteboard
internal import SelectionCore
internal import SystemIO
internal import TextEncoding
internal import TypeRegistry

extension ContentReader {
  /// The first of the spellings that can be had and decoded; where none can be decoded whole, the
  /// first with what cannot be read marked as such.
  func firstText(_ targets: [String]) throws(ReadProblem) -> PastedContent? {
    var damaged: ReceivedRepresentation?
    // Owners list a target twice. What was handed on of the first answer is there still.
    for target in targets where early?.holdsBeginning(of: target) != true {
      guard let answer = try readIfGiven(target, handingOn: .text) else { continue }
      if let text = decoded(answer) { return try settled(pasted(text, of: answer)) }
      // Of what cannot be taken back any more the rest has to come.
      let isSettled = early?.canBeTakenBack == false
      if damaged == nil || isSettled { damaged = answer }
      if isSettled { break }
    }
    guard let damaged, let text = decoded(damaged, repairing: true) else { return nil }
    return try settled(pasted(text, of: damaged))
  }

  /// The content, where what was handed on is its beginning or has been taken back.
  private func settled(_ content: PastedContent) throws(ReadProblem) -> PastedContent {
    if let early, early.hasBegun, !early.holdsBeginning(of: content.target) {
      try takeBack()
    }
    return content
  }

  /// The text of an answer as UTF-8, or what is left of it to be handed on; nil where it is not text in
  /// its charset.
  private func decoded(
    _ answer: ReceivedRepresentation, repairing: Bool = false
  ) -> DecodedPayload? {
    if let early, early.holdsBeginning(of: answer.target) {
      return early.rest(answer.payload, repairing: repairing)
    }
    return decodeText(answer.payload, charset: charset(of: answer), repairing: repairing)
  }

  func pasted(
    _ text: DecodedPayload, of answer: ReceivedRepresentation
  ) -> PastedContent {
    PastedContent(
      payload: text.payload, type: nil, target: answer.target, method: .asText,
      isLossy: text.isLossy)
  }

  /// What the target promises; where it promises nothing (`TEXT`), what the answer's type says.
  func charset(of answer: ReceivedRepresentation) -> Charset? { answer.charset }

  /// - Parameter spelled: Targets that were asked for to the letter: of an entry that has one, that.
  func made(
    _ request: TypeRequest, from content: OfferedContent, preferring spelled: [String] = []
  ) throws(ReadProblem) -> PastedContent? {
    let negotiator = Negotiator(table: table, registry: .current)
    guard let choice = negotiator.choose(request, from: content.offer) else { return nil }
    let entry = content.entries[choice.index]
    let targets = entry.targets.filter { spelled.contains($0) } + entry.targets
    if entry.isPlainText, choice.conversion == nil { return try firstText(targets) }
    let form = choice.conversion == nil ? form(of: entry.type) : nil
    for target in targets {
      guard let answer = try readIfGiven(target, handingOn: form) else { continue }
      return try finished(answer, type: entry.type, choice: choice)
    }
    return nil
  }

  /// How content of the type is handed on where it is wanted as what it is.
  func form(of type: TypeIdentifier) -> EarlyOutput.Form { isReadAsText(type) ? .text : .bytes }

  /// Whether content of the type becomes UTF-8 here.
  ///
  /// RTF says itself, inside, in what charset it is.
  private func isReadAsText(_ type: TypeIdentifier) -> Bool {
    type.conforms(to: .text, in: .current) && !type.conforms(to: .rtf, in: .current)
  }

  /// Makes UTF-8 of text, and what was negotiated of that.
  func finished(
    _ answer: ReceivedRepresentation, type: TypeIdentifier, choice: NegotiatedChoice?
  ) throws(ReadProblem) -> PastedContent {
    var payload = answer.payload
    var isLossy = false
    let declared = charset(of: answer)
    // HTML may say its charset inside too, which whoever converts it looks for.
    let isHTML = choice?.conversion != nil && TextFormat(type) == .html
    let isText = isReadAsText(type)
    if isText, !isHTML || declared != nil {
      if let text = decoded(answer) ?? decoded(answer, repairing: true) {
        (payload, isLossy) = (text.payload, text.isLossy)
      }
      if isHTML { payload = payload.markedAsUTF8 }
    }
    guard let target = choice?.conversion else {
      return PastedContent(
        payload: payload, type: type, target: answer.target,
        method: isText ? .asText : .asOffered, isLossy: isLossy)
    }
    guard let conversion = table.conversion(from: type, to: target, in: .current) else {
      throw .unconvertible(from: type, to: target, nil)
    }
    // All that the display has to say is there: a long conversion is not its fault.
    Watchdog.callOff()
    let made: Payload
    do {
      made = try conversion.convert(payload)
    } catch {
      throw .unconvertible(from: type, to: target, error as? TextConversionFailure)
    }
    return PastedContent(
      payload: made, type: target, target: answer.target, method: .converted(from: type),
      isLossy: isLossy)
  }
}

extension Payload {
  /// With the mark of UTF-8 in front, which counts more than what HTML says inside.
  var markedAsUTF8: Payload {
    Payload(chunks: [ByteChunk([0xEF, 0xBB, 0xBF])] + chunks)
  }
}

extension ReceivedRepresentation {
  /// The charset that its name and its type say; nil where they say nothing.
  var charset: Charset? {
    TextSpelling(target)?.charset ?? TextSpelling.charset(ofReplyType: typeName)
      ?? declaredCharset(ofTarget: target)
  }
}
