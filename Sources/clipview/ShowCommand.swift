import ClipboardCore
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// `show`: a table of what is offered and a preview, or the same as JSON.
struct ShowCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    let session = try context.openSession()
    let reader = context.reader(on: session)
    var budget = SurveyBudget()
    budget.readsContent = !context.arguments.has(.noRead)
    budget.time = min(budget.time, context.timeout)
    let survey = try context.reading(with: reader) { () throws(ReadProblem) in
      try reader.survey(budget)
    }
    if context.arguments.has(.json) {
      let state = SelectionState(context.selection, on: session, survey)
      try writeOutput("\(state.json)\n")
    } else {
      try writeOutput(text(survey))
    }
  }

  // MARK: Text

  private func text(_ survey: ContentSurvey) -> String {
    let style = TerminalStyle.standardOutput
    let owner = survey.ownerName.map { " of \($0)" } ?? ""
    var table = TextTable([
      .init(title: "type"), .init(title: "target"), .init(title: "size", isRightAligned: true),
      .init(title: "origin"),
    ])
    for row in survey.rows {
      let isFaint = row.isMarker || row.origin != .native && row.origin != nil
      table.add(
        [
          visible(row.type.description), visible(row.target), row.size.map(Self.size) ?? "–",
          row.isMarker ? "marker" : row.origin.map(Self.origin) ?? "–",
        ], look: isFaint ? .faint : .init(row.type))
    }
    let notes = survey.terms.map(Self.notes) ?? []
    return style.dressed(visible("\(context.selection.spoken)\(owner)"), .heading) + "\n"
      + table.text(style) + notes.map { style.dressed("  (\($0))", .faint) + "\n" }.joined()
      + preview(survey, style)
  }

  /// The beginning of the content: so many lines, so many columns where no terminal sets them.
  private static let previewLines = 8
  private static let previewColumns = 80

  private func preview(_ survey: ContentSurvey, _ style: TerminalStyle) -> String {
    let margin = "  │ "
    let width = max(1, (style.columns ?? Self.previewColumns) - displayWidth(margin))
    func framed(_ lines: [String]) -> String {
      lines.map { style.dressed(margin, .faint) + $0 + "\n" }.joined()
    }
    if survey.isSensitive { return style.dressed("  (secret: no preview)", .faint) + "\n" }
    switch survey.preview {
    case nil: return ""
    case .image(let facts): return "  \(facts.kind) image, \(facts.width) × \(facts.height)\n"
    case .text(let text):
      var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      // A line end ends a line and begins none.
      if lines.last?.isEmpty == true { lines.removeLast() }
      let shown = lines.prefix(Self.previewLines).map {
        truncated(visible(String($0)), toWidth: width)
      }
      return framed(shown + (lines.count > Self.previewLines ? ["…"] : []))
    case .document(let document):
      return framed(
        DocumentPreview.lines(
          of: document, style: style, width: width, maximumLines: Self.previewLines))
    }
  }

  /// What the terms mean for whoever looks.
  private static func notes(on terms: ServingTerms) -> [String] {
    var notes: [String] = []
    if let time = terms.guardTime {
      notes.append("guarded: nobody gets it for another \(spoken(time))")
    }
    if terms.isOnce {
      notes.append(
        terms.isTaken
          ? "for one paste, which is taken"
          : "for one paste: not read, so that it is still to be had")
    }
    if let time = terms.lifetime { notes.append("gone in \(spoken(time))") }
    return notes
  }

  private static func origin(_ origin: RepresentationOrigin) -> String {
    switch origin {
    case .native: "native"
    case .made(let source): "made from \(source)"
    }
  }

  /// `123 B`, `4.5 KiB`: three digits say enough.
  static func size(_ bytes: Int) -> String {
    if bytes < 1024 { return "\(bytes) B" }
    var tenths = bytes * 10
    var unit = ""
    for next in ["KiB", "MiB", "GiB", "TiB"] where tenths >= 10240 {
      tenths = (tenths + 512) / 1024
      unit = next
    }
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
