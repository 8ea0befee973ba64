import ClipboardCore
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// `watch`: a line for each change of the selection, or a command that runs for it.
struct WatchSubcommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    let command = context.arguments.value(of: .exec)
    if let command {
      if command.bytes.isEmpty {
        throw .usage("--exec needs a COMMAND", hint: "as in --exec 'notify-send changed'")
      }
      if context.arguments.has(.json) {
        throw .usage(
          "--json and --exec exclude each other", hint: "the output is that of the COMMAND")
      }
    }
    try mapSystem { () throws(Errno) in try endOnSignals() }
    let session = try context.openSession()
    let watch: SelectionWatch
    do throws(WatchFailure) {
      watch = try SelectionWatch(
        session, context.selection, timeout: context.timeout,
        includesPresent: context.arguments.has(.initial))
    } catch {
      throw Failure(error)
    }
    // From here on there is time: a display that stops for a while is waited for.
    context.endStart()
    watch.onOutputClosed { endByBrokenPipe() }
    context.say("watching the \(context.selection.spoken)")
    if let command {
      try mapSystem { () throws(Errno) in try watch.run(self.command(command)) }
    } else {
      try printReports(of: watch, on: session)
    }
    throw context.lost(session)
  }

  private func mapSystem(_ body: () throws(Errno) -> Void) throws(Failure) {
    do throws(Errno) { try body() } catch { throw Failure(watching: error) }
  }

  // MARK: Lines

  private func printReports(
    of watch: SelectionWatch, on session: ClipboardSession
  ) throws(Failure) {
    let style = TerminalStyle.standardOutput
    while let report = watch.nextReport() {
      if case .unknown(_, .timedOut) = report {
        context.warn(context.failure(.timedOut))
      }
      if context.arguments.has(.json) {
        session.refreshChangeCount(of: context.selection)
        let state = SelectionState(context.selection, on: session, report.survey)
        try writeOutput("\(state.json)\n")
      } else {
        try writeOutput(
          ChangeLine(report, of: context.selection, on: session.backend.kind, at: .now).text(style)
            + "\n")
      }
    }
  }

  // MARK: Commands

  private func command(_ command: Argument) -> WatchCommand {
    WatchCommand(
      command: command.bytes, variables: { variables(for: $0) },
      onEnd: { ending in
        switch ending {
        case .exited(0): break
        case .exited(127): context.say("the shell did not find the command (exit status 127)")
        case .exited(let code): context.say("the command failed with exit status \(code)")
        case .signalled(let number): context.say("the command was ended by signal \(number)")
        }
      },
      onProblem: { context.warn(context.failure($0)) },
      onStartFailure: { context.warn(Failure(starting: $0)) })
  }

  /// What of the list of types fits into the environment; a single variable may have 128 KiB.
  private static let maximumListSize = 1 << 16

  private func variables(for content: WatchedContent) -> [(name: String, value: String?)] {
    var type = ""
    var list = ""
    var mimeType: String?
    var isSecret = false
    let state: String
    switch content {
    case .empty(let isCleared): state = isCleared ? "clear" : "nil"
    case .content(let pasted, let offered, let isSensitive):
      type = pasted.type.description
      mimeType = Self.mimeType(of: pasted)
      for name in OfferedContent.contentNames(offered) {
        let line = (list.isEmpty ? "" : "\n") + visible(name)
        if list.utf8.count + line.utf8.count > Self.maximumListSize { break }
        list += line
      }
      isSecret = isSensitive
      state = isSensitive ? "sensitive" : "data"
    }
    return [
      ("CLIPBOARD_STATE", state), ("CLIPBOARD_TYPE", mimeType), ("CLIPVIEW_TYPE", type),
      ("CLIPVIEW_SELECTION", context.selection.description), ("CLIPVIEW_TYPES", list),
      ("CLIPVIEW_SENSITIVE", isSecret ? "1" : "0"),
    ]
  }

  /// What wl-paste says of the input: a MIME type.
  private static func mimeType(of pasted: PastedContent) -> String? {
    if pasted.isPlainText { return "text/plain;charset=utf-8" }
    if pasted.method == .asOffered, pasted.target.contains("/") { return visible(pasted.target) }
    return TypeRegistry.current.preferredMIMEType(of: pasted.type)
  }
}

extension ChangeReport {
  /// What is known of what is there; nil where nothing is.
  fileprivate var survey: ContentSurvey? {
    switch self {
    case .content(let survey), .unknown(let survey, _): survey
    case .empty: nil
    }
  }
}
