import ClipboardCore
import Pasteboard
import SelectionCore
import TypeRegistry

/// What is on a selection, as the JSON object that `show` and `watch` print.
struct SelectionState {
  private let selection: PasteboardName
  private let session: ClipboardSession
  private let survey: ContentSurvey?

  /// - Parameter survey: nil where nothing is there.
  init(_ selection: PasteboardName, on session: ClipboardSession, _ survey: ContentSurvey?) {
    self.selection = selection
    self.session = session
    self.survey = survey
  }

  var json: JSONValue {
    let terms = survey?.terms.map { [JSONValue.Member("terms", .object($0.members))] } ?? []
    return .object(
      [
        .init("schema", .integer(1)), .init("selection", .string(selection.description)),
        .init("backend", .string(session.backend.kind.rawValue)),
        .init("change_count", session.changeCount(of: selection).map { .integer($0) } ?? .null),
        .init("sensitive", .boolean(survey?.isSensitive ?? false)),
        .init("owner", survey.flatMap { owner($0) } ?? .null),
        .init("items", .array(survey.map { [item($0)] } ?? [])),
      ] + terms)
  }

  private func owner(_ survey: ContentSurvey) -> JSONValue? {
    // Wayland does not tell who, and what clipd keeps has no owner beside it.
    guard session.backend.kind == .x11 else { return nil }
    return survey.ownerWindow.map { window in
      .object([
        .init("name", survey.ownerName.map { .string($0) } ?? .null),
        .init("window", .string("0x" + String(window, radix: 16))),
      ])
    }
  }

  private func item(_ survey: ContentSurvey) -> JSONValue {
    .object([.init("representations", .array(survey.rows.map(representation)))])
  }

  private func representation(_ row: ContentSurvey.Row) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", .string(row.type.description)), .init("target", .string(row.target)),
      .init("bytes", row.size.map { .integer($0) } ?? .null),
    ]
    switch row.origin {
    case nil: members.append(.init("origin", .null))
    case .native: members.append(.init("origin", .string("native")))
    case .made(let source):
      members.append(.init("origin", .string("made")))
      members.append(.init("from", .string(source.description)))
    }
    if row.isMarker { members.append(.init("role", .string("marker"))) }
    return .object(members)
  }
}
