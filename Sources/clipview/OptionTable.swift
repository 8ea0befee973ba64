/// What an option takes.
enum OptionValue: Hashable {
  case none
  /// A value in the next argument or behind `=`; the placeholder for help.
  case required(String)
  /// A number behind `=`, or in the next argument where that is one; the placeholder for help.
  case optionalNumber(String)
  /// A value only behind `=`, one of these.
  case choice([String])
}

/// Every option there is.
///
/// Parsing, help and suggestions all come from the table below.
enum Option: CaseIterable {
  case selection, primary, backend, display, waylandDisplay, seat, timeout, json, quiet, verbose
  case help, version
  case type, converted, accept, acceptAny, output, trimNewline, flat, lf
  case text, also, only, sensitive, once, expire, guarded, foreground, maximum
  case files, cut, null
  case all, identifiers, noRead
  case exec, initial
  case directory, redact
  case from, safe
  case fileExtension, mimeType, target, file, evidence, conformingTo
}

/// One row of the table.
struct OptionSpec {
  let option: Option
  let long: String
  let short: Character?
  let value: OptionValue
  let help: String

  init(
    _ option: Option, _ long: String, _ short: Character? = nil, _ value: OptionValue = .none,
    _ help: String
  ) {
    self.option = option
    self.long = long
    self.short = short
    self.value = value
    self.help = help
  }

  static let table: [OptionSpec] = [
    .init(
      .selection, "selection", "s", .required("NAME"),
      "clipboard (default), primary, secondary, or a pasteboard that clipd keeps"),
    .init(.primary, "primary", "p", .none, "the primary selection: what was last selected"),
    .init(
      .backend, "backend", nil, .required("NAME"),
      "auto (default), x11, wayland, wayland-core, daemon"),
    .init(.display, "display", nil, .required("NAME"), "X display instead of $DISPLAY"),
    .init(
      .waylandDisplay, "wayland-display", nil, .required("NAME"),
      "Wayland display instead of $WAYLAND_DISPLAY"),
    .init(.seat, "seat", nil, .required("NAME"), "Wayland seat; else the first one"),
    .init(
      .timeout, "timeout", nil, .required("SECONDS"), "give up after that long without progress (5)"
    ),
    .init(.json, "json", nil, .none, "one JSON object, for programs"),
    .init(.quiet, "quiet", "q", .none, "no messages"),
    .init(.verbose, "verbose", "v", .none, "say what was done, on standard error"),
    .init(.help, "help", "h", .none, "this help"),
    .init(.version, "version", "V", .none, "the version"),

    .init(.type, "type", "t", .required("TYPE"), "the TYPE of the content"),
    .init(.converted, "as", nil, .required("TYPE"), "like --type, else made by one conversion"),
    .init(.accept, "accept", nil, .required("TYPE,…"), "the first of these that can be had"),
    .init(.acceptAny, "accept-any", nil, .required("TYPE,…"), "the best of these that can be had"),
    .init(.output, "output", "o", .required("FILE"), "write to FILE, whole or not at all"),
    .init(.trimNewline, "trim-newline", "n", .none, "drop one line end at the end"),
    .init(
      .flat, "flat", nil, .choice(["join"]),
      "one line: line breaks become blanks (--flat=join: vanish)"),
    .init(.lf, "lf", nil, .none, "CR LF becomes LF"),

    .init(.text, "text", nil, .required("TEXT"), "copy TEXT"),
    .init(
      .also, "also", nil, .required("TYPE=FILE"), "offer FILE as TYPE as well; may be repeated"),
    .init(.only, "only", nil, .none, "offer just what was given, nothing made from it"),
    .init(
      .sensitive, "sensitive", nil, .none,
      "copy: mark it as secret, managers are not to keep it; save: although it is"),
    .init(.once, "once", nil, .none, "serve one paste, then the content is gone"),
    .init(.expire, "expire", nil, .required("SECONDS"), "after that the content is gone"),
    .init(
      .guarded, "guard", nil, .optionalNumber("SECONDS"), "let nobody paste it for that long (10)"),
    .init(
      .foreground, "foreground", nil, .none, "serve in this process until the content is replaced"),
    .init(.files, "files", nil, .none, "copy the FILEs themselves, as a file manager does"),
    .init(.cut, "cut", nil, .none, "like --files, to be moved where they are pasted"),
    .init(.null, "null", "0", .none, "names of files end with NUL, not with a line end"),
    .init(
      .maximum, "max", nil, .required("BYTES"), "refuse more than that (1G); K, M and G are known"),

    .init(.all, "all", nil, .none, "protocol targets and repetitions too"),
    .init(.identifiers, "identifiers", nil, .none, "as type identifiers"),
    .init(.noRead, "no-read", nil, .none, "ask only what is there; sizes stay unknown"),

    .init(
      .exec, "exec", nil, .required("COMMAND"),
      "run COMMAND for each change, the content on its standard input"),
    .init(.initial, "initial", nil, .none, "begin with what is there already"),

    .init(.directory, "dir", nil, .required("DIR"), "a directory with one file a representation"),
    .init(.redact, "redact", nil, .none, "keep types and sizes, leave contents out"),

    .init(.from, "from", "f", .required("TYPE"), "the TYPE of the input"),
    .init(.safe, "safe", nil, .none, "HTML without scripts and whatever else could act"),

    .init(
      .fileExtension, "extension", nil, .required("EXT"), "resolve: types of files named *.EXT"),
    .init(.mimeType, "mime", nil, .required("MIME"), "resolve: types with that MIME type"),
    .init(
      .target, "target", nil, .required("NAME"), "resolve: types with that name on the clipboard"),
    .init(.file, "file", nil, .required("FILE"), "resolve: types that FILE may be of"),
    .init(
      .evidence, "by", nil, .required("EVIDENCE"),
      "with --file: told by name, content or both (default)"),
    .init(
      .conformingTo, "conforming-to", nil, .required("TYPE"), "resolve: only types that are TYPE"),
  ]

  /// Options of later versions, which nobody has mistyped.
  static let planned = ["code"]

  /// The options that every command takes.
  static let everywhere: [Option] = [
    .selection, .primary, .backend, .display, .waylandDisplay, .seat, .timeout, .json, .quiet,
    .verbose, .help, .version,
  ]

  static func spec(of option: Option) -> OptionSpec {
    guard let spec = table.first(where: { $0.option == option }) else {
      preconditionFailure("an option without a row in the table: \(option)")
    }
    return spec
  }
}

/// One command: its name, what it takes, and what help says.
final class CommandSpec: Sendable {
  enum Group: String, CaseIterable {
    case see = "see"
    case move = "move"
    case reshape = "reshape in place"
    case remember = "remember"
    case know = "know"
  }

  let name: String
  let group: Group
  let arguments: String
  let options: [Option]
  let summary: String
  let examples: [String]
  let takesArguments: Bool
  private let makeDetails: @Sendable () -> String

  /// Put together when help is asked for: a paste has no time for it.
  var details: String { makeDetails() }

  init(
    name: String, group: Group, arguments: String, options: [Option], summary: String,
    details: @autoclosure @escaping @Sendable () -> String, examples: [String],
    takesArguments: Bool
  ) {
    self.name = name
    self.group = group
    self.arguments = arguments
    self.options = options
    self.summary = summary
    makeDetails = details
    self.examples = examples
    self.takesArguments = takesArguments
  }

  static let show = CommandSpec(
    name: "show", group: .see, arguments: "", options: [.noRead],
    summary: "what is on the clipboard: every representation, and a preview",
    details: """
      A row for each representation: type identifier, target as offered, size, and whether it is
      native or made from another one. Each is read once, four at a time, for at most 2 seconds
      in all; what was not read has no size. Secret content has no preview.
      """,
    examples: ["clipview show", "clipview show --json | python3 -m json.tool"],
    takesArguments: false)

  static let paste = CommandSpec(
    name: "paste", group: .move, arguments: "",
    options: [
      .type, .converted, .accept, .acceptAny, .output, .null, .trimNewline, .flat, .lf,
    ],
    summary: "write what is on the clipboard to standard output or a file",
    details: """
      Without a TYPE: plain text as UTF-8, its line ends and all else untouched. --type gives the
      offered bytes and never converts; --as converts where it must. --as files prints the paths
      of the files that were copied, one a line; names can hold line ends, which --null is for.
      """,
    examples: [
      "clipview paste", "clipview paste -t image/png -o picture.png", "clipview paste --as html",
      "clipview paste --accept markdown,html,text -v", "clipview paste --flat",
      "clipview paste --as files -0 | xargs -0 ls -ld --",
    ],
    takesArguments: false)

  static let table: [CommandSpec] = [
    show,
    .init(
      name: "types", group: .see, arguments: "", options: [.all, .identifiers],
      summary: "the names under which the content is offered, one a line",
      details: "In the owner's order and spelling, each once.",
      examples: ["clipview types", "clipview types -p --identifiers"],
      takesArguments: false),
    .init(
      name: "watch", group: .see, arguments: "", options: [.exec, .initial],
      summary: "print a line for each change of the clipboard, or run a command",
      details: """
        A line for each change: the time, the selection, the program that owns it, and what it
        offers. Nothing is read for that. With --json each line is the object of 'show --no-read',
        with no items where the clipboard is empty.

        With --exec COMMAND runs instead (sh -c), one at a time: when it has ended and there was a
        change meanwhile, it runs for the latest one. Its standard input is what 'clipview paste'
        gives in a pipe: the plain text, else the first content. Its environment has
          CLIPBOARD_STATE     data, sensitive (data marked as secret: do not store or show it),
                              clear (somebody emptied the clipboard), nil (empty otherwise, as
                              when the owner has ended); for the last two the input is /dev/null
          CLIPBOARD_TYPE      the MIME type of the input
          CLIPVIEW_TYPE       the type identifier of the input, such as public.utf8-plain-text
          CLIPVIEW_TYPES      all that is offered, one a line, as 'clipview types' prints it
          CLIPVIEW_SELECTION  clipboard, primary or secondary
          CLIPVIEW_SENSITIVE  1 for content marked as secret, else 0
        A change whose content cannot be had is told on standard error and passed over. -v tells
        of runs that fail. Ctrl-C ends the watch and the COMMAND that runs.
        """,
      examples: [
        "clipview watch", "clipview watch -p --json --initial",
        "clipview watch --exec 'wc -c'",
        "clipview watch --exec '[ \"$CLIPBOARD_STATE\" = data ] && cat >> ~/copied.txt'",
      ],
      takesArguments: false),
    .init(
      name: "copy", group: .move, arguments: "[FILE…]",
      options: [
        .text, .type, .also, .only, .files, .cut, .null, .trimNewline, .flat, .sensitive, .once,
        .expire, .guarded, .foreground, .maximum,
      ],
      summary: "put a file, standard input or a text on the clipboard",
      details: """
        The TYPE is what --type says, else what the file's extension or its first bytes show, else
        UTF-8 text. Text is offered under all the names that programs ask for. Content stays until
        it is replaced: a process of its own serves it, which ends by itself.

        With --files or --cut it is not what is in the FILEs that is copied, but the files and
        folders themselves, for file managers to paste. Without FILE, or for '-', their names come
        from standard input, one a line. Each has to be there. --only offers text/uri-list alone.

        With --once the first program that is given content may ask for more of it for half a second;
        nobody else gets any. A clipboard manager that reads whatever is copied is such a program: most
        leave alone what is --sensitive. A guard keeps a terminal from swallowing what was just copied:
        programs see what is there and are refused the content until it ends. A word behind --guard is
        its value where it is a number.
        """,
      examples: [
        "echo hello | clipview copy", "clipview copy notes.md", "clipview copy --text 'one line'",
        "clipview copy -t html page.html --also text/plain=page.txt",
        "clipview copy --files *.pdf", "find . -name '*.log' -print0 | clipview copy --cut -0",
        "pass show mail | clipview copy -n --sensitive --once --expire 45",
        "clipview copy --guard 3 commands.sh",
      ],
      takesArguments: true),
    paste,
    .init(
      name: "clear", group: .move, arguments: "", options: [],
      summary: "leave the clipboard empty", details: "", examples: ["clipview clear"],
      takesArguments: false),
    .init(
      name: "save", group: .move, arguments: "[FILE]",
      options: [.directory, .redact, .sensitive],
      summary: "write all that is on the clipboard to a file, for 'load' and for bug reports",
      details: """
        Every representation, in the owner's order, byte for byte, behind an index that can be read
        with any pager; '-' is standard output. With --dir each is a file of its own beside the
        index. What was there before is replaced as a whole or not at all. Secret content is refused
        unless --sensitive is given.
        """,
      examples: [
        "clipview save report.clip", "clipview save --redact - | less",
        "clipview save --dir report",
      ],
      takesArguments: true),
    .init(
      name: "load", group: .move, arguments: "[FILE]",
      options: [.directory, .foreground, .maximum],
      summary: "put a saved clipboard back: the same targets, the same order, the same bytes",
      details: """
        FILE is what 'save' made, a file or a directory; '-' is standard input. All of it is checked
        before the clipboard is touched: where a byte was lost or changed, the place is told.
        """,
      examples: [
        "clipview load report.clip", "clipview load report",
        "ssh far clipview save - | clipview load -",
      ],
      takesArguments: true),
    .init(
      name: "plain", group: .reshape, arguments: "", options: [],
      summary: "replace the clipboard by its plain text",
      details: "For a hot key: no output, the exit code tells.", examples: ["clipview plain"],
      takesArguments: false),
    .init(
      name: "flat", group: .reshape, arguments: "", options: [],
      summary: "replace the clipboard by its plain text on one line",
      details: "For a hot key: no output, the exit code tells.", examples: ["clipview flat"],
      takesArguments: false),
    .init(
      name: "enrich", group: .reshape, arguments: "", options: [],
      summary: "add to the clipboard what can be made of it: HTML, RTF, Markdown, text",
      details: """
        All that is there stays, in its order; HTML and RTF are made of Markdown, RTF and Markdown of
        HTML, and so on. Where there is nothing but plain text, it is read as Markdown. For a hot
        key: no output, the exit code tells.
        """,
      examples: ["clipview enrich", "clipview enrich -p"], takesArguments: false),
    .init(
      name: "guard", group: .remember, arguments: "[SECONDS|off]", options: [],
      summary: "have clipd refuse to give anything for a while (10 s); 'off' lifts it",
      details: """
        Programs see what is there and are refused the content until the time is over; 'off' ends it
        before, and what 'copy --guard' began as well. It is for every display that clipd manages and
        for named pasteboards; with -s for that selection on every display, or that pasteboard. What
        another program serves it goes on to give: clipd does not take a living program's place, and
        this command says so.
        """,
      examples: ["clipview guard", "clipview guard 30", "clipview guard off"], takesArguments: true),
    .init(
      name: "convert", group: .know, arguments: "[FILE]", options: [.from, .type, .output, .safe],
      summary: "convert a text: Markdown, HTML, RTF, plain text, tables as CSV or TSV",
      details: """
        FILE, or standard input, to standard output or a file. The TYPE of either is that of the
        file's extension unless it is said; an input without one is plain text unless it begins as RTF or
        HTML does. Plain text is what a reader sees: marks are taken away. CSV and TSV are the first
        table. HTML that is written with --output is a whole document, else what stands in one.

        Raw HTML in Markdown passes through as CommonMark says. --safe takes out scripts, styles,
        frames, event handlers and URLs that run or reach what they should not. No display is
        needed.
        """,
      examples: [
        "clipview convert -t html notes.md", "clipview convert notes.md -o notes.rtf",
        "curl -s https://example.org | clipview convert -f html -t markdown",
        "clipview convert -t csv report.html -o report.csv",
      ],
      takesArguments: true),
    .init(
      name: "doctor", group: .know, arguments: "", options: [],
      summary: "whether the clipboard works, what does not, and what to do about it",
      details: """
        Names the display, the clipboard manager and the program that owns the selection, and asks
        that program what the rules of X (ICCCM) oblige it to answer; content is asked for as 'show'
        does, secret content not at all. Exit code 0: healthy; 6: faults were found. A note (·) is
        no fault.
        """,
      examples: ["clipview doctor", "clipview doctor -p", "clipview doctor --json"],
      takesArguments: false),
    .init(
      name: "status", group: .know, arguments: "", options: [],
      summary: "whether clipd runs, and what it keeps",
      details: """
        Its version, the displays that it manages, and for each pasteboard how often it has changed,
        how much is there and whose it is; never content. Exit code 0: it runs; 3: it does not.
        """,
      examples: ["clipview status", "clipview status --json"],
      takesArguments: false),
    .init(
      name: "registry", group: .know, arguments: "WHAT",
      options: [.fileExtension, .mimeType, .target, .file, .evidence, .conformingTo],
      summary: "what types there are, what they are called, and which is which",
      details: """
        WHAT is one of
        \(RegistrySubcommand.help)
        resolve prints a line for each type, the best first: identifier, tab, preferred MIME type or
        '-'; with --conforming-to, only those that are that TYPE (none: exit code 1). What nobody has declared gets a dynamic identifier (dyn.…). Types of your own are declared
        in the files of ~/.config/clipview/types.d; 'clipview doctor' tells what is wrong with them.
        No display is needed.
        """,
      examples: [
        "clipview registry show public.html", "clipview registry show --json .docx",
        "clipview registry conforms markdown text && echo yes",
        "clipview registry resolve --extension ts",
        "clipview registry resolve --extension ts --conforming-to text",
        "clipview registry resolve --file photo.heic",
        "clipview registry resolve --mime 'text/plain; charset=UTF-8'",
        "clipview registry tree public.image", "clipview registry list | wc -l",
      ],
      takesArguments: true),
    .init(
      name: "help", group: .know, arguments: "[COMMAND]", options: [],
      summary: "help on clipview or on one command", details: "", examples: ["clipview help copy"],
      takesArguments: true),
  ]

  /// Commands of later versions, which nobody has mistyped, and whether they need the service.
  static let planned: [(name: String, needsService: Bool)] = [
    ("live", false), ("compat", false),
    ("history", true),
  ]

  static func called(_ name: String) throws(Failure) -> CommandSpec {
    if let spec = table.first(where: { $0.name == name }) { return spec }
    guard let planned = Self.planned.first(where: { $0.name == name }) else {
      throw .unknown("command", name, among: table.map(\.name))
    }
    throw planned.needsService
      ? .needsService(
        "'clipview \(name)' needs",
        hint: "that of this version does not do it yet; see 'clipview --help' for what there is")
      : .notInThisVersion("'clipview \(name)'", hint: "see 'clipview --help' for what is")
  }
}
