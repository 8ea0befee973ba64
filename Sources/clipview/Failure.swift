import ClipboardCore
import DaemonBackend
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// The exit codes of the contract.
enum ExitCode: Int32, CaseIterable {
  case done = 0
  case nothingThere = 1
  case usage = 2
  case noDisplay = 3
  case timedOut = 4
  case refused = 5
  case unreadable = 6

  /// What help says of it.
  var meaning: String {
    switch self {
    case .done: "done"
    case .nothingThere: "nothing there, or nothing of the type that was asked for"
    case .usage: "the command line cannot be understood"
    case .noDisplay: "no display, or a service that this needs does not run"
    case .timedOut: "no answer in time"
    case .refused: "refused: guarded or secret content"
    case .unreadable: "something could not be read, written or converted, nothing changed"
    }
  }
}

/// Why a command ends without having done what was asked: its exit code and what is said.
///
/// All wording for the user is in this file.
struct Failure: Error {
  let code: ExitCode
  let happened: String
  let hint: String
  /// Whether the command line that failed asked for no messages.
  var isSilent = false

  init(_ code: ExitCode, _ happened: String, hint: String) {
    self.code = code
    self.happened = happened
    self.hint = hint
  }

  /// The same, where a part of the output went out before and cannot be taken back.
  var afterPart: Failure {
    var failure = Failure(code, "\(happened), and a part of it is written", hint: hint)
    failure.isSilent = isSilent
    return failure
  }

  /// One line: `clipview: what happened: what to do`.
  var message: String { "clipview: " + visible("\(happened): \(hint)") }

  static func usage(_ happened: String, hint: String) -> Failure {
    Failure(.usage, happened, hint: hint)
  }

  static func notInThisVersion(_ what: String, hint: String) -> Failure {
    .usage("\(what) is not part of this version", hint: hint)
  }

  /// - Parameter whoNeeds: What cannot do without, and its verb.
  static func needsService(_ whoNeeds: String, hint: String) -> Failure {
    Failure(.noDisplay, "\(whoNeeds) clipd", hint: hint)
  }

  /// What to do where no `clipd` runs.
  static let startService = "start it with 'systemctl --user start clipd', or 'clipd &'"

  /// - Parameter whoNeeds: What cannot do without, and its verb.
  init(_ failure: ControlConnectionFailure, whoNeeds: String) {
    switch failure {
    case .notRunning: self = .needsService(whoNeeds, hint: Self.startService)
    case .notManaged:
      self.init(
        .noDisplay, "clipd does not manage this display",
        hint: "start it with --display NAME, or leave --backend daemon out")
    case .foreign:
      self.init(
        .noDisplay, "\(whoNeeds) clipd, and another user's listens in the runtime directory",
        hint: "see that XDG_RUNTIME_DIR is your own")
    case .otherVersion(let version):
      self.init(
        .noDisplay, "the clipd that runs is of another version (protocol \(version))",
        hint: "restart it with 'systemctl --user restart clipd', or end it and start it again")
    case .timedOut:
      self.init(.timedOut, "clipd does not answer", hint: "see whether it hangs, and restart it")
    case .brokenOff:
      self.init(
        .noDisplay, "clipd broke off", hint: "see whether it still runs: 'clipview status'")
    case .system(let error):
      self.init(
        .noDisplay, "clipd cannot be asked (\(error.message))",
        hint: "see the limits of open files and memory (ulimit -a)")
    }
  }

  static func unknown(
    _ kind: String, _ word: String, among known: [String], hint help: String? = nil
  ) -> Failure {
    let hint = suggestion(for: word, among: known).map { "did you mean '\($0)'?" }
    return .usage("unknown \(kind) '\(word)'", hint: hint ?? help ?? "see 'clipview --help'")
  }
}

extension PasteboardName {
  /// As it is called in a sentence, behind "the".
  var spoken: String {
    switch self {
    case .primary: "primary selection"
    case .secondary: "secondary selection"
    case .clipboard: description
    default: "pasteboard '\(description)'"
    }
  }
}

extension Failure {
  init(_ failure: SessionFailure) {
    switch failure {
    case .noDisplay:
      self.init(
        .noDisplay, "no display: neither DISPLAY nor WAYLAND_DISPLAY is set",
        hint: "start it inside a desktop session, or give --display NAME")
    case .cannotOpen(let display):
      self.init(
        .noDisplay, "cannot open display '\(display)'",
        hint: "check DISPLAY and that the X server runs, or give --display NAME")
    case .wayland(let problem): self.init(problem)
    case .notBuilt(let backend):
      self.init(
        .noDisplay, "the back-end '\(backend.rawValue)' is not part of this version",
        hint: "use --backend x11 or wayland")
    }
  }

  init(_ problem: WaylandProblem) {
    let (happened, hint) =
      switch problem {
      case .noneNamed:
        (
          "no Wayland display: WAYLAND_DISPLAY is not set",
          "start it inside a Wayland session, or give --wayland-display NAME"
        )
      case .noLibrary:
        (
          "libwayland-client cannot be loaded, without which no Wayland display can be used",
          "install it (on Debian libwayland-client0), or use --backend x11"
        )
      case .cannotOpen(let display):
        (
          "cannot open Wayland display '\(display)'",
          "check WAYLAND_DISPLAY, XDG_RUNTIME_DIR and that the compositor runs, or give "
            + "--wayland-display NAME"
        )
      case .lost(let display):
        (
          "the Wayland display '\(display)' hung up while it was being opened",
          "see whether the compositor still runs"
        )
      case .noDataControl(let compositor):
        (
          "\(compositor) lets only the focused window use the clipboard (it has no data-control)",
          "start Xwayland and set DISPLAY, or use a compositor that has it"
        )
      case .noSeat(let compositor):
        (
          "\(compositor) has no seat, without which there is no clipboard",
          "give it an input device, or use --backend x11 where there is an X server"
        )
      case .noKeyboard(let compositor):
        (
          "\(compositor) has no data-control, and no keyboard whose focus a window could have",
          "start Xwayland and set DISPLAY, or plug a keyboard in"
        )
      case .noWindows(let compositor):
        (
          "\(compositor) has no data-control, and no windows (xdg-shell)",
          "start Xwayland and set DISPLAY, or use a compositor that has it"
        )
      case .noSuchSeat(let name, let known):
        (
          "there is no seat '\(name)'",
          "there is \(known.map { "'\($0)'" }.joined(separator: ", "))"
        )
      }
    self.init(.noDisplay, happened, hint: hint)
  }

  /// Said behind a TYPE that nothing was found for, and that looks like an extension without its dot.
  private static func meaning(_ wanted: String?) -> String {
    wanted.flatMap { TypeQuery.extensionMeant(by: $0) }.map { " (or did you mean '\($0)'?)" } ?? ""
  }

  init(_ problem: ReadProblem, wanted: String?, selection name: PasteboardName, timeout: String) {
    let selection = name.spoken
    switch problem {
    case .nothingThere:
      self.init(
        .nothingThere, "nothing on the \(selection)",
        hint: name == .primary ? "select something first" : "copy something first")
    case .notOffered(let offered):
      let names = OfferedContent.contentNames(offered)
      let kind = wanted.map { "no \($0)" } ?? "nothing that can be pasted"
      self.init(
        .nothingThere, "\(kind) on the \(selection)",
        hint: names.isEmpty
          ? "what is there has no content"
          : "it has \(names.joined(separator: ", "))" + Self.meaning(wanted))
    case .notListed:
      self.init(
        .nothingThere,
        wanted.map { "no \($0) on the \(selection)" } ?? "nothing that can be pasted there",
        hint: "its owner does not tell what it has")
    case .timedOut:
      self.init(
        .timedOut, "the program that owns the \(selection) did not answer in \(timeout) s",
        hint: "see whether it hangs, or give it more time with --timeout")
    case .brokenOff(let target):
      self.init(
        .unreadable, "the program that owns the \(selection) broke off while giving \(target)",
        hint: "copy again, or ask for another type (see 'clipview types')")
    case .connectionLost:
      self.init(
        .noDisplay, "the connection to the display was lost", hint: "see whether it still runs")
    case .changed:
      self.init(
        .unreadable, "the \(selection) changed while it was read",
        hint: "nothing was written; try again")
    case .guarded(let time):
      self.init(
        .refused, "the \(selection) is guarded for another \(spoken(time))",
        hint: "try again then, or copy it again without --guard")
    case .guardedByService(let time):
      self.init(
        .refused, "the \(selection) is guarded for another \(spoken(time))",
        hint: "try again then, or lift the guard with 'clipview guard off'")
    case .taken:
      self.init(
        .nothingThere, "the \(selection) was for one paste, which another program has",
        hint: "copy it again")
    case .unconvertible(let source, let target, let reason):
      self.init(
        .unreadable,
        "\(source) cannot be converted to \(target)" + (reason.map { ", \(words($0))" } ?? ""),
        hint: "take it as it is: clipview paste -t \(source)")
    case .noLocalFiles(let address, let target):
      self.init(
        .nothingThere,
        "no files of this machine on the \(selection), only '\(Self.shortened(address))'",
        hint: "take the list as it is: clipview paste -t \(target)")
    case .notAllLocalFiles(let address, let target):
      self.init(
        .unreadable,
        "'\(Self.shortened(address))' on the \(selection) is no file of this machine, nothing pasted",
        hint: "take the list as it is: clipview paste -t \(target)")
    case .unwritable(let error): self.init(writingOutput: error)
    }
  }

  /// What a peer may make as long as it likes.
  private static func shortened(_ text: String) -> String {
    text.count > 200 ? "\(text.prefix(200))…" : text
  }

  init(_ problem: CopyProblem) {
    switch problem {
    case .notText(_, let offset):
      self.init(
        .unreadable, "the content is not UTF-8 text (byte \(offset)), nothing copied",
        hint: "name its charset (-t 'text/plain;charset=iso-8859-1') or its real type")
    case .needsExactType(let name):
      self.init(
        .usage, "'\(name)' does not say which type the content is",
        hint: name == "files"
          ? "to copy files themselves: clipview copy --files; a list of URLs is -t text/uri-list"
          : "name it, as in -t image/png")
    case .notInCharset(let name):
      self.init(
        .unreadable, "the content is not text in the charset of \(name), nothing copied",
        hint: "name the charset that it is in")
    case .unknownCharset(let label):
      self.init(
        .unreadable, "the charset '\(label)' is not known, nothing copied",
        hint: "name one that 'iconv -l' lists (-t 'text/plain;charset=iso-8859-1')")
    }
  }

  init(_ failure: OwnershipFailure, selection: PasteboardName) {
    switch failure {
    case .contested:
      self.init(
        .refused, "another program keeps taking the \(selection.spoken)",
        hint: "end it, or try again")
    case .connectionLost:
      self.init(
        .noDisplay, "the connection to the display was lost", hint: "see whether it still runs")
    case .unsupported: self = .noSelection(selection)
    case .unfocused:
      self.init(
        .timedOut, "the compositor does not give a window of clipview the focus",
        hint: "unlock the screen, or start Xwayland and set DISPLAY")
    case .notManaged:
      self.init(
        .noDisplay, "clipd does not manage this display",
        hint: "start it with --display NAME, or leave --backend daemon out")
    case .tooLarge:
      self.init(
        .unreadable, "that is more than clipd takes, nothing copied",
        hint: "see maximum-offer and maximum-total in its configuration (clipd --print-config)")
    case .noMemory:
      self.init(
        .unreadable, "there is no memory to hand it over in, nothing copied",
        hint: "free some, or copy less")
    }
  }

  /// Where the display knows other selections only.
  static func noSelection(_ selection: PasteboardName) -> Failure {
    Failure(
      .noDisplay, "this display has no \(selection.spoken)",
      hint: selection == .primary
        ? "its compositor passes only the clipboard on; use that"
        : "on Wayland there are clipboard and primary; use one of them")
  }

  init(_ failure: WatchFailure) {
    switch failure {
    case .unsupported:
      self.init(
        .noDisplay, "this display does not report changes of the clipboard",
        hint: "'clipview doctor' says what it lacks: XFixes on X11, data-control on Wayland")
    case .connectionLost: self.init(OwnershipFailure.connectionLost, selection: .clipboard)
    }
  }

  /// Where the system refuses what a watch needs.
  init(watching error: Errno) {
    self.init(
      .unreadable, "changes cannot be waited for (\(error.message))",
      hint: "see the limits of open files and processes (ulimit -a)")
  }

  /// Where a command could not be started for one change.
  init(starting error: Errno) {
    self.init(
      .unreadable, "the command could not be started for this change (\(error.message))",
      hint: "see the limits of processes, memory and open files (ulimit -a)")
  }

  init(reading path: String, _ error: Errno) {
    self.init(
      .unreadable, "cannot read \(Self.named(path)) (\(error.message)), nothing copied",
      hint: error == .isDirectory
        ? "to copy it as a file manager does: clipview copy --files"
        : "check the name and its permissions")
  }

  init(copying path: FilePath, _ error: Errno) {
    self.init(
      .unreadable, "cannot find '\(path.description)' (\(error.message)), nothing copied",
      hint: "check the name and the working directory")
  }

  init(reading path: String, _ error: ReadContentsError) {
    switch error {
    case .system(let error): self.init(reading: path, error)
    case .tooLarge(let limit):
      self.init(
        .unreadable, "\(Self.named(path)) is longer than \(limit) bytes, nothing copied",
        hint: "allow more with --max BYTES")
    }
  }

  init(writing path: FilePath, _ error: Errno) {
    self.init(
      .unreadable, "cannot write '\(path.description)' (\(error.message))",
      hint: error == .isDirectory
        ? "name a file in that directory"
        : "check the directory, its permissions and the space left")
  }

  init(writingOutput error: Errno) {
    self.init(
      .unreadable, "cannot write to standard output (\(error.message))",
      hint: "check what it goes to, and the space left there")
  }

  /// What was given, as it stands in a message: the names of files in quotation marks.
  static func named(_ source: String) -> String {
    source == standardInput || source == "--text" ? source : "'\(source)'"
  }

  /// How messages call what is read where no file is named.
  static let standardInput = "standard input"
}

// MARK: - Conversions

/// Why a conversion came to nothing, as the end of a sentence.
private func words(_ failure: TextConversionFailure) -> String {
  switch failure {
  case .notInItsFormat(let format): "it is no \(format.type)"
  case .noTable: "there is no table in it"
  case .tooLong(let limit): "it is longer than \(limit) bytes"
  case .noMarkdownParser: "the library that reads Markdown, md4c, is not installed"
  }
}

extension Failure {
  init(converting name: String, _ error: ReadContentsError) {
    switch error {
    case .system(let error):
      self.init(
        .unreadable, "cannot read \(Self.named(name)) (\(error.message)), nothing written",
        hint: "check the name and its permissions")
    case .tooLarge(let limit):
      self.init(
        .unreadable, "\(Self.named(name)) is longer than \(limit) bytes, nothing written",
        hint: "convert it in parts")
    }
  }

  init(converting name: String, _ type: TypeIdentifier) {
    self.init(
      .unreadable, "\(Self.named(name)) is \(type), which is not converted, nothing written",
      hint: "where its name is wrong about it, say what it is, as in -f plain")
  }

  init(converting name: String, notInCharsetOf type: String) {
    self.init(
      .unreadable, "\(Self.named(name)) is no text in the charset of \(type), nothing written",
      hint: "name the charset that it is in")
  }

  init(
    converting name: String, _ conversion: TextConversion, _ failure: TextConversionFailure?
  ) {
    self.init(
      .unreadable,
      "\(Self.named(name)) cannot be converted to \(conversion.target.type)"
        + (failure.map { ", \(words($0))" } ?? "") + ", nothing written",
      hint: "say what it is with --from, or look at it")
  }
}

// MARK: - Types

extension Failure {
  static func noType(_ name: String) -> Failure {
    Failure(
      .nothingThere, "no type '\(name)' is known",
      hint:
        "'clipview registry list' tells all; a MIME type has a slash, an extension a dot in front")
  }

  static func noTag(_ kind: String, _ value: String, example: String) -> Failure {
    .usage("'\(value)' cannot be \(kind)", hint: "as in \(example)")
  }

  init(examining path: String, _ error: Errno) {
    self.init(
      .unreadable, "cannot read '\(path)' (\(error.message))",
      hint: "check the name and its permissions, or ask for its name alone with --by name")
  }
}

/// What is said about files of declared types.
enum TypeFileWording {
  /// Where and what, as compilers say it: `FILE:LINE: …`.
  static func words(_ report: TypeDeclarationReport, _ files: [String]) -> String {
    func place(_ section: Int?) -> String {
      section.map { files.indices.contains($0) ? files[$0] : "another file" } ?? "clipview itself"
    }
    let what =
      switch report.finding {
      case .fault(let fault): words(fault)
      case .addsToType(let name, let section):
        "\(name) is declared by \(place(section)) too: it has the parents and tags of both"
      case .unusedImport(let name, let section):
        "\(name) is only imported here and declared by \(place(section)), which counts"
      case .overridesRole(let name):
        "the name '\(name)' has another role elsewhere; this one counts"
      case .sharesTag(let tag, let tagClass):
        "\(kind(tagClass)) '\(tag)' belongs to several types: \(owners(tag, tagClass))"
      }
    return "\(report.source):\(report.line): \(what)"
  }

  private static func owners(_ tag: String, _ tagClass: TagClass) -> String {
    TypeRegistry.current.declaredTypes(for: tag, in: tagClass).map(\.description)
      .joined(separator: " before ")
  }

  private static func kind(_ tagClass: TagClass) -> String {
    switch tagClass {
    case .filenameExtension: "the extension"
    case .mimeType: "the MIME type"
    case .x11Target: "the target"
    case .pasteboardName: "the pasteboard name"
    case .osType: "the OSType"
    }
  }

  private static func words(_ fault: TypeDeclarationError.Fault) -> String {
    switch fault {
    case .notUTF8: "the line is not UTF-8"
    case .tooLarge: "the file is too large"
    case .missingHeader:
      "no line of column names stands before the rows (identifier, conforms_to, … divided by tabs)"
    case .tooManyColumns: "the row has more columns than there are"
    case .invalidIdentifier(let name): "'\(name)' cannot be the identifier of a type"
    case .duplicateIdentifier(let name): "'\(name)' is the name of another type already"
    case .undeclaredIdentifier(let name): "no type '\(name)' is declared"
    case .conformanceCycle(let name): "by the parent '\(name)' the type would conform to itself"
    case .invalidTag(let tag):
      "'\(tag)' cannot be a tag of its column, or is not spelled as rows have it"
    case .unknownRole(let word): "'\(word)' is no role (content, marker, protocol)"
    case .unknownTargetClass(let word): "'\(word)' is no class (target, mime, pasteboard)"
    case .duplicateTarget(let name): "the role of '\(name)' is told in another row already"
    case .tooManyIdentifiers: "there are more types than can be added"
    case .binaryPropertyList:
      "the property list is binary: convert it to XML (plutil -convert xml1, or plistutil -f xml)"
    case .invalidPropertyList: "this is no property list in XML, or no declaration of a type"
    case .noTypeDeclarations:
      "the property list has neither UTExportedTypeDeclarations nor UTImportedTypeDeclarations"
    }
  }

  static func words(_ fault: MIMECacheFault) -> String {
    switch fault {
    case .cutOff: "is cut off, not used"
    case .damaged: "is damaged, not used"
    case .tooLarge: "is larger than any MIME database, not used"
    case .unknownVersion(let major, let minor):
      "is of version \(major).\(minor), which is not known, not used"
    case .unreadable(let code): "cannot be read (\(Errno(code).message))"
    case .changing: "changes all the time, not used"
    }
  }

  static func words(_ problem: UserTypes.Problem) -> String {
    switch problem {
    case .system(let error): "cannot be read (\(error.message))"
    case .tooLarge(let limit): "is longer than \(limit) bytes, not read"
    case .tooMany(let limit): "and those behind it are not read: more than \(limit) files"
    }
  }
}

// MARK: - Saved clipboards

extension Failure {
  static func secret(_ selection: PasteboardName) -> Failure {
    Failure(
      .refused, "what is on the \(selection.spoken) is secret, nothing written",
      hint: "save it all the same with --sensitive")
  }

  init(loading path: String, _ error: Errno) {
    self.init(
      .unreadable, "cannot read \(Self.named(path)) (\(error.message)), nothing changed",
      hint: "give a file or a directory that 'clipview save' made")
  }

  init(loading path: String, _ error: ReadContentsError) {
    switch error {
    case .system(let error): self.init(loading: path, error)
    case .tooLarge(let limit):
      self.init(
        .unreadable, "\(Self.named(path)) is longer than \(limit) bytes, nothing changed",
        hint: "allow more with --max BYTES")
    }
  }

  init(loading path: String, _ fault: SavedClipboardFault) {
    let file = fault.file.map { "\(path)/\($0)" } ?? path
    let place = "byte \(fault.offset), \(Self.place(fault.part))"
    let again = "save it again, or get the file anew"
    let (happened, hint): (String, String) =
      switch fault.kind {
      case .foreign: ("is no saved clipboard (\(place))", "'clipview save' makes one")
      case .version: ("is of a version that is not known here (\(place))", "use a newer clipview")
      case .cutShort: ("ends too early (\(place))", again)
      case .checksum: ("was changed: its checksum differs (\(place))", again)
      case .malformed: ("was changed: something else belongs here (\(place))", again)
      case .count: ("has another number of representations than it says (\(place))", again)
      case .name: ("has a name that cannot be one (\(place))", "1 to 65535 bytes, none of them 0")
      case .repeatedTarget: ("has a target twice (\(place))", "each may stand there once")
      case .protocolTarget:
        ("has a target that every owner answers for itself (\(place))", "leave it out")
      case .form:
        ("has a size or format that cannot be (\(place))", "formats are 8, 16 and 32 bits")
      case .bound:
        ("has a value that means nothing on another server (\(place))", "leave it out")
      case .surplus: ("goes on behind its end (\(place))", again)
      case .redacted:
        ("was saved without contents (--redact)", "save it again without --redact")
      case .inDirectory: ("is the index of a directory", "load the directory that it is in")
      case .notInDirectory: ("holds the contents itself (\(place))", "load it as a file")
      }
    self.init(.unreadable, "\(Self.named(file)) \(happened), nothing changed", hint: hint)
  }

  private static func place(_ part: SavedClipboardFault.Part) -> String {
    switch part {
    case .index(line: 0): "the index"
    case .index(let line): "line \(line) of the index"
    case .representation(let number, let target):
      "representation \(number), \(truncated(visible(target), toWidth: 60))"
    case .end: "behind the last content"
    }
  }
}
