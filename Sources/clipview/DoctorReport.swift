import ClipboardCore
import Pasteboard
import SelectionCore
import TypeRegistry

/// What `doctor` found: its wording, as text and as JSON.
struct DoctorReport {
  enum Subject: String, CaseIterable {
    case session
    case manager
    case owner
    case types
  }

  enum Verdict: String {
    case good
    case note
    case fault
  }

  struct Finding {
    let subject: Subject
    /// A word for programs that says what was looked at.
    let check: String
    let verdict: Verdict
    let message: String
    let advice: String?

    init(
      _ subject: Subject, _ check: String, _ verdict: Verdict, _ message: String,
      advice: String? = nil
    ) {
      self.subject = subject
      self.check = check
      self.verdict = verdict
      self.message = message
      self.advice = advice
    }
  }

  private(set) var findings: [Finding] = []

  mutating func add(_ finding: Finding) { findings.append(finding) }

  var faultCount: Int { findings.count { $0.verdict == .fault } }

  // MARK: The session

  mutating func addSession(_ session: ClipboardSession) {
    let facts = session.backend.displayFacts
    add(
      .init(.session, "display", .good, "display \(session.backend.displayName): \(facts.server)"))
    if let problem = session.passedOver {
      let failure = Failure(problem)
      add(
        .init(
          .session, "wayland", .note, "the Wayland display is passed over: \(failure.happened)",
          advice: failure.hint))
    }
    let isX11 = session.backend.kind == .x11
    if facts.reportsOwnerChanges {
      let means = isX11 ? "XFixes" : "data-control"
      add(.init(.session, "changes", .good, "changes of the clipboard are reported (\(means))"))
    } else if isX11 {
      add(
        .init(
          .session, "changes", .fault, "the server has no XFixes: changes are not reported",
          advice: "'clipview watch' cannot work here; use a server with XFixes 2 or later"))
    } else {
      add(
        .init(
          .session, "changes", .fault,
          "the compositor has no data-control: changes are reported to the focused window only",
          advice: "'clipview watch' cannot work here; set DISPLAY where Xwayland runs"))
    }
  }

  /// `clipd` runs and knows nothing of this display.
  mutating func addServiceElsewhere() {
    add(
      .init(
        .manager, "clipd", .note, "clipd runs, and does not manage this display",
        advice:
          "tell it of the session: 'systemctl --user import-environment DISPLAY WAYLAND_DISPLAY "
          + "XAUTHORITY', then 'systemctl --user restart clipd'"))
  }

  mutating func addManager(_ manager: SelectionOwnerFacts?) {
    guard let manager else {
      return add(
        .init(
          .manager, "clipboard-manager", .note,
          "no clipboard manager: what a program copied goes when the program ends",
          advice: "start clipd, which keeps it: 'systemctl --user enable --now clipd', or 'clipd &'"
        ))
    }
    add(.init(.manager, "clipboard-manager", .good, "clipboard manager: \(Self.name(manager))"))
  }

  private static func name(_ owner: SelectionOwnerFacts) -> String {
    let window = "0x" + String(owner.window, radix: 16)
    return owner.name.map { "\($0) (window \(window))" } ?? "a program without a name (\(window))"
  }

  // MARK: The user's types

  mutating func addTypes(_ types: UserTypes) {
    for file in types.unreadable {
      add(
        .init(
          .types, "type-declarations", .fault,
          "\(file.path) \(TypeFileWording.words(file.problem))",
          advice: "the types that it declares are not known; see its permissions and size"))
    }
    for report in types.reports {
      let words = TypeFileWording.words(report, types.files)
      add(
        .init(
          .types, "type-declarations", report.isFault ? .fault : .note, words,
          advice: report.isFault
            ? "mend that line; the rest of the file is in use" : nil))
    }
    if !types.files.isEmpty, types.reports.isEmpty, types.unreadable.isEmpty {
      let count = types.files.count == 1 ? "1 file" : "\(types.files.count) files"
      add(
        .init(
          .types, "type-declarations", .good,
          "\(count) of type declarations in \(types.directory ?? "")"))
    }
  }

  /// What is wrong with the caches of the system's MIME database: they are left out of use.
  mutating func addDatabase(_ faults: [(path: String, fault: MIMECacheFault)]) {
    for (path, fault) in faults {
      let directory = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? path
      let advice =
        switch fault {
        case .unreadable: "see its permissions; types are told without it"
        case .cutOff, .damaged, .tooLarge, .unknownVersion, .changing:
          "write it anew: update-mime-database \(directory)"
        }
      add(
        .init(
          .types, "mime-database", .fault, "\(path) \(TypeFileWording.words(fault))",
          advice: advice))
    }
  }

  // MARK: The owner

  /// - Parameter checkup: Nil where the selection has no owner.
  mutating func addOwner(
    _ owner: SelectionOwnerFacts?, of selection: PasteboardName, on backend: BackendKind,
    _ checkup: OwnerCheckup?
  ) {
    guard let checkup else {
      return add(.init(.owner, "owner", .good, "the \(selection.spoken) is empty"))
    }
    switch backend {
    case .x11:
      let name = owner.map { Self.name($0) } ?? "a program that has just changed"
      add(.init(.owner, "owner", .good, "the \(selection.spoken) is owned by \(name)"))
    case .wayland:
      let message = "the \(selection.spoken) has an owner, which Wayland does not name"
      add(.init(.owner, "owner", .good, message))
    case .daemon: add(.init(.owner, "owner", .good, "clipd keeps the \(selection.spoken)"))
    }
    for finding in checkup.findings {
      switch finding.verdict {
      case .good: add(finding.check, .good, Self.praise(finding.check, checkup), nil)
      case .note(let fault): add(finding.check, .note, Self.words(finding.check, fault), nil)
      case .fault(let fault):
        let advice = Self.advice(finding.check, fault)
        add(finding.check, .fault, Self.words(finding.check, fault), advice)
      }
    }
  }

  private mutating func add(
    _ check: OwnerFinding.Check, _ verdict: Verdict, _ message: String, _ advice: String?
  ) {
    add(.init(.owner, check.rawValue, verdict, message, advice: advice))
  }

  private static func praise(_ check: OwnerFinding.Check, _ checkup: OwnerCheckup) -> String {
    switch check {
    case .targets: "it lists what it has: \(checkup.names.count) targets"
    case .required: "it lists TARGETS, MULTIPLE and TIMESTAMP"
    case .timestamp: "it tells since when it owns the selection"
    case .unheardOf: "it refuses what it does not have"
    case .early: "it refuses requests from before its time"
    case .multiple: "it answers several requests at once (MULTIPLE)"
    case .contents, .text: "it gives what it lists"
    }
  }

  private static func words(_ check: OwnerFinding.Check, _ fault: OwnerFinding.Fault) -> String {
    let subject =
      switch check {
      case .targets: "TARGETS"
      case .timestamp: "TIMESTAMP"
      case .multiple: "MULTIPLE"
      case .unheardOf: "a target that it does not have"
      case .early: "a request from before its time"
      case .required, .contents, .text: "it"
      }
    return switch fault {
    case .unanswered(.refused): "\(subject) is refused"
    case .unanswered(.timedOut): "\(subject) is not answered"
    case .unanswered: "\(subject) is answered against the protocol"
    case .malformed(let typeName, let format):
      "\(subject) is answered as \(typeName) in units of \(format) bits"
    case .unknownAtoms(let count): "\(count) atoms in its list are none"
    case .repeated(let names): "it lists twice: \(names.joined(separator: ", "))"
    case .notListed(let names): "it does not list \(names.joined(separator: ", "))"
    case .noTime: "it took the selection without a time: TIMESTAMP is 0"
    case .answered(let typeName): "\(subject) is answered, with \(typeName)"
    case .notServed: "MULTIPLE does not give what TARGETS by itself gives"
    case .refusedContents(let names): "it lists and refuses \(names.joined(separator: ", "))"
    case .silentContents(let names):
      "it lists and does not give \(names.joined(separator: ", "))"
    case .otherKind(let target, let typeName): "asked for \(target) it gives \(typeName)"
    case .notUTF8(let target): "its \(target) is not UTF-8"
    }
  }

  private static func advice(_ check: OwnerFinding.Check, _ fault: OwnerFinding.Fault) -> String {
    switch (check, fault) {
    case (.targets, .unanswered(.timedOut)):
      "see whether that program hangs; copying anything else takes the selection from it"
    case (.targets, _), (.required, _):
      "name what you want: clipview paste -t TYPE; 'clipview plain' serves its text properly"
    case (.timestamp, _):
      "remote desktops and virtual machines may not paste from it; 'clipview plain' serves its text "
        + "properly"
    case (.unheardOf, _):
      "programs that try a picture first get text for one; 'clipview plain' serves its text properly"
    case (.multiple, _), (.early, _):
      "report it to the makers of that program, with the file of 'clipview save'"
    case (.contents, _), (.text, _):
      "paste another type (see 'clipview types'), and report it to the makers of that program"
    }
  }

  // MARK: Output

  func text(_ style: TerminalStyle) -> String {
    var text = ""
    for subject in Subject.allCases {
      let found = findings.filter { $0.subject == subject }
      if found.isEmpty { continue }
      text += style.dressed(subject.rawValue, .heading) + "\n"
      for finding in found {
        let (mark, look) = Self.mark(finding.verdict)
        text += "  \(style.dressed(mark, look)) \(Self.lines(finding.message, behind: 4, style))\n"
        if let advice = finding.advice {
          text += "    → \(Self.lines(advice, behind: 6, style))\n"
        }
      }
    }
    return text + style.dressed(summary, faultCount == 0 ? .good : .fault) + "\n"
  }

  /// The text as it can be shown, where lines have an end in lines that begin behind such a margin.
  private static func lines(
    _ text: String, behind margin: Int, _ style: TerminalStyle
  ) -> String {
    guard let columns = style.columns else { return visible(text) }
    return wrapped(visible(text), toWidth: max(1, columns - margin))
      .joined(separator: "\n" + String(repeating: " ", count: margin))
  }

  private var summary: String {
    switch faultCount {
    case 0: "healthy"
    case 1: "1 fault found"
    default: "\(faultCount) faults found"
    }
  }

  private static func mark(_ verdict: Verdict) -> (String, TerminalStyle.Look) {
    switch verdict {
    case .good: ("✓", .good)
    case .note: ("·", .note)
    case .fault: ("✗", .fault)
    }
  }

  var json: JSONValue {
    .object([
      .init("schema", .integer(1)), .init("healthy", .boolean(faultCount == 0)),
      .init("faults", .integer(faultCount)),
      .init(
        "findings",
        .array(
          findings.map { finding in
            .object([
              .init("subject", .string(finding.subject.rawValue)),
              .init("check", .string(finding.check)),
              .init("verdict", .string(finding.verdict.rawValue)),
              .init("message", .string(finding.message)),
              .init("advice", finding.advice.map { .string($0) } ?? .null),
            ])
          })),
    ])
  }
}
