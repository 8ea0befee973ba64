internal import EventLoop
package import Pasteboard
package import RichText
package import SelectionCore
package import TypeRegistry

/// A look at everything an owner offers: what `show` shows.
package struct ContentSurvey: Sendable {
  package struct Row: Sendable {
    package let type: TypeIdentifier
    package let target: String
    /// Nil where it was not asked.
    package let origin: RepresentationOrigin?
    package let isMarker: Bool
    /// The size in bytes; nil where it was not read.
    package var size: Int?
  }

  package enum Preview: Sendable {
    /// The beginning of the best text.
    case text(String)
    /// The beginning of a text that says what its parts are.
    case document(AttributedText)
    case image(ImageFacts)
  }

  package fileprivate(set) var rows: [Row]
  package fileprivate(set) var isSensitive: Bool
  package fileprivate(set) var preview: Preview?
  package let ownerName: String?
  package let ownerWindow: UInt32?
  /// On which terms it is served, where the owner said so when it was asked.
  package fileprivate(set) var terms: ServingTerms?
}

/// What a survey may cost the owner.
package struct SurveyBudget: Sendable {
  package var readsContent = true
  /// How many representations are asked for at once.
  package var concurrentReads = 4
  /// All the time that reading may take.
  package var time = Duration.seconds(2)
  /// The size from which on a representation is not read further.
  package var limit = 16 << 20

  package init() {}
}

extension ContentReader {
  /// Lists everything offered and, within the budget, reads each representation once.
  package func survey(_ budget: SurveyBudget) throws(ReadProblem) -> ContentSurvey {
    guard let names = try targetNames(asksBlindly: budget.readsContent) else {
      if !budget.readsContent { throw notListed }
      return try blindSurvey()
    }
    let owner = try ownerFacts()
    // The marker says what is native: it is read first, out of the same budget as the rest.
    let isMarked = names.contains(OriginMarker.target)
    let reader = SurveyReader(budget, self)
    if budget.readsContent {
      try reader.read([OriginMarker.target, ServingTerms.target].filter { names.contains($0) })
    }
    let contents = OfferedContent(names, marker: reader.originMarker, on: wire)
    let isOriginKnown = budget.readsContent || !isMarked
    var rows: [ContentSurvey.Row] = []
    for entry in contents.entries {
      for target in entry.targets {
        rows.append(
          .init(
            type: TypeRegistry.current.type(forTarget: target), target: target,
            origin: isOriginKnown ? entry.origin : nil, isMarker: entry.isMarker))
      }
    }
    let places = Dictionary(
      OfferedContent.contentNames(names).enumerated().map { (ExactName($1), $0) },
      uniquingKeysWith: min)
    rows.sort {
      places[ExactName($0.target), default: 0] < places[ExactName($1.target), default: 0]
    }
    let secrets = SensitivityMarker.markers(among: names)
    var survey = ContentSurvey(
      rows: rows, isSensitive: !secrets.isEmpty, preview: nil, ownerName: owner?.name,
      ownerWindow: owner?.window)
    guard budget.readsContent else { return survey }
    reader.notePreviews(contents)
    survey.terms = reader.terms
    // A look must not use up what is served once, and what is guarded is not given.
    let isWithheld = survey.terms.map { $0.isOnce || $0.guardTime != nil } ?? false
    try reader.read(rows.filter { !isWithheld || $0.isMarker }.map(\.target))
    if session.backend.isLost { throw .connectionLost }
    for index in survey.rows.indices {
      survey.rows[index].size = reader.sizes[ExactName(rows[index].target)]
    }
    // What is listed and not given may be what clipd keeps from everybody.
    if survey.terms == nil, survey.rows.contains(where: { ($0.size ?? 0) == 0 && !$0.isMarker }),
      let time = session.guardTime(of: selection)
    {
      survey.terms = ServingTerms()
      survey.terms?.guardTime = time
    }
    survey.isSensitive = secrets.contains {
      SensitivityMarker.isSecret($0, value: reader.heads[ExactName($0)])
    }
    // The owner may have pasted a secret and copied it anew.
    if secrets.isEmpty, session.isKnownSecret(selection) { survey.isSensitive = true }
    if !survey.isSensitive { survey.preview = reader.preview }
    return survey
  }

  /// What is known of the owner that the survey is about.
  private func ownerFacts() throws(ReadProblem) -> SelectionOwnerFacts? {
    let facts = session.backend.ownerFacts(of: selection)
    if session.backend.isLost { throw .connectionLost }
    guard facts?.window == ownership.owner else { throw .brokenOff(target: "TARGETS") }
    return facts
  }

  /// Of an owner that does not tell what it has, only whether it has text is found out.
  private func blindSurvey() throws(ReadProblem) -> ContentSurvey {
    let owner = try ownerFacts()
    guard let text = try plainText() else { throw .notListed }
    let row = ContentSurvey.Row(
      type: text.type, target: text.target, origin: .native, isMarker: false,
      size: text.payload.count)
    return ContentSurvey(
      rows: [row], isSensitive: false, preview: .text(previewText(text.payload)),
      ownerName: owner?.name, ownerWindow: owner?.window)
  }
}

/// The beginning of a text, some lines' worth.
private func previewText(_ payload: Payload) -> String {
  String(decoding: payload.head(4096), as: UTF8.self)
}

/// Reads the representations of a survey, each once, a few at a time, until the time is up.
private final class SurveyReader {
  private(set) var sizes: [ExactName: Int] = [:]
  /// What small representations hold, markers among them.
  private(set) var heads: [ExactName: Payload] = [:]
  private(set) var preview: ContentSurvey.Preview?
  /// Whether the selection is no longer what it was when it was listed.
  private(set) var isOwnerGone = false

  private let budget: SurveyBudget
  private let reader: ContentReader
  private let deadline: ProgressDeadline
  private var previewRanks: [ExactName: Int] = [:]
  private var previewRank = Int.max
  private var imageTargets: Set<ExactName> = []
  private var markdownTargets: Set<ExactName> = []
  private var markupTypes: [ExactName: TypeIdentifier] = [:]
  private var asked: Set<ExactName> = []
  private var waiting: ArraySlice<String> = []
  private var running = 0
  private var isProceeding = false
  private var done: ((Bool) -> Void)?

  init(_ budget: SurveyBudget, _ reader: ContentReader) {
    self.budget = budget
    self.reader = reader
    deadline = ProgressDeadline(
      budget.time, startingAt: reader.session.backend.clock, isTotal: true)
  }

  var originMarker: OriginMarker? {
    heads[ExactName(OriginMarker.target)].flatMap { OriginMarker(parsing: $0.bytes) }
  }

  var terms: ServingTerms? {
    heads[ExactName(ServingTerms.target)].flatMap { ServingTerms(parsing: $0.bytes) }
  }

  /// Says which representation is the best to be shown: Markdown first, which can be shown as what it
  /// means, then plain text, what is text of some other kind, an image, and the text of markup last.
  ///
  /// Programs that copy a picture from a page put markup beside it that says nothing.
  func notePreviews(_ contents: OfferedContent) {
    let entries = contents.entries.filter { !$0.isMarker }
    let markup = entries.filter { entry in
      [.html, .xhtml, .rtf].contains { entry.type.conforms(to: $0, in: .current) }
    }
    let markupTargets = Set(markup.flatMap(\.targets))
    let texts = entries.filter {
      $0.type.conforms(to: .text, in: .current) && markupTargets.isDisjoint(with: $0.targets)
    }
    let images = entries.filter { $0.type.conforms(to: .image, in: .current) }
    imageTargets = Set(images.flatMap(\.targets).map { ExactName($0) })
    for entry in markup {
      for target in entry.targets { markupTypes[ExactName(target)] = entry.type }
    }
    let markdown = texts.filter { $0.type.conforms(to: .markdown, in: .current) }
    markdownTargets = Set(markdown.flatMap(\.targets).map { ExactName($0) })
    let best =
      markdown + texts.filter(\.isPlainText) + texts.filter { !$0.isPlainText } + images + markup
    for (rank, target) in best.flatMap(\.targets).enumerated() {
      let name = ExactName(target)
      if previewRanks[name] == nil { previewRanks[name] = rank }
    }
  }

  /// Reads these, as far as they were not read yet and the time allows.
  func read(_ targets: [String]) throws(ReadProblem) {
    waiting = targets.filter { asked.insert(ExactName($0)).inserted }[...]
    _ = reader.session.wait { (done: @escaping (Bool) -> Void) in
      self.done = done
      proceed()
    }
    if reader.session.backend.isLost { throw .connectionLost }
    if isOwnerGone { throw .brokenOff(target: targets.first ?? "") }
  }

  private var isTimeUp: Bool {
    reader.session.backend.clock - deadline.lastProgress >= deadline.interval.nanoseconds
  }

  private func proceed() {
    // An answer may come before the request returns; the loop below sees it.
    guard !isProceeding else { return }
    isProceeding = true
    defer { isProceeding = false }
    if isTimeUp || isOwnerGone || reader.session.backend.isLost { waiting = [] }
    while running < budget.concurrentReads, let target = waiting.popFirst() {
      running += 1
      reader.session.backend.read(
        target, of: reader.selection, in: reader.ownership, deadline: deadline,
        limit: budget.limit
      ) { [self] answer in
        running -= 1
        switch answer {
        case .success(let representation): take(representation)
        case .failure(.ownerGone): isOwnerGone = true
        case .failure: break
        }
        proceed()
      }
    }
    if running == 0, waiting.isEmpty, let done {
      self.done = nil
      done(true)
    }
  }

  private func take(_ answer: ReceivedRepresentation) {
    let target = ExactName(answer.target)
    sizes[target] = answer.payload.count
    guard let rank = previewRanks[target] else {
      if answer.payload.count <= ContentReader.maximumMarkerSize { heads[target] = answer.payload }
      return
    }
    guard rank < previewRank, let shown = preview(of: answer) else { return }
    (preview, previewRank) = (shown, rank)
  }

  /// What can be shown of an answer; nil where it says nothing.
  private func preview(of answer: ReceivedRepresentation) -> ContentSurvey.Preview? {
    let target = ExactName(answer.target)
    if imageTargets.contains(target) {
      return ImageFacts(head: answer.payload.head(ImageFacts.headSize)).map { .image($0) }
    }
    guard let type = markupTypes[target] else {
      let text = decodeText(answer.payload, charset: reader.charset(of: answer))
      guard let head = text.map({ previewText($0.payload) }) else { return nil }
      guard markdownTargets.contains(target),
        let document = try? TextFormat.markdown.document(Payload(head)), !document.isEmpty
      else { return .text(head) }
      return .document(document)
    }
    return markupText(answer, type).map { .text($0) }
  }

  /// The beginning of what markup says, its marks taken away.
  private func markupText(_ answer: ReceivedRepresentation, _ type: TypeIdentifier) -> String? {
    var markup = Payload(answer.payload.head(Self.markupHeadSize))
    let charset = reader.charset(of: answer)
    let isHTML = TextFormat(type) == .html
    // HTML of which nobody says its charset may say it itself.
    if !type.conforms(to: .rtf, in: .current), !isHTML || charset != nil {
      // The head may end in the middle of a character.
      guard let text = decodeText(markup, charset: charset, repairing: true) else { return nil }
      markup = isHTML ? text.payload.markedAsUTF8 : text.payload
    }
    let conversion = ConversionTable.standard.conversion(from: type, to: .utf8PlainText)
    guard let text = try? conversion?.convert(markup), !text.isEmpty else { return nil }
    return previewText(text)
  }

  /// How much of markup is looked at for the few lines that are shown.
  private static let markupHeadSize = 1 << 18
}

extension Payload {
  fileprivate func head(_ size: Int) -> [UInt8] {
    unsafe withUnsafeBytes(in: 0..<min(count, size)) { unsafe Array($0) }
  }
}
