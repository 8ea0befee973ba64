import SystemIO

/// The version that `--version` tells.
let programVersion = "0.1.0"

@main
struct Program {
  static func main() {
    StandardStream.ensureOpen()
    // A broken pipe is an error of a write, told apart from a lost display server.
    ignoreBrokenPipes()
    ignoreFileSizeLimits()
    var isQuiet = false
    do throws(Failure) {
      let arguments = try ParsedArguments(Argument.all)
      isQuiet = arguments.has(.quiet)
      try run(arguments)
    } catch {
      if !isQuiet, !error.isSilent { tell(error.message) }
      exitImmediately(error.code.rawValue)
    }
    // Nothing is left to be flushed or freed that the system does not do faster.
    exitImmediately(ExitCode.done.rawValue)
  }

  private static func run(_ arguments: ParsedArguments) throws(Failure) {
    if arguments.has(.help) { return try HelpCommand(arguments.command).run() }
    if arguments.has(.version) { return try writeOutput("clipview \(programVersion)\n") }
    let command: CommandSpec
    if let named = arguments.command {
      command = named
    } else {
      command = try defaultCommand()
      try arguments.check(for: command)
    }
    let context = try CommandContext(arguments)
    switch command.name {
    case "copy": try CopyCommand(context).run()
    case "paste": try PasteCommand(context).run()
    case "types": try TypesCommand(context).run()
    case "show": try ShowCommand(context).run()
    case "watch": try WatchSubcommand(context).run()
    case "save": try SaveCommand(context).run()
    case "load": try LoadCommand(context).run()
    case "clear": try ClearCommand(context).run()
    case "plain", "flat": try ReshapeCommand(context, isFlat: command.name == "flat").run()
    case "enrich": try EnrichCommand(context).run()
    case "convert": try ConvertCommand(context).run()
    case "registry": try RegistryCommand(context).run()
    case "guard": try GuardCommand(context).run()
    case "status": try StatusCommand(context).run()
    case "doctor": try DoctorCommand(context).run()
    default: try HelpCommand(named: arguments.arguments).run()
    }
  }

  /// Without a command: `show` for somebody who looks, `paste` for a pipe; never a guess that could
  /// overwrite the clipboard.
  private static func defaultCommand() throws(Failure) -> CommandSpec {
    guard StandardStream.output.isTerminal else { return .paste }
    if StandardStream.input.isPipedOrFile {
      throw .usage(
        "standard input is piped, but no command says what to do with it",
        hint: "to copy it: clipview copy")
    }
    return .show
  }
}

/// Writes a line to standard error; where that fails there is nobody to tell.
func tell(_ line: String) { try? StandardStream.error.write(line + "\n") }

/// Writes to standard output.
///
/// A reader that has gone ends the program, quietly.
func writeOutput(_ text: String) throws(Failure) {
  do throws(Errno) {
    try StandardStream.output.write(text)
  } catch {
    throw outputFailure(error)
  }
}

func outputFailure(_ error: Errno) -> Failure {
  if error == .brokenPipe { endByBrokenPipe() }
  return Failure(writingOutput: error)
}
