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
      let state = SelectionState(context.selection, on: session.backend.kind, survey)
      try writeOutput("\(state.json)\n")
    } else {
      try writeOutput(text(survey))
    }
  }

  // MARK: Text

  private func text(_ survey: ContentSurvey) -> String {
    let style = Style.ofOutput
    let owner = survey.ownerName.map { " of \($0)" } ?? ""
    var text = style.strong(visible("\(context.selection)\(owner)")) + "\n"
    let rows = survey.rows.map { row in
      [
        visible(row.type.description), visible(row.target), row.size.map(Self.size) ?? "–",
        row.isMarker ? "marker" : row.origin.map(Self.origin) ?? "–",
      ]
    }
    let header = ["type", "target", "size", "origin"]
    let widths = header.indices.map { column in
      min(60, (rows + [header]).map { displayWidth($0[column]) }.max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { column -> String in
        let cell = truncated(cells[column], toWidth: widths[column])
        let blanks = String(repeating: " ", count: widths[column] - displayWidth(cell))
        // Numbers end in line; the last column needs no padding.
        if column == 2 { return blanks + cell }
        return column == cells.count - 1 ? cell : cell + blanks
      }
      return "  " + padded.joined(separator: "  ")
    }
    text += style.faint(line(header)) + "\n"
    for (row, cells) in zip(survey.rows, rows) {
      let isFaint = row.isMarker || row.origin != .native
      text += (isFaint ? style.faint(line(cells)) : line(cells)) + "\n"
    }
    return text + preview(survey, style)
  }

  private func preview(_ survey: ContentSurvey, _ style: Style) -> String {
    if survey.isSensitive { return style.faint("  (secret: no preview)") + "\n" }
    switch survey.preview {
    case nil: return ""
    case .image(let facts): return "  \(facts.kind) image, \(facts.width) × \(facts.height)\n"
    case .text(let text):
      let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      let shown = lines.prefix(8).map { "  │ " + truncated(visible(String($0)), toWidth: 76) }
      let isCut = lines.count > 8 && !(lines.count == 9 && lines[8].isEmpty)
      let body = lines.count <= 8 && lines.last?.isEmpty == true ? shown.dropLast() : shown[...]
      return (body + (isCut ? ["  │ …"] : [])).map { $0 + "\n" }.joined()
    }
  }

  private static func origin(_ origin: RepresentationOrigin) -> String {
    switch origin {
    case .native: "native"
    case .made(let source): "made from \(source)"
    }
  }

  /// `123 B`, `4.5 KiB`: three digits say enough.
  private static func size(_ bytes: Int) -> String {
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

/// Emphasis on a terminal, nothing elsewhere.
struct Style {
  let isOn: Bool

  /// What the terminal on standard output gets, where there is one.
  static var ofOutput: Style {
    Style(isOn: StandardStream.output.isTerminal && environmentVariable("NO_COLOR") == nil)
  }

  func strong(_ text: String) -> String { isOn ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func faint(_ text: String) -> String { isOn ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
