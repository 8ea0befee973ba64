import ClipboardCore
import DaemonBackend
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// `doctor`: what session this is, who manages the clipboard, and whether its owner keeps to the
/// rules; what is wrong, and what to do about it.
struct DoctorCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    if context.isNamed {
      throw .usage(
        "the \(context.selection.spoken) is on no display, which is what is examined",
        hint: "see 'clipview status' for what clipd keeps")
    }
    let report = try examine()
    if context.arguments.has(.json) {
      try writeOutput("\(report.json)\n")
    } else {
      try writeOutput(report.text(.standardOutput))
    }
    if report.faultCount > 0 { exitImmediately(ExitCode.unreadable.rawValue) }
  }

  private func examine() throws(Failure) -> DoctorReport {
    var report = DoctorReport()
    report.addTypes(.current)
    report.addDatabase(MIMEDatabase.installed.faults)
    let session: ClipboardSession
    do throws(Failure) {
      session = try context.openSession()
    } catch  where error.code == .noDisplay {
      report.add(.init(.session, "display", .fault, error.happened, advice: error.hint))
      return report
    }
    defer { Watchdog.callOff() }
    report.addSession(session)
    // Where only the focused window has the clipboard nobody can manage it.
    let isServiceElsewhere =
      session.manager == nil && !session.needsFocus && (try? ControlConnection()) != nil
    if isServiceElsewhere { report.addServiceElsewhere() }
    if session.backend.kind == .x11 {
      let manager = session.backend.ownerFacts(of: PasteboardName("CLIPBOARD_MANAGER"))
      if manager != nil || !isServiceElsewhere { report.addManager(manager) }
    }
    // A look at the owner would take the focus from whatever has it.
    if session.needsFocus { return report }
    let reader = context.reader(on: session)
    var budget = CheckupBudget()
    budget.patience = min(budget.patience, context.timeout)
    let owner = session.backend.ownerFacts(of: context.selection)
    do throws(ReadProblem) {
      let checkup = try reader.withNewOwner { () throws(ReadProblem) in
        try reader.checkup(budget)
      }
      report.addOwner(owner, of: context.selection, on: session.backend.kind, checkup)
    } catch .nothingThere {
      report.addOwner(nil, of: context.selection, on: session.backend.kind, nil)
    } catch {
      throw context.failure(error)
    }
    return report
  }
}
