import ClipboardCore
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// One change of a selection as a line for people: when, which selection, whose, and what it has.
struct ChangeLine {
  private let time: TimeOfDay
  private let selection: PasteboardName
  private let owner: String
  private let content: String
  private let isContent: Bool

  init(
    _ report: ChangeReport, of selection: PasteboardName, on backend: BackendKind,
    at time: TimeOfDay
  ) {
    self.time = time
    self.selection = selection
    switch report {
    case .empty(let isCleared):
      owner = "–"
      content = isCleared ? "empty: cleared" : "empty"
      isContent = false
    case .unknown(let survey, let reason):
      owner = Self.owner(of: survey, on: backend)
      content =
        switch reason {
        case .replaced: "replaced before it told what it has"
        case .notListed: "does not tell what it has"
        case .timedOut: "does not answer"
        case .brokenOff: "gone before it told what it has"
        }
      isContent = false
    case .content(let survey):
      owner = Self.owner(of: survey, on: backend)
      let kinds = Self.kinds(of: survey)
      let shown = kinds.prefix(Self.maximumKinds).joined(separator: ", ")
      let more = kinds.count - Self.maximumKinds
      content =
        (kinds.isEmpty ? "no content" : shown) + (more > 0 ? " and \(more) more" : "")
        + (survey.isSensitive ? " (secret)" : "")
      isContent = true
    }
  }

  func text(_ style: TerminalStyle) -> String {
    let name = truncated(owner, toWidth: 24)
    let padding = String(repeating: " ", count: max(0, 12 - displayWidth(name)))
    return style.dressed(time.description, .faint) + "  \(selection)  "
      + style.dressed(name, .heading) + padding + "  "
      + (isContent ? content : style.dressed(content, .faint))
  }

  /// Programs offer up to thirty; what matters comes first, and `--json` has them all.
  private static let maximumKinds = 6

  private static func owner(of survey: ContentSurvey, on backend: BackendKind) -> String {
    // Wayland does not tell who.
    if backend == .wayland { return "–" }
    if let name = survey.ownerName { return visible(name) }
    return survey.ownerWindow.map { "0x" + String($0, radix: 16) } ?? "?"
  }

  /// What is offered, each once, in the owner's order: by the short name that `paste -t` takes too,
  /// all spellings of plain text as one, else as the owner spells it.
  private static func kinds(of survey: ContentSurvey) -> [String] {
    survey.rows.filter { !$0.isMarker }.map { row in
      let kind = TextSpelling(row.target) != nil ? "text" : shortName(of: row.type)
      return kind ?? visible(row.target)
    }.eachOnce
  }

  private static func shortName(of type: TypeIdentifier) -> String? {
    TypeQuery.shortNames.first { $0.types == [type] }?.name
  }
}
