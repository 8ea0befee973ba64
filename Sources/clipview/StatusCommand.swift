import ControlProtocol
import DaemonBackend
import SelectionCore
import SystemIO

/// `status`: whether `clipd` runs, what it manages, what it keeps.
struct StatusCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    let isForPrograms = context.arguments.has(.json)
    switch ask() {
    case .success(let status):
      try writeOutput(isForPrograms ? "\(json(status))\n" : text(status))
    case .failure(let failure):
      if isForPrograms { try writeOutput("\(Self.json(failure))\n") }
      throw failure == .notRunning
        ? Failure(.noDisplay, "clipd does not run", hint: Failure.startService)
        : Failure(failure, whoNeeds: "this needs")
    }
  }

  private func ask() -> Result<ControlStatus, ControlConnectionFailure> {
    do throws(ControlConnectionFailure) {
      let answer = try ControlConnection().call(.status, timeout: context.timeout)
      guard case .status(let status) = answer.reply else { throw .brokenOff }
      return .success(status)
    } catch {
      return .failure(error)
    }
  }

  // MARK: JSON

  private static func json(_ failure: ControlConnectionFailure) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("schema", .integer(1)), .init("running", .boolean(failure != .notRunning)),
    ]
    if case .otherVersion(let version) = failure {
      members.append(.init("protocol", .integer(Int(version))))
    }
    return .object(members)
  }

  private func json(_ status: ControlStatus) -> JSONValue {
    .object([
      .init("schema", .integer(1)), .init("running", .boolean(true)),
      .init("version", .string(status.program)), .init("process", .integer(Int(status.process))),
      .init("protocol", .integer(Int(ControlFrame.currentVersion))),
      .init(
        "displays",
        .array(
          status.displays.map { display in
            .object([
              .init("name", .string(display.name)),
              .init("connected", .boolean(display.isConnected)),
            ])
          })),
      .init("pasteboards", .array(status.pasteboards.map(json))),
      .init(
        "guards",
        .array(
          status.guards.map { state in
            .object([
              .init("selection", state.name.map { .string($0) } ?? .null),
              .init("milliseconds", .integer(Int(clamping: state.milliseconds))),
            ])
          })),
    ])
  }

  private func json(_ pasteboard: ControlStatus.Pasteboard) -> JSONValue {
    let holder: JSONValue =
      switch pasteboard.holder {
      case .nobody: .null
      case .service: .string("clipd")
      case .otherProgram: .string("other")
      }
    return .object([
      .init("name", .string(pasteboard.place.name)),
      .init("display", pasteboard.place.display.map { .string($0) } ?? .null),
      .init("change_count", .integer(Int(clamping: pasteboard.changeCount))),
      .init("owner", holder),
      .init("targets", .integer(pasteboard.targetCount)),
      .init("bytes", .integer(pasteboard.byteCount)),
      .init("sensitive", .boolean(pasteboard.isSensitive)),
      .init("left_out", .array(pasteboard.leftOut.map { .string($0) })),
    ])
  }

  // MARK: Text

  private func text(_ status: ControlStatus) -> String {
    let style = TerminalStyle.standardOutput
    let displays = status.displays.map { display in
      visible(display.name) + (display.isConnected ? "" : " (not connected)")
    }
    var text =
      style.dressed("clipd \(visible(status.program))", .heading)
      + " runs as process \(status.process), "
      + (displays.isEmpty
        ? "without a display: it manages the first that a command names"
        : "on \(displays.joined(separator: ", "))") + "\n"
    for state in status.guards {
      let time = spoken(.milliseconds(state.milliseconds))
      text +=
        "guarded: nobody gets \(GuardCommand.subject(state.name)) for another \(time); "
        + "'clipview guard off' lifts it\n"
    }
    guard !status.pasteboards.isEmpty else { return text }
    var table = TextTable([
      .init(title: "pasteboard"), .init(title: "display"),
      .init(title: "changes", isRightAligned: true), .init(title: "owner"),
      .init(title: "targets", isRightAligned: true), .init(title: "held", isRightAligned: true),
    ])
    for pasteboard in status.pasteboards {
      let owner =
        switch pasteboard.holder {
        case .nobody: "–"
        case .service: pasteboard.isSensitive ? "clipd (secret)" : "clipd"
        case .otherProgram: "another program"
        }
      table.add(
        [
          visible(pasteboard.place.name), pasteboard.place.display.map { visible($0) } ?? "–",
          "\(pasteboard.changeCount)", owner, "\(pasteboard.targetCount)",
          ShowCommand.size(pasteboard.byteCount),
        ], look: pasteboard.holder == .nobody ? .faint : nil)
    }
    text += table.text(style)
    for pasteboard in status.pasteboards where !pasteboard.leftOut.isEmpty {
      let display = pasteboard.place.display.map { " on \(visible($0))" } ?? ""
      let names = pasteboard.leftOut.map { visible($0) }.joined(separator: ", ")
      text +=
        "\(visible(pasteboard.place.name))\(display): more than is kept (keep-representation, "
        + "keep-offer): \(names)\n"
    }
    return text
  }
}
