package import Pasteboard
internal import SelectionCore
package import TypeRegistry

/// A look at everything an owner offers: what `show` shows.
package struct ContentSurvey: Sendable {
  package struct Row: Sendable {
    package let type: TypeIdentifier
    package let target: String
    package let origin: RepresentationOrigin
    package let isMarker: Bool
    /// The size in bytes; nil where it was not read.
    package var size: Int?
  }

  package enum Preview: Sendable {
    /// The beginning of the best text.
    case text(String)
    case image(ImageFacts)
  }

  package fileprivate(set) var rows: [Row]
  package fileprivate(set) var isSensitive: Bool
  package fileprivate(set) var preview: Preview?
  package let ownerName: String?
  package let ownerWindow: UInt32?
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
    let owner = session.backend.ownerFacts(of: selection)
    guard let names = try targetNames() else { return try blindSurvey(owner) }
    let marker = budget.readsContent ? try originMarker(among: names) : nil
    let contents = OfferedContent(names, marker: marker, on: wire)
    var rows: [ContentSurvey.Row] = []
    for name in OfferedContent.contentNames(names) {
      guard let entry = contents.entries.first(where: { $0.targets.contains(name) }) else {
        continue
      }
      rows.append(
        .init(
          type: TypeRegistry.builtin.type(forTarget: name), target: name, origin: entry.origin,
          isMarker: entry.isMarker))
    }
    let secrets = SensitivityMarker.markers(among: names)
    var survey = ContentSurvey(
      rows: rows, isSensitive: !secrets.isEmpty, preview: nil, ownerName: owner?.name,
      ownerWindow: owner?.window)
    guard budget.readsContent else { return survey }
    let reader = SurveyReader(rows.map(\.target), contents, budget, self)
    let result = session.wait { reader.start($0) }
    for index in survey.rows.indices { survey.rows[index].size = result.sizes[index] }
    survey.isSensitive = secrets.contains {
      SensitivityMarker.isSecret($0, value: result.heads[$0])
    }
    if !survey.isSensitive { survey.preview = result.preview }
    return survey
  }

  /// Of an owner that does not tell what it has, only whether it has text is found out.
  private func blindSurvey(_ owner: SelectionOwnerFacts?) throws(ReadProblem) -> ContentSurvey {
    guard let text = try plainText() else { throw .notOffered(offered: []) }
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
  let head = unsafe payload.withUnsafeBytes(in: 0..<min(payload.count, 4096)) { unsafe Array($0) }
  return String(decoding: head, as: UTF8.self)
}

/// Reads the representations of a survey, a few at a time, until the time is up.
private final class SurveyReader {
  struct Result {
    var sizes: [Int?]
    /// The first bytes of markers, by target.
    var heads: [String: Payload] = [:]
    var preview: ContentSurvey.Preview?
  }

  private let targets: [String]
  private let budget: SurveyBudget
  private let reader: ContentReader
  private let deadline: ProgressDeadline
  private let previewTargets: [String]
  private let imageTargets: Set<String>
  private var next = 0
  private var running = 0
  private var result: Result
  private var previewRank = Int.max
  private var done: ((Result) -> Void)?

  init(
    _ targets: [String], _ contents: OfferedContent, _ budget: SurveyBudget, _ reader: ContentReader
  ) {
    self.targets = targets
    self.budget = budget
    self.reader = reader
    deadline = ProgressDeadline(
      budget.time, startingAt: reader.session.backend.clock, isTotal: true)
    // Plain text first, then what is text of some other kind, markup last.
    let entries = contents.entries.filter { !$0.isMarker }
    let texts = entries.filter { $0.type.conforms(to: .text) }
    let isMarkup = { (entry: OfferedContent.Entry) in
      entry.type.conforms(to: .html) || entry.type.conforms(to: .rtf)
    }
    previewTargets =
      (texts.filter(\.isPlainText) + texts.filter { !$0.isPlainText && !isMarkup($0) }
      + texts.filter(isMarkup)).flatMap(\.targets)
    imageTargets = Set(entries.filter { $0.type.conforms(to: .image) }.flatMap(\.targets))
    result = Result(sizes: Array(repeating: nil, count: targets.count))
  }

  func start(_ done: @escaping (Result) -> Void) {
    self.done = done
    proceed()
  }

  private func proceed() {
    while running < budget.concurrentReads, next < targets.count {
      let index = next
      next += 1
      running += 1
      reader.session.backend.read(
        targets[index], of: reader.selection, deadline: deadline, limit: budget.limit
      ) { [self] answer in
        running -= 1
        if case .success(let representation) = answer { take(representation, at: index) }
        proceed()
      }
    }
    if running == 0, next == targets.count, let done {
      self.done = nil
      done(result)
    }
  }

  private func take(_ answer: ReceivedRepresentation, at index: Int) {
    let target = targets[index]
    result.sizes[index] = answer.payload.count
    if answer.payload.count <= 4096 { result.heads[target] = answer.payload }
    if let rank = previewTargets.firstIndex(of: target), rank < previewRank {
      guard let text = decodeText(answer.payload, charset: reader.charset(of: answer)) else {
        return
      }
      previewRank = rank
      result.preview = .text(previewText(text.payload))
    } else if previewRank == Int.max, imageTargets.contains(target), result.preview == nil {
      let head = unsafe answer.payload.withUnsafeBytes(
        in: 0..<min(answer.payload.count, ImageFacts.headSize)
      ) { unsafe Array($0) }
      result.preview = ImageFacts(head: head).map { .image($0) }
    }
  }
}
